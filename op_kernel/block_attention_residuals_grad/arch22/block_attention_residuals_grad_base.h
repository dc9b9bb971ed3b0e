// What FULL_H and SPLIT_H share: the tensors in global memory, the UB buffers, the arithmetic on one row and on the
// [N1] scores of one token. The names are those of the formulas in docs/aclnnBlockAttentionResidualsGrad.md:
//   g[i] = sum_h(grad_hidden * V[i])      d[i] = sum_h(w * V[i])      w = norm_weight * proj_weight
//   gs[i] = probs[i] * (g[i] - sum_j probs[j] * g[j])
//   gradV[i] = grad_hidden * probs[i] + c[i] * w + s[i] * V[i]
//   c = gs * inv_norm      s = -(c * (d * inv_norm)) * inv_norm / H
//   gsw = sum over tokens and rows of c[i] * V[i]
// All arithmetic is float32; a value is rounded to the main dtype once, when it leaves.
// Vector-to-vector and vector-to-scalar order is left to the compiler (auto-sync, on by default); the order between
// the copy pipes and the vector unit is CopyBuffer's.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_BASE_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_BASE_H

#include "../block_attention_residuals_grad_copy_buffer.h"
#include "../block_attention_residuals_grad_tiling_data.h"

namespace BlockAttentionResidualsGradArch22
{

using BlockAttentionResidualsGradShared::AlignUp;
using BlockAttentionResidualsGradShared::BLOCK_BYTES;
using BlockAttentionResidualsGradShared::CeilDiv;
using BlockAttentionResidualsGradShared::CopyBuffer;
using BlockAttentionResidualsGradShared::CopyRowIn;
using BlockAttentionResidualsGradShared::CopyRowOut;
using BlockAttentionResidualsGradShared::CopyRowsIn;
using BlockAttentionResidualsGradShared::CopyRowsOut;
using BlockAttentionResidualsGradShared::Order;

constexpr uint32_t VECTOR_LANES = 64;            // float32 lanes of one repeat (256 bytes)
constexpr uint32_t ROW_SUM_BYTES = BLOCK_BYTES;  // partial sums over the [N1] scores
constexpr uint32_t MAX_STREAM_BUFFERS = 4;
constexpr uint32_t MAX_SCORE_BUFFERS = 6;
// Rows whose c*V are added plainly before one compensated addition to gsw. The compensated addition is 4 vector passes,
// so 8 rows share them at half a pass each; the plain part stays well below the 4 ulp that a float32 weight gradient
// may be off.
constexpr uint32_t ROWS_PER_COMPENSATION = 8;

struct GradArguments {
    GM_ADDR partialBlock;
    GM_ADDR blockRes;
    GM_ADDR projWeight;
    GM_ADDR normWeight;
    GM_ADDR gradHiddenStates;
    GM_ADDR invNorm;
    GM_ADDR probs;
    GM_ADDR gradPartialBlock;
    GM_ADDR gradBlockRes;
    GM_ADDR gradProjWeight;
    GM_ADDR gradNormWeight;
    GM_ADDR workspace;
};

template <typename T>
class GradBase
{
protected:
    // `width`: elements of H that the float32 buffers hold; the tile's own bytes decide the copy buffers.
    __aicore__ inline void InitBase(const GradArguments& arguments, const BlockAttentionResidualsGradTilingData& tiling,
                                    AscendC::TPipe* pipe, uint32_t width, uint32_t scoreBuffers)
    {
        pipe_ = pipe;
        hidden_ = static_cast<uint32_t>(tiling.hiddenSize);
        blocks_ = static_cast<uint32_t>(tiling.numBlocks);
        rows_ = static_cast<uint32_t>(tiling.totalBlocks);
        tile_ = static_cast<uint32_t>(tiling.hiddenTileSize);
        usedCores_ = static_cast<uint32_t>(tiling.usedCoreNum);
        streamBuffers_ = static_cast<uint32_t>(tiling.streamBuffers);
        pitchBytes_ = AlignUp(width * sizeof(T), BLOCK_BYTES);
        perCoreFloats_ = tiling.perCoreWkspBytes / sizeof(float);
        const uint64_t core = AscendC::GetBlockIdx();
        const uint64_t share = tiling.batchSize / usedCores_;
        const uint64_t extra = tiling.batchSize % usedCores_;
        tokenBegin_ = core * share + (core < extra ? core : extra);
        tokenEnd_ = tokenBegin_ + share + (core < extra ? 1 : 0);
        BindGlobal(arguments, tiling);
        InitBuffers(width, scoreBuffers);
    }

