// What FULL_H and SPLIT_H of arch35 share: the UB buffers of the model (op_host/…/ub_model/arch35_ub_model.h) but for
// the rows, the score weight, and the way from the sums over rows to inv_norm and probs.

#ifndef BLOCK_ATTENTION_RESIDUALS_ARCH35_BASE_H
#define BLOCK_ATTENTION_RESIDUALS_ARCH35_BASE_H

#include "../../common/arch35/rows.h"
#include "../../common/copy_buffer.h"
#include "../block_attention_residuals_tensors.h"
#include "block_attention_residuals_row_functions.h"
#include "block_attention_residuals_score_functions.h"

namespace BlockAttentionResidualsArch35
{

using BlockAttentionResidualsShared::ForwardArguments;
using BlockAttentionResidualsShared::ForwardTensors;
using KernelCommon::AlignUp;
using KernelCommon::CopyBuffer;
using KernelCommon::CopyRowIn;
using KernelCommon::CopyRowOut;
using KernelCommonArch35::Address;
using KernelCommonArch35::REGISTER_BYTES;
using KernelCommonArch35::RowSteps;
using KernelCommonArch35::ScoreWeightVf;

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
        scorePitch_ = static_cast<uint32_t>(tiling.scorePitch);
        scoreWeight_ = NewFloatRow(width);
        scoreWeightLow_ = LOW_PARTS ? NewFloatRow(width) : scoreWeight_;
    }

    // After the rows, so that what a register loads beyond one of them lies in UB.
    __aicore__ inline void InitScores(uint32_t batchTokens)
    {
        const uint32_t tokenBytes = AlignUp(batchTokens * tensors_.rows * sizeof(float), REGISTER_BYTES);
        const uint32_t rowBytes =
            AlignUp(scorePitch_ * (tensors_.rows - 1) * sizeof(float), REGISTER_BYTES) + REGISTER_BYTES;
        const AscendC::LocalTensor<float> byTokens = NewBuffer<float>(2 * tokenBytes);
        tokenProbs_ = byTokens[tokenBytes / sizeof(float)];
        tokenScores_.Init(pipe_, byTokens);
        for (auto* score : {&squares_, &squaresLow_, &dot_, &dotLow_}) {
            *score = NewBuffer<float>(rowBytes);
        }
    }

    __aicore__ inline void DrainScores()
    {
        tokenScores_.Drain();
    }

    template <typename U>
    __aicore__ inline AscendC::LocalTensor<U> NewBuffer(uint32_t bytes)
    {
        AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
        pipe_->InitBuffer(buffer, bytes);
        return buffer.template Get<U>();
    }

    __aicore__ inline AscendC::LocalTensor<float> NewFloatRow(uint32_t elements)
    {
        return NewBuffer<float>(AlignUp(elements * sizeof(float), REGISTER_BYTES));
    }

    // `dump` takes the weight's square sum, which other operators' kernels need.
    __aicore__ inline void MakeScoreWeight(const AscendC::LocalTensor<T>& norm, const AscendC::LocalTensor<T>& proj,
                                           uint32_t count, const AscendC::LocalTensor<float>& dump)
    {
        const RowSteps steps(count);
        asc_vf_call<ScoreWeightVf<T>>(Address(scoreWeight_), Address(scoreWeightLow_), Address(dump), Address(norm),
                                      Address(proj), steps.full, steps.tail, steps.tailCount);
    }

    // inv_norm and probs of `tokens` tokens from the sums of their rows.
    __aicore__ inline void FinishScores(uint32_t tokens)
    {
        const uint16_t rows = static_cast<uint16_t>(tensors_.rows);
        const float hidden = static_cast<float>(tensors_.hidden);
        if (scorePitch_ == 1) {
            const uint16_t steps = RowSteps(rows).All();
            asc_vf_call<TokenScoresVf>(Address(squares_), Address(squaresLow_), Address(dot_), Address(dotLow_), hidden,
                                       1.0f / hidden, eps_, tensors_.rows, steps);
            asc_vf_call<TokenSoftmaxVf>(Address(dot_), Address(dotLow_), Address(squaresLow_), Address(squares_),
                                        hidden, tensors_.rows, tensors_.rows, steps);
            return;
        }
        asc_vf_call<ScoresVf>(Address(squares_), Address(squaresLow_), Address(dot_), Address(dotLow_), scorePitch_,
                              hidden, 1.0f / hidden, eps_, tokens, rows);
        asc_vf_call<SoftmaxVf>(Address(dot_), Address(dotLow_), Address(squaresLow_), Address(squares_), scorePitch_,
                               hidden, tokens, rows);
    }

    __aicore__ inline void StoreScores(uint64_t token, uint32_t tokens)
    {
        if (!needBackward_) {
            return;
        }
        const uint32_t count = tokens * tensors_.rows;
        tokenScores_.BeginFill();
        asc_vf_call<ByTokensVf>(Address(tokenScores_.Local()), Address(tokenProbs_), Address(squares_), Address(dot_),
                                scorePitch_, static_cast<uint16_t>(tokens), static_cast<uint16_t>(tensors_.rows));
        tokenScores_.BeginStore();
        CopyRowOut(tensors_.invNorm[token * tensors_.rows], tokenScores_.Local(), count);
        CopyRowOut(tensors_.probs[token * tensors_.rows], tokenProbs_, count);
        tokenScores_.EndStore();
    }

    static constexpr bool LOW_PARTS = AscendC::IsSameType<T, float>::value;

    AscendC::TPipe* pipe_;
    ForwardTensors<T> tensors_;
    float eps_;
    bool needBackward_;
    uint32_t scorePitch_;

    AscendC::LocalTensor<float> scoreWeight_;
    AscendC::LocalTensor<float> scoreWeightLow_;
    // By value rows, scorePitch_ floats each: sums first, then as named.
    AscendC::LocalTensor<float> squares_;     // inv_norm
    AscendC::LocalTensor<float> squaresLow_;  // its first row: the bias of the mix
    AscendC::LocalTensor<float> dot_;         // probs
    AscendC::LocalTensor<float> dotLow_;      // low parts of probs

private:
    KernelCommon::ResultBuffer<float> tokenScores_;  // inv_norm by tokens, followed by tokenProbs_
    AscendC::LocalTensor<float> tokenProbs_;
};

}  // namespace BlockAttentionResidualsArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_ARCH35_BASE_H
