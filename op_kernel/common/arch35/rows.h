// What the vector functions on rows of all operators begin with: row lengths, loads and stores between the main dtype T
// and float32 registers, and the score weight. Rows of T lie in UB at any 32-byte block; float32 rows are whole
// registers, zero beyond H. A row length is fullSteps registers of 64 elements and, where H is no multiple of 64, one
// more (tailSteps = 1) of tailCount elements.

#ifndef OP_KERNEL_COMMON_ARCH35_ROWS_H
#define OP_KERNEL_COMMON_ARCH35_ROWS_H

#include "two_float.h"

namespace KernelCommonArch35
{

constexpr uint32_t REGISTER_BYTES = 256;
constexpr uint32_t LANES = 64;  // float32 elements of a register

// A row length, as the vector functions take it.
struct RowSteps {
    __aicore__ inline explicit RowSteps(uint32_t count)
        : full(static_cast<uint16_t>(count / LANES)), tailCount(count % LANES), tail(tailCount == 0 ? 0 : 1)
    {
    }

    // Registers that a float32 row occupies.
    __aicore__ inline uint16_t All() const
    {
        return full + tail;
    }

    uint16_t full;
    uint32_t tailCount;
    uint16_t tail;
};

template <typename T>
__aicore__ inline __ubuf__ T* Address(const AscendC::LocalTensor<T>& tensor)
{
    return reinterpret_cast<__ubuf__ T*>(tensor.GetPhyAddr());
}

constexpr AscendC::Reg::CastTrait WIDEN = {AscendC::Reg::RegLayout::ZERO, AscendC::Reg::SatMode::UNKNOWN,
                                           AscendC::Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::UNKNOWN};
// To nearest even; float16 overflow gives infinity.
constexpr AscendC::Reg::CastTrait NARROW = {AscendC::Reg::RegLayout::ZERO, AscendC::Reg::SatMode::NO_SAT,
                                            AscendC::Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::CAST_RINT};

// The elements of the mask as float32, 0 elsewhere. WHOLE says that the mask is full.
template <typename T, bool WHOLE>
__simd_callee__ inline void LoadWidened(FloatReg& dst, __ubuf__ T* src, MaskReg& mask)
{
    if constexpr (AscendC::IsSameType<T, float>::value) {
        AscendC::Reg::LoadAlign(dst, src);
        if constexpr (!WHOLE) {
            FloatReg zero;
            AscendC::Reg::Duplicate(zero, 0.0f);
            AscendC::Reg::Select(dst, dst, zero, mask);
        }
    } else {
        AscendC::Reg::RegTensor<T> narrow;
        AscendC::Reg::LoadAlign<T, AscendC::Reg::LoadDist::DIST_UNPACK_B16>(narrow, src);
        AscendC::Reg::Cast<float, T, WIDEN>(dst, narrow, mask);
    }
}

template <typename T>
__simd_callee__ inline void StoreNarrowed(__ubuf__ T* dst, FloatReg& src, MaskReg& mask)
{
    if constexpr (AscendC::IsSameType<T, float>::value) {
        AscendC::Reg::StoreAlign(dst, src, mask);
    } else {
        AscendC::Reg::RegTensor<T> narrow;
        AscendC::Reg::Cast<T, float, NARROW>(narrow, src, mask);
        AscendC::Reg::StoreAlign<T, AscendC::Reg::StoreDist::DIST_PACK_B32>(dst, narrow, mask);
    }
}

__simd_callee__ inline void LoadBroadcast(FloatReg& dst, __ubuf__ float* src)
{
    AscendC::Reg::LoadAlign<float, AscendC::Reg::LoadDist::DIST_BRC_B32>(dst, src);
}

// dst[0] = sum over the lanes of src.
__simd_callee__ inline void StoreSum(__ubuf__ float* dst, FloatReg& src, MaskReg& all)
{
    FloatReg sum;
    AscendC::Reg::Reduce<AscendC::Reg::ReduceType::SUM>(sum, src, all);
    AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(dst, sum, all);
}

// ---- the score weight ----------------------------------------------------------------------------------------------

// dst = src, `steps` registers of 64 elements.
template <typename T>
__simd_vf__ inline void MoveVf(__ubuf__ T* dst, __ubuf__ T* src, uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    for (uint16_t step = 0; step < steps; ++step) {
        FloatReg value;
        LoadWidened<T, true>(value, src + step * LANES, all);
        StoreNarrowed<T>(dst + step * LANES, value, all);
    }
}

template <typename T, bool WHOLE>
__simd_callee__ inline void ScoreWeightStep(__ubuf__ float* weight, __ubuf__ float* weightLow, __ubuf__ T* norm,
                                            __ubuf__ T* proj, FloatReg& squares, MaskReg& mask, MaskReg& all)
{
    FloatReg normValue;
    FloatReg projValue;
    FloatReg product;
    LoadWidened<T, WHOLE>(normValue, norm, mask);
    LoadWidened<T, WHOLE>(projValue, proj, mask);
    AscendC::Reg::Mul(product, normValue, projValue, all);
    AscendC::Reg::StoreAlign(weight, product, all);
    AscendC::Reg::MulAddDst(squares, product, product, all);
    if constexpr (AscendC::IsSameType<T, float>::value) {
        FloatReg low;
        FmaSub(low, normValue, projValue, product, all);
        AscendC::Reg::StoreAlign(weightLow, low, all);
    }
}

// (weight, weightLow) = norm * proj exactly; a product of two 2-byte values needs no low part, so that weightLow is
// then left alone. squareSum[0] = sum of the squares of weight.
template <typename T>
__simd_vf__ inline void ScoreWeightVf(__ubuf__ float* weight, __ubuf__ float* weightLow, __ubuf__ float* squareSum,
                                      __ubuf__ T* norm, __ubuf__ T* proj, uint16_t fullSteps, uint16_t tailSteps,
                                      uint32_t tailCount)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg tail = AscendC::Reg::UpdateMask<float>(tailCount);
    FloatReg squares;
    AscendC::Reg::Duplicate(squares, 0.0f);
    for (uint16_t step = 0; step < fullSteps; ++step) {
        const uint32_t at = step * LANES;
        ScoreWeightStep<T, true>(weight + at, weightLow + at, norm + at, proj + at, squares, all, all);
    }
    for (uint16_t step = 0; step < tailSteps; ++step) {
        const uint32_t at = fullSteps * LANES;
        ScoreWeightStep<T, false>(weight + at, weightLow + at, norm + at, proj + at, squares, tail, all);
    }
    StoreSum(squareSum, squares, all);
}

}  // namespace KernelCommonArch35

#endif  // OP_KERNEL_COMMON_ARCH35_ROWS_H
