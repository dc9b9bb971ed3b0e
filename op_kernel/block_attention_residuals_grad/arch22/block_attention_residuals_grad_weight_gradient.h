// The weight gradients: the sum of all cores' (weightSum_.high, weightSum_.low), times each weight. …_rows.h fills a
// core's own sum.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_WEIGHT_GRADIENT_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_WEIGHT_GRADIENT_H

#include "block_attention_residuals_grad_rows.h"

namespace BlockAttentionResidualsGradArch22
{

template <typename T>
class WeightGradientBase : public RowsBase<T>
{
protected:
    // Adds up the sums of the `count` elements from element `offset` of the core's segment on and writes both weight
    // gradients there; every core with this segment calls it, for the same elements. The workspace has one float per
    // element and core: first the high parts go through it, then the low parts. In between each core adds up its share
    // of the elements over all cores, in core order. Uses up weightSum_ and gradHidden_.
    __aicore__ inline void ReduceWeightGradients(uint64_t offset, uint32_t count)
    {
        const uint32_t share = AlignUp(CeilDiv(count, this->tensors_.segmentCores), VECTOR_LANES);
        const uint64_t begin = static_cast<uint64_t>(share) * this->tensors_.segmentIndex;
        uint32_t shareCount = 0;
        if (begin < count) {
            shareCount = static_cast<uint32_t>(count - begin < share ? count - begin : share);
        }
        this->ChangeWeightBias(0, count);
        StorePartial(this->weightSum_.high, offset, count);
        AscendC::SyncAll();
        ForEachChunk(shareCount, [&](CopyBuffer<float>* partial, uint32_t at, uint32_t size) {
            SumHighParts(partial, offset + begin + at, at, size);
        });
        AscendC::SyncAll();
        StorePartial(this->weightSum_.low, offset, count);
        AscendC::SyncAll();
        ForEachChunk(shareCount, [&](CopyBuffer<float>* partial, uint32_t at, uint32_t size) {
            const uint64_t element = offset + begin + at;
            AddLowParts(partial, element, at, size);
            const auto& global = this->tensors_;
            WriteGradient(partial[0], global.gradNormWeight[element], global.projWeight[element], at, size);
            WriteGradient(partial[0], global.gradProjWeight[element], global.normWeight[element], at, size);
        });
        Order<AscendC::HardEvent::MTE3_V>(this->pipe_);  // work_ is used again where another tile follows
    }

private:
    __aicore__ inline void StorePartial(const FloatVector& sum, uint64_t offset, uint32_t count)
    {
        Order<AscendC::HardEvent::V_MTE3>(this->pipe_);
        CopyRowOut(this->tensors_.partials[this->tensors_.segmentIndex * this->tensors_.partialFloats + offset], sum,
                   count);
        Order<AscendC::HardEvent::MTE3_V>(this->pipe_);
    }

    // Calls function(partial, at, size) for each chunk of the share; `partial`: two buffers for what other cores wrote.
    template <typename Function>
    __aicore__ inline void ForEachChunk(uint32_t shareCount, const Function& function)
    {
        CopyBuffer<float> partial[2];
        partial[0].Init(this->pipe_, this->work_[0]);
        partial[1].Init(this->pipe_, this->work_[1]);
        for (uint32_t at = 0; at < shareCount; at += this->work_.lanes) {
            function(partial, at, this->ChunkElements(at, shareCount));
        }
        partial[0].Drain();
        partial[1].Drain();
    }

