// What FULL_H and SPLIT_H of arch35 share: the UB buffers of the model (op_host/…/ub_model/arch35_ub_model.h), the
// calls of the vector functions with this core's buffers, and the weight gradient's sum over the cores. Every sum of
// the formulas is carried in two floats, so that a gradient is the float64 result but for its last rounding; the low
// parts of the scores are kept where tiling found room for them (scoreLowParts).

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_BASE_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_BASE_H

#include "../../common/arch35/rows.h"
#include "../block_attention_residuals_grad_copy_buffer.h"
#include "../block_attention_residuals_grad_shared_scores.h"
#include "../block_attention_residuals_grad_tensors.h"
#include "block_attention_residuals_grad_row_functions.h"
#include "block_attention_residuals_grad_score_functions.h"

namespace BlockAttentionResidualsGradArch35
{

using BlockAttentionResidualsGradShared::AlignUp;
using BlockAttentionResidualsGradShared::CeilDiv;
using BlockAttentionResidualsGradShared::CopyBuffer;
using BlockAttentionResidualsGradShared::CopyRowIn;
using BlockAttentionResidualsGradShared::CopyRowOut;
using BlockAttentionResidualsGradShared::CopyRowsIn;
using BlockAttentionResidualsGradShared::GradArguments;
using BlockAttentionResidualsGradShared::GradTensors;
using BlockAttentionResidualsGradShared::Order;
using KernelCommonArch35::Address;
using KernelCommonArch35::REGISTER_BYTES;
using KernelCommonArch35::RowSteps;

constexpr uint32_t MODEL_COPY_BUFFERS = 4;
constexpr uint32_t MODEL_SCORE_BUFFERS = 4;
constexpr uint32_t REDUCE_SCRATCH_BYTES = 192;
using BlockAttentionResidualsGradShared::MAX_COPY_GAP_BYTES;

// An array of N1 values in two floats.
struct ScorePair {
    AscendC::LocalTensor<float> high;
    AscendC::LocalTensor<float> low;
};

template <typename T>
class GradBase
{
protected:
    // `width`: elements of H that the float32 rows hold. copyBytes: of the copy buffers. freeFloatRows: how many of
    // {the low part of the score weight, the scratch row} are added to the copy buffers, to be used together with them;
    // the scratch row begins there then, and is usable only while those are not.
    __aicore__ inline void InitBase(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling,
                                    AscendC::TPipe* pipe, uint32_t width, uint32_t copyBytes, uint32_t freeFloatRows)
    {
        pipe_ = pipe;
        tensors_.Init(arguments, tiling);
        lowParts_ = static_cast<uint32_t>(tiling.scoreLowParts);
        lowStride_ = lowParts_ == SCORE_LOW_PARTS_NONE ? 0 : 1;
        scoreBytes_ = AlignUp(tensors_.rows * sizeof(float), REGISTER_BYTES);
        const uint32_t rowBytes = AlignUp(width * sizeof(float), REGISTER_BYTES);
        for (auto* row : {&scoreWeight_, &gradHidden_, &weightSum_, &weightSumLow_}) {
            *row = NewBuffer<float>(rowBytes);
        }
        // Of the two, the scratch row is given away first only where the other one is needed: for float32.
        const bool lowWeightIsFree = freeFloatRows == 2 || (freeFloatRows == 1 && sizeof(T) != sizeof(float));
        const bool scratchIsFree = freeFloatRows == 2 || (freeFloatRows == 1 && sizeof(T) == sizeof(float));
        scoreWeightLow_ = lowWeightIsFree ? scoreWeight_ : NewBuffer<float>(rowBytes);
        if (!scratchIsFree) {
            scratch_ = NewBuffer<float>(rowBytes);
        }
        const AscendC::LocalTensor<float> free = NewBuffer<float>(freeFloatRows * rowBytes + copyBytes);
        copies_ = free.template ReinterpretCast<T>();
        behindScratch_ = free;
        if (scratchIsFree) {
            scratch_ = free;
            behindScratch_ = free[rowBytes / sizeof(float)];
        }
        reduceScratch_ = NewBuffer<float>(REDUCE_SCRATCH_BYTES);
    }

