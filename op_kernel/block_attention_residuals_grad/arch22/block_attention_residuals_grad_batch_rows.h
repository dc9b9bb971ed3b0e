// The arithmetic of …_rows.h on groups of rows of several tokens, where rows are so short that a work vector holds
// some: an instruction passes over a whole group where its operands allow that, over the rows of one token where it
// reads their grad_hidden, over one row where a factor is the row's own. Each row's arithmetic is that of …_rows.h,
// step by step: its gradient is the same bits either way.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_BATCH_ROWS_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_BATCH_ROWS_H

#include "block_attention_residuals_grad_weight_gradient.h"

namespace BlockAttentionResidualsGradArch22
{

// Successive tokens' rows that lie one after the other in UB: rows firstRow … firstRow + tokenRows - 1 of each.
template <typename T>
struct RowStretch {
    AscendC::LocalTensor<T> rows;
    uint32_t firstToken;  // of the batch
    uint32_t firstRow;
    uint32_t tokenRows;
    uint32_t count;  // tokens * tokenRows
};

// Some rows of a stretch, as many as a work vector holds or fewer, from row `begin` of it on.
template <typename T>
struct RowGroup {
    const RowStretch<T>& stretch;
    AscendC::LocalTensor<T> rows;
    uint32_t begin;
    uint32_t count;
};

template <typename T>
class BatchRowsBase : public WeightGradientBase<T>
{
protected:
    using Base = WeightGradientBase<T>;
    using Base::gradHidden_;
    using Base::IS_FLOAT;
    using Base::scalars_;
    using Base::scaledScores_;
    using Base::scoreWeight_;
    using Base::SHORT_FACTORS;
    using Base::tensors_;
    using Base::varianceScales_;
    using Base::weightSum_;
    using Base::work_;
    using typename Base::RowFactors;
    using Group = RowGroup<T>;
    using Stretch = RowStretch<T>;

    // `gradHidden`: a float32 row per token; with T float32 its heads, and `gradHiddenTail` its tails.
    __aicore__ inline void InitGroups(const FloatVector& gradHidden, const FloatVector& gradHiddenTail,
                                      uint32_t scorePitch)
    {
        rowLanes_ = AlignUp(tensors_.hidden, VECTOR_LANES);
        groupRows_ = BATCH_WORK_LANES / rowLanes_;
        scorePitch_ = scorePitch;
        gradHiddenRows_ = gradHidden;
        gradHiddenTails_ = gradHiddenTail;
    }

    __aicore__ inline uint32_t GroupLanes() const
    {
        return groupRows_ * rowLanes_;
    }

    // Repeats the first row of the score weight for all rows of a group.
    __aicore__ inline void RepeatScoreWeight()
    {
        for (uint32_t row = 1; row < groupRows_; ++row) {
            AscendC::Muls(scoreWeight_.head[row * rowLanes_], scoreWeight_.head, 1.0f, rowLanes_);
            AscendC::Muls(scoreWeight_.tail[row * rowLanes_], scoreWeight_.tail, 1.0f, rowLanes_);
        }
    }

    // The float32 rows of a batch's grad_hidden, and scalars_[t] = sum of the squares of token t's.
    __aicore__ inline void TakeGradHidden(const AscendC::LocalTensor<T>& rows, uint32_t tokens)
    {
        ForEachGroup({rows, 0, 0, 1, tokens}, [&](const Group& group) {
            const uint32_t count = group.count * rowLanes_;
            const FloatVector head = gradHiddenRows_[group.begin * rowLanes_];
            if constexpr (IS_FLOAT) {
                Split(head, gradHiddenTails_[group.begin * rowLanes_], group.rows, work_.headMask, count);
                AscendC::Mul(work_[0], group.rows, group.rows, count);
            } else {
                AscendC::Cast(head, group.rows, AscendC::RoundMode::CAST_NONE, count);
                AscendC::Mul(work_[0], head, head, count);
            }
            ShortenRows(work_[0], group.count);
            SumShortRows(scalars_[group.begin], 1, work_[0], group.count);
        });
    }

    // RowDots of the stretch's rows.
    __aicore__ inline void StretchDots(const Stretch& stretch)
    {
        ForEachGroup(stretch, [&](const Group& group) { GroupDots(group); });
    }

