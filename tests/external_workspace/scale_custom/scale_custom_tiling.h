// What tiling hands to the kernel of ScaleCustom.
#pragma once

#include <cstdint>

struct ScaleCustomTilingData {
  uint64_t elements;
  float factor;
  uint32_t tileElements;
};
