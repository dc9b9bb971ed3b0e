// Instructions that write a scalar or spread elements: Duplicate, Brcb, CreateVecIndex.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_FILL_H_
#define CC_ASCENDC_MEMBASE_VECTOR_FILL_H_

#include "cc/ascendc/membase/vector/scalar.h"

ASCENDC_TWIN_BEGIN

namespace twin {

template <typename T>
constexpr bool kMovable =
    sizeof(T) == 2 || sizeof(T) == 4 || (kIsArch35 && (sizeof(T) == 1 || sizeof(T) == 8));
template <typename T>
constexpr bool kIndexable =
    kIsOneOf<T, int16_t, half, int32_t, float> || (kIsArch35 && kIsOneOf<T, int8_t, int64_t>);

template <typename B>
struct ConstantOp {
  B value;
  ASCENDC_TWIN_INLINE B operator()() const { return value; }
};

// Bits are moved, so a NaN keeps its payload.
template <typename T>
ASCENDC_TWIN_INLINE Bits<T>* RawData(const LocalTensor<T>& tensor) {
  return reinterpret_cast<Bits<T>*>(tensor.Data());
}

template <bool isSetMask, typename T, typename Mask>
void DuplicateRepeats(const LocalTensor<T>& dst, const T& scalar, Mask mask, uint32_t repeats,
                      uint32_t block_stride, uint32_t repeat_stride) {
  static_assert(kMovable<T>, "Duplicate: element type without this instruction on this arch");
  MapRepeats<isSetMask>(ConstantOp<Bits<T>>{BitsOf(scalar)}, mask, repeats,
                        MakeOperand(RawData(dst), block_stride, repeat_stride));
}

// Element i of the whole instruction is first + i, rounded to T; lanes that a mask leaves out still
// count.
template <typename T>
ASCENDC_TWIN_INLINE typename Lane<T>::Storage IndexValue(Compute<T> first, size_t i) {
  return Lane<T>::Store(Plus(first, static_cast<Compute<T>>(i)));
}

template <typename T, typename Mask>
void CreateIndexRepeats(LocalTensor<T>& dst, const T& first, Mask mask, uint32_t repeats,
                        uint32_t block_stride, uint32_t repeat_stride) {
  static_assert(kIndexable<T>, "CreateVecIndex: int16_t, half, int32_t or float");
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  const Compute<T> start = ScalarOf(first);
  const RepeatPlan plan = PlanRepeats<true>(mask, repeats, kLanes);
  const Operand<T> out{dst.Data(), block_stride, repeat_stride};
  const uint32_t all = plan.repeats + (plan.tail != 0 ? 1 : 0);
  for (uint32_t repeat = 0; repeat < all; ++repeat) {
    const uint32_t leading = repeat < plan.repeats ? plan.lanes : plan.tail;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const bool active =
          plan.leading ? lane < leading : ((plan.bits[lane / 64] >> (lane % 64)) & 1) != 0;
      if (active) {
        *Stored(out.At(repeat, lane)) = IndexValue<T>(start, size_t{repeat} * kLanes + lane);
      }
    }
  }
}

}  // namespace twin

template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask,
               const uint8_t repeatTime, const uint16_t dstBlockStride,
               const uint8_t dstRepeatStride) {
  twin::DuplicateRepeats<isSetMask>(dst, scalarValue, mask, repeatTime, dstBlockStride,
                                    dstRepeatStride);
}
template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask[],
               const uint8_t repeatTime, const uint16_t dstBlockStride,
               const uint8_t dstRepeatStride) {
  twin::DuplicateRepeats<isSetMask>(dst, scalarValue, static_cast<const uint64_t*>(mask),
                                    repeatTime, dstBlockStride, dstRepeatStride);
}
template <typename T>
void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, const int32_t& count) {
  static_assert(twin::kMovable<T>, "Duplicate: element type without this instruction on this arch");
  if (likely(count > 0)) {
    twin::Map(twin::ConstantOp<twin::Bits<T>>{twin::BitsOf(scalarValue)},
              static_cast<size_t>(count), twin::RawData(dst));
  }
}

// Each repeat fills 8 data blocks, block j with src[8 * repeat + j].
template <typename T>
void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint8_t repeatTime,
          const BrcbRepeatParams& repeatParams) {
  static_assert(twin::kMovable<T>, "Brcb: element type without this instruction on this arch");
  using B = twin::Bits<T>;
  constexpr uint32_t kBlockLanes = twin::kBlockBytes / sizeof(T);
  const auto* in = twin::Stored(static_cast<const B*>(twin::RawData(src)));
  for (uint32_t i = 0; i < 8u * repeatTime; ++i) {
    const size_t block =
        size_t{i / 8} * repeatParams.dstRepStride + size_t{i % 8} * repeatParams.dstBlkStride;
    auto* out = twin::Stored(twin::RawData(dst)) + block * kBlockLanes;
    const B value = in[i];
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      out[lane] = value;
    }
  }
}

template <typename T>
void CreateVecIndex(LocalTensor<T>& dst, const T& firstValue, uint64_t mask, uint8_t repeatTime,
                    uint16_t dstBlkStride, uint8_t dstRepStride) {
  twin::CreateIndexRepeats(dst, firstValue, mask, repeatTime, dstBlkStride, dstRepStride);
}
template <typename T>
void CreateVecIndex(LocalTensor<T>& dst, const T& firstValue, uint64_t mask[], uint8_t repeatTime,
                    uint16_t dstBlkStride, uint8_t dstRepStride) {
  twin::CreateIndexRepeats(dst, firstValue, static_cast<const uint64_t*>(mask), repeatTime,
                           dstBlkStride, dstRepStride);
}
template <typename T>
void CreateVecIndex(LocalTensor<T> dst, const T& firstValue, uint32_t count) {
  static_assert(twin::kIndexable<T>, "CreateVecIndex: int16_t, half, int32_t or float");
  const auto start = twin::ScalarOf(firstValue);
  auto* out = twin::Stored(dst.Data());
  for (uint32_t i = 0; i < count; ++i) {
    out[i] = twin::IndexValue<T>(start, i);
  }
}

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_FILL_H_
