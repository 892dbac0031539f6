// SPDX-License-Identifier: Apache-2.0
#include "recon/prior/bowsher.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "recon/prior/prior.h"

namespace tof {

namespace {

struct Feature {
    const float* values;
    float scale;  ///< 1, or one over the standard deviation where there are several
};

std::vector<Feature> featuresOf(const std::vector<const Volume*>& anatomies) {
    if (anatomies.size() == 1) {
        return {{anatomies.front()->data.data(), 1.0F}};
    }
    std::vector<Feature> features;
    for (const auto& anatomy : anatomies) {
        double sum = 0;
        double squares = 0;
        for (const float value : anatomy->data) {
            sum += static_cast<double>(value);
            squares += static_cast<double>(value) * static_cast<double>(value);
        }
        const auto n = static_cast<double>(anatomy->data.size());
        const double variance = squares / n - sum / n * (sum / n);
        const bool alone = variance <= 0;
        features.push_back(
            {anatomy->data.data(), alone ? 1.0F : static_cast<float>(1 / std::sqrt(variance))});
    }
    return features;
}

}  // namespace

std::vector<float> bowsherChoice(const std::vector<const Volume*>& anatomies, int kept,
                                 const ThreadPool& pool) {
    struct Neighbour {
        float apart;   // in value
        float weight;  // larger where nearer
        int bit;
        [[nodiscard]] bool operator<(const Neighbour& other) const {
            return apart != other.apart     ? apart < other.apart
                   : weight != other.weight ? weight > other.weight
                                            : bit < other.bit;
        }
    };
    const Lattice& lattice = anatomies.front()->lattice;
    const std::vector<Feature> features = featuresOf(anatomies);
    const Neighbourhood around = neighbourhoodOf(lattice);
    std::vector<float> choice(lattice.voxels());
    const auto rows = static_cast<std::size_t>(lattice.size[1]) * static_cast<std::size_t>(lattice.size[2]);
    pool.forRange(rows, 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const int y = static_cast<int>(row) % lattice.size[1];
            const int z = static_cast<int>(row) / lattice.size[1];
            for (int x = 0; x < lattice.size[0]; ++x) {
                const std::size_t own = lattice.index(x, y, z);
                std::array<Neighbour, 26> all{};
                auto last = all.begin();
                for (int k = 0; k < 27; ++k) {
                    const VoxelIndex other{x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1};
                    if (k != 13 && lattice.contains(other)) {
                        const int kind =
                            (k % 3 != 1 ? 1 : 0) + (k / 3 % 3 != 1 ? 2 : 0) + (k / 9 != 1 ? 4 : 0);
                        float apart = 0;
                        for (const auto& [values, scale] : features) {
                            apart += scale * std::abs(values[lattice.index(other)] - values[own]);
                        }
                        *last++ = {apart, around.weights[kind], k};
                    }
                }
                const auto count = std::min<std::ptrdiff_t>(kept, last - all.begin());
                std::partial_sort(all.begin(), all.begin() + count, last);
                NeighbourBits bits = 0;
                std::for_each(all.begin(), all.begin() + count,
                              [&](const Neighbour& each) { bits |= NeighbourBits{1} << each.bit; });
                choice[own] = std::bit_cast<float>(bits);
            }
        }
    });
    return choice;
}

}  // namespace tof
