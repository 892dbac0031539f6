// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/contour.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "recon/base/built_in.h"
#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/metrics/roi_place.h"

namespace tof {

const std::vector<ContourRule>& contourRules() {
    static const std::vector<ContourRule> rules{
        {"41", toTranslate("Word", "41 % of the maximum"),
         toTranslate("Word",
                     "Connected voxels around the cursor of at least 41 % of the largest value there"),
         LevelOf::Peak, 0.41},
        {"50", toTranslate("Word", "50 % of the maximum"),
         toTranslate("Word",
                     "Connected voxels around the cursor of at least 50 % of the largest value there"),
         LevelOf::Peak, 0.5},
        {"suv-2.5", toTranslate("Word", "SUV 2.5"),
         toTranslate("Word", "Connected voxels around the cursor with an SUV of at least 2.5"),
         LevelOf::Uptake, 2.5},
        {"suv-4", toTranslate("Word", "SUV 4"),
         toTranslate("Word", "Connected voxels around the cursor with an SUV of at least 4"), LevelOf::Uptake,
         4},
        {"percist", "PERCIST",
         toTranslate(
             "Word",
             "Connected voxels around the cursor above 1.5 times the mean and 2 SD of the ROI 'liver'"),
         LevelOf::Reference, 1.5, 2}};
    return rules;
}

const ContourRule& contourRule(const std::string& id) {
    const auto& rules = contourRules();
    const auto found =
        std::find_if(rules.begin(), rules.end(), [&](const auto& rule) { return rule.id == id; });
    if (found == rules.end()) {
        throw WrongUse("contour '{}' is unknown; there are {}", id,
                       fmt::join(namesOf(rules, &ContourRule::id), ", "));
    }
    return *found;
}

double contourLevel(const ContourRule& rule, const Volume& image, Vec3 around, double reach_mm,
                    const ContourFacts& facts) {
    if (rule.of == LevelOf::Peak) {
        return rule.factor * peakWithin(image, around, reach_mm).value;
    }
    if (rule.of == LevelOf::Uptake) {
        if (!(facts.suvPerUnit > 0)) {
            throw WrongUse("contour {}: body weight and dose are not known; give them first", rule.label);
        }
        return rule.factor / facts.suvPerUnit;
    }
    if (!facts.reference) {
        throw WrongUse(
            "contour {}: the level is that of the liver; draw a sphere of 30 mm there and call it 'liver'",
            rule.label);
    }
    const double level = rule.factor * facts.reference->mean + rule.sds * facts.reference->sd;
    if (!std::isfinite(level)) {
        throw WrongUse("contour {}: the ROI of the liver has no two voxels in the image; draw a larger one",
                       rule.label);
    }
    return level;
}

Roi contourRegion(const Volume& image, Vec3 around, double level, double reach_mm) {
    const PeakVoxel peak = peakWithin(image, around, reach_mm);
    if (peak.value < level) {
        throw BadInput(
            "the largest value within {:g} mm of ({:g}, {:g}, {:g}) mm is {:g}, below the level of {:g}; put "
            "the cursor nearer to what is to be found",
            reach_mm, around.x, around.y, around.z, peak.value, level);
    }
    return regionAbove(image, peak, around, level, reach_mm);
}

Roi brushed(const Roi& region, const Lattice& lattice, const BrushStroke& stroke) {
    if (region.shape != Roi::Shape::Region) {
        throw WrongUse("ROI '{}' is no region of voxels, which a brush changes", region.name);
    }
    std::vector<std::size_t> before;
    if (region.region != nullptr) {
        if (!(region.region->lattice == lattice) || norm(region.centre - region.region->home_mm) > 1e-6) {
            throw WrongUse("ROI '{}' lies on other voxels than the image; begin another region", region.name);
        }
        for (const auto& [first, count] : region.region->runs) {
            for (std::size_t i = first; i < first + count; ++i) {
                before.push_back(i);
            }
        }
    }
    const std::vector<std::size_t> touched = voxelsWithin(lattice, stroke.at, stroke.radius_mm);
    std::vector<std::size_t> after;
    if (stroke.use == BrushUse::Add) {
        std::set_union(before.begin(), before.end(), touched.begin(), touched.end(),
                       std::back_inserter(after));
    } else {
        std::set_difference(before.begin(), before.end(), touched.begin(), touched.end(),
                            std::back_inserter(after));
    }
    Roi out = region;
    out.region = after.empty() ? nullptr : RoiRegion::ofVoxels(lattice, after);
    out.centre = out.region != nullptr ? out.region->home_mm : stroke.at;
    return out;
}

}  // namespace tof
