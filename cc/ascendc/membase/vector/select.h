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

// ---- instructions

// What the second source says of itself.
template <uint32_t kLanes, typename About, typename T>
void DescribeOther(About& about, const RepeatPlan& plan, const Operand<T>& dst,
                   const OtherTensor<T>& other) {
  DescribeSource<kLanes>(about, TwoSources("Select"), 1, plan, dst, other.src1);
}
template <uint32_t kLanes, typename About, typename T>
void DescribeOther(About&, const RepeatPlan&, const Operand<T>&, const OtherScalar<T>&) {}

// A device reads both sources whatever the bits say. `selection`: null for the compare register.
template <typename About, typename T, typename Other>
void DescribeSelect(About& about, const RepeatPlan& plan, SELMODE mode, const uint8_t* selection,
                    const Operand<T>& dst, const Operand<T>& src0, const Other& other) {
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  for (uint32_t repeat = 0; repeat < AllRepeats(plan) && selection != nullptr; ++repeat) {
    const uint32_t first = mode == SELMODE::VSEL_CMPMASK_SPR ? 0 : repeat * kLanes;
    const uint32_t lanes = LanesOf(plan, repeat).End();
    about.Access("selMask", selection + first / 8, (first % 8 + lanes + 7) / 8,
                 repeat == 0 ? kBlockBytes : 1, false, false);
  }
  DescribeSource<kLanes>(about, TwoSources("Select"), 0, plan, dst, src0);
  DescribeOther<kLanes>(about, plan, dst, other);
  DescribeElementwise<kLanes>(about, NoSource("Select"), plan, dst);
}

template <bool isSetMask, typename T, typename U, typename Second, typename Mask>
ASCENDC_TWIN_INLINE void SelectMasked(const LocalTensor<T>& dst, const LocalTensor<U>& selection,
                                      const LocalTensor<T>& src0, Second second, SELMODE mode,
                                      Mask mask, uint32_t repeats,
                                      const BinaryRepeatParams& params) {
  const RepeatPlan plan = PlanRepeats<isSetMask>(mask, repeats, kRepeatLanes<T>);
  const Operand<T> out = DstOperand(dst, params);
  const Operand<T> first = Src0Operand(src0, params);
  const auto* bits = reinterpret_cast<const uint8_t*>(selection.Data());
  Instruct<kPipeV>(
      "Select", [=] { SelectRepeats(out, bits, first, second, mode, plan); },
      [&](auto& about) {
        RequireMask<isSetMask>(about, mask, kRepeatLanes<T>);
        RequireStrides(about, out.block_stride);
        DescribeSelect(about, plan, mode, bits, out, first, second);
      });
}

// `other`: as in the mask form, for the description.
template <typename T, typename U, typename Second, typename Other>
ASCENDC_TWIN_INLINE void SelectCounted(const LocalTensor<T>& dst, const LocalTensor<U>& selection,
                                       const LocalTensor<T>& src0, Second second,
                                       const Other& other, SELMODE mode, uint32_t count) {
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  T* out = dst.Data();
  const T* first = src0.Data();
  const auto* bits = reinterpret_cast<const uint8_t*>(selection.Data());
  Instruct<kPipeV>(
      "Select", [=] { SelectCount(out, bits, first, second, mode, count); },
      [&](auto& about) {
        DescribeSelect(about, PlanCount(count, kLanes), mode, bits, DenseOperand<kLanes>(out),
                       DenseOperand<kLanes>(first), other);
      });
}

}  // namespace twin

// Modes 0 and 2.
template <typename T, typename U, bool isSetMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE selMode, uint64_t mask[], uint8_t repeatTime,
            const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::SelectMasked<isSetMask>(
      dst, selMask, src0, twin::OtherTensor<T>{twin::Src1Operand(src1, repeatParams)}, selMode,
      static_cast<const uint64_t*>(mask), repeatTime, repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime,
            const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::SelectMasked<isSetMask>(dst, selMask, src0,
                                twin::OtherTensor<T>{twin::Src1Operand(src1, repeatParams)},
                                selMode, mask, repeatTime, repeatParams);
}
template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE selMode, uint32_t count ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  const auto* second = twin::Stored(static_cast<const twin::Bits<T>*>(twin::RawData(src1)));
  constexpr uint32_t kLanes = twin::kRepeatLanes<T>;
  const twin::OtherTensor<T> other{twin::DenseOperand<kLanes>(src1.Data())};
  twin::SelectCounted(dst, selMask, src0, second, other, selMode, count);
}

// Mode 1.
template <typename T, typename U, bool isSetMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            T src1, SELMODE selMode, uint64_t mask[], uint8_t repeatTime,
            const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::SelectMasked<isSetMask>(dst, selMask, src0, twin::OtherScalar<T>{twin::BitsOf(src1)},
                                selMode, static_cast<const uint64_t*>(mask), repeatTime,
                                repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            T src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime,
            const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::SelectMasked<isSetMask>(dst, selMask, src0, twin::OtherScalar<T>{twin::BitsOf(src1)},
                                selMode, mask, repeatTime, repeatParams);
}
template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            T src1, SELMODE selMode, uint32_t count ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  const auto bits = twin::BitsOf(src1);
  twin::SelectCounted(dst, selMask, src0, twin::RepeatedValue<twin::Bits<T>>{bits},
                      twin::OtherScalar<T>{bits}, selMode, count);
}

// Mode 0 with the bits of the compare register and the lanes of SetVectorMask. Modes 1 and 2 of
// this form, whose register holds a scalar or an address, are not in the twin.
template <typename T, SELMODE selMode>
void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
            uint8_t repeatTime, const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  static_assert(selMode == SELMODE::VSEL_CMPMASK_SPR, "Select without selMask: mode 0 only");
  const twin::RepeatPlan plan =
      twin::PlanRepeats<false>(MASK_PLACEHOLDER, repeatTime, twin::kRepeatLanes<T>);
  const twin::Operand<T> out = twin::DstOperand(dst, repeatParams);
  const twin::Operand<T> first = twin::Src0Operand(src0, repeatParams);
  const twin::OtherTensor<T> other{twin::Src1Operand(src1, repeatParams)};
  twin::Instruct<twin::kPipeV>(
      "Select",
      [=] {
        twin::SelectRepeats(out, twin::State().vector.compare_mask, first, other, selMode, plan);
      },
      [&](auto& about) {
        twin::RequireStrides(about, out.block_stride);
        twin::DescribeSelect(about, plan, selMode, nullptr, out, first, other);
      });
}

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_SELECT_H_
