// FULL_H of arch35 with several tokens at a time, for rows so short that UB holds all rows of many tokens: per batch
// one pass over V for g and d, the scores of all its tokens at once, one pass for the gradients.
// ../…_token_batches.h brings the rows and takes the gradients away; …_full_h.h is the kernel for longer rows.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_FULL_H_BATCH_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_FULL_H_BATCH_H

#include "../block_attention_residuals_grad_token_batches.h"
#include "block_attention_residuals_grad_base.h"
#include "block_attention_residuals_grad_batch_functions.h"

namespace BlockAttentionResidualsGradArch35
{

template <typename T>
class FullHBatch : private GradBase<T>, private BlockAttentionResidualsGradShared::TokenBatches<T, FullHBatch<T>>
{
public:
    __aicore__ inline void Init(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling,
                                AscendC::TPipe* pipe)
    {
        const uint32_t hidden = static_cast<uint32_t>(tiling.hiddenSize);
        const uint32_t batchTokens = static_cast<uint32_t>(tiling.batchTokens);
        const uint32_t rows = static_cast<uint32_t>(tiling.totalBlocks);
        const uint32_t pitchBytes = AlignUp(hidden, COPY_ALIGNMENT) * sizeof(T);
        this->InitBase(arguments, tiling, pipe, hidden, MODEL_COPY_BUFFERS * pitchBytes, 0);
        // The model's own score buffers are taken too: the kernel's total is the model's and what tiling adds.
        this->template NewBuffer<float>(MODEL_SCORE_BUFFERS * this->scoreBytes_);
        valueRows_ = this->template NewBuffer<T>(batchTokens * rows * pitchBytes);
        const AscendC::LocalTensor<T> gradHiddenRows = this->template NewBuffer<T>(batchTokens * pitchBytes);
        gradHiddenPitch_ = AlignUp(hidden, LANES);
        gradHiddenBatch_ = this->template NewBuffer<float>(batchTokens * gradHiddenPitch_ * sizeof(float));
        const uint32_t tokenScoreBytes = AlignUp(batchTokens * rows * sizeof(float), REGISTER_BYTES);
        probs_ = this->template NewBuffer<float>(tokenScoreBytes);
        invNorm_ = this->template NewBuffer<float>(tokenScoreBytes);
        squares_ = this->template NewBuffer<float>(REGISTER_BYTES);
        for (auto* scores : {&c_.high, &c_.low, &s_.high, &s_.low}) {
            *scores = this->template NewBuffer<float>(rows * REGISTER_BYTES);
        }
        scores_.Init(pipe, probs_);
        Batches::InitBatches(pipe, &this->tensors_, batchTokens, valueRows_, gradHiddenRows, pitchBytes);
        batchTokens_ = batchTokens;
        weights_.Init(pipe, this->copies_);
    }

    __aicore__ inline void Process()
    {
        this->LoadScoreWeight(weights_);
        Batches::StartBatches();
        for (uint64_t token = this->tensors_.tokenBegin; token < this->tensors_.tokenEnd; token += batchTokens_) {
            ProcessBatch(token);
        }
        Batches::DrainBatches();
        scores_.Drain();
        this->ReduceWeightGradients(weights_, valueRows_.template ReinterpretCast<float>(), 0, this->tensors_.hidden);
        weights_.Drain();
    }

private:
    using Batches = BlockAttentionResidualsGradShared::TokenBatches<T, FullHBatch<T>>;
    using Chunk = BlockAttentionResidualsGradShared::TokenChunk<T>;
    friend Batches;
    static constexpr uint32_t COPY_ALIGNMENT = 16;  // elements

    __aicore__ inline void ProcessBatch(uint64_t token)
    {
        const uint32_t tokens = Batches::BatchTokens(token);
        const uint32_t rows = this->tensors_.rows;
        scores_.BeginLoad();
        CopyRowIn(probs_, this->tensors_.probs[token * rows], tokens * rows);
        CopyRowIn(invNorm_, this->tensors_.invNorm[token * rows], tokens * rows);
        scores_.EndLoad();
        WidenGradHidden(tokens);
        Batches::ReleaseGradHidden(token);
        scores_.AwaitLoad();
        const float hidden = static_cast<float>(this->tensors_.hidden);
        asc_vf_call<BatchBiasesVf>(Address(c_.high), Address(s_.high), Address(squares_), this->WeightSquares(),
                                   Address(invNorm_), hidden, rows, tokens);
        Batches::DotPass(token);
        asc_vf_call<BatchScoresVf>(Address(c_.high), Address(c_.low), Address(s_.high), Address(s_.low),
                                   Address(probs_), Address(invNorm_), hidden, rows == 1 ? 0.0f : 1.0f, rows, tokens);
        if (token == this->tensors_.tokenBegin) {
            this->ForgetWeightTerms();
            asc_vf_call<BatchWeightTermBoundVf>(this->WeightTermBound(), Address(c_.high), Address(invNorm_), rows,
                                                tokens);
            this->StartWeightSum(this->tensors_.hidden);
        }
        Batches::GradientPass(token);
        scores_.ReleaseByVector();
    }

