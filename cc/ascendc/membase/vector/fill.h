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
  MapRepeats<isSetMask>(NoSource("Duplicate"), ConstantOp<Bits<T>>{BitsOf(scalar)}, mask, repeats,
                        MakeOperand(RawData(dst), block_stride, repeat_stride));
}

// Element i of the whole instruction is first + i, rounded to T; lanes that a mask leaves out still
// count.
template <typename T>
ASCENDC_TWIN_INLINE typename Lane<T>::Storage IndexValue(Compute<T> first, size_t i) {
  return Lane<T>::Store(Plus(first, static_cast<Compute<T>>(i)));
}

template <typename T>
void WriteIndices(const Operand<T>& out, Compute<T> start, const RepeatPlan& plan) {
  constexpr uint32_t kLanes = kRepeatLanes<T>;
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

template <typename T, typename Mask>
ASCENDC_TWIN_INLINE void CreateIndexRepeats(LocalTensor<T>& dst, const T& first, Mask mask,
                                            uint32_t repeats, uint32_t block_stride,
                                            uint32_t repeat_stride) {
  static_assert(kIndexable<T>, "CreateVecIndex: int16_t, half, int32_t or float");
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  const Compute<T> start = ScalarOf(first);
  const RepeatPlan plan = PlanRepeats<true>(mask, repeats, kLanes);
  const Operand<T> out{dst.Data(), block_stride, repeat_stride};
  Instruct<kPipeV>(
      "CreateVecIndex", [=] { WriteIndices(out, start, plan); },
      [&](auto& about) {
        RequireMask<true>(about, mask, kLanes);
        RequireStrides(about, block_stride);
        DescribeElementwise<kLanes>(about, NoSource("CreateVecIndex"), plan, out);
      });
}

// dst[i] = start + i
template <typename T>
void WriteIndices(T* dst, Compute<T> start, uint32_t count) {
  auto* out = Stored(dst);
  for (uint32_t i = 0; i < count; ++i) {
    out[i] = IndexValue<T>(start, i);
  }
}

template <typename B>
void BroadcastBlocks(const Operand<B>& dst, const B* src, uint32_t repeats) {
  constexpr uint32_t kBlockLanes = Operand<B>::kBlockLanes;
  const auto* in = Stored(src);
  for (uint32_t i = 0; i < 8u * repeats; ++i) {
    auto* out = Stored(dst.At(i / 8, i % 8 * kBlockLanes));
    const B value = in[i];
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      out[lane] = value;
    }
  }
}

}  // namespace twin

template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask,
               const uint8_t repeatTime, const uint16_t dstBlockStride,
               const uint8_t dstRepeatStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::DuplicateRepeats<isSetMask>(dst, scalarValue, mask, repeatTime, dstBlockStride,
                                    dstRepeatStride);
}
template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask[],
               const uint8_t repeatTime, const uint16_t dstBlockStride,
               const uint8_t dstRepeatStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::DuplicateRepeats<isSetMask>(dst, scalarValue, static_cast<const uint64_t*>(mask),
                                    repeatTime, dstBlockStride, dstRepeatStride);
}
template <typename T>
void Duplicate(const LocalTensor<T>& dst, const T& scalarValue,
               const int32_t& count ASCENDC_TWIN_PLACE) {
  static_assert(twin::kMovable<T>, "Duplicate: element type without this instruction on this arch");
  ASCENDC_TWIN_AT;
  twin::MapData(twin::NoSource("Duplicate"),
                twin::ConstantOp<twin::Bits<T>>{twin::BitsOf(scalarValue)}, count,
                twin::RawData(dst));
}

// Each repeat fills 8 data blocks, block j with src[8 * repeat + j].
template <typename T>
void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint8_t repeatTime,
          const BrcbRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  static_assert(twin::kMovable<T>, "Brcb: element type without this instruction on this arch");
  ASCENDC_TWIN_AT;
  const auto out =
      twin::MakeOperand(twin::RawData(dst), repeatParams.dstBlkStride, repeatParams.dstRepStride);
  const twin::Bits<T>* in = twin::RawData(src);
  twin::Instruct<twin::kPipeV>(
      "Brcb", [=] { twin::BroadcastBlocks(out, in, repeatTime); },
      [&](auto& about) {
        constexpr uint32_t kLanes = twin::kRepeatLanes<T>;
        const twin::RepeatPlan plan = twin::PlanLeading(kLanes, repeatTime, kLanes);
        twin::RequireStrides(about, out.block_stride);
        about.Read("src", in, 8u * repeatTime);
        twin::DescribeElementwise<kLanes>(about, twin::NoSource("Brcb"), plan, out);
      });
}

template <typename T>
void CreateVecIndex(LocalTensor<T>& dst, const T& firstValue, uint64_t mask, uint8_t repeatTime,
                    uint16_t dstBlkStride, uint8_t dstRepStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::CreateIndexRepeats(dst, firstValue, mask, repeatTime, dstBlkStride, dstRepStride);
}
template <typename T>
void CreateVecIndex(LocalTensor<T>& dst, const T& firstValue, uint64_t mask[], uint8_t repeatTime,
                    uint16_t dstBlkStride, uint8_t dstRepStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::CreateIndexRepeats(dst, firstValue, static_cast<const uint64_t*>(mask), repeatTime,
                           dstBlkStride, dstRepStride);
}
template <typename T>
void CreateVecIndex(LocalTensor<T> dst, const T& firstValue, uint32_t count ASCENDC_TWIN_PLACE) {
  static_assert(twin::kIndexable<T>, "CreateVecIndex: int16_t, half, int32_t or float");
  ASCENDC_TWIN_AT;
  const auto start = twin::ScalarOf(firstValue);
  T* data = dst.Data();
  twin::Instruct<twin::kPipeV>(
      "CreateVecIndex", [=] { twin::WriteIndices(data, start, count); },
      [&](auto& about) {
        constexpr uint32_t kLanes = twin::kRepeatLanes<T>;
        about.Write("dst", data, count);
        twin::DescribeWork(about, twin::PlanCount(count, kLanes), kLanes);
      });
}

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_FILL_H_
