// SPDX-License-Identifier: Apache-2.0
// What docs/measurements/panel.md tells of a run between two panels: pictures of the middle plane (PNG); of a
// Derenzo phantom valleys over peaks and profiles along z (CSV), too. usage: panel_figures RUN.h5 FOLDER
// [ITERATION...]     1, 4, 24 and the last one where none is given
//        panel_figures --compare RUN.h5 OTHER.h5        how far the last images lie apart, over the largest
//        value
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "recon/figure/png.h"
#include "recon/io/hdf5/run_io.h"
#include "tests/recon/projector_fixtures.h"
#include "tests/support/derenzo_figures.h"

namespace {

using namespace tof;
using nlohmann::ordered_json;

constexpr std::array<double, 2> kProfiles_mm{11.7, -2.7};  // the paper's
constexpr double kRods_mm = 6;                             // length of the rods that is looked at
constexpr int kZoom = 3;

bool hasRods(const std::string& phantom) {
    return phantom.find("derenzo") != std::string::npos;
}

ordered_json describe(const Volume& picture, const std::string& phantom) {
    ordered_json rods = ordered_json::array();
    if (!hasRods(phantom)) {
        return rods;
    }
    for (const RodFigures& f : rodFigures(picture, phantom)) {
        rods.push_back({{"diameter_mm", f.diameter_mm},
                        {"pairs", f.pairs},
                        {"peak", f.peak},
                        {"valley", f.valley},
                        {"valley_over_peak", f.valleyOverPeak()}});
    }
    return rods;
}

/// y across, z up, white nothing and black the brightest.
Pixels pixelsOf(const Volume& picture) {
    const float most = std::max(1e-30F, *std::max_element(picture.data.begin(), picture.data.end()));
    const auto [one, across, down] = picture.lattice.size;
    Pixels pixels(kZoom * across, kZoom * down);
    for (int y = 0; y < pixels.height; ++y) {
        for (int x = 0; x < pixels.width; ++x) {
            const float value = picture.at(0, x / kZoom, down - 1 - y / kZoom) / most;
            const auto grey = static_cast<std::uint8_t>(255.0F - 255.0F * std::max(value, 0.0F));
            pixels.set(x, y, {grey, grey, grey});
        }
    }
    return pixels;
}

void save(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    file.close();
    if (!file) {
        throw std::runtime_error(path.string() + ": cannot be written");
    }
}

void run(const std::string& path, const std::filesystem::path& folder, std::vector<int> wanted) {
    const RunSummary summary = readRunSummary(path);
    if (wanted.empty()) {
        wanted = {1, 4, 24, summary.savedImages.back()};
    }
    std::filesystem::create_directories(folder);
    const std::string name = hasRods(summary.phantom) ? "rods" : summary.phantom;
    ordered_json out{{"run", path}, {"phantom", summary.phantom}, {"iterations", ordered_json::array()}};
    std::string csv = "iteration,y_mm,z_mm,value\n";
    for (const int iteration : summary.savedImages) {
        if (std::find(wanted.begin(), wanted.end(), iteration) == wanted.end()) {
            continue;
        }
        const Volume picture = acrossRods(readIterate(path, iteration), kRods_mm);
        out["iterations"].push_back({{"iteration", iteration}, {"rods", describe(picture, summary.phantom)}});
        for (const double y : kProfiles_mm) {
            for (int z = 0; z < picture.lattice.size[2]; ++z) {
                const double at = picture.lattice.centre(0, 0, z).z;
                csv += fmt::format("{},{},{:.2f},{:g}\n", iteration, y, at, valueAt(picture, y, at));
            }
        }
        save(folder / fmt::format("{}-{:02d}.png", name, iteration), pngFile(pixelsOf(picture)));
    }
    if (hasRods(summary.phantom)) {
        save(folder / "profiles.csv", csv);
        save(folder / "figures.json", out.dump(2) + "\n");
    }
    std::printf("%s\n", out.dump(2).c_str());
}

void compare(const std::string& path, const std::string& otherPath) {
    const Volume one = readIterate(path, readRunSummary(path).savedImages.back());
    const Volume other = readIterate(otherPath, readRunSummary(otherPath).savedImages.back());
    if (one.data.size() != other.data.size()) {
        throw std::runtime_error("the images are not of one size");
    }
    std::printf("%.2e of the largest value apart at most\n",
                fixtures::relativeToMaximum(other.data, one.data));
}

}  // namespace

int main(int count, char** words) {
    if (count < 3) {
        std::fprintf(stderr, "usage: panel_figures RUN.h5 FOLDER [ITERATION...]\n");
        return 2;
    }
    try {
        if (std::string(words[1]) == "--compare" && count == 4) {
            compare(words[2], words[3]);
            return 0;
        }
        std::vector<int> iterations;
        for (int i = 3; i < count; ++i) {
            iterations.push_back(std::atoi(words[i]));
        }
        run(words[1], words[2], std::move(iterations));
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "panel_figures: %s\n", fault.what());
        return 1;
    }
    return 0;
}
