// Instructions that move elements within the Unified Buffer: Copy, Gather, Gatherb, GatherMask,
// Transpose, TransDataTo5HD. Elements move as bits. Copies from and to global memory are in
// ../copy.h.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_MOVE_H_
#define CC_ASCENDC_MEMBASE_VECTOR_MOVE_H_

#include "cc/ascendc/membase/element.h"
#include "cc/ascendc/membase/tell.h"
#include "cc/ascendc/membase/vector/fill.h"
#include "cc/ascendc/membase/vector/reduce_lanes.h"

ASCENDC_TWIN_BEGIN

namespace twin {

template <typename B>
struct SameOp {
  ASCENDC_TWIN_INLINE B operator()(B value) const { return value; }
};

// In counter mode, unlike other instructions, the mask counts the elements of each repeat, in whole
// data blocks.
template <bool isSetMask, typename B, typename Mask>
ASCENDC_TWIN_INLINE void CopyRepeats(const Operand<B>& dst, const Operand<B>& src, Mask mask,
                                     uint32_t repeats) {
  constexpr uint32_t kLanes = kRepeatLanes<B>;
  constexpr uint32_t kBlockLanes = Operand<B>::kBlockLanes;
  RepeatPlan plan = PlanRepeats<isSetMask>(mask, repeats, kLanes);
  if (unlikely(State().vector.counter_mode)) {
    const uint64_t elements = uint64_t{plan.repeats} * kLanes + plan.tail;
    plan = PlanLeading((elements + kBlockLanes - 1) / kBlockLanes * kBlockLanes, repeats, kLanes);
  }
  Instruct<kPipeV>(
      "Copy", [=] { ForEachRun<kLanes>(plan, MapRun<SameOp<B>, B, B>{}, dst, src); },
      [&](auto& about) {
        RequireMask<isSetMask>(about, mask, kLanes);
        RequireStrides(about, dst.block_stride);
        DescribeElementwise<kLanes>(about, OneSource("Copy"), plan, dst, src);
      });
}

template <bool isSetMask, typename T, typename Mask>
void CopyMasked(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask, uint32_t repeats,
                const CopyRepeatParams& params) {
  static_assert(kMovable<T>, "Copy: element type without this instruction on this arch");
  CopyRepeats<isSetMask>(MakeOperand(RawData(dst), params.dstStride, params.dstRepeatSize),
                         MakeOperand(RawData(src), params.srcStride, params.srcRepeatSize), mask,
                         repeats);
}

// The element `bytes` behind the start of src.
template <typename T>
ASCENDC_TWIN_INLINE Bits<T> ElementAt(const T* src, uint32_t bytes) {
  Bits<T> bits = 0;
  const uint8_t* at = reinterpret_cast<const uint8_t*>(src) + bytes;
  if (MayDiscover(at, sizeof(bits), false, sizeof(bits))) {
    __builtin_memcpy(&bits, at, sizeof(bits));
  }
  return bits;
}

template <typename B, typename T>
void GatherLanes(const Operand<B>& out, const T* src, const uint32_t* offsets, uint32_t base,
                 const RepeatPlan& plan) {
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  const auto* offset = Stored(offsets);
  for (uint32_t repeat = 0; repeat < AllRepeats(plan); ++repeat) {
    const LaneMask lanes = LanesOf(plan, repeat);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if (lanes.Has(lane)) {
        *Stored(out.At(repeat, lane)) =
            ElementAt(src, base + offset[size_t{repeat} * kLanes + lane]);
      }
    }
  }
}

// Where the elements come from, the instruction finds out as it runs.
template <typename T, typename Mask>
ASCENDC_TWIN_INLINE void GatherRepeats(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                       const LocalTensor<uint32_t>& offsets, uint32_t base,
                                       Mask mask, uint32_t repeats, uint32_t repeat_stride) {
  static_assert(kMovable<T>, "Gather: element type without this instruction on this arch");
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  const RepeatPlan plan = PlanRepeats<true>(mask, repeats, kLanes);
  const auto out = MakeOperand(RawData(dst), 1, repeat_stride);
  const T* data = src.Data();
  const uint32_t* offset = offsets.Data();
  Instruct<kPipeV>(
      "Gather", [=] { GatherLanes(out, data, offset, base, plan); },
      [&](auto& about) {
        about.Discovers();
        RequireMask<true>(about, mask, kLanes);
        DescribeOperand<kLanes>(about, "srcOffset", plan, DenseOperand<kLanes>(offset), false);
        DescribeElementwise<kLanes>(about, NoSource("Gather"), plan, out);
      });
}

