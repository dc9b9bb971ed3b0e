// What observed kernels say of vector instructions in the mask/repeat and the count form: which
// bytes each operand touches, and the limits that a device does not check. Descriptions (`about`)
// are ../description.h; run mode instantiates none of this. overlap.h judges shared memory.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_DESCRIBE_H_
#define CC_ASCENDC_MEMBASE_VECTOR_DESCRIBE_H_

#include "cc/ascendc/membase/vector/overlap.h"
#include "cc/ascendc/membase/vector/reduce_lanes.h"
#include "cc/ascendc/membase/vector/repeat.h"

ASCENDC_TWIN_BEGIN

namespace twin {

// An instruction's name and those of its sources, in the order of its operands; a source named
// "dst" is the destination, read before it is written.
struct Signature {
  const char* name;
  const char* sources[3];
  // dst of one repeat may be src1 of the next, with repeat stride 0.
  bool accumulates = false;
};

constexpr Signature NoSource(const char* name) { return {name, {}}; }
constexpr Signature OneSource(const char* name) { return {name, {"src"}}; }
constexpr Signature TwoSources(const char* name, bool accumulates = false) {
  return {name, {"src0", "src1"}, accumulates};
}

// Describes the runs of one operand; see ForEachRun. A run may begin inside a data block that
// itself is aligned.
template <typename About, typename T>
struct DescribeRun {
  About* about;
  const char* operand;
  const T* base;
  bool is_write;

  void operator()(size_t count, T* data) const {
    const size_t offset = static_cast<size_t>(reinterpret_cast<const uint8_t*>(data) -
                                              reinterpret_cast<const uint8_t*>(base));
    about->Access(operand, data, count * sizeof(T), offset % kBlockBytes == 0 ? kBlockBytes : 1,
                  is_write, false);
  }
  template <uint32_t kCount>
  void Block(T* data) const {
    (*this)(kCount, data);
  }
};

template <uint32_t kLanes, typename About, typename T>
void DescribeOperand(About& about, const char* operand, const RepeatPlan& plan,
                     const Operand<T>& of, bool is_write) {
  about.Require(
      reinterpret_cast<uint64_t>(of.data) % kBlockBytes == 0 || plan.bits[0] % 2 == 1 ||
          plan.leading,  // these begin at the operand's first byte, which says so itself
      "an operand of a vector instruction does not begin at a multiple of 32 bytes of UB");
  ForEachRun<kLanes>(plan, DescribeRun<About, T>{&about, operand, of.data, is_write}, of);
}

inline uint64_t ElementsOf(const RepeatPlan& plan) {
  const uint64_t lanes = plan.leading ? plan.lanes
                                      : static_cast<uint64_t>(__builtin_popcountll(plan.bits[0]) +
                                                              __builtin_popcountll(plan.bits[1]));
  return plan.repeats * lanes + plan.tail;
}

template <typename About>
void DescribeWork(About& about, const RepeatPlan& plan, uint32_t lanes_per_repeat) {
  about.Work(ElementsOf(plan), AllRepeats(plan), kRepeatBytes / lanes_per_repeat);
}

// A mask argument in normal mode: a count of lanes, or two words of bits.
template <bool isSetMask, typename About>
void RequireMask(About& about, uint64_t mask, uint32_t lanes_per_repeat) {
  about.Require(!isSetMask || State().vector.counter_mode || mask <= lanes_per_repeat,
                "the mask counts more elements than a repeat of 256 bytes holds");
}
template <bool isSetMask, typename About>
void RequireMask(About& about, const uint64_t* mask, uint32_t lanes_per_repeat) {
  about.Require(!isSetMask || State().vector.counter_mode ||
                    ((lanes_per_repeat > 64 || mask[1] == 0) &&
                     (lanes_per_repeat > 32 || (mask[0] >> 32) == 0)),
                "the mask has bits beyond the elements of a repeat: with 4-byte elements mask[1] "
                "must be 0, with 8-byte elements also the upper half of mask[0]");
}

template <typename About>
void RequireStrides(About& about, uint32_t dst_block_stride) {
  about.Require(dst_block_stride != 0,
                "dstBlkStride is 0, which a device leaves undefined: use 1 for adjacent blocks");
}

template <uint32_t kLanes, typename About, typename D, typename S>
void DescribeSource(About& about, const Signature& signature, uint32_t index,
                    const RepeatPlan& plan, const Operand<D>& dst, const Operand<S>& src) {
  DescribeOperand<kLanes>(about, signature.sources[index], plan, src, false);
  RequireNoOverlap<kLanes>(about, plan, dst, src, signature.accumulates && index == 1);
}

// An elementwise instruction: every source and dst has the lanes of the plan.
template <uint32_t kLanes, typename About, typename D, typename... S>
void DescribeElementwise(About& about, const Signature& signature, const RepeatPlan& plan,
                         const Operand<D>& dst, const Operand<S>&... src) {
  uint32_t index = 0;
  (DescribeSource<kLanes>(about, signature, index++, plan, dst, src), ...);
  static_cast<void>(index);
  DescribeOperand<kLanes>(about, "dst", plan, dst, true);
  DescribeWork(about, plan, kLanes);
}

// An operand of the count form.
template <uint32_t kLanes, typename T>
Operand<T> DenseOperand(const T* data) {
  return {const_cast<T*>(data), 1, kLanes / Operand<T>::kBlockLanes};
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_DESCRIBE_H_