    // ---- buffers and weights ---------------------------------------------------------------------------------------

    template <typename U>
    __aicore__ inline AscendC::LocalTensor<U> NewBuffer(uint32_t bytes)
    {
        AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
        pipe_->InitBuffer(buffer, AlignUp(bytes, BLOCK_BYTES));
        return buffer.template Get<U>();
    }

    // w = norm_weight * proj_weight of `count` elements, from the two loaded rows.
    __aicore__ inline void LoadScoreWeight(CopyBuffer<T>& norm, CopyBuffer<T>& proj, uint64_t offset, uint32_t count)
    {
        LoadWeight(scoreWeight_, norm, normWeight_[offset], count);
        LoadWeight(scratch_, proj, projWeight_[offset], count);
        AscendC::Mul(scoreWeight_, scoreWeight_, scratch_, count);
    }

    __aicore__ inline void LoadWeight(const AscendC::LocalTensor<float>& dst, CopyBuffer<T>& buffer,
                                      const AscendC::GlobalTensor<T>& weight, uint32_t count)
    {
        buffer.BeginLoad();
        CopyRowIn(buffer.Local(), weight, count);
        buffer.EndLoad();
        buffer.AwaitLoad();
        Widen(dst, buffer.Local(), count);
        buffer.ReleaseByVector();
    }

    // ---- one row -------------------------------------------------------------------------------------------------

    __aicore__ inline void Widen(const AscendC::LocalTensor<float>& dst, const AscendC::LocalTensor<T>& src,
                                 uint32_t count)
    {
        if constexpr (AscendC::IsSameType<T, float>::value) {
            AscendC::Muls(dst, src, 1.0f, count);
        } else {
            AscendC::Cast(dst, src, AscendC::RoundMode::CAST_NONE, count);
        }
    }

    // dst[0] = sum of src[0..count): pairwise over whole vectors, then the tree inside one repeat. Destroys src.
    __aicore__ inline void RowSum(const AscendC::LocalTensor<float>& dst, const AscendC::LocalTensor<float>& src,
                                  uint32_t count)
    {
        while (count > VECTOR_LANES) {
            const uint32_t half = AlignUp(CeilDiv(count, 2), VECTOR_LANES);
            AscendC::Add(src, src, src[half], count - half);
            count = half;
        }
        AscendC::WholeReduceSum(dst, src, static_cast<int32_t>(count), 1, 1, 1, 8);
    }

    // g[0] = sum(grad_hidden * row), d[0] = sum(w * row) over `count` elements. Uses value_ and scratch_.
    __aicore__ inline void RowDots(const AscendC::LocalTensor<float>& g, const AscendC::LocalTensor<float>& d,
                                   const AscendC::LocalTensor<T>& row, uint32_t count)
    {
        if constexpr (AscendC::IsSameType<T, float>::value) {
            AscendC::Mul(scratch_, row, gradHidden_, count);
            AscendC::Mul(value_, row, scoreWeight_, count);
        } else {
            Widen(value_, row, count);
            AscendC::Mul(scratch_, value_, gradHidden_, count);
            AscendC::Mul(value_, value_, scoreWeight_, count);
        }
        RowSum(g, scratch_, count);
        RowSum(d, value_, count);
    }

