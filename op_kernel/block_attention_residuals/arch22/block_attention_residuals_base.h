// What FULL_H and SPLIT_H of arch22 share: the UB buffers of the model (op_host/…/ub_model/arch22_ub_model.h) but for
// the rows, the score weight, and the way from a token's scores to global memory. …_rows.h has the arithmetic on rows,
// …_scores.h that on the [N1] scores of a token. Vector-to-vector and vector-to-scalar order is left to the compiler
// (auto-sync, on by default); the order between the copy pipes and the vector unit is the copy buffers'.

#ifndef BLOCK_ATTENTION_RESIDUALS_ARCH22_BASE_H
#define BLOCK_ATTENTION_RESIDUALS_ARCH22_BASE_H

#include "../../common/arch22/two_float.h"
#include "../../common/copy_buffer.h"
#include "../block_attention_residuals_tensors.h"

namespace BlockAttentionResidualsArch22
{

using BlockAttentionResidualsShared::ForwardArguments;
using BlockAttentionResidualsShared::ForwardTensors;
using KernelCommon::AlignUp;
using KernelCommon::BLOCK_BYTES;
using KernelCommon::CeilDiv;
using KernelCommon::CopyBuffer;
using KernelCommon::CopyRowIn;
using KernelCommon::CopyRowOut;
using KernelCommonArch22::FloatVector;
using KernelCommonArch22::TwoFloatVector;
using KernelCommonArch22::VECTOR_LANES;
using KernelCommonArch22::WorkSpace;

// A row is walked in chunks, at most this many: the sum of so many terms is a plain one.
constexpr uint32_t MAX_ROW_CHUNKS = 8;
constexpr uint32_t MIN_WORK_LANES = 512;  // elements of a chunk, at least
constexpr uint32_t WORK_VECTORS = 4;      // of a chunk each
// Rows whose sums are finished together, each having come down to the lanes of one repeat.
constexpr uint32_t GROUP_ROWS = 8;
constexpr uint32_t GROUP_LANES = GROUP_ROWS * VECTOR_LANES;
// Results of reductions; then a group's biases, spread over a block each; then its sums.
constexpr uint32_t GROUP_BIASES = GROUP_ROWS;
constexpr uint32_t GROUP_SUMS = GROUP_BIASES + GROUP_ROWS * KernelCommonArch22::BLOCK_LANES;
constexpr uint32_t SCALAR_FLOATS = 128;

template <typename T>
class ForwardBase
{
protected:
    // `width`: elements of H that the float32 rows hold.
    __aicore__ inline void InitBase(const ForwardArguments& arguments, const BlockAttentionResidualsTilingData& tiling,
                                    AscendC::TPipe* pipe, uint32_t width)
    {
        pipe_ = pipe;
        tensors_.Init(arguments, tiling);
        eps_ = tiling.normEps;
        needBackward_ = tiling.needBackward != 0;
        scoreWeight_ = NewBuffer<float>(width * sizeof(float));
        InitScores();
        const uint32_t evenChunk = AlignUp(CeilDiv(width, MAX_ROW_CHUNKS), VECTOR_LANES);
        const uint32_t lanes = evenChunk < MIN_WORK_LANES ? MIN_WORK_LANES : evenChunk;
        const uint32_t workFloats = WORK_VECTORS * lanes + 2 * GROUP_LANES;
        work_ = {NewBuffer<float>(workFloats * sizeof(float)), lanes, {}};
        groupSquares_ = work_[WORK_VECTORS];
        groupDots_ = groupSquares_[GROUP_LANES];
        // Instructions pass over whole repeats, whether all of their lanes have been used or not.
        AscendC::Duplicate(work_.base, 0.0f, workFloats);
        AscendC::Duplicate(scalars_, 0.0f, SCALAR_FLOATS);
    }

    __aicore__ inline void DrainScores()
    {
        tokenScores_.Drain();
    }

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

    // The elements as float32, in `place` unless they are so already.
    __aicore__ inline FloatVector Widened(const AscendC::LocalTensor<T>& elements, const FloatVector& place,
                                          uint32_t count)
    {
        if constexpr (IS_FLOAT) {
            return elements;
        } else {
            AscendC::Cast(place, elements, AscendC::RoundMode::CAST_NONE, count);
            return place;
        }
    }

    // The score weight, norm_weight * proj_weight in float32, from its factors one after the other.
    __aicore__ inline void TakeNormWeight(const AscendC::LocalTensor<T>& norm, uint32_t count)
    {
        if constexpr (IS_FLOAT) {
            AscendC::Muls(scoreWeight_, norm, 1.0f, count);
        } else {
            AscendC::Cast(scoreWeight_, norm, AscendC::RoundMode::CAST_NONE, count);
        }
    }

    __aicore__ inline void TakeProjWeight(const AscendC::LocalTensor<T>& proj, uint32_t count)
    {
        for (uint32_t begin = 0; begin < count; begin += work_.lanes) {
            const uint32_t size = ChunkElements(begin, count);
            const FloatVector factor = Widened(proj[begin], work_[0], size);
            AscendC::Mul(scoreWeight_[begin], scoreWeight_[begin], factor, size);
        }
    }

    // inv_norm and probs of a token are about to be computed.
    __aicore__ inline void BeginScores()
    {
        tokenScores_.BeginFill();
    }

    __aicore__ inline void StoreScores(uint64_t token)
    {
        if (!needBackward_) {
            return;
        }
        tokenScores_.BeginStore();
        CopyRowOut(tensors_.invNorm[token * tensors_.rows], invNorm_, tensors_.rows);
        CopyRowOut(tensors_.probs[token * tensors_.rows], probs_, tensors_.rows);
        tokenScores_.EndStore();
    }

    static constexpr bool IS_FLOAT = AscendC::IsSameType<T, float>::value;

    AscendC::TPipe* pipe_;
    ForwardTensors<T> tensors_;
    float eps_;

    FloatVector scoreWeight_;
    // Of a token's rows: their sums, and then what is made of them.
    TwoFloatVector squares_;  // with T float32 the halves of probs in the end, see …_scores.h
    TwoFloatVector dots_;     // with T float32 the low part of probs in dots_.low
    FloatVector invNorm_;
    FloatVector probs_;
    uint32_t scoreLanes_;  // room of each, in whole repeats
    FloatVector headMask_;
    FloatVector scalars_;
    WorkSpace work_;
    // GROUP_ROWS rows of one repeat each.
    FloatVector groupSquares_;
    FloatVector groupDots_;

private:
    __aicore__ inline void InitScores()
    {
        const uint32_t tokenFloats = AlignUp(tensors_.rows, KernelCommonArch22::BLOCK_LANES);
        invNorm_ = NewBuffer<float>(2 * tokenFloats * sizeof(float));
        probs_ = invNorm_[tokenFloats];
        tokenScores_.Init(pipe_, invNorm_);
        scoreLanes_ = AlignUp(tensors_.rows, VECTOR_LANES);
        for (auto* score : {&squares_.high, &squares_.low, &dots_.high, &dots_.low, &headMask_}) {
            *score = NewBuffer<float>(scoreLanes_ * sizeof(float));
        }
        KernelCommonArch22::SetHeadMask(headMask_, scoreLanes_);
        scalars_ = NewBuffer<float>(SCALAR_FLOATS * sizeof(float));
    }

    bool needBackward_;
    KernelCommon::ResultBuffer<float> tokenScores_;  // inv_norm and probs
};

}  // namespace BlockAttentionResidualsArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_ARCH22_BASE_H
