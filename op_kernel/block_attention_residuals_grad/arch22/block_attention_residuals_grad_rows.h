// The arithmetic on rows; the names are those of the formulas in docs/aclnnBlockAttentionResidualsGrad.md:
//   g[i] = sum_h(grad_hidden * V[i])      d[i] = sum_h(w * V[i])      w = norm_weight * proj_weight
//   gradV[i] = grad_hidden * probs[i] + c[i] * w + s[i] * V[i]
//   gsw = sum over tokens and rows of c[i] * V[i]
// where …_scores.h makes c and s from g and d, and …_weight_gradient.h the weight gradients from gsw.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_ROWS_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_ROWS_H

#include "block_attention_residuals_grad_base.h"

namespace BlockAttentionResidualsGradArch22
{

template <typename T>
class RowsBase : public GradBase<T>
{
protected:
    using Base = GradBase<T>;
    using Base::gradHidden_;
    using Base::IS_FLOAT;
    using Base::scalars_;
    using Base::scoreWeight_;
    using Base::SHORT_FACTORS;
    using Base::TAIL_BITS;
    using Base::tensors_;
    using Base::weightIsZero_;
    using Base::weightSum_;
    using Base::work_;

    // biases[i] = twice what bounds sum(|row * V[i]|), from the row's sum of squares: the squares of V[i] add up to
    // H / inv_norm[i]^2 where inv_norm is the forward's. RowDots takes them from where its results go.
    __aicore__ inline void SetDotBiases(const FloatVector& biases, float squareSum, const FloatVector& invNorm,
                                        uint32_t rows)
    {
        AscendC::Duplicate(biases, 4 * squareSum * static_cast<float>(tensors_.hidden), rows);
        AscendC::Sqrt(biases, biases, rows);
        AscendC::Div(biases, biases, invNorm, rows);
    }

    // The same of a batch whose square sums are in scalars_.
    __aicore__ inline void SetBatchDotBiases(const FloatVector& biases, const FloatVector& invNorm,
                                             const ScoreLayout& layout)
    {
        const uint8_t blocks = layout.RowBlocks();
        const AscendC::BinaryRepeatParams sameTokens(1, 1, 1, blocks, 0, blocks);
        AscendC::Muls(scalars_, scalars_, 4.0f, layout.pitch);
        AscendC::Muls(scalars_, scalars_, static_cast<float>(tensors_.hidden), layout.pitch);
        AscendC::Sqrt(scalars_, scalars_, layout.pitch);
        AscendC::Div(biases, scalars_, invNorm, static_cast<uint64_t>(layout.pitch), layout.Repeats(), sameTokens);
    }

