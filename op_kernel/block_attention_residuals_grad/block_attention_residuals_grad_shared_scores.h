// g and d of a token that several cores share: each core has those of its own segment of its own rows, and all cores of
// the token need those of all whole rows. They meet in the workspace.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_SHARED_SCORES_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_SHARED_SCORES_H

#include "block_attention_residuals_grad_copy_buffer.h"
#include "block_attention_residuals_grad_tensors.h"

namespace BlockAttentionResidualsGradShared
{

template <typename T>
class SharedScores
{
public:
    // `scores` has room for the SHARED_SCORES arrays of N1 values of each segment, `pitch` floats apart.
    __aicore__ inline void Init(AscendC::TPipe* pipe, const GradTensors<T>* tensors,
                                const AscendC::LocalTensor<float>& scores, uint32_t pitch)
    {
        pipe_ = pipe;
        global_ = tensors;
        scores_ = scores;
        pitch_ = pitch;
    }

    // Gives this core's rows of the arrays away and gets all rows' of all segments of the token. Every core calls it.
    __aicore__ inline void Exchange(const AscendC::LocalTensor<float> (&own)[SHARED_SCORES])
    {
        const uint32_t rows = global_->rows;
        const uint32_t distance = global_->SharedScoreFloats();
        const uint32_t begin = global_->rowBegin;
        Order<AscendC::HardEvent::V_MTE3>(pipe_);
        for (uint32_t i = 0; i < SHARED_SCORES; ++i) {
            CopyRowOut(global_->sharedScores[global_->segment * distance + i * rows + begin], own[i][begin],
                       global_->ownRows);
        }
        Order<AscendC::HardEvent::MTE3_V>(pipe_);
        AscendC::SyncAll();
        for (uint32_t i = 0; i < SHARED_SCORES; ++i) {
            CopyRowsIn(scores_[i * global_->segments * pitch_], global_->sharedScores[i * rows], global_->segments,
                       rows, pitch_ * sizeof(float), (distance - rows) * static_cast<uint32_t>(sizeof(float)));
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

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_SHARED_SCORES_H
