// The vector functions between the sums over rows and their mix: inv_norm, scores and softmax, in two floats. A lane is
// a token of the batch and a register a value row, so that a token's results do not depend on how many others there
// are. …_row_functions.h has those on rows of the main dtype.

#ifndef BLOCK_ATTENTION_RESIDUALS_ARCH35_SCORE_FUNCTIONS_H
#define BLOCK_ATTENTION_RESIDUALS_ARCH35_SCORE_FUNCTIONS_H

#include "block_attention_residuals_row_functions.h"

namespace BlockAttentionResidualsArch35
{

using KernelCommonArch35::Fma;
using KernelCommonArch35::Renormalize;

constexpr float INFINITY_FLOAT = __builtin_inff();
// 1.5 * 2^9: sums of up to 129 values of at most 1 keep their exponent above it, see SumBias.
constexpr float SOFTMAX_BIAS = 768.0f;

// The lanes of the mask, 0 elsewhere: what lies beyond the tokens in UB is nobody's.
__simd_callee__ inline void LoadLanes(FloatReg& dst, __ubuf__ float* src, MaskReg& mask)
{
    LoadWidened<float, false>(dst, src, mask);
}

// low becomes 0 where high is infinite or NaN: the sum of both is then high.
__simd_callee__ inline void DropLowOfNonFinite(FloatReg& low, FloatReg& high, MaskReg& all)
{
    FloatReg size;
    FloatReg zero;
    MaskReg finite;
    AscendC::Reg::Abs(size, high, all);
    AscendC::Reg::Duplicate(zero, 0.0f);
    AscendC::Reg::Compares<float, AscendC::CMPMODE::LT>(finite, size, INFINITY_FLOAT, all);
    AscendC::Reg::Select(low, low, zero, finite);
}

// (mean, meanLow) = (squares, squaresLow) / H + eps. The quotient is the product with the rounded 1 / H, put right by
// what it leaves of the sum.
__simd_callee__ inline void MeanSquare(FloatReg& mean, FloatReg& meanLow, FloatReg& squares, FloatReg& squaresLow,
                                       float hidden, float inverseHidden, float eps, MaskReg& all)
{
    FloatReg quotient;
    FloatReg rest;
    FloatReg constant;
    AscendC::Reg::Muls(quotient, squares, inverseHidden, all);
    AscendC::Reg::Duplicate(constant, -hidden);
    Fma(rest, quotient, constant, squares, all);
    AscendC::Reg::Add(rest, rest, squaresLow, all);
    AscendC::Reg::Muls(rest, rest, inverseHidden, all);
    AscendC::Reg::Duplicate(constant, eps);
    TwoSum(mean, meanLow, quotient, constant, all);
    AscendC::Reg::Add(meanLow, meanLow, rest, all);
}

// (inverse, inverseLow) = 1 / sqrt(mean + meanLow): the quotient of instructions, then one step of Newton's method with
// 1 - mean * inverse^2 to its last bit. An infinite mean gives 0.
__simd_callee__ inline void InverseRoot(FloatReg& inverse, FloatReg& inverseLow, FloatReg& mean, FloatReg& meanLow,
                                        MaskReg& all)
{
    FloatReg one;
    FloatReg first;
    FloatReg negative;
    FloatReg product;
    FloatReg productLow;
    FloatReg error;
    AscendC::Reg::Duplicate(one, 1.0f);
    AscendC::Reg::Sqrt(first, mean, all);
    AscendC::Reg::Div(first, one, first, all);
    AscendC::Reg::Neg(negative, first, all);
    AscendC::Reg::Mul(product, mean, first, all);
    FmaSub(productLow, mean, first, product, all);
    AscendC::Reg::MulAddDst(productLow, meanLow, first, all);
    Fma(error, product, negative, one, all);
    AscendC::Reg::MulAddDst(error, productLow, negative, all);
    AscendC::Reg::Mul(error, error, first, all);
    AscendC::Reg::Muls(error, error, 0.5f, all);
    DropLowOfNonFinite(error, mean, all);
    AscendC::Reg::Add(inverse, first, error, all);
    AscendC::Reg::Sub(inverseLow, first, inverse, all);
    AscendC::Reg::Add(inverseLow, inverseLow, error, all);
}

// (score, scoreLow) = (inverse, inverseLow) * (dot, dotLow), with a low part so small that the exponential takes it as
// a factor 1 + scoreLow: that of the dot product is not.
__simd_callee__ inline void Score(FloatReg& score, FloatReg& scoreLow, FloatReg& inverse, FloatReg& inverseLow,
                                  FloatReg& dot, FloatReg& dotLow, MaskReg& all)
{
    AscendC::Reg::Mul(score, dot, inverse, all);
    FmaSub(scoreLow, dot, inverse, score, all);
    AscendC::Reg::MulAddDst(scoreLow, dotLow, inverse, all);
    AscendC::Reg::MulAddDst(scoreLow, dot, inverseLow, all);
    Renormalize(score, scoreLow, all);
    DropLowOfNonFinite(scoreLow, score, all);
}

// Where the sums over rows lie, which become: squares inv_norm, (dot, dotLow) the score.
struct ScoresPlace {
    __ubuf__ float* squares;
    __ubuf__ float* squaresLow;
    __ubuf__ float* dot;
    __ubuf__ float* dotLow;
};

// One register of scores; `score` is what dot becomes, -infinity beyond the mask.
__simd_callee__ inline void ScoreStep(FloatReg& score, const ScoresPlace& place, uint32_t at, float hidden,
                                      float inverseHidden, float eps, MaskReg& mask, MaskReg& all)
{
    FloatReg sum;
    FloatReg sumLow;
    FloatReg mean;
    FloatReg meanLow;
    FloatReg inverse;
    FloatReg inverseLow;
    FloatReg scoreLow;
    LoadLanes(sum, place.squares + at, mask);
    LoadLanes(sumLow, place.squaresLow + at, mask);
    MeanSquare(mean, meanLow, sum, sumLow, hidden, inverseHidden, eps, all);
    InverseRoot(inverse, inverseLow, mean, meanLow, all);
    LoadLanes(sum, place.dot + at, mask);
    LoadLanes(sumLow, place.dotLow + at, mask);
    Score(score, scoreLow, inverse, inverseLow, sum, sumLow, all);
    AscendC::Reg::StoreAlign(place.squares + at, inverse, mask);
    AscendC::Reg::StoreAlign(place.dot + at, score, mask);
    AscendC::Reg::StoreAlign(place.dotLow + at, scoreLow, mask);
    AscendC::Reg::Duplicate(sum, -INFINITY_FLOAT);
    AscendC::Reg::Select(score, score, sum, mask);
}

// The sums of a batch become inv_norm and scores, the first row of squaresLow the largest score of each token. Rows lie
// `pitch` floats apart.
__simd_vf__ inline void ScoresVf(__ubuf__ float* squares, __ubuf__ float* squaresLow, __ubuf__ float* dot,
                                 __ubuf__ float* dotLow, uint32_t pitch, float hidden, float inverseHidden, float eps,
                                 uint32_t tokens, uint16_t rows)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg mask = AscendC::Reg::UpdateMask<float>(tokens);
    const ScoresPlace place = {squares, squaresLow, dot, dotLow};
    FloatReg largest;
    AscendC::Reg::Duplicate(largest, -INFINITY_FLOAT);
    for (uint16_t i = 0; i < rows; ++i) {
        FloatReg score;
        ScoreStep(score, place, i * pitch, hidden, inverseHidden, eps, mask, all);
        AscendC::Reg::Max(largest, largest, score, all);
    }
    AscendC::Reg::StoreAlign(squaresLow, largest, mask);
}

