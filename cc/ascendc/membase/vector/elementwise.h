// Map: applies a function to contiguous elements. Every elementwise instruction, in the count form
// and in the runs that repeat.h finds in the mask/repeat form, is one call of it.
//
// dst may be the same address as a source, or disjoint from it; the instructions demand no more
// within a repeat. The loop is vectorised under that promise for any host instruction set, without
// a check at run time. Operands at the same buffer but of different width are safe where each
// element is read before it is overwritten in ascending order.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_ELEMENTWISE_H_
#define CC_ASCENDC_MEMBASE_VECTOR_ELEMENTWISE_H_

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/instruct.h"
#include "cc/ascendc/membase/local_tensor.h"
#include "cc/ascendc/membase/place.h"
#include "cc/ascendc/membase/vector/describe.h"
#include "cc/ascendc/membase/vector/lanes.h"
#include "cc/ascendc/membase/vector/repeat.h"

ASCENDC_TWIN_BEGIN

namespace twin {

// Some 64-bit conversions have no vector form before AVX-512.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"

template <typename T>
constexpr bool kFloat16 = kIsOneOf<T, half, bfloat16_t, Raw16>;

// Canonical NaN of a result. Comparing values is one host instruction less than the bits (IsNan).
template <bool kFromHalf, typename C>
ASCENDC_TWIN_INLINE C Result(C value) {
  if constexpr (kFromHalf || !std::is_same<C, float>::value) {
    return CanonicalNan(value);
  } else {
    return value != value ? __builtin_nanf("") : value;
  }
}

// dst[i] = op(src[i]...). `op` takes and returns Lane<>::Compute values; it is a small struct
// passed by value.
template <typename Op, typename D, typename... S>
__attribute__((noinline)) void Map(Op op, size_t count, D* dst, const S*... src) {
  constexpr bool kFromHalf = kIsOneOf<half, S...>;
  constexpr uint32_t kReadAheadLines = 4;  // a row has many instructions
  State().read_ahead.AskForLines(kReadAheadLines);
  typename Lane<D>::Storage* out = Stored(dst);
  if constexpr (kFloat16<D> || (kFloat16<S> || ...)) {
    // Left to itself, clang takes a 128-bit width here.
#pragma clang loop vectorize(assume_safety) vectorize_width(16) interleave_count(1)
    for (size_t i = 0; i < count; ++i) {
      out[i] = Lane<D>::Store(Result<kFromHalf>(op(Lane<S>::Load(Stored(src)[i])...)));
    }
  } else {
#pragma clang loop vectorize(assume_safety)
    for (size_t i = 0; i < count; ++i) {
      out[i] = Lane<D>::Store(Result<kFromHalf>(op(Lane<S>::Load(Stored(src)[i])...)));
    }
  }
}

#pragma clang diagnostic pop

// Map of one op, for the runs of ForEachRun.
template <typename Op, typename D, typename... S>
struct MapRun {
  Op op;

  ASCENDC_TWIN_INLINE void operator()(size_t count, D* dst, S*... src) const {
    Map(op, count, dst, static_cast<const S*>(src)...);
  }

  // kCount elements, all read before any is written.
  template <uint32_t kCount>
  ASCENDC_TWIN_INLINE void Block(D* dst, S*... src) const {
    constexpr bool kFromHalf = kIsOneOf<half, S...>;
    typename Lane<D>::Storage results[kCount];
    for (uint32_t i = 0; i < kCount; ++i) {
      results[i] = Lane<D>::Store(Result<kFromHalf>(op(Lane<S>::Load(Stored(src)[i])...)));
    }
    __builtin_memcpy(dst, results, sizeof(results));
  }
};

// The count form, of `count` elements behind plain pointers.
template <typename Op, typename D, typename... S>
ASCENDC_TWIN_INLINE void MapData(const Signature& signature, Op op, int64_t count, D* dst,
                                 S*... src) {
  if (likely(count > 0)) {
    Instruct<kPipeV>(
        signature.name,
        [=] { Map(op, static_cast<size_t>(count), dst, static_cast<const S*>(src)...); },
        [&](auto& about) {
          constexpr uint32_t kLanes = kRepeatLanes<D, S...>;
          DescribeElementwise<kLanes>(about, signature,
                                      PlanCount(static_cast<uint64_t>(count), kLanes),
                                      DenseOperand<kLanes>(dst), DenseOperand<kLanes>(src)...);
        });
  }
}

template <typename Op, typename D, typename... S>
ASCENDC_TWIN_INLINE void MapCount(const Signature& signature, Op op, int64_t count,
                                  const LocalTensor<D>& dst, const LocalTensor<S>&... src) {
  MapData(signature, op, count, dst.Data(), src.Data()...);
}

// The mask/repeat form. `Mask` is uint64_t or a pointer to two words.
template <bool isSetMask, typename Op, typename Mask, typename D, typename... S>
ASCENDC_TWIN_INLINE void MapRepeats(const Signature& signature, Op op, Mask mask, uint32_t repeats,
                                    const Operand<D>& dst, const Operand<S>&... src) {
  constexpr uint32_t kLanes = kRepeatLanes<D, S...>;
  const RepeatPlan plan = PlanRepeats<isSetMask>(mask, repeats, kLanes);
  Instruct<kPipeV>(
      signature.name, [=] { ForEachRun<kLanes>(plan, MapRun<Op, D, S...>{op}, dst, src...); },
      [&](auto& about) {
        RequireMask<isSetMask>(about, mask, kLanes);
        RequireStrides(about, dst.block_stride);
        DescribeElementwise<kLanes>(about, signature, plan, dst, src...);
      });
}

template <typename T>
ASCENDC_TWIN_INLINE Operand<T> DstOperand(const LocalTensor<T>& dst,
                                          const UnaryRepeatParams& params) {
  return {dst.Data(), params.dstBlkStride, params.dstRepStride};
}
template <typename T>
ASCENDC_TWIN_INLINE Operand<T> SrcOperand(const LocalTensor<T>& src,
                                          const UnaryRepeatParams& params) {
  return {src.Data(), params.srcBlkStride, params.srcRepStride};
}
template <typename T>
ASCENDC_TWIN_INLINE Operand<T> DstOperand(const LocalTensor<T>& dst,
                                          const BinaryRepeatParams& params) {
  return {dst.Data(), params.dstBlkStride, params.dstRepStride};
}
template <typename T>
ASCENDC_TWIN_INLINE Operand<T> Src0Operand(const LocalTensor<T>& src,
                                           const BinaryRepeatParams& params) {
  return {src.Data(), params.src0BlkStride, params.src0RepStride};
}
template <typename T>
ASCENDC_TWIN_INLINE Operand<T> Src1Operand(const LocalTensor<T>& src,
                                           const BinaryRepeatParams& params) {
  return {src.Data(), params.src1BlkStride, params.src1RepStride};
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_ELEMENTWISE_H_
