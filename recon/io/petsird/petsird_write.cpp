// SPDX-License-Identifier: Apache-2.0
#include "recon/io/petsird/petsird_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/format/notes.h"
#include "recon/io/petsird/petsird_list.h"
#include "recon/io/petsird/petsird_model.h"
#include "recon/io/petsird/yardl_reader.h"
#include "recon/io/petsird/yardl_writer.h"
#include "recon/physics/materials.h"
#include "recon/scanner/scanner.h"

namespace tof {

namespace {

using nlohmann::json;

/// Bins of (t1 - t2), alike to both sides of 0: around multiples of `step_ps`, or between them.
struct WrittenBins {
    double step_ps = 1;
    bool between = false;
    std::vector<double> middles_ps{};  ///< middles of the bins from 0 on

    [[nodiscard]] std::uint64_t of(double dt_ps) const {
        const double side = std::floor(std::abs(dt_ps) / step_ps + (between ? 0.0 : 0.5));
        const std::size_t most = middles_ps.size() - 1;
        const std::size_t place = side < static_cast<double>(most) ? static_cast<std::size_t>(side) : most;
        const std::size_t first = between ? middles_ps.size() : most;  // bin of the smallest dt from 0 on
        return dt_ps < 0 ? first - place - (between ? 1 : 0) : first + place;
    }
    /// In float32, chosen one after the other so that the middle of each bin comes back to the bit.
    [[nodiscard]] json edges_mm() const {
        std::vector<float> side{between ? 0.0F : static_cast<float>(0.5 * step_ps * kMmPerPs)};
        for (std::size_t i = between ? 0 : 1; i < middles_ps.size(); ++i) {
            const double middle_mm = middles_ps[i] * kMmPerPs;
            side.push_back(static_cast<float>(2 * middle_mm - static_cast<double>(side.back())));
        }
        json edges = json::array();
        for (std::size_t i = side.size(); i-- > (between ? 1U : 0U);) {
            edges.push_back(-side[i]);
        }
        for (const float edge : side) {
            edges.push_back(edge);
        }
        return edges;
    }
};

/// |dt| in order, those that float32 millimetres do not tell apart once.
std::vector<double> sizesOf(const std::vector<float>& dt_ps) {
    std::vector<double> sizes(dt_ps.size());
    std::transform(dt_ps.begin(), dt_ps.end(), sizes.begin(),
                   [](float dt) { return std::abs(static_cast<double>(dt)); });
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end(), [](double a, double b) { return b - a < 1e-3; }),
                sizes.end());
    return sizes;
}

/// The bins that times were in already, where they have few values at even distances; else of 1 ps, or as
/// fine as a million of them allow.
WrittenBins writtenBins(const std::vector<float>& dt_ps) {
    constexpr std::size_t kMostValues = 4096;
    constexpr double kMostBins = 5e5;
    constexpr double kOff = 0.01;  // of a step
    const std::vector<double> sizes = sizesOf(dt_ps);
    const double most = sizes.empty() ? 0 : sizes.back();
    WrittenBins bins;
    bins.step_ps = std::max(1.0, most / kMostBins);
    const auto place = [&](double size) { return size / bins.step_ps - (bins.between ? 0.5 : 0.0); };
    bool known = sizes.size() > 1 && sizes.size() <= kMostValues;
    if (known) {
        double step = most;
        for (std::size_t i = 1; i < sizes.size(); ++i) {
            step = std::min(step, sizes[i] - sizes[i - 1]);
        }
        WrittenBins told;
        told.between = std::abs(sizes[0] / step - 0.5) < kOff;
        const double shift = told.between ? 0.5 : 0.0;
        told.step_ps = most / (std::round(most / step - shift) + shift);  // the largest says it best
        std::swap(bins, told);
        known = bins.step_ps >= told.step_ps && std::all_of(sizes.begin(), sizes.end(), [&](double size) {
                    return std::abs(place(size) - std::round(place(size))) < kOff;
                });
        bins = known ? bins : told;
    }
    const auto last = static_cast<std::size_t>(std::max(bins.between ? 0.0 : 1.0, std::round(place(most))));
    for (std::size_t i = 0; i <= last; ++i) {
        bins.middles_ps.push_back((static_cast<double>(i) + (bins.between ? 0.5 : 0.0)) * bins.step_ps);
    }
    for (std::size_t i = 0; known && i < sizes.size(); ++i) {
        bins.middles_ps[static_cast<std::size_t>(std::round(place(sizes[i])))] = sizes[i];
    }
    return bins;
}

