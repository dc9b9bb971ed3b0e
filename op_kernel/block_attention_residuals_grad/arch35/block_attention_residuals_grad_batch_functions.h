// The vector functions on batches of tokens with short rows. The scores of a batch lie by rows, score[i * LANES + t]
// for row i of token t, so that a register holds one row of every token and no sum crosses lanes. Each token's
// arithmetic is that of …_row_functions.h and …_score_functions.h, step by step: its gradients are the same bits either
// way.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_BATCH_FUNCTIONS_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_BATCH_FUNCTIONS_H

#include "block_attention_residuals_grad_score_functions.h"

namespace BlockAttentionResidualsGradArch35
{

// The index of each token's first score in an array that lies by tokens, [t * rows + i].
// Those of row i are i more: a Gather has no base that is not aligned to 32 bytes.
__simd_callee__ inline void FirstScores(AscendC::Reg::RegTensor<uint32_t>& tokens, uint32_t rows, MaskReg& all)
{
    AscendC::Reg::RegTensor<int32_t> lane;
    AscendC::Reg::Arange(lane, 0);
    AscendC::Reg::Muls(tokens, (AscendC::Reg::RegTensor<uint32_t>&)lane, rows, all);
}

// dst[t] = row t of src as float32, rows of dst dstPitch apart; squareSums[t] = sum of its squares.
template <typename T>
__simd_vf__ inline void BatchWidenVf(__ubuf__ float* dst, uint32_t dstPitch, __ubuf__ float* squareSums,
                                     __ubuf__ T* src, uint32_t pitch, uint16_t tokens, uint16_t fullSteps,
                                     uint16_t tailSteps, uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    for (uint16_t t = 0; t < tokens; ++t) {
        WidenRow<T>(dst + t * dstPitch, squareSums + t, src + t * pitch, fullSteps, tailSteps, tail, all);
    }
}

// g and d = the biases for the sums of every row.
__simd_vf__ inline void BatchBiasesVf(__ubuf__ float* g, __ubuf__ float* d, __ubuf__ float* gradHiddenSquares,
                                      __ubuf__ float* weightSquares, __ubuf__ float* invNorm, float hidden,
                                      uint32_t rows, uint32_t tokens)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg mask = AscendC::Reg::UpdateMask<float>(tokens);
    AscendC::Reg::RegTensor<uint32_t> first;
    AscendC::Reg::RegTensor<uint32_t> scores;
    FloatReg gradHidden;
    FloatReg weight;
    FirstScores(first, rows, all);
    AscendC::Reg::LoadAlign(gradHidden, gradHiddenSquares);
    LoadBroadcast(weight, weightSquares);
    for (uint16_t i = 0; i < static_cast<uint16_t>(rows); ++i) {
        FloatReg inverse;
        FloatReg gReg;
        FloatReg dReg;
        AscendC::Reg::Adds(scores, first, static_cast<uint32_t>(i), all);
        AscendC::Reg::Gather(inverse, invNorm, scores, mask);
        RowSumBiases(gReg, dReg, gradHidden, weight, inverse, hidden, all);
        AscendC::Reg::StoreAlign(g + i * LANES, gReg, all);
        AscendC::Reg::StoreAlign(d + i * LANES, dReg, all);
    }
}

// g and d of the first `rows` rows of each token, which lie one after the other.
template <typename T>
__simd_vf__ inline void BatchDotsVf(__ubuf__ float* g, __ubuf__ float* gLow, __ubuf__ float* d, __ubuf__ float* dLow,
                                    __ubuf__ T* row, uint32_t pitch, __ubuf__ float* gradHidden,
                                    uint32_t gradHiddenPitch, __ubuf__ float* weight, __ubuf__ float* weightLow,
                                    uint16_t tokens, uint16_t rows, uint16_t fullSteps, uint16_t tailSteps,
                                    uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    for (uint16_t t = 0; t < tokens; ++t) {
        for (uint16_t i = 0; i < rows; ++i) {
            const uint32_t at = i * LANES + t;
            FloatReg gBias;
            FloatReg dBias;
            LoadBroadcast(gBias, g + at);
            LoadBroadcast(dBias, d + at);
            DotRow<T, false>(g + at, gLow + at, d + at, dLow + at, gBias, dBias, row + (t * rows + i) * pitch,
                             gradHidden + t * gradHiddenPitch, weight, weightLow, fullSteps, tailSteps, tail, all);
        }
    }
}

