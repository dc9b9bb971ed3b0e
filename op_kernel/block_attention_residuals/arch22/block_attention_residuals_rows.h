// The arithmetic on rows: of each row V the sums of V^2 and of w * V, and the mix hidden = sum_i probs[i] * V[i].
// …_scores.h makes probs from the sums.

#ifndef BLOCK_ATTENTION_RESIDUALS_ARCH22_ROWS_H
#define BLOCK_ATTENTION_RESIDUALS_ARCH22_ROWS_H

#include "block_attention_residuals_scores.h"

namespace BlockAttentionResidualsArch22
{

template <typename T>
class RowsBase : public ScoresBase<T>
{
protected:
    using Base = ScoresBase<T>;
    using Base::dots_;
    using Base::groupDots_;
    using Base::groupSquares_;
    using Base::IS_FLOAT;
    using Base::mixBias_;
    using Base::probs_;
    using Base::scalars_;
    using Base::scoreWeight_;
    using Base::squares_;
    using Base::tensors_;
    using Base::work_;

    // The sums over `count` elements of row `index` of a token, the rows coming in their order; in squares_ and dots_
    // once the group's last row is there. With ADD to what is there. Every lane is the plain sum of a few products.
    template <bool ADD>
    __aicore__ inline void RowSums(const AscendC::LocalTensor<T>& row, uint32_t index, uint32_t count)
    {
        const FloatVector squares = work_[2];
        const FloatVector dots = work_[3];
        for (uint32_t begin = 0; begin < count; begin += work_.lanes) {
            const uint32_t size = this->ChunkElements(begin, count);
            const FloatVector value = Widened(row[begin], begin, size);
            if (begin == 0) {
                AscendC::Mul(squares, value, value, size);
                AscendC::Mul(dots, value, scoreWeight_, size);
            } else {
                AscendC::MulAddDst(squares, value, value, size);
                AscendC::MulAddDst(dots, value, scoreWeight_[begin], size);
            }
        }
        const uint32_t place = index % GROUP_ROWS;
        const uint32_t lanes = count < work_.lanes ? count : work_.lanes;
        Shorten(groupSquares_[place * VECTOR_LANES], squares, lanes);
        Shorten(groupDots_[place * VECTOR_LANES], dots, lanes);
        if (place + 1 == GROUP_ROWS || index + 1 == tensors_.rows) {
            const uint32_t repeatLanes = count < VECTOR_LANES ? count : VECTOR_LANES;
            FinishGroup<ADD>(squares_, groupSquares_, groupSquares_, index - place, place + 1, repeatLanes);
            AscendC::Abs(work_[0], groupDots_, (place + 1) * VECTOR_LANES);
            FinishGroup<ADD>(dots_, groupDots_, work_[0], index - place, place + 1, repeatLanes);
        }
    }

    // Elements of row `index` to the mix: the first row begins it. Uses work_[0] and work_[1].
    __aicore__ inline void MixChunk(const TwoFloatVector& mix, const AscendC::LocalTensor<T>& elements, uint32_t index,
                                    uint32_t count)
    {
        if constexpr (IS_FLOAT) {
            if (tensors_.rows > 1) {
                MixExactly(mix, elements, index, count);
            } else {
                AscendC::Muls(mix.high, elements, probs_.GetValue(0), count);
            }
        } else {
            const FloatVector value = Widened(elements, index * work_.lanes, count);
            if (index == 0) {
                AscendC::Muls(mix.high, value, probs_.GetValue(index), count);
            } else {
                AscendC::Axpy(mix.high, value, probs_.GetValue(index), count);
            }
        }
    }

    // dst = mix, rounded.
    __aicore__ inline void StoreMix(const AscendC::LocalTensor<T>& dst, const TwoFloatVector& mix, uint32_t count)
    {
        if constexpr (!IS_FLOAT) {
            AscendC::Cast(dst, mix.high, AscendC::RoundMode::CAST_RINT, count);
        } else if (tensors_.rows > 1) {
            AscendC::Add(dst, mix.high, mix.low, count);
        } else {
            AscendC::Muls(dst, mix.high, 1.0f, count);
        }
    }

private:
    static constexpr uint32_t CARRY_ROWS = 8;  // whose low parts are one plain sum

    // Successive chunks use two vectors in turn.
    __aicore__ inline FloatVector Widened(const AscendC::LocalTensor<T>& elements, uint32_t begin, uint32_t count)
    {
        return Base::Widened(elements, work_[begin / work_.lanes % 2], count);
    }

