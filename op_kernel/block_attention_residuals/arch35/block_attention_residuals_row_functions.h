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

constexpr uint16_t GROUP_STEPS = 8;  // registers of a row whose products are added up before the sum takes them

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

// One register of a float32 row. The sums have no bias: where a product is larger than the sum before it, as a row
// begins, what is lost is at most a rounding of that product.
template <bool WHOLE>
__simd_callee__ inline void SumFloatStep(RowSums& sums, __ubuf__ float* row, __ubuf__ float* weight,
                                         __ubuf__ float* weightLow, MaskReg& mask, MaskReg& all)
{
    FloatReg value;
    FloatReg factor;
    LoadWidened<float, WHOLE>(value, row, mask);
    AddProductBiased(sums.squares, sums.squaresLow, value, value, all);
    AscendC::Reg::LoadAlign(factor, weight);
    AddProductBiased(sums.dot, sums.dotLow, value, factor, all);
    AscendC::Reg::LoadAlign(factor, weightLow);
    AscendC::Reg::MulAddDst(sums.dotLow, value, factor, all);
}

__simd_callee__ inline void SumFloatRow(RowSums& sums, __ubuf__ float* row, __ubuf__ float* weight,
                                        __ubuf__ float* weightLow, uint16_t fullSteps, uint16_t tailSteps,
                                        MaskReg& tail, MaskReg& all)
{
    for (uint16_t step = 0; step < fullSteps; ++step) {
        const uint32_t at = step * LANES;
        SumFloatStep<true>(sums, row + at, weight + at, weightLow + at, all, all);
    }
    for (uint16_t step = 0; step < tailSteps; ++step) {
        const uint32_t at = fullSteps * LANES;
        SumFloatStep<false>(sums, row + at, weight + at, weightLow + at, tail, all);
    }
}

// The plain sums of a group of registers.
struct GroupSums {
    FloatReg squares;
    FloatReg dot;
};

template <typename T, bool WHOLE>
__simd_callee__ inline void SumStep(GroupSums& group, __ubuf__ T* row, __ubuf__ float* weight, MaskReg& mask,
                                    MaskReg& all)
{
    FloatReg value;
    FloatReg factor;
    LoadWidened<T, WHOLE>(value, row, mask);
    AscendC::Reg::MulAddDst(group.squares, value, value, all);
    AscendC::Reg::LoadAlign(factor, weight);
    AscendC::Reg::MulAddDst(group.dot, value, factor, all);
}

// (sum, low) += the group's sums, which become 0. Squares only grow, so that the shorter form of the sum in two floats
// loses a rounding of a group that is larger than all before, and nothing else.
__simd_callee__ inline void TakeGroup(RowSums& sums, GroupSums& group, MaskReg& all)
{
    FloatReg next;
    FloatReg rest;
    AscendC::Reg::Add(next, sums.squares, group.squares, all);
    AscendC::Reg::Sub(rest, next, sums.squares, all);
    AscendC::Reg::Sub(rest, group.squares, rest, all);
    AscendC::Reg::Add(sums.squaresLow, sums.squaresLow, rest, all);
    AscendC::Reg::Move(sums.squares, next);
    TwoSum(next, rest, sums.dot, group.dot, all);
    AscendC::Reg::Add(sums.dotLow, sums.dotLow, rest, all);
    AscendC::Reg::Move(sums.dot, next);
    AscendC::Reg::Duplicate(group.squares, 0.0f);
    AscendC::Reg::Duplicate(group.dot, 0.0f);
}

