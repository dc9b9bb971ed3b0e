// One translation unit per host instruction set: HASH_INSTRUCTIONS names the function,
// ASCENDC_TWIN_TARGET the namespace. Nothing of the standard library is called, so that no code for
// a newer CPU can be linked into the rest of the test.
#include "cc/ascendc/membase/vector/instruction_hashes.h"

#include "cc/ascendc/membase/vector/vector.h"
#include "cc/ascendc/testing/instruction_hashing.h"

namespace attnres::testing {
namespace {

using namespace AscendC;  // NOLINT: every name below is an instruction

constexpr uint32_t kElements = 1536;
constexpr int32_t kCount = 1377;  // a tail for every vector width

struct Buffers {
  alignas(512) uint8_t a[kElements * 8];
  alignas(512) uint8_t b[kElements * 8];
  alignas(512) uint8_t out[kElements * 8];
};
Buffers buffers;

template <typename T>
LocalTensor<T> Tensor(uint8_t* memory) {
  return LocalTensor<T>(reinterpret_cast<T*>(memory), kElements, TPosition::VECCALC, nullptr);
}

template <typename T>
void Fill(uint8_t* memory, uint64_t seed) {
  FillRandom<T>(memory, kElements * sizeof(T), &seed);
}

class Hasher {
 public:
  Hasher(HashReport report, void* context) : report_(report), context_(context) {}

  // Calls run(dst, a, b) on fresh data of types D and S and reports the hash of all of dst.
  template <typename D, typename S, typename Run>
  void Hash(const char* name, Run run) {
    Fill<S>(buffers.a, 1);
    Fill<S>(buffers.b, 2);
    Fill<D>(buffers.out, 3);
    run(Tensor<D>(buffers.out), Tensor<S>(buffers.a), Tensor<S>(buffers.b));
    report_(context_, name, HashBytes(kEmptyHash, buffers.out, kElements * sizeof(D)));
  }

 private:
  HashReport report_;
  void* context_;
};

uint64_t mask_bits[2] = {0x9249249249249249ull, 0x4924924924924924ull};

#define HASH_BINARY(Name, T)                                                  \
  hasher.Hash<T, T>(#Name " " #T, [](auto dst, auto a, auto b) {              \
    Name(dst, a, b, kCount);                                                  \
    Name(a, dst, b, mask_bits, 4, BinaryRepeatParams(1, 1, 2, 8, 8, 9));      \
    Name(dst, a, dst, uint64_t{13}, 5, BinaryRepeatParams(1, 1, 1, 8, 8, 8)); \
  });
#define HASH_UNARY(Name, T)                                      \
  hasher.Hash<T, T>(#Name " " #T, [](auto dst, auto a, auto b) { \
    Name(dst, a, kCount);                                        \
    Name(dst, b, mask_bits, 4, UnaryRepeatParams(1, 1, 8, 9));   \
  });
#define HASH_SCALAR(Name, T, scalar)                                      \
  hasher.Hash<T, T>(#Name " " #T, [](auto dst, auto a, auto b) {          \
    Name(dst, a, T(scalar), kCount);                                      \
    Name(dst, b, T(scalar), mask_bits, 4, UnaryRepeatParams(1, 1, 8, 9)); \
  });
#define HASH_CAST(D, S, mode)                                                   \
  hasher.Hash<D, S>("Cast " #S " " #D " " #mode, [](auto dst, auto a, auto b) { \
    Cast(dst, a, RoundMode::mode, static_cast<uint32_t>(kCount));               \
    Cast(dst, b, RoundMode::mode, mask_bits, 3, UnaryRepeatParams(1, 1, 8, 8)); \
  });
#define HASH_CAST_MODES(D, S) \
  HASH_CAST(D, S, CAST_RINT)  \
  HASH_CAST(D, S, CAST_FLOOR) \
  HASH_CAST(D, S, CAST_CEIL)  \
  HASH_CAST(D, S, CAST_ROUND) \
  HASH_CAST(D, S, CAST_TRUNC)

