// What FULL_H and SPLIT_H share: the tensors in global memory, the UB buffers, the score weight and the weight
// gradient's sum. …_rows.h has the arithmetic on rows, …_scores.h that on the [N1] scores of a token. All arithmetic is
// in two floats (…/common/arch22/two_float.h), rounded to float32 and from there to the main dtype once, when a value
// leaves: an element whose terms cancel to nearly 0 would show any error before. Rows are walked in short chunks, since
// a product or sum in two floats takes many instructions and as many intermediate vectors. Vector-to-vector and
// vector-to-scalar order is left to the compiler (auto-sync, on by default); the order between the copy pipes and the
// vector unit is CopyBuffer's.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_BASE_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_BASE_H

#include "../block_attention_residuals_grad_shared_scores.h"
#include "../block_attention_residuals_grad_tensors.h"
#include "block_attention_residuals_grad_scores.h"

namespace BlockAttentionResidualsGradArch22
{

using BlockAttentionResidualsGradShared::BLOCK_BYTES;
using BlockAttentionResidualsGradShared::CopyBuffer;
using BlockAttentionResidualsGradShared::CopyRowIn;
using BlockAttentionResidualsGradShared::CopyRowOut;
using BlockAttentionResidualsGradShared::CopyRowsIn;
using BlockAttentionResidualsGradShared::GradArguments;
using BlockAttentionResidualsGradShared::GradTensors;
using BlockAttentionResidualsGradShared::Order;

constexpr uint32_t SCALAR_FLOATS = BLOCK_LANES;  // room for results of reductions, at least
constexpr uint32_t MAX_SCORE_BUFFERS = 6;
constexpr uint32_t MAX_SCORE_LOW_PARTS = 4;
constexpr uint32_t WORK_VECTORS = 12;       // as many as RowDots uses, and the mask of heads
constexpr uint32_t MAX_WORK_LANES = 256;    // floats of one; tiling sees to it that they fit
constexpr uint32_t BATCH_WORK_LANES = 512;  // with batches of tokens, whose rows are no longer than MAX_WORK_LANES

template <typename T>
class GradBase
{
protected:
    // `width`: elements that the float32 buffers hold; scoreBuffers and scoreLowParts: how many buffers for the [N1]
    // scores of batchTokens tokens of their own, and how many more next to the work vectors, the kernel uses.
    __aicore__ inline void InitBase(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling,
                                    AscendC::TPipe* pipe, uint32_t width, uint32_t scoreBuffers, uint32_t scoreLowParts)
    {
        pipe_ = pipe;
        tensors_.Init(arguments, tiling);
        InitBuffers(width, tiling, scoreBuffers, scoreLowParts);
    }

    // ---- buffers and weights ---------------------------------------------------------------------------------------

    template <typename U>
    __aicore__ inline AscendC::LocalTensor<U> NewBuffer(uint32_t bytes)
    {
        AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
        pipe_->InitBuffer(buffer, AlignUp(bytes, BLOCK_BYTES));
        return buffer.template Get<U>();
    }

    // Elements of the chunk of a row of `count` that begins at `begin`.
    __aicore__ inline uint32_t ChunkElements(uint32_t begin, uint32_t count) const
    {
        return count - begin < work_.lanes ? count - begin : work_.lanes;
    }

    __aicore__ inline void Widen(const FloatVector& dst, const AscendC::LocalTensor<T>& src, uint32_t count)
    {
        if constexpr (IS_FLOAT) {
            AscendC::Muls(dst, src, 1.0f, count);
        } else {
            AscendC::Cast(dst, src, AscendC::RoundMode::CAST_NONE, count);
        }
    }

    // w = norm_weight * proj_weight, from the widened norm_weight in scoreWeight_.head and proj_weight in .tail.
    // Between 2-byte dtypes the product is exact in float32; of float32 ones the tail gets what the product is rounded
    // by.
    __aicore__ inline void MakeScoreWeight(uint32_t count)
    {
        for (uint32_t begin = 0; begin < count; begin += work_.lanes) {
            const uint32_t size = ChunkElements(begin, count);
            const FloatVector head = scoreWeight_.head[begin];
            const FloatVector tail = scoreWeight_.tail[begin];
            const TwoFloatVector product = {work_[2], work_[3]};
            if constexpr (IS_FLOAT) {
                const SplitVector proj = {tail, work_[4], work_[5]};
                AscendC::Duplicate(work_[6], 0.0f, size);
                Split(proj.head, proj.tail, tail, work_.headMask, size);
                Multiply(product, {head, work_[6]}, proj, work_, size);
                Split(head, tail, product.high, work_.headMask, size);
                AscendC::Add(tail, tail, product.low, size);
            } else if constexpr (SHORT_FACTORS) {
                const AscendC::LocalTensor<T> rounded = work_[3].ReinterpretCast<T>();
                AscendC::Mul(product.high, head, tail, size);
                AscendC::Cast(rounded, product.high, AscendC::RoundMode::CAST_RINT, size);
                AscendC::Cast(head, rounded, AscendC::RoundMode::CAST_NONE, size);
                AscendC::Sub(tail, product.high, head, size);
            } else {
                AscendC::Mul(product.high, head, tail, size);
                Split(head, tail, product.high, work_.headMask, size);
            }
        }
        if constexpr (IS_FLOAT) {
            weightIsZero_ = MagnitudeSum(scoreWeight_.head, count) == 0;
        }
    }

