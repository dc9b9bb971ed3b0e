// From the sums over a token's rows to inv_norm and probs, in two floats (…/common/arch22/two_float.h):
//   inv_norm[i] = 1 / sqrt(squares[i] / H + eps)    score[i] = inv_norm[i] * dot[i]    probs = softmax(score)
// …_rows.h has the arithmetic on rows.

#ifndef BLOCK_ATTENTION_RESIDUALS_ARCH22_SCORES_H
#define BLOCK_ATTENTION_RESIDUALS_ARCH22_SCORES_H

#include "block_attention_residuals_base.h"

namespace BlockAttentionResidualsArch22
{

using KernelCommonArch22::SplitScalar;
using KernelCommonArch22::SplitVector;

// 1.5 * 2^9: what is left of 129 values of at most 1 after adding it and taking it away are multiples of 2^-14, and
// sums of those exact.
constexpr float SOFTMAX_BIAS = 768.0f;
// A share's upper bits are multiples of 2^-SHARE_BITS, which adding 1.5 * 2^13 and taking it away leaves.
constexpr int32_t SHARE_BITS = 10;
constexpr float SHARE_BIAS = 12288.0f;

// 1 / sum in two floats.
struct InverseSum {
    __aicore__ inline InverseSum(float high, float rest)
    {
        const float sum = high + rest;
        const float sumLow = (high - sum) + rest;
        const SplitScalar split = KernelCommonArch22::Split(sum, 0);
        value = KernelCommonArch22::Split(1.0f / sum, 0);
        // What 1 - value * sum is, by Dekker's product.
        float left = 1.0f - value.head * split.head;
        left -= value.head * split.tail;
        left -= value.tail * split.head;
        left -= value.tail * split.tail;
        left -= value.value * sumLow;
        low = left / sum;
    }

    SplitScalar value;
    float low;
};

// Adding the result to elements of V, none of which is larger than the root of `squares`, and taking it away leaves
// multiples of M / 2^(24 - SHARE_BITS), M being a power of two above that root. With shares that are multiples of
// 2^-SHARE_BITS and add up to 1, sums of their products have 24 bits: they are exact.
__aicore__ inline float MixBias(float squares)
{
    constexpr uint32_t MANTISSA_BITS = 23;
    constexpr int32_t EXPONENT_BIAS = 127;
    const int32_t exponent =
        static_cast<int32_t>(*reinterpret_cast<const uint32_t*>(&squares) >> MANTISSA_BITS) - EXPONENT_BIAS;
    // Twice the root's power of two, for what rounding adds. An infinite sum gives a bias that is merely of no use.
    const int32_t bound = (exponent + 2) / 2 + 1;
    const uint32_t bits =
        (static_cast<uint32_t>(bound + SHARE_BITS - 1 + EXPONENT_BIAS) << MANTISSA_BITS) | (1U << (MANTISSA_BITS - 1));
    return *reinterpret_cast<const float*>(&bits);
}

template <typename T>
class ScoresBase : public ForwardBase<T>
{
protected:
    using Base = ForwardBase<T>;
    using Base::dots_;
    using Base::invNorm_;
    using Base::IS_FLOAT;
    using Base::probs_;
    using Base::scalars_;
    using Base::squares_;
    using Base::tensors_;

    // invNorm_ and probs_ from squares_ and dots_; with T float32 also the shares' halves and the bias of the mix.
    __aicore__ inline void FinishScores()
    {
        const WorkSpace work = {this->work_.base, this->scoreLanes_, this->headMask_};
        const FloatVector invNormLow = work[SCORE_WORK - 1];
        InverseRoots(invNormLow, work);
        Softmax(Scores(invNormLow, work), work);
        if constexpr (IS_FLOAT) {
            const uint32_t rows = tensors_.rows;
            const FloatVector head = squares_.high;
            AscendC::Adds(head, probs_, SHARE_BIAS, rows);
            AscendC::Adds(head, head, -SHARE_BIAS, rows);
            AscendC::Sub(squares_.low, probs_, head, rows);
            AscendC::Add(squares_.low, squares_.low, dots_.low, rows);
        }
    }