void HashArithmetic(Hasher& hasher) {
#define HASH_ARITHMETIC(Name) \
  HASH_BINARY(Name, float)    \
  HASH_BINARY(Name, half)     \
  HASH_BINARY(Name, int32_t)  \
  HASH_BINARY(Name, int16_t)
  HASH_ARITHMETIC(Add)
  HASH_ARITHMETIC(Sub)
  HASH_ARITHMETIC(Mul)
  HASH_ARITHMETIC(Max)
  HASH_ARITHMETIC(Min)
  HASH_BINARY(Div, float)
  HASH_BINARY(Div, half)
  HASH_BINARY(AddRelu, float)
  HASH_BINARY(AddRelu, half)
  HASH_BINARY(SubRelu, int16_t)
  HASH_BINARY(And, uint16_t)
  HASH_BINARY(Or, int16_t)
  HASH_BINARY(FusedMulAdd, float)
  HASH_BINARY(FusedMulAdd, half)
  HASH_BINARY(MulAddRelu, float)
  HASH_BINARY(MulAddRelu, half)
  HASH_SCALAR(Adds, float, 0.7f)
  HASH_SCALAR(Adds, half, 0.7f)
  HASH_SCALAR(Muls, float, -1.3f)
  HASH_SCALAR(Muls, half, -1.3f)
  HASH_SCALAR(Maxs, float, 0.0f)
  HASH_SCALAR(Mins, half, 2.0f)
  HASH_SCALAR(LeakyRelu, float, 0.01f)
  HASH_SCALAR(LeakyRelu, half, 0.01f)
  HASH_SCALAR(ShiftLeft, int32_t, 5)
  HASH_SCALAR(ShiftRight, int16_t, 3)
  hasher.Hash<float, float>("Axpy float",
                            [](auto dst, auto a, auto) { Axpy(dst, a, 0.3f, kCount); });
  hasher.Hash<half, half>("Axpy half",
                          [](auto dst, auto a, auto) { Axpy(dst, a, half(0.3f), kCount); });
  hasher.Hash<float, half>("Axpy half float",
                           [](auto dst, auto a, auto) { Axpy(dst, a, half(0.3f), kCount); });
  hasher.Hash<float, float>("MulAddDst float",
                            [](auto dst, auto a, auto b) { MulAddDst(dst, a, b, kCount); });
  hasher.Hash<half, half>("MulAddDst half",
                          [](auto dst, auto a, auto b) { MulAddDst(dst, a, b, kCount); });
  hasher.Hash<float, half>("MulAddDst half float",
                           [](auto dst, auto a, auto b) { MulAddDst(dst, a, b, kCount); });
}

void HashFunctions(Hasher& hasher) {
#define HASH_FUNCTION(Name) \
  HASH_UNARY(Name, float)   \
  HASH_UNARY(Name, half)
  HASH_FUNCTION(Abs)
  HASH_FUNCTION(Exp)
  HASH_FUNCTION(Ln)
  HASH_FUNCTION(Sqrt)
  HASH_FUNCTION(Rsqrt)
  HASH_FUNCTION(Reciprocal)
  HASH_FUNCTION(Relu)
  HASH_UNARY(Relu, int32_t)
  HASH_UNARY(Not, uint16_t)
}

void HashCasts(Hasher& hasher) {
  HASH_CAST_MODES(half, float)
  HASH_CAST(half, float, CAST_ODD)
  HASH_CAST_MODES(bfloat16_t, float)
  HASH_CAST_MODES(float, float)
  HASH_CAST_MODES(int16_t, float)
  HASH_CAST_MODES(int32_t, float)
  HASH_CAST_MODES(int64_t, float)
  HASH_CAST_MODES(int8_t, half)
  HASH_CAST_MODES(uint8_t, half)
  HASH_CAST_MODES(int32_t, half)
  HASH_CAST_MODES(int32_t, bfloat16_t)
  HASH_CAST_MODES(half, int16_t)
  HASH_CAST_MODES(float, int32_t)
  HASH_CAST_MODES(float, int64_t)
  HASH_CAST(float, half, CAST_NONE)
  HASH_CAST(float, bfloat16_t, CAST_NONE)
  HASH_CAST(half, int8_t, CAST_NONE)
  HASH_CAST(float, int16_t, CAST_NONE)
  HASH_CAST(half, int32_t, CAST_NONE)
  HASH_CAST(int16_t, int32_t, CAST_NONE)
  HASH_CAST(int32_t, int64_t, CAST_NONE)
}

