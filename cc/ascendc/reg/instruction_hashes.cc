// One translation unit per host instruction set: HASH_INSTRUCTIONS names the function,
// ASCENDC_TWIN_TARGET the namespace. Nothing of the standard library is called, so that no code for
// a newer CPU can be linked into the rest of the test.
#include "cc/ascendc/reg/instruction_hashes.h"

#include "cc/ascendc/reg/reg.h"
#include "cc/ascendc/testing/instruction_hashing.h"

namespace attnres::testing {
namespace {

using namespace AscendC::Reg;  // NOLINT: every name below is an instruction
using AscendC::bfloat16_t;
using AscendC::CMPMODE;
using AscendC::half;
using AscendC::RoundMode;

constexpr uint32_t kBytes = 256;
constexpr uint32_t kRounds = 24;

struct Buffers {
  alignas(512) uint8_t a[2 * kBytes];
  alignas(512) uint8_t b[2 * kBytes];
  alignas(512) uint8_t out[4 * kBytes];
  alignas(512) uint8_t mask[32];
};
Buffers buffers;

template <typename T>
T* At(uint8_t* memory) {
  return reinterpret_cast<T*>(memory);
}

class Hasher {
 public:
  Hasher(HashReport report, void* context) : report_(report), context_(context) {}

  // Calls run(round) on fresh data, of S in a and b and of D in out, and reports the hash of all
  // that out then holds.
  template <typename D, typename S, typename Run>
  void Hash(const char* name, Run run) {
    uint64_t state = 1;
    uint64_t hash = kEmptyHash;
    for (uint32_t round = 0; round < kRounds; ++round) {
      FillRandom<S>(buffers.a, sizeof(buffers.a), &state);
      FillRandom<S>(buffers.b, sizeof(buffers.b), &state);
      FillRandom<D>(buffers.out, sizeof(buffers.out), &state);
      FillRandom<uint8_t>(buffers.mask, sizeof(buffers.mask), &state);
      run(round);
      hash = HashBytes(hash, buffers.out, sizeof(buffers.out));
    }
    report_(context_, name, hash);
  }

 private:
  HashReport report_;
  void* context_;
};

// Runs an instruction under a mask that the compiler knows, under a tail, and under any bits.
template <typename D, typename S, typename Run>
struct UnderMasks {
  Run run;

  void Once(MaskReg mask, uint32_t part) const {
    RegTensor<S> a;
    RegTensor<S> b;
    RegTensor<D> dst;
    LoadAlign(a, At<S>(buffers.a));
    LoadAlign(b, At<S>(buffers.b));
    LoadAlign(dst, At<D>(buffers.out + part * kBytes));
    run(dst, a, b, mask);
    MaskReg all = CreateMask<uint8_t>();
    StoreAlign<D, StoreDist::DIST_NORM_B8>(At<D>(buffers.out + part * kBytes), dst, all);
  }