    // RowGradients of the stretch's rows; weightSum_ has a sum for each row of a group. weightSum_.high and gradHidden_
    // swap.
    __aicore__ inline void StretchGradients(const Stretch& stretch)
    {
        ForEachGroup(stretch, [&](const Group& group) {
            const uint32_t lanes = group.count * rowLanes_;
            if (lanes < GroupLanes() && (!SHORT_FACTORS || group.begin == 0)) {
                AscendC::Duplicate(work_[3][lanes], 0.0f, GroupLanes() - lanes);
            }
            if constexpr (SHORT_FACTORS) {
                ShortGroupGradients(group);
            } else {
                ExactGroupGradients(group);
            }
        });
        if constexpr (SHORT_FACTORS) {
            AddWeightTerms();
        }
    }

    // Adds up weightSum_'s sums of the rows of a group, in the first row.
    __aicore__ inline void FoldWeightSum()
    {
        this->ChangeWeightBias(0, GroupLanes());
        TwoFloatVector total = weightSum_;
        FloatVector spare = gradHidden_;
        for (uint32_t row = 1; row < groupRows_; ++row) {
            AddExact(total, weightSum_.high[row * rowLanes_], spare, work_[0], tensors_.hidden);
            AscendC::Add(total.low, total.low, weightSum_.low[row * rowLanes_], tensors_.hidden);
        }
        weightSum_.high = total.high;
        gradHidden_ = spare;
    }

private:
    static constexpr uint32_t MAX_GROUP_ROWS = BATCH_WORK_LANES / VECTOR_LANES;

    // ---- parts of a stretch ----------------------------------------------------------------------------------------

    // function(group) for the rows of the stretch, group by group.
    template <typename Function>
    __aicore__ inline void ForEachGroup(const Stretch& stretch, const Function& function)
    {
        for (uint32_t begin = 0; begin < stretch.count; begin += groupRows_) {
            const uint32_t left = stretch.count - begin;
            function(Group{stretch, stretch.rows[begin * rowLanes_], begin, left < groupRows_ ? left : groupRows_});
        }
    }

    // function(row of the group, rows, token, index of the row's score) for each token's rows in the group.
    template <typename Function>
    __aicore__ inline void ForEachToken(const Group& group, const Function& function) const
    {
        const Stretch& stretch = group.stretch;
        uint32_t token = group.begin / stretch.tokenRows;
        uint32_t row = group.begin % stretch.tokenRows;
        for (uint32_t at = 0; at < group.count;) {
            const uint32_t inToken = stretch.tokenRows - row;
            const uint32_t rows = group.count - at < inToken ? group.count - at : inToken;
            function(at, rows, stretch.firstToken + token, ScoreIndex(stretch, token) + row * scorePitch_);
            at += rows;
            ++token;
            row = 0;
        }
    }

    // function(row of the group, token, index of the row's score) for each row of the group.
    template <typename Function>
    __aicore__ inline void ForEachRow(const Group& group, const Function& function) const
    {
        ForEachToken(group, [&](uint32_t at, uint32_t rows, uint32_t token, uint32_t score) {
            for (uint32_t i = 0; i < rows; ++i) {
                function(at + i, token, score + i * scorePitch_);
            }
        });
    }

    // Index of the score of the stretch's first row of its token `token`.
    __aicore__ inline uint32_t ScoreIndex(const Stretch& stretch, uint32_t token) const
    {
        return stretch.firstRow * scorePitch_ + stretch.firstToken + token;
    }

    // ---- sums of rows: PlainSum of each ----------------------------------------------------------------------------

    // Adds up rows until the sums of their first 64 elements are those of all. Destroys the rest.
    __aicore__ inline void ShortenRows(const FloatVector& rows, uint32_t count) const
    {
        for (uint32_t length = tensors_.hidden; length > VECTOR_LANES;) {
            const uint32_t half = AlignUp(CeilDiv(length, 2), VECTOR_LANES);
            for (uint32_t row = 0; row < count; ++row) {
                const FloatVector first = rows[row * rowLanes_];
                AscendC::Add(first, first, first[half], length - half);
            }
            length = half;
        }
    }

    // sums[i * stride] = sum of the first elements, up to 64, of row i.
    __aicore__ inline void SumShortRows(const FloatVector& sums, uint32_t stride, const FloatVector& rows,
                                        uint32_t count) const
    {
        const uint32_t length = tensors_.hidden < VECTOR_LANES ? tensors_.hidden : VECTOR_LANES;
        AscendC::WholeReduceSum(sums, rows, static_cast<int32_t>(length), static_cast<int32_t>(count),
                                static_cast<int32_t>(stride), 1, static_cast<int32_t>(rowLanes_ / BLOCK_LANES));
    }

