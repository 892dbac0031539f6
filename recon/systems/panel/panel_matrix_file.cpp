// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/panel/panel_matrix_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "recon/base/user_folder.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/systems/panel/half_made_matrix.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

constexpr int kArithmetic = 1;  ///< to be raised when kernels of equal origin change

/// FNV-1a: names files, nothing more.
std::uint64_t digest(const std::string& text) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    }
    return hash;
}

[[noreturn]] void damaged(const std::string& path) {
    throw BadInput("{}: is a damaged system matrix; delete it, and it is made again", path);
}

/// Projectors check nothing.
void require(const std::string& path, const PanelMatrix& matrix) {
    if (matrix.offsets.back() != matrix.values.size()) {
        damaged(path);
    }
    for (std::size_t k = 0; k < matrix.kernels.size(); ++k) {
        const auto kernel = static_cast<int>(k);
        if (!isKernel(matrix.geometry, matrix.kernels[k], matrix.placesOf(kernel), matrix.valuesOf(kernel))) {
            damaged(path);
        }
    }
}

}  // namespace

std::string panelMatrixOrigin(const PanelGeometry& g, const PanelQuadrature& q) {
    const nlohmann::ordered_json origin{{"crystals", g.crystals},
                                        {"pitch_mm", g.pitch_mm},
                                        {"crystal_mm", g.crystal_mm},
                                        {"depth_mm", g.depth_mm},
                                        {"layers", g.layers},
                                        {"separation_mm", g.separation_mm},
                                        {"attenuation_per_mm", g.attenuation_per_mm},
                                        {"efficiency", g.efficiency},
                                        {"voxels_per_pitch", g.voxelsPerPitch},
                                        {"planes", g.planes},
                                        {"plane_spacing_mm", g.planeSpacing_mm},
                                        {"rays", q.rays},
                                        {"points", q.points},
                                        {"left_out", q.leftOut},
                                        {"arithmetic", kArithmetic}};
    return jsonText(origin);
}

std::string panelMatrixPath(const PanelGeometry& geometry, const PanelQuadrature& quadrature) {
    const std::string folder = userFolder(UserFolder::Cache);
    return folder.empty()
               ? folder
               : fmt::format("{}/panel-{:016x}.h5", folder, digest(panelMatrixOrigin(geometry, quadrature)));
}

void writePanelMatrix(const std::string& path, const PanelMatrix& matrix) {
    h5::writeFile(path, [&](h5::Writer& file) {
        file.write("/panel_matrix/places", {matrix.places.size()}, matrix.places.data());
        file.write("/panel_matrix/values", {matrix.values.size()}, matrix.values.data());
        std::vector<std::uint32_t> counts;
        for (std::size_t k = 0; k + 1 < matrix.offsets.size(); ++k) {
            counts.push_back(static_cast<std::uint32_t>(matrix.offsets[k + 1] - matrix.offsets[k]));
        }
        file.write("/panel_matrix/counts", {counts.size()}, counts.data());
        file.write("/panel_matrix/sums", {matrix.sums.size()}, matrix.sums.data());
        file.attribute("/panel_matrix", "origin", panelMatrixOrigin(matrix.geometry, matrix.quadrature));
    });
}

std::optional<PanelMatrix> readPanelMatrix(const std::string& path, const PanelGeometry& geometry,
                                           const PanelQuadrature& quadrature) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) {
        return std::nullopt;
    }
    const h5::Reader file(path);
    if (file.textAttribute("/panel_matrix", "origin") != panelMatrixOrigin(geometry, quadrature)) {
        return std::nullopt;
    }
    PanelMatrix matrix = panelMatrixPlan(geometry, quadrature);
    const std::uint64_t kernels = matrix.kernels.size();
    const h5::Shape entries = file.shape("/panel_matrix/values");
    if (entries.size() != 1) {
        damaged(path);
    }
    for (const std::uint32_t count : file.read<std::uint32_t>("/panel_matrix/counts", {kernels})) {
        matrix.offsets.push_back(matrix.offsets.back() + count);
    }
    matrix.sums = file.read<double>("/panel_matrix/sums", {kernels});
    matrix.places = file.read<std::uint32_t>("/panel_matrix/places", entries);
    matrix.values = file.read<float>("/panel_matrix/values", entries);
    require(path, matrix);
    return matrix;
}

namespace {

/// The matrix of the cache; nothing where there is none, or a damaged one: that is made again, and written
/// over.
std::optional<PanelMatrix> fromCache(const std::string& path, const PanelGeometry& geometry,
                                     const PanelQuadrature& quadrature) {
    try {
        return readPanelMatrix(path, geometry, quadrature);
    } catch (const BadInput&) {
        return std::nullopt;
    }
}

/// Keeps what is made in the half-made file, too.
class Keeping : public CollectedKernels {
  public:
    Keeping(const PanelMatrix& plan, HalfMadePanelMatrix& file, const std::function<void(double)>& progress)
        : CollectedKernels(plan, progress), file_(file) {
        for (auto& [kernel, entries] : file.take()) {
            put(kernel, std::move(entries));
        }
    }
    void done(int kernel, PanelEntries entries) override {
        file_.add(kernel, entries);
        CollectedKernels::done(kernel, std::move(entries));
    }

  private:
    HalfMadePanelMatrix& file_;
};

}  // namespace

PanelMatrix storedPanelMatrix(const PanelGeometry& geometry, const PanelQuadrature& quadrature,
                              const PanelKernelMaker& make, const std::function<void(double)>& progress) {
    const std::string path = panelMatrixPath(geometry, quadrature);
    if (path.empty()) {
        return buildPanelMatrix(geometry, quadrature, make, progress);
    }
    if (std::optional<PanelMatrix> known = fromCache(path, geometry, quadrature)) {
        return std::move(*known);
    }
    std::error_code ignored;
    fs::create_directories(fs::path(path).parent_path(), ignored);
    PanelMatrix plan = panelMatrixPlan(geometry, quadrature);
    HalfMadePanelMatrix halfMade(path + ".half", plan, panelMatrixOrigin(geometry, quadrature));
    Keeping keeping(plan, halfMade, progress);
    const std::vector<int> missing = keeping.missing();
    keeping.checkpoint();
    if (!missing.empty()) {
        make(plan, missing, keeping);
    }
    PanelMatrix made = assembled(std::move(plan), keeping.take());
    try {
        writePanelMatrix(path, made);
        halfMade.remove();
    } catch (const CannotWrite&) {
        // Put together again next time.
    }
    return made;
}

}  // namespace tof