    template <typename U>
    __aicore__ inline AscendC::LocalTensor<U> NewBuffer(uint32_t bytes)
    {
        AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
        pipe_->InitBuffer(buffer, bytes);
        return buffer.template Get<U>();
    }

    // An array of N1 values, and where tiling packs the low parts into it, those in its second half.
    __aicore__ inline ScorePair NewScorePair()
    {
        ScorePair pair;
        pair.high = NewBuffer<float>(scoreBytes_);
        pair.low = lowParts_ == SCORE_LOW_PARTS_PACKED ? pair.high[PACKED_LOW_OFFSET] : Dump();
        return pair;
    }

    // Low parts that lie in the scratch row or in a buffer of their own.
    __aicore__ inline void PlaceLowParts(ScorePair& first, ScorePair& second, const AscendC::LocalTensor<float>& place)
    {
        first.low = place;
        second.low = place[scoreBytes_ / sizeof(float)];
    }

    // The place of low parts that have no room: written and, once cleared, read as 0.
    __aicore__ inline AscendC::LocalTensor<float> Dump() const
    {
        return reduceScratch_[DUMP_OFFSET];
    }

    __aicore__ inline void ClearDump()
    {
        AscendC::Duplicate(Dump(), 0.0f, SLOT_FLOATS);
    }

    // ---- the vector functions with this core's buffers -----------------------------------------------------------

    __aicore__ inline void MakeScoreWeight(const AscendC::LocalTensor<T>& norm, const AscendC::LocalTensor<T>& proj,
                                           uint32_t count)
    {
        const RowSteps steps(count);
        asc_vf_call<ScoreWeightVf<T>>(Address(scoreWeight_), Address(scoreWeightLow_), WeightSquares(), Address(norm),
                                      Address(proj), steps.full, steps.tail, steps.tailCount);
    }

    // The whole score weight. `buffer` is a copy buffer; it is free again when this returns.
    __aicore__ inline void LoadScoreWeight(CopyBuffer<T>& buffer)
    {
        // A row that is not needed yet.
        const AscendC::LocalTensor<T> proj = gradHidden_.template ReinterpretCast<T>();
        buffer.BeginLoad();
        CopyRowIn(buffer.Local(), tensors_.normWeight, tensors_.width);
        CopyRowIn(proj, tensors_.projWeight, tensors_.width);
        buffer.EndLoad();
        buffer.AwaitLoad();
        MakeScoreWeight(buffer.Local(), proj, tensors_.width);
        buffer.ReleaseByVector();
    }

    __aicore__ inline void MakeGradHidden(const AscendC::LocalTensor<T>& row, uint32_t count)
    {
        const RowSteps steps(count);
        asc_vf_call<WidenVf<T>>(Address(gradHidden_), Address(reduceScratch_), Address(row), steps.full, steps.tail,
                                steps.tailCount);
    }

    // g and d of `rows` rows, `pitch` elements apart; g.high and d.high hold their biases before.
    __aicore__ inline void RowDots(const ScorePair& g, const ScorePair& d, const AscendC::LocalTensor<T>& row,
                                   uint32_t pitch, uint32_t rows)
    {
        const RowSteps steps(tensors_.width);
        asc_vf_call<DotsVf<T>>(Address(g.high), Address(g.low), Address(d.high), Address(d.low), lowStride_,
                               Address(row), pitch, Address(gradHidden_), Address(scoreWeight_),
                               Address(scoreWeightLow_), static_cast<uint16_t>(rows), steps.full, steps.tail,
                               steps.tailCount);
    }