    // g[index] = sum(grad_hidden * row), d[index] = sum(w * row) over `count` elements. The chunks' products are added
    // up lane by lane, the last one, which may be shorter, first. Lanes start at a bias that no sum of them exceeds by
    // half: then what is added to a lane, rounded, is a multiple of one unit, and sums of those are exact. d,
    // which weighs 1 / sqrt(H) of g, needs none of that with short factors, few of whose sums are rounded at all, nor
    // in rows of many elements.
    __aicore__ inline void RowDots(const TwoFloatVector& g, const TwoFloatVector& d, uint32_t index,
                                   const AscendC::LocalTensor<T>& row, uint32_t count)
    {
        const float gBias = UsableBias(g.high.GetValue(index));
        const float dBias = UsableBias(d.high.GetValue(index));
        const uint32_t lanes = count < work_.lanes ? count : work_.lanes;
        const bool plainD = SHORT_FACTORS || HasManyElements();
        // g's lanes and after them d's.
        DotLanes sums = {work_[0], work_[2], work_[4]};
        AscendC::Duplicate(work_[0], gBias, work_.lanes);
        AscendC::Duplicate(work_[2], gBias, work_.lanes);
        if (plainD) {
            AscendC::Duplicate(work_[1], 0.0f, work_.lanes);
        } else {
            AscendC::Duplicate(work_[1], dBias, work_.lanes);
            AscendC::Duplicate(work_[3], dBias, work_.lanes);
        }
        AscendC::Duplicate(sums.low, 0.0f, 2 * work_.lanes);
        for (uint32_t chunk = CeilDiv(count, work_.lanes); chunk-- > 0;) {
            const uint32_t begin = chunk * work_.lanes;
            AddChunkDots(sums, row[begin], begin, this->ChunkElements(begin, count));
        }
        AscendC::Adds(sums.high, sums.high, -gBias, lanes);
        PlainSum(g.high[index], sums.high, lanes);
        PlainSum(g.low[index], sums.low, lanes);
        const FloatVector dHigh = plainD ? work_[1] : sums.high[work_.lanes];
        const FloatVector dLow = sums.low[work_.lanes];
        if constexpr (SHORT_FACTORS) {
            SumLanes({d.high[index], d.low[index]}, {dHigh, dLow}, work_[6], scalars_, lanes);
        } else {
            if (!plainD) {
                AscendC::Adds(dHigh, dHigh, -dBias, lanes);
            }
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
            const uint32_t size = this->ChunkElements(begin, count);
            RowChunk chunk;
            chunk.gradHidden = GradHiddenChunk(begin, work_[0], work_[1], size);
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

    // What RowGradients reads, chosen by the kernel.
    FloatVector probs_;
    TwoFloatVector scaledScores_;
    TwoFloatVector varianceScales_;

    // float32 rows so long that one unit in the last place more or less of some elements is no matter to their mean
    // error, and that d and s * V, whose share is 1 / sqrt(H), may be rounded as they come.
    __aicore__ inline bool HasManyElements() const
    {
        constexpr uint32_t MANY_ELEMENTS = 512;
        return IS_FLOAT && tensors_.hidden >= MANY_ELEMENTS;
    }

    // The factors of grad_hidden, w and V in a row's gradient.
    struct RowFactors {
        SplitScalar prob;
        SplitScalar score;
        SplitScalar scale;
    };

    __aicore__ inline RowFactors FactorsOf(uint32_t index) const
    {
        return {Split<TAIL_BITS>(probs_.GetValue(index), 0),
                Split<TAIL_BITS>(scaledScores_.high.GetValue(index), scaledScores_.low.GetValue(index)),
                Split<TAIL_BITS>(varianceScales_.high.GetValue(index), varianceScales_.low.GetValue(index))};
    }

    // Whether the row's gradient is prob * grad_hidden, one product, rounded once.
    __aicore__ inline bool IsOneProduct(const RowFactors& factors) const
    {
        return (factors.score.value == 0 || weightIsZero_) && factors.scale.value == 0;
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

    // Of float32: grad_hidden of the token, whole, becomes its head, and gradHidden_ its tail; both have to stay while
    // the token is worked on, so that no pass over its rows splits it again.
    __aicore__ inline void SplitGradHidden(const FloatVector& gradHidden, uint32_t count)
    {
        gradHiddenHead_ = gradHidden;
        gradHiddenIsSplit_ = true;
        for (uint32_t begin = 0; begin < count; begin += work_.lanes) {
            const uint32_t size = this->ChunkElements(begin, count);
            Split(work_[0], gradHidden_[begin], gradHidden[begin], work_.headMask, size);
            AscendC::Muls(gradHidden[begin], work_[0], 1.0f, size);
        }
    }

private:
    // A chunk of grad_hidden; of float32, in two parts: what is not kept is put into `head` and `tail`.
    __aicore__ inline SplitVector GradHiddenChunk(uint32_t begin, const FloatVector& head, const FloatVector& tail,
                                                  uint32_t count) const
    {
        if (gradHiddenIsSplit_) {
            return {{}, gradHiddenHead_[begin], gradHidden_[begin]};
        }
        const FloatVector value = gradHidden_[begin];
        if constexpr (IS_FLOAT) {
            Split(head, tail, value, work_.headMask, count);
            return {value, head, tail};
        } else {
            return {value, value, tail};
        }
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

    // Adds one chunk's products to the lanes of g and d. Those of 2-byte dtypes are exact as they are. Neighbouring
    // instructions belong to different sums where they can. Uses work_[6 … 10].
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
        bool plainD = SHORT_FACTORS;
        if constexpr (IS_FLOAT) {
            const FloatVector valueHead = work_[8];
            const FloatVector valueTail = work_[9];
            const SplitVector grad = GradHiddenChunk(begin, gTerm, work_[10], count);
            plainD = HasManyElements();
            Split(valueHead, valueTail, value, work_.headMask, count);
            AscendC::MulAddDst(gLow, grad.tail, value, count);
            if (plainD) {
                AscendC::MulAddDst(work_[1], weightHead, value, count);
            } else {
                AscendC::Mul(dTerm, weightHead, valueHead, count);
                AscendC::MulAddDst(dLow, weightHead, valueTail, count);
            }
            AscendC::MulAddDst(gLow, grad.head, valueTail, count);
            AscendC::MulAddDst(dLow, scoreWeight_.tail[begin], value, count);
            AscendC::Mul(gTerm, grad.head, valueHead, count);
        } else if constexpr (SHORT_FACTORS) {
            AscendC::Mul(gTerm, gradHidden, value, count);
            AscendC::MulAddDst(work_[1], weightHead, value, count);
            AscendC::Add(sums.spare, sums.high, gTerm, count);
            AscendC::MulAddDst(dLow, scoreWeight_.tail[begin], value, count);
            AddErrorOfSum(sums.spare, {sums.high, gLow}, gTerm, count);
        } else {
            AscendC::Mul(gTerm, gradHidden, value, count);
            AscendC::Mul(dTerm, weightHead, value, count);
            AscendC::MulAddDst(dLow, scoreWeight_.tail[begin], value, count);
        }
        if constexpr (!SHORT_FACTORS) {
            if (plainD) {
                AddBiased(sums.spare, {sums.high, gLow}, gTerm, count);
            } else if (count == work_.lanes) {
                AddBiased(sums.spare, {sums.high, sums.low}, gTerm, 2 * count);
            } else {
                AddBiased(sums.spare, {sums.high, gLow}, gTerm, count);
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

    // One chunk of one row. Uses work_[3 … 10].
    __aicore__ inline void ChunkGradient(const AscendC::LocalTensor<T>& row, RowChunk& chunk, uint32_t index,
                                         bool first, uint32_t count)
    {
        const RowFactors factors = FactorsOf(index);
        SplitVector value;
        value.value = Widened(row, work_[10], count);
        value.head = value.value;
        if constexpr (IS_FLOAT) {
            value.head = work_[9];
            value.tail = work_[10];
            Split(value.head, value.tail, value.value, work_.headMask, count);
        }
        if constexpr (!SHORT_FACTORS) {
            AddWeightTerm(value, chunk, factors.score, count);
        }
        if constexpr (IS_FLOAT) {
            if (IsOneProduct(factors)) {
                AscendC::Add(row, chunk.gradHidden.head, chunk.gradHidden.tail, count);
                AscendC::Muls(row, row, factors.prob.value, count);
                return;
            }
            if (!HasManyElements()) {
                ExactGradient(row, chunk, value, factors, count);
                return;
            }
        }
        PlainGradient(row, chunk, value.value, factors, first, count);
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

    // prob * grad_hidden + score * w + scale * V, every product exact, every sum in two floats. Of float32 rows of few
    // elements. Uses work_[3 … 7].
    __aicore__ inline void ExactGradient(const AscendC::LocalTensor<T>& row, const RowChunk& chunk,
                                         const SplitVector& value, const RowFactors& factors, uint32_t count)
    {
        const FloatVector term = work_[3];
        const FloatVector work = work_[4];
        FloatVector spare = work_[5];
        TwoFloatVector gradient = {work_[6], work_[7]};
        AscendC::Muls(spare, chunk.gradHidden.head, factors.prob.head, count);
        AscendC::Muls(term, chunk.weightHead, factors.score.head, count);
        TwoSum(gradient.high, work, term, spare, term, count);
        AscendC::Add(gradient.low, term, work, count);
        AscendC::Muls(term, value.head, factors.scale.head, count);
        AddExact(gradient, term, spare, work, count);
        AscendC::Axpy(gradient.low, chunk.gradHidden.head, factors.prob.tail, count);
        AscendC::Axpy(gradient.low, chunk.weightHead, factors.score.tail, count);
        AscendC::Axpy(gradient.low, chunk.weightTail, factors.score.value, count);
        AscendC::Axpy(gradient.low, value.head, factors.scale.tail, count);
        AscendC::Axpy(gradient.low, chunk.gradHidden.tail, factors.prob.value, count);
        AscendC::Axpy(gradient.low, value.tail, factors.scale.value, count);
        StoreGradient(row, gradient, count);
    }

    // The same with plain sums of the products' heads: where the first two cancel, their sum is exact as it is, and
    // scale * V is 1 / sqrt(H) of them. No instruction takes the result of the one before it: the vector pipe would
    // wait for it. With short factors also c*V for the weight gradient, of which the rows of a chunk are added up in
    // work_[3] first. Uses work_[5] and work_[6].
    __aicore__ inline void PlainGradient(const AscendC::LocalTensor<T>& row, const RowChunk& chunk,
                                         const FloatVector& value, const RowFactors& factors, bool first,
                                         uint32_t count)
    {
        const TwoFloatVector gradient = {work_[5], work_[6]};
        AscendC::Muls(gradient.high, chunk.gradHidden.head, factors.prob.head, count);
        AscendC::Muls(gradient.low, chunk.gradHidden.head, factors.prob.tail, count);
        AscendC::Axpy(gradient.high, chunk.weightHead, factors.score.head, count);
        AscendC::Axpy(gradient.low, chunk.weightHead, factors.score.tail, count);
        AscendC::Axpy(gradient.high, value, IS_FLOAT ? factors.scale.value : factors.scale.head, count);
        AscendC::Axpy(gradient.low, chunk.weightTail, factors.score.value, count);
        if constexpr (SHORT_FACTORS) {
            if (first) {
                AscendC::Muls(work_[3], value, factors.score.head, count);
            } else {
                AscendC::Axpy(work_[3], value, factors.score.head, count);
            }
        }
        if constexpr (IS_FLOAT) {
            AscendC::Axpy(gradient.low, chunk.gradHidden.tail, factors.prob.value, count);
        } else {
            AscendC::Axpy(gradient.low, value, factors.scale.tail, count);
        }
        if constexpr (SHORT_FACTORS) {
            AscendC::Axpy(chunk.weightSum.low, value, factors.score.tail, count);
        }
        StoreGradient(row, gradient, count);
    }

    FloatVector gradHiddenHead_;
    bool gradHiddenIsSplit_ = false;
};

}  // namespace BlockAttentionResidualsGradArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_ROWS_H