// The same of one token, whose `rows` sums lie one after the other in `steps` registers.
__simd_vf__ inline void TokenScoresVf(__ubuf__ float* squares, __ubuf__ float* squaresLow, __ubuf__ float* dot,
                                      __ubuf__ float* dotLow, float hidden, float inverseHidden, float eps,
                                      uint32_t rows, uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    const ScoresPlace place = {squares, squaresLow, dot, dotLow};
    FloatReg largest;
    AscendC::Reg::Duplicate(largest, -INFINITY_FLOAT);
    for (uint16_t step = 0; step < steps; ++step) {
        MaskReg mask = AscendC::Reg::UpdateMask<float>(rows);
        FloatReg score;
        ScoreStep(score, place, step * LANES, hidden, inverseHidden, eps, mask, all);
        AscendC::Reg::Max(largest, largest, score, all);
    }
    AscendC::Reg::Reduce<AscendC::Reg::ReduceType::MAX>(largest, largest, all);
    // The low parts have been read, and the bias of the mix comes here next.
    AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(squaresLow, largest, all);
}

// One row's term of the softmax: (e, eLow) = exp((score, scoreLow) - largest).
__simd_callee__ inline void SoftmaxTerm(FloatReg& e, FloatReg& eLow, FloatReg& score, FloatReg& scoreLow,
                                        FloatReg& negativeLargest, MaskReg& all)
{
    FloatReg difference;
    FloatReg differenceLow;
    TwoSum(difference, differenceLow, score, negativeLargest, all);
    AscendC::Reg::Add(differenceLow, differenceLow, scoreLow, all);
    DropLowOfNonFinite(differenceLow, difference, all);
    AscendC::Reg::Exp(e, difference, all);
    AscendC::Reg::Mul(eLow, e, differenceLow, all);
}

