#include "tools/build_defs/testing/exporter.h"

#include <string>

int hiddenDigits(int value) { return static_cast<int>(std::to_string(value).size()); }

int sampleDigits(int value) { return hiddenDigits(value); }