/// The turn and shift that take a box from (0, -t/2, -a/2) on to where the crystal is.
json placeOf(const Crystal& crystal) {
    const Vec3 out = crystal.outward;
    const Vec3 near = std::abs(out.z) > 0.9 ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
    const Vec3 axial = normalized(near - dot(near, out) * out);
    const Vec3 across = cross(axial, out);
    const Vec3 at = crystal.front;
    return {{"matrix",
             {out.x, across.x, axial.x, at.x,  //
              out.y, across.y, axial.y, at.y,  //
              out.z, across.z, axial.z, at.z}}};
}

/// One module that holds every crystal.
json geometryOf(const Scanner& scanner) {
    json corners = json::array();
    for (const double x : {0.0, 1.0}) {
        for (const double y : {-0.5, 0.5}) {
            for (const double z : {-0.5, 0.5}) {
                corners.push_back({{"c",
                                    {x * scanner.crystalSize_mm[2], y * scanner.crystalSize_mm[0],
                                     z * scanner.crystalSize_mm[1]}}});
            }
        }
    }
    json places = json::array();
    for (const Crystal& crystal : scanner.crystals) {
        places.push_back(placeOf(crystal));
    }
    const json still = {{"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}};
    const json elements = {{"object", {{"shape", {{"corners", corners}}}, {"materialId", 0}}},
                           {"transforms", std::move(places)}};
    return {{"replicatedModules",
             json::array({{{"object", {{"detectingElements", elements}}}, {"transforms", {still}}}})}};
}

json headerOf(const Scanner& scanner, const json& edges_mm) {
    double far = 0;
    for (const Crystal& crystal : scanner.crystals) {
        far = std::max(far, norm(crystal.front));
    }
    const Detection detection = scanner.detection.value_or(Detection());
    const auto once = [](json item) { return json::array({json::array({std::move(item)})}); };
    const json whole = {-far, far};  // no light takes longer between two crystals
    return {
        {"scanner",
         {{"modelName", scanner.name},
          {"scannerGeometry", geometryOf(scanner)},
          {"bulkMaterials",
           json::array({{{"id", 0}, {"name", scanner.detection ? nameOf(detection.material) : "crystals"}}})},
          {"tofBinEdges", once({{"edges", edges_mm.empty() ? whole : edges_mm}})},
          {"tofResolution", once(edges_mm.empty() ? 2 * far : scanner.timing_fwhm_ps * kMmPerPs)},
          {"eventEnergyBinEdges",
           json::array({{{"edges", {detection.window_keV[0], detection.window_keV[1]}}}})},
          {"energyResolutionAt511", {detection.resolution}},
          {"detectionEfficiencies", {{"calibrationFactor", 1}}}}}};
}

/// Numbers of events by their times; empty where they are in order.
std::vector<std::uint32_t> byTime(const EventList& list) {
    std::vector<std::uint32_t> order;
    if (!std::is_sorted(list.time_ms.begin(), list.time_ms.end())) {
        order.resize(list.size());
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return list.time_ms[a] < list.time_ms[b]; });
    }
    return order;
}

class ListWriter {
  public:
    ListWriter(YardlWriter& out, const EventList& list, const WrittenBins& bins, const Destination& to)
        : out_(out), list_(list), bins_(bins), to_(to), order_(byTime(list)) {
        const YardlSchema& schema = out.schema();
        union_ = schema.step("timeBlocks");
        block_ = schema.part(union_, "EventTimeBlock");
        event_ = schema.part(block_, "promptEvents");
        for (int depth = 0; depth < 3; ++depth) {
            event_ = schema.type(event_).parts.front();
        }
        const YardlType& type = schema.type(event_);
        for (std::size_t field = 0; field < type.parts.size(); ++field) {
            parts_.emplace_back(type.names[field] == "detectionBins" ? Part::Bins
                                : type.names[field] == "tofIdx"      ? Part::Time
                                                                     : Part::Other,
                                type.parts[field]);
        }
    }

    /// Blocks begin at each new time, the first at 0, and last until the next one.
    void write() {
        const std::uint64_t end = static_cast<std::uint64_t>(std::llround(1e3 * list_.duration_s));
        std::uint64_t start = 0;
        for (std::size_t first = 0; first < list_.size() || first == 0;) {
            std::size_t next = first;
            while (next < list_.size() && time(next) == start) {
                ++next;
            }
            const std::uint64_t stop = next < list_.size() ? time(next) : std::max(end, start + 1);
            block(first, next, start, stop);
            start = stop;
            first = next;
            if (next == list_.size()) {
                break;
            }
        }
        out_.number(0);
    }

