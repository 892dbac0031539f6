// SPDX-License-Identifier: Apache-2.0
// Whatever the threads of a pool are: the same chunks, added in the same order.
#include <algorithm>
#include <vector>

#include "recon/base/parallel.h"

namespace tof {

double ThreadPool::sumRange(std::size_t n, std::size_t grain,
                            const std::function<double(std::size_t, std::size_t)>& body) const {
    const std::size_t step = std::max<std::size_t>(grain, 1);
    std::vector<double> partial((n + step - 1) / step, 0.0);
    forRange(n, step, [&](std::size_t begin, std::size_t end) { partial[begin / step] = body(begin, end); });
    double sum = 0;
    for (const double value : partial) {
        sum += value;
    }
    return sum;
}

}  // namespace tof