    // ---- sums ----------------------------------------------------------------------------------------------------

    // Sum of the squares of row[0..count), in float32.
    __aicore__ inline float SquareSum(const FloatVector& row, uint32_t count)
    {
        const uint32_t lanes = count < work_.lanes ? count : work_.lanes;
        AscendC::Duplicate(work_[0], 0.0f, lanes);
        for (uint32_t begin = 0; begin < count; begin += work_.lanes) {
            const uint32_t size = ChunkElements(begin, count);
            AscendC::MulAddDst(work_[0], row[begin], row[begin], size);
        }
        PlainSum(scalars_, work_[0], lanes);
        return scalars_.GetValue(0);
    }

    // Sum of |row[0..count)|, in float32.
    __aicore__ inline float MagnitudeSum(const FloatVector& row, uint32_t count)
    {
        const uint32_t lanes = count < work_.lanes ? count : work_.lanes;
        AscendC::Duplicate(work_[0], 0.0f, lanes);
        for (uint32_t begin = 0; begin < count; begin += work_.lanes) {
            const uint32_t size = ChunkElements(begin, count);
            AscendC::Abs(work_[1], row[begin], size);
            AscendC::Add(work_[0], work_[0], work_[1], size);
        }
        PlainSum(scalars_, work_[0], lanes);
        return scalars_.GetValue(0);
    }

    // The size of a token's terms c*V: sum of |c[i]| / inv_norm[i], 1 / inv_norm being the root mean square of V. Where
    // inv_norm is 0, so is c. Of a batch, that of the token with the largest ones.
    __aicore__ inline float WeightTermSize(const FloatVector& c, const FloatVector& invNorm, const ScoreLayout& layout)
    {
        constexpr float TINY = 1.0e-30f;
        const uint32_t count = layout.Count();
        AscendC::Abs(work_[0], invNorm, count);
        AscendC::Adds(work_[0], work_[0], TINY, count);
        AscendC::Div(work_[0], c, work_[0], count);
        AscendC::Abs(work_[0], work_[0], count);
        if (layout.pitch == 1) {
            PlainSum(scalars_, work_[0], count);
        } else {
            AscendC::WholeReduceMax(scalars_, SumTokens(work_[0], work_[1], layout),
                                    static_cast<int32_t>(layout.tokens), 1, 1, 1,
                                    static_cast<int32_t>(BLOCKS_PER_REPEAT), AscendC::ReduceOrder::ORDER_ONLY_VALUE);
        }
        return scalars_.GetValue(0);
    }

    // sum = 0 and sum += term, over the [N1] scores of one token. term is destroyed.
    __aicore__ inline void ClearScores(const TwoFloatVector& sum)
    {
        AscendC::Duplicate(sum.high, 0.0f, tensors_.rows);
        AscendC::Duplicate(sum.low, 0.0f, tensors_.rows);
    }

    __aicore__ inline void AddScores(const TwoFloatVector& sum, const TwoFloatVector& term)
    {
        const uint32_t rows = tensors_.rows;
        TwoFloatVector total = sum;
        FloatVector spare = work_[0];
        AddExact(total, term.high, spare, work_[1], rows);
        AscendC::Add(sum.low, sum.low, term.low, rows);
        AscendC::Muls(sum.high, total.high, 1.0f, rows);
    }

    // g and d of whole rows from what this core has of them: every core that has the token adds up all its segments, in
    // their order. `place`: of SharedScoreBytes().
    __aicore__ inline void AddShares(const TwoFloatVector& g, const TwoFloatVector& d, const FloatVector& place)
    {
        BlockAttentionResidualsGradShared::SharedScores<T> shared;
        shared.Init(pipe_, &tensors_, place, AlignUp(tensors_.rows, BLOCK_LANES));
        shared.Exchange({g.high, g.low, d.high, d.low});
        ClearScores(g);
        ClearScores(d);
        for (uint32_t segment = 0; segment < tensors_.segments; ++segment) {
            AddScores(g, {shared.Scores(0, segment), shared.Scores(1, segment)});
            AddScores(d, {shared.Scores(2, segment), shared.Scores(3, segment)});
        }
    }

    // What AddShares needs for the scores of all cores that have the token.
    __aicore__ inline uint32_t SharedScoreBytes() const
    {
        const uint32_t arrays = static_cast<uint32_t>(SHARED_SCORES) * tensors_.segments;
        return arrays * AlignUp(tensors_.rows, BLOCK_LANES) * sizeof(float);
    }