  private:
    enum class Part { Bins, Time, Other };
    static constexpr std::size_t kEventsAtATime = 65536;  ///< between two questions

    [[nodiscard]] std::size_t event(std::size_t place) const {
        return order_.empty() ? place : order_[place];
    }
    [[nodiscard]] std::uint64_t time(std::size_t place) const {
        return list_.time_ms.empty() ? 0 : list_.time_ms[event(place)];
    }

    void block(std::size_t first, std::size_t last, std::uint64_t start, std::uint64_t stop) {
        const YardlSchema& schema = out_.schema();
        out_.number(1);
        const auto& names = schema.type(union_).names;
        out_.number(static_cast<std::uint64_t>(std::find(names.begin(), names.end(), "EventTimeBlock") -
                                               names.begin()));
        const YardlType& type = schema.type(block_);
        for (std::size_t field = 0; field < type.parts.size(); ++field) {
            if (type.names[field] == "promptEvents") {
                out_.number(1);
                out_.number(1);
                out_.number(last - first);
                for (std::size_t place = first; place < last; ++place) {
                    if (place % kEventsAtATime == 0) {
                        to_.ask();
                    }
                    coincidence(event(place));
                }
            } else {
                out_.value(type.parts[field], type.names[field] == "timeInterval"
                                                  ? json{{"start", start}, {"stop", stop}}
                                                  : json());
            }
        }
    }

    /// In a type of modules the higher bin comes first.
    void coincidence(std::size_t i) {
        const auto& pair = list_.crystals[i];
        const bool swap = pair[0] < pair[1];
        const double dt_ps = list_.dt_ps.empty() ? 0 : static_cast<double>(list_.dt_ps[i]);
        for (const auto& [part, type] : parts_) {
            if (part == Part::Bins) {
                out_.number(pair[swap ? 1 : 0]);
                out_.number(pair[swap ? 0 : 1]);
            } else if (part == Part::Time) {
                out_.number(list_.dt_ps.empty() ? 0 : bins_.of(swap ? -dt_ps : dt_ps));
            } else {
                out_.value(type, json());
            }
        }
    }

    YardlWriter& out_;
    const EventList& list_;
    const WrittenBins& bins_;
    const Destination& to_;
    std::vector<std::uint32_t> order_;
    std::size_t union_ = 0;
    std::size_t block_ = 0;
    std::size_t event_ = 0;
    std::vector<std::pair<Part, std::size_t>> parts_;  ///< fields of a coincidence, with their types
};

std::string remark(const EventList& list, const Scanner& scanner, const WrittenBins& bins) {
    std::string note;
    if (!list.dt_ps.empty()) {
        note = fmt::format("times of flight lie in bins of {:.4g} ps", bins.step_ps);
    }
    if (std::abs(scanner.meanDepth_mm - 0.5 * scanner.crystalSize_mm[2]) > 1e-3) {
        note = joinedNotes(
            note, fmt::format("PETSIRD knows no depth of interaction: who reads it takes the crystals' "
                              "middle, at {:.4g} mm, for {:.4g} mm",
                              0.5 * scanner.crystalSize_mm[2], scanner.meanDepth_mm));
    }
    if (!list.kind.empty() || !list.energy_keV.empty() || !list.mult.empty() || !list.add.empty()) {
        note = joinedNotes(note, "kinds, energies and factors of events have no place in it");
    }
    return note;
}

}  // namespace

std::string writePetsird(const Destination& to, const EventList& events, const std::string& model) {
    const std::string& path = to.path;
    if (events.scannerJson.empty()) {
        throw WrongUse("the list does not describe its scanner, which PETSIRD needs; add it first");
    }
    const std::shared_ptr<const Scanner> scanner = events.scannerJson.scanner("the list's scanner");
    std::string schema = kPetsirdModel;
    schema.erase(std::remove(schema.begin(), schema.end(), '\n'), schema.end());
    if (!model.empty()) {
        const YardlReader reader(model);
        requirePetsird(model, reader.schema());
        schema = reader.schema().text();
    }
    const WrittenBins bins = writtenBins(events.dt_ps);
    writeAside(path, [&](const std::string& temporary) {
        YardlWriter out(temporary, path, schema, model.empty() ? "PETSIRD" : model);
        out.value(out.schema().step("header"),
                  headerOf(*scanner, events.dt_ps.empty() ? json::array() : bins.edges_mm()));
        ListWriter(out, events, bins, to).write();
        out.flush();
    });
    const std::string note = remark(events, *scanner, bins);
    return note.empty() ? note : path + ": " + note;
}

}  // namespace tof