template <typename T>
void GatherElements(T* dst, const T* src, const uint32_t* offsets, uint32_t base, uint32_t count) {
  const auto* offset = Stored(offsets);
  auto* out = Stored(reinterpret_cast<Bits<T>*>(dst));
  for (uint32_t i = 0; i < count; ++i) {
    out[i] = ElementAt(src, base + offset[i]);
  }
}

// Blocks of 32 bytes behind the start of src.
template <typename B>
void GatherBlocks(const Operand<B>& out, const uint8_t* src, const uint32_t* offsets,
                  uint32_t repeats) {
  const auto* from = Stored(offsets);
  for (uint32_t i = 0; i < 8u * repeats; ++i) {
    if (MayDiscover(src + from[i], kBlockBytes, false, kBlockBytes)) {
      __builtin_memcpy(out.At(i / 8, i % 8 * Operand<B>::kBlockLanes), src + from[i], kBlockBytes);
    }
  }
}

// Whether the fixed pattern 1 to 7 keeps element i.
ASCENDC_TWIN_INLINE bool FixedPatternKeeps(uint32_t pattern, uint32_t i) {
  if (pattern <= 2) {
    return i % 2 == pattern - 1;
  }
  return pattern == 7 || i % 4 == pattern - 3;
}

// Which elements GatherMask keeps: a fixed pattern, or the bits of a tensor.
struct FixedPattern {
  uint32_t pattern;
  ASCENDC_TWIN_INLINE bool Keeps(uint32_t, uint32_t i) const {
    return FixedPatternKeeps(pattern, i);
  }
};
struct TensorPattern {
  const uint8_t* bits;
  uint32_t repeat_stride;
  ASCENDC_TWIN_INLINE const uint8_t* Row(uint32_t repeat) const {
    return bits + size_t{repeat} * repeat_stride * kBlockBytes;
  }
  ASCENDC_TWIN_INLINE bool Keeps(uint32_t repeat, uint32_t i) const {
    return ((Row(repeat)[i / 8] >> (i % 8)) & 1) != 0;
  }
};

// Writes the elements that are kept one after the other and returns their number.
template <typename B, typename Pattern>
uint64_t GatherKept(B* dst, const Operand<B>& src, uint32_t repeats, uint32_t elements,
                    const Pattern& pattern) {
  auto* out = Stored(dst);
  uint64_t kept = 0;
  for (uint32_t repeat = 0; repeat < repeats; ++repeat) {
    for (uint32_t i = 0; i < elements; ++i) {
      if (pattern.Keeps(repeat, i)) {
        if (MayDiscover(out + kept, sizeof(B), true)) {
          out[kept] = *Stored(src.At(repeat, i));
        }
        ++kept;
      }
    }
  }
  return kept;
}

template <typename About>
void DescribePattern(About&, const FixedPattern&, uint32_t, uint32_t) {}
template <typename About>
void DescribePattern(About& about, const TensorPattern& pattern, uint32_t repeats,
                     uint32_t elements) {
  for (uint32_t repeat = 0; repeat < repeats; ++repeat) {
    about.Read("src1Pattern", pattern.Row(repeat), (elements + 7) / 8);
  }
}

// Without reduce_mode a repeat has 256 bytes, with it `mask` elements. How much of dst is written,
// the instruction finds out as it runs.
template <typename T, typename Pattern>
ASCENDC_TWIN_INLINE uint64_t GatherMasked(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                          bool reduce_mode, uint32_t mask,
                                          const GatherMaskParams& params, const Pattern& pattern) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || kIsArch35,
                "GatherMask: 16-bit and 32-bit types");
  const uint32_t elements = reduce_mode ? mask : kRepeatLanes<T>;
  const uint32_t repeats = params.repeatTimes;
  const auto in = MakeOperand(RawData(src), params.src0BlockStride, params.src0RepeatStride);
  auto* out = RawData(dst);
  Instruct<kPipeV>(
      "GatherMask",
      [=] { State().vector.gathered = GatherKept(out, in, repeats, elements, pattern); },
      [&](auto& about) {
        constexpr uint32_t kBlockLanes = Operand<T>::kBlockLanes;
        about.Discovers();
        about.Require(reinterpret_cast<uint64_t>(out) % kBlockBytes == 0,
                      "dst of GatherMask does not begin at a multiple of 32 bytes of UB");
        DescribePattern(about, pattern, repeats, elements);
        for (uint32_t repeat = 0; repeat < repeats; ++repeat) {
          for (uint32_t i = 0; i < elements; i += kBlockLanes) {
            const uint32_t left = elements - i;
            about.Read("src0", in.At(repeat, i), left < kBlockLanes ? left : kBlockLanes);
          }
        }
        about.Work(uint64_t{repeats} * elements, repeats, sizeof(T));
      });
  AwaitVector();
  return State().vector.gathered;
}

