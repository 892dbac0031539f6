// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/stream_plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "recon/kernel/voxel_average.h"

namespace tof {

namespace {

constexpr int kMostDepth = 4;
/// Distances in units of exp(-d^2) that recurrence may cover from one exact value: single precision holds
/// exp(-9.3^2), and a weight that starts further out than that should not become one that matters.
double mostRun(double cutoff) {
    constexpr double kFloor = 9.3;
    constexpr double kAccurate = 6.5;  // rounding of the distance costs more the further out the run begins
    constexpr double kLeast = 5.3;     // what is lost by then is below 1e-7
    return std::clamp(kFloor - cutoff / std::sqrt(2.0), kLeast, kAccurate);
}

int floorDivide(int a, int b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// Rise of pixel i of an octet, 0 at its first.
int riseWithin(int climb, int i) {
    return (i * climb + kStreamOctet / 2) >> 3;
}

/// A range of whole numbers; empty to begin with.
struct Extent {
    int low = 1 << 20;
    int high = -(1 << 20);
    void include(int from, int to) {
        low = std::min(low, from);
        high = std::max(high, to);
    }
    [[nodiscard]] bool empty() const { return high < low; }
};

/// One octet of sources with a run of dz that lies within one word of the support.
struct Run {
    int line = 0;  ///< line of the stage
    int low = 0;   ///< first dz + reach
    int count = 0;
    int word = 0;
    bool whole = true;  ///< all dz of the octet within the word
};

class Planner {
  public:
    Planner(const KernelSpec& kernel, const Lattice& lattice, const KernelFrame& frame,
            const StreamLimits& limits)
        : kernel_(kernel), lattice_(lattice), frame_(frame), limits_(limits) {}

    [[nodiscard]] std::variant<StreamPlan, std::string> plan() {
        placeLines();
        placeGaussian();
        findColumns();
        findNeeds();
        placeBox();
        fillSupport();
        // Three stages hide the way to memory; fewer lines at once mean more of what stages cost each.
        for (const auto& [lines, depth] : {std::pair{16, 3}, {12, 3}, {8, 3}, {4, 3}, {8, 2}, {4, 2}}) {
            makeStages(lines);
            for (plan_.depth = kMostDepth; plan_.depth >= depth; --plan_.depth) {
                if (plan_.sharedBytes() <= limits_.sharedBytes) {
                    return std::move(plan_);
                }
            }
        }
        return std::string("its offsets and sources do not fit a block's shared memory");
    }

  private:
    void placeLines() {
        const Vec3& u = frame_.axes.u;
        const PlanLine line = planLine(u.x, u.y, lattice_.spacing_mm[0], lattice_.spacing_mm[1]);
        plan_.alongY = line.alongY;
        plan_.climb = static_cast<int>(std::floor(kStreamOctet * line.slope + 0.5));
        plan_.size = {lattice_.size[line.alongY ? 1 : 0], lattice_.size[line.alongY ? 0 : 1]};
        plan_.octets = (plan_.size[0] + kStreamOctet - 1) / kStreamOctet;
        plan_.planes = limits_.planes;
        plan_.groups = limits_.groups;
        Extent rises;
        for (int a = 0; a < plan_.size[0]; ++a) {
            rises.include(plan_.rise(a), plan_.rise(a));
        }
        plan_.firstLine = -rises.high;
        plan_.lines = plan_.size[1] + rises.high - rises.low;
    }

    /// The exponent -(T^2 / (2 sT^2) + A^2 / (2 sA^2)) along z: -curve (dz - centre)^2 and a constant.
    void placeGaussian() {
        const ViewAxes& axes = frame_.axes;
        const auto inverse = [](double sigma) { return 1 / (2 * sigma * sigma); };
        const double tof = inverse(kernel_.sigmaTof_mm());
        const double axial = inverse(kernel_.sigmaAxial_mm());
        const double curve = tof * axes.u.z * axes.u.z + axial * axes.a.z * axes.a.z;
        const auto& h = lattice_.spacing_mm;
        const auto slope = [&](double u, double a, double spacing) {
            return -(tof * axes.u.z * u + axial * axes.a.z * a) * spacing / (curve * h[2]);
        };
        const double x = slope(axes.u.x, axes.a.x, h[0]);
        const double y = slope(axes.u.y, axes.a.y, h[1]);
        plan_.gradient = plan_.alongY ? std::array<double, 2>{y, x} : std::array<double, 2>{x, y};
        const double perPlane = curve * h[2] * h[2];
        plan_.root = std::sqrt(perPlane / std::log(2.0));
        plan_.bend = std::exp(-2 * perPlane);
        mostSteps_ =
            std::clamp(static_cast<int>(mostRun(kernel_.cutoff) / std::sqrt(perPlane)), 1, kStreamWord);
    }

    /// The dz of every in-plane offset, which are an interval, and the tap nearest the Gaussian's centre.
    void findColumns() {
        int reach = 0;
        for (const KernelTap& tap : frame_.taps) {
            columns_[offsetOf(tap)].include(tap.z, tap.z);
            reach = std::max(reach, std::abs(static_cast<int>(tap.z)));
        }
        plan_.reach = reach;
        const bool flat = frame_.axes.u.z == 0 && reach < kStreamWord && plan_.planes > 2 * reach;
        const bool gaussian = kernel_.sampling == KernelSampling::Centre;
        plan_.form = flat ? StreamForm::Flat : gaussian ? StreamForm::Tilted : StreamForm::Table;
        if (plan_.form == StreamForm::Table) {
            mostSteps_ = kStreamWord;
        }
        for (int d = 0; flat && d <= reach; ++d) {
            plan_.gain[static_cast<std::size_t>(d)] = axialGain(kernel_, lattice_, d);
        }
        plan_.margin = flat ? 0 : reach;
        plan_.words = flat ? 1 : (2 * reach + kStreamWord) / kStreamWord;
    }

    [[nodiscard]] std::pair<int, int> offsetOf(const KernelTap& tap) const {
        return plan_.alongY ? std::pair<int, int>{tap.y, tap.x} : std::pair<int, int>{tap.x, tap.y};
    }
    [[nodiscard]] double centreOf(int a, int b) const {
        return plan_.gradient[0] * a + plan_.gradient[1] * b;
    }

    /// Which octets a group needs, with the dz of each.
    void findNeeds() {
        for (int i = 0; i < kStreamAlong; ++i) {
            for (const auto& [offset, dz] : columns_) {
                const int a = i + offset.first;
                const int line = plan_.rise(i) + offset.second - plan_.rise(a);
                for (int l = 0; l < kStreamLines; ++l) {
                    needs_[{floorDivide(a, kStreamOctet), line + l}].include(dz.low, dz.high);
                }
            }
        }
    }

    /// Makes the box hold every offset between a needed octet's pixels and the group's, and their mirror
    /// images.
    void placeBox() {
        Extent within;  // db - rise(da), less the line
        for (int source = 0; source < kStreamOctet; ++source) {
            for (int target = 0; target < kStreamAlong; ++target) {
                const int step = plan_.rise(source) - plan_.rise(target) - plan_.rise(source - target);
                within.include(step - (kStreamLines - 1), step);
            }
        }
        int halfA = 0;
        int halfB = 0;
        for (const auto& [place, dz] : needs_) {
            const int a = place.first * kStreamOctet;
            halfA = std::max({halfA, std::abs(a - (kStreamAlong - 1)), std::abs(a + kStreamOctet - 1)});
            halfB =
                std::max({halfB, std::abs(place.second + within.low), std::abs(place.second + within.high)});
        }
        plan_.pitch = 2 * halfA + 1;
        plan_.box = plan_.pitch * (2 * halfB + 1);
        plan_.centre = halfB * plan_.pitch + halfA;
    }

    [[nodiscard]] int placeOf(int a, int b) const {
        return plan_.centre + (b - plan_.rise(a)) * plan_.pitch + a;
    }

    void fillSupport() {
        plan_.support.assign(static_cast<std::size_t>(plan_.words) * static_cast<std::size_t>(plan_.box), 0);
        plan_.scale.assign(static_cast<std::size_t>(plan_.box), 0.0F);
        plan_.placeOf.assign(frame_.taps.size(), -1);
        std::map<std::pair<int, int>, int> nearest;
        for (const auto& [offset, dz] : columns_) {
            const double centre = centreOf(offset.first, offset.second);
            const int z = std::clamp(static_cast<int>(std::lround(centre)), dz.low, dz.high);
            nearest[offset] = z;
            const int place = placeOf(offset.first, offset.second);
            const double d = plan_.root * (z - centre);
            plan_.scale[static_cast<std::size_t>(place)] = static_cast<float>(std::exp2(d * d));
        }
        for (std::size_t t = 0; t < frame_.taps.size(); ++t) {
            const KernelTap& tap = frame_.taps[t];
            const auto offset = offsetOf(tap);
            const int place = placeOf(offset.first, offset.second);
            if (plan_.form == StreamForm::Table) {
                plan_.placeOf[t] = (tap.z + plan_.reach) * plan_.box + place;
            } else if (nearest[offset] == tap.z) {
                plan_.placeOf[t] = place;
            }
            const bool flat = plan_.form == StreamForm::Flat;
            if (flat && tap.z < 0) {
                continue;
            }
            const int k = flat ? tap.z : tap.z + plan_.reach;
            plan_.support[static_cast<std::size_t>(k / kStreamWord * plan_.box + place)] |=
                static_cast<std::uint16_t>(0x8000U >> static_cast<unsigned>(k % kStreamWord));
        }
    }

    /// Stages of at most `most` lines.
    void makeStages(int most) {
        plan_.stageLines = 0;
        plan_.stages.clear();
        plan_.entries.clear();
        plan_.steps = 0;
        plan_.pairs = 0;
        if (plan_.form != StreamForm::Flat) {
            addStages(most, -plan_.reach);
        } else {
            for (int d = 0; d <= plan_.reach; d += kStreamPass) {
                addStages(most, d);
            }
        }
        plan_.steps /= plan_.groups;
        plan_.pairs /= plan_.groups;
    }

    /// The stages of all octets that reach `from`, the first d of a pass of the flat form.
    void addStages(int most, int from) {
        pass_ = from;
        const int more = kStreamLines * (plan_.groups - 1);
        for (auto at = needs_.begin(); at != needs_.end();) {
            const int octet = at->first.first;
            Extent lines;
            for (; at != needs_.end() && at->first.first == octet; ++at) {
                if (at->second.high >= from) {
                    lines.include(at->first.second, at->first.second + more);
                }
            }
            const int all = lines.empty() ? 0 : lines.high - lines.low + 1;
            const int cuts = (all + most - 1) / most;
            for (int k = 0; k < cuts; ++k) {
                const int first = lines.low + all * k / cuts;
                addStage(octet, first, lines.low + all * (k + 1) / cuts - first);
            }
        }
    }

    void addStage(int octet, int line, int lines) {
        StreamStage stage;
        stage.octet = static_cast<std::int16_t>(octet);
        stage.line = static_cast<std::int16_t>(line);
        stage.lines = static_cast<std::int16_t>(lines);
        for (int g = 0; g <= kStreamGroups; ++g) {
            stage.begin[g] = static_cast<std::int32_t>(plan_.entries.size());
            if (g < plan_.groups) {
                pairUp(stage, g, runsOf(stage, g));
            }
        }
        plan_.stageLines = std::max(plan_.stageLines, lines);
        plan_.stages.push_back(stage);
    }

    /// The octets of a stage that group g needs, their dz cut into runs; the longest first.
    [[nodiscard]] std::vector<Run> runsOf(const StreamStage& stage, int g) const {
        std::vector<Run> runs;
        for (int i = 0; i < stage.lines; ++i) {
            const auto need = needs_.find({stage.octet, stage.line + i - kStreamLines * g});
            if (need == needs_.end()) {
                continue;
            }
            if (plan_.form == StreamForm::Flat) {
                const int count = std::min(kStreamPass, need->second.high - pass_ + 1);
                if (count > 0) {
                    runs.push_back({i, pass_, count, 0, true});
                }
                continue;
            }
            const int begin = need->second.low + plan_.reach;
            int low = begin;
            const int end = need->second.high + plan_.reach + 1;
            while (low < end) {
                const int word = low / kStreamWord;
                const int here = std::min(end, (word + 1) * kStreamWord) - low;
                const int parts = (here + mostSteps_ - 1) / mostSteps_;
                const int count = (here + parts - 1) / parts;
                runs.push_back(
                    {i, low, count, word, parts == 1 && low == std::max(begin, word * kStreamWord)});
                low += count;
            }
        }
        std::stable_sort(runs.begin(), runs.end(), [](const Run& l, const Run& r) {
            return l.word != r.word ? l.word < r.word : l.count > r.count;
        });
        return runs;
    }

    /// Pairs are multiplied for the longer run's number of dz: runs alike share a pair. The shorter one
    /// grows, where no other run of its octet is in its way.
    void pairUp(const StreamStage& stage, int g, const std::vector<Run>& runs) {
        for (std::size_t k = 0; k < runs.size();) {
            const bool alone = k + 1 == runs.size() || runs[k + 1].word != runs[k].word ||
                               (runs[k + 1].count != runs[k].count && !runs[k + 1].whole);
            Run two[2] = {runs[k], runs[alone ? k : k + 1]};
            const int count = two[0].count;
            const int end = std::min((two[0].word + 1) * kStreamWord, 2 * plan_.reach + 1);
            if (plan_.form != StreamForm::Flat) {
                two[1].low = std::min(two[1].low, end - count);
            }
            if (std::pair(two[1].line, two[1].low) < std::pair(two[0].line, two[0].low)) {
                std::swap(two[0], two[1]);
            }
            addEntry(stage, g, two, count, alone);
            k += alone ? 1 : 2;
        }
    }

    void addEntry(const StreamStage& stage, int g, const Run (&two)[2], int count, bool alone) {
        const int a = stage.octet * kStreamOctet;
        StreamEntry entry;
        std::uint32_t at[2];
        std::uint32_t first[2];
        for (std::size_t o = 0; o < 2; ++o) {
            const Run& run = two[o];
            const int line = stage.line + run.line - kStreamLines * g;
            const int b = line + stage.octet * plan_.climb;
            entry.place[o] = line * plan_.pitch + a;
            entry.distance[o] =
                plan_.form == StreamForm::Table
                    ? static_cast<float>(run.low * plan_.box)
                    : static_cast<float>(plan_.root * (run.low - plan_.reach - centreOf(a, b)));
            entry.across[o] = static_cast<std::int16_t>(b + kStreamLines * g);
            const int plane = plan_.form == StreamForm::Flat ? 0 : run.low;
            at[o] = static_cast<std::uint32_t>(run.line * plan_.octetBytes() / 16 + plane);
            first[o] = static_cast<std::uint32_t>(run.low - run.word * kStreamWord);
        }
        if (alone) {
            first[1] = kStreamNone;
        }
        entry.info = first[0] | first[1] << 5U | static_cast<std::uint32_t>(count) << 10U |
                     static_cast<std::uint32_t>(two[0].line) << 15U |
                     static_cast<std::uint32_t>(two[1].line) << 23U;
        entry.address = at[0] | (at[1] - at[0]) << 16U;
        entry.word = two[0].word * plan_.box;
        plan_.steps += count;
        ++plan_.pairs;
        plan_.entries.push_back(entry);
    }

    const KernelSpec& kernel_;
    const Lattice& lattice_;
    const KernelFrame& frame_;
    const StreamLimits& limits_;
    StreamPlan plan_;
    int mostSteps_ = 1;
    int pass_ = 0;  ///< first d of the pass whose stages are made
    std::map<std::pair<int, int>, Extent> columns_;
    std::map<std::pair<int, int>, Extent> needs_;  ///< by octet and line
};

}  // namespace

int StreamPlan::rise(int a) const {
    const int octet = floorDivide(a, kStreamOctet);
    return octet * climb + riseWithin(climb, a - octet * kStreamOctet);
}

int StreamPlan::octetBytes() const {
    constexpr int kPartBytes = 2 * kStreamOctet;  // high or low parts of a plane
    return 2 * kPartBytes * (planes + 2 * margin);
}

std::size_t StreamPlan::stageBytes() const {
    constexpr std::size_t kAlign = 128;
    const auto bytes = static_cast<std::size_t>(stageLines) * static_cast<std::size_t>(octetBytes());
    return (bytes + kAlign - 1) / kAlign * kAlign;
}

std::size_t StreamPlan::sharedBytes() const {
    constexpr std::size_t kAlign = 16;
    const std::size_t lists = (support.size() * sizeof(std::uint16_t) + kAlign - 1) / kAlign * kAlign +
                              entries.size() * sizeof(StreamEntry) + stages.size() * sizeof(StreamStage);
    return static_cast<std::size_t>(depth) * stageBytes() + lists;
}

int StreamPlan::groupsPerColumn() const {
    Extent rises;
    for (int a = 0; a < kStreamAlong; ++a) {
        rises.include(rise(a), rise(a));
    }
    return (size[1] + rises.high - rises.low + kStreamLines - 1) / kStreamLines;
}

std::vector<int> StreamPlan::tileSteps() const {
    Extent octetRises;
    Extent groupRises;
    for (int i = 0; i < kStreamAlong; ++i) {
        groupRises.include(rise(i), rise(i));
        if (i < kStreamOctet) {
            octetRises.include(rise(i), rise(i));
        }
    }
    const auto meets = [&](int low, int high) {
        return high + octetRises.high >= 0 && low + octetRises.low < size[1];
    };
    std::vector<int> ofTiles;
    for (int column = 0; column < columns(); ++column) {
        for (int first = 0; first < groupsPerColumn(); first += groups) {
            const int line = kStreamLines * first - groupRises.high;  // above the column's first pixel
            const auto here = std::min(groups, groupsPerColumn() - first);
            int sum = 0;
            for (const StreamStage& stage : stages) {
                const int octet = kStreamAlong / kStreamOctet * column + stage.octet;
                if (octet < 0 || octet >= octets) {
                    continue;
                }
                for (std::int32_t e = stage.begin[0]; e < stage.begin[here]; ++e) {
                    const StreamEntry& entry = entries[static_cast<std::size_t>(e)];
                    sum += meets(line + entry.across[0], line + entry.across[1])
                               ? static_cast<int>(entry.info >> 10U & 31U)
                               : 0;
                }
            }
            ofTiles.push_back(sum);
        }
    }
    return ofTiles;
}

double StreamPlan::clocks(int nz, int blocks) const {
    // Measured on an H200 at 48 and 96 planes.
    constexpr double kFixed = 60e3;  // the split and two launches
    const double perStep = form == StreamForm::Flat    ? 250 + 2.0 * planes
                           : form == StreamForm::Table ? 400 + 2.0 * planes
                                                       : 125 + 1.5 * planes;
    const std::vector<int> ofTiles = tileSteps();
    const int most = *std::max_element(ofTiles.begin(), ofTiles.end());
    const double rounds = std::ceil(static_cast<double>(ofTiles.size()) * windows(nz) / blocks);
    return kFixed + rounds * most * perStep;
}

std::vector<std::int32_t> dealTiles(const std::vector<int>& steps, int windows, int blocks) {
    constexpr double kFixed = 60;  // steps' worth of what every tile costs
    const auto perWindow = steps.size();
    const std::size_t all = perWindow * static_cast<std::size_t>(windows);
    double low = 0;
    double high = 0;
    for (const int s : steps) {
        low = std::max(low, s + kFixed);
        high += (s + kFixed) * windows;
    }
    const auto deal = [&](double most) {
        std::vector<std::int32_t> begins{0};
        double sum = 0;
        for (std::size_t t = 0; t < all; ++t) {
            const double cost = steps[t % perWindow] + kFixed;
            if (sum + cost > most) {
                begins.push_back(static_cast<std::int32_t>(t));
                sum = 0;
            }
            sum += cost;
        }
        return begins;
    };
    constexpr int kHalvings = 24;
    for (int k = 0; k < kHalvings; ++k) {
        const double middle = (low + high) / 2;
        (deal(middle).size() <= static_cast<std::size_t>(blocks) ? high : low) = middle;
    }
    std::vector<std::int32_t> begins = deal(high);
    begins.resize(static_cast<std::size_t>(blocks) + 1, static_cast<std::int32_t>(all));
    return begins;
}

std::variant<StreamPlan, std::string> makeStreamPlan(const KernelSpec& kernel, const Lattice& lattice,
                                                     const KernelFrame& frame, const StreamLimits& limits) {
    constexpr int kMostRows = 65535;
    if (frame.rows > kMostRows) {
        return std::string("it has more than 65,535 kernel ids");
    }
    return Planner(kernel, lattice, frame, limits).plan();
}

}  // namespace tof