    // Adds to g and d of one row what a tile of `count` elements contributes.
    __aicore__ inline void AddTileDots(const ScorePair& g, const ScorePair& d,
                                       const AscendC::LocalTensor<float>& invNorm, const AscendC::LocalTensor<T>& tile,
                                       uint32_t count)
    {
        const RowSteps steps(count);
        asc_vf_call<AddTileDotsVf<T>>(Address(g.high), Address(g.low), Address(d.high), Address(d.low), Address(tile),
                                      Address(invNorm), Address(gradHidden_), Address(scoreWeight_),
                                      Address(scoreWeightLow_), Address(reduceScratch_),
                                      static_cast<float>(tensors_.hidden), steps.full, steps.tail, steps.tailCount);
    }

    // What AddShares needs for the scores of all cores that have the token.
    __aicore__ inline uint32_t SharedScoreBytes() const
    {
        return static_cast<uint32_t>(SHARED_SCORES) * tensors_.segments * scoreBytes_;
    }

    // g and d of whole rows from what this core has of them: every core that has the token adds up all its segments, in
    // their order. `place`: of SharedScoreBytes().
    __aicore__ inline void AddShares(const ScorePair& g, const ScorePair& d, const AscendC::LocalTensor<float>& place)
    {
        BlockAttentionResidualsGradShared::SharedScores<T> shared;
        shared.Init(pipe_, &tensors_, place, scoreBytes_ / sizeof(float));
        shared.Exchange({g.high, g.low, d.high, d.low});
        SumSegments(g, shared.Scores(0, 0), shared.Scores(1, 0));
        SumSegments(d, shared.Scores(2, 0), shared.Scores(3, 0));
    }

    // g becomes c = gs * inv_norm, d the variance scale. lowRows: rows that have low parts, all or none.
    __aicore__ inline void FinishScores(const ScorePair& g, const ScorePair& d,
                                        const AscendC::LocalTensor<float>& probs,
                                        const AscendC::LocalTensor<float>& invNorm, uint32_t lowRows)
    {
        const uint32_t rows = tensors_.rows;
        asc_vf_call<ScoresVf>(Address(g.high), Address(g.low), Address(d.high), Address(d.low), Address(probs),
                              Address(invNorm), static_cast<float>(tensors_.hidden), rows == 1 ? 0.0f : 1.0f, rows,
                              lowRows, static_cast<uint16_t>(CeilDiv(rows, LANES)));
    }

    __aicore__ inline void RowGradients(const AscendC::LocalTensor<T>& row, uint32_t pitch,
                                        const AscendC::LocalTensor<float>& probs, const ScorePair& c,
                                        uint32_t cLowStride, const ScorePair& s, uint32_t sLowStride, uint32_t rows,
                                        uint32_t count)
    {
        const RowSteps steps(count);
        asc_vf_call<GradientsVf<T>>(Address(row), pitch, Address(probs), Address(c.high), Address(c.low), cLowStride,
                                    Address(s.high), Address(s.low), sLowStride, Address(gradHidden_),
                                    Address(scoreWeight_), Address(scoreWeightLow_), Address(weightSum_),
                                    Address(weightSumLow_), static_cast<uint16_t>(rows), steps.full, steps.tail,
                                    steps.tailCount);
    }

    // Biases for the sums of RowDots, one per row.
    __aicore__ inline void MakeRowSumBiases(const AscendC::LocalTensor<float>& g, const AscendC::LocalTensor<float>& d,
                                            const AscendC::LocalTensor<float>& invNorm)
    {
        const uint32_t rows = tensors_.rows;
        asc_vf_call<RowSumBiasesVf>(Address(g), Address(d), Address(reduceScratch_), Address(invNorm),
                                    static_cast<float>(tensors_.hidden), rows, RowSteps(rows).All());
    }

    // The weight gradient's terms are about as large as those of the tokens given to NoteWeightTerms before.
    __aicore__ inline void ForgetWeightTerms()
    {
        AscendC::Duplicate(reduceScratch_[TERM_BOUND_OFFSET], 0.0f, SLOT_FLOATS);
    }

