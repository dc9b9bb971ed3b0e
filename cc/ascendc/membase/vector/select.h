// Select: dst[i] = src0[i] where the selection bit is 1, else src1[i] or a scalar. Elements move as
// bits.
//
// Mode 0 uses the first 256 / sizeof(T) bits of selMask in every repeat; modes 1 (scalar) and 2
// (tensor) use the bits of repeat r from r * 256 / sizeof(T) on, also where a mask leaves lanes
// out. compare.h makes such bits.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_SELECT_H_
#define CC_ASCENDC_MEMBASE_VECTOR_SELECT_H_

#include "cc/ascendc/membase/vector/fill.h"
#include "cc/ascendc/membase/vector/reduce_lanes.h"

ASCENDC_TWIN_BEGIN

namespace twin {

template <typename T>
constexpr bool kSelectable = kIsOneOf<T, half, float> || (kIsArch35 && kMovable<T>);

ASCENDC_TWIN_INLINE bool SelectionBit(const uint8_t* bits, size_t i) {
  return ((bits[i / 8] >> (i % 8)) & 1) != 0;
}

// A second source that is one value everywhere.
template <typename B>
struct RepeatedValue {
  B value;
  ASCENDC_TWIN_INLINE B operator[](size_t) const { return value; }
  ASCENDC_TWIN_INLINE RepeatedValue operator+(size_t) const { return *this; }
};

template <typename B, typename Second>
__attribute__((noinline)) void SelectRun(B* dst, const uint8_t* bits, const B* src0, Second src1,
                                         size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const uint32_t byte = bits[i / 8];
#pragma clang loop vectorize(assume_safety)
    for (uint32_t j = 0; j < 8; ++j) {
      dst[i + j] = ((byte >> j) & 1) != 0 ? src0[i + j] : src1[i + j];
    }
  }
  for (; i < count; ++i) {
    dst[i] = SelectionBit(bits, i) ? src0[i] : src1[i];
  }
}

// Mode 0 repeats its bits, the others go on.
template <typename T, typename Second>
void SelectCount(T* dst, const void* selection, const T* src0, Second src1, SELMODE mode,
                 size_t count) {
  static_assert(kSelectable<T>, "Select: half or float");
  constexpr size_t kLanes = kRepeatLanes<T>;
  auto* out = Stored(reinterpret_cast<Bits<T>*>(dst));
  const auto* first = Stored(reinterpret_cast<const Bits<T>*>(src0));
  const auto* bits = static_cast<const uint8_t*>(selection);
  if (mode != SELMODE::VSEL_CMPMASK_SPR) {
    SelectRun(out, bits, first, src1, count);
    return;
  }
  for (size_t i = 0; i < count; i += kLanes) {
    SelectRun(out + i, bits, first + i, src1 + i, count - i < kLanes ? count - i : kLanes);
  }
}

// `second(repeat, lane)` gives the bits of the other choice.
template <typename T, typename Second>
void SelectRepeats(const Operand<T>& dst, const void* selection, const Operand<T>& src0,
                   Second second, SELMODE mode, const RepeatPlan& plan) {
  static_assert(kSelectable<T>, "Select: half or float");
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  const auto* bits = static_cast<const uint8_t*>(selection);
  for (uint32_t repeat = 0; repeat < AllRepeats(plan); ++repeat) {
    const LaneMask mask = LanesOf(plan, repeat);
    const size_t first_bit = mode == SELMODE::VSEL_CMPMASK_SPR ? 0 : size_t{repeat} * kLanes;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if (mask.Has(lane)) {
        Bits<T> chosen;
        if (SelectionBit(bits, first_bit + lane)) {
          __builtin_memcpy(&chosen, src0.At(repeat, lane), sizeof(chosen));
        } else {
          chosen = second(repeat, lane);
        }
        __builtin_memcpy(dst.At(repeat, lane), &chosen, sizeof(chosen));
      }
    }
  }
}