    // Replaces the row by its gradient and adds c*V to the weight gradient. scratch_ gathers the terms of up to
    // ROWS_PER_COMPENSATION rows of a token, so rows must come in order 0 … N1-1 with nothing else using it between.
    __aicore__ inline void RowGradient(const AscendC::LocalTensor<T>& row, uint32_t index, uint32_t count)
    {
        const float prob = probs_.GetValue(index);
        const float scaledScore = scaledScores_.GetValue(index);
        const float varianceScale = varianceScales_.GetValue(index);
        if constexpr (AscendC::IsSameType<T, float>::value) {
            GradientInPlace(row, index, prob, scaledScore, varianceScale, count);
        } else {
            Widen(value_, row, count);
            GradientInPlace(value_, index, prob, scaledScore, varianceScale, count);
            AscendC::Cast(row, value_, AscendC::RoundMode::CAST_RINT, count);
        }
        if ((index + 1) % ROWS_PER_COMPENSATION == 0 || index + 1 == rows_) {
            AddCompensated(scratch_, value_, count);
        }
    }

    // weightSum_ += term with Kahan's compensation in weightCompensation_. Destroys term; spare and weightSum_ swap.
    __aicore__ inline void AddCompensated(const AscendC::LocalTensor<float>& term, AscendC::LocalTensor<float>& spare,
                                          uint32_t count)
    {
        AscendC::Sub(term, term, weightCompensation_, count);
        AscendC::Add(spare, weightSum_, term, count);
        AscendC::Sub(weightSum_, spare, weightSum_, count);
        AscendC::Sub(weightCompensation_, weightSum_, term, count);
        const AscendC::LocalTensor<float> sum = spare;
        spare = weightSum_;
        weightSum_ = sum;
    }

    __aicore__ inline void ClearWeightSum(uint32_t count)
    {
        AscendC::Duplicate(weightSum_, 0.0f, count);
        AscendC::Duplicate(weightCompensation_, 0.0f, count);
    }

    // ---- the [N1] scores of one token ----------------------------------------------------------------------------

    // Turns g into c = gs * inv_norm and d into the variance scale s, in place.
    __aicore__ inline void FinishScores(const AscendC::LocalTensor<float>& g, const AscendC::LocalTensor<float>& d,
                                        const AscendC::LocalTensor<float>& invNorm)
    {
        if (rows_ == 1) {
            // One row: its softmax is the constant 1, so gs is 0 (and not finite where probs * g is not).
            AscendC::Mul(g, g, probs_, rows_);
            AscendC::Muls(g, g, 0.0f, rows_);
        } else {
            AscendC::Adds(g, g, -ProbsDot(g), rows_);
            AscendC::Mul(g, g, probs_, rows_);
        }
        AscendC::Mul(g, g, invNorm, rows_);
        // (gs*inv_norm) * (d*inv_norm) * inv_norm: stays in range where inv_norm^3 alone would underflow.
        AscendC::Mul(d, d, invNorm, rows_);
        AscendC::Mul(d, d, g, rows_);
        AscendC::Mul(d, d, invNorm, rows_);
        AscendC::Muls(d, d, -1.0f / static_cast<float>(hidden_), rows_);
    }

    // ---- the sum over cores --------------------------------------------------------------------------------------

    // Writes weightSum_ to this core's partial at element `offset` of H.
    __aicore__ inline void StorePartial(uint64_t offset, uint32_t count)
    {
        Order<AscendC::HardEvent::V_MTE3>(pipe_);
        CopyRowOut(partials_[AscendC::GetBlockIdx() * perCoreFloats_ + offset], weightSum_, count);
        Order<AscendC::HardEvent::MTE3_V>(pipe_);
    }

