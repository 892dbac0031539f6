// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/crystal_medium.h"

#include <algorithm>
#include <limits>

#include "recon/base/error.h"

namespace tof {

namespace {

constexpr std::int32_t kAzimuthBins = 1024;
constexpr Real kZStep_mm = 16;

CrystalModule moduleOf(const DetectorModule& from, const std::array<int, 2>& block) {
    CrystalModule module;
    module.centre = from.centre;
    module.transaxial = from.axes[0];
    module.axial = from.axes[1];
    module.outward = from.axes[2];
    for (std::size_t k = 0; k < 3; ++k) {
        module.crystal[k] = static_cast<Real>(from.crystal[k]);
    }
    for (std::size_t k = 0; k < 2; ++k) {
        module.count[k] = from.count[k];
        module.pitch[k] = static_cast<Real>(from.pitch[k]);
        module.perPitch[k] = 1 / module.pitch[k];
        module.low[k] = static_cast<Real>(-0.5 * from.count[k] * from.pitch[k]);
        module.block[k] = block[k] > 0 ? std::min(block[k], from.count[k]) : from.count[k];
        module.perBlock[k] = 1 / static_cast<Real>(module.block[k]);
    }
    module.blocksAcross = (module.count[0] + module.block[0] - 1) / module.block[0];
    return module;
}

std::array<Real3, 8> corners(const CrystalModule& module) {
    std::array<Real3, 8> result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
        const Real t = ((i & 1U) != 0 ? Real{-1} : Real{1}) * module.low[0];
        const Real a = ((i & 2U) != 0 ? Real{-1} : Real{1}) * module.low[1];
        const Real depth = (i & 4U) != 0 ? module.crystal[2] : Real{0};
        result[i] = module.centre + t * module.transaxial + a * module.axial + depth * module.outward;
    }
    return result;
}

}  // namespace

CrystalMedium::CrystalMedium(const Scanner& scanner, const Detector& detector) {
    if (!scanner.detection) {
        throw WrongUse("scanner '{}' does not say how it detects; add 'detection'", scanner.name);
    }
    for (const DetectorModule& from : detector.modules()) {
        CrystalModule module = moduleOf(from, scanner.detection->block);
        module.firstId = static_cast<std::uint32_t>(ids_.size());
        module.firstGroup = groups_;
        groups_ = module.group(module.count[0] - 1, module.count[1] - 1) + 1;
        ids_.insert(ids_.end(), from.ids.begin(), from.ids.end());
        modules_.push_back(module);
    }
    material_ = crossSections(scanner.detection->material);
    view_.material = &material_;
    view_.modules = modules_.data();
    view_.ids = ids_.data();
    view_.inner = static_cast<Real>(detector.innerRadius());
    view_.outer = static_cast<Real>(detector.outerRadius());
    binModules(detector.modules());
}

void CrystalMedium::binModules(const std::vector<DetectorModule>& modules) {
    view_.zLow = std::numeric_limits<Real>::infinity();
    view_.zHigh = -view_.zLow;
    for (const CrystalModule& module : modules_) {
        for (const Real3& c : corners(module)) {
            view_.zLow = std::min(view_.zLow, c.z);
            view_.zHigh = std::max(view_.zHigh, c.z);
            view_.outer =
                std::max(view_.outer, std::hypot(c.x, c.y));  // half a gap around the outer crystals
        }
    }
    view_.azimuthBins = kAzimuthBins;
    view_.zBins = std::clamp(static_cast<std::int32_t>((view_.zHigh - view_.zLow) / kZStep_mm), 1, 512);
    view_.perZStep = static_cast<Real>(view_.zBins) / (view_.zHigh - view_.zLow);
    std::vector<std::vector<std::uint32_t>> bins(static_cast<std::size_t>(view_.azimuthBins * view_.zBins));
    for (std::uint32_t m = 0; m < modules.size(); ++m) {
        const Vec3 from = modules_[m].centre;
        const double middle = std::atan2(from.y, from.x);
        double low = 0;
        double high = 0;
        std::int32_t first = view_.azimuthBin(modules_[m].centre.x, modules_[m].centre.y);
        std::int32_t last = first;
        Real bottom = std::numeric_limits<Real>::infinity();
        Real top = -bottom;
        for (const Real3& c : corners(modules_[m])) {
            const Vec3 corner = c;
            const double offset = std::remainder(std::atan2(corner.y, corner.x) - middle, 2 * kPi);
            if (offset < low) {
                low = offset;
                first = view_.azimuthBin(c.x, c.y);
            }
            if (offset > high) {
                high = offset;
                last = view_.azimuthBin(c.x, c.y);
            }
            bottom = std::min(bottom, c.z);
            top = std::max(top, c.z);
        }
        const std::int32_t span = (last - first + kAzimuthBins) % kAzimuthBins;
        for (std::int32_t k = 0; k <= span; ++k) {
            for (std::int32_t z = view_.zBin(bottom); z <= view_.zBin(top); ++z) {
                bins[static_cast<std::size_t>((first + k) % kAzimuthBins * view_.zBins + z)].push_back(m);
            }
        }
    }
    binStart_.assign(1, 0);
    for (const auto& bin : bins) {
        binModules_.insert(binModules_.end(), bin.begin(), bin.end());
        binStart_.push_back(static_cast<std::uint32_t>(binModules_.size()));
    }
    view_.binStart = binStart_.data();
    view_.binModules = binModules_.data();
}

}  // namespace tof