    float mixBias_ = 0;

private:
    static constexpr uint32_t SCORE_WORK = 14;  // vectors; with MIN_WORK_LANES there is room for 16

    // low becomes 0 where high is infinite or NaN: the sum of both is then high.
    __aicore__ inline void DropLowOfNonFinite(const FloatVector& low, const FloatVector& high, const FloatVector& size)
    {
        constexpr float INFINITY_FLOAT = __builtin_inff();
        const uint32_t lanes = this->scoreLanes_;
        const AscendC::LocalTensor<uint8_t> finite = scalars_[GROUP_BIASES].template ReinterpretCast<uint8_t>();
        AscendC::Abs(size, high, lanes);
        AscendC::CompareScalar(finite, size, INFINITY_FLOAT, AscendC::CMPMODE::LT, lanes);
        AscendC::Select(low, finite, low, 0.0f, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, lanes);
    }

    __aicore__ inline float Largest(const FloatVector& values)
    {
        const uint32_t repeats = tensors_.rows / VECTOR_LANES;
        const uint32_t rest = tensors_.rows % VECTOR_LANES;
        if (repeats > 0) {
            AscendC::WholeReduceMax(scalars_, values, static_cast<int32_t>(VECTOR_LANES), static_cast<int32_t>(repeats),
                                    1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
        }
        if (rest > 0) {
            AscendC::WholeReduceMax(scalars_[repeats], values[repeats * VECTOR_LANES], static_cast<int32_t>(rest), 1, 1,
                                    1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
        }
        float largest = scalars_.GetValue(0);
        for (uint32_t i = 1; i < repeats + (rest > 0 ? 1 : 0); ++i) {
            const float other = scalars_.GetValue(i);
            largest = other > largest ? other : largest;
        }
        return largest;
    }

    // (invNorm_, low) = 1 / sqrt(squares_ / H + eps). The instructions' result is cut to 12 bits, so that its square is
    // exact, and put right by what 1 - square * (squares_ / H + eps) is: two terms of the root's series.
    __aicore__ inline void InverseRoots(const FloatVector& low, const WorkSpace& work)
    {
        const uint32_t rows = tensors_.rows;
        const float hidden = static_cast<float>(tensors_.hidden);
        const TwoFloatVector sum = {work[3], squares_.low};
        AddEps(sum.high, hidden, work);
        if constexpr (IS_FLOAT) {
            mixBias_ = MixBias(Largest(sum.high));
        }
        const FloatVector first = work[4];
        AscendC::Muls(first, sum.high, 1.0f / hidden, rows);
        AscendC::Sqrt(first, first, rows);
        AscendC::Duplicate(work[5], 1.0f, rows);
        AscendC::Div(first, work[5], first, rows);
        KernelCommonArch22::CutToHead(first, first, work.headMask, rows);
        const SplitVector square = {work[5], work[6], work[7]};
        const TwoFloatVector product = {work[8], work[9]};
        AscendC::Mul(square.value, first, first, rows);
        KernelCommonArch22::Split(square.head, square.tail, square.value, work.headMask, rows);
        KernelCommonArch22::Multiply(product, sum, square, work, rows);
        const FloatVector error = product.high;
        AscendC::Muls(error, product.high, -1.0f, rows);
        AscendC::Adds(error, error, hidden, rows);
        AscendC::Sub(error, error, product.low, rows);
        AscendC::Muls(error, error, 1.0f / hidden, rows);
        const FloatVector correction = product.low;
        AscendC::Muls(correction, error, 0.375f, rows);
        AscendC::Adds(correction, correction, 0.5f, rows);
        AscendC::Mul(correction, correction, error, rows);
        AscendC::Mul(correction, correction, first, rows);
        DropLowOfNonFinite(correction, sum.high, work[5]);
        AscendC::Add(invNorm_, first, correction, rows);
        AscendC::Sub(low, first, invNorm_, rows);
        AscendC::Add(low, low, correction, rows);
    }

    // (sum, squares_.low) = squares_ + H * eps.
    __aicore__ inline void AddEps(const FloatVector& sum, float hidden, const WorkSpace& work)
    {
        const uint32_t rows = tensors_.rows;
        const float eps = eps_ * hidden;
        AscendC::Duplicate(work[0], eps, rows);
        KernelCommonArch22::TwoSum(sum, work[1], work[0], squares_.high, work[0], rows);
        AscendC::Add(squares_.low, squares_.low, work[0], rows);
        AscendC::Add(squares_.low, squares_.low, work[1], rows);
        AscendC::Adds(squares_.low, squares_.low, RestOfProduct(eps_, hidden, eps), rows);
    }

    // a * b - product, by Dekker's algorithm.
    __aicore__ static inline float RestOfProduct(float a, float b, float product)
    {
        const SplitScalar x = KernelCommonArch22::Split(a, 0);
        const SplitScalar y = KernelCommonArch22::Split(b, 0);
        float rest = x.head * y.head - product;
        rest += x.head * y.tail;
        rest += x.tail * y.head;
        return rest + x.tail * y.tail;
    }

    // inv_norm * dot.
    __aicore__ inline TwoFloatVector Scores(const FloatVector& invNormLow, const WorkSpace& work)
    {
        const uint32_t rows = tensors_.rows;
        const SplitVector factor = {invNorm_, work[4], work[5]};
        const TwoFloatVector product = {work[6], work[7]};
        const TwoFloatVector dot = KernelCommonArch22::Renormalize(dots_, work[2], work[3], rows);
        KernelCommonArch22::Split(factor.head, factor.tail, factor.value, work.headMask, rows);
        KernelCommonArch22::Multiply(product, dot, factor, work, rows);
        AscendC::MulAddDst(product.low, dot.high, invNormLow, rows);
        const TwoFloatVector score = KernelCommonArch22::Renormalize(product, work[8], work[3], rows);
        DropLowOfNonFinite(score.low, score.high, work[3]);
        return score;
    }

    // probs_, with T float32 and its low part. The score is in work[7] and work[8].
    __aicore__ inline void Softmax(const TwoFloatVector& score, const WorkSpace& work)
    {
        const uint32_t rows = tensors_.rows;
        const FloatVector exponent = work[2];
        const FloatVector exponentLow = work[3];
        AscendC::Duplicate(exponentLow, -Largest(score.high), rows);
        KernelCommonArch22::TwoSum(exponent, work[4], exponentLow, score.high, exponentLow, rows);
        AscendC::Add(exponentLow, exponentLow, work[4], rows);
        AscendC::Add(exponentLow, exponentLow, score.low, rows);
        DropLowOfNonFinite(exponentLow, exponent, work[4]);
        const TwoFloatVector term = {work[5], work[6]};
        AscendC::Exp(term.high, exponent, rows);
        AscendC::Mul(term.low, term.high, exponentLow, rows);
        AscendC::Adds(work[7], term.high, SOFTMAX_BIAS, rows);
        AscendC::Adds(work[7], work[7], -SOFTMAX_BIAS, rows);
        AscendC::Sub(work[8], term.high, work[7], rows);
        AscendC::Add(work[8], work[8], term.low, rows);
        KernelCommonArch22::PlainSum(scalars_, work[7], rows);
        KernelCommonArch22::PlainSum(scalars_[1], work[8], rows);
        const InverseSum inverse(scalars_.GetValue(0), scalars_.GetValue(1));
        const TwoFloatVector share = {work[2], work[3]};
        KernelCommonArch22::Multiply(share, term, inverse.value, inverse.low, work, rows);
        AscendC::Add(probs_, share.high, share.low, rows);
        if constexpr (IS_FLOAT) {
            AscendC::Sub(dots_.low, share.high, probs_, rows);
            AscendC::Add(dots_.low, dots_.low, share.low, rows);
        }
    }

    using Base::eps_;
};

}  // namespace BlockAttentionResidualsArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_ARCH22_SCORES_H
