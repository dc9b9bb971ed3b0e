// Arithmetic in two float32 vectors: a value is high + low, |low| far below |high|, as if it had about 45 significant
// bits. The memory-based vector unit has no fused multiply-add, so products are made exact by splitting their factors.
//   splitting, product   T. J. Dekker, A floating-point technique for extending the available precision, 1971
//   sum                  D. E. Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B (TwoSum)
//   extraction           S. M. Rump, T. Ogita, S. Oishi, Accurate floating-point summation I, 2008
// Where an operand is not finite, or near the end of float32's range, a result may be NaN that plain arithmetic would
// make infinite; a finite result never becomes one that is not.
// The vector functions of all operators (NAME/arch22/) use them.

#ifndef OP_KERNEL_COMMON_ARCH22_TWO_FLOAT_H
#define OP_KERNEL_COMMON_ARCH22_TWO_FLOAT_H

#include "../copy_buffer.h"

namespace KernelCommonArch22
{

using KernelCommon::AlignUp;
using KernelCommon::CeilDiv;

using FloatVector = AscendC::LocalTensor<float>;

constexpr uint32_t VECTOR_LANES = 64;  // float32 lanes of one repeat (256 bytes)
constexpr uint32_t BLOCK_LANES = 8;    // and of one of its data blocks
constexpr uint32_t BLOCKS_PER_REPEAT = VECTOR_LANES / BLOCK_LANES;
// Of the 24 significant bits the head keeps 12 and the tail has the other 12: products of two of them are exact.
constexpr uint32_t HALF_BITS = 12;

struct TwoFloatVector {
    FloatVector high;
    FloatVector low;
};

// A factor and its two halves.
struct SplitVector {
    FloatVector value;
    FloatVector head;
    FloatVector tail;
};

struct SplitScalar {
    float value;
    float head;
    float tail;
};

// Equal stretches of one buffer, for intermediate values; and the mask of a head, of as many elements.
struct WorkSpace {
    __aicore__ inline FloatVector operator[](uint32_t index) const
    {
        return base[index * lanes];
    }

