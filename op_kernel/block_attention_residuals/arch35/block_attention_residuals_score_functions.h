// The vector functions between the sums over rows and their mix: inv_norm, scores and softmax, in two floats. A lane is
// a token of the batch and a register a value row, so that a token's results do not depend on how many others there
// are. …_row_functions.h has those on rows of the main dtype.

#ifndef BLOCK_ATTENTION_RESIDUALS_ARCH35_SCORE_FUNCTIONS_H
#define BLOCK_ATTENTION_RESIDUALS_ARCH35_SCORE_FUNCTIONS_H

#include "block_attention_residuals_row_functions.h"

namespace BlockAttentionResidualsArch35
{

using KernelCommonArch35::Fma;
using KernelCommonArch35::Renormalize;

constexpr float INFINITY_FLOAT = __builtin_inff();
// 1.5 * 2^9: sums of up to 129 values of at most 1 keep their exponent above it, see SumBias.
constexpr float SOFTMAX_BIAS = 768.0f;

// The lanes of the mask, 0 elsewhere: what lies beyond the tokens in UB is nobody's.
__simd_callee__ inline void LoadLanes(FloatReg& dst, __ubuf__ float* src, MaskReg& mask)
{
    LoadWidened<float, false>(dst, src, mask);
}

// low becomes 0 where high is infinite or NaN: the sum of both is then high.
__simd_callee__ inline void DropLowOfNonFinite(FloatReg& low, FloatReg& high, MaskReg& all)
{
    FloatReg size;
    FloatReg zero;
    MaskReg finite;
    AscendC::Reg::Abs(size, high, all);
    AscendC::Reg::Duplicate(zero, 0.0f);
    AscendC::Reg::Compares<float, AscendC::CMPMODE::LT>(finite, size, INFINITY_FLOAT, all);
    AscendC::Reg::Select(low, low, zero, finite);
}

// (mean, meanLow) = (squares, squaresLow) / H + eps. The quotient is the product with the rounded 1 / H, put right by
// what it leaves of the sum.
__simd_callee__ inline void MeanSquare(FloatReg& mean, FloatReg& meanLow, FloatReg& squares, FloatReg& squaresLow,
                                       float hidden, float inverseHidden, float eps, MaskReg& all)
{
    FloatReg quotient;
    FloatReg rest;
    FloatReg constant;
    AscendC::Reg::Muls(quotient, squares, inverseHidden, all);
    AscendC::Reg::Duplicate(constant, -hidden);
    Fma(rest, quotient, constant, squares, all);
    AscendC::Reg::Add(rest, rest, squaresLow, all);
    AscendC::Reg::Muls(rest, rest, inverseHidden, all);
    AscendC::Reg::Duplicate(constant, eps);
    TwoSum(mean, meanLow, quotient, constant, all);
    AscendC::Reg::Add(meanLow, meanLow, rest, all);
}

// (inverse, inverseLow) = 1 / sqrt(mean + meanLow): the quotient of instructions, then one step of Newton's method with
// 1 - mean * inverse^2 to its last bit. An infinite mean gives 0.
__simd_callee__ inline void InverseRoot(FloatReg& inverse, FloatReg& inverseLow, FloatReg& mean, FloatReg& meanLow,
                                        MaskReg& all)
{
    FloatReg one;
    FloatReg first;
    FloatReg negative;
    FloatReg product;
    FloatReg productLow;
    FloatReg error;
    AscendC::Reg::Duplicate(one, 1.0f);
    AscendC::Reg::Sqrt(first, mean, all);
    AscendC::Reg::Div(first, one, first, all);
    AscendC::Reg::Neg(negative, first, all);
    AscendC::Reg::Mul(product, mean, first, all);
    FmaSub(productLow, mean, first, product, all);
    AscendC::Reg::MulAddDst(productLow, meanLow, first, all);
    Fma(error, product, negative, one, all);
    AscendC::Reg::MulAddDst(error, productLow, negative, all);
    AscendC::Reg::Mul(error, error, first, all);
    AscendC::Reg::Muls(error, error, 0.5f, all);
    DropLowOfNonFinite(error, mean, all);
    AscendC::Reg::Add(inverse, first, error, all);
    AscendC::Reg::Sub(inverseLow, first, inverse, all);
    AscendC::Reg::Add(inverseLow, inverseLow, error, all);
}

// (score, scoreLow) = (inverse, inverseLow) * (dot, dotLow), with a low part so small that the exponential takes it as
// a factor 1 + scoreLow: that of the dot product is not.
__simd_callee__ inline void Score(FloatReg& score, FloatReg& scoreLow, FloatReg& inverse, FloatReg& inverseLow,
                                  FloatReg& dot, FloatReg& dotLow, MaskReg& all)
{
    AscendC::Reg::Mul(score, dot, inverse, all);
    FmaSub(scoreLow, dot, inverse, score, all);
    AscendC::Reg::MulAddDst(scoreLow, dotLow, inverse, all);
    AscendC::Reg::MulAddDst(scoreLow, dot, inverseLow, all);
    Renormalize(score, scoreLow, all);
    DropLowOfNonFinite(scoreLow, score, all);
}

// squares becomes inv_norm, (dot, dotLow) the score, and the first row of squaresLow the largest score. Rows lie
// `pitch` floats apart.
__simd_vf__ inline void ScoresVf(__ubuf__ float* squares, __ubuf__ float* squaresLow, __ubuf__ float* dot,
                                 __ubuf__ float* dotLow, uint32_t pitch, float hidden, float inverseHidden, float eps,
                                 uint32_t tokens, uint16_t rows)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg mask = AscendC::Reg::UpdateMask<float>(tokens);
    FloatReg largest;
    AscendC::Reg::Duplicate(largest, -INFINITY_FLOAT);
    for (uint16_t i = 0; i < rows; ++i) {
        const uint32_t at = i * pitch;
        FloatReg sum;
        FloatReg sumLow;
        FloatReg mean;
        FloatReg meanLow;
        FloatReg inverse;
        FloatReg inverseLow;
        FloatReg score;
        FloatReg scoreLow;
        LoadLanes(sum, squares + at, mask);
        LoadLanes(sumLow, squaresLow + at, mask);
        MeanSquare(mean, meanLow, sum, sumLow, hidden, inverseHidden, eps, all);
        InverseRoot(inverse, inverseLow, mean, meanLow, all);
        LoadLanes(sum, dot + at, mask);
        LoadLanes(sumLow, dotLow + at, mask);
        Score(score, scoreLow, inverse, inverseLow, sum, sumLow, all);
        AscendC::Reg::Max(largest, largest, score, all);
        AscendC::Reg::StoreAlign(squares + at, inverse, mask);
        AscendC::Reg::StoreAlign(dot + at, score, mask);
        AscendC::Reg::StoreAlign(dotLow + at, scoreLow, mask);
    }
    AscendC::Reg::StoreAlign(squaresLow, largest, mask);
}

