// SPDX-License-Identifier: Apache-2.0
#include "recon/io/castor/castor_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/data/data_hash.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/castor/castor_events.h"
#include "recon/io/castor/castor_scanner.h"

namespace tof {

std::optional<PanelGeometry> castorPanels(const Scanner& scanner) {
    return scanner.attenuation_per_mm > 0 ? PanelGeometry::of(scanner) : std::nullopt;
}

DataReadResult readCastorPanel(const CastorHeader& header, const Scanner& scanner,
                               const PanelGeometry& geometry) {
    const CastorLayout layout = castorLayout(header);
    if (layout.time) {
        header.fail("TOF information flag",
                    "is 1, and lines of two panels have no times; bin them --to lors");
    }
    if (layout.maxLines != 1) {
        header.fail("Maximum number of lines per event", "is above 1; give events of one crystal pair each");
    }
    const std::uint64_t present = castorEventsPresent(header, layout);
    constexpr std::uint64_t kArrays = 3;  // counts, mult, add
    requireMemory(castorDataFile(header), kArrays * sizeof(float) * geometry.lors());
    const double duration_s = castorDuration(header);
    const bool additive = layout.scatter || layout.randoms;

    PanelData data;
    data.geometry = geometry;
    data.lattice = geometry.lattice();
    data.scannerJson = scanner.toJson();
    data.counts.assign(geometry.lors(), 0.0F);
    data.mult.assign(geometry.lors(), 0.0F);
    data.add.assign(additive ? geometry.lors() : 0, 0.0F);
    const std::vector<std::size_t> starts = panelClassStarts(geometry);
    std::uint64_t negatives = 0;
    double negativeSum = 0;
    double kept = 0;
    forEachCastorEvent(header, layout, present, [&](const CastorEvent& event, std::uint64_t index) {
        requireCastorCrystals(header.path(), event, index, scanner.crystals.size());
        const std::optional<PanelLor> lor =
            event.pairs.empty() ? std::nullopt
                                : panelLor(geometry, event.pairs.front()[0], event.pairs.front()[1]);
        const float value = event.values.front();
        if (!lor || !std::isfinite(value)) {
            throw BadInput("{}: event {} {}; correct it", header.path(), index,
                           lor ? "has a count that is not finite" : "is no line between the two panels");
        }
        if (value < 0.0F) {
            ++negatives;
            negativeSum += static_cast<double>(value);
        }
        const std::size_t at = starts[static_cast<std::size_t>(lor->orientation().index(geometry))] +
                               static_cast<std::size_t>(lor->inClass(geometry));
        data.counts[at] += std::max(value, 0.0F);
        data.mult[at] = event.mult();
        if (additive) {
            data.add[at] += castorAdditive(header.path(), index,
                                           duration_s * (static_cast<double>(event.scatter.front()) +
                                                         static_cast<double>(event.randoms)));
        }
        kept += static_cast<double>(std::max(value, 0.0F));
    });
    const bool plain = std::all_of(data.mult.begin(), data.mult.end(), [](float m) { return m == 1.0F; });
    if (plain) {
        data.mult.clear();
    }
    data.kept = static_cast<std::uint64_t>(std::llround(kept));
    data.duration_s = header.number("Duration (s)", 0, 1e9);
    data.calibration = castorCalibration(header);
    data.hash = dataHash(data);
    return {std::move(data), negatives == 0 ? ""
                                            : fmt::format("{}: {} bins below zero, {:g} in all, became zero",
                                                          header.path(), negatives, negativeSum)};
}

}  // namespace tof
