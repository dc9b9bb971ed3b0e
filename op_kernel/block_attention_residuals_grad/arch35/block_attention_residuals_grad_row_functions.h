// The vector functions on rows of H elements: nothing leaves the registers between the steps of one, and all sums are
// carried in two floats (../../common/arch35/two_float.h). Rows of the main dtype T lie `pitch` elements apart in UB;
// float32 rows are whole registers, zero beyond H. ../../common/arch35/rows.h has what other operators need too; the
// formulas are in ../arch22/…_base.h and docs/aclnnBlockAttentionResidualsGrad.md. Every function takes the row length
// as fullSteps registers of 64 elements and, where H is no multiple of 64, one more (tailSteps = 1) of tailCount
// elements.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_ROW_FUNCTIONS_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_ROW_FUNCTIONS_H

#include "../../common/arch35/rows.h"
#include "../../common/arch35/two_float.h"

namespace BlockAttentionResidualsGradArch35
{

using KernelCommonArch35::AddProduct;
using KernelCommonArch35::AddProductBiased;
using KernelCommonArch35::FloatReg;
using KernelCommonArch35::FmaSub;
using KernelCommonArch35::LANES;
using KernelCommonArch35::LoadBroadcast;
using KernelCommonArch35::LoadWidened;
using KernelCommonArch35::MaskReg;
using KernelCommonArch35::MoveVf;
using KernelCommonArch35::Renormalize;
using KernelCommonArch35::ScoreWeightVf;
using KernelCommonArch35::StoreNarrowed;
using KernelCommonArch35::StoreSum;
using KernelCommonArch35::SumBias;
using KernelCommonArch35::TwoProduct;
using KernelCommonArch35::TwoSum;

constexpr uint32_t SQUARE_SUM_PITCH = 8;  // floats between the square sums of grad_hidden and of the weight

// ---- a row of grad_hidden, the score weight ------------------------------------------------------------------------

template <typename T, bool WHOLE>
__simd_callee__ inline void WidenStep(__ubuf__ float* dst, __ubuf__ T* src, FloatReg& squares, MaskReg& mask,
                                      MaskReg& all)
{
    FloatReg value;
    LoadWidened<T, WHOLE>(value, src, mask);
    AscendC::Reg::MulAddDst(squares, value, value, all);
    AscendC::Reg::StoreAlign(dst, value, all);
}

// dst = src as float32; squareSum[0] = sum of its squares, for the bound of the sums with it.
template <typename T>
__simd_callee__ inline void WidenRow(__ubuf__ float* dst, __ubuf__ float* squareSum, __ubuf__ T* src,
                                     uint16_t fullSteps, uint16_t tailSteps, MaskReg& tail, MaskReg& all)
{
    FloatReg squares;
    AscendC::Reg::Duplicate(squares, 0.0f);
    for (uint16_t step = 0; step < fullSteps; ++step) {
        WidenStep<T, true>(dst + step * LANES, src + step * LANES, squares, all, all);
    }
    for (uint16_t step = 0; step < tailSteps; ++step) {
        const uint32_t at = fullSteps * LANES;
        WidenStep<T, false>(dst + at, src + at, squares, tail, all);
    }
    StoreSum(squareSum, squares, all);
}

template <typename T>
__simd_vf__ inline void WidenVf(__ubuf__ float* dst, __ubuf__ float* squareSum, __ubuf__ T* src, uint16_t fullSteps,
                                uint16_t tailSteps, uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    WidenRow<T>(dst, squareSum, src, fullSteps, tailSteps, tail, all);
}

// ---- the scores: g = sum(grad_hidden * V), d = sum(w * V) --------------------------------------------------------

// Biases for the sums g and d of rows V with these inv_norms, a row per lane; the square sums are those of grad_hidden
// and of the weight. By Cauchy and Schwarz a sum over products with a row of square sum q is at most
// sqrt(q * sum(V^2)), and sum(V^2) < H / inv_norm^2. An inv_norm that does not belong to V costs accuracy only.
__simd_callee__ inline void RowSumBiases(FloatReg& gBias, FloatReg& dBias, FloatReg& gradHiddenSquares,
                                         FloatReg& weightSquares, FloatReg& invNorm, float hidden, MaskReg& all)
{
    FloatReg rowNorm;
    FloatReg bound;
    AscendC::Reg::Duplicate(rowNorm, hidden);
    AscendC::Reg::Sqrt(rowNorm, rowNorm, all);
    AscendC::Reg::Div(rowNorm, rowNorm, invNorm, all);
    AscendC::Reg::Abs(rowNorm, rowNorm, all);
    AscendC::Reg::Sqrt(bound, gradHiddenSquares, all);
    AscendC::Reg::Mul(bound, bound, rowNorm, all);
    SumBias(gBias, bound, all);
    AscendC::Reg::Sqrt(bound, weightSquares, all);
    AscendC::Reg::Mul(bound, bound, rowNorm, all);
    SumBias(dBias, bound, all);
}

// gBias and dBias of the `rows` rows of a token.
__simd_vf__ inline void RowSumBiasesVf(__ubuf__ float* gBias, __ubuf__ float* dBias, __ubuf__ float* squareSums,
                                       __ubuf__ float* invNorm, float hidden, uint32_t rows, uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    FloatReg gradHiddenSquares;
    FloatReg weightSquares;
    LoadBroadcast(gradHiddenSquares, squareSums);
    LoadBroadcast(weightSquares, squareSums + SQUARE_SUM_PITCH);
    for (uint16_t step = 0; step < steps; ++step) {
        MaskReg mask = AscendC::Reg::UpdateMask<float>(rows);
        FloatReg inverse;
        FloatReg gReg;
        FloatReg dReg;
        AscendC::Reg::LoadAlign(inverse, invNorm + step * LANES);
        RowSumBiases(gReg, dReg, gradHiddenSquares, weightSquares, inverse, hidden, all);
        AscendC::Reg::StoreAlign(gBias + step * LANES, gReg, mask);
        AscendC::Reg::StoreAlign(dBias + step * LANES, dReg, mask);
    }
}

template <typename T, bool WHOLE>
__simd_callee__ inline void DotStep(__ubuf__ T* row, __ubuf__ float* gradHidden, __ubuf__ float* weight,
                                    __ubuf__ float* weightLow, FloatReg& g, FloatReg& gLow, FloatReg& d, FloatReg& dLow,
                                    MaskReg& mask, MaskReg& all)
{
    FloatReg value;
    FloatReg factor;
    LoadWidened<T, WHOLE>(value, row, mask);
    AscendC::Reg::LoadAlign(factor, gradHidden);
    AddProductBiased(g, gLow, value, factor, all);
    AscendC::Reg::LoadAlign(factor, weight);
    if constexpr (AscendC::IsSameType<T, float>::value) {
        AddProductBiased(d, dLow, value, factor, all);
        AscendC::Reg::LoadAlign(factor, weightLow);
        AscendC::Reg::MulAddDst(dLow, value, factor, all);
    } else {
        AscendC::Reg::MulAddDst(dLow, value, factor, all);
    }
}

// (high[0], low[0]) = the lanes of (sum - bias, lowSum) added up, with ADD to what is there. Sums of sum - bias are
// exact, see SumBias.
template <bool ADD>
__simd_callee__ inline void StoreTwoFloatSum(__ubuf__ float* high, __ubuf__ float* low, FloatReg& sum, FloatReg& lowSum,
                                             FloatReg& bias, MaskReg& all)
{
    AscendC::Reg::Sub(sum, sum, bias, all);
    AscendC::Reg::Reduce<AscendC::Reg::ReduceType::SUM>(sum, sum, all);
    AscendC::Reg::Reduce<AscendC::Reg::ReduceType::SUM>(lowSum, lowSum, all);
    if constexpr (ADD) {
        FloatReg before;
        FloatReg total;
        FloatReg rest;
        LoadBroadcast(before, high);
        TwoSum(total, rest, before, sum, all);
        AscendC::Reg::Move(sum, total);
        LoadBroadcast(before, low);
        AscendC::Reg::Add(lowSum, lowSum, before, all);
        AscendC::Reg::Add(lowSum, lowSum, rest, all);
    }
    AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(high, sum, all);
    AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(low, lowSum, all);
}

// The sums of one row: (g[0], gLow[0]) and (d[0], dLow[0]), with ADD added to what is there. For 2-byte dtypes a plain
// sum is good enough for d, whose term in the gradient is about 1 / sqrt(H) of the others.
template <typename T, bool ADD>
__simd_callee__ inline void DotRow(__ubuf__ float* g, __ubuf__ float* gLow, __ubuf__ float* d, __ubuf__ float* dLow,
                                   FloatReg& gBias, FloatReg& dBias, __ubuf__ T* row, __ubuf__ float* gradHidden,
                                   __ubuf__ float* weight, __ubuf__ float* weightLow, uint16_t fullSteps,
                                   uint16_t tailSteps, MaskReg& tail, MaskReg& all)
{
    FloatReg gSum;
    FloatReg gLowSum;
    FloatReg dSum;
    FloatReg dLowSum;
    AscendC::Reg::Move(gSum, gBias);
    AscendC::Reg::Move(dSum, dBias);
    AscendC::Reg::Duplicate(gLowSum, 0.0f);
    AscendC::Reg::Duplicate(dLowSum, 0.0f);
    for (uint16_t step = 0; step < fullSteps; ++step) {
        const uint32_t at = step * LANES;
        DotStep<T, true>(row + at, gradHidden + at, weight + at, weightLow + at, gSum, gLowSum, dSum, dLowSum, all,
                         all);
    }
    for (uint16_t step = 0; step < tailSteps; ++step) {
        const uint32_t at = fullSteps * LANES;
        DotStep<T, false>(row + at, gradHidden + at, weight + at, weightLow + at, gSum, gLowSum, dSum, dLowSum, tail,
                          all);
    }
    StoreTwoFloatSum<ADD>(g, gLow, gSum, gLowSum, gBias, all);
    StoreTwoFloatSum<ADD>(d, dLow, dSum, dLowSum, dBias, all);
}

// g and d of `rows` rows of a token. g and d hold the rows' biases before; the low arrays advance by lowStride: 1, or 0
// where UB has no room for them.
template <typename T>
__simd_vf__ inline void DotsVf(__ubuf__ float* g, __ubuf__ float* gLow, __ubuf__ float* d, __ubuf__ float* dLow,
                               uint32_t lowStride, __ubuf__ T* row, uint32_t pitch, __ubuf__ float* gradHidden,
                               __ubuf__ float* weight, __ubuf__ float* weightLow, uint16_t rows, uint16_t fullSteps,
                               uint16_t tailSteps, uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    for (uint16_t i = 0; i < rows; ++i) {
        FloatReg gBias;
        FloatReg dBias;
        LoadBroadcast(gBias, g + i);
        LoadBroadcast(dBias, d + i);
        DotRow<T, false>(g + i, gLow + i * lowStride, d + i, dLow + i * lowStride, gBias, dBias, row + i * pitch,
                         gradHidden, weight, weightLow, fullSteps, tailSteps, tail, all);
    }
}

// The sums g and d of a tile of one row, added to what is there. `hidden` is H; squareSums holds the tile's.
template <typename T>
__simd_vf__ inline void AddTileDotsVf(__ubuf__ float* g, __ubuf__ float* gLow, __ubuf__ float* d, __ubuf__ float* dLow,
                                      __ubuf__ T* row, __ubuf__ float* invNorm, __ubuf__ float* gradHidden,
                                      __ubuf__ float* weight, __ubuf__ float* weightLow, __ubuf__ float* squareSums,
                                      float hidden, uint16_t fullSteps, uint16_t tailSteps, uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    FloatReg gradHiddenSquares;
    FloatReg weightSquares;
    FloatReg inverse;
    FloatReg gBias;
    FloatReg dBias;
    LoadBroadcast(gradHiddenSquares, squareSums);
    LoadBroadcast(weightSquares, squareSums + SQUARE_SUM_PITCH);
    LoadBroadcast(inverse, invNorm);
    RowSumBiases(gBias, dBias, gradHiddenSquares, weightSquares, inverse, hidden, all);
    DotRow<T, true>(g, gLow, d, dLow, gBias, dBias, row, gradHidden, weight, weightLow, fullSteps, tailSteps, tail,
                    all);
}

// ---- the gradients -------------------------------------------------------------------------------------------------

// What one row of a token contributes with, in every lane: probs, c = gs * inv_norm and the variance scale s.
struct RowFactors {
    FloatReg prob;
    FloatReg c;
    FloatReg cLow;
    FloatReg s;
    FloatReg sLow;
};

// gradient = prob * gradHidden + c * weight + s * value to about one rounding, however much of it cancels: c * weight
// is carried with its error, and the fused multiply-add adds prob * gradHidden without one. s * value, about 1 /
// sqrt(H) of c * weight, is added with its error for float32, and to the low part for 2-byte dtypes.
template <typename T>
__simd_callee__ inline void RowGradient(FloatReg& gradient, RowFactors& row, FloatReg& value, FloatReg& gradHidden,
                                        FloatReg& weight, FloatReg& weightLow, MaskReg& all)
{
    FloatReg low;
    AscendC::Reg::Mul(gradient, row.c, weight, all);
    FmaSub(low, row.c, weight, gradient, all);
    AscendC::Reg::MulAddDst(low, row.cLow, weight, all);
    if constexpr (AscendC::IsSameType<T, float>::value) {
        AscendC::Reg::MulAddDst(low, row.c, weightLow, all);
        AddProduct(gradient, low, row.s, value, all);
        AscendC::Reg::MulAddDst(low, row.sLow, value, all);
    } else {
        AscendC::Reg::MulAddDst(low, row.s, value, all);
    }
    AscendC::Reg::MulAddDst(gradient, row.prob, gradHidden, all);
    AscendC::Reg::Add(gradient, gradient, low, all);
}

// Where the factors of a token's first row lie, and how far apart those of two rows.
struct RowFactorsPlace {
    __ubuf__ float* prob;
    __ubuf__ float* c;
    __ubuf__ float* cLow;
    __ubuf__ float* s;
    __ubuf__ float* sLow;
    uint32_t probStride;
    uint32_t stride;
    uint32_t cLowStride;
    uint32_t sLowStride;
};

__simd_callee__ inline void LoadFactors(RowFactors& factors, const RowFactorsPlace& place, uint16_t row)
{
    LoadBroadcast(factors.prob, place.prob + row * place.probStride);
    LoadBroadcast(factors.c, place.c + row * place.stride);
    LoadBroadcast(factors.cLow, place.cLow + row * place.cLowStride);
    LoadBroadcast(factors.s, place.s + row * place.stride);
    LoadBroadcast(factors.sLow, place.sLow + row * place.sLowStride);
}

// One register of H of what all rows share.
struct Column {
    FloatReg gradHidden;
    FloatReg weight;
    FloatReg weightLow;
    FloatReg weightSum;
    FloatReg weightSumLow;
};

template <typename T>
__simd_callee__ inline void LoadColumn(Column& column, __ubuf__ float* weight, __ubuf__ float* weightLow,
                                       __ubuf__ float* weightSum, __ubuf__ float* weightSumLow)
{
    AscendC::Reg::LoadAlign(column.weight, weight);
    if constexpr (AscendC::IsSameType<T, float>::value) {
        AscendC::Reg::LoadAlign(column.weightLow, weightLow);
    }
    AscendC::Reg::LoadAlign(column.weightSum, weightSum);
    AscendC::Reg::LoadAlign(column.weightSumLow, weightSumLow);
}

__simd_callee__ inline void StoreColumn(__ubuf__ float* weightSum, __ubuf__ float* weightSumLow, Column& column,
                                        MaskReg& all)
{
    AscendC::Reg::StoreAlign(weightSum, column.weightSum, all);
    AscendC::Reg::StoreAlign(weightSumLow, column.weightSumLow, all);
}

// One register of `rows` rows of a token: gradV replaces V, and c * V is added to the weight gradient.
template <typename T, bool WHOLE>
__simd_callee__ inline void GradientColumn(__ubuf__ T* row, uint32_t pitch, const RowFactorsPlace& place,
                                           Column& column, uint16_t rows, MaskReg& mask, MaskReg& all)
{
    for (uint16_t i = 0; i < rows; ++i) {
        RowFactors factors;
        FloatReg value;
        FloatReg gradient;
        LoadFactors(factors, place, i);
        LoadWidened<T, WHOLE>(value, row + i * pitch, mask);
        RowGradient<T>(gradient, factors, value, column.gradHidden, column.weight, column.weightLow, all);
        StoreNarrowed<T>(row + i * pitch, gradient, mask);
        AddProductBiased(column.weightSum, column.weightSumLow, factors.c, value, all);
        AscendC::Reg::MulAddDst(column.weightSumLow, factors.cLow, value, all);
    }
}

// The rows of T become their gradients; (weightSum, weightSumLow) += sum over the rows of c * V, where weightSum began
// at a bias (see WeightSumBiasVf).
template <typename T>
__simd_vf__ inline void GradientsVf(__ubuf__ T* row, uint32_t pitch, __ubuf__ float* probs, __ubuf__ float* c,
                                    __ubuf__ float* cLow, uint32_t cLowStride, __ubuf__ float* s, __ubuf__ float* sLow,
                                    uint32_t sLowStride, __ubuf__ float* gradHidden, __ubuf__ float* weight,
                                    __ubuf__ float* weightLow, __ubuf__ float* weightSum, __ubuf__ float* weightSumLow,
                                    uint16_t rows, uint16_t fullSteps, uint16_t tailSteps, uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    const RowFactorsPlace place = {probs, c, cLow, s, sLow, 1, 1, cLowStride, sLowStride};
    for (uint16_t step = 0; step < fullSteps; ++step) {
        const uint32_t at = step * LANES;
        Column column;
        LoadColumn<T>(column, weight + at, weightLow + at, weightSum + at, weightSumLow + at);
        AscendC::Reg::LoadAlign(column.gradHidden, gradHidden + at);
        GradientColumn<T, true>(row + at, pitch, place, column, rows, all, all);
        StoreColumn(weightSum + at, weightSumLow + at, column, all);
    }
    for (uint16_t step = 0; step < tailSteps; ++step) {
        const uint32_t at = fullSteps * LANES;
        Column column;
        LoadColumn<T>(column, weight + at, weightLow + at, weightSum + at, weightSumLow + at);
        AscendC::Reg::LoadAlign(column.gradHidden, gradHidden + at);
        GradientColumn<T, false>(row + at, pitch, place, column, rows, tail, all);
        StoreColumn(weightSum + at, weightSumLow + at, column, all);
    }
}

}  // namespace BlockAttentionResidualsGradArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_ROW_FUNCTIONS_H
