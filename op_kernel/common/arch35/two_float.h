// Arithmetic on pairs of float32 registers: a value is high + low, with |low| far below |high|. Every identity rests on
// the fused multiply-add of the register unit, which gives the rounding error of a product exactly.
// Sources: T. J. Dekker, Numer. Math. 18 (1971), FastTwoSum; D. E. Knuth, TAOCP vol. 2, 4.2.2, TwoSum;
// T. Ogita, S. M. Rump, S. Oishi, SIAM J. Sci. Comput. 26 (2005), sums and dot products in two floats.
// The vector functions of all operators (NAME/arch35/) use them.

#ifndef OP_KERNEL_COMMON_ARCH35_TWO_FLOAT_H
#define OP_KERNEL_COMMON_ARCH35_TWO_FLOAT_H

#include "kernel_operator.h"

namespace KernelCommonArch35
{

using FloatReg = AscendC::Reg::RegTensor<float>;
using AscendC::Reg::MaskReg;

// dst = a * b + addend, rounded once. dst is none of a and b.
__simd_callee__ inline void Fma(FloatReg& dst, FloatReg& a, FloatReg& b, FloatReg& addend, MaskReg& mask)
{
    AscendC::Reg::Move(dst, addend);
    AscendC::Reg::MulAddDst(dst, a, b, mask);
}

// dst = a * b - subtrahend, rounded once. dst is none of a and b.
__simd_callee__ inline void FmaSub(FloatReg& dst, FloatReg& a, FloatReg& b, FloatReg& subtrahend, MaskReg& mask)
{
    AscendC::Reg::Neg(dst, subtrahend, mask);
    AscendC::Reg::MulAddDst(dst, a, b, mask);
}

// (high, low) = a + b exactly: Knuth's TwoSum, for any order of magnitudes. high and low are none of a and b.
__simd_callee__ inline void TwoSum(FloatReg& high, FloatReg& low, FloatReg& a, FloatReg& b, MaskReg& mask)
{
    FloatReg bPart;
    FloatReg aPart;
    AscendC::Reg::Add(high, a, b, mask);
    AscendC::Reg::Sub(bPart, high, a, mask);
    AscendC::Reg::Sub(aPart, high, bPart, mask);
    AscendC::Reg::Sub(aPart, a, aPart, mask);
    AscendC::Reg::Sub(bPart, b, bPart, mask);
    AscendC::Reg::Add(low, aPart, bPart, mask);
}

// (high, low) becomes the same value with |low| at most half a unit in the last place of high.
__simd_callee__ inline void Renormalize(FloatReg& high, FloatReg& low, MaskReg& mask)
{
    FloatReg sum;
    FloatReg rest;
    TwoSum(sum, rest, high, low, mask);
    AscendC::Reg::Move(high, sum);
    AscendC::Reg::Move(low, rest);
}

// (high, low) = (a, aLow) * b, not renormalized: the error is that of low alone. high and low are none of the others.
__simd_callee__ inline void TwoProduct(FloatReg& high, FloatReg& low, FloatReg& a, FloatReg& aLow, FloatReg& b,
                                       MaskReg& mask)
{
    AscendC::Reg::Mul(high, a, b, mask);
    FmaSub(low, a, b, high, mask);
    AscendC::Reg::MulAddDst(low, aLow, b, mask);
}

// (sum, low) += a * b. Exact but for the rounding of low, whatever the magnitudes.
__simd_callee__ inline void AddProduct(FloatReg& sum, FloatReg& low, FloatReg& a, FloatReg& b, MaskReg& mask)
{
    FloatReg product;
    FloatReg next;
    FloatReg productPart;
    FloatReg sumPart;
    AscendC::Reg::Mul(product, a, b, mask);
    AscendC::Reg::Add(next, sum, product, mask);
    AscendC::Reg::Sub(productPart, next, sum, mask);
    AscendC::Reg::Sub(sumPart, next, productPart, mask);
    AscendC::Reg::Sub(sumPart, sum, sumPart, mask);
    // What TwoSum leaves of the product and what rounding the product lost, in one.
    FmaSub(product, a, b, productPart, mask);
    AscendC::Reg::Add(low, low, sumPart, mask);
    AscendC::Reg::Add(low, low, product, mask);
    AscendC::Reg::Move(sum, next);
}

// The same at half the cost, Precondition: |sum| >= |a * b| throughout, which a bias in sum provides (see SumBias).
__simd_callee__ inline void AddProductBiased(FloatReg& sum, FloatReg& low, FloatReg& a, FloatReg& b, MaskReg& mask)
{
    FloatReg next;
    FloatReg part;
    FloatReg rest;
    Fma(next, a, b, sum, mask);
    AscendC::Reg::Sub(part, next, sum, mask);
    FmaSub(rest, a, b, part, mask);
    AscendC::Reg::Add(low, low, rest, mask);
    AscendC::Reg::Move(sum, next);
}

// bias = 1.5 * 2^k with 2^(k-1) > bound: float32 sums that start at bias and move by at most bound keep their exponent,
// so all of them are multiples of one power of two, and sums of up to bound of their differences to bias are exact. 0
// where the bound is 0, not finite or near the end of the range: sums are then merely less exact.
__simd_callee__ inline void SumBias(FloatReg& bias, FloatReg& bound, MaskReg& mask)
{
    constexpr uint32_t EXPONENT_BITS = 0x7F800000;
    constexpr float LARGEST_BOUND = 1.0e37f;
    AscendC::Reg::RegTensor<uint32_t> exponent;
    FloatReg zero;
    MaskReg usable;
    AscendC::Reg::Duplicate(exponent, EXPONENT_BITS);
    AscendC::Reg::And(exponent, exponent, (AscendC::Reg::RegTensor<uint32_t>&)bound, mask);
    AscendC::Reg::Muls(bias, (FloatReg&)exponent, 6.0f, mask);
    AscendC::Reg::Compares<float, AscendC::CMPMODE::LT>(usable, bound, LARGEST_BOUND, mask);
    AscendC::Reg::Duplicate(zero, 0.0f);
    AscendC::Reg::Select(bias, bias, zero, usable);
}

}  // namespace KernelCommonArch35

#endif  // OP_KERNEL_COMMON_ARCH35_TWO_FLOAT_H
