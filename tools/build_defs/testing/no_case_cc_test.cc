// Sample: a test program without a test.
#include "gtest/gtest.h"