// (g, gLow) becomes (c, cLow), and (d, dLow) the variance scale (s, sLow), of all tokens; see ScoresVf.
__simd_vf__ inline void BatchScoresVf(__ubuf__ float* g, __ubuf__ float* gLow, __ubuf__ float* d, __ubuf__ float* dLow,
                                      __ubuf__ float* probs, __ubuf__ float* invNorm, float hidden, float keep,
                                      uint32_t rows, uint32_t tokens)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg mask = AscendC::Reg::UpdateMask<float>(tokens);
    AscendC::Reg::RegTensor<uint32_t> first;
    AscendC::Reg::RegTensor<uint32_t> scores;
    FirstScores(first, rows, all);
    FloatReg sum;
    FloatReg sumLow;
    AscendC::Reg::Duplicate(sum, 0.0f);
    AscendC::Reg::Duplicate(sumLow, 0.0f);
    for (uint16_t i = 0; i < static_cast<uint16_t>(rows); ++i) {
        FloatReg prob;
        FloatReg value;
        AscendC::Reg::Adds(scores, first, static_cast<uint32_t>(i), all);
        AscendC::Reg::Gather(prob, probs, scores, mask);
        AscendC::Reg::LoadAlign(value, g + i * LANES);
        AddProduct(sum, sumLow, prob, value, all);
    }
    for (uint16_t i = 0; i < static_cast<uint16_t>(rows); ++i) {
        FloatReg prob;
        FloatReg value;
        AscendC::Reg::Adds(scores, first, static_cast<uint32_t>(i), all);
        AscendC::Reg::Gather(prob, probs, scores, mask);
        AscendC::Reg::LoadAlign(value, gLow + i * LANES);
        AscendC::Reg::MulAddDst(sumLow, prob, value, all);
    }
    for (uint16_t i = 0; i < static_cast<uint16_t>(rows); ++i) {
        const uint32_t at = i * LANES;
        FloatReg prob;
        FloatReg inverse;
        FloatReg value;
        FloatReg valueLow;
        FloatReg c;
        FloatReg cLow;
        AscendC::Reg::Adds(scores, first, static_cast<uint32_t>(i), all);
        AscendC::Reg::Gather(prob, probs, scores, mask);
        AscendC::Reg::Gather(inverse, invNorm, scores, mask);
        AscendC::Reg::LoadAlign(value, g + at);
        AscendC::Reg::LoadAlign(valueLow, gLow + at);
        ScaledGradScores(c, cLow, value, valueLow, sum, sumLow, prob, inverse, keep, all);
        AscendC::Reg::StoreAlign(g + at, c, all);
        AscendC::Reg::StoreAlign(gLow + at, cLow, all);
        FloatReg s;
        FloatReg sLow;
        AscendC::Reg::LoadAlign(value, d + at);
        AscendC::Reg::LoadAlign(valueLow, dLow + at);
        VarianceScales(s, sLow, c, cLow, value, valueLow, inverse, hidden, all);
        AscendC::Reg::StoreAlign(d + at, s, all);
        AscendC::Reg::StoreAlign(dLow + at, sLow, all);
    }
}