// What the terms of a softmax are divided by: the sum of all, in two floats with the sign changed, and 1 over it.
struct Divisor {
    FloatReg negative;
    FloatReg negativeLow;
    FloatReg inverse;
};

// (prob, probLow) = (e, eLow) / the sum: the product with the rounded inverse, put right by what it leaves of e.
__simd_callee__ inline void Quotient(FloatReg& prob, FloatReg& probLow, FloatReg& e, FloatReg& eLow, Divisor& divisor,
                                     MaskReg& all)
{
    FloatReg first;
    FloatReg rest;
    AscendC::Reg::Mul(first, e, divisor.inverse, all);
    Fma(rest, first, divisor.negative, e, all);
    AscendC::Reg::Add(rest, rest, eLow, all);
    AscendC::Reg::MulAddDst(rest, first, divisor.negativeLow, all);
    AscendC::Reg::Mul(rest, rest, divisor.inverse, all);
    AscendC::Reg::Add(prob, first, rest, all);
    AscendC::Reg::Sub(probLow, first, prob, all);
    AscendC::Reg::Add(probLow, probLow, rest, all);
}

// The bias of a token's mix: shares add up to 1, so no element of the mix is larger than the largest of V, and that is
// at most sqrt(sum(V^2)) < sqrt(H) / inv_norm.
__simd_callee__ inline void MixBias(FloatReg& bias, FloatReg& smallestInvNorm, float hidden, MaskReg& all)
{
    FloatReg bound;
    AscendC::Reg::Duplicate(bound, hidden);
    AscendC::Reg::Sqrt(bound, bound, all);
    AscendC::Reg::Div(bound, bound, smallestInvNorm, all);
    SumBias(bias, bound, all);
}

// One register of the softmax's terms, which replace the scores.
__simd_callee__ inline void TermStep(FloatReg& e, FloatReg& eLow, __ubuf__ float* score, __ubuf__ float* scoreLow,
                                     FloatReg& negativeLargest, MaskReg& mask, MaskReg& all)
{
    FloatReg value;
    FloatReg valueLow;
    LoadLanes(value, score, mask);
    LoadLanes(valueLow, scoreLow, mask);
    SoftmaxTerm(e, eLow, value, valueLow, negativeLargest, all);
    AscendC::Reg::StoreAlign(score, e, mask);
    AscendC::Reg::StoreAlign(scoreLow, eLow, mask);
}