    __aicore__ inline void WidenGradHidden(uint32_t tokens)
    {
        const RowSteps steps(this->tensors_.hidden);
        asc_vf_call<BatchWidenVf<T>>(Address(gradHiddenBatch_), gradHiddenPitch_, Address(squares_),
                                     Address(Batches::AwaitGradHidden()), Batches::PitchElements(),
                                     static_cast<uint16_t>(tokens), steps.full, steps.tail, steps.tailCount);
    }

    __aicore__ inline void Dots(const Chunk& chunk)
    {
        const uint32_t blocks = this->tensors_.blocks;
        if (blocks > 0) {
            DotsOf(chunk, chunk.blockRows, 0, blocks);
        }
        DotsOf(chunk, chunk.partialRows, blocks, 1);
    }

    // Rows firstRow … firstRow + rows - 1 of the chunk's tokens.
    __aicore__ inline void DotsOf(const Chunk& chunk, const AscendC::LocalTensor<T>& row, uint32_t firstRow,
                                  uint32_t rows)
    {
        const RowSteps steps(this->tensors_.hidden);
        const uint32_t at = firstRow * LANES + chunk.first;
        asc_vf_call<BatchDotsVf<T>>(
            Address(c_.high) + at, Address(c_.low) + at, Address(s_.high) + at, Address(s_.low) + at, Address(row),
            Batches::PitchElements(), Address(gradHiddenBatch_) + chunk.first * gradHiddenPitch_, gradHiddenPitch_,
            Address(this->scoreWeight_), Address(this->scoreWeightLow_), static_cast<uint16_t>(chunk.tokens),
            static_cast<uint16_t>(rows), steps.full, steps.tail, steps.tailCount);
    }

    __aicore__ inline void Gradients(const Chunk& chunk)
    {
        const uint32_t blocks = this->tensors_.blocks;
        if (blocks > 0) {
            GradientsOf(chunk, chunk.blockRows, 0, blocks);
        }
        GradientsOf(chunk, chunk.partialRows, blocks, 1);
    }

    __aicore__ inline void GradientsOf(const Chunk& chunk, const AscendC::LocalTensor<T>& row, uint32_t firstRow,
                                       uint32_t rows)
    {
        const RowSteps steps(this->tensors_.hidden);
        const uint32_t tokenRows = this->tensors_.rows;
        const uint32_t at = firstRow * LANES + chunk.first;
        asc_vf_call<BatchGradientsVf<T>>(
            Address(row), Batches::PitchElements(), Address(probs_) + chunk.first * tokenRows + firstRow, tokenRows,
            Address(c_.high) + at, Address(c_.low) + at, Address(s_.high) + at, Address(s_.low) + at,
            Address(gradHiddenBatch_) + chunk.first * gradHiddenPitch_, gradHiddenPitch_, Address(this->scoreWeight_),
            Address(this->scoreWeightLow_), Address(this->weightSum_), Address(this->weightSumLow_),
            static_cast<uint16_t>(chunk.tokens), static_cast<uint16_t>(rows), steps.full, steps.tail, steps.tailCount);
    }

    AscendC::LocalTensor<float> gradHiddenBatch_;
    uint32_t gradHiddenPitch_;
    AscendC::LocalTensor<float> probs_;    // by tokens: [t * N1 + i]
    AscendC::LocalTensor<float> invNorm_;  // by tokens
    AscendC::LocalTensor<float> squares_;  // square sums of the tokens' grad_hidden
    ScorePair c_;                          // by rows: [i * LANES + t]; g until BatchScoresVf
    ScorePair s_;                          // by rows; d until BatchScoresVf
    CopyBuffer<float> scores_;
    AscendC::LocalTensor<T> valueRows_;
    CopyBuffer<T> weights_;
    uint32_t batchTokens_;
};

}  // namespace BlockAttentionResidualsGradArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH35_FULL_H_BATCH_H