template <typename T>
struct OtherTensor {
  Operand<T> src1;
  ASCENDC_TWIN_INLINE Bits<T> operator()(uint32_t repeat, uint32_t lane) const {
    Bits<T> bits;
    __builtin_memcpy(&bits, src1.At(repeat, lane), sizeof(bits));
    return bits;
  }
};
template <typename T>
struct OtherScalar {
  Bits<T> value;
  ASCENDC_TWIN_INLINE Bits<T> operator()(uint32_t, uint32_t) const { return value; }
};

template <bool isSetMask, typename T, typename U, typename Second, typename Mask>
void SelectMasked(const LocalTensor<T>& dst, const LocalTensor<U>& selection,
                  const LocalTensor<T>& src0, Second second, SELMODE mode, Mask mask,
                  uint32_t repeats, const BinaryRepeatParams& params) {
  SelectRepeats(DstOperand(dst, params), selection.Data(), Src0Operand(src0, params), second, mode,
                PlanRepeats<isSetMask>(mask, repeats, kRepeatLanes<T>));
}

}  // namespace twin

// Modes 0 and 2.
template <typename T, typename U, bool isSetMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE selMode, uint64_t mask[], uint8_t repeatTime,
            const BinaryRepeatParams& repeatParams) {
  twin::SelectMasked<isSetMask>(
      dst, selMask, src0, twin::OtherTensor<T>{twin::Src1Operand(src1, repeatParams)}, selMode,
      static_cast<const uint64_t*>(mask), repeatTime, repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime,
            const BinaryRepeatParams& repeatParams) {
  twin::SelectMasked<isSetMask>(dst, selMask, src0,
                                twin::OtherTensor<T>{twin::Src1Operand(src1, repeatParams)},
                                selMode, mask, repeatTime, repeatParams);
}
template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE selMode, uint32_t count) {
  const auto* second = twin::Stored(static_cast<const twin::Bits<T>*>(twin::RawData(src1)));
  twin::SelectCount(dst.Data(), selMask.Data(), static_cast<const T*>(src0.Data()), second, selMode,
                    count);
}

// Mode 1.
template <typename T, typename U, bool isSetMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            T src1, SELMODE selMode, uint64_t mask[], uint8_t repeatTime,
            const BinaryRepeatParams& repeatParams) {
  twin::SelectMasked<isSetMask>(dst, selMask, src0, twin::OtherScalar<T>{twin::BitsOf(src1)},
                                selMode, static_cast<const uint64_t*>(mask), repeatTime,
                                repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            T src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime,
            const BinaryRepeatParams& repeatParams) {
  twin::SelectMasked<isSetMask>(dst, selMask, src0, twin::OtherScalar<T>{twin::BitsOf(src1)},
                                selMode, mask, repeatTime, repeatParams);
}
template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            T src1, SELMODE selMode, uint32_t count) {
  twin::SelectCount(dst.Data(), selMask.Data(), static_cast<const T*>(src0.Data()),
                    twin::RepeatedValue<twin::Bits<T>>{twin::BitsOf(src1)}, selMode, count);
}

// Mode 0 with the bits of the compare register and the lanes of SetVectorMask. Modes 1 and 2 of
// this form, whose register holds a scalar or an address, are not in the twin.
template <typename T, SELMODE selMode>
void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
            uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  static_assert(selMode == SELMODE::VSEL_CMPMASK_SPR, "Select without selMask: mode 0 only");
  twin::SelectRepeats(
      twin::DstOperand(dst, repeatParams), twin::State().vector.compare_mask,
      twin::Src0Operand(src0, repeatParams),
      twin::OtherTensor<T>{twin::Src1Operand(src1, repeatParams)}, selMode,
      twin::PlanRepeats<false>(MASK_PLACEHOLDER, repeatTime, twin::kRepeatLanes<T>));
}

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_SELECT_H_
