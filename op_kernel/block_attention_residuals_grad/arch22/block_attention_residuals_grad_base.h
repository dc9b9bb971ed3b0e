// What FULL_H and SPLIT_H share: the tensors in global memory, the UB buffers, the arithmetic on rows. The names are
// those of the formulas in docs/aclnnBlockAttentionResidualsGrad.md:
//   g[i] = sum_h(grad_hidden * V[i])      d[i] = sum_h(w * V[i])      w = norm_weight * proj_weight
//   gradV[i] = grad_hidden * probs[i] + c[i] * w + s[i] * V[i]
//   gsw = sum over tokens and rows of c[i] * V[i]
// where …_scores.h makes c and s from g and d, and …_weight_gradient.h the weight gradients from gsw.
// All arithmetic is in two floats (…_two_float.h), rounded to float32 and from there to the main dtype once, when a
// value leaves: an element whose terms cancel to nearly 0 would show any error before. Rows are walked in short chunks,
// since a product or sum in two floats takes many instructions and as many intermediate vectors.
// Vector-to-vector and vector-to-scalar order is left to the compiler (auto-sync, on by default); the order between
// the copy pipes and the vector unit is CopyBuffer's.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_BASE_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_BASE_H

#include "../block_attention_residuals_grad_tensors.h"
#include "block_attention_residuals_grad_scores.h"

namespace BlockAttentionResidualsGradArch22
{

using BlockAttentionResidualsGradShared::BLOCK_BYTES;
using BlockAttentionResidualsGradShared::CopyBuffer;
using BlockAttentionResidualsGradShared::CopyRowIn;
using BlockAttentionResidualsGradShared::CopyRowOut;
using BlockAttentionResidualsGradShared::GradArguments;
using BlockAttentionResidualsGradShared::GradTensors;
using BlockAttentionResidualsGradShared::Order;

constexpr uint32_t SCALAR_BYTES = BLOCK_BYTES;  // results of reductions that the scalar unit reads
constexpr uint32_t MAX_SCORE_BUFFERS = 6;
constexpr uint32_t MAX_SCORE_LOW_PARTS = 4;
constexpr uint32_t WORK_VECTORS = 12;     // as many as RowDots uses, and the mask of heads
constexpr uint32_t MAX_WORK_LANES = 256;  // floats of one; tiling sees to it that they fit

template <typename T>
class GradBase
{
protected:
    // `width`: elements of H that the float32 buffers hold; scoreBuffers and scoreLowParts: how many [N1] buffers of
    // their own, and how many more next to the work vectors, the kernel uses.
    __aicore__ inline void InitBase(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling,
                                    AscendC::TPipe* pipe, uint32_t width, uint32_t scoreBuffers, uint32_t scoreLowParts)
    {
        pipe_ = pipe;
        tensors_.Init(arguments, tiling);
        InitBuffers(width, static_cast<uint32_t>(tiling.extraWorkBytes), scoreBuffers, scoreLowParts);
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
    }

    // ---- rows ----------------------------------------------------------------------------------------------------

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

    // biases[i] = twice what bounds sum(|row * V[i]|), from the row's sum of squares: the squares of V[i] add up to
    // H / inv_norm[i]^2 where inv_norm is the forward's. RowDots takes them from where its results go.
    __aicore__ inline void SetDotBiases(const FloatVector& biases, float squareSum, const FloatVector& invNorm)
    {
        AscendC::Duplicate(biases, 4 * squareSum * static_cast<float>(tensors_.hidden), tensors_.rows);
        AscendC::Sqrt(biases, biases, tensors_.rows);
        AscendC::Div(biases, biases, invNorm, tensors_.rows);
    }