    // The sums of the group's rows go where their scores are. Destroys rows.
    __aicore__ inline void SumRows(const FloatVector& scores, const FloatVector& rows, const Group& group) const
    {
        ShortenRows(rows, group.count);
        if (group.stretch.tokenRows == 1) {
            SumShortRows(scores[ScoreIndex(group.stretch, group.begin)], 1, rows, group.count);
            return;
        }
        ForEachToken(group, [&](uint32_t at, uint32_t count, uint32_t, uint32_t score) {
            SumShortRows(scores[score], scorePitch_, rows[at * rowLanes_], count);
        });
    }

    // ---- g and d ---------------------------------------------------------------------------------------------------

    // Instruction, Mul or MulAddDst, with the rows of grad_hidden that go with the group's rows.
    template <typename Instruction>
    __aicore__ inline void WithGradHidden(const Group& group, const FloatVector& dst, const FloatVector& gradHidden,
                                          const FloatVector& value, const Instruction& instruction) const
    {
        if (group.stretch.tokenRows == 1) {
            const uint32_t token = group.stretch.firstToken + group.begin;
            instruction(dst, gradHidden[token * rowLanes_], value, static_cast<int32_t>(group.count * rowLanes_));
            return;
        }
        const AscendC::BinaryRepeatParams sameRow(1, 1, 1, BLOCKS_PER_REPEAT, 0, BLOCKS_PER_REPEAT);
        ForEachToken(group, [&](uint32_t at, uint32_t rows, uint32_t token, uint32_t) {
            const FloatVector row = gradHidden[token * rowLanes_];
            if (rowLanes_ == VECTOR_LANES) {
                instruction(dst[at * rowLanes_], row, value[at * rowLanes_], static_cast<uint64_t>(VECTOR_LANES),
                            static_cast<uint8_t>(rows), sameRow);
                return;
            }
            for (uint32_t i = at; i < at + rows; ++i) {
                instruction(dst[i * rowLanes_], row, value[i * rowLanes_], static_cast<int32_t>(rowLanes_));
            }
        });
    }

    // work_[2] = what of each term is a multiple of the unit that the row's bias stands for; the rest goes to `low`, or
    // stays in `terms` where that is `low`. factor * bias of a row is where its score will be.
    __aicore__ inline void Extract(const Group& group, const FloatVector& terms, const FloatVector& low,
                                   const FloatVector& biases, float factor, bool restIsLow) const
    {
        float bias[MAX_GROUP_ROWS];
        const uint32_t count = group.count * rowLanes_;
        ForEachRow(group, [&](uint32_t row, uint32_t, uint32_t score) {
            const uint32_t at = row * rowLanes_;
            bias[row] = UsableBias(factor * biases.GetValue(score));
            AscendC::Adds(work_[2][at], terms[at], bias[row], rowLanes_);
        });
        for (uint32_t row = 0; row < group.count; ++row) {
            const FloatVector sum = work_[2][row * rowLanes_];
            AscendC::Adds(sum, sum, -bias[row], rowLanes_);
        }
        AscendC::Sub(terms, terms, work_[2], count);
        if (!restIsLow) {
            AscendC::Add(low, low, terms, count);
        }
    }

    __aicore__ inline void SumExtracted(const TwoFloatVector& scores, const FloatVector& low, const Group& group) const
    {
        SumRows(scores.high, work_[2], group);
        SumRows(scores.low, low, group);
    }

    // Uses work_[0 … 9].
    __aicore__ inline void GroupDots(const Group& group)
    {
        const uint32_t count = group.count * rowLanes_;
        const FloatVector gLow = work_[0];
        const FloatVector dLow = work_[1];
        const FloatVector gTerm = work_[6];
        const FloatVector dTerm = work_[7];
        const auto multiply = [](const auto&... operands) { AscendC::Mul(operands...); };
        if constexpr (IS_FLOAT) {
            const auto multiplyAdd = [](const auto&... operands) { AscendC::MulAddDst(operands...); };
            const FloatVector head = work_[8];
            const FloatVector tail = work_[9];
            Split(head, tail, group.rows, work_.headMask, count);
            WithGradHidden(group, gLow, gradHiddenTails_, group.rows, multiply);
            WithGradHidden(group, gLow, gradHiddenRows_, tail, multiplyAdd);
            WithGradHidden(group, gTerm, gradHiddenRows_, head, multiply);
            AscendC::Mul(dLow, scoreWeight_.head, tail, count);
            AscendC::Mul(dTerm, scoreWeight_.head, head, count);
            AscendC::MulAddDst(dLow, scoreWeight_.tail, group.rows, count);
        } else {
            const FloatVector value = work_[8];
            AscendC::Cast(value, group.rows, AscendC::RoundMode::CAST_NONE, count);
            WithGradHidden(group, gTerm, gradHiddenRows_, value, multiply);
            AscendC::Mul(dTerm, scoreWeight_.head, value, count);
            AscendC::Mul(dLow, scoreWeight_.tail, value, count);
        }
        Extract(group, gTerm, gLow, scaledScores_.high, 1.0f, !IS_FLOAT);
        SumExtracted(scaledScores_, IS_FLOAT ? gLow : gTerm, group);
        if constexpr (SHORT_FACTORS) {
            AscendC::Abs(work_[3], dTerm, count);
            SumRows(varianceScales_.high, work_[3], group);
        }
        Extract(group, dTerm, dLow, varianceScales_.high, SHORT_FACTORS ? 2.0f : 1.0f, false);
        SumExtracted(varianceScales_, dLow, group);
    }

