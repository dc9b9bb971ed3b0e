// exp and ln of a float, the same bits on every host: only +, -, *, / and fma, each rounded once.
//
// Largest errors found: Exponential 0.75 ulp (0.80 where the result is subnormal), Logarithm 0.84
// ulp. The polynomials are Remez fits of (e^r - 1 - r) / r^2 and of the odd series of atanh; their
// own errors are below 2^-28.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_MATH_H_
#define CC_ASCENDC_MEMBASE_VECTOR_MATH_H_

#include "cc/ascendc/membase/vector/lanes.h"

ASCENDC_TWIN_BEGIN

namespace twin {

// 2^n for -126 <= n <= 127.
ASCENDC_TWIN_INLINE float PowerOfTwo(int32_t n) {
  return float_bits::ToFloat(static_cast<uint32_t>(n + 127) << 23);
}

// e^value. Above 89 infinity, below -104 zero.
ASCENDC_TWIN_INLINE float Exponential(float value) {
  // Clamped by the bits, see IsNan of lanes.h; 89 and -104 have the same outcome as all beyond
  // them.
  const uint32_t bits = float_bits::FromFloat(value);
  const uint32_t limit = (bits >> 31) != 0 ? 0xC2D00000u : 0x42B20000u;
  const float x = float_bits::ToFloat(bits < limit ? bits : limit);
  constexpr float kShift = 0x1.8p23f;  // adding it rounds to an integer in the low bits
  const float shifted = __builtin_fmaf(x, 0x1.715476p0f, kShift);
  const float n = shifted - kShift;
  // ln 2 in two parts; the first has so few bits that its step is exact. r + r_low is the whole
  // rest.
  const float r_high = __builtin_fmaf(n, -0x1.62ep-1f, x);
  const float r = __builtin_fmaf(n, -0x1.0bfbe8p-15f, r_high);
  const float r_low = __builtin_fmaf(n, -0x1.0bfbe8p-15f, r_high - r);
  float q = 0x1.6db462p-10f;
  q = __builtin_fmaf(q, r, 0x1.123b92p-7f);
  q = __builtin_fmaf(q, r, 0x1.55545ep-5f);
  q = __builtin_fmaf(q, r, 0x1.55548ep-3f);
  q = __builtin_fmaf(q, r, 0x1.000000p-1f);
  const float sum = 1.0f + r;
  const float sum_low = r - (sum - 1.0f);
  const float mantissa = sum + __builtin_fmaf(r * r, q, sum_low + r_low);
  const int32_t whole =
      static_cast<int32_t>(float_bits::FromFloat(shifted) - float_bits::FromFloat(kShift));
  const int32_t half_way = whole >> 1;  // 2^whole may be beyond float's range
  const float result = mantissa * PowerOfTwo(half_way) * PowerOfTwo(whole - half_way);
  return IsNan(value) ? value : result;
}

// ln(value). Zero gives -infinity, a negative number NaN.
ASCENDC_TWIN_INLINE float Logarithm(float value) {
  const uint32_t bits = float_bits::FromFloat(value);
  const bool subnormal = bits < 0x800000u;
  const uint32_t scaled = float_bits::FromFloat(value * (subnormal ? 0x1p23f : 1.0f));
  // value = 2^k * m with m in [sqrt(1/2), sqrt(2)).
  const uint32_t above = scaled - 0x3F3504F3u;
  const int32_t exponent = static_cast<int32_t>(above) >> 23;
  const float m = float_bits::ToFloat((above & 0x7FFFFFu) + 0x3F3504F3u);
  const float k = static_cast<float>(exponent - (subnormal ? 23 : 0));
  // ln m = 2 atanh(s) with s = f / (2 + f), written so that the large terms f and f * f / 2 are
  // added last.
  const float f = m - 1.0f;
  const float s = f / (2.0f + f);
  const float z = s * s;
  float series = 0x1.31e33cp-2f;
  series = __builtin_fmaf(series, z, 0x1.995eb8p-2f);
  series = __builtin_fmaf(series, z, 0x1.55557ap-1f);
  const float half_square = 0.5f * f * f;
  const float small =
      __builtin_fmaf(s, __builtin_fmaf(series, z, half_square), k * 0x1.0bfbe8p-15f);
  const float result = k * 0x1.62ep-1f + (f - (half_square - small));  // the first product is exact
  const bool negative = bits > 0x80000000u && bits <= 0xFF800000u;
  const float special = (bits & 0x7FFFFFFFu) == 0 ? -__builtin_inff()
                        : negative                ? __builtin_nanf("")
                                                  : value;
  return bits - 1u < 0x7F7FFFFFu ? result : special;
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_MATH_H_
