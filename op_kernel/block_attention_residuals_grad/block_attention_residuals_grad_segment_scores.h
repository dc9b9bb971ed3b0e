// g and d of rows that are cut into segments: each core has those of its own segment, and all cores that have a token
// need those of whole rows. They meet in the workspace, before the cores' partials of the weight gradients need it. A
// core has one token then. Tiling cuts rows where there are fewer tokens than half the cores.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_SEGMENT_SCORES_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_SEGMENT_SCORES_H

#include "block_attention_residuals_grad_copy_buffer.h"
#include "block_attention_residuals_grad_tensors.h"

namespace BlockAttentionResidualsGradShared
{

template <typename T>
class SegmentScores
{
public:
    // `scores` has room for the SEGMENT_SCORES arrays of N1 values of each segment, `pitch` floats apart.
    __aicore__ inline void Init(AscendC::TPipe* pipe, const GradTensors<T>* tensors,
                                const AscendC::LocalTensor<float>& scores, uint32_t pitch)
    {
        pipe_ = pipe;
        global_ = tensors;
        scores_ = scores;
        pitch_ = pitch;
    }

    // Gives the arrays of this core's segment away and gets those of all segments of the token. Every core calls it.
    __aicore__ inline void Exchange(const AscendC::LocalTensor<float> (&own)[SEGMENT_SCORES])
    {
        const uint32_t rows = global_->rows;
        const uint64_t distance = global_->groupCores * global_->perCoreFloats;  // from a token's core to the next one
        Order<AscendC::HardEvent::V_MTE3>(pipe_);
        for (uint32_t i = 0; i < SEGMENT_SCORES; ++i) {
            CopyRowOut(global_->segmentScores[global_->segment * distance + i * rows], own[i], rows);
        }
        Order<AscendC::HardEvent::MTE3_V>(pipe_);
        AscendC::SyncAll();
        for (uint32_t i = 0; i < SEGMENT_SCORES; ++i) {
            CopyRowsIn(scores_[i * global_->segments * pitch_], global_->segmentScores[i * rows], global_->segments,
                       rows, pitch_ * sizeof(float), static_cast<uint32_t>((distance - rows) * sizeof(float)));
        }
        Order<AscendC::HardEvent::MTE2_V>(pipe_);
    }

    // Array `which` of a segment; that of the next segment is Pitch() floats behind it.
    __aicore__ inline AscendC::LocalTensor<float> Scores(uint32_t which, uint32_t segment) const
    {
        return scores_[(which * global_->segments + segment) * pitch_];
    }

    __aicore__ inline uint32_t Pitch() const
    {
        return pitch_;
    }

private:
    AscendC::TPipe* pipe_;
    const GradTensors<T>* global_;
    AscendC::LocalTensor<float> scores_;
    uint32_t pitch_;
};

}  // namespace BlockAttentionResidualsGradShared

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_SEGMENT_SCORES_H
