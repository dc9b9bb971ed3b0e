// The copies of FULL_H with several tokens at a time: short rows come in batches of tokens, all of whose rows lie in UB
// together, so that a copy moves many rows and the scores of a batch share their vector functions. A batch is split
// into chunks of tokens, each reloaded for the next batch as soon as its gradients have left.
// …_full_rows.h is for rows so long that a token fills UB.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_TOKEN_BATCHES_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_TOKEN_BATCHES_H

#include "block_attention_residuals_grad_copy_buffer.h"
#include "block_attention_residuals_grad_tensors.h"

namespace BlockAttentionResidualsGradShared
{

constexpr uint32_t BATCH_CHUNKS = 4;

// Some tokens of a batch. Their rows of block_res lie one after the other in UB, and so do those of partial_block.
template <typename T>
struct TokenChunk {
    uint32_t first;  // token of the batch
    uint32_t tokens;
    AscendC::LocalTensor<T> blockRows;
    AscendC::LocalTensor<T> partialRows;
};

// Kernel, a subclass, has Dots(chunk) and Gradients(chunk).
template <typename T, typename Kernel>
class TokenBatches
{
protected:
    // `rows` has room for batchTokens * N1 rows and gradHidden for batchTokens, each pitchBytes.
    __aicore__ inline void InitBatches(AscendC::TPipe* pipe, const GradTensors<T>* tensors, uint32_t batchTokens,
                                       const AscendC::LocalTensor<T>& rows, const AscendC::LocalTensor<T>& gradHidden,
                                       uint32_t pitchBytes)
    {
        global_ = tensors;
        batchTokens_ = batchTokens;
        chunkTokens_ = CeilDiv(batchTokens, BATCH_CHUNKS);
        pitchBytes_ = pitchBytes;
        pitchElements_ = pitchBytes / sizeof(T);
        rows_ = rows;
        gradHidden_.Init(pipe, gradHidden);
        for (uint32_t i = 0; i < BATCH_CHUNKS; ++i) {
            chunk_[i].Init(pipe, rows_[i < ChunksOf(batchTokens) ? i * ChunkElements() : 0]);
        }
    }

    __aicore__ inline uint32_t PitchElements() const
    {
        return pitchElements_;
    }

    __aicore__ inline uint32_t BatchTokens(uint64_t token) const
    {
        const uint64_t left = global_->tokenEnd - token;
        return left < batchTokens_ ? static_cast<uint32_t>(left) : batchTokens_;
    }

    __aicore__ inline void StartBatches()
    {
        LoadGradHidden(global_->tokenBegin);
        for (uint32_t i = 0; i < BATCH_CHUNKS; ++i) {
            LoadChunk(i, global_->tokenBegin);
        }
    }

    __aicore__ inline void DrainBatches()
    {
        gradHidden_.Drain();
        for (uint32_t i = 0; i < BATCH_CHUNKS; ++i) {
            chunk_[i].Drain();
        }
    }

    // grad_hidden of the batch that begins with `token`; ReleaseGradHidden when it has been read.
    __aicore__ inline const AscendC::LocalTensor<T>& AwaitGradHidden()
    {
        gradHidden_.AwaitLoad();
        return gradHidden_.Local();
    }

    __aicore__ inline void ReleaseGradHidden(uint64_t token)
    {
        gradHidden_.ReleaseByVector();
        LoadGradHidden(token + batchTokens_);
    }

    __aicore__ inline void DotPass(uint64_t token)
    {
        for (uint32_t i = 0; i < ChunksOf(BatchTokens(token)); ++i) {
            chunk_[i].AwaitLoad();
            Derived().Dots(Chunk(i, token));
        }
    }

    __aicore__ inline void GradientPass(uint64_t token)
    {
        for (uint32_t i = 0; i < ChunksOf(BatchTokens(token)); ++i) {
            const TokenChunk<T> chunk = Chunk(i, token);
            Derived().Gradients(chunk);
            StoreChunk(i, chunk, token);
            LoadChunk(i, token + batchTokens_);
        }
    }

private:
    __aicore__ inline Kernel& Derived()
    {
        return static_cast<Kernel&>(*this);
    }

    __aicore__ inline uint32_t ChunksOf(uint32_t tokens) const
    {
        return CeilDiv(tokens, chunkTokens_);
    }

    // Elements of UB that a chunk's rows take.
    __aicore__ inline uint32_t ChunkElements() const
    {
        return chunkTokens_ * global_->rows * pitchElements_;
    }

    __aicore__ inline TokenChunk<T> Chunk(uint32_t index, uint64_t token) const
    {
        TokenChunk<T> chunk;
        chunk.first = index * chunkTokens_;
        const uint32_t left = BatchTokens(token) - chunk.first;
        chunk.tokens = left < chunkTokens_ ? left : chunkTokens_;
        chunk.blockRows = rows_[index * ChunkElements()];
        chunk.partialRows = chunk.blockRows[chunk.tokens * global_->blocks * pitchElements_];
        return chunk;
    }

    __aicore__ inline void LoadGradHidden(uint64_t token)
    {
        if (token >= global_->tokenEnd) {
            return;
        }
        gradHidden_.BeginLoad();
        CopyRowsIn(gradHidden_.Local(), global_->gradHiddenStates[token * global_->hidden], BatchTokens(token),
                   global_->hidden, pitchBytes_);
        gradHidden_.EndLoad();
    }

    // Nothing where the batch that begins with `token` has no such chunk.
    __aicore__ inline void LoadChunk(uint32_t index, uint64_t token)
    {
        if (token >= global_->tokenEnd || index >= ChunksOf(BatchTokens(token))) {
            return;
        }
        const TokenChunk<T> chunk = Chunk(index, token);
        const uint64_t first = token + chunk.first;
        chunk_[index].BeginLoad();
        if (global_->blocks > 0) {
            CopyRowsIn(chunk.blockRows, global_->ValueRow(first, 0, 0), chunk.tokens * global_->blocks, global_->hidden,
                       pitchBytes_);
        }
        CopyRowsIn(chunk.partialRows, global_->ValueRow(first, global_->blocks, 0), chunk.tokens, global_->hidden,
                   pitchBytes_);
        chunk_[index].EndLoad();
    }

    __aicore__ inline void StoreChunk(uint32_t index, const TokenChunk<T>& chunk, uint64_t token)
    {
        const uint64_t first = token + chunk.first;
        chunk_[index].BeginStore();
        if (global_->blocks > 0) {
            CopyRowsOut(global_->GradRow(first, 0, 0), chunk.blockRows, chunk.tokens * global_->blocks, global_->hidden,
                        pitchBytes_);
        }
        CopyRowsOut(global_->GradRow(first, global_->blocks, 0), chunk.partialRows, chunk.tokens, global_->hidden,
                    pitchBytes_);
        chunk_[index].EndStore();
    }

    const GradTensors<T>* global_;
    uint32_t batchTokens_;
    uint32_t chunkTokens_;
    uint32_t pitchBytes_;
    uint32_t pitchElements_;
    AscendC::LocalTensor<T> rows_;
    CopyBuffer<T> gradHidden_;
    CopyBuffer<T> chunk_[BATCH_CHUNKS];
};

}  // namespace BlockAttentionResidualsGradShared

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_TOKEN_BATCHES_H
