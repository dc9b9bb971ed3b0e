// The [N1] scores of one token, in two floats (…_two_float.h): from g and d to the two factors of a row's gradient.
//   gs[i] = probs[i] * (g[i] - sum_j probs[j] * g[j])      c = gs * inv_norm
//   s = -(c * (d * inv_norm)) * inv_norm / H
// …_base.h has the arithmetic on rows.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_SCORES_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_SCORES_H

#include "block_attention_residuals_grad_two_float.h"

namespace BlockAttentionResidualsGradArch22
{

constexpr uint32_t SCORE_WORK_VECTORS = 11;  // of N1 floats, that the functions below use

// -1 / hidden = factor.value + low.
struct NegativeReciprocal {
    __aicore__ inline explicit NegativeReciprocal(uint32_t hidden)
    {
        const float divisor = static_cast<float>(hidden);
        const SplitScalar split = Split(divisor, 0);
        factor = Split(-1.0f / divisor, 0);
        // What 1 + value * hidden leaves, by Dekker's product; beyond 2^24 hidden is no float32.
        float rest = 1.0f + factor.head * split.head;
        rest += factor.head * split.tail;
        rest += factor.tail * split.head;
        rest += factor.tail * split.tail;
        rest += factor.value * static_cast<float>(static_cast<int64_t>(hidden) - static_cast<int64_t>(divisor));
        low = -rest / divisor;
    }

    SplitScalar factor;
    float low;
};

// (high, low) of the same sum, |low| at most half a unit of high. Returns high in `sum`; destroys value.
__aicore__ inline TwoFloatVector Renormalize(const TwoFloatVector& value, const FloatVector& sum,
                                             const FloatVector& work, uint32_t count)
{
    TwoSum(sum, work, value.low, value.high, value.low, count);
    AscendC::Add(value.low, value.low, work, count);
    return {sum, value.low};
}

// g[i] - sum_j probs[j] * g[j], in g.low and one of work[8 … 10]. `product`: two vectors of work.
__aicore__ inline TwoFloatVector CenterScores(TwoFloatVector g, const SplitVector& probs, const TwoFloatVector& product,
                                              const FloatVector& scalar, const WorkSpace& work, uint32_t rows)
{
    Multiply(product, g, probs, work, rows);
    SumLanes({work[8], work[9]}, product, work[0], scalar, rows);
    const float sum = work[8].GetValue(0);
    const float sumLow = work[9].GetValue(0);
    FloatVector spare = work[9];
    AscendC::Duplicate(work[8], -sum, rows);
    AddExact(g, work[8], spare, work[0], rows);
    AscendC::Adds(g.low, g.low, -sumLow, rows);
    return Renormalize(g, work[10], work[0], rows);
}

// Turns g into c and d into s, in place. `scalar`: one float of UB; work: SCORE_WORK_VECTORS vectors.
__aicore__ inline void FinishScores(const TwoFloatVector& g, const TwoFloatVector& d, const FloatVector& probs,
                                    const FloatVector& invNorm, uint32_t hidden, const FloatVector& scalar,
                                    const WorkSpace& work, uint32_t rows)
{
    const TwoFloatVector product = {work[2], work[3]};
    const SplitVector splitProbs = {probs, work[4], work[5]};
    const SplitVector splitNorm = {invNorm, work[6], work[7]};
    Split(splitProbs.head, splitProbs.tail, probs, work.headMask, rows);
    Split(splitNorm.head, splitNorm.tail, invNorm, work.headMask, rows);
    if (rows == 1) {
        // One row: its softmax is the constant 1, so gs is 0 (and not finite where probs * g is not).
        AscendC::Mul(g.high, g.high, probs, rows);
        AscendC::Muls(g.high, g.high, 0.0f, rows);
        AscendC::Mul(g.high, g.high, invNorm, rows);
        AscendC::Muls(g.low, g.high, 0.0f, rows);
    } else {
        const TwoFloatVector centered = CenterScores(g, splitProbs, product, scalar, work, rows);
        Multiply(product, centered, splitProbs, work, rows);
        Multiply(g, product, splitNorm, work, rows);
    }
    // (gs*inv_norm) * (d*inv_norm) * inv_norm: stays in range where inv_norm^3 alone would underflow.
    Multiply(product, Renormalize(d, work[10], work[0], rows), splitNorm, work, rows);
    const SplitVector score = {product.high, work[8], work[9]};
    Split(score.head, score.tail, score.value, work.headMask, rows);
    Multiply(d, g, score, work, rows);
    AscendC::MulAddDst(d.low, g.high, product.low, rows);
    Multiply(product, d, splitNorm, work, rows);
    const NegativeReciprocal scale(hidden);
    Multiply(d, product, scale.factor, scale.low, work, rows);
}

}  // namespace BlockAttentionResidualsGradArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_SCORES_H