// One row's term of the softmax: (e, eLow) = exp((score, scoreLow) - largest).
__simd_callee__ inline void SoftmaxTerm(FloatReg& e, FloatReg& eLow, FloatReg& score, FloatReg& scoreLow,
                                        FloatReg& negativeLargest, MaskReg& all)
{
    FloatReg difference;
    FloatReg differenceLow;
    TwoSum(difference, differenceLow, score, negativeLargest, all);
    AscendC::Reg::Add(differenceLow, differenceLow, scoreLow, all);
    DropLowOfNonFinite(differenceLow, difference, all);
    AscendC::Reg::Exp(e, difference, all);
    AscendC::Reg::Mul(eLow, e, differenceLow, all);
}

// What the terms of a softmax are divided by: the sum of all, in two floats with the sign changed, and 1 over it.
struct Divisor {
    FloatReg negative;
    FloatReg negativeLow;
    FloatReg inverse;
};

// (prob, probLow) = (e, eLow) / the sum: the product with the rounded inverse, put right by what it leaves of e.
__simd_callee__ inline void Quotient(FloatReg& prob, FloatReg& probLow, FloatReg& e, FloatReg& eLow, Divisor& divisor,
                                     MaskReg& all)
{
    FloatReg first;
    FloatReg rest;
    AscendC::Reg::Mul(first, e, divisor.inverse, all);
    Fma(rest, first, divisor.negative, e, all);
    AscendC::Reg::Add(rest, rest, eLow, all);
    AscendC::Reg::MulAddDst(rest, first, divisor.negativeLow, all);
    AscendC::Reg::Mul(rest, rest, divisor.inverse, all);
    AscendC::Reg::Add(prob, first, rest, all);
    AscendC::Reg::Sub(probLow, first, prob, all);
    AscendC::Reg::Add(probLow, probLow, rest, all);
}

// The bias of a token's mix: shares add up to 1, so no element of the mix is larger than the largest of V, and that is
// at most sqrt(sum(V^2)) < sqrt(H) / inv_norm.
__simd_callee__ inline void MixBias(FloatReg& bias, FloatReg& smallestInvNorm, float hidden, MaskReg& all)
{
    FloatReg bound;
    AscendC::Reg::Duplicate(bound, hidden);
    AscendC::Reg::Sqrt(bound, bound, all);
    AscendC::Reg::Div(bound, bound, smallestInvNorm, all);
    SumBias(bias, bound, all);
}