// A row of a 2-byte dtype: products of a few registers are added up by fused multiply-adds alone, which is off by about
// half a rounding of their sum, and these sums in two floats, so that the error does not grow with H.
template <typename T>
__simd_callee__ inline void SumNarrowRow(RowSums& sums, __ubuf__ T* row, __ubuf__ float* weight, uint16_t fullSteps,
                                         uint16_t tailSteps, MaskReg& tail, MaskReg& all)
{
    const uint16_t groups = fullSteps / GROUP_STEPS;
    const uint16_t restSteps = fullSteps % GROUP_STEPS;
    GroupSums group;
    AscendC::Reg::Duplicate(group.squares, 0.0f);
    AscendC::Reg::Duplicate(group.dot, 0.0f);
    for (uint16_t i = 0; i < groups; ++i) {
        for (uint16_t step = 0; step < GROUP_STEPS; ++step) {
            const uint32_t at = (i * GROUP_STEPS + step) * LANES;
            SumStep<T, true>(group, row + at, weight + at, all, all);
        }
        TakeGroup(sums, group, all);
    }
    for (uint16_t step = 0; step < restSteps; ++step) {
        const uint32_t at = (groups * GROUP_STEPS + step) * LANES;
        SumStep<T, true>(group, row + at, weight + at, all, all);
    }
    for (uint16_t step = 0; step < tailSteps; ++step) {
        const uint32_t at = fullSteps * LANES;
        SumStep<T, false>(group, row + at, weight + at, tail, all);
    }
    TakeGroup(sums, group, all);
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
    if constexpr (AscendC::IsSameType<T, float>::value) {
        SumFloatRow(sums, row, weight, weightLow, fullSteps, tailSteps, tail, all);
    } else {
        SumNarrowRow<T>(sums, row, weight, fullSteps, tailSteps, tail, all);
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
// float32: in two floats, so that a result is rounded once however much of it cancels; the sum starts at a bias that
// bounds it (see SumBias and MixBias). A 2-byte result takes plain fused multiply-adds, whose errors are far below its
// own rounding, and of (sum, low) the first alone.

// What a value row is mixed with, in every lane.
struct RowShare {
    FloatReg prob;
    FloatReg probLow;
};

template <typename T>
__simd_callee__ inline void LoadShare(RowShare& share, __ubuf__ float* prob, __ubuf__ float* probLow)
{
    LoadBroadcast(share.prob, prob);
    if constexpr (AscendC::IsSameType<T, float>::value) {
        LoadBroadcast(share.probLow, probLow);
    }
}

template <typename T>
__simd_callee__ inline void StartMix(FloatReg& sum, FloatReg& low, __ubuf__ float* bias)
{
    if constexpr (AscendC::IsSameType<T, float>::value) {
        LoadBroadcast(sum, bias);
        AscendC::Reg::Duplicate(low, 0.0f);
    } else {
        AscendC::Reg::Duplicate(sum, 0.0f);
    }
}

// (sum, low) += share * value.
template <typename T>
__simd_callee__ inline void MixStep(FloatReg& sum, FloatReg& low, RowShare& share, FloatReg& value, MaskReg& all)
{
    if constexpr (AscendC::IsSameType<T, float>::value) {
        AddProductBiased(sum, low, value, share.prob, all);
        AscendC::Reg::MulAddDst(low, value, share.probLow, all);
    } else {
        AscendC::Reg::MulAddDst(sum, value, share.prob, all);
    }
}

template <typename T>
__simd_callee__ inline void StoreMix(__ubuf__ T* dst, FloatReg& sum, FloatReg& low, __ubuf__ float* bias, MaskReg& mask,
                                     MaskReg& all)
{
    if constexpr (AscendC::IsSameType<T, float>::value) {
        FloatReg start;
        LoadBroadcast(start, bias);
        AscendC::Reg::Sub(sum, sum, start, all);
        AscendC::Reg::Add(sum, sum, low, all);
    }
    StoreNarrowed<T>(dst, sum, mask);
}

// Where the shares of a token's first row lie, scorePitch floats from those of the next; and its bias.
struct MixPlace {
    __ubuf__ float* probs;
    __ubuf__ float* probsLow;
    __ubuf__ float* bias;
    uint32_t scorePitch;
};

// One register of a token: the mix replaces partial_block.
template <typename T, bool WHOLE>
__simd_callee__ inline void MixColumn(__ubuf__ T* partial, __ubuf__ T* block, uint32_t pitch, const MixPlace& place,
                                      uint32_t token, uint16_t blocks, MaskReg& mask, MaskReg& all)
{
    FloatReg value;
    FloatReg sum;
    FloatReg low;
    RowShare share;
    StartMix<T>(sum, low, place.bias + token);
    for (uint16_t i = 0; i < blocks; ++i) {
        LoadShare<T>(share, place.probs + i * place.scorePitch + token, place.probsLow + i * place.scorePitch + token);
        LoadWidened<T, WHOLE>(value, block + i * pitch, mask);
        MixStep<T>(sum, low, share, value, all);
    }
    const uint32_t last = blocks * place.scorePitch + token;
    LoadShare<T>(share, place.probs + last, place.probsLow + last);
    LoadWidened<T, WHOLE>(value, partial, mask);
    MixStep<T>(sum, low, share, value, all);
    StoreMix<T>(partial, sum, low, place.bias + token, mask, all);
}

// Rows of partial_block become the mixes of `tokens` tokens, `blocks` rows of each lying one after the other.
template <typename T>
__simd_vf__ inline void MixVf(__ubuf__ T* partial, __ubuf__ T* block, uint32_t pitch, __ubuf__ float* probs,
                              __ubuf__ float* probsLow, __ubuf__ float* bias, uint32_t scorePitch, uint16_t tokens,
                              uint16_t blocks, uint16_t fullSteps, uint16_t tailSteps, uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    const MixPlace place = {probs, probsLow, bias, scorePitch};
    for (uint16_t t = 0; t < tokens; ++t) {
        __ubuf__ T* const own = partial + t * pitch;
        __ubuf__ T* const others = block + t * blocks * pitch;
        for (uint16_t step = 0; step < fullSteps; ++step) {
            const uint32_t at = step * LANES;
            MixColumn<T, true>(own + at, others + at, pitch, place, t, blocks, all, all);
        }
        for (uint16_t step = 0; step < tailSteps; ++step) {
            const uint32_t at = fullSteps * LANES;
            MixColumn<T, false>(own + at, others + at, pitch, place, t, blocks, tail, all);
        }
    }
}

// (sum, sumLow) = the start of a mix, `steps` registers.
template <typename T>
__simd_vf__ inline void StartMixVf(__ubuf__ float* sum, __ubuf__ float* sumLow, __ubuf__ float* bias, uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    FloatReg start;
    FloatReg low;
    StartMix<T>(start, low, bias);
    for (uint16_t step = 0; step < steps; ++step) {
        AscendC::Reg::StoreAlign(sum + step * LANES, start, all);
        if constexpr (AscendC::IsSameType<T, float>::value) {
            AscendC::Reg::StoreAlign(sumLow + step * LANES, low, all);
        }
    }
}

template <typename T, bool WHOLE>
__simd_callee__ inline void MixTileStep(__ubuf__ float* sum, __ubuf__ float* sumLow, __ubuf__ T* row, RowShare& share,
                                        MaskReg& mask, MaskReg& all)
{
    FloatReg value;
    FloatReg sumReg;
    FloatReg lowReg;
    LoadWidened<T, WHOLE>(value, row, mask);
    AscendC::Reg::LoadAlign(sumReg, sum);
    if constexpr (AscendC::IsSameType<T, float>::value) {
        AscendC::Reg::LoadAlign(lowReg, sumLow);
    }
    MixStep<T>(sumReg, lowReg, share, value, all);
    AscendC::Reg::StoreAlign(sum, sumReg, all);
    if constexpr (AscendC::IsSameType<T, float>::value) {
        AscendC::Reg::StoreAlign(sumLow, lowReg, all);
    }
}

// (sum, sumLow) += prob * row, for a tile of one row.
template <typename T>
__simd_vf__ inline void MixTileVf(__ubuf__ float* sum, __ubuf__ float* sumLow, __ubuf__ T* row, __ubuf__ float* prob,
                                  __ubuf__ float* probLow, uint16_t fullSteps, uint16_t tailSteps, uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    RowShare share;
    LoadShare<T>(share, prob, probLow);
    for (uint16_t step = 0; step < fullSteps; ++step) {
        const uint32_t at = step * LANES;
        MixTileStep<T, true>(sum + at, sumLow + at, row + at, share, all, all);
    }
    for (uint16_t step = 0; step < tailSteps; ++step) {
        const uint32_t at = fullSteps * LANES;
        MixTileStep<T, false>(sum + at, sumLow + at, row + at, share, tail, all);
    }
}

// dst = the mix that (sum, sumLow) has become, rounded once to T.
template <typename T>
__simd_vf__ inline void FinishTileVf(__ubuf__ T* dst, __ubuf__ float* sum, __ubuf__ float* sumLow, __ubuf__ float* bias,
                                     uint32_t count, uint16_t steps)
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
        StoreMix<T>(dst + step * LANES, sumReg, lowReg, bias, mask, all);
    }
}

}  // namespace BlockAttentionResidualsArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_ARCH35_ROW_FUNCTIONS_H