// (sum, sumLow) += (e, eLow): the part of e that the sum takes exactly, and what is left.
__simd_callee__ inline void AddTerm(FloatReg& sum, FloatReg& sumLow, FloatReg& e, FloatReg& eLow, FloatReg& bias,
                                    MaskReg& all)
{
    FloatReg part;
    FloatReg rest;
    AscendC::Reg::Add(part, e, bias, all);
    AscendC::Reg::Sub(part, part, bias, all);
    AscendC::Reg::Sub(rest, e, part, all);
    AscendC::Reg::Add(sum, sum, part, all);
    AscendC::Reg::Add(sumLow, sumLow, rest, all);
    AscendC::Reg::Add(sumLow, sumLow, eLow, all);
}

__simd_callee__ inline void MakeDivisor(Divisor& divisor, FloatReg& sum, FloatReg& sumLow, MaskReg& all)
{
    Renormalize(sum, sumLow, all);
    AscendC::Reg::Neg(divisor.negative, sum, all);
    AscendC::Reg::Neg(divisor.negativeLow, sumLow, all);
    AscendC::Reg::Duplicate(divisor.inverse, 1.0f);
    AscendC::Reg::Div(divisor.inverse, divisor.inverse, sum, all);
}

// One register of probs, which replace the terms.
__simd_callee__ inline void ProbStep(__ubuf__ float* term, __ubuf__ float* termLow, Divisor& divisor, MaskReg& mask,
                                     MaskReg& all)
{
    FloatReg e;
    FloatReg eLow;
    FloatReg prob;
    FloatReg probLow;
    LoadLanes(e, term, mask);
    LoadLanes(eLow, termLow, mask);
    Quotient(prob, probLow, e, eLow, divisor, all);
    AscendC::Reg::StoreAlign(term, prob, mask);
    AscendC::Reg::StoreAlign(termLow, probLow, mask);
}

// The next loop loads what the last one stored, and replaces it.
__simd_callee__ inline void OrderLoops()
{
    AscendC::Reg::LocalMemBar<AscendC::Reg::MemType::VEC_STORE, AscendC::Reg::MemType::VEC_LOAD>();
    AscendC::Reg::LocalMemBar<AscendC::Reg::MemType::VEC_STORE, AscendC::Reg::MemType::VEC_STORE>();
}

// (score, scoreLow) becomes (probs, probsLow): the softmax over the rows of a batch; `largest`, the largest scores,
// becomes the biases of the mixes.
__simd_vf__ inline void SoftmaxVf(__ubuf__ float* score, __ubuf__ float* scoreLow, __ubuf__ float* largest,
                                  __ubuf__ float* invNorm, uint32_t pitch, float hidden, uint32_t tokens, uint16_t rows)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    MaskReg mask = AscendC::Reg::UpdateMask<float>(tokens);
    FloatReg negativeLargest;
    FloatReg bias;
    FloatReg sum;
    FloatReg sumLow;
    FloatReg smallestInvNorm;
    AscendC::Reg::Duplicate(smallestInvNorm, INFINITY_FLOAT);
    LoadLanes(negativeLargest, largest, mask);
    AscendC::Reg::Neg(negativeLargest, negativeLargest, all);
    AscendC::Reg::Duplicate(bias, SOFTMAX_BIAS);
    AscendC::Reg::Duplicate(sum, 0.0f);
    AscendC::Reg::Duplicate(sumLow, 0.0f);
    for (uint16_t i = 0; i < rows; ++i) {
        FloatReg e;
        FloatReg eLow;
        LoadLanes(e, invNorm + i * pitch, mask);
        AscendC::Reg::Min(smallestInvNorm, smallestInvNorm, e, all);
        TermStep(e, eLow, score + i * pitch, scoreLow + i * pitch, negativeLargest, mask, all);
        AddTerm(sum, sumLow, e, eLow, bias, all);
    }
    MixBias(bias, smallestInvNorm, hidden, all);
    AscendC::Reg::StoreAlign(largest, bias, mask);
    Divisor divisor;
    MakeDivisor(divisor, sum, sumLow, all);
    OrderLoops();
    for (uint16_t i = 0; i < rows; ++i) {
        ProbStep(score + i * pitch, scoreLow + i * pitch, divisor, mask, all);
    }
}

