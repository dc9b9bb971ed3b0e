// The [N1] scores of one token or of a batch of tokens, in two floats (…/common/arch22/two_float.h): from g and d to
// the two factors of a row's gradient.
//   gs[i] = probs[i] * (g[i] - sum_j probs[j] * g[j])      c = gs * inv_norm
//   s = -(c * (d * inv_norm)) * inv_norm / H
// …_base.h has the arithmetic on rows.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_SCORES_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_SCORES_H

#include "../../common/arch22/two_float.h"
#include "../block_attention_residuals_grad_copy_buffer.h"

namespace BlockAttentionResidualsGradArch22
{

using KernelCommonArch22::AddBiased;
using KernelCommonArch22::AddErrorOfSum;
using KernelCommonArch22::AddExact;
using KernelCommonArch22::AlignUp;
using KernelCommonArch22::BLOCK_LANES;
using KernelCommonArch22::BLOCKS_PER_REPEAT;
using KernelCommonArch22::CeilDiv;
using KernelCommonArch22::FloatVector;
using KernelCommonArch22::HALF_BITS;
using KernelCommonArch22::Multiply;
using KernelCommonArch22::PlainSum;
using KernelCommonArch22::Renormalize;
using KernelCommonArch22::RoundOnce;
using KernelCommonArch22::SetHeadMask;
using KernelCommonArch22::Split;
using KernelCommonArch22::SplitScalar;
using KernelCommonArch22::SplitVector;
using KernelCommonArch22::SumLanes;
using KernelCommonArch22::TwoFloatVector;
using KernelCommonArch22::TwoSum;
using KernelCommonArch22::UsableBias;
using KernelCommonArch22::UsableBiases;
using KernelCommonArch22::VECTOR_LANES;
using KernelCommonArch22::WorkSpace;

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

// Where scores lie that an instruction passes over: that of row i of token t at i * pitch + t. One token at a time has
// pitch 1, batches a multiple of 8, up to a repeat's 64 lanes: no sum crosses lanes then. What lies beyond the tokens
// is computed with, and not used.
struct ScoreLayout {
    __aicore__ inline uint32_t Count() const
    {
        return rows * pitch;
    }

    // For an instruction on the scores of a batch, a row being one repeat: the second source is a value per token.
    __aicore__ inline AscendC::BinaryRepeatParams WithTokens() const
    {
        return {1, 1, 1, RowBlocks(), RowBlocks(), 0};
    }

    __aicore__ inline uint8_t RowBlocks() const
    {
        return static_cast<uint8_t>(pitch / BLOCK_LANES);
    }

    __aicore__ inline uint8_t Repeats() const
    {
        return static_cast<uint8_t>(rows);
    }

