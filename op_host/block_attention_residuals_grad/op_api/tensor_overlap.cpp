// Overlap of strided views: byte ranges first, then the period that all strides have in common.

#include "op_host/block_attention_residuals_grad/op_api/tensor_overlap.h"

#include <algorithm>
#include <numeric>

#include "opdev/data_type_utils.h"

namespace op_api
{

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
    int64_t span = elementBytes;  // from the first to one past the last byte of the loops so far
    for (const MemoryView::Loop& loop : loops) {
        view.selfOverlap = view.selfOverlap || loop.stride < span;
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
    int64_t period = 0;
    for (const MemoryView* view : {&a, &b}) {
        for (const MemoryView::Loop& loop : view->loops) {
            period = std::gcd(period, loop.stride);
        }
    }
    if (period == 0) {  // two blocks, and their ranges meet
        return true;
    }
    // Any block of a begins `distance` bytes, give or take whole periods, after any block of b. They stay apart when
    // b's block ends before a's begins and a's ends before b's next.
    const int64_t distance = ((a.begin - b.begin) % period + period) % period;
    return distance < b.blockBytes || period - distance < a.blockBytes;
}

}  // namespace op_api