    // ---- gradients -------------------------------------------------------------------------------------------------

    // work_[3] to the weight gradient.
    __aicore__ inline void AddWeightTerms()
    {
        AddBiased(gradHidden_, weightSum_, work_[3], GroupLanes());
        const FloatVector sum = gradHidden_;
        gradHidden_ = weightSum_.high;
        weightSum_.high = sum;
    }

    // Uses work_[3 … 10].
    __aicore__ inline void ExactGroupGradients(const Group& group)
    {
        const uint32_t count = group.count * rowLanes_;
        SplitVector value;
        value.head = work_[9];
        value.tail = work_[10];
        if constexpr (IS_FLOAT) {
            Split(value.head, value.tail, group.rows, work_.headMask, count);
        } else {
            AscendC::Cast(value.head, group.rows, AscendC::RoundMode::CAST_NONE, count);
        }
        RowFactors factors[MAX_GROUP_ROWS];
        const FloatVector term = work_[8];
        const FloatVector work = work_[4];
        FloatVector spare = work_[5];
        TwoFloatVector gradient = {work_[6], work_[7]};
        ForEachRow(group, [&](uint32_t row, uint32_t token, uint32_t score) {
            factors[row] = this->FactorsOf(score);
            const uint32_t at = row * rowLanes_;
            RowWeightTerm(value, factors[row].score, at);
            AscendC::Muls(IS_FLOAT ? spare[at] : gradient.high[at], gradHiddenRows_[token * rowLanes_],
                          factors[row].prob.head, rowLanes_);
            if constexpr (IS_FLOAT) {
                AscendC::Muls(term[at], scoreWeight_.head, factors[row].score.head, rowLanes_);
            } else {
                AscendC::Muls(gradient.low[at], gradHiddenRows_[token * rowLanes_], factors[row].prob.tail, rowLanes_);
            }
        });
        AddWeightTerms();
        if constexpr (IS_FLOAT) {
            TwoSum(gradient.high, work, term, spare, term, count);
            AscendC::Add(gradient.low, term, work, count);
            for (uint32_t row = 0; row < group.count; ++row) {
                const uint32_t at = row * rowLanes_;
                AscendC::Muls(term[at], value.head[at], factors[row].scale.head, rowLanes_);
            }
            AddExact(gradient, term, spare, work, count);
        } else {
            for (uint32_t row = 0; row < group.count; ++row) {
                const uint32_t at = row * rowLanes_;
                AscendC::Axpy(gradient.high[at], scoreWeight_.head, factors[row].score.head, rowLanes_);
            }
            for (uint32_t row = 0; row < group.count; ++row) {
                const uint32_t at = row * rowLanes_;
                AscendC::Axpy(gradient.high[at], value.head[at], factors[row].scale.head, rowLanes_);
            }
        }
        AddLowTerms(gradient.low, value, group, factors);
        this->StoreGradient(group.rows, gradient, count);
        if constexpr (IS_FLOAT) {
            StoreOneProducts(group, factors);
        }
    }

    // A row's c*V, from lane `at` of the group on, to work_[3] and weightSum_.low.
    __aicore__ inline void RowWeightTerm(const SplitVector& value, const SplitScalar& score, uint32_t at)
    {
        AscendC::Muls(work_[3][at], value.head[at], score.head, rowLanes_);
        AscendC::Axpy(weightSum_.low[at], value.head[at], score.tail, rowLanes_);
        if constexpr (IS_FLOAT) {
            AscendC::Axpy(weightSum_.low[at], value.tail[at], score.value, rowLanes_);
        }
    }