    FloatVector base;
    uint32_t lanes;
    FloatVector headMask;
};

__aicore__ inline void SetHeadMask(const FloatVector& mask, uint32_t count)
{
    AscendC::Duplicate(mask.ReinterpretCast<uint32_t>(), ~((1U << HALF_BITS) - 1), count);
}

// head = value without its last HALF_BITS. The vector unit masks 16 bits at a time.
__aicore__ inline void CutToHead(const FloatVector& head, const FloatVector& value, const FloatVector& headMask,
                                 uint32_t count)
{
    AscendC::And(head.ReinterpretCast<uint16_t>(), value.ReinterpretCast<uint16_t>(),
                 headMask.ReinterpretCast<uint16_t>(), 2 * count);
}

// head + tail = value, the last HALF_BITS going to the tail. Cutting bits off cannot overflow, unlike the
// multiplication by 2^HALF_BITS + 1 that is usual.
__aicore__ inline void Split(const FloatVector& head, const FloatVector& tail, const FloatVector& value,
                             const FloatVector& headMask, uint32_t count)
{
    CutToHead(head, value, headMask, count);
    AscendC::Sub(tail, value, head, count);
}

// The same on the scalar unit, of value + low; the tail takes low with it and is rounded to 24 bits.
template <uint32_t TAIL_BITS = HALF_BITS>
__aicore__ inline SplitScalar Split(float value, float low)
{
    constexpr uint32_t TAIL_MASK = (1U << TAIL_BITS) - 1;
    uint32_t bits = *reinterpret_cast<const uint32_t*>(&value) & ~TAIL_MASK;
    const float head = *reinterpret_cast<const float*>(&bits);
    return {value, head, (value - head) + low};
}

// Knuth's TwoSum: sum + error = a + b exactly. `errorOfB` ends as the part of the error that b lost, `errorOfA` as the
// other part. errorOfB may be b.
__aicore__ inline void TwoSum(const FloatVector& sum, const FloatVector& errorOfA, const FloatVector& errorOfB,
                              const FloatVector& a, const FloatVector& b, uint32_t count)
{
    AscendC::Add(sum, a, b, count);
    AscendC::Sub(errorOfA, sum, a, count);
    AscendC::Sub(errorOfB, b, errorOfA, count);
    AscendC::Sub(errorOfA, sum, errorOfA, count);
    AscendC::Sub(errorOfA, a, errorOfA, count);
}

// total += term, exactly but for the rounding of the low part. Destroys term; total.high and spare swap.
__aicore__ inline void AddExact(TwoFloatVector& total, const FloatVector& term, FloatVector& spare,
                                const FloatVector& work, uint32_t count)
{
    TwoSum(spare, work, term, total.high, term, count);
    AscendC::Add(total.low, total.low, term, count);
    AscendC::Add(total.low, total.low, work, count);
    const FloatVector sum = spare;
    spare = total.high;
    total.high = sum;
}

// total.low += the error of sum = total.high + term where |total.high| >= |term|. Destroys term and total.high.
__aicore__ inline void AddErrorOfSum(const FloatVector& sum, const TwoFloatVector& total, const FloatVector& term,
                                     uint32_t count)
{
    AscendC::Sub(total.high, sum, total.high, count);
    AscendC::Sub(term, term, total.high, count);
    AscendC::Add(total.low, total.low, term, count);
}

// The same as AddExact where |total.high| >= |term|, which a bias in total.high provides, by Dekker's shorter sum. The
// new high part is `sum`; destroys term and total.high.
__aicore__ inline void AddBiased(const FloatVector& sum, const TwoFloatVector& total, const FloatVector& term,
                                 uint32_t count)
{
    AscendC::Add(sum, total.high, term, count);
    AddErrorOfSum(sum, total, term, count);
}

// (high, low) of the same sum, |low| at most half a unit of high. Returns high in `sum`; destroys value.
__aicore__ inline TwoFloatVector Renormalize(const TwoFloatVector& value, const FloatVector& sum,
                                             const FloatVector& work, uint32_t count)
{
    TwoSum(sum, work, value.low, value.high, value.low, count);
    AscendC::Add(value.low, value.low, work, count);
    return {sum, value.low};
}

// product = a * b by Dekker's algorithm, the product with a.low being rounded. Uses work[0] and work[1].
__aicore__ inline void Multiply(const TwoFloatVector& product, const TwoFloatVector& a, const SplitVector& b,
                                const WorkSpace& work, uint32_t count)
{
    const FloatVector head = work[0];
    const FloatVector tail = work[1];
    Split(head, tail, a.high, work.headMask, count);
    AscendC::Mul(product.high, a.high, b.value, count);
    AscendC::Mul(product.low, head, b.head, count);
    AscendC::Sub(product.low, product.low, product.high, count);
    AscendC::MulAddDst(product.low, head, b.tail, count);
    AscendC::MulAddDst(product.low, tail, b.head, count);
    AscendC::MulAddDst(product.low, tail, b.tail, count);
    AscendC::MulAddDst(product.low, a.low, b.value, count);
}

// The same with a scalar b = value + low, value = head + tail. Uses work[0] and work[1].
__aicore__ inline void Multiply(const TwoFloatVector& product, const TwoFloatVector& a, const SplitScalar& b, float low,
                                const WorkSpace& work, uint32_t count)
{
    const FloatVector head = work[0];
    const FloatVector tail = work[1];
    Split(head, tail, a.high, work.headMask, count);
    AscendC::Muls(product.high, a.high, b.value, count);
    AscendC::Muls(product.low, head, b.head, count);
    AscendC::Sub(product.low, product.low, product.high, count);
    AscendC::Axpy(product.low, head, b.tail, count);
    AscendC::Axpy(product.low, tail, b.head, count);
    AscendC::Axpy(product.low, tail, b.tail, count);
    AscendC::Axpy(product.low, a.low, b.value, count);
    AscendC::Axpy(product.low, a.high, low, count);
}

// dst[0] = sum of src[0..count): pairwise over whole vectors, then the tree inside one repeat. Destroys src.
__aicore__ inline void PlainSum(const FloatVector& dst, const FloatVector& src, uint32_t count)
{
    while (count > VECTOR_LANES) {
        const uint32_t half = AlignUp(CeilDiv(count, 2), VECTOR_LANES);
        AscendC::Add(src, src, src[half], count - half);
        count = half;
    }
    AscendC::WholeReduceSum(dst, src, static_cast<int32_t>(count), 1, 1, 1, 8);
}

constexpr float LARGEST_BIAS = 5.0706024e30f;  // adding 2^102 to the largest float32 does not change it

// The magnitude of `bias`, or the largest one where that is not a number or too large: sums are then merely less exact.
__aicore__ inline float UsableBias(float bias)
{
    const float magnitude = bias < 0 ? -bias : bias;
    return magnitude < LARGEST_BIAS ? magnitude : LARGEST_BIAS;
}

// UsableBias of each value. As an integer a NaN is larger than every number.
__aicore__ inline void UsableBiases(const FloatVector& biases, uint32_t count)
{
    const float largest = LARGEST_BIAS;
    const AscendC::LocalTensor<int32_t> bits = biases.ReinterpretCast<int32_t>();
    AscendC::Abs(biases, biases, count);
    AscendC::Mins(bits, bits, *reinterpret_cast<const int32_t*>(&largest), count);
}

// sum.high[0] + sum.low[0] = sum of src over its lanes. What of each high part is a multiple of one unit is summed
// without error, the unit being so coarse that no sum of them exceeds 24 bits; the rest goes to the low parts. Destroys
// src; `work` holds a vector and `scalar` one float.
__aicore__ inline void SumLanes(const TwoFloatVector& sum, const TwoFloatVector& src, const FloatVector& work,
                                const FloatVector& scalar, uint32_t count)
{
    AscendC::Abs(work, src.high, count);
    PlainSum(scalar, work, count);
    const float unit = UsableBias(2 * scalar.GetValue(0));
    AscendC::Adds(work, src.high, unit, count);
    AscendC::Adds(work, work, -unit, count);
    AscendC::Sub(src.high, src.high, work, count);
    AscendC::Add(src.low, src.low, src.high, count);
    PlainSum(sum.high, work, count);
    PlainSum(sum.low, src.low, count);
}

// dst = value, rounded once. A 2-byte dtype is reached by way of float32, and where that lies in the middle between two
// of its values without being the exact sum, it is moved off the middle, towards the sum. Destroys value; uses work[0].
template <typename T>
__aicore__ inline void RoundOnce(const AscendC::LocalTensor<T>& dst, const TwoFloatVector& value, const WorkSpace& work,
                                 uint32_t count)
{
    if constexpr (AscendC::IsSameType<T, float>::value) {
        AscendC::Add(dst, value.high, value.low, count);
    } else {
        // Of float32's 32 bits those that T keeps are shifted out: in the middle, only the first of the others is set.
        constexpr uint32_t KEPT_BITS = AscendC::IsSameType<T, bfloat16_t>::value ? 16 : 19;
        // The sum is off by half a unit of float32 at most and is moved by up to 2^11: the middle is 2^12 or more away
        // from T's values.
        constexpr int32_t MOVE = 4096;
        constexpr int32_t OTHERS = INT32_MIN + MOVE;
        const FloatVector sum = work[0];
        AscendC::Add(sum, value.high, value.low, count);
        AscendC::Sub(value.high, sum, value.high, count);
        AscendC::Sub(value.high, value.high, value.low, count);  // what the sum is too large by
        const AscendC::LocalTensor<int32_t> move = value.low.ReinterpretCast<int32_t>();
        AscendC::ShiftLeft(value.low.ReinterpretCast<uint32_t>(), sum.ReinterpretCast<uint32_t>(), KEPT_BITS, count);
        AscendC::Mins(move, move, OTHERS, count);
        AscendC::Adds(move, move, -OTHERS, count);  // -MOVE in the middle, else 0
        AscendC::Cast(value.low, move, AscendC::RoundMode::CAST_NONE, count);
        AscendC::MulAddDst(sum, value.high, value.low, count);
        AscendC::Cast(dst, sum, AscendC::RoundMode::CAST_RINT, count);
    }
}

}  // namespace KernelCommonArch22

#endif  // OP_KERNEL_COMMON_ARCH22_TWO_FLOAT_H
