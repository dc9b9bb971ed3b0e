// The vector functions on the [N1] scores of a token and on the weight gradient's sum over the cores, in two floats
// (../../common/arch35/two_float.h). …_row_functions.h has those on rows of the main dtype.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_SCORE_FUNCTIONS_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_SCORE_FUNCTIONS_H

#include "block_attention_residuals_grad_row_functions.h"

namespace BlockAttentionResidualsGradArch35
{

// ---- scores ------------------------------------------------------------------------------------------------------

// The lanes of the mask, 0 elsewhere: what lies beyond N1 in UB is nobody's.
__simd_callee__ inline void LoadScores(FloatReg& dst, __ubuf__ float* src, MaskReg& mask)
{
    LoadWidened<float, false>(dst, src, mask);
}

// Every lane of dst = sum over the lanes of src.
__simd_callee__ inline void SumLanes(FloatReg& dst, FloatReg& src, MaskReg& all)
{
    FloatReg sum;
    AscendC::Reg::Reduce<AscendC::Reg::ReduceType::SUM>(sum, src, all);
    AscendC::Reg::Duplicate(dst, sum, all);
}

// Every lane of (sum, sumLow) = sum_j probs[j] * (g, gLow)[j], row by row: the order that …_batch_functions.h has too,
// so that a token's gradients do not depend on how many others there are.
__simd_callee__ inline void ProbsDot(FloatReg& sum, FloatReg& sumLow, __ubuf__ float* probs, __ubuf__ float* g,
                                     __ubuf__ float* gLow, uint16_t rows, uint16_t lowRows, MaskReg& all)
{
    AscendC::Reg::Duplicate(sum, 0.0f);
    AscendC::Reg::Duplicate(sumLow, 0.0f);
    for (uint16_t i = 0; i < rows; ++i) {
        FloatReg prob;
        FloatReg value;
        LoadBroadcast(prob, probs + i);
        LoadBroadcast(value, g + i);
        AddProduct(sum, sumLow, prob, value, all);
    }
    for (uint16_t i = 0; i < lowRows; ++i) {
        FloatReg prob;
        FloatReg value;
        LoadBroadcast(prob, probs + i);
        LoadBroadcast(value, gLow + i);
        AscendC::Reg::MulAddDst(sumLow, prob, value, all);
    }
}

// c = gs * inv_norm of one register of rows, from their (g, gLow) and the sum of probs * g. `keep` is 1, or 0 for a
// token of one row: its softmax is the constant 1, so gs is 0 (and not finite where g is not).
__simd_callee__ inline void ScaledGradScores(FloatReg& c, FloatReg& cLow, FloatReg& g, FloatReg& gLow, FloatReg& sum,
                                             FloatReg& sumLow, FloatReg& prob, FloatReg& invNorm, float keep,
                                             MaskReg& all)
{
    FloatReg difference;
    FloatReg differenceLow;
    AscendC::Reg::Neg(c, sum, all);
    TwoSum(difference, differenceLow, g, c, all);
    AscendC::Reg::Sub(cLow, gLow, sumLow, all);
    AscendC::Reg::Add(differenceLow, differenceLow, cLow, all);
    AscendC::Reg::Muls(difference, difference, keep, all);
    AscendC::Reg::Muls(differenceLow, differenceLow, keep, all);
    Renormalize(difference, differenceLow, all);
    FloatReg gs;
    FloatReg gsLow;
    TwoProduct(gs, gsLow, difference, differenceLow, prob, all);
    TwoProduct(c, cLow, gs, gsLow, invNorm, all);
    Renormalize(c, cLow, all);
}

// s = -(c * (d * inv_norm)) * inv_norm / H of one register of rows; in this order it stays in range where inv_norm^3
// alone would underflow.
__simd_callee__ inline void VarianceScales(FloatReg& s, FloatReg& sLow, FloatReg& c, FloatReg& cLow, FloatReg& d,
                                           FloatReg& dLow, FloatReg& invNorm, float hidden, MaskReg& all)
{
    FloatReg score;
    FloatReg scoreLow;
    TwoProduct(score, scoreLow, d, dLow, invNorm, all);
    TwoProduct(s, sLow, score, scoreLow, c, all);
    AscendC::Reg::MulAddDst(sLow, score, cLow, all);
    TwoProduct(score, scoreLow, s, sLow, invNorm, all);
    // The quotient's first float, then what is left of the numerator over H.
    FloatReg divisor;
    FloatReg rest;
    AscendC::Reg::Duplicate(divisor, -hidden);
    AscendC::Reg::Div(s, score, divisor, all);
    FmaSub(rest, s, divisor, score, all);
    AscendC::Reg::Sub(rest, scoreLow, rest, all);
    AscendC::Reg::Div(sLow, rest, divisor, all);
    Renormalize(s, sLow, all);
}

// (g, gLow) becomes (c, cLow), and (d, dLow) the variance scale (s, sLow), of the token's `rows` rows. lowRows is
// rows, or 0 where UB has no room for the low parts: they then count as 0 and are not stored.
__simd_vf__ inline void ScoresVf(__ubuf__ float* g, __ubuf__ float* gLow, __ubuf__ float* d, __ubuf__ float* dLow,
                                 __ubuf__ float* probs, __ubuf__ float* invNorm, float hidden, float keep,
                                 uint32_t rows, uint32_t lowRows, uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    FloatReg sum;
    FloatReg sumLow;
    ProbsDot(sum, sumLow, probs, g, gLow, static_cast<uint16_t>(rows), static_cast<uint16_t>(lowRows), all);
    for (uint16_t step = 0; step < steps; ++step) {
        MaskReg mask = AscendC::Reg::UpdateMask<float>(rows);
        MaskReg lowMask = AscendC::Reg::UpdateMask<float>(lowRows);
        const uint32_t at = step * LANES;
        FloatReg prob;
        FloatReg inverse;
        FloatReg value;
        FloatReg valueLow;
        FloatReg c;
        FloatReg cLow;
        LoadScores(prob, probs + at, mask);
        LoadScores(inverse, invNorm + at, mask);
        LoadScores(value, g + at, mask);
        LoadScores(valueLow, gLow + at, lowMask);
        ScaledGradScores(c, cLow, value, valueLow, sum, sumLow, prob, inverse, keep, all);
        AscendC::Reg::StoreAlign(g + at, c, mask);
        AscendC::Reg::StoreAlign(gLow + at, cLow, lowMask);
        FloatReg s;
        FloatReg sLow;
        LoadScores(value, d + at, mask);
        LoadScores(valueLow, dLow + at, lowMask);
        VarianceScales(s, sLow, c, cLow, value, valueLow, inverse, hidden, all);
        AscendC::Reg::StoreAlign(d + at, s, mask);
        AscendC::Reg::StoreAlign(dLow + at, sLow, lowMask);
    }
}

// (sum, sumLow) = the sum of `pairs` arrays of `rows` values in two floats, pitch elements apart, in their order.
__simd_vf__ inline void SumPairsVf(__ubuf__ float* sum, __ubuf__ float* sumLow, __ubuf__ float* high,
                                   __ubuf__ float* low, uint32_t pitch, uint16_t pairs, uint32_t rows, uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    for (uint16_t step = 0; step < steps; ++step) {
        MaskReg mask = AscendC::Reg::UpdateMask<float>(rows);
        FloatReg sumReg;
        FloatReg lowReg;
        AscendC::Reg::Duplicate(sumReg, 0.0f);
        AscendC::Reg::Duplicate(lowReg, 0.0f);
        for (uint16_t i = 0; i < pairs; ++i) {
            const uint32_t at = i * pitch + step * LANES;
            FloatReg highReg;
            FloatReg termLow;
            FloatReg next;
            FloatReg rest;
            LoadScores(highReg, high + at, mask);
            LoadScores(termLow, low + at, mask);
            TwoSum(next, rest, sumReg, highReg, all);
            AscendC::Reg::Add(lowReg, lowReg, rest, all);
            AscendC::Reg::Add(lowReg, lowReg, termLow, all);
            AscendC::Reg::Move(sumReg, next);
        }
        AscendC::Reg::StoreAlign(sum + step * LANES, sumReg, mask);
        AscendC::Reg::StoreAlign(sumLow + step * LANES, lowReg, mask);
    }
}

// ---- float32 rows: the weight gradient ---------------------------------------------------------------------------

// Tokens whose terms the weight gradient's sum takes in one direction before it may come near its bias: sums of terms
// of either sign stay far below for any number of tokens that a core has.
constexpr float WEIGHT_SUM_HEADROOM = 64.0f;

// bound[0] = the larger of bound[0] and of sum_i |c[i]| / |inv_norm[i]|: the size of a token's terms c * V, since
// 1 / inv_norm is the root mean square of V.
__simd_vf__ inline void WeightTermBoundVf(__ubuf__ float* bound, __ubuf__ float* c, __ubuf__ float* invNorm,
                                          uint32_t rows, uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    FloatReg sum;
    FloatReg before;
    AscendC::Reg::Duplicate(sum, 0.0f);
    for (uint16_t step = 0; step < steps; ++step) {
        MaskReg mask = AscendC::Reg::UpdateMask<float>(rows);
        FloatReg term;
        FloatReg inverse;
        LoadScores(term, c + step * LANES, mask);
        AscendC::Reg::LoadAlign(inverse, invNorm + step * LANES);
        AscendC::Reg::Div(term, term, inverse, mask);
        AscendC::Reg::Abs(term, term, mask);
        AscendC::Reg::Add(sum, sum, term, all);
    }
    SumLanes(sum, sum, all);
    LoadBroadcast(before, bound);
    AscendC::Reg::Max(sum, sum, before, all);
    AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(bound, sum, all);
}

// weightSum = the bias of a sum whose terms of one token are about bound[0], weightSumLow = 0; bound[0] becomes the
// bias. Where later terms are much larger the sum is merely less exact.
__simd_vf__ inline void WeightSumBiasVf(__ubuf__ float* weightSum, __ubuf__ float* weightSumLow, __ubuf__ float* bias,
                                        __ubuf__ float* bound, uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    FloatReg size;
    FloatReg biasReg;
    FloatReg zero;
    LoadBroadcast(size, bound);
    AscendC::Reg::Muls(size, size, WEIGHT_SUM_HEADROOM, all);
    SumBias(biasReg, size, all);
    AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(bias, biasReg, all);
    AscendC::Reg::Duplicate(zero, 0.0f);
    for (uint16_t step = 0; step < steps; ++step) {
        AscendC::Reg::StoreAlign(weightSum + step * LANES, biasReg, all);
        AscendC::Reg::StoreAlign(weightSumLow + step * LANES, zero, all);
    }
}

// dst = 0 for `steps` registers.
__simd_vf__ inline void ClearVf(__ubuf__ float* dst, uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    FloatReg zero;
    AscendC::Reg::Duplicate(zero, 0.0f);
    for (uint16_t step = 0; step < steps; ++step) {
        AscendC::Reg::StoreAlign(dst + step * LANES, zero, all);
    }
}

// (sum, low) -= bias[0], as the pair in which |low| is at most half a unit in the last place of sum.
__simd_vf__ inline void RemoveBiasVf(__ubuf__ float* sum, __ubuf__ float* low, __ubuf__ float* bias, uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    FloatReg biasReg;
    LoadBroadcast(biasReg, bias);
    AscendC::Reg::Neg(biasReg, biasReg, all);
    for (uint16_t step = 0; step < steps; ++step) {
        FloatReg sumReg;
        FloatReg lowReg;
        FloatReg difference;
        FloatReg rest;
        AscendC::Reg::LoadAlign(sumReg, sum + step * LANES);
        AscendC::Reg::LoadAlign(lowReg, low + step * LANES);
        TwoSum(difference, rest, sumReg, biasReg, all);
        AscendC::Reg::Add(lowReg, lowReg, rest, all);
        Renormalize(difference, lowReg, all);
        AscendC::Reg::StoreAlign(sum + step * LANES, difference, all);
        AscendC::Reg::StoreAlign(low + step * LANES, lowReg, all);
    }
}

// (sum, low) += each of `terms` rows, termPitch elements apart, in their order.
__simd_vf__ inline void AddTermsVf(__ubuf__ float* sum, __ubuf__ float* low, __ubuf__ float* term, uint32_t termPitch,
                                   uint16_t terms, uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    for (uint16_t step = 0; step < steps; ++step) {
        FloatReg sumReg;
        FloatReg lowReg;
        AscendC::Reg::LoadAlign(sumReg, sum + step * LANES);
        AscendC::Reg::LoadAlign(lowReg, low + step * LANES);
        for (uint16_t i = 0; i < terms; ++i) {
            FloatReg termReg;
            FloatReg next;
            FloatReg rest;
            AscendC::Reg::LoadAlign(termReg, term + i * termPitch + step * LANES);
            TwoSum(next, rest, sumReg, termReg, all);
            AscendC::Reg::Add(lowReg, lowReg, rest, all);
            AscendC::Reg::Move(sumReg, next);
        }
        AscendC::Reg::StoreAlign(sum + step * LANES, sumReg, all);
        AscendC::Reg::StoreAlign(low + step * LANES, lowReg, all);
    }
}

// dst = (sum, low) * weight, rounded once to T. dst may be weight.
template <typename T>
__simd_vf__ inline void WeightGradientVf(__ubuf__ T* dst, __ubuf__ float* sum, __ubuf__ float* low, __ubuf__ T* weight,
                                         uint32_t count, uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    for (uint16_t step = 0; step < steps; ++step) {
        MaskReg mask = AscendC::Reg::UpdateMask<float>(count);
        FloatReg sumReg;
        FloatReg lowReg;
        FloatReg weightReg;
        FloatReg product;
        FloatReg productLow;
        AscendC::Reg::LoadAlign(sumReg, sum + step * LANES);
        AscendC::Reg::LoadAlign(lowReg, low + step * LANES);
        LoadWidened<T, false>(weightReg, weight + step * LANES, mask);
        Renormalize(sumReg, lowReg, all);
        TwoProduct(product, productLow, sumReg, lowReg, weightReg, all);
        AscendC::Reg::Add(product, product, productLow, all);
        StoreNarrowed<T>(dst + step * LANES, product, mask);
    }
}

}  // namespace BlockAttentionResidualsGradArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_SCORE_FUNCTIONS_H
