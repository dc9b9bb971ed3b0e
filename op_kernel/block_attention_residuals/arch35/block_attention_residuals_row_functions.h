// The vector functions on rows of H elements: the sums over a row that its score is made of, and the mix of a token's
// rows. Nothing leaves the registers between the steps of one, and long sums are carried in two floats
// (../../common/arch35/two_float.h). Rows of the main dtype T lie `pitch` elements apart in UB; row lengths are as in
// ../../common/arch35/rows.h. …_score_functions.h has what happens between the two.

#ifndef BLOCK_ATTENTION_RESIDUALS_ARCH35_ROW_FUNCTIONS_H
#define BLOCK_ATTENTION_RESIDUALS_ARCH35_ROW_FUNCTIONS_H

#include "../../common/arch35/rows.h"
#include "../../common/arch35/two_float.h"

namespace BlockAttentionResidualsArch35
{

using KernelCommonArch35::AddProduct;
using KernelCommonArch35::AddProductBiased;
using KernelCommonArch35::FloatReg;
using KernelCommonArch35::FmaSub;
using KernelCommonArch35::LANES;
using KernelCommonArch35::LoadBroadcast;
using KernelCommonArch35::LoadWidened;
using KernelCommonArch35::MaskReg;
using KernelCommonArch35::StoreNarrowed;
using KernelCommonArch35::SumBias;
using KernelCommonArch35::TwoSum;

// ---- the sums over a row: V^2, and d = sum(w * V) -----------------------------------------------------------------

// The sums of a row so far, lane by lane.
struct RowSums {
    FloatReg squares;
    FloatReg squaresLow;
    FloatReg dot;
    FloatReg dotLow;
};

// Where the sums of a token's first row lie.
struct SumsPlace {
    __ubuf__ float* squares;
    __ubuf__ float* squaresLow;
    __ubuf__ float* dot;
    __ubuf__ float* dotLow;
};

// The sums have no bias: where a product is larger than the sum before it, as a row begins, what is lost is at most a
// rounding of that product.
template <typename T, bool WHOLE>
__simd_callee__ inline void SumStep(RowSums& sums, __ubuf__ T* row, __ubuf__ float* weight, __ubuf__ float* weightLow,
                                    MaskReg& mask, MaskReg& all)
{
    FloatReg value;
    FloatReg factor;
    LoadWidened<T, WHOLE>(value, row, mask);
    AddProductBiased(sums.squares, sums.squaresLow, value, value, all);
    AscendC::Reg::LoadAlign(factor, weight);
    AddProductBiased(sums.dot, sums.dotLow, value, factor, all);
    if constexpr (AscendC::IsSameType<T, float>::value) {
        AscendC::Reg::LoadAlign(factor, weightLow);
        AscendC::Reg::MulAddDst(sums.dotLow, value, factor, all);
    }
}

// (high[0], low[0]) = the lanes of (sum, lowSum) added up, with ADD to what is there. A bias that bounds the total
// makes the lanes' sums exact (see SumBias): what it cuts off a lane goes to the low part.
template <bool ADD>
__simd_callee__ inline void StoreLaneSum(__ubuf__ float* high, __ubuf__ float* low, FloatReg& sum, FloatReg& lowSum,
                                         MaskReg& all)
{
    FloatReg bound;
    FloatReg bias;
    FloatReg part;
    FloatReg rest;
    AscendC::Reg::Abs(bound, sum, all);
    AscendC::Reg::Reduce<AscendC::Reg::ReduceType::MAX>(bound, bound, all);
    AscendC::Reg::Duplicate(bound, bound, all);
    AscendC::Reg::Muls(bound, bound, static_cast<float>(LANES), all);
    SumBias(bias, bound, all);
    AscendC::Reg::Add(part, sum, bias, all);
    AscendC::Reg::Sub(part, part, bias, all);
    AscendC::Reg::Sub(rest, sum, part, all);
    AscendC::Reg::Add(lowSum, lowSum, rest, all);
    AscendC::Reg::Reduce<AscendC::Reg::ReduceType::SUM>(part, part, all);
    AscendC::Reg::Reduce<AscendC::Reg::ReduceType::SUM>(lowSum, lowSum, all);
    if constexpr (ADD) {
        FloatReg before;
        FloatReg total;
        LoadBroadcast(before, high);
        TwoSum(total, rest, before, part, all);
        AscendC::Reg::Move(part, total);
        LoadBroadcast(before, low);
        AscendC::Reg::Add(lowSum, lowSum, before, all);
        AscendC::Reg::Add(lowSum, lowSum, rest, all);
    }
    AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(high, part, all);
    AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(low, lowSum, all);
}

template <typename T, bool ADD>
__simd_callee__ inline void SumRow(const SumsPlace& place, uint32_t at, __ubuf__ T* row, __ubuf__ float* weight,
                                   __ubuf__ float* weightLow, uint16_t fullSteps, uint16_t tailSteps, MaskReg& tail,
                                   MaskReg& all)
{
    RowSums sums;
    AscendC::Reg::Duplicate(sums.squares, 0.0f);
    AscendC::Reg::Duplicate(sums.squaresLow, 0.0f);
    AscendC::Reg::Duplicate(sums.dot, 0.0f);
    AscendC::Reg::Duplicate(sums.dotLow, 0.0f);
    for (uint16_t step = 0; step < fullSteps; ++step) {
        const uint32_t element = step * LANES;
        SumStep<T, true>(sums, row + element, weight + element, weightLow + element, all, all);
    }
    for (uint16_t step = 0; step < tailSteps; ++step) {
        const uint32_t element = fullSteps * LANES;
        SumStep<T, false>(sums, row + element, weight + element, weightLow + element, tail, all);
    }
    StoreLaneSum<ADD>(place.squares + at, place.squaresLow + at, sums.squares, sums.squaresLow, all);
    StoreLaneSum<ADD>(place.dot + at, place.dotLow + at, sums.dot, sums.dotLow, all);
}

// The sums of `rows` rows each of `tokens` tokens, which lie one after the other. Those of a token's next row are
// stored scorePitch floats further, those of the next token one float.
template <typename T>
__simd_vf__ inline void RowSumsVf(__ubuf__ float* squares, __ubuf__ float* squaresLow, __ubuf__ float* dot,
                                  __ubuf__ float* dotLow, uint32_t scorePitch, __ubuf__ T* row, uint32_t pitch,
                                  __ubuf__ float* weight, __ubuf__ float* weightLow, uint16_t tokens, uint16_t rows,
                                  uint16_t fullSteps, uint16_t tailSteps, uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    const SumsPlace place = {squares, squaresLow, dot, dotLow};
    for (uint16_t t = 0; t < tokens; ++t) {
        for (uint16_t i = 0; i < rows; ++i) {
            SumRow<T, false>(place, i * scorePitch + t, row + (t * rows + i) * pitch, weight, weightLow, fullSteps,
                             tailSteps, tail, all);
        }
    }
}

// The sums of a tile of one row; with ADD added to what is there.
template <typename T, bool ADD>
__simd_vf__ inline void TileSumsVf(__ubuf__ float* squares, __ubuf__ float* squaresLow, __ubuf__ float* dot,
                                   __ubuf__ float* dotLow, __ubuf__ T* row, __ubuf__ float* weight,
                                   __ubuf__ float* weightLow, uint16_t fullSteps, uint16_t tailSteps,
                                   uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    const SumsPlace place = {squares, squaresLow, dot, dotLow};
    SumRow<T, ADD>(place, 0, row, weight, weightLow, fullSteps, tailSteps, tail, all);
}

// ---- the mix: hidden = sum_i probs[i] * V[i] ------------------------------------------------------------------------

// (sum, low) = prob * value, or += with ADD. A 2-byte result needs no low part.
template <typename T, bool ADD>
__simd_callee__ inline void MixStep(FloatReg& sum, FloatReg& low, __ubuf__ float* prob, __ubuf__ float* probLow,
                                    FloatReg& value, MaskReg& all)
{
    FloatReg factor;
    LoadBroadcast(factor, prob);
    if constexpr (AscendC::IsSameType<T, float>::value) {
        if constexpr (ADD) {
            AddProduct(sum, low, factor, value, all);
        } else {
            AscendC::Reg::Mul(sum, factor, value, all);
            FmaSub(low, factor, value, sum, all);
        }
        LoadBroadcast(factor, probLow);
        AscendC::Reg::MulAddDst(low, factor, value, all);
    } else if constexpr (ADD) {
        AscendC::Reg::MulAddDst(sum, factor, value, all);
    } else {
        AscendC::Reg::Mul(sum, factor, value, all);
    }
}

template <typename T>
__simd_callee__ inline void StoreMix(__ubuf__ T* dst, FloatReg& sum, FloatReg& low, MaskReg& mask, MaskReg& all)
{
    if constexpr (AscendC::IsSameType<T, float>::value) {
        AscendC::Reg::Add(sum, sum, low, all);
    }
    StoreNarrowed<T>(dst, sum, mask);
}

// One register of a token: the mix replaces partial_block. That row comes first, so that it is exact without others.
template <typename T, bool WHOLE>
__simd_callee__ inline void MixColumn(__ubuf__ T* partial, __ubuf__ T* block, uint32_t pitch, __ubuf__ float* probs,
                                      __ubuf__ float* probsLow, uint32_t scorePitch, uint16_t blocks, MaskReg& mask,
                                      MaskReg& all)
{
    FloatReg value;
    FloatReg sum;
    FloatReg low;
    LoadWidened<T, WHOLE>(value, partial, mask);
    MixStep<T, false>(sum, low, probs + blocks * scorePitch, probsLow + blocks * scorePitch, value, all);
    for (uint16_t i = 0; i < blocks; ++i) {
        LoadWidened<T, WHOLE>(value, block + i * pitch, mask);
        MixStep<T, true>(sum, low, probs + i * scorePitch, probsLow + i * scorePitch, value, all);
    }
    StoreMix<T>(partial, sum, low, mask, all);
}

// Rows of partial_block become the mixes of `tokens` tokens, `blocks` rows of each lying one after the other.
template <typename T>
__simd_vf__ inline void MixVf(__ubuf__ T* partial, __ubuf__ T* block, uint32_t pitch, __ubuf__ float* probs,
                              __ubuf__ float* probsLow, uint32_t scorePitch, uint16_t tokens, uint16_t blocks,
                              uint16_t fullSteps, uint16_t tailSteps, uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    for (uint16_t t = 0; t < tokens; ++t) {
        __ubuf__ T* const own = partial + t * pitch;
        __ubuf__ T* const others = block + t * blocks * pitch;
        for (uint16_t step = 0; step < fullSteps; ++step) {
            const uint32_t at = step * LANES;
            MixColumn<T, true>(own + at, others + at, pitch, probs + t, probsLow + t, scorePitch, blocks, all, all);
        }
        for (uint16_t step = 0; step < tailSteps; ++step) {
            const uint32_t at = fullSteps * LANES;
            MixColumn<T, false>(own + at, others + at, pitch, probs + t, probsLow + t, scorePitch, blocks, tail, all);
        }
    }
}

template <typename T, bool ADD, bool WHOLE>
__simd_callee__ inline void MixTileStep(__ubuf__ float* sum, __ubuf__ float* sumLow, __ubuf__ T* row,
                                        __ubuf__ float* prob, __ubuf__ float* probLow, MaskReg& mask, MaskReg& all)
{
    FloatReg value;
    FloatReg sumReg;
    FloatReg lowReg;
    LoadWidened<T, WHOLE>(value, row, mask);
    if constexpr (ADD) {
        AscendC::Reg::LoadAlign(sumReg, sum);
        if constexpr (AscendC::IsSameType<T, float>::value) {
            AscendC::Reg::LoadAlign(lowReg, sumLow);
        }
    }
    MixStep<T, ADD>(sumReg, lowReg, prob, probLow, value, all);
    AscendC::Reg::StoreAlign(sum, sumReg, all);
    if constexpr (AscendC::IsSameType<T, float>::value) {
        AscendC::Reg::StoreAlign(sumLow, lowReg, all);
    }
}

// (sum, sumLow) = prob * row, or += with ADD, for a tile of one row.
template <typename T, bool ADD>
__simd_vf__ inline void MixTileVf(__ubuf__ float* sum, __ubuf__ float* sumLow, __ubuf__ T* row, __ubuf__ float* prob,
                                  __ubuf__ float* probLow, uint16_t fullSteps, uint16_t tailSteps, uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    for (uint16_t step = 0; step < fullSteps; ++step) {
        const uint32_t at = step * LANES;
        MixTileStep<T, ADD, true>(sum + at, sumLow + at, row + at, prob, probLow, all, all);
    }
    for (uint16_t step = 0; step < tailSteps; ++step) {
        const uint32_t at = fullSteps * LANES;
        MixTileStep<T, ADD, false>(sum + at, sumLow + at, row + at, prob, probLow, tail, all);
    }
}

// dst = (sum, sumLow), rounded once to T.
template <typename T>
__simd_vf__ inline void FinishTileVf(__ubuf__ T* dst, __ubuf__ float* sum, __ubuf__ float* sumLow, uint32_t count,
                                     uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    for (uint16_t step = 0; step < steps; ++step) {
        MaskReg mask = AscendC::Reg::UpdateMask<float>(count);
        FloatReg sumReg;
        FloatReg lowReg;
        AscendC::Reg::LoadAlign(sumReg, sum + step * LANES);
        if constexpr (AscendC::IsSameType<T, float>::value) {
            AscendC::Reg::LoadAlign(lowReg, sumLow + step * LANES);
        }
        StoreMix<T>(dst + step * LANES, sumReg, lowReg, mask, all);
    }
}

}  // namespace BlockAttentionResidualsArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_ARCH35_ROW_FUNCTIONS_H