    // dst[0..64) = src[0..count) added up, pairwise. Destroys src.
    __aicore__ inline void Shorten(const FloatVector& dst, const FloatVector& src, uint32_t count)
    {
        while (count > 2 * VECTOR_LANES) {
            const uint32_t half = AlignUp(CeilDiv(count, 2), VECTOR_LANES);
            AscendC::Add(src, src, src[half], count - half);
            count = half;
        }
        if (count == 2 * VECTOR_LANES) {
            AscendC::Add(dst, src, src[VECTOR_LANES], VECTOR_LANES);
            return;
        }
        if (count > VECTOR_LANES) {
            AscendC::Add(src, src, src[VECTOR_LANES], count - VECTOR_LANES);
            count = VECTOR_LANES;
        }
        AscendC::Muls(dst, src, 1.0f, count);
    }

    // The lanes of a group's rows, added up. What of each is a multiple of one unit per row is summed without error, as
    // in SumLanes; `sizes` are the lanes without their signs. Destroys lanes; uses work_[1].
    template <bool ADD>
    __aicore__ inline void FinishGroup(const TwoFloatVector& sums, const FloatVector& lanes, const FloatVector& sizes,
                                       uint32_t first, uint32_t rows, uint32_t repeatLanes)
    {
        const int32_t mask = static_cast<int32_t>(repeatLanes);
        const int32_t repeats = static_cast<int32_t>(rows);
        const uint32_t count = rows * VECTOR_LANES;
        const FloatVector parts = work_[1];
        const FloatVector biases = scalars_[GROUP_BIASES];
        AscendC::WholeReduceSum(scalars_, sizes, mask, repeats, 1, 1, 8);
        AscendC::Muls(scalars_, scalars_, 2.0f, rows);
        KernelCommonArch22::UsableBiases(scalars_, rows);
        AscendC::Brcb(biases, scalars_, 1, {1, 8});
        // A row is one repeat, and its bias one block.
        const AscendC::BinaryRepeatParams perRow(1, 1, 0, 8, 8, 1);
        const uint64_t all = VECTOR_LANES;
        AscendC::Add(parts, lanes, biases, all, static_cast<uint8_t>(rows), perRow);
        AscendC::Sub(parts, parts, biases, all, static_cast<uint8_t>(rows), perRow);
        AscendC::Sub(lanes, lanes, parts, count);
        if constexpr (ADD) {
            const FloatVector high = scalars_[GROUP_SUMS];
            const FloatVector low = high[GROUP_ROWS];
            AscendC::WholeReduceSum(high, parts, mask, repeats, 1, 1, 8);
            AscendC::WholeReduceSum(low, lanes, mask, repeats, 1, 1, 8);
            TwoFloatVector total = {sums.high[first], sums.low[first]};
            FloatVector spare = parts;
            KernelCommonArch22::AddExact(total, high, spare, work_[0], rows);
            AscendC::Add(total.low, total.low, low, rows);
            AscendC::Muls(sums.high[first], total.high, 1.0f, rows);
        } else {
            AscendC::WholeReduceSum(sums.high[first], parts, mask, repeats, 1, 1, 8);
            AscendC::WholeReduceSum(sums.low[first], lanes, mask, repeats, 1, 1, 8);
        }
    }

    // The elements' multiples of one unit with the shares' upper halves, whose sums are exact (see MixBias), and what
    // is left of both.
    __aicore__ inline void MixExactly(const TwoFloatVector& mix, const FloatVector& value, uint32_t index,
                                      uint32_t count)
    {
        const FloatVector head = work_[0];
        const FloatVector tail = work_[1];
        const float share = squares_.high.GetValue(index);
        const float shareTail = squares_.low.GetValue(index);
        AscendC::Adds(head, value, mixBias_, count);
        AscendC::Adds(head, head, -mixBias_, count);
        AscendC::Sub(tail, value, head, count);
        if (index == 0) {
            AscendC::Muls(mix.high, head, share, count);
            AscendC::Muls(mix.low, tail, share, count);
        } else {
            AscendC::Axpy(mix.high, head, share, count);
            AscendC::Axpy(mix.low, tail, share, count);
        }
        AscendC::Axpy(mix.low, value, shareTail, count);
        if (index % CARRY_ROWS == CARRY_ROWS - 1 && index + 1 < tensors_.rows) {
            Carry(mix, count);
        }
    }

    // What of the low part is a multiple of the high part's unit goes there, so that the low part stays small, however
    // many rows there are.
    __aicore__ inline void Carry(const TwoFloatVector& mix, uint32_t count)
    {
        constexpr float PER_MIX_BIAS = 1.0f / (1 << SHARE_BITS);
        const FloatVector carry = work_[0];
        AscendC::Adds(carry, mix.low, mixBias_ * PER_MIX_BIAS, count);
        AscendC::Adds(carry, carry, -mixBias_ * PER_MIX_BIAS, count);
        AscendC::Add(mix.high, mix.high, carry, count);
        AscendC::Sub(mix.low, mix.low, carry, count);
    }
};

}  // namespace BlockAttentionResidualsArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_ARCH22_ROWS_H