    __aicore__ inline __ubuf__ float* WeightTermBound() const
    {
        return Address(reduceScratch_) + TERM_BOUND_OFFSET;
    }

    __aicore__ inline __ubuf__ float* WeightSquares() const
    {
        return Address(reduceScratch_) + SQUARE_SUM_PITCH;
    }

    __aicore__ inline void NoteWeightTerms(const AscendC::LocalTensor<float>& c,
                                           const AscendC::LocalTensor<float>& invNorm)
    {
        const uint32_t rows = tensors_.rows;
        asc_vf_call<WeightTermBoundVf>(WeightTermBound(), Address(c), Address(invNorm), rows, RowSteps(rows).All());
    }

    __aicore__ inline void StartWeightSum(uint32_t count)
    {
        asc_vf_call<WeightSumBiasVf>(Address(weightSum_), Address(weightSumLow_),
                                     Address(reduceScratch_) + WEIGHT_BIAS_OFFSET, WeightTermBound(),
                                     RowSteps(count).All());
    }

    // ---- the sum over cores --------------------------------------------------------------------------------------

    // Adds up the cores' (weightSum_, weightSumLow_) of the `count` elements from `offset` on and writes both weight
    // gradients there. The workspace has one float per element and core, so the high parts go through it first and the
    // low parts after; each core sums its share of the elements, in core order. grad_hidden's and the scratch row are
    // used up. `buffer`: a copy buffer that nobody uses meanwhile. `free`: UB that nobody uses either, for many cores'
    // short pieces; grad_hidden's row serves where it is larger.
    __aicore__ inline void ReduceWeightGradients(CopyBuffer<T>& buffer, const AscendC::LocalTensor<float>& free,
                                                 uint64_t offset, uint32_t count)
    {
        const AscendC::LocalTensor<float>& place = free.GetSize() > gradHidden_.GetSize() ? free : gradHidden_;
        const uint32_t share = AlignUp(CeilDiv(count, tensors_.segmentCores), LANES);
        const uint32_t begin = share * tensors_.segmentIndex;
        const uint32_t shareCount = begin < count ? (share < count - begin ? share : count - begin) : 0;
        CopyBuffer<float> partial;
        partial.Init(pipe_, place);
        asc_vf_call<RemoveBiasVf>(Address(weightSum_), Address(weightSumLow_),
                                  Address(reduceScratch_) + WEIGHT_BIAS_OFFSET, RowSteps(count).All());
        StorePartial(weightSum_, offset, count);
        AscendC::SyncAll();
        asc_vf_call<ClearVf>(Address(weightSum_), RowSteps(shareCount).All());
        asc_vf_call<ClearVf>(Address(scratch_), RowSteps(shareCount).All());
        AddPartials(partial, offset + begin, shareCount);
        AscendC::SyncAll();
        StorePartial(weightSumLow_, offset, count);
        AscendC::SyncAll();
        AddPartials(partial, offset + begin, shareCount);
        if (shareCount > 0) {
            WriteWeightGradient(buffer, tensors_.gradNormWeight, tensors_.projWeight, offset + begin, shareCount);
            WriteWeightGradient(buffer, tensors_.gradProjWeight, tensors_.normWeight, offset + begin, shareCount);
        }
        partial.Drain();
    }

    static constexpr uint32_t PACKED_LOW_OFFSET = 32;  // floats; 32 of the 64 of a register
    // Slots of reduceScratch_, in floats; the first two are the square sums of grad_hidden and of the score weight.
    static constexpr uint32_t SLOT_FLOATS = 8;
    static constexpr uint32_t DUMP_OFFSET = 2 * SLOT_FLOATS;
    static constexpr uint32_t TERM_BOUND_OFFSET = 3 * SLOT_FLOATS;
    static constexpr uint32_t WEIGHT_BIAS_OFFSET = 4 * SLOT_FLOATS;