    // g[index] = sum(grad_hidden * row), d[index] = sum(w * row) over `count` elements. The chunks' products are added
    // up lane by lane, the last one, which may be shorter, first. Lanes start at a bias that no sum of them exceeds by
    // half: then what is added to a lane, rounded, is a multiple of one unit, and sums of those are exact. Short
    // factors need none of that for d, which weighs 1 / sqrt(H) of g: few of their sums are rounded at all.
    __aicore__ inline void RowDots(const TwoFloatVector& g, const TwoFloatVector& d, uint32_t index,
                                   const AscendC::LocalTensor<T>& row, uint32_t count)
    {
        const float gBias = UsableBias(g.high.GetValue(index));
        const float dBias = UsableBias(d.high.GetValue(index));
        const uint32_t lanes = count < work_.lanes ? count : work_.lanes;
        // g's lanes and after them d's.
        DotLanes sums = {work_[0], work_[2], work_[4]};
        AscendC::Duplicate(work_[0], gBias, work_.lanes);
        AscendC::Duplicate(work_[1], SHORT_FACTORS ? 0.0f : dBias, work_.lanes);
        AscendC::Duplicate(work_[2], gBias, work_.lanes);
        AscendC::Duplicate(work_[3], dBias, work_.lanes);
        AscendC::Duplicate(sums.low, 0.0f, 2 * work_.lanes);
        for (uint32_t chunk = CeilDiv(count, work_.lanes); chunk-- > 0;) {
            const uint32_t begin = chunk * work_.lanes;
            AddChunkDots(sums, row[begin], begin, ChunkElements(begin, count));
        }
        AscendC::Adds(sums.high, sums.high, -gBias, lanes);
        PlainSum(g.high[index], sums.high, lanes);
        PlainSum(g.low[index], sums.low, lanes);
        const FloatVector dHigh = SHORT_FACTORS ? work_[1] : sums.high[work_.lanes];
        const FloatVector dLow = sums.low[work_.lanes];
        if constexpr (SHORT_FACTORS) {
            SumLanes({d.high[index], d.low[index]}, {dHigh, dLow}, work_[6], scalars_, lanes);
        } else {
            AscendC::Adds(dHigh, dHigh, -dBias, lanes);
            PlainSum(d.high[index], dHigh, lanes);
            PlainSum(d.low[index], dLow, lanes);
        }
    }

    // `rows` rows, `pitch` elements apart, the first being row `first` of the token, become their gradients, and their
    // c*V goes to the weight gradient.
    __aicore__ inline void RowGradients(const AscendC::LocalTensor<T>& row, uint32_t pitch, uint32_t first,
                                        uint32_t rows, uint32_t count)
    {
        for (uint32_t begin = 0; begin < count; begin += work_.lanes) {
            const uint32_t size = ChunkElements(begin, count);
            RowChunk chunk;
            chunk.gradHidden = {gradHidden_[begin], work_[0], work_[1]};
            if constexpr (IS_FLOAT) {
                Split(chunk.gradHidden.head, chunk.gradHidden.tail, chunk.gradHidden.value, work_.headMask, size);
            }
            chunk.weightHead = scoreWeight_.head[begin];
            chunk.weightTail = scoreWeight_.tail[begin];
            chunk.weightSum = {weightSum_.high[begin], weightSum_.low[begin]};
            chunk.spare = work_[2];
            for (uint32_t i = 0; i < rows; ++i) {
                ChunkGradient(row[i * pitch + begin], chunk, first + i, i == 0, size);
            }
            if constexpr (SHORT_FACTORS) {
                AddWeightTerms(chunk, size);
            }
            if (SHORT_FACTORS || rows % 2 == 1) {
                AscendC::Muls(weightSum_.high[begin], chunk.weightSum.high, 1.0f, size);
            }
        }
    }