  void operator()(uint32_t round) const {
    Once(CreateMask<S>(), 0);
    uint32_t count = round * 11 % (kBytes / sizeof(S)) + 1;
    Once(UpdateMask<S>(count), 1);
    MaskReg any;
    LoadAlign(any, At<uint8_t>(buffers.mask));
    Once(any, 2);
  }
};

template <typename D, typename S, typename Run>
void HashElementwise(Hasher& hasher, const char* name, Run run) {
  hasher.Hash<D, S>(name, UnderMasks<D, S, Run>{run});
}

#define HASH_INSTRUCTION(text, D, S, ...) \
  HashElementwise<D, S>(                  \
      hasher, text,                       \
      [](auto& dst, auto& a, [[maybe_unused]] auto& b, auto& mask) { __VA_ARGS__; });
#define HASH_BINARY(Name, T) HASH_INSTRUCTION(#Name " " #T, T, T, Name(dst, a, b, mask))
#define HASH_UNARY(Name, T) HASH_INSTRUCTION(#Name " " #T, T, T, Name(dst, a, mask))
#define HASH_SCALAR(Name, T, scalar) \
  HASH_INSTRUCTION(#Name " " #T, T, T, Name(dst, a, T(scalar), mask))

void HashArithmetic(Hasher& hasher) {
#define HASH_ARITHMETIC(Name)   \
  HASH_BINARY(Name, float)      \
  HASH_BINARY(Name, half)       \
  HASH_BINARY(Name, bfloat16_t) \
  HASH_BINARY(Name, int32_t)    \
  HASH_BINARY(Name, uint16_t)   \
  HASH_BINARY(Name, int64_t)
  HASH_ARITHMETIC(Add)
  HASH_ARITHMETIC(Sub)
  HASH_ARITHMETIC(Mul)
  HASH_ARITHMETIC(Max)
  HASH_ARITHMETIC(Min)
  HASH_ARITHMETIC(MulAddDst)
  HASH_BINARY(MulDstAdd, float)
  HASH_BINARY(MulDstAdd, half)
  HASH_BINARY(Div, float)
  HASH_BINARY(Div, half)
  HASH_BINARY(Div, int32_t)
  HASH_BINARY(Prelu, float)
  HASH_BINARY(Prelu, half)
  HASH_BINARY(AbsSub, float)
  HASH_BINARY(AbsSub, half)
  HASH_BINARY(ExpSub, float)
  HASH_INSTRUCTION("ExpSub half", float, half, ExpSub(dst, a, b, mask))
  HASH_INSTRUCTION("MulsCast float", half, float, MulsCast(dst, a, 0.7f, mask))
  HASH_BINARY(And, uint32_t)
  HASH_BINARY(Or, float)
  HASH_BINARY(Xor, int16_t)
  HASH_BINARY(ShiftLeft, int32_t)
  HASH_BINARY(ShiftRight, uint16_t)
  HASH_SCALAR(Adds, float, 0.7f)
  HASH_SCALAR(Adds, half, 0.7f)
  HASH_SCALAR(Muls, float, -1.3f)
  HASH_SCALAR(Muls, bfloat16_t, -1.3f)
  HASH_SCALAR(Maxs, float, 0.0f)
  HASH_SCALAR(Mins, half, 2.0f)
  HASH_SCALAR(LeakyRelu, float, 0.01f)
  HASH_SCALAR(Axpy, float, 0.3f)
  HASH_SCALAR(Axpy, half, 0.3f)
  HASH_INSTRUCTION("Add merging float", float, float,
                   Add<float, MaskMergeMode::MERGING>(dst, a, b, mask))
}

void HashFunctions(Hasher& hasher) {
#define HASH_FUNCTION(Name) \
  HASH_UNARY(Name, float)   \
  HASH_UNARY(Name, half)
  HASH_FUNCTION(Abs)
  HASH_FUNCTION(Neg)
  HASH_FUNCTION(Relu)
  HASH_FUNCTION(Sqrt)
  HASH_FUNCTION(Exp)
  HASH_FUNCTION(Ln)
  HASH_FUNCTION(Log2)
  HASH_FUNCTION(Log10)
  HASH_UNARY(Not, uint16_t)
  HASH_INSTRUCTION("Truncate float", float, float,
                   Truncate<float, RoundMode::CAST_ROUND>(dst, a, mask))
}

template <RegLayout kLayout, SatMode kSat, RoundMode kMode>
struct TraitOf {
  static constexpr CastTrait value = {kLayout, kSat, MaskMergeMode::ZEROING, kMode};
};

#define HASH_CAST(D, S, layout, sat, mode)                    \
  HASH_INSTRUCTION(                                           \
      "Cast " #S " " #D " " #layout " " #sat " " #mode, D, S, \
      Cast<D, S, TraitOf<RegLayout::layout, SatMode::sat, RoundMode::mode>::value>(dst, a, mask))

void HashCasts(Hasher& hasher) {
#define HASH_CAST_MODES(D, S)               \
  HASH_CAST(D, S, ZERO, NO_SAT, CAST_RINT)  \
  HASH_CAST(D, S, ONE, SAT, CAST_RINT)      \
  HASH_CAST(D, S, ZERO, NO_SAT, CAST_FLOOR) \
  HASH_CAST(D, S, ZERO, SAT, CAST_CEIL)     \
  HASH_CAST(D, S, ZERO, NO_SAT, CAST_ROUND) \
  HASH_CAST(D, S, ONE, SAT, CAST_TRUNC)
  HASH_CAST_MODES(half, float)
  HASH_CAST_MODES(bfloat16_t, float)
  HASH_CAST_MODES(int16_t, float)
  HASH_CAST_MODES(int64_t, float)
  HASH_CAST_MODES(int8_t, half)
  HASH_CAST_MODES(int32_t, half)
  HASH_CAST_MODES(int32_t, bfloat16_t)
  HASH_CAST(int32_t, float, UNKNOWN, SAT, CAST_RINT)
  HASH_CAST(int32_t, float, UNKNOWN, NO_SAT, CAST_TRUNC)
  HASH_CAST(half, bfloat16_t, UNKNOWN, NO_SAT, CAST_RINT)
  HASH_CAST(bfloat16_t, half, UNKNOWN, UNKNOWN, CAST_ROUND)
  HASH_CAST(float, half, ONE, UNKNOWN, UNKNOWN)
  HASH_CAST(float, bfloat16_t, ZERO, UNKNOWN, UNKNOWN)
  HASH_CAST(float, int32_t, UNKNOWN, UNKNOWN, CAST_RINT)
  HASH_CAST(float, int32_t, UNKNOWN, UNKNOWN, CAST_FLOOR)
  HASH_CAST(float, int64_t, ZERO, UNKNOWN, CAST_RINT)
  HASH_CAST(half, int16_t, UNKNOWN, UNKNOWN, CAST_RINT)
  HASH_CAST(uint32_t, uint8_t, THREE, UNKNOWN, UNKNOWN)
  HASH_CAST(uint8_t, int32_t, TWO, SAT, UNKNOWN)
  HASH_CAST(int16_t, int32_t, ONE, NO_SAT, UNKNOWN)
}

void HashReductions(Hasher& hasher) {
#define HASH_REDUCTION(Name, T)                                                          \
  HASH_INSTRUCTION("Reduce " #Name " " #T, T, T, Reduce<ReduceType::Name>(dst, a, mask)) \
  HASH_INSTRUCTION("ReduceDataBlock " #Name " " #T, T, T,                                \
                   ReduceDataBlock<ReduceType::Name>(dst, a, mask))
  HASH_REDUCTION(SUM, float)
  HASH_REDUCTION(MAX, float)
  HASH_REDUCTION(MIN, float)
  HASH_REDUCTION(SUM, half)
  HASH_REDUCTION(MAX, half)
  HASH_REDUCTION(MIN, int32_t)
  HASH_INSTRUCTION("Reduce SUM int16_t", int32_t, int16_t, Reduce(dst, a, mask))
  HASH_UNARY(PairReduceElem, float)
  HASH_UNARY(PairReduceElem, half)
}

void HashChoices(Hasher& hasher) {
#define HASH_CHOICE(T)                                  \
  HASH_INSTRUCTION("Compare Select " #T, T, T, {        \
    MaskReg less;                                       \
    MaskReg scalar;                                     \
    Compare<T, CMPMODE::LT>(less, a, b, mask);          \
    Compares<T, CMPMODE::NE>(scalar, a, T(1.0f), mask); \
    Xor(less, less, scalar, mask);                      \
    Select(dst, a, b, less);                            \
  })
  HASH_CHOICE(float)
  HASH_CHOICE(half)
  HASH_CHOICE(bfloat16_t)
  HASH_CHOICE(int32_t)
#define HASH_MOVES(T)                           \
  HASH_INSTRUCTION("fill and move " #T, T, T, { \
    Interleave(a, b, a, b);                     \
    Move(dst, a, mask);                         \
    DeInterleave(b, dst, dst, b);               \
    Duplicate(a, b, mask);                      \
    Arange(b, T(3.0f));                         \
    Add(dst, dst, a, mask);                     \
    Add(dst, dst, b, mask);                     \
  })
  HASH_MOVES(float)
  HASH_MOVES(half)
  HASH_MOVES(int32_t)
  HASH_INSTRUCTION("Squeeze float", float, float, Squeeze(dst, a, mask))
  HASH_INSTRUCTION("Gather half", half, uint16_t, Gather(dst, dst, a); Select(dst, dst, dst, mask))
}

void HashTransfers(Hasher& hasher) {
  hasher.Hash<uint8_t, float>("StoreAlign", [](uint32_t round) {
    RegTensor<float> a;
    RegTensor<half> narrow;
    LoadAlign(a, At<float>(buffers.a));
    uint32_t count = round * 3 + 1;
    MaskReg tail = UpdateMask<float>(count);
    MaskReg any;
    LoadAlign(any, At<uint8_t>(buffers.mask));
    StoreAlign(At<float>(buffers.out), a, tail);
    StoreAlign(At<float>(buffers.out + 256), a, any);
    LoadAlign<half, LoadDist::DIST_UNPACK_B16>(narrow, At<half>(buffers.b));
    StoreAlign<half, StoreDist::DIST_PACK_B32>(At<half>(buffers.out + 512), narrow, tail);
    StoreAlign(At<half>(buffers.out + 768), narrow, any);
  });
  hasher.Hash<uint8_t, uint16_t>("LoadAlign two", [](uint32_t) {
    RegTensor<uint16_t> even;
    RegTensor<uint16_t> odd;
    MaskReg any;
    LoadAlign(any, At<uint8_t>(buffers.mask));
    LoadAlign<uint16_t, LoadDist::DIST_DINTLV_B16>(even, odd, At<uint16_t>(buffers.a));
    StoreAlign(At<uint16_t>(buffers.out), even, any);
    StoreAlign(At<uint16_t>(buffers.out + 256), odd, any);
    StoreAlign<uint16_t, StoreDist::DIST_INTLV_B16>(At<uint16_t>(buffers.out + 512), even, odd,
                                                    any);
  });
}

}  // namespace

void HASH_INSTRUCTIONS(HashReport report, void* context) {
  AscendC::twin::CoreState state;
  AscendC::twin::current = &state;
  Hasher hasher(report, context);
  HashArithmetic(hasher);
  HashFunctions(hasher);
  HashCasts(hasher);
  HashReductions(hasher);
  HashChoices(hasher);
  HashTransfers(hasher);
  AscendC::twin::current = &AscendC::twin::no_core;
}

}  // namespace attnres::testing
