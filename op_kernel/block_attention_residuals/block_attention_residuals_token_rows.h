// FULL_H's copies, for the kernels of both architectures: the value rows of batchTokens tokens lie in UB at once,
// rowSets times, so that a batch is copied while another is computed; V crosses global memory once. A set comes in
// chunks, of rows where a batch is one token and else of tokens, so that sums begin before the last row is there. The
// hidden states replace the rows of partial_block. …_tile_stream.h is for rows that do not fit.

#ifndef BLOCK_ATTENTION_RESIDUALS_TOKEN_ROWS_H
#define BLOCK_ATTENTION_RESIDUALS_TOKEN_ROWS_H

#include "../common/copy_buffer.h"
#include "block_attention_residuals_tensors.h"

namespace BlockAttentionResidualsShared
{

// Some rows of a batch, all of whose tokens have the same: rows firstRow … firstRow + blockRows - 1 of block_res and,
// with hasPartial, that of partial_block.
template <typename T>
struct RowChunk {
    uint32_t firstToken;  // of the batch
    uint32_t tokens;
    uint32_t firstRow;
    uint32_t blockRows;
    bool hasPartial;
    AscendC::LocalTensor<T> blocks;   // row by row, token by token
    AscendC::LocalTensor<T> partial;  // token by token
};

// Kernel, a subclass, has Sums(chunk): the sums over the rows of a chunk.
template <typename T, typename Kernel>
class TokenRows
{
protected:
    // `rows` has room for sets * batchTokens * N1 rows of pitchBytes each.
    __aicore__ inline void InitRows(AscendC::TPipe* pipe, const ForwardTensors<T>* tensors,
                                    const AscendC::LocalTensor<T>& rows, uint32_t batchTokens, uint32_t sets,
                                    uint32_t pitchBytes)
    {
        global_ = tensors;
        rows_ = rows;
        batchTokens_ = batchTokens;
        sets_ = sets;
        pitchBytes_ = pitchBytes;
        pitchElements_ = pitchBytes / sizeof(T);
        // Rows of one token or tokens of a batch.
        const uint32_t units = batchTokens == 1 ? tensors->rows : batchTokens;
        chunkUnits_ = KernelCommon::CeilDiv(units, MAX_CHUNKS / sets);
        for (uint32_t i = 0; i < MAX_CHUNKS; ++i) {
            buffer_[i].Init(pipe, rows);
        }
    }

    __aicore__ inline uint32_t PitchElements() const
    {
        return pitchElements_;
    }

    // For other uses before StartRows.
    __aicore__ inline KernelCommon::CopyBuffer<T>& SpareBuffer()
    {
        return buffer_[0];
    }

    __aicore__ inline void StartRows()
    {
        for (uint32_t set = 0; set < sets_; ++set) {
            Load(set, global_->tokens.begin + set * batchTokens_);
        }
    }

    __aicore__ inline void DrainRows()
    {
        for (uint32_t i = 0; i < MAX_CHUNKS; ++i) {
            buffer_[i].Drain();
        }
    }

    // Tokens of the batch that begins with `token`.
    __aicore__ inline uint32_t BatchTokens(uint64_t token) const
    {
        const uint64_t left = global_->tokens.end - token;
        return left < batchTokens_ ? static_cast<uint32_t>(left) : batchTokens_;
    }

    // The first rows of a set: of block_res, and of partial_block.
    __aicore__ inline AscendC::LocalTensor<T> BlockRows(uint32_t set) const
    {
        return rows_[set * batchTokens_ * global_->rows * pitchElements_];
    }

    __aicore__ inline AscendC::LocalTensor<T> PartialRows(uint32_t set) const
    {
        return BlockRows(set)[batchTokens_ * global_->blocks * pitchElements_];
    }

    __aicore__ inline void SumPass(uint32_t set, uint64_t token)
    {
        for (uint32_t i = 0; i < ChunksOf(BatchTokens(token)); ++i) {
            Buffer(set, i).AwaitLoad();
            static_cast<Kernel&>(*this).Sums(Chunk(set, i, token));
        }
    }