// bound[0] = the larger of bound[0] and of what WeightTermBoundVf finds for each token.
__simd_vf__ inline void BatchWeightTermBoundVf(__ubuf__ float* bound, __ubuf__ float* c, __ubuf__ float* invNorm,
                                               uint32_t rows, uint32_t tokens)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg mask = AscendC::Reg::UpdateMask<float>(tokens);
    AscendC::Reg::RegTensor<uint32_t> first;
    AscendC::Reg::RegTensor<uint32_t> scores;
    FloatReg sum;
    FloatReg before;
    FirstScores(first, rows, all);
    AscendC::Reg::Duplicate(sum, 0.0f);
    for (uint16_t i = 0; i < static_cast<uint16_t>(rows); ++i) {
        FloatReg term;
        FloatReg inverse;
        AscendC::Reg::LoadAlign(term, c + i * LANES);
        AscendC::Reg::Adds(scores, first, static_cast<uint32_t>(i), all);
        AscendC::Reg::Gather(inverse, invNorm, scores, mask);
        AscendC::Reg::Div(term, term, inverse, mask);
        AscendC::Reg::Abs(term, term, mask);
        AscendC::Reg::Add(sum, sum, term, all);
    }
    AscendC::Reg::Reduce<AscendC::Reg::ReduceType::MAX>(sum, sum, mask);
    LoadBroadcast(before, bound);
    AscendC::Reg::Max(sum, sum, before, all);
    AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(bound, sum, all);
}

// One register of H of all tokens.
template <typename T, bool WHOLE>
__simd_callee__ inline void BatchGradientColumn(__ubuf__ T* row, uint32_t pitch, const RowFactorsPlace& place,
                                                uint32_t probTokenStride, __ubuf__ float* gradHidden,
                                                uint32_t gradHiddenPitch, Column& column, uint16_t tokens,
                                                uint16_t rows, MaskReg& mask, MaskReg& all)
{
    for (uint16_t t = 0; t < tokens; ++t) {
        const RowFactorsPlace tokenPlace = {place.prob + t * probTokenStride,
                                            place.c + t,
                                            place.cLow + t,
                                            place.s + t,
                                            place.sLow + t,
                                            place.probStride,
                                            place.stride,
                                            place.cLowStride,
                                            place.sLowStride};
        AscendC::Reg::LoadAlign(column.gradHidden, gradHidden + t * gradHiddenPitch);
        GradientColumn<T, WHOLE>(row + t * rows * pitch, pitch, tokenPlace, column, rows, mask, all);
    }
}

// The first `rows` rows of each token, which lie one after the other, become their gradients; see GradientsVf.
template <typename T>
__simd_vf__ inline void BatchGradientsVf(__ubuf__ T* row, uint32_t pitch, __ubuf__ float* probs,
                                         uint32_t probTokenStride, __ubuf__ float* c, __ubuf__ float* cLow,
                                         __ubuf__ float* s, __ubuf__ float* sLow, __ubuf__ float* gradHidden,
                                         uint32_t gradHiddenPitch, __ubuf__ float* weight, __ubuf__ float* weightLow,
                                         __ubuf__ float* weightSum, __ubuf__ float* weightSumLow, uint16_t tokens,
                                         uint16_t rows, uint16_t fullSteps, uint16_t tailSteps, uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    const RowFactorsPlace place = {probs, c, cLow, s, sLow, 1, LANES, LANES, LANES};
    for (uint16_t step = 0; step < fullSteps; ++step) {
        const uint32_t at = step * LANES;
        Column column;
        LoadColumn<T>(column, weight + at, weightLow + at, weightSum + at, weightSumLow + at);
        BatchGradientColumn<T, true>(row + at, pitch, place, probTokenStride, gradHidden + at, gradHiddenPitch, column,
                                     tokens, rows, all, all);
        StoreColumn(weightSum + at, weightSumLow + at, column, all);
    }
    for (uint16_t step = 0; step < tailSteps; ++step) {
        const uint32_t at = fullSteps * LANES;
        Column column;
        LoadColumn<T>(column, weight + at, weightLow + at, weightSum + at, weightSumLow + at);
        BatchGradientColumn<T, false>(row + at, pitch, place, probTokenStride, gradHidden + at, gradHiddenPitch, column,
                                      tokens, rows, tail, all);
        StoreColumn(weightSum + at, weightSumLow + at, column, all);
    }
}

}  // namespace BlockAttentionResidualsGradArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_BATCH_FUNCTIONS_H
