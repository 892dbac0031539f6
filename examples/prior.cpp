// SPDX-License-Identifier: Apache-2.0
// A prior of one's own: d^2 / (d^2 + delta^2) of nearest neighbours (S. Geman and D. McClure, Bull. Int.
// Stat. Inst. 52 (1987) 5-21), one step late (P. J. Green, IEEE Trans. Med. Imaging 9 (1990) 84-93), on any
// engine: x <- x A^T(y / (A x + add)) / (s + beta dR/dx).
#include <algorithm>
#include <numeric>

#include "app/engines.h"
#include "program.h"
#include "recon/io/format_table.h"
#include "recon/operators/data_operator.h"
#include "recon/work/read_measurement.h"

namespace {

constexpr int kNeighbours[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

/// dR/dx of every voxel; `delta` has the image's units. On the command line it is in those of the uniform
/// image that runs start with, and beta in those of the largest sensitivity.
std::vector<float> slopes(const tof::Volume& x, float delta) {
    std::vector<float> out;
    x.lattice.forEachVoxel([&](int ix, int iy, int iz) {
        float sum = 0;
        for (const auto& [dx, dy, dz] : kNeighbours) {
            if (x.lattice.contains(ix + dx, iy + dy, iz + dz)) {
                const float d = x.data[out.size()] - x.data[x.lattice.index(ix + dx, iy + dy, iz + dz)];
                const float under = d * d + delta * delta;
                sum += 2 * d * delta * delta / (under * under);
            }
        }
        out.push_back(sum);
    });
    return out;
}

std::string reconstruct(const std::vector<std::string>& words) {
    const tof::EngineRegistry engines = tof::makeEngineRegistry();
    tof::DataOperator data(tof::readMeasurement(words[0]), {}, engines);
    std::vector<std::size_t> all(data.parts());
    std::iota(all.begin(), all.end(), 0);
    tof::Volume image(data.data().lattice());
    tof::Array x = data.space().allocate(image.data.size());
    tof::Array made = data.space().allocate(image.data.size());
    std::vector<float> seen(image.data.size());
    data.sensitivity(all, made.view());
    data.space().download(made.view(), seen);
    data.start(x.view());
    data.space().download(x.view(), image.data);
    const float delta = std::stof(words[3]) * *std::max_element(image.data.begin(), image.data.end());
    const float beta = std::stof(words[2]) * *std::max_element(seen.begin(), seen.end()) * delta;
    std::vector<float> gradient(seen.size());
    for (int iteration = 0; iteration < std::stoi(words[4]); ++iteration) {
        data.gradient(all, x.view(), made.view());  // A^T(y / (A x + add)) - s
        data.space().download(made.view(), gradient);
        const std::vector<float> slope = slopes(image, delta);
        for (std::size_t j = 0; j < seen.size(); ++j) {
            const float under = std::max(seen[j] + beta * slope[j], 0.1F * seen[j]);
            image.data[j] *= under > 0 ? (gradient[j] + seen[j]) / under : 0;
        }
        data.space().upload(image.data, x.view());
    }
    return tof::writeVolume(words[1], image) + words[4] + " iterations on " + data.engine();
}

}  // namespace

int main(int argc, char** argv) {
    return runProgram(argc, argv, 5, "prior DATA.h5 OUT.nii BETA DELTA ITERATIONS", reconstruct);
}