template <typename T>
void HashReductions(Hasher& hasher, const char* const names[5]) {
  constexpr int32_t kLanes = 256 / sizeof(T);
  hasher.Hash<T, T>(names[0], [](auto dst, auto a, auto b) {
    for (int32_t i = 0; i < 20; ++i) ReduceSum(dst[i], a[32 * i], b, 40 * i + 7);
    ReduceSum(dst[20], a, b, mask_bits, 5, 8);
    ReduceSum(dst[21], a, b, kLanes - 5, 8, 8);
  });
  hasher.Hash<T, T>(names[1], [](auto dst, auto a, auto) {
    ReduceRepeat<ReduceType::SUM>(dst, a, kLanes, 8, 1, 1, 8);
    ReduceRepeat<ReduceType::SUM>(dst[64], a, mask_bits, 6, 2, 1, 8);
  });
  hasher.Hash<T, T>(names[2], [](auto dst, auto a, auto) {
    ReduceDataBlock<ReduceType::SUM>(dst, a, mask_bits, 6, 1, 1, 8);
    ReduceDataBlock<ReduceType::MAX>(dst[64], a, kLanes, 6, 1, 1, 8);
    ReduceDataBlock<ReduceType::MIN>(dst[128], a, kLanes, 6, 1, 1, 8);
  });
  hasher.Hash<T, T>(names[3], [](auto dst, auto a, auto) {
    ReducePairElem<ReduceType::SUM>(dst, a, mask_bits, 6, 1, 1, 8);
  });
  hasher.Hash<T, T>(names[4], [](auto dst, auto a, auto b) {
    ReduceMax(dst, a, b, kCount, true);
    ReduceMin(dst[2], a, b, kCount, true);
    ReduceRepeat<ReduceType::MAX>(dst[8], a, mask_bits, 6, 1, 1, 8);
    ReduceRepeat<ReduceType::MIN>(dst[32], a, mask_bits, 6, 1, 1, 8);
  });
}

template <typename T>
void HashChoices(Hasher& hasher, const char* const names[3]) {
  constexpr uint32_t kLanes = 256 / sizeof(T);
  hasher.Hash<uint8_t, T>(names[0], [](auto dst, auto a, auto b) {
    constexpr CMPMODE kModes[] = {CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ,
                                  CMPMODE::LE, CMPMODE::GE, CMPMODE::NE};
    for (uint32_t i = 0; i < 6; ++i) {
      Compare(dst[64 * i], a, b, kModes[i], 3 * kLanes);
      CompareScalar(dst[64 * i + 512], a, T(1.0f), kModes[i], 3 * kLanes);
    }
  });
  hasher.Hash<T, T>(names[1], [](auto dst, auto a, auto b) {
    const auto bits = b.template ReinterpretCast<uint8_t>();
    Select(dst, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, static_cast<uint32_t>(kCount));
    Select(a, bits, dst, T(3.0f), SELMODE::VSEL_TENSOR_SCALAR_MODE, mask_bits, 3,
           BinaryRepeatParams());
    Select(dst, bits, a, b, SELMODE::VSEL_CMPMASK_SPR, mask_bits, 3, BinaryRepeatParams());
  });
  hasher.Hash<T, T>(names[2], [](auto dst, auto a, auto) {
    Duplicate(dst, T(2.5f), 777);
    Brcb(dst[128], a, 2, BrcbRepeatParams(1, 8));
    Copy(dst[64], a, mask_bits, 3, CopyRepeatParams(1, 1, 8, 9));
    CreateVecIndex(dst[800], T(-3.0f), 300u);
    uint64_t kept = 0;
    GatherMask(dst[1100], a, uint8_t{4}, false, 0, GatherMaskParams(1, 3, 8, 0), kept);
  });
}

}  // namespace

void HASH_INSTRUCTIONS(HashReport report, void* context) {
  twin::CoreState state;
  twin::current = &state;
  Hasher hasher(report, context);
  HashArithmetic(hasher);
  HashFunctions(hasher);
  HashCasts(hasher);
  constexpr const char* kFloatReductions[] = {"ReduceSum float", "ReduceRepeat SUM float",
                                              "ReduceDataBlock float", "ReducePairElem float",
                                              "ReduceMax ReduceMin float"};
  constexpr const char* kHalfReductions[] = {"ReduceSum half", "ReduceRepeat SUM half",
                                             "ReduceDataBlock half", "ReducePairElem half",
                                             "ReduceMax ReduceMin half"};
  HashReductions<float>(hasher, kFloatReductions);
  HashReductions<half>(hasher, kHalfReductions);
  constexpr const char* kFloatChoices[] = {"Compare float", "Select float", "fill and move float"};
  constexpr const char* kHalfChoices[] = {"Compare half", "Select half", "fill and move half"};
  HashChoices<float>(hasher, kFloatChoices);
  HashChoices<half>(hasher, kHalfChoices);
  twin::current = &twin::no_core;
}

}  // namespace attnres::testing