    uint32_t tokens;
    uint32_t rows;
    uint32_t pitch;
};

// Distance of two rows' scores where `batchTokens` tokens are worked on at a time.
__aicore__ inline uint32_t ScorePitch(uint32_t batchTokens)
{
    return batchTokens == 1 ? 1 : AlignUp(batchTokens, BLOCK_LANES);
}

// The sum over the rows of each token of a batch, by the tree that WholeReduceSum has in a repeat; it is the first row
// of src or work, and destroys both.
__aicore__ inline FloatVector SumTokens(const FloatVector& src, const FloatVector& work, const ScoreLayout& layout)
{
    const uint8_t blocks = layout.RowBlocks();
    const AscendC::BinaryRepeatParams pairs(1, 1, 1, blocks, 2 * blocks, 2 * blocks);
    FloatVector terms = src;
    FloatVector sums = work;
    for (uint32_t left = layout.rows; left > 1; left = CeilDiv(left, 2)) {
        AscendC::Add(sums, terms, terms[layout.pitch], layout.pitch, static_cast<uint8_t>(left / 2), pairs);
        if (left % 2 == 1) {
            AscendC::Muls(sums[left / 2 * layout.pitch], terms[(left - 1) * layout.pitch], 1.0f,
                          static_cast<int32_t>(layout.pitch));
        }
        const FloatVector next = sums;
        sums = terms;
        terms = next;
    }
    return terms;
}

// g[i] - sum_j probs[j] * g[j] of one token, from product = probs * g; in g.low and one of work[8 … 10].
__aicore__ inline TwoFloatVector CenterToken(TwoFloatVector g, const TwoFloatVector& product, const FloatVector& scalar,
                                             const WorkSpace& work, uint32_t rows)
{
    SumLanes({work[8], work[9]}, product, work[0], scalar, rows);
    const float sum = work[8].GetValue(0);
    const float sumLow = work[9].GetValue(0);
    FloatVector spare = work[9];
    AscendC::Duplicate(work[8], -sum, rows);
    AddExact(g, work[8], spare, work[0], rows);
    AscendC::Adds(g.low, g.low, -sumLow, rows);
    return Renormalize(g, work[10], work[0], rows);
}

// The same of every token of a batch, step by step: the same bits. Uses work[0], work[1], work[8 … 10] and `product`.
__aicore__ inline TwoFloatVector CenterBatch(TwoFloatVector g, const TwoFloatVector& product, const WorkSpace& work,
                                             const ScoreLayout& layout)
{
    const uint32_t count = layout.Count();
    const uint64_t mask = layout.pitch;
    const uint8_t repeats = layout.Repeats();
    const FloatVector parts = work[9];
    AscendC::Abs(work[0], product.high, count);
    const FloatVector units = SumTokens(work[0], work[8], layout);
    AscendC::Muls(units, units, 2.0f, layout.pitch);
    UsableBiases(units, layout.pitch);
    AscendC::Add(parts, product.high, units, mask, repeats, layout.WithTokens());
    AscendC::Sub(parts, parts, units, mask, repeats, layout.WithTokens());
    AscendC::Sub(product.high, product.high, parts, count);
    AscendC::Add(product.low, product.low, product.high, count);
    const FloatVector sums = SumTokens(parts, work[1], layout);
    const FloatVector lowSums = SumTokens(product.low, product.high, layout);
    const AscendC::UnaryRepeatParams sameTokens(1, 1, layout.RowBlocks(), 0);
    AscendC::Muls(work[8], sums, -1.0f, mask, repeats, sameTokens);
    FloatVector spare = work[10];
    AddExact(g, work[8], spare, work[0], count);
    AscendC::Sub(g.low, g.low, lowSums, mask, repeats, layout.WithTokens());
    return Renormalize(g, work[9], work[0], count);
}

// Turns g into c and d into s, in place. `scalar`: one float of UB; work: SCORE_WORK_VECTORS vectors.
__aicore__ inline void FinishScores(const TwoFloatVector& g, const TwoFloatVector& d, const FloatVector& probs,
                                    const FloatVector& invNorm, uint32_t hidden, const FloatVector& scalar,
                                    const WorkSpace& work, const ScoreLayout& layout)
{
    const uint32_t count = layout.Count();
    const TwoFloatVector product = {work[2], work[3]};
    const SplitVector splitProbs = {probs, work[4], work[5]};
    const SplitVector splitNorm = {invNorm, work[6], work[7]};
    Split(splitProbs.head, splitProbs.tail, probs, work.headMask, count);
    Split(splitNorm.head, splitNorm.tail, invNorm, work.headMask, count);
    if (layout.rows == 1) {
        // One row: its softmax is the constant 1, so gs is 0 (and not finite where probs * g is not).
        AscendC::Mul(g.high, g.high, probs, count);
        AscendC::Muls(g.high, g.high, 0.0f, count);
        AscendC::Mul(g.high, g.high, invNorm, count);
        AscendC::Muls(g.low, g.high, 0.0f, count);
    } else {
        Multiply(product, g, splitProbs, work, count);
        const TwoFloatVector centered =
            layout.pitch == 1 ? CenterToken(g, product, scalar, work, count) : CenterBatch(g, product, work, layout);
        Multiply(product, centered, splitProbs, work, count);
        Multiply(g, product, splitNorm, work, count);
    }
    // (gs*inv_norm) * (d*inv_norm) * inv_norm: stays in range where inv_norm^3 alone would underflow.
    Multiply(product, Renormalize(d, work[10], work[0], count), splitNorm, work, count);
    const SplitVector score = {product.high, work[8], work[9]};
    Split(score.head, score.tail, score.value, work.headMask, count);
    Multiply(d, g, score, work, count);
    AscendC::MulAddDst(d.low, g.high, product.low, count);
    Multiply(product, d, splitNorm, work, count);
    const NegativeReciprocal scale(hidden);
    Multiply(d, product, scale.factor, scale.low, work, count);
}

}  // namespace BlockAttentionResidualsGradArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_SCORES_H
