// FULL_H: a whole row of H elements fits in UB, so a token is finished before the next one begins.
// Per token: one pass over V for g and d of all rows, the [N1] scores, one pass for the gradients. Tiling says how many
// rows stay in UB between the passes (residentRows); the others are read again. Both kinds are copied ahead of their
// use: resident rows in up to MAX_CHUNKS chunks, each reloaded for the next token as soon as its gradients have left,
// streamed rows and grad_hidden through a ring of copy buffers. Global memory is then read least: with every row
// resident (2*N1+1)*H elements per token. block_attention_residuals_grad_split_h.h is the kernel for longer rows.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_FULL_H_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_FULL_H_H

#include "block_attention_residuals_grad_base.h"

namespace BlockAttentionResidualsGradArch22
{

// Chunks of resident rows that are copied as one: 4 of the 8 events of a pair of pipes, which leaves some for the ring.
constexpr uint32_t MAX_CHUNKS = 4;

template <typename T>
class FullH : public GradBase<T>
{
public:
    __aicore__ inline void Init(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling,
                                AscendC::TPipe* pipe)
    {
        const uint32_t width =
            tiling.hiddenSize < VECTOR_LANES ? VECTOR_LANES : static_cast<uint32_t>(tiling.hiddenSize);
        this->InitBase(arguments, tiling, pipe, width, SCORE_BUFFERS);
        this->probs_ = this->scores_[0];
        invNorm_ = this->scores_[1];
        this->scaledScores_ = this->scores_[2];
        this->varianceScales_ = this->scores_[3];
        scoresBuffer_.Init(pipe, this->probs_);
        InitResident(static_cast<uint32_t>(tiling.residentRows));
    }

    __aicore__ inline void Process()
    {
        this->LoadScoreWeight(this->stream_[0], this->stream_[this->streamBuffers_ - 1], 0, this->hidden_);
        this->ClearWeightSum(this->hidden_);
        loadToken_ = this->tokenBegin_;
        for (uint32_t i = 0; i < this->streamBuffers_; ++i) {
            LoadNextStreamed();
        }
        for (uint32_t i = 0; i < chunks_; ++i) {
            LoadChunk(i, this->tokenBegin_);
        }
        for (uint64_t token = this->tokenBegin_; token < this->tokenEnd_; ++token) {
            ProcessToken(token);
        }
        scoresBuffer_.Drain();
        for (uint32_t i = 0; i < chunks_; ++i) {
            chunk_[i].Drain();
        }
        this->StorePartial(0, this->hidden_);
        this->ReduceWeightGradients();
        for (uint32_t i = 0; i < this->streamBuffers_; ++i) {
            this->stream_[i].Drain();
        }
    }

private:
    static constexpr uint32_t SCORE_BUFFERS = 4;

    __aicore__ inline void InitResident(uint32_t residentRows)
    {
        residentRows_ = residentRows;
        streamedRows_ = this->rows_ - residentRows;
        pitchElements_ = this->pitchBytes_ / sizeof(T);
        chunks_ = 0;
        if (residentRows == 0) {
            return;
        }
        resident_ = this->template NewBuffer<T>(residentRows * this->pitchBytes_);
        chunkRows_ = CeilDiv(residentRows, MAX_CHUNKS);
        chunks_ = CeilDiv(residentRows, chunkRows_);
        for (uint32_t i = 0; i < chunks_; ++i) {
            chunk_[i].Init(this->pipe_, resident_[i * chunkRows_ * pitchElements_]);
        }
    }

    __aicore__ inline void ProcessToken(uint64_t token)
    {
        LoadScores(token);
        CopyBuffer<T>& gradHidden = CurrentStreamed();
        gradHidden.AwaitLoad();
        this->Widen(this->gradHidden_, gradHidden.Local(), this->hidden_);
        gradHidden.ReleaseByVector();
        LoadNextStreamed();

        DotPass();
        scoresBuffer_.AwaitLoad();
        this->FinishScores(this->scaledScores_, this->varianceScales_, invNorm_);
        GradientPass(token);
        scoresBuffer_.ReleaseByVector();
    }

    __aicore__ inline void LoadScores(uint64_t token)
    {
        scoresBuffer_.BeginLoad();
        CopyRowIn(this->probs_, this->probsGlobal_[token * this->rows_], this->rows_);
        CopyRowIn(invNorm_, this->invNormGlobal_[token * this->rows_], this->rows_);
        scoresBuffer_.EndLoad();
    }

    __aicore__ inline void DotPass()
    {
        for (uint32_t i = 0; i < chunks_; ++i) {
            chunk_[i].AwaitLoad();
            for (uint32_t row = i * chunkRows_; row < ChunkEnd(i); ++row) {
                Dots(resident_[row * pitchElements_], row);
            }
        }
        for (uint32_t row = residentRows_; row < this->rows_; ++row) {
            CopyBuffer<T>& buffer = CurrentStreamed();
            buffer.AwaitLoad();
            Dots(buffer.Local(), row);
            buffer.ReleaseByVector();
            LoadNextStreamed();
        }
    }

    __aicore__ inline void Dots(const AscendC::LocalTensor<T>& row, uint32_t index)
    {
        this->RowDots(this->scaledScores_[index], this->varianceScales_[index], row, this->hidden_);
    }

