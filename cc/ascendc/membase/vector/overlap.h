// Whether dst and a source of a vector instruction share memory as a device forbids: within a
// repeat they are the same or apart, and dst of a repeat is no source of a later one (that one
// might have been read before). For descriptions of observed kernels (describe.h).
#ifndef CC_ASCENDC_MEMBASE_VECTOR_OVERLAP_H_
#define CC_ASCENDC_MEMBASE_VECTOR_OVERLAP_H_

#include "cc/ascendc/membase/vector/reduce_lanes.h"
#include "cc/ascendc/membase/vector/repeat.h"

ASCENDC_TWIN_BEGIN

namespace twin {

// Bytes [begin, end).
struct ByteRange {
  uint64_t begin;
  uint64_t end;
  bool Meets(const ByteRange& other) const { return begin < other.end && other.begin < end; }
};

// The lanes of one of a repeat's eight pieces: a data block of the widest operand.
template <uint32_t kLanes, typename T>
ByteRange PieceOf(const Operand<T>& operand, uint32_t repeat, uint32_t piece) {
  const uint64_t begin = reinterpret_cast<uint64_t>(operand.At(repeat, piece * (kLanes / 8)));
  return {begin, begin + kLanes / 8 * sizeof(T)};
}

template <uint32_t kLanes, typename T>
ByteRange RepeatOf(const Operand<T>& operand, uint32_t repeat) {
  return {PieceOf<kLanes>(operand, repeat, 0).begin, PieceOf<kLanes>(operand, repeat, 7).end};
}

template <uint32_t kLanes>
bool HasPiece(const RepeatPlan& plan, uint32_t repeat, uint32_t piece) {
  constexpr uint32_t kPiece = kLanes / 8;
  if (repeat == plan.repeats || plan.leading) {
    return piece * kPiece < (repeat == plan.repeats ? plan.tail : plan.lanes);
  }
  return LanesOf(plan, repeat).Any(piece * kPiece, kPiece);
}

// Whether dst of repeat `written` meets the source of repeat `read` in a way that matters.
template <uint32_t kLanes, typename D, typename S>
bool RepeatsMeet(const RepeatPlan& plan, const Operand<D>& dst, uint32_t written,
                 const Operand<S>& src, uint32_t read) {
  if (!RepeatOf<kLanes>(dst, written).Meets(RepeatOf<kLanes>(src, read))) {
    return false;
  }
  for (uint32_t i = 0; i < 8; ++i) {
    for (uint32_t j = 0; j < 8; ++j) {
      const ByteRange to = PieceOf<kLanes>(dst, written, i);
      const ByteRange from = PieceOf<kLanes>(src, read, j);
      const bool same = written == read && i == j && to.begin == from.begin;
      if (!same && to.Meets(from) && HasPiece<kLanes>(plan, written, i) &&
          HasPiece<kLanes>(plan, read, j)) {
        return true;
      }
    }
  }
  return false;
}

// Most instructions are decided here: operands that lie apart, or are the same throughout.
template <uint32_t kLanes, typename D, typename S>
bool MayOverlap(const RepeatPlan& plan, const Operand<D>& dst, const Operand<S>& src) {
  const uint32_t all = AllRepeats(plan);
  if (all == 0) {
    return false;
  }
  const ByteRange written = {reinterpret_cast<uint64_t>(dst.data),
                             RepeatOf<kLanes>(dst, all - 1).end};
  const ByteRange read = {reinterpret_cast<uint64_t>(src.data), RepeatOf<kLanes>(src, all - 1).end};
  if (!written.Meets(read)) {
    return false;
  }
  const bool same = written.begin == read.begin && sizeof(D) == sizeof(S) &&
                    dst.block_stride == src.block_stride && dst.repeat_stride == src.repeat_stride;
  return !same || dst.block_stride == 0 ||
         (all > 1 && dst.repeat_stride < 7 * dst.block_stride + 1);
}

template <uint32_t kLanes, typename About, typename D, typename S>
void RequireNoOverlap(About& about, const RepeatPlan& plan, const Operand<D>& dst,
                      const Operand<S>& src, bool may_accumulate) {
  if (!MayOverlap<kLanes>(plan, dst, src)) {
    return;
  }
  const bool accumulates = may_accumulate && (dst.repeat_stride == 0 || src.repeat_stride == 0);
  const uint32_t all = AllRepeats(plan);
  bool partly = false;
  bool later = false;
  for (uint32_t written = 0; written < all; ++written) {
    // A device reads a whole repeat before it writes it, so operands of different width may share
    // a repeat's memory in any way.
    partly =
        partly || (sizeof(D) == sizeof(S) && RepeatsMeet<kLanes>(plan, dst, written, src, written));
    for (uint32_t read = written + 1; read < all && !later && !accumulates; ++read) {
      later = RepeatsMeet<kLanes>(plan, dst, written, src, read);
    }
  }
  about.Require(!partly,
                "dst and a source overlap in part within a repeat: they must be the same or apart");
  about.Require(!later,
                "dst of a repeat is a source of a later one, which may have been read before: give "
                "dst other memory");
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_OVERLAP_H_