    // The rows of partial_block have become the hidden states: they leave, and the set's next batch is loaded.
    __aicore__ inline void StoreHidden(uint32_t set, uint64_t token)
    {
        for (uint32_t i = 0; i < ChunksOf(BatchTokens(token)); ++i) {
            const RowChunk<T> chunk = Chunk(set, i, token);
            KernelCommon::CopyBuffer<T>& buffer = Buffer(set, i);
            if (chunk.hasPartial) {
                buffer.BeginStore();
                KernelCommon::CopyRowsOut(global_->hiddenStates[(token + chunk.firstToken) * global_->hidden],
                                          chunk.partial, chunk.tokens, global_->hidden, pitchBytes_);
                buffer.EndStore();
            } else {
                buffer.ReleaseByVector();
            }
        }
        Load(set, token + sets_ * batchTokens_);
    }

private:
    // All sets together. A pair of pipes has 8 events.
    static constexpr uint32_t MAX_CHUNKS = 4;

    __aicore__ inline KernelCommon::CopyBuffer<T>& Buffer(uint32_t set, uint32_t chunk)
    {
        return buffer_[set * (MAX_CHUNKS / sets_) + chunk];
    }

    __aicore__ inline uint32_t ChunksOf(uint32_t tokens) const
    {
        return KernelCommon::CeilDiv(batchTokens_ == 1 ? global_->rows : tokens, chunkUnits_);
    }

    __aicore__ inline RowChunk<T> Chunk(uint32_t set, uint32_t index, uint64_t token) const
    {
        const uint32_t units = batchTokens_ == 1 ? global_->rows : BatchTokens(token);
        const uint32_t begin = index * chunkUnits_;
        const uint32_t end = begin + chunkUnits_ < units ? begin + chunkUnits_ : units;
        RowChunk<T> chunk;
        if (batchTokens_ == 1) {
            chunk.firstToken = 0;
            chunk.tokens = 1;
            chunk.firstRow = begin;
            chunk.blockRows = (end < global_->blocks ? end : global_->blocks) - begin;
            chunk.hasPartial = end == global_->rows;
        } else {
            chunk.firstToken = begin;
            chunk.tokens = end - begin;
            chunk.firstRow = 0;
            chunk.blockRows = global_->blocks;
            chunk.hasPartial = true;
        }
        chunk.blocks = BlockRows(set)[(chunk.firstToken * global_->blocks + chunk.firstRow) * pitchElements_];
        chunk.partial = PartialRows(set)[chunk.firstToken * pitchElements_];
        return chunk;
    }

    // Nothing where the core has no such batch.
    __aicore__ inline void Load(uint32_t set, uint64_t token)
    {
        if (token >= global_->tokens.end) {
            return;
        }
        for (uint32_t i = 0; i < ChunksOf(BatchTokens(token)); ++i) {
            const RowChunk<T> chunk = Chunk(set, i, token);
            const uint64_t first = token + chunk.firstToken;
            KernelCommon::CopyBuffer<T>& buffer = Buffer(set, i);
            buffer.BeginLoad();
            if (chunk.blockRows > 0) {
                KernelCommon::CopyRowsIn(chunk.blocks, global_->ValueRow(first, chunk.firstRow, 0),
                                         chunk.tokens * chunk.blockRows, global_->hidden, pitchBytes_);
            }
            if (chunk.hasPartial) {
                KernelCommon::CopyRowsIn(chunk.partial, global_->ValueRow(first, global_->blocks, 0), chunk.tokens,
                                         global_->hidden, pitchBytes_);
            }
            buffer.EndLoad();
        }
    }

    const ForwardTensors<T>* global_;
    AscendC::LocalTensor<T> rows_;
    uint32_t batchTokens_;
    uint32_t sets_;
    uint32_t pitchBytes_;
    uint32_t pitchElements_;
    uint32_t chunkUnits_;
    KernelCommon::CopyBuffer<T> buffer_[MAX_CHUNKS];
};

}  // namespace BlockAttentionResidualsShared

#endif  // BLOCK_ATTENTION_RESIDUALS_TOKEN_ROWS_H
