// Instructions that move elements within the Unified Buffer: Copy, Gather, Gatherb, GatherMask,
// Transpose, TransDataTo5HD. Elements move as bits. Copies from and to global memory are in
// ../copy.h.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_MOVE_H_
#define CC_ASCENDC_MEMBASE_VECTOR_MOVE_H_

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
void CopyRepeats(const Operand<B>& dst, const Operand<B>& src, Mask mask, uint32_t repeats) {
  constexpr uint32_t kLanes = kRepeatLanes<B>;
  constexpr uint32_t kBlockLanes = Operand<B>::kBlockLanes;
  RepeatPlan plan = PlanRepeats<isSetMask>(mask, repeats, kLanes);
  if (unlikely(State().vector.counter_mode)) {
    const uint64_t elements = uint64_t{plan.repeats} * kLanes + plan.tail;
    plan = PlanLeading((elements + kBlockLanes - 1) / kBlockLanes * kBlockLanes, repeats, kLanes);
  }
  ForEachRun<kLanes>(plan, MapRun<SameOp<B>, B, B>{}, dst, src);
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
ASCENDC_TWIN_INLINE Bits<T> ElementAt(const LocalTensor<T>& src, uint32_t bytes) {
  Bits<T> bits;
  __builtin_memcpy(&bits, reinterpret_cast<const uint8_t*>(src.Data()) + bytes, sizeof(bits));
  return bits;
}

template <typename T, typename Mask>
void GatherRepeats(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                   const LocalTensor<uint32_t>& offsets, uint32_t base, Mask mask, uint32_t repeats,
                   uint32_t repeat_stride) {
  static_assert(kMovable<T>, "Gather: element type without this instruction on this arch");
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  const RepeatPlan plan = PlanRepeats<true>(mask, repeats, kLanes);
  const auto out = MakeOperand(RawData(dst), 1, repeat_stride);
  const auto* offset = Stored(static_cast<const uint32_t*>(offsets.Data()));
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

// Whether the fixed pattern 1 to 7 keeps element i.
ASCENDC_TWIN_INLINE bool FixedPatternKeeps(uint32_t pattern, uint32_t i) {
  if (pattern <= 2) {
    return i % 2 == pattern - 1;
  }
  return pattern == 7 || i % 4 == pattern - 3;
}

// Writes the elements that keeps(repeat, i) admits one after the other and returns their number.
// Without reduce_mode a repeat has 256 bytes, with it `mask` elements.
template <typename T, typename Keeps>
uint64_t GatherKept(const LocalTensor<T>& dst, const LocalTensor<T>& src, bool reduce_mode,
                    uint32_t mask, const GatherMaskParams& params, Keeps keeps) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || kIsArch35,
                "GatherMask: 16-bit and 32-bit types");
  const uint32_t elements = reduce_mode ? mask : kRepeatLanes<T>;
  const auto in = MakeOperand(RawData(src), params.src0BlockStride, params.src0RepeatStride);
  auto* out = Stored(RawData(dst));
  uint64_t kept = 0;
  for (uint32_t repeat = 0; repeat < params.repeatTimes; ++repeat) {
    for (uint32_t i = 0; i < elements; ++i) {
      if (keeps(repeat, i)) {
        out[kept++] = *Stored(in.At(repeat, i));
      }
    }
  }
  return kept;
}

// 16 data blocks per side. Types of 16 bits: dst[i] element j = src[j] element i. Types of 32 bits:
// the 16 elements of column i of the sources fill dst[2 * i] and dst[2 * i + 1].
template <typename T>
void TransposeBlocks(const uint64_t dst[NCHW_CONV_ADDR_LIST_SIZE],
                     const uint64_t src[NCHW_CONV_ADDR_LIST_SIZE],
                     const TransDataTo5HDParams& params) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4,
                "TransDataTo5HD in the twin: 16-bit and 32-bit types");
  using B = Bits<T>;
  constexpr uint32_t kBlockLanes = kBlockBytes / sizeof(B);
  constexpr uint32_t kRows = NCHW_CONV_ADDR_LIST_SIZE;
  for (uint32_t repeat = 0; repeat < params.repeatTimes; ++repeat) {
    const size_t src_offset = size_t{repeat} * params.srcRepStride * kBlockBytes;
    const size_t dst_offset = size_t{repeat} * params.dstRepStride * kBlockBytes;
    B elements[kRows][kBlockLanes];
    for (uint32_t row = 0; row < kRows; ++row) {
      __builtin_memcpy(elements[row], reinterpret_cast<const void*>(src[row] + src_offset),
                       kBlockBytes);
    }
    for (uint32_t i = 0; i < kRows * kBlockLanes; ++i) {
      const uint64_t block = dst[i / kBlockLanes] + dst_offset;
      const B element = elements[i % kRows][i / kRows];
      __builtin_memcpy(reinterpret_cast<void*>(block + i % kBlockLanes * sizeof(B)), &element,
                       sizeof(element));
    }
  }
}

}  // namespace twin

template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],
          const uint8_t repeatTime, const CopyRepeatParams& repeatParams) {
  twin::CopyMasked<isSetMask>(dst, src, mask, repeatTime, repeatParams);
}
template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask,
          const uint8_t repeatTime, const CopyRepeatParams& repeatParams) {
  twin::CopyMasked<isSetMask>(dst, src, mask, repeatTime, repeatParams);
}

