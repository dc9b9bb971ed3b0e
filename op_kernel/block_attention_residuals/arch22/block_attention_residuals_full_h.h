// FULL_H of arch22: the value rows of a token lie in UB, so that V is read once. Per token: one pass over the rows for
// their sums, inv_norm and probs, one pass for the mix. ../…_token_rows.h brings the rows and takes the hidden states
// away; …_split_h.h is the kernel for rows that do not fit.

#ifndef BLOCK_ATTENTION_RESIDUALS_ARCH22_FULL_H_H
#define BLOCK_ATTENTION_RESIDUALS_ARCH22_FULL_H_H

#include "../block_attention_residuals_token_rows.h"
#include "block_attention_residuals_rows.h"

namespace BlockAttentionResidualsArch22
{

template <typename T>
class FullH : private RowsBase<T>, private BlockAttentionResidualsShared::TokenRows<T, FullH<T>>
{
public:
    __aicore__ inline void Init(const ForwardArguments& arguments, const BlockAttentionResidualsTilingData& tiling,
                                AscendC::TPipe* pipe)
    {
        const uint32_t hidden = static_cast<uint32_t>(tiling.hiddenSize);
        const uint32_t pitchBytes = AlignUp(hidden * sizeof(T), BLOCK_BYTES);
        sets_ = static_cast<uint32_t>(tiling.rowSets);
        this->InitBase(arguments, tiling, pipe, hidden);
        const AscendC::LocalTensor<T> rows = this->template NewBuffer<T>(sets_ * this->tensors_.rows * pitchBytes);
        Rows::InitRows(pipe, &this->tensors_, rows, 1, sets_, pitchBytes);
    }

    __aicore__ inline void Process()
    {
        this->TakeNormWeight(LoadWeight(this->tensors_.normWeight), this->tensors_.hidden);
        Rows::SpareBuffer().ReleaseByVector();
        this->TakeProjWeight(LoadWeight(this->tensors_.projWeight), this->tensors_.hidden);
        Rows::SpareBuffer().ReleaseByVector();
        Rows::StartRows();
        uint32_t set = 0;
        for (uint64_t token = this->tensors_.tokens.begin; token < this->tensors_.tokens.end; ++token) {
            ProcessToken(set, token);
            set = set + 1 == sets_ ? 0 : set + 1;
        }
        Rows::DrainRows();
        this->DrainScores();
    }

private:
    using Rows = BlockAttentionResidualsShared::TokenRows<T, FullH<T>>;
    friend Rows;

    // In a value row.
    __aicore__ inline const AscendC::LocalTensor<T>& LoadWeight(const AscendC::GlobalTensor<T>& weight)
    {
        CopyBuffer<T>& buffer = Rows::SpareBuffer();
        buffer.BeginLoad();
        CopyRowIn(buffer.Local(), weight, this->tensors_.hidden);
        buffer.EndLoad();
        buffer.AwaitLoad();
        return buffer.Local();
    }

    __aicore__ inline void ProcessToken(uint32_t set, uint64_t token)
    {
        Rows::SumPass(set, token);
        this->BeginScores();
        this->FinishScores();
        this->StoreScores(token);
        Mix(set);
        Rows::StoreHidden(set, token);
    }

    __aicore__ inline void Sums(const BlockAttentionResidualsShared::RowChunk<T>& chunk)
    {
        const uint32_t hidden = this->tensors_.hidden;
        for (uint32_t i = 0; i < chunk.blockRows; ++i) {
            this->template RowSums<false>(chunk.blocks[i * Rows::PitchElements()], chunk.firstRow + i, hidden);
        }
        if (chunk.hasPartial) {
            this->template RowSums<false>(chunk.partial, this->tensors_.blocks, hidden);
        }
    }

    // Replaces partial_block, which is the last row.
    __aicore__ inline void Mix(uint32_t set)
    {
        const uint32_t hidden = this->tensors_.hidden;
        const uint32_t blocks = this->tensors_.blocks;
        const AscendC::LocalTensor<T> block = Rows::BlockRows(set);
        const AscendC::LocalTensor<T> partial = Rows::PartialRows(set);
        const TwoFloatVector mix = {this->work_[2], this->work_[3]};
        for (uint32_t begin = 0; begin < hidden; begin += this->work_.lanes) {
            const uint32_t size = this->ChunkElements(begin, hidden);
            for (uint32_t i = 0; i < blocks; ++i) {
                this->MixChunk(mix, block[i * Rows::PitchElements() + begin], i, size);
            }
            this->MixChunk(mix, partial[begin], blocks, size);
            this->StoreMix(partial[begin], mix, size);
        }
    }

    uint32_t sets_;
};

}  // namespace BlockAttentionResidualsArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_ARCH22_FULL_H_H
