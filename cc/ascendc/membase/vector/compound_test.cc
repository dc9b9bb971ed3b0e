// Instructions that read dst. The law under test: the product is rounded to the type of dst, then
// the sum is; nothing is fused. With half sources and a float dst the product is exact.
#include "cc/ascendc/membase/vector/compound.h"

#include "cc/ascendc/membase/vector/test_support.h"

namespace attnres::testing {
namespace {

using AscendC::BinaryRepeatParams;
using AscendC::UnaryRepeatParams;

template <typename T>
T MultiplyAdd(double a, double b, double c) {
  return RoundedTo<T>(ValueOf(RoundedTo<T>(a * b)) + c);
}

template <typename T, typename U>
void CheckAxpy(U scalar) {
  const auto params = [](const RepeatCall& call) {
    return UnaryRepeatParams(
        static_cast<uint16_t>(call.dst.block), static_cast<uint16_t>(call.src[0].block),
        static_cast<uint8_t>(call.dst.repeat), static_cast<uint8_t>(call.src[0].repeat));
  };
  ElementwiseCheck<T, U> check;
  check.reference = [=](T old, U a) {
    return MultiplyAdd<T>(ValueOf(scalar), ValueOf(a), ValueOf(old));
  };
  check.count_form = [=](LocalTensor<T> d, LocalTensor<U> a, int32_t n) {
    AscendC::Axpy(d, a, scalar, n);
  };
  check.mask_form = [=](LocalTensor<T> d, LocalTensor<U> a, uint64_t mask, const RepeatCall& call) {
    AscendC::Axpy(d, a, scalar, mask, static_cast<uint8_t>(call.repeats), params(call));
  };
  check.bits_form = [=](LocalTensor<T> d, LocalTensor<U> a, uint64_t* mask,
                        const RepeatCall& call) {
    AscendC::Axpy(d, a, scalar, mask, static_cast<uint8_t>(call.repeats), params(call));
  };
  check.RunAll();
}

template <typename T, typename U, typename Reference, typename Run>
void CheckThree(Reference reference, Run run) {
  const auto params = [](const RepeatCall& call) {
    return BinaryRepeatParams(call.dst.block, call.src[0].block, call.src[1].block, call.dst.repeat,
                              call.src[0].repeat, call.src[1].repeat);
  };
  ElementwiseCheck<T, U, U> check;
  check.reference = [=](T old, U a, U b) {
    return reference(ValueOf(old), ValueOf(a), ValueOf(b));
  };
  check.count_form = [=](LocalTensor<T> d, LocalTensor<U> a, LocalTensor<U> b, int32_t n) {
    run(d, a, b, n);
  };
  check.mask_form = [=](LocalTensor<T> d, LocalTensor<U> a, LocalTensor<U> b, uint64_t mask,
                        const RepeatCall& call) {
    run(d, a, b, mask, static_cast<uint8_t>(call.repeats), params(call));
  };
  check.bits_form = [=](LocalTensor<T> d, LocalTensor<U> a, LocalTensor<U> b, uint64_t* mask,
                        const RepeatCall& call) {
    run(d, a, b, mask, static_cast<uint8_t>(call.repeats), params(call));
  };
  check.RunAll();
}

class CompoundTest : public VectorTest {};

TEST_F(CompoundTest, AxpyRoundsProductAndSum) {
  CheckAxpy<float, float>(0.1f);
  CheckAxpy<half, half>(half(-2.3f));
  CheckAxpy<float, half>(half(0.7f));
}

TEST_F(CompoundTest, MulAddDstRoundsProductAndSum) {
  const auto run = [](auto&&... args) { AscendC::MulAddDst(args...); };
  CheckThree<float, float>(
      [](double old, double a, double b) { return MultiplyAdd<float>(a, b, old); }, run);
  CheckThree<half, half>(
      [](double old, double a, double b) { return MultiplyAdd<half>(a, b, old); }, run);
  CheckThree<float, half>(
      [](double old, double a, double b) { return MultiplyAdd<float>(a, b, old); }, run);
}

TEST_F(CompoundTest, FusedMulAddRoundsProductAndSum) {
  const auto run = [](auto&&... args) { AscendC::FusedMulAdd(args...); };
  CheckThree<float, float>(
      [](double old, double a, double b) { return MultiplyAdd<float>(a, old, b); }, run);
  CheckThree<half, half>(
      [](double old, double a, double b) { return MultiplyAdd<half>(a, old, b); }, run);
}

TEST_F(CompoundTest, MulAddReluRectifiesTheSum) {
  const auto rectified = [](auto value) {
    const double x = ValueOf(value);
    return x > 0 || x != x ? value : decltype(value)(0.0f);
  };
  CheckThree<float, float>(
      [=](double old, double a, double b) { return rectified(MultiplyAdd<float>(a, old, b)); },
      [](auto&&... args) { AscendC::MulAddRelu(args...); });
  CheckThree<half, half>(
      [=](double old, double a, double b) { return rectified(MultiplyAdd<half>(a, old, b)); },
      [](auto&&... args) { AscendC::FusedMulAddRelu(args...); });
}

}  // namespace
}  // namespace attnres::testing