    // The size of a token's terms c*V: sum of |c[i]| / inv_norm[i], 1 / inv_norm being the root mean square of V. Where
    // inv_norm is 0, so is c.
    __aicore__ inline float WeightTermSize(const FloatVector& c, const FloatVector& invNorm)
    {
        constexpr float TINY = 1.0e-30f;
        AscendC::Abs(work_[0], invNorm, tensors_.rows);
        AscendC::Adds(work_[0], work_[0], TINY, tensors_.rows);
        AscendC::Div(work_[0], c, work_[0], tensors_.rows);
        AscendC::Abs(work_[0], work_[0], tensors_.rows);
        PlainSum(scalars_, work_[0], tensors_.rows);
        return scalars_.GetValue(0);
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
    FloatVector gradHidden_;
    TwoFloatVector weightSum_;  // more by weightBias_
    float weightBias_ = 0;
    FloatVector scores_[MAX_SCORE_BUFFERS];
    FloatVector scoreLow_[MAX_SCORE_LOW_PARTS];
    FloatVector scalars_;
    WorkSpace work_;
    // What RowGradients reads, chosen by the kernel.
    FloatVector probs_;
    TwoFloatVector scaledScores_;
    TwoFloatVector varianceScales_;

private:
    // The tail of the score weight, the scores' low parts and the work vectors share the model's last two rows and what
    // tiling has added to them.
    __aicore__ inline void InitBuffers(uint32_t width, uint32_t extraWorkBytes, uint32_t scoreBuffers,
                                       uint32_t scoreLowParts)
    {
        const uint32_t rowBytes = AlignUp(width * sizeof(float), BLOCK_BYTES);
        FloatVector* const wide[] = {&scoreWeight_.head, &gradHidden_, &weightSum_.high, &weightSum_.low};
        for (auto* tensor : wide) {
            *tensor = NewBuffer<float>(rowBytes);
        }
        const FloatVector shared = NewBuffer<float>(2 * rowBytes + extraWorkBytes);
        for (uint32_t i = 0; i < scoreBuffers; ++i) {
            scores_[i] = NewBuffer<float>(tensors_.rows * sizeof(float));
        }
        scalars_ = NewBuffer<float>(SCALAR_BYTES);
        scoreWeight_.tail = shared;
        uint32_t used = rowBytes / sizeof(float);
        for (uint32_t i = 0; i < scoreLowParts; ++i) {
            scoreLow_[i] = shared[used];
            used += AlignUp(tensors_.rows * sizeof(float), BLOCK_BYTES) / sizeof(float);
        }
        work_.base = shared[used];
        work_.lanes = (shared.GetSize() - used) / WORK_VECTORS / VECTOR_LANES * VECTOR_LANES;
        const uint32_t longest = AlignUp(width > tensors_.rows ? width : tensors_.rows, VECTOR_LANES);
        const uint32_t limit = longest < MAX_WORK_LANES ? longest : MAX_WORK_LANES;
        work_.lanes = work_.lanes < limit ? work_.lanes : limit;
        work_.headMask = work_[WORK_VECTORS - 1];
        SetHeadMask(work_.headMask, work_.lanes);
    }

    // The chunk's elements, float32.
    __aicore__ inline FloatVector Widened(const AscendC::LocalTensor<T>& row, const FloatVector& place, uint32_t count)
    {
        if constexpr (IS_FLOAT) {
            return row;
        } else {
            AscendC::Cast(place, row, AscendC::RoundMode::CAST_NONE, count);
            return place;
        }
    }

    // Two vectors each, g's and d's; high and spare swap. With short factors d's high part stays in work_[1].
    struct DotLanes {
        FloatVector high;
        FloatVector spare;
        FloatVector low;
    };

    // Adds one chunk's products to the lanes of g and d. Those of 2-byte dtypes are exact as they are. Uses
    // work_[6 … 10].
    __aicore__ inline void AddChunkDots(DotLanes& sums, const AscendC::LocalTensor<T>& row, uint32_t begin,
                                        uint32_t count)
    {
        const FloatVector value = Widened(row, work_[8], count);
        const FloatVector gTerm = work_[6];
        const FloatVector dTerm = work_[7];
        const FloatVector gLow = sums.low;
        const FloatVector dLow = sums.low[work_.lanes];
        const FloatVector gradHidden = gradHidden_[begin];
        const FloatVector weightHead = scoreWeight_.head[begin];
        if constexpr (IS_FLOAT) {
            const FloatVector valueHead = work_[8];
            const FloatVector valueTail = work_[9];
            const FloatVector gradHead = gTerm;
            const FloatVector gradTail = work_[10];
            Split(valueHead, valueTail, value, work_.headMask, count);
            Split(gradHead, gradTail, gradHidden, work_.headMask, count);
            AscendC::MulAddDst(gLow, gradTail, value, count);
            AscendC::MulAddDst(gLow, gradHead, valueTail, count);
            AscendC::MulAddDst(dLow, weightHead, valueTail, count);
            AscendC::Mul(gTerm, gradHead, valueHead, count);
            AscendC::Mul(dTerm, weightHead, valueHead, count);
        } else {
            AscendC::Mul(gTerm, gradHidden, value, count);
            if constexpr (SHORT_FACTORS) {
                AscendC::MulAddDst(work_[1], weightHead, value, count);
            } else {
                AscendC::Mul(dTerm, weightHead, value, count);
            }
        }
        AscendC::MulAddDst(dLow, scoreWeight_.tail[begin], value, count);
        if (!SHORT_FACTORS && count == work_.lanes) {
            AddBiased(sums.spare, {sums.high, sums.low}, gTerm, 2 * count);
        } else {
            AddBiased(sums.spare, {sums.high, gLow}, gTerm, count);
            if constexpr (!SHORT_FACTORS) {
                AddBiased(sums.spare[work_.lanes], {sums.high[work_.lanes], dLow}, dTerm, count);
            }
        }
        const FloatVector sum = sums.spare;
        sums.spare = sums.high;
        sums.high = sum;
    }

    // What the rows of a chunk share.
    struct RowChunk {
        SplitVector gradHidden;
        FloatVector weightHead;
        FloatVector weightTail;
        TwoFloatVector weightSum;  // its high part and spare swap
        FloatVector spare;
    };

    // The factors of grad_hidden, w and V in a row's gradient.
    struct RowFactors {
        SplitScalar prob;
        SplitScalar score;
        SplitScalar scale;
    };

    // One chunk of one row. Uses work_[3 … 10].
    __aicore__ inline void ChunkGradient(const AscendC::LocalTensor<T>& row, RowChunk& chunk, uint32_t index,
                                         bool first, uint32_t count)
    {
        const RowFactors factors = {
            Split<TAIL_BITS>(probs_.GetValue(index), 0),
            Split<TAIL_BITS>(scaledScores_.high.GetValue(index), scaledScores_.low.GetValue(index)),
            Split<TAIL_BITS>(varianceScales_.high.GetValue(index), varianceScales_.low.GetValue(index))};
        SplitVector value;
        value.value = Widened(row, work_[10], count);
        value.head = value.value;
        if constexpr (IS_FLOAT) {
            value.head = work_[9];
            value.tail = work_[10];
            Split(value.head, value.tail, value.value, work_.headMask, count);
        }
        if constexpr (SHORT_FACTORS) {
            AddShortWeightTerm(value.value, chunk, factors.score, first, count);
            ShortGradient(row, chunk, value.value, factors, count);
        } else {
            AddWeightTerm(value, chunk, factors.score, count);
            ExactGradient(row, chunk, value, factors, count);
        }
    }

    // c*V of a row to the weight gradient. Uses work_[3].
    __aicore__ inline void AddWeightTerm(const SplitVector& value, RowChunk& chunk, const SplitScalar& score,
                                         uint32_t count)
    {
        AscendC::Muls(work_[3], value.head, score.head, count);
        AscendC::Axpy(chunk.weightSum.low, value.head, score.tail, count);
        if constexpr (IS_FLOAT) {
            AscendC::Axpy(chunk.weightSum.low, value.tail, score.value, count);
        }
        AddWeightTerms(chunk, count);
    }

    // work_[3] to the weight gradient.
    __aicore__ inline void AddWeightTerms(RowChunk& chunk, uint32_t count)
    {
        AddBiased(chunk.spare, chunk.weightSum, work_[3], count);
        const FloatVector sum = chunk.spare;
        chunk.spare = chunk.weightSum.high;
        chunk.weightSum.high = sum;
    }

    // The same with short factors: the rows of a chunk are added up in work_[3] first.
    __aicore__ inline void AddShortWeightTerm(const FloatVector& value, RowChunk& chunk, const SplitScalar& score,
                                              bool first, uint32_t count)
    {
        if (first) {
            AscendC::Muls(work_[3], value, score.head, count);
        } else {
            AscendC::Axpy(work_[3], value, score.head, count);
        }
        AscendC::Axpy(chunk.weightSum.low, value, score.tail, count);
    }

    // prob * grad_hidden + score * w + scale * V, rounded to float32 and from there to the main dtype. Where three
    // exact terms cancel, adding the two larger ones first is exact, and what the last addition is rounded by is
    // relative to the result: only a float32 one shows it. Uses work_[3 … 7].
    __aicore__ inline void ExactGradient(const AscendC::LocalTensor<T>& row, const RowChunk& chunk,
                                         const SplitVector& value, const RowFactors& factors, uint32_t count)
    {
        const FloatVector term = work_[3];
        const FloatVector work = work_[4];
        FloatVector spare = work_[5];
        TwoFloatVector gradient = {work_[6], work_[7]};
        // The first term is exact, so that a gradient which has only that is the product, rounded.
        if constexpr (IS_FLOAT) {
            AscendC::Muls(gradient.high, chunk.gradHidden.value, factors.prob.value, count);
            AscendC::Muls(gradient.low, chunk.gradHidden.head, factors.prob.head, count);
            AscendC::Sub(gradient.low, gradient.low, gradient.high, count);
            AscendC::Axpy(gradient.low, chunk.gradHidden.head, factors.prob.tail, count);
            AscendC::Axpy(gradient.low, chunk.gradHidden.tail, factors.prob.head, count);
            AscendC::Axpy(gradient.low, chunk.gradHidden.tail, factors.prob.tail, count);
        } else {
            AscendC::Muls(gradient.high, chunk.gradHidden.value, factors.prob.head, count);
            AscendC::Muls(gradient.low, chunk.gradHidden.value, factors.prob.tail, count);
        }
        AscendC::Muls(term, chunk.weightHead, factors.score.head, count);
        AddExact(gradient, term, spare, work, count);
        if constexpr (IS_FLOAT) {
            AscendC::Muls(term, value.head, factors.scale.head, count);
            AddExact(gradient, term, spare, work, count);
        } else {
            AscendC::Axpy(gradient.high, value.head, factors.scale.head, count);
        }
        AscendC::Axpy(gradient.low, chunk.weightHead, factors.score.tail, count);
        AscendC::Axpy(gradient.low, chunk.weightTail, factors.score.value, count);
        AscendC::Axpy(gradient.low, value.head, factors.scale.tail, count);
        if constexpr (IS_FLOAT) {
            AscendC::Axpy(gradient.low, value.tail, factors.scale.value, count);
        }
        StoreGradient(row, gradient, count);
    }

    // The same with short factors: adding the first two where they cancel is exact as it is. Uses work_[5] and
    // work_[6].
    __aicore__ inline void ShortGradient(const AscendC::LocalTensor<T>& row, const RowChunk& chunk,
                                         const FloatVector& value, const RowFactors& factors, uint32_t count)
    {
        const TwoFloatVector gradient = {work_[5], work_[6]};
        AscendC::Muls(gradient.high, chunk.gradHidden.value, factors.prob.head, count);
        AscendC::Axpy(gradient.high, chunk.weightHead, factors.score.head, count);
        AscendC::Axpy(gradient.high, value, factors.scale.head, count);
        AscendC::Muls(gradient.low, chunk.gradHidden.value, factors.prob.tail, count);
        AscendC::Axpy(gradient.low, chunk.weightHead, factors.score.tail, count);
        AscendC::Axpy(gradient.low, chunk.weightTail, factors.score.value, count);
        AscendC::Axpy(gradient.low, value, factors.scale.tail, count);
        StoreGradient(row, gradient, count);
    }

    __aicore__ inline void StoreGradient(const AscendC::LocalTensor<T>& row, const TwoFloatVector& gradient,
                                         uint32_t count)
    {
        if constexpr (IS_FLOAT) {
            AscendC::Add(row, gradient.high, gradient.low, count);
        } else {
            AscendC::Add(gradient.high, gradient.high, gradient.low, count);
            AscendC::Cast(row, gradient.high, AscendC::RoundMode::CAST_RINT, count);
        }
    }
};

}  // namespace BlockAttentionResidualsGradArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_BASE_H