struct AddressList {
  uint64_t at[NCHW_CONV_ADDR_LIST_SIZE];
};

// 16 data blocks per side. Types of 16 bits: dst[i] element j = src[j] element i. Types of 32 bits:
// the 16 elements of column i of the sources fill dst[2 * i] and dst[2 * i + 1].
template <typename T>
void TransposeBlocks(const AddressList& dst, const AddressList& src,
                     const TransDataTo5HDParams& params) {
  using B = Bits<T>;
  constexpr uint32_t kBlockLanes = kBlockBytes / sizeof(B);
  constexpr uint32_t kRows = NCHW_CONV_ADDR_LIST_SIZE;
  for (uint32_t repeat = 0; repeat < params.repeatTimes; ++repeat) {
    const size_t src_offset = size_t{repeat} * params.srcRepStride * kBlockBytes;
    const size_t dst_offset = size_t{repeat} * params.dstRepStride * kBlockBytes;
    B elements[kRows][kBlockLanes];
    for (uint32_t row = 0; row < kRows; ++row) {
      __builtin_memcpy(elements[row], reinterpret_cast<const void*>(src.at[row] + src_offset),
                       kBlockBytes);
    }
    for (uint32_t i = 0; i < kRows * kBlockLanes; ++i) {
      const uint64_t block = dst.at[i / kBlockLanes] + dst_offset;
      const B element = elements[i % kRows][i / kRows];
      __builtin_memcpy(reinterpret_cast<void*>(block + i % kBlockLanes * sizeof(B)), &element,
                       sizeof(element));
    }
  }
}

template <typename T>
ASCENDC_TWIN_INLINE void TransposeLists(const char* name, const AddressList& dst,
                                        const AddressList& src,
                                        const TransDataTo5HDParams& params) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4,
                "TransDataTo5HD in the twin: 16-bit and 32-bit types");
  Instruct<kPipeV>(
      name, [=] { TransposeBlocks<T>(dst, src, params); },
      [&](auto& about) {
        for (uint32_t i = 0; i < params.repeatTimes * uint32_t{NCHW_CONV_ADDR_LIST_SIZE}; ++i) {
          const uint64_t offset = uint64_t{i / 16} * params.srcRepStride * kBlockBytes;
          about.Access("src", reinterpret_cast<const void*>(src.at[i % 16] + offset), kBlockBytes,
                       kBlockBytes, false, false);
        }
        for (uint32_t i = 0; i < params.repeatTimes * uint32_t{NCHW_CONV_ADDR_LIST_SIZE}; ++i) {
          const uint64_t offset = uint64_t{i / 16} * params.dstRepStride * kBlockBytes;
          about.Access("dst", reinterpret_cast<const void*>(dst.at[i % 16] + offset), kBlockBytes,
                       kBlockBytes, true, false);
        }
        about.Work(uint64_t{params.repeatTimes} * 16 * kBlockBytes / sizeof(T), params.repeatTimes,
                   sizeof(T));
      });
}

template <typename T>
AddressList AddressesOf(const LocalTensor<T> (&tensors)[NCHW_CONV_ADDR_LIST_SIZE]) {
  AddressList list;
  for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    list.at[i] = reinterpret_cast<uint64_t>(tensors[i].Data());
  }
  return list;
}

// The data blocks of one tensor, one after the other.
template <typename T>
AddressList RowsOf(const LocalTensor<T>& tensor) {
  AddressList list;
  for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    list.at[i] = reinterpret_cast<uint64_t>(tensor.Data()) + static_cast<uint64_t>(i) * kBlockBytes;
  }
  return list;
}

}  // namespace twin

template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],
          const uint8_t repeatTime, const CopyRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::CopyMasked<isSetMask>(dst, src, mask, repeatTime, repeatParams);
}
template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask,
          const uint8_t repeatTime, const CopyRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::CopyMasked<isSetMask>(dst, src, mask, repeatTime, repeatParams);
}

