// FULL_H of arch35: the value rows of a batch of tokens lie in UB, so that V is read once. Per batch: one pass over the
// rows for their sums, inv_norm and probs, one pass for the mix. ../…_token_rows.h brings the rows and takes the hidden
// states away; …_split_h.h is the kernel for rows that do not fit.

#ifndef BLOCK_ATTENTION_RESIDUALS_ARCH35_FULL_H_H
#define BLOCK_ATTENTION_RESIDUALS_ARCH35_FULL_H_H

#include "../block_attention_residuals_token_rows.h"
#include "block_attention_residuals_base.h"

namespace BlockAttentionResidualsArch35
{

template <typename T>
class FullH : private ForwardBase<T>, private BlockAttentionResidualsShared::TokenRows<T, FullH<T>>
{
public:
    __aicore__ inline void Init(const ForwardArguments& arguments, const BlockAttentionResidualsTilingData& tiling,
                                AscendC::TPipe* pipe)
    {
        const uint32_t hidden = static_cast<uint32_t>(tiling.hiddenSize);
        const uint32_t pitchBytes = AlignUp(hidden, COPY_ALIGNMENT) * sizeof(T);
        sets_ = static_cast<uint32_t>(tiling.rowSets);
        batchTokens_ = static_cast<uint32_t>(tiling.batchTokens);
        this->InitBase(arguments, tiling, pipe, hidden);
        rows_ = this->template NewBuffer<T>(sets_ * batchTokens_ * this->tensors_.rows * pitchBytes);
        this->InitScores(batchTokens_);
        Rows::InitRows(pipe, &this->tensors_, rows_, batchTokens_, sets_, pitchBytes);
    }

    __aicore__ inline void Process()
    {
        LoadScoreWeight();
        Rows::StartRows();
        uint32_t set = 0;
        for (uint64_t token = this->tensors_.tokens.begin; token < this->tensors_.tokens.end; token += batchTokens_) {
            ProcessBatch(set, token);
            set = set + 1 == sets_ ? 0 : set + 1;
        }
        Rows::DrainRows();
        this->DrainScores();
    }

private:
    using Rows = BlockAttentionResidualsShared::TokenRows<T, FullH<T>>;
    friend Rows;
    static constexpr uint32_t COPY_ALIGNMENT = 16;  // elements

    // norm_weight waits in a value row. proj_weight does at the end of the score weight's own row: of each register it
    // is loaded before the product is stored, and products never reach what is still to be loaded.
    __aicore__ inline void LoadScoreWeight()
    {
        const uint32_t hidden = this->tensors_.hidden;
        const uint32_t width = AlignUp(hidden, LANES);
        CopyBuffer<T>& buffer = Rows::SpareBuffer();
        const AscendC::LocalTensor<T> weight = this->scoreWeight_.template ReinterpretCast<T>();
        const AscendC::LocalTensor<T> proj = weight[width * (sizeof(float) / sizeof(T) - 1)];
        buffer.BeginLoad();
        CopyRowIn(rows_, this->tensors_.normWeight, hidden);
        CopyRowIn(proj, this->tensors_.projWeight, hidden);
        buffer.EndLoad();
        buffer.AwaitLoad();
        this->MakeScoreWeight(rows_, proj, hidden, this->squares_);
        buffer.ReleaseByVector();
    }

    __aicore__ inline void ProcessBatch(uint32_t set, uint64_t token)
    {
        const uint32_t tokens = Rows::BatchTokens(token);
        Rows::SumPass(set, token);
        this->FinishScores(tokens);
        Mix(set, tokens);
        Rows::StoreHidden(set, token);
        this->StoreScores(token, tokens);
    }

    __aicore__ inline void Sums(const BlockAttentionResidualsShared::RowChunk<T>& chunk)
    {
        if (chunk.blockRows > 0) {
            RowSums(chunk.blocks, chunk.firstRow, chunk.firstToken, chunk.tokens, chunk.blockRows);
        }
        if (chunk.hasPartial) {
            RowSums(chunk.partial, this->tensors_.blocks, chunk.firstToken, chunk.tokens, 1);
        }
    }

    __aicore__ inline void RowSums(const AscendC::LocalTensor<T>& row, uint32_t firstRow, uint32_t firstToken,
                                   uint32_t tokens, uint32_t rows)
    {
        const RowSteps steps(this->tensors_.hidden);
        const uint32_t at = firstRow * this->scorePitch_ + firstToken;
        asc_vf_call<RowSumsVf<T>>(Address(this->squares_) + at, Address(this->squaresLow_) + at,
                                  Address(this->dot_) + at, Address(this->dotLow_) + at, this->scorePitch_,
                                  Address(row), Rows::PitchElements(), Address(this->scoreWeight_),
                                  Address(this->scoreWeightLow_), static_cast<uint16_t>(tokens),
                                  static_cast<uint16_t>(rows), steps.full, steps.tail, steps.tailCount);
    }

    __aicore__ inline void Mix(uint32_t set, uint32_t tokens)
    {
        const RowSteps steps(this->tensors_.hidden);
        asc_vf_call<MixVf<T>>(Address(Rows::PartialRows(set)), Address(Rows::BlockRows(set)), Rows::PitchElements(),
                              Address(this->dot_), Address(this->dotLow_), Address(this->squaresLow_),
                              this->scorePitch_, static_cast<uint16_t>(tokens),
                              static_cast<uint16_t>(this->tensors_.blocks), steps.full, steps.tail, steps.tailCount);
    }

    uint32_t sets_;
    uint32_t batchTokens_;
    AscendC::LocalTensor<T> rows_;
};

}  // namespace BlockAttentionResidualsArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_ARCH35_FULL_H_H