    // Calls function(vector) with each core's partial of the elements from `element` on, in core order.
    template <typename Function>
    __aicore__ inline void ForEachPartial(CopyBuffer<float>* partial, uint64_t element, uint32_t size,
                                          const Function& function)
    {
        // As many cores' pieces in one copy as a buffer holds.
        const uint32_t pitch = AlignUp(size, BLOCK_LANES);
        const uint64_t gapBytes = (this->tensors_.partialFloats - size) * sizeof(float);
        const uint32_t pieces =
            gapBytes > BlockAttentionResidualsGradShared::MAX_COPY_GAP_BYTES ? 1 : this->work_.lanes / pitch;
        const uint32_t cores = this->tensors_.segmentCores;
        uint32_t next = 0;
        LoadPartials(partial[0], 0, pieces, element, size);
        for (uint32_t core = 0; core < cores; core += pieces) {
            CopyBuffer<float>& current = partial[next];
            next = 1 - next;
            if (core + pieces < cores) {
                LoadPartials(partial[next], core + pieces, pieces, element, size);
            }
            current.AwaitLoad();
            for (uint32_t i = 0; i < pieces && core + i < cores; ++i) {
                function(current.Local()[i * pitch]);
            }
            current.ReleaseByVector();
        }
    }

    // The pieces of `pieces` cores or as many as there are, AlignUp(size, BLOCK_LANES) apart.
    __aicore__ inline void LoadPartials(CopyBuffer<float>& buffer, uint32_t core, uint32_t pieces, uint64_t element,
                                        uint32_t size)
    {
        const uint32_t left = this->tensors_.segmentCores - core;
        const uint32_t terms = left < pieces ? left : pieces;
        const uint64_t gapBytes = (this->tensors_.partialFloats - size) * sizeof(float);
        buffer.BeginLoad();
        CopyRowsIn(buffer.Local(), this->tensors_.partials[core * this->tensors_.partialFloats + element], terms, size,
                   AlignUp(size, BLOCK_LANES) * sizeof(float), terms == 1 ? 0 : static_cast<uint32_t>(gapBytes));
        buffer.EndLoad();
    }

    // The share's sum, at `at` in weightSum_.high and gradHidden_: the low parts to come are still in weightSum_.low.
    __aicore__ inline TwoFloatVector ShareSum(uint32_t at) const
    {
        return {this->weightSum_.high[at], this->gradHidden_[at]};
    }

    __aicore__ inline void SumHighParts(CopyBuffer<float>* partial, uint64_t element, uint32_t at, uint32_t size)
    {
        TwoFloatVector sum = ShareSum(at);
        FloatVector spare = this->work_[2];
        AscendC::Duplicate(sum.high, 0.0f, size);
        AscendC::Duplicate(sum.low, 0.0f, size);
        ForEachPartial(partial, element, size,
                       [&](const FloatVector& term) { AddExact(sum, term, spare, this->work_[3], size); });
        if (this->tensors_.segmentCores % 2 == 1) {
            AscendC::Muls(this->weightSum_.high[at], sum.high, 1.0f, size);
        }
    }

    __aicore__ inline void AddLowParts(CopyBuffer<float>* partial, uint64_t element, uint32_t at, uint32_t size)
    {
        const FloatVector low = ShareSum(at).low;
        ForEachPartial(partial, element, size, [&](const FloatVector& term) { AscendC::Add(low, low, term, size); });
    }

    // grad = sum * weight, rounded once.
    __aicore__ inline void WriteGradient(CopyBuffer<float>& buffer, const AscendC::GlobalTensor<T>& grad,
                                         const AscendC::GlobalTensor<T>& weight, uint32_t at, uint32_t size)
    {
        const AscendC::LocalTensor<T> copy = buffer.Local().template ReinterpretCast<T>();
        const SplitVector factor = {this->work_[2], this->work_[3], this->work_[4]};
        const TwoFloatVector product = {this->work_[5], this->work_[6]};
        const WorkSpace rest = {this->work_[7], this->work_.lanes, this->work_.headMask};
        buffer.BeginLoad();
        CopyRowIn(copy, weight, size);
        buffer.EndLoad();
        buffer.AwaitLoad();
        this->Widen(factor.value, copy, size);
        Split(factor.head, factor.tail, factor.value, rest.headMask, size);
        Multiply(product, ShareSum(at), factor, rest, size);
        RoundOnce(copy, product, rest, size);
        buffer.BeginStore();
        CopyRowOut(grad, copy, size);
        buffer.EndStore();
    }
};

}  // namespace BlockAttentionResidualsGradArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_WEIGHT_GRADIENT_H
