// The fused multiply-add of 16-bit floats: exact product and sum, rounded once to them.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_WIDE_FMA_H_
#define CC_ASCENDC_MEMBASE_VECTOR_WIDE_FMA_H_

#include "cc/ascendc/membase/float16.h"

ASCENDC_TWIN_BEGIN

namespace twin {

// A float that rounds to the same half or bfloat16_t as x * y + z does, for x, y, z that are such.
// The product is exact in double. The sum is rounded to odd, in double and again in float, so that
// the rounding to 16 bits sees on which side of a tie it lies (Boldo, Melquiond: Emulation of FMA
// and correctly rounded sums, IEEE Transactions on Computers 57(4), 2008).
ASCENDC_TWIN_INLINE float WideFma(float x, float y, float z) {
  const double product = static_cast<double>(x) * static_cast<double>(y);
  const double addend = static_cast<double>(z);
  const double sum = product + addend;
  // The error of the sum (Knuth's TwoSum); NaN where the sum is infinite or NaN.
  const double part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);
  uint64_t bits;
  __builtin_memcpy(&bits, &sum, sizeof(bits));
  const bool inexact = error > 0 || error < 0;
  if (inexact && (bits & 1) == 0) {  // towards the exact sum: its neighbour there is odd
    bits += (error > 0) == (sum > 0) ? uint64_t{1} : ~uint64_t{0};
  }
  double odd;
  __builtin_memcpy(&odd, &bits, sizeof(odd));
  return float_bits::OddFromDouble(odd);
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_WIDE_FMA_H_
