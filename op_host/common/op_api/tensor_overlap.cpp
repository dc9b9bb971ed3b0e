// Overlap of strided views: two bytes are the same when a sum of multiples of the strides hits the distance of the
// views, which is searched for.

#include "op_host/common/op_api/tensor_overlap.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "opdev/data_type_utils.h"

namespace op_api
{
namespace
{

// `step` taken 0 to `times` times.
struct Term {
    int64_t step;  // positive
    int64_t times;
};

// The sums that terms can form. Layouts that nest, as those of tensors do, leave one or two candidates for each term;
// for the others the search is limited, and says "may" at the limit.
class Sums
{
public:
    explicit Sums(std::vector<Term> terms) : terms_(std::move(terms))
    {
        std::sort(terms_.begin(), terms_.end(), [](const Term& a, const Term& b) { return a.step > b.step; });
        most_.assign(terms_.size() + 1, 0);
        divisor_.assign(terms_.size() + 1, 0);
        for (size_t i = terms_.size(); i-- > 0;) {
            most_[i] = most_[i + 1] + terms_[i].step * terms_[i].times;
            divisor_[i] = std::gcd(divisor_[i + 1], terms_[i].step);
        }
    }

    // False when no sum lies in low..high.
    bool MayHit(int64_t low, int64_t high)
    {
        left_ = MAX_CANDIDATES;
        return MayHit(0, low, high);
    }

private:
    static constexpr int MAX_CANDIDATES = 10000;

    // For the sums of the terms from `first` on.
    bool MayHit(size_t first, int64_t low, int64_t high)
    {
        if (high < 0 || low > most_[first]) {
            return false;
        }
        if (low <= 0 || high >= most_[first]) {  // nothing taken, or everything
            return true;
        }
        if (high / divisor_[first] * divisor_[first] < low) {
            return false;
        }
        const Term& term = terms_[first];
        const int64_t missing = std::max<int64_t>(low - most_[first + 1], 0);
        const int64_t last = std::min(term.times, high / term.step);
        for (int64_t taken = (missing + term.step - 1) / term.step; taken <= last; ++taken) {
            if (--left_ < 0 || MayHit(first + 1, low - taken * term.step, high - taken * term.step)) {
                return true;
            }
        }
        return false;
    }

    std::vector<Term> terms_;  // by falling step
    std::vector<int64_t> most_;
    std::vector<int64_t> divisor_;  // of every sum
    int left_ = 0;
};

// Whether two elements, each with an index of its own for every loop, may share bytes. The first loop in which their
// indices differ is gone through; the other element may be anywhere in the loops after it.
bool MayOverlapItself(const std::vector<MemoryView::Loop>& loops, int64_t elementBytes)
{
    for (size_t first = 0; first < loops.size(); ++first) {
        if (loops[first].stride == 0) {
            return true;
        }
    }
    for (size_t first = 0; first < loops.size(); ++first) {
        std::vector<Term> terms = {{loops[first].stride, loops[first].count - 2}};
        int64_t distance = -loops[first].stride;
        for (size_t i = first + 1; i < loops.size(); ++i) {
            terms.push_back({loops[i].stride, 2 * (loops[i].count - 1)});
            distance += loops[i].stride * (loops[i].count - 1);
        }
        if (Sums(std::move(terms)).MayHit(distance - elementBytes + 1, distance + elementBytes - 1)) {
            return true;
        }
    }
    return false;
}

}  // namespace

MemoryView DescribeMemory(const aclTensor* tensor)
{
    MemoryView view = {true, false, 0, 0, 0, {}};
    if (tensor->IsEmpty() || tensor->GetStorageAddr() == nullptr) {
        return view;
    }
    const int64_t elementBytes = static_cast<int64_t>(op::TypeSize(tensor->GetDataType()));
    const op::Shape shape = tensor->GetViewShape();
    const op::Strides strides = tensor->GetViewStrides();
    view.empty = false;
    view.begin = static_cast<int64_t>(reinterpret_cast<uintptr_t>(tensor->GetStorageAddr())) +
                 tensor->GetViewOffset() * elementBytes;
    view.blockBytes = elementBytes;
    std::vector<MemoryView::Loop> loops;
    for (size_t i = 0; i < shape.GetDimNum(); ++i) {
        if (shape.GetDim(i) == 1) {
            continue;
        }
        int64_t stride = strides[i] * elementBytes;
        if (stride < 0) {  // the same elements, counted from the other end
            view.begin += stride * (shape.GetDim(i) - 1);
            stride = -stride;
        }
        loops.push_back({shape.GetDim(i), stride});
    }
    std::sort(loops.begin(), loops.end(),
              [](const MemoryView::Loop& a, const MemoryView::Loop& b) { return a.stride < b.stride; });
    view.selfOverlap = MayOverlapItself(loops, elementBytes);
    int64_t span = elementBytes;  // from the first to one past the last byte of the loops so far
    for (const MemoryView::Loop& loop : loops) {
        const int64_t reach = loop.stride * (loop.count - 1);
        if (loop.stride <= view.blockBytes && view.loops.empty()) {
            view.blockBytes += reach;
        } else {
            view.loops.push_back(loop);
        }
        span += reach;
    }
    view.end = view.begin + span;
    return view;
}

bool MayOverlap(const MemoryView& a, const MemoryView& b)
{
    if (a.empty || b.empty || a.end <= b.begin || b.end <= a.begin) {
        return false;
    }
    // Steps from a's first block and from b's last, towards each other.
    std::vector<Term> terms;
    int64_t distance = b.begin - a.begin;
    for (const MemoryView::Loop& loop : a.loops) {
        terms.push_back({loop.stride, loop.count - 1});
    }
    for (const MemoryView::Loop& loop : b.loops) {
        terms.push_back({loop.stride, loop.count - 1});
        distance += loop.stride * (loop.count - 1);
    }
    return Sums(std::move(terms)).MayHit(distance - a.blockBytes + 1, distance + b.blockBytes - 1);
}

}  // namespace op_api
