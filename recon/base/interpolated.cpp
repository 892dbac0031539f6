// SPDX-License-Identifier: Apache-2.0
#include "recon/base/interpolated.h"

#include <algorithm>
#include <cmath>

namespace tof {

double interpolated(const Volume& volume, Vec3 mm) {
    const Vec3 at = volume.lattice.continuousIndex(mm);
    const auto low = [](double v) { return static_cast<int>(std::floor(std::clamp(v, -1e6, 1e6))); };
    const int corner[3] = {low(at.x), low(at.y), low(at.z)};
    const double share[3] = {at.x - corner[0], at.y - corner[1], at.z - corner[2]};
    double sum = 0;
    for (int i = 0; i < 8; ++i) {
        const int step[3] = {i & 1, (i >> 1) & 1, i >> 2};
        double weight = 1;
        for (int axis = 0; axis < 3; ++axis) {
            weight *= step[axis] == 1 ? share[axis] : 1 - share[axis];
        }
        const int x = corner[0] + step[0];
        const int y = corner[1] + step[1];
        const int z = corner[2] + step[2];
        if (weight > 0 && volume.lattice.contains(x, y, z)) {
            sum += weight * static_cast<double>(volume.at(x, y, z));
        }
    }
    return sum;
}

}  // namespace tof