    // The scores of one token.
    __aicore__ inline ScoreLayout TokenLayout() const
    {
        return {1, tensors_.rows, 1};
    }

    // The weight sum becomes 0 with the bias that goes with terms of that size.
    __aicore__ inline void StartWeightSum(float termSize, uint32_t count)
    {
        weightBias_ = UsableBias(BIAS_PER_TERM * termSize);
        AscendC::Duplicate(weightSum_.high, weightBias_, count);
        AscendC::Duplicate(weightSum_.low, 0.0f, count);
    }

    // A larger bias where terms have become so large that the present one would not do.
    __aicore__ inline void RaiseWeightBias(float termSize, uint32_t count)
    {
        if (termSize * SMALLEST_BIAS_PER_TERM > weightBias_) {
            const float bias = UsableBias(BIAS_PER_TERM * termSize);
            ChangeWeightBias(bias, count);
        }
    }

    __aicore__ inline void ChangeWeightBias(float bias, uint32_t count)
    {
        for (uint32_t begin = 0; begin < count; begin += work_.lanes) {
            const uint32_t size = ChunkElements(begin, count);
            TwoFloatVector sum = {weightSum_.high[begin], weightSum_.low[begin]};
            FloatVector spare = work_[0];
            AscendC::Duplicate(work_[1], -weightBias_, size);
            AddExact(sum, work_[1], spare, work_[2], size);
            AscendC::Duplicate(work_[1], bias, size);
            AddExact(sum, work_[1], spare, work_[2], size);
        }
        weightBias_ = bias;
    }

    static constexpr bool IS_FLOAT = AscendC::IsSameType<T, float>::value;
    // Products of two bfloat16 have 16 bits. With factors cut to 8 bits, sums of a few of them are exact as they are.
    static constexpr bool SHORT_FACTORS = AscendC::IsSameType<T, bfloat16_t>::value;
    static constexpr uint32_t TAIL_BITS = SHORT_FACTORS ? 16 : HALF_BITS;
    // A term may be sqrt(H) times larger than its root mean square, and many of them may add up.
    static constexpr float BIAS_PER_TERM = 1024.0f;
    static constexpr float SMALLEST_BIAS_PER_TERM = 32.0f;

    AscendC::TPipe* pipe_;
    GradTensors<T> tensors_;

    SplitVector scoreWeight_;  // its value is not kept
    bool weightIsZero_;        // known for float32
    FloatVector gradHidden_;
    TwoFloatVector weightSum_;  // more by weightBias_
    float weightBias_ = 0;
    FloatVector scores_[MAX_SCORE_BUFFERS];
    FloatVector scoreLow_[MAX_SCORE_LOW_PARTS];
    FloatVector scalars_;
    WorkSpace work_;

private:
    // The tail of the score weight, the scores' low parts and the work vectors share the model's last two rows and what
    // tiling has added to them.
    __aicore__ inline void InitBuffers(uint32_t width, const BlockAttentionResidualsGradTilingData& tiling,
                                       uint32_t scoreBuffers, uint32_t scoreLowParts)
    {
        const uint32_t rowBytes = AlignUp(width * sizeof(float), BLOCK_BYTES);
        const uint32_t batchTokens = static_cast<uint32_t>(tiling.batchTokens);
        const uint32_t scoreFloats = AlignUp(tensors_.rows * ScorePitch(batchTokens), BLOCK_LANES);
        FloatVector* const wide[] = {&scoreWeight_.head, &gradHidden_, &weightSum_.high, &weightSum_.low};
        for (auto* tensor : wide) {
            *tensor = NewBuffer<float>(rowBytes);
        }
        const FloatVector shared = NewBuffer<float>(2 * rowBytes + static_cast<uint32_t>(tiling.extraWorkBytes));
        for (uint32_t i = 0; i < scoreBuffers; ++i) {
            scores_[i] = NewBuffer<float>(scoreFloats * sizeof(float));
        }
        scalars_ = NewBuffer<float>(AlignUp(batchTokens, SCALAR_FLOATS) * sizeof(float));
        scoreWeight_.tail = shared;
        uint32_t used = rowBytes / sizeof(float);
        for (uint32_t i = 0; i < scoreLowParts; ++i) {
            scoreLow_[i] = shared[used];
            used += scoreFloats;
        }
        work_.base = shared[used];
        work_.lanes = (shared.GetSize() - used) / WORK_VECTORS / VECTOR_LANES * VECTOR_LANES;
        const uint32_t longest = AlignUp(width > scoreFloats ? width : scoreFloats, VECTOR_LANES);
        const uint32_t most = batchTokens == 1 ? MAX_WORK_LANES : BATCH_WORK_LANES;
        const uint32_t limit = longest < most ? longest : most;
        work_.lanes = work_.lanes < limit ? work_.lanes : limit;
        work_.headMask = work_[WORK_VECTORS - 1];
        SetHeadMask(work_.headMask, work_.lanes);
    }
};

}  // namespace BlockAttentionResidualsGradArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_BASE_H
