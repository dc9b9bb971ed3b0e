// Sums of the lanes of a repeat as a binary tree of adjacent pairs: ((x0+x1)+(x2+x3))+..., the
// order that the vector unit documents (asc-devkit, API page ReduceDataBlock). Every node is
// rounded to the element type.
//
// A masked lane leaves the sum as it is: it counts as -0, which adds to anything without changing
// it. The float tree over 64 lanes runs in host vectors; lanes may change place in them as long as
// partners stay partners.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_SUM_TREE_H_
#define CC_ASCENDC_MEMBASE_VECTOR_SUM_TREE_H_

#include "cc/ascendc/membase/vector/lanes.h"

ASCENDC_TWIN_BEGIN

namespace twin {

typedef float Float16 __attribute__((vector_size(64)));
typedef float Float16Memory __attribute__((vector_size(64), aligned(4), may_alias));

constexpr uint32_t kFloatLanes = 64;

// Sums of adjacent pairs of a and b. Quarter q of the result: pairs of a's quarter q, then those of
// b's quarter q.
#define ASCENDC_TWIN_PAIR_SUMS(a, b)                                                          \
  (__builtin_shufflevector(a, b, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30) + \
   __builtin_shufflevector(a, b, 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31))

// Sums of adjacent quarters of a and b: quarters of the result are a0+a1, a2+a3, b0+b1, b2+b3.
#define ASCENDC_TWIN_QUARTER_SUMS(a, b)                                                      \
  (__builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27) + \
   __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31))

// The first two levels of the tree over 64 floats: lane 4*q+v is the sum of lanes 16*v+4*q ..
// 16*v+4*q+3.
ASCENDC_TWIN_INLINE void QuadSums(const float* lanes, Float16* quads) {
  const Float16Memory* in = reinterpret_cast<const Float16Memory*>(lanes);
  const Float16 first = ASCENDC_TWIN_PAIR_SUMS(Float16(in[0]), Float16(in[1]));
  const Float16 second = ASCENDC_TWIN_PAIR_SUMS(Float16(in[2]), Float16(in[3]));
  *quads = ASCENDC_TWIN_PAIR_SUMS(first, second);
}

ASCENDC_TWIN_INLINE float SumOf64(const float* lanes) {
  Float16 quads;
  QuadSums(lanes, &quads);
  const Float16 halves = ASCENDC_TWIN_QUARTER_SUMS(quads, quads);
  const Float16 wholes = ASCENDC_TWIN_QUARTER_SUMS(halves, halves);
  const Float16 pairs = ASCENDC_TWIN_PAIR_SUMS(wholes, wholes);
  return CanonicalNan(pairs[0] + pairs[1]);
}

// sums[r] = SumOf64(lanes + 64 * r), r < 4; cheaper than four calls.
ASCENDC_TWIN_INLINE void SumsOf4x64(const float* lanes, float sums[4]) {
  Float16 quads[4];
  for (int r = 0; r < 4; ++r) {
    QuadSums(lanes + r * kFloatLanes, &quads[r]);
  }
  const Float16 low = ASCENDC_TWIN_QUARTER_SUMS(quads[0], quads[1]);
  const Float16 high = ASCENDC_TWIN_QUARTER_SUMS(quads[2], quads[3]);
  const Float16 wholes = ASCENDC_TWIN_QUARTER_SUMS(low, high);
  const Float16 pairs = ASCENDC_TWIN_PAIR_SUMS(wholes, wholes);
  const Float16 totals = ASCENDC_TWIN_PAIR_SUMS(pairs, pairs);
  for (int r = 0; r < 4; ++r) {
    sums[r] = CanonicalNan(totals[4 * r]);
  }
}

#undef ASCENDC_TWIN_PAIR_SUMS
#undef ASCENDC_TWIN_QUARTER_SUMS

// lanes[0..width) are values of T in compute form and are overwritten; width is a power of two.
template <typename T>
inline float SumTree(float* lanes, uint32_t width) {
  for (uint32_t left = width / 2; left >= 1; left /= 2) {
    for (uint32_t i = 0; i < left; ++i) {
      lanes[i] = Lane<T>::Round(lanes[2 * i] + lanes[2 * i + 1]);
    }
  }
  return CanonicalNan(lanes[0]);
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_SUM_TREE_H_