// dst[i] = the element at srcBaseOffset + srcOffset[i] bytes behind the start of src.
template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
            const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseOffset,
            const uint64_t mask, const uint8_t repeatTime, const uint16_t dstRepStride) {
  twin::GatherRepeats(dst, src, srcOffset, srcBaseOffset, mask, repeatTime, dstRepStride);
}
template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
            const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseOffset,
            const uint64_t mask[], const uint8_t repeatTime, const uint16_t dstRepStride) {
  twin::GatherRepeats(dst, src, srcOffset, srcBaseOffset, mask, repeatTime, dstRepStride);
}
template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
            const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseOffset,
            const uint32_t count) {
  static_assert(twin::kMovable<T>, "Gather: element type without this instruction on this arch");
  const auto* offset = twin::Stored(static_cast<const uint32_t*>(srcOffset.Data()));
  auto* out = twin::Stored(twin::RawData(dst));
  for (uint32_t i = 0; i < count; ++i) {
    out[i] = twin::ElementAt(src, srcBaseOffset + offset[i]);
  }
}

// Data block j of repeat r = the 32 bytes at offset[8 * r + j] bytes behind the start of src. A
// dstBlkStride of 0 means 1.
template <typename T>
void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src,
             const LocalTensor<uint32_t>& offset, const uint8_t repeatTime,
             const GatherRepeatParams& repeatParams) {
  static_assert(twin::kMovable<T>, "Gatherb: element type without this instruction on this arch");
  const size_t block_stride = repeatParams.dstBlkStride == 0 ? 1 : repeatParams.dstBlkStride;
  const auto* from = twin::Stored(static_cast<const uint32_t*>(offset.Data()));
  for (uint32_t i = 0; i < 8u * repeatTime; ++i) {
    const size_t block = size_t{i / 8} * repeatParams.dstRepStride + size_t{i % 8} * block_stride;
    __builtin_memcpy(reinterpret_cast<uint8_t*>(dst.Data()) + block * twin::kBlockBytes,
                     reinterpret_cast<const uint8_t*>(src.Data()) + from[i], twin::kBlockBytes);
  }
}

// Keeps the elements whose pattern bit is 1: bits of a tensor, consumed in order within a repeat,
// or a fixed pattern (1, 2: even, odd indices; 3 to 6: the first to fourth of every four; 7: all).
// rsvdCnt: how many were kept.
template <typename T, typename U, GatherMaskMode mode = GatherMaskMode::VERSION_V2>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                const LocalTensor<U>& src1Pattern, const bool reduceMode, const uint32_t mask,
                const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt) {
  static_assert(sizeof(U) == sizeof(T),
                "GatherMask: the pattern's type is as wide as the elements");
  const auto* bits = reinterpret_cast<const uint8_t*>(src1Pattern.Data());
  rsvdCnt = twin::GatherKept(
      dst, src0, reduceMode, mask, gatherMaskParams, [&](uint32_t repeat, uint32_t i) {
        const uint8_t* row =
            bits + size_t{repeat} * gatherMaskParams.src1RepeatStride * twin::kBlockBytes;
        return ((row[i / 8] >> (i % 8)) & 1) != 0;
      });
}
template <typename T, GatherMaskMode mode = GatherMaskMode::VERSION_V2>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t src1Pattern,
                const bool reduceMode, const uint32_t mask,
                const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt) {
  if (unlikely(src1Pattern < 1 || src1Pattern > 7)) {
    twin::Fail("GatherMask got a fixed pattern outside 1 to 7");
  }
  rsvdCnt = twin::GatherKept(
      dst, src0, reduceMode, mask, gatherMaskParams,
      [&](uint32_t, uint32_t i) { return twin::FixedPatternKeeps(src1Pattern, i); });
}

template <typename T>
void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE],
                    uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& nchwconvParams) {
  twin::TransposeBlocks<T>(dstList, srcList, nchwconvParams);
}
template <typename T>
void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& nchwconvParams) {
  uint64_t dst[NCHW_CONV_ADDR_LIST_SIZE];
  uint64_t src[NCHW_CONV_ADDR_LIST_SIZE];
  for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    dst[i] = reinterpret_cast<uint64_t>(dstList[i].Data());
    src[i] = reinterpret_cast<uint64_t>(srcList[i].Data());
  }
  twin::TransposeBlocks<T>(dst, src, nchwconvParams);
}

// A 16 x 16 matrix of 16-bit elements.
template <typename T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
  static_assert(sizeof(T) == 2, "Transpose: 16-bit types");
  uint64_t rows[2][NCHW_CONV_ADDR_LIST_SIZE];
  for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    rows[0][i] =
        reinterpret_cast<uint64_t>(dst.Data()) + static_cast<uint64_t>(i) * twin::kBlockBytes;
    rows[1][i] =
        reinterpret_cast<uint64_t>(src.Data()) + static_cast<uint64_t>(i) * twin::kBlockBytes;
  }
  twin::TransposeBlocks<T>(rows[0], rows[1], TransDataTo5HDParams());
}

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_MOVE_H_