    __aicore__ inline void GradientPass(uint64_t token)
    {
        for (uint32_t i = 0; i < chunks_; ++i) {
            for (uint32_t row = i * chunkRows_; row < ChunkEnd(i); ++row) {
                this->RowGradient(resident_[row * pitchElements_], row, this->hidden_);
            }
            StoreChunk(i, token);
            if (token + 1 < this->tokenEnd_) {
                LoadChunk(i, token + 1);
            }
        }
        for (uint32_t row = residentRows_; row < this->rows_; ++row) {
            CopyBuffer<T>& buffer = CurrentStreamed();
            buffer.AwaitLoad();
            this->RowGradient(buffer.Local(), row, this->hidden_);
            buffer.BeginStore();
            CopyRowOut(GradRow(token, row), buffer.Local(), this->hidden_);
            buffer.EndStore();
            LoadNextStreamed();
        }
    }

    // ---- resident rows -------------------------------------------------------------------------------------------

    __aicore__ inline uint32_t ChunkEnd(uint32_t chunk) const
    {
        const uint32_t end = (chunk + 1) * chunkRows_;
        return end < residentRows_ ? end : residentRows_;
    }

    // Rows of block_res in this chunk: all but the last row of the token, which is partial_block.
    __aicore__ inline uint32_t ChunkBlockRows(uint32_t chunk) const
    {
        const uint32_t end = ChunkEnd(chunk);
        return (end < this->blocks_ ? end : this->blocks_) - chunk * chunkRows_;
    }

    __aicore__ inline void LoadChunk(uint32_t chunk, uint64_t token)
    {
        const uint32_t begin = chunk * chunkRows_;
        const uint32_t blockRows = ChunkBlockRows(chunk);
        chunk_[chunk].BeginLoad();
        if (blockRows > 0) {
            CopyRowsIn(resident_[begin * pitchElements_], ValueRow(token, begin), blockRows, this->hidden_,
                       this->pitchBytes_);
        }
        if (begin + blockRows < ChunkEnd(chunk)) {
            CopyRowIn(resident_[(begin + blockRows) * pitchElements_], ValueRow(token, this->blocks_), this->hidden_);
        }
        chunk_[chunk].EndLoad();
    }

    __aicore__ inline void StoreChunk(uint32_t chunk, uint64_t token)
    {
        const uint32_t begin = chunk * chunkRows_;
        const uint32_t blockRows = ChunkBlockRows(chunk);
        chunk_[chunk].BeginStore();
        if (blockRows > 0) {
            CopyRowsOut(GradRow(token, begin), resident_[begin * pitchElements_], blockRows, this->hidden_,
                        this->pitchBytes_);
        }
        if (begin + blockRows < ChunkEnd(chunk)) {
            CopyRowOut(GradRow(token, this->blocks_), resident_[(begin + blockRows) * pitchElements_], this->hidden_);
        }
        chunk_[chunk].EndStore();
    }

    // ---- streamed rows: a fixed sequence per token, grad_hidden, then the streamed rows once for each pass ----------

    __aicore__ inline CopyBuffer<T>& CurrentStreamed()
    {
        return this->stream_[slot_];
    }

    // Starts the copy of the next row of the sequence into the buffer that has just been let go, and moves on to the
    // buffer whose copy is the oldest.
    __aicore__ inline void LoadNextStreamed()
    {
        if (loadToken_ < this->tokenEnd_) {
            CopyBuffer<T>& buffer = CurrentStreamed();
            buffer.BeginLoad();
            if (loadStep_ == 0) {
                CopyRowIn(buffer.Local(), this->gradHiddenStates_[loadToken_ * this->hidden_], this->hidden_);
            } else {
                const uint32_t row = residentRows_ + (loadStep_ - 1) % streamedRows_;
                CopyRowIn(buffer.Local(), ValueRow(loadToken_, row), this->hidden_);
            }
            buffer.EndLoad();
            if (++loadStep_ > 2 * streamedRows_) {
                loadStep_ = 0;
                ++loadToken_;
            }
        }
        slot_ = slot_ + 1 == this->streamBuffers_ ? 0 : slot_ + 1;
    }

    __aicore__ inline AscendC::GlobalTensor<T> ValueRow(uint64_t token, uint32_t row) const
    {
        return row < this->blocks_ ? this->blockRes_[(token * this->blocks_ + row) * this->hidden_]
                                   : this->partialBlock_[token * this->hidden_];
    }

    __aicore__ inline AscendC::GlobalTensor<T> GradRow(uint64_t token, uint32_t row) const
    {
        return row < this->blocks_ ? this->gradBlockRes_[(token * this->blocks_ + row) * this->hidden_]
                                   : this->gradPartialBlock_[token * this->hidden_];
    }

    AscendC::LocalTensor<float> invNorm_;
    CopyBuffer<float> scoresBuffer_;
    AscendC::LocalTensor<T> resident_;
    CopyBuffer<T> chunk_[MAX_CHUNKS];
    uint32_t residentRows_;
    uint32_t streamedRows_;
    uint32_t pitchElements_;
    uint32_t chunkRows_;
    uint32_t chunks_;
    uint64_t loadToken_;
    uint32_t loadStep_ = 0;
    uint32_t slot_ = 0;
};

}  // namespace BlockAttentionResidualsGradArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_FULL_H_H