// The same of one token, whose `rows` scores lie one after the other in `steps` registers. Their sum goes row by row,
// every lane alike: its low part depends on the order.
__simd_vf__ inline void TokenSoftmaxVf(__ubuf__ float* score, __ubuf__ float* scoreLow, __ubuf__ float* largest,
                                       __ubuf__ float* invNorm, float hidden, uint32_t rows, uint32_t rowsAgain,
                                       uint16_t steps)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    FloatReg negativeLargest;
    FloatReg smallestInvNorm;
    FloatReg infinity;
    AscendC::Reg::Duplicate(infinity, INFINITY_FLOAT);
    AscendC::Reg::Move(smallestInvNorm, infinity);
    LoadBroadcast(negativeLargest, largest);
    AscendC::Reg::Neg(negativeLargest, negativeLargest, all);
    const uint16_t count = static_cast<uint16_t>(rows);
    for (uint16_t step = 0; step < steps; ++step) {
        MaskReg mask = AscendC::Reg::UpdateMask<float>(rows);
        const uint32_t at = step * LANES;
        FloatReg e;
        FloatReg eLow;
        LoadLanes(e, invNorm + at, mask);
        AscendC::Reg::Select(e, e, infinity, mask);
        AscendC::Reg::Min(smallestInvNorm, smallestInvNorm, e, all);
        TermStep(e, eLow, score + at, scoreLow + at, negativeLargest, mask, all);
    }
    OrderLoops();
    FloatReg bias;
    FloatReg sum;
    FloatReg sumLow;
    AscendC::Reg::Duplicate(bias, SOFTMAX_BIAS);
    AscendC::Reg::Duplicate(sum, 0.0f);
    AscendC::Reg::Duplicate(sumLow, 0.0f);
    for (uint16_t i = 0; i < count; ++i) {
        FloatReg e;
        FloatReg eLow;
        LoadBroadcast(e, score + i);
        LoadBroadcast(eLow, scoreLow + i);
        AddTerm(sum, sumLow, e, eLow, bias, all);
    }
    AscendC::Reg::Reduce<AscendC::Reg::ReduceType::MIN>(smallestInvNorm, smallestInvNorm, all);
    MixBias(bias, smallestInvNorm, hidden, all);
    AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(largest, bias, all);
    Divisor divisor;
    MakeDivisor(divisor, sum, sumLow, all);
    for (uint16_t step = 0; step < steps; ++step) {
        MaskReg mask = AscendC::Reg::UpdateMask<float>(rowsAgain);
        ProbStep(score + step * LANES, scoreLow + step * LANES, divisor, mask, all);
    }
}

// From row by row to token by token: dst[t * rows + i] = src[i * pitch + t], for two arrays.
__simd_vf__ inline void ByTokensVf(__ubuf__ float* invNorm, __ubuf__ float* probs, __ubuf__ float* invNormRows,
                                   __ubuf__ float* probsRows, uint32_t pitch, uint16_t tokens, uint16_t rows)
{
    MaskReg all = AscendC::Reg::CreateMask<float, AscendC::Reg::MaskPattern::ALL>();
    for (uint16_t t = 0; t < tokens; ++t) {
        for (uint16_t i = 0; i < rows; ++i) {
            FloatReg value;
            LoadBroadcast(value, invNormRows + i * pitch + t);
            AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(invNorm + t * rows + i,
                                                                                             value, all);
            LoadBroadcast(value, probsRows + i * pitch + t);
            AscendC::Reg::StoreAlign<float, AscendC::Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(probs + t * rows + i,
                                                                                             value, all);
        }
    }
}

}  // namespace BlockAttentionResidualsArch35

#endif  // BLOCK_ATTENTION_RESIDUALS_ARCH35_SCORE_FUNCTIONS_H