    // What the products' halves leave, term by term, so that successive instructions do not wait for each other.
    __aicore__ inline void AddLowTerms(const FloatVector& low, const SplitVector& value, const Group& group,
                                       const RowFactors* factors)
    {
        if constexpr (IS_FLOAT) {
            ForEachRow(group, [&](uint32_t row, uint32_t token, uint32_t) {
                AscendC::Axpy(low[row * rowLanes_], gradHiddenRows_[token * rowLanes_], factors[row].prob.tail,
                              rowLanes_);
            });
        }
        for (uint32_t row = 0; row < group.count; ++row) {
            AscendC::Axpy(low[row * rowLanes_], scoreWeight_.head, factors[row].score.tail, rowLanes_);
        }
        for (uint32_t row = 0; row < group.count; ++row) {
            AscendC::Axpy(low[row * rowLanes_], scoreWeight_.tail, factors[row].score.value, rowLanes_);
        }
        for (uint32_t row = 0; row < group.count; ++row) {
            const uint32_t at = row * rowLanes_;
            AscendC::Axpy(low[at], value.head[at], factors[row].scale.tail, rowLanes_);
        }
        if constexpr (IS_FLOAT) {
            ForEachRow(group, [&](uint32_t row, uint32_t token, uint32_t) {
                AscendC::Axpy(low[row * rowLanes_], gradHiddenTails_[token * rowLanes_], factors[row].prob.value,
                              rowLanes_);
            });
            for (uint32_t row = 0; row < group.count; ++row) {
                const uint32_t at = row * rowLanes_;
                AscendC::Axpy(low[at], value.tail[at], factors[row].scale.value, rowLanes_);
            }
        }
    }

    // The gradients that are one product of float32, once more: head + tail is grad_hidden itself.
    __aicore__ inline void StoreOneProducts(const Group& group, const RowFactors* factors)
    {
        ForEachRow(group, [&](uint32_t row, uint32_t token, uint32_t) {
            if (this->IsOneProduct(factors[row])) {
                const AscendC::LocalTensor<T> gradient = group.rows[row * rowLanes_];
                AscendC::Add(gradient, gradHiddenRows_[token * rowLanes_], gradHiddenTails_[token * rowLanes_],
                             rowLanes_);
                AscendC::Muls(gradient, gradient, factors[row].prob.value, rowLanes_);
            }
        });
    }

    // With short factors. The rows' c*V are added up in work_[3] over the groups of a stretch. Uses work_[3 … 6] and
    // work_[10].
    __aicore__ inline void ShortGroupGradients(const Group& group)
    {
        const uint32_t count = group.count * rowLanes_;
        const FloatVector values = work_[10];
        const TwoFloatVector gradients = {work_[5], work_[6]};
        AscendC::Cast(values, group.rows, AscendC::RoundMode::CAST_NONE, count);
        ForEachRow(group, [&](uint32_t row, uint32_t token, uint32_t score) {
            const uint32_t at = row * rowLanes_;
            const RowFactors factors = this->FactorsOf(score);
            const FloatVector gradHidden = gradHiddenRows_[token * rowLanes_];
            const FloatVector value = values[at];
            const TwoFloatVector gradient = {gradients.high[at], gradients.low[at]};
            if (group.begin == 0) {
                AscendC::Muls(work_[3][at], value, factors.score.head, rowLanes_);
            } else {
                AscendC::Axpy(work_[3][at], value, factors.score.head, rowLanes_);
            }
            AscendC::Axpy(weightSum_.low[at], value, factors.score.tail, rowLanes_);
            AscendC::Muls(gradient.high, gradHidden, factors.prob.head, rowLanes_);
            AscendC::Axpy(gradient.high, scoreWeight_.head, factors.score.head, rowLanes_);
            AscendC::Axpy(gradient.high, value, factors.scale.head, rowLanes_);
            AscendC::Muls(gradient.low, gradHidden, factors.prob.tail, rowLanes_);
            AscendC::Axpy(gradient.low, scoreWeight_.head, factors.score.tail, rowLanes_);
            AscendC::Axpy(gradient.low, scoreWeight_.tail, factors.score.value, rowLanes_);
            AscendC::Axpy(gradient.low, value, factors.scale.tail, rowLanes_);
        });
        this->StoreGradient(group.rows, gradients, count);
    }

    uint32_t rowLanes_;   // distance of two rows: whole repeats
    uint32_t groupRows_;  // rows that a work vector holds
    uint32_t scorePitch_;
    FloatVector gradHiddenRows_;
    FloatVector gradHiddenTails_;
};

}  // namespace BlockAttentionResidualsGradArch22

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_ARCH22_BATCH_ROWS_H