// dst[i] = the element at srcBaseOffset + srcOffset[i] bytes behind the start of src.
template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
            const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseOffset,
            const uint64_t mask, const uint8_t repeatTime,
            const uint16_t dstRepStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::GatherRepeats(dst, src, srcOffset, srcBaseOffset, mask, repeatTime, dstRepStride);
}
template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
            const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseOffset,
            const uint64_t mask[], const uint8_t repeatTime,
            const uint16_t dstRepStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::GatherRepeats(dst, src, srcOffset, srcBaseOffset, mask, repeatTime, dstRepStride);
}
template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
            const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseOffset,
            const uint32_t count ASCENDC_TWIN_PLACE) {
  static_assert(twin::kMovable<T>, "Gather: element type without this instruction on this arch");
  ASCENDC_TWIN_AT;
  T* out = dst.Data();
  const T* data = src.Data();
  const uint32_t* offset = srcOffset.Data();
  twin::Instruct<twin::kPipeV>(
      "Gather", [=] { twin::GatherElements(out, data, offset, srcBaseOffset, count); },
      [&](auto& about) {
        constexpr uint32_t kLanes = twin::kRepeatLanes<T>;
        about.Discovers();
        about.Read("srcOffset", offset, count);
        about.Write("dst", out, count);
        twin::DescribeWork(about, twin::PlanCount(count, kLanes), kLanes);
      });
}

// Data block j of repeat r = the 32 bytes at offset[8 * r + j] bytes behind the start of src. A
// dstBlkStride of 0 means 1.
template <typename T>
void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src,
             const LocalTensor<uint32_t>& offset, const uint8_t repeatTime,
             const GatherRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  static_assert(twin::kMovable<T>, "Gatherb: element type without this instruction on this arch");
  ASCENDC_TWIN_AT;
  const uint32_t block_stride = repeatParams.dstBlkStride == 0 ? 1 : repeatParams.dstBlkStride;
  const auto out = twin::MakeOperand(twin::RawData(dst), block_stride, repeatParams.dstRepStride);
  const auto* data = reinterpret_cast<const uint8_t*>(src.Data());
  const uint32_t* offsets = offset.Data();
  twin::Instruct<twin::kPipeV>(
      "Gatherb", [=] { twin::GatherBlocks(out, data, offsets, repeatTime); },
      [&](auto& about) {
        constexpr uint32_t kLanes = twin::kRepeatLanes<T>;
        about.Discovers();
        about.Read("offset", offsets, 8u * repeatTime);
        twin::DescribeElementwise<kLanes>(about, twin::NoSource("Gatherb"),
                                          twin::PlanLeading(kLanes, repeatTime, kLanes), out);
      });
}

// Keeps the elements whose pattern bit is 1: bits of a tensor, consumed in order within a repeat,
// or a fixed pattern (1, 2: even, odd indices; 3 to 6: the first to fourth of every four; 7: all).
// rsvdCnt: how many were kept.
template <typename T, typename U, GatherMaskMode mode = GatherMaskMode::VERSION_V2>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                const LocalTensor<U>& src1Pattern, const bool reduceMode, const uint32_t mask,
                const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt ASCENDC_TWIN_PLACE) {
  static_assert(sizeof(U) == sizeof(T),
                "GatherMask: the pattern's type is as wide as the elements");
  ASCENDC_TWIN_AT;
  rsvdCnt =
      twin::GatherMasked(dst, src0, reduceMode, mask, gatherMaskParams,
                         twin::TensorPattern{reinterpret_cast<const uint8_t*>(src1Pattern.Data()),
                                             gatherMaskParams.src1RepeatStride});
}
template <typename T, GatherMaskMode mode = GatherMaskMode::VERSION_V2>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t src1Pattern,
                const bool reduceMode, const uint32_t mask,
                const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  if (unlikely(src1Pattern < 1 || src1Pattern > 7)) {
    twin::Fail("GatherMask got a fixed pattern outside 1 to 7", "memory");
  }
  rsvdCnt = twin::GatherMasked(dst, src0, reduceMode, mask, gatherMaskParams,
                               twin::FixedPattern{src1Pattern});
}

template <typename T>
void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE],
                    uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& nchwconvParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::AddressList dst;
  twin::AddressList src;
  __builtin_memcpy(dst.at, dstList, sizeof(dst.at));
  __builtin_memcpy(src.at, srcList, sizeof(src.at));
  twin::TransposeLists<T>("TransDataTo5HD", dst, src, nchwconvParams);
}
template <typename T>
void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& nchwconvParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::TransposeLists<T>("TransDataTo5HD", twin::AddressesOf(dstList), twin::AddressesOf(srcList),
                          nchwconvParams);
}

// A 16 x 16 matrix of 16-bit elements.
template <typename T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src ASCENDC_TWIN_PLACE) {
  static_assert(sizeof(T) == 2, "Transpose: 16-bit types");
  ASCENDC_TWIN_AT;
  twin::TransposeLists<T>("Transpose", twin::RowsOf(dst), twin::RowsOf(src),
                          TransDataTo5HDParams());
}

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_MOVE_H_