// (score, scoreLow) becomes (probs, probsLow): the softmax over the rows; `largest`, the largest score, becomes the
// bias of the mix.
__simd_vf__ inline void SoftmaxVf(__ubuf__ float* score, __ubuf__ float* scoreLow, __ubuf__ float* largest,
                                  __ubuf__ float* invNorm, uint32_t pitch, float hidden, uint32_t tokens, uint16_t rows)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg mask = AscendC::Reg::UpdateMask<float>(tokens);
    FloatReg negativeLargest;
    FloatReg bias;
    FloatReg sum;
    FloatReg sumLow;
    FloatReg smallestInvNorm;
    AscendC::Reg::Duplicate(smallestInvNorm, INFINITY_FLOAT);
    LoadLanes(negativeLargest, largest, mask);
    AscendC::Reg::Neg(negativeLargest, negativeLargest, all);
    AscendC::Reg::Duplicate(bias, SOFTMAX_BIAS);
    AscendC::Reg::Duplicate(sum, 0.0f);
    AscendC::Reg::Duplicate(sumLow, 0.0f);
    for (uint16_t i = 0; i < rows; ++i) {
        FloatReg value;
        FloatReg valueLow;
        FloatReg e;
        FloatReg eLow;
        LoadLanes(value, invNorm + i * pitch, mask);
        AscendC::Reg::Min(smallestInvNorm, smallestInvNorm, value, all);
        LoadLanes(value, score + i * pitch, mask);
        LoadLanes(valueLow, scoreLow + i * pitch, mask);
        SoftmaxTerm(e, eLow, value, valueLow, negativeLargest, all);
        AscendC::Reg::StoreAlign(score + i * pitch, e, mask);
        AscendC::Reg::StoreAlign(scoreLow + i * pitch, eLow, mask);
        // The part of e that the sum takes exactly, and what is left.
        AscendC::Reg::Add(value, e, bias, all);
        AscendC::Reg::Sub(value, value, bias, all);
        AscendC::Reg::Sub(valueLow, e, value, all);
        AscendC::Reg::Add(sum, sum, value, all);
        AscendC::Reg::Add(sumLow, sumLow, valueLow, all);
        AscendC::Reg::Add(sumLow, sumLow, eLow, all);
    }
    Renormalize(sum, sumLow, all);
    MixBias(bias, smallestInvNorm, hidden, all);
    AscendC::Reg::StoreAlign(largest, bias, mask);
    Divisor divisor;
    AscendC::Reg::Neg(divisor.negative, sum, all);
    AscendC::Reg::Neg(divisor.negativeLow, sumLow, all);
    AscendC::Reg::Duplicate(divisor.inverse, 1.0f);
    AscendC::Reg::Div(divisor.inverse, divisor.inverse, sum, all);
    // The second loop loads what the first one stored, and replaces it.
    AscendC::Reg::LocalMemBar<AscendC::Reg::MemType::VEC_STORE, AscendC::Reg::MemType::VEC_LOAD>();
    AscendC::Reg::LocalMemBar<AscendC::Reg::MemType::VEC_STORE, AscendC::Reg::MemType::VEC_STORE>();
    for (uint16_t i = 0; i < rows; ++i) {
        FloatReg e;
        FloatReg eLow;
        FloatReg prob;
        FloatReg probLow;
        LoadLanes(e, score + i * pitch, mask);
        LoadLanes(eLow, scoreLow + i * pitch, mask);
        Quotient(prob, probLow, e, eLow, divisor, all);
        AscendC::Reg::StoreAlign(score + i * pitch, prob, mask);
        AscendC::Reg::StoreAlign(scoreLow + i * pitch, probLow, mask);
    }
}

// From row by row to token by token: dst[t * rows + i] = src[i * pitch + t], for two arrays.
__simd_vf__ inline void ByTokensVf(__ubuf__ float* invNorm, __ubuf__ float* probs, __ubuf__ float* invNormRows,
                                   __ubuf__ float* probsRows, uint32_t pitch, uint16_t tokens, uint16_t rows)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    for (uint16_t t = 0; t < tokens; ++t) {
        for (uint16_t i = 0; i < rows; ++i) {
            FloatReg value;
            LoadBroadcast(value, invNormRows + i * pitch + t);
            AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(invNorm + t * rows + i,
                                                                                             value, all);
            LoadBroadcast(value, probsRows + i * pitch + t);
            AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(probs + t * rows + i,
                                                                                             value, all);
        }
    }
}

}  // namespace BlockAttentionResidualsArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_ARCH35_SCORE_FUNCTIONS_H