    AscendC::TPipe* pipe_;
    GradTensors<T> tensors_;
    uint32_t lowParts_;
    uint32_t lowStride_;
    uint32_t scoreBytes_;

    AscendC::LocalTensor<float> scoreWeight_;
    AscendC::LocalTensor<float> scoreWeightLow_;
    AscendC::LocalTensor<float> gradHidden_;
    AscendC::LocalTensor<float> weightSum_;
    AscendC::LocalTensor<float> weightSumLow_;
    AscendC::LocalTensor<float> scratch_;
    AscendC::LocalTensor<float> reduceScratch_;  // single values, a slot each
    AscendC::LocalTensor<T> copies_;
    AscendC::LocalTensor<float> behindScratch_;  // what of the copy buffers the scratch row leaves

private:
    // scores = the sum of those of all segments, in their order.
    __aicore__ inline void SumSegments(const ScorePair& scores, const AscendC::LocalTensor<float>& high,
                                       const AscendC::LocalTensor<float>& low)
    {
        const uint32_t rows = tensors_.rows;
        asc_vf_call<SumPairsVf>(Address(scores.high), Address(scores.low), Address(high), Address(low),
                                static_cast<uint32_t>(scoreBytes_ / sizeof(float)),
                                static_cast<uint16_t>(tensors_.segments), rows, RowSteps(rows).All());
    }

    __aicore__ inline void StorePartial(const AscendC::LocalTensor<float>& row, uint64_t offset, uint32_t count)
    {
        Order<AscendC::HardEvent::V_MTE3>(pipe_);
        CopyRowOut(tensors_.partials[tensors_.segmentIndex * tensors_.partialFloats + offset], row, count);
        Order<AscendC::HardEvent::MTE3_V>(pipe_);
    }

    // (weightSum_, scratch_) += the partials of all cores.
    __aicore__ inline void AddPartials(CopyBuffer<float>& partial, uint64_t begin, uint32_t count)
    {
        if (count == 0) {
            return;
        }
        // As many cores' pieces in one copy as there is room for.
        const uint32_t pitch = AlignUp(count, LANES);
        const uint64_t gapBytes = (tensors_.partialFloats - count) * sizeof(float);
        const uint32_t pieces = gapBytes > MAX_COPY_GAP_BYTES ? 1 : partial.Local().GetSize() / pitch;
        for (uint32_t core = 0; core < tensors_.segmentCores; core += pieces) {
            const uint32_t left = tensors_.segmentCores - core;
            const uint32_t terms = left < pieces ? left : pieces;
            partial.BeginLoad();
            CopyRowsIn(partial.Local(), tensors_.partials[core * tensors_.partialFloats + begin], terms, count,
                       pitch * sizeof(float), terms == 1 ? 0 : static_cast<uint32_t>(gapBytes));
            partial.EndLoad();
            partial.AwaitLoad();
            asc_vf_call<AddTermsVf>(Address(weightSum_), Address(scratch_), Address(partial.Local()), pitch,
                                    static_cast<uint16_t>(terms), RowSteps(count).All());
            partial.ReleaseByVector();
        }
    }

    __aicore__ inline void WriteWeightGradient(CopyBuffer<T>& buffer, const AscendC::GlobalTensor<T>& grad,
                                               const AscendC::GlobalTensor<T>& weight, uint64_t begin, uint32_t count)
    {
        buffer.BeginLoad();
        CopyRowIn(buffer.Local(), weight[begin], count);
        buffer.EndLoad();
        buffer.AwaitLoad();
        asc_vf_call<WeightGradientVf<T>>(Address(buffer.Local()), Address(weightSum_), Address(scratch_),
                                         Address(buffer.Local()), count, RowSteps(count).All());
        buffer.BeginStore();
        CopyRowOut(grad[begin], buffer.Local(), count);
        buffer.EndStore();
    }
};

}  // namespace BlockAttentionResidualsGradArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_BASE_H