    // Every core sums its share of H over all partials, in core order, and writes both weight gradients there.
    __aicore__ inline void ReduceWeightGradients()
    {
        AscendC::SyncAll();
        const uint32_t share = AlignUp(CeilDiv(hidden_, usedCores_), VECTOR_LANES);
        const uint64_t shareBegin = static_cast<uint64_t>(share) * AscendC::GetBlockIdx();
        const uint64_t shareEnd = shareBegin + share < hidden_ ? shareBegin + share : hidden_;
        CopyBuffer<float> partial[2];
        partial[0].Init(pipe_, value_);
        partial[1].Init(pipe_, scratch_);
        for (uint64_t begin = shareBegin; begin < shareEnd; begin += tile_) {
            const uint32_t count = static_cast<uint32_t>(shareEnd - begin < tile_ ? shareEnd - begin : tile_);
            SumPartials(partial, begin, count);
            WriteWeightGradient(gradNormWeight_[begin], projWeight_[begin], count);
            WriteWeightGradient(gradProjWeight_[begin], normWeight_[begin], count);
        }
        partial[0].Drain();
        partial[1].Drain();
    }

    AscendC::TPipe* pipe_;
    uint32_t hidden_;
    uint32_t blocks_;
    uint32_t rows_;
    uint32_t tile_;
    uint32_t usedCores_;
    uint32_t streamBuffers_;
    uint32_t pitchBytes_;
    uint64_t perCoreFloats_;
    uint64_t tokenBegin_;
    uint64_t tokenEnd_;

    AscendC::GlobalTensor<T> partialBlock_;
    AscendC::GlobalTensor<T> blockRes_;
    AscendC::GlobalTensor<T> projWeight_;
    AscendC::GlobalTensor<T> normWeight_;
    AscendC::GlobalTensor<T> gradHiddenStates_;
    AscendC::GlobalTensor<float> invNormGlobal_;
    AscendC::GlobalTensor<float> probsGlobal_;
    AscendC::GlobalTensor<T> gradPartialBlock_;
    AscendC::GlobalTensor<T> gradBlockRes_;
    AscendC::GlobalTensor<T> gradProjWeight_;
    AscendC::GlobalTensor<T> gradNormWeight_;
    AscendC::GlobalTensor<float> partials_;

    AscendC::LocalTensor<float> scoreWeight_;
    AscendC::LocalTensor<float> gradHidden_;
    AscendC::LocalTensor<float> weightSum_;
    AscendC::LocalTensor<float> weightCompensation_;
    AscendC::LocalTensor<float> value_;
    AscendC::LocalTensor<float> scratch_;
    AscendC::LocalTensor<float> scores_[MAX_SCORE_BUFFERS];
    AscendC::LocalTensor<float> rowSums_;
    // What RowGradient reads: three of scores_, chosen by the kernel.
    AscendC::LocalTensor<float> probs_;
    AscendC::LocalTensor<float> scaledScores_;
    AscendC::LocalTensor<float> varianceScales_;
    CopyBuffer<T> stream_[MAX_STREAM_BUFFERS];

private:
    __aicore__ inline void BindGlobal(const GradArguments& arguments,
                                      const BlockAttentionResidualsGradTilingData& tiling)
    {
        const uint64_t rowElements = tiling.batchSize * hidden_;
        partialBlock_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.partialBlock), rowElements);
        blockRes_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.blockRes), rowElements * blocks_);
        projWeight_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.projWeight), hidden_);
        normWeight_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.normWeight), hidden_);
        gradHiddenStates_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.gradHiddenStates), rowElements);
        invNormGlobal_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.invNorm), tiling.batchSize * rows_);
        probsGlobal_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.probs), tiling.batchSize * rows_);
        gradPartialBlock_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.gradPartialBlock), rowElements);
        gradBlockRes_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.gradBlockRes), rowElements * blocks_);
        gradProjWeight_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.gradProjWeight), hidden_);
        gradNormWeight_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(arguments.gradNormWeight), hidden_);
        partials_.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(arguments.workspace), perCoreFloats_ * usedCores_);
    }

    __aicore__ inline void InitBuffers(uint32_t width, uint32_t scoreBuffers)
    {
        AscendC::LocalTensor<float>* const wide[] = {&scoreWeight_,        &gradHidden_, &weightSum_,
                                                     &weightCompensation_, &value_,      &scratch_};
        for (auto* tensor : wide) {
            *tensor = NewBuffer<float>(width * sizeof(float));
        }
        for (uint32_t i = 0; i < scoreBuffers; ++i) {
            scores_[i] = NewBuffer<float>(rows_ * sizeof(float));
        }
        rowSums_ = NewBuffer<float>(ROW_SUM_BYTES);
        for (uint32_t i = 0; i < streamBuffers_; ++i) {
            stream_[i].Init(pipe_, NewBuffer<T>(pitchBytes_));
        }
    }

    __aicore__ inline void GradientInPlace(const AscendC::LocalTensor<float>& value, uint32_t index, float prob,
                                           float scaledScore, float varianceScale, uint32_t count)
    {
        if (index % ROWS_PER_COMPENSATION == 0) {
            AscendC::Muls(scratch_, value, scaledScore, count);
        } else {
            AscendC::Axpy(scratch_, value, scaledScore, count);
        }
        AscendC::Muls(value, value, varianceScale, count);
        AscendC::Axpy(value, scoreWeight_, scaledScore, count);
        AscendC::Axpy(value, gradHidden_, prob, count);
    }

    // sum_j probs[j] * g[j], in pieces of one repeat since scratch_ may be shorter than N1.
    __aicore__ inline float ProbsDot(const AscendC::LocalTensor<float>& g)
    {
        uint32_t pieces = 0;
        for (uint32_t begin = 0; begin < rows_; begin += VECTOR_LANES) {
            const uint32_t count = rows_ - begin < VECTOR_LANES ? rows_ - begin : VECTOR_LANES;
            AscendC::Mul(scratch_, probs_[begin], g[begin], count);
            RowSum(rowSums_[pieces], scratch_, count);
            ++pieces;
        }
        RowSum(scratch_, rowSums_, pieces);
        return scratch_.GetValue(0);
    }

    __aicore__ inline void SumPartials(CopyBuffer<float>* partial, uint64_t begin, uint32_t count)
    {
        ClearWeightSum(count);
        LoadPartial(partial[0], 0, begin, count);
        for (uint32_t core = 0; core < usedCores_; ++core) {
            CopyBuffer<float>& current = partial[core % 2];
            if (core + 1 < usedCores_) {
                LoadPartial(partial[(core + 1) % 2], core + 1, begin, count);
            }
            current.AwaitLoad();
            AddCompensated(current.Local(), gradHidden_, count);
            current.ReleaseByVector();
        }
    }

    __aicore__ inline void LoadPartial(CopyBuffer<float>& buffer, uint32_t core, uint64_t begin, uint32_t count)
    {
        buffer.BeginLoad();
        CopyRowIn(buffer.Local(), partials_[core * perCoreFloats_ + begin], count);
        buffer.EndLoad();
    }

    // grad = gsw * weight, rounded to the main dtype.
    __aicore__ inline void WriteWeightGradient(const AscendC::GlobalTensor<T>& grad,
                                               const AscendC::GlobalTensor<T>& weight, uint32_t count)
    {
        CopyBuffer<T>& buffer = stream_[0];
        buffer.BeginLoad();
        CopyRowIn(buffer.Local(), weight, count);
        buffer.EndLoad();
        buffer.AwaitLoad();
        if constexpr (AscendC::IsSameType<T, float>::value) {
            AscendC::Mul(buffer.Local(), buffer.Local(), weightSum_, count);
        } else {
            Widen(scoreWeight_, buffer.Local(), count);
            AscendC::Mul(scoreWeight_, scoreWeight_, weightSum_, count);
            AscendC::Cast(buffer.Local(), scoreWeight_, AscendC::RoundMode::CAST_RINT, count);
        }
        buffer.BeginStore();
        CopyRowOut(grad, buffer.Local(), count);
        buffer.EndStore();
    }
};

}  // namespace BlockAttentionResidualsGradArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_BASE_H
