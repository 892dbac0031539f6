// SPDX-License-Identifier: Apache-2.0
#include "gpu/histo/plan_chooser.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>

#include "gpu/histo/column_kernels.h"

namespace tof {

namespace {

constexpr int kMaxRows =
    12000;  // the most rows of a value table: the lists of rows are made in 48 KiB of shared memory
constexpr std::array<int, 2> kLines{2, 4};

/// The pixels of a block that stand for voxels, ready to be looked up in a map of ids.
class BlockLookup {
  public:
    /// `stepA`, `stepB`: elements of the map between neighbours along a and b.
    BlockLookup(const std::vector<TilePlan::Pixel>& pixels, int stepA, int stepB)
        : stepA_(stepA), stepB_(stepB) {
        for (const TilePlan::Pixel& p : pixels) {
            if (!isFarOutside(p)) {
                pixels_.push_back(p);
                offsets_.push_back(p.a * stepA + p.b * stepB);
                low_ = {std::min(low_[0], int{p.a}), std::min(low_[1], int{p.b})};
                high_ = {std::max(high_[0], int{p.a}), std::max(high_[1], int{p.b})};
            }
        }
    }

    /// Marks the ids of a block's pixels that lie in a plane of sizeA x sizeB: 1 where one is needed.
    void mark(std::array<std::int16_t, 2> origin, const std::int32_t* ids, int sizeA, int sizeB,
              std::uint8_t* needed) const {
        const int a0 = origin[0];
        const int b0 = origin[1];
        const int begin = a0 * stepA_ + b0 * stepB_;
        if (a0 + low_[0] >= 0 && b0 + low_[1] >= 0 && a0 + high_[0] < sizeA && b0 + high_[1] < sizeB) {
            for (const int offset : offsets_) {
                needed[ids[begin + offset]] = 1;
            }
            return;
        }
        for (std::size_t i = 0; i < pixels_.size(); ++i) {
            const int a = a0 + pixels_[i].a;
            const int b = b0 + pixels_[i].b;
            if (a >= 0 && b >= 0 && a < sizeA && b < sizeB) {
                needed[ids[begin + offsets_[i]]] = 1;
            }
        }
    }

  private:
    int stepA_;
    int stepB_;
    std::vector<TilePlan::Pixel> pixels_;
    std::vector<int> offsets_;
    std::array<int, 2> low_{};
    std::array<int, 2> high_{};
};

/// The column of the lattice that is the first of a map of ids, and which way its neighbours lie: of a map
/// that is turned another than the first.
struct IdCorner {
    int x = 0;
    int y = 0;
    int signX = 1;
    int signY = 1;
};

/// How many ids there are between the nearest and the farthest pixel of a block, from where it lies: no block
/// has more, and most have as many.
class IdSpan {
  public:
    IdSpan(const DirectModel& model, const KernelFrame& frame, const IdCorner& corner, bool alongY)
        : step_(model.kernel.id_step_mm), sided_(model.kernel.sided()) {
        const Vec3 first = model.lattice.centre(corner.x, corner.y, 0);
        const double alongX = corner.signX * frame.axes.r.x * model.lattice.spacing_mm[0];
        const double alongYs = corner.signY * frame.axes.r.y * model.lattice.spacing_mm[1];
        zero_ = radialDistance(first, frame.axes.r);
        perA_ = alongY ? alongYs : alongX;
        perB_ = alongY ? alongX : alongYs;
    }

    /// The least and the largest distance of the pixels from their block's origin, mm along r.
    [[nodiscard]] std::array<double, 2> reach(const std::vector<TilePlan::Pixel>& pixels) const {
        std::array<double, 2> result{std::numeric_limits<double>::infinity(),
                                     -std::numeric_limits<double>::infinity()};
        for (const TilePlan::Pixel& p : pixels) {
            if (!isFarOutside(p)) {
                const double s = p.a * perA_ + p.b * perB_;
                result = {std::min(result[0], s), std::max(result[1], s)};
            }
        }
        return result;
    }
    /// An upper bound of a block's ids.
    [[nodiscard]] int idsBetween(std::array<std::int16_t, 2> origin, std::array<double, 2> reach) const {
        constexpr double kRounding_mm = 1e-4;  // sums differ by it from those that the ids were made by
        const double s = zero_ + origin[0] * perA_ + origin[1] * perB_;
        const double low = s + reach[0] - kRounding_mm;
        const double high = s + reach[1] + kRounding_mm;
        if (low > 0 || high < 0) {
            const double nearest = std::min(std::abs(low), std::abs(high));
            const double farthest = std::max(std::abs(low), std::abs(high));
            return radialId(farthest, step_) - radialId(nearest, step_) + 1;
        }
        const int above = radialId(high, step_) + 1;
        const int below = radialId(low, step_) + 1;
        return sided_ ? above + below + 1 : std::max(above, below);
    }

  private:
    double step_;
    bool sided_;
    double zero_ = 0;
    double perA_ = 0;
    double perB_ = 0;
};

/// A view in the coordinates of plans.
struct PlannedView {
    PlanLine line;
    PlanForm form = PlanForm::AllTaps;
    int sizeA = 0;
    int sizeB = 0;
    PlanMirror mirror;               ///< to the image of it that stands for all of its mirror images
    std::vector<std::uint64_t> key;  ///< the taps of that image, in order
};

std::array<int, 2> acrossAndAlong(const KernelTap& tap, bool alongY) {
    return alongY ? std::array<int, 2>{tap.y, tap.x} : std::array<int, 2>{tap.x, tap.y};
}

/// A number of its own for every tap, in order of z, b, a.
std::uint64_t codeOf(int a, int b, int z) {
    constexpr int kHalf = 1 << 15;
    const auto part = [](int v) {
        const int above = v + kHalf;
        return static_cast<std::uint64_t>(above);
    };
    return part(z) << 32U | part(b) << 16U | part(a);
}

std::vector<std::uint64_t> codesOf(const KernelFrame& frame, bool alongY, PlanMirror mirror) {
    std::vector<std::uint64_t> codes;
    codes.reserve(frame.taps.size());
    for (const KernelTap& tap : frame.taps) {
        const auto [a, b] = acrossAndAlong(tap, alongY);
        codes.push_back(codeOf(mirror.signA * a, mirror.signB * b, tap.z));
    }
    return codes;
}

PlannedView plannedView(const DirectModel& model, const KernelFrame& frame, PlanForms forms) {
    PlannedView view;
    view.line =
        planLine(frame.axes.u.x, frame.axes.u.y, model.lattice.spacing_mm[0], model.lattice.spacing_mm[1]);
    view.sizeA = model.lattice.size[view.line.alongY ? 1 : 0];
    view.sizeB = model.lattice.size[view.line.alongY ? 0 : 1];
    const bool flat = std::all_of(frame.taps.begin(), frame.taps.end(),
                                  [](const KernelTap& tap) { return std::abs(tap.z) <= 1; });
    const bool factorises = frame.axes.u.z == 0.0 && flat;
    view.form = factorises && forms == PlanForms::Fewest ? PlanForm::Filtered : PlanForm::AllTaps;
    // Lines of the image climb. That leaves two, which are each other upside down.
    const int sign = view.line.slope < 0 ? -1 : 1;
    for (const PlanMirror mirror : {PlanMirror{1, sign}, PlanMirror{-1, -sign}}) {
        auto codes = codesOf(frame, view.line.alongY, mirror);
        std::sort(codes.begin(), codes.end());
        if (view.key.empty() || codes < view.key) {
            view.key = std::move(codes);
            view.mirror = mirror;
        }
    }
    return view;
}

/// A view as if it were the image of it that stands for all of its mirror images: so the plans of these are
/// the same, and their sums the same bits, whichever of them a model holds.
struct CanonicalView {
    KernelFrame frame;
    PlannedView view;
    IdCorner corner;
};
CanonicalView canonicalView(const KernelFrame& frame, const PlannedView& view) {
    CanonicalView result{frame, view, {}};
    const auto [signA, signB] = view.mirror;
    const auto signX = static_cast<std::int16_t>(view.line.alongY ? signB : signA);
    const auto signY = static_cast<std::int16_t>(view.line.alongY ? signA : signB);
    for (KernelTap& tap : result.frame.taps) {
        tap.x = static_cast<std::int16_t>(signX * tap.x);
        tap.y = static_cast<std::int16_t>(signY * tap.y);
    }
    const int nx = view.line.alongY ? view.sizeB : view.sizeA;
    const int ny = view.line.alongY ? view.sizeA : view.sizeB;
    for (int y = 0; y < ny; ++y) {
        for (int x = 0; x < nx; ++x) {
            const int from = (signY < 0 ? ny - 1 - y : y) * nx + (signX < 0 ? nx - 1 - x : x);
            const int to = y * nx + x;
            result.frame.ids[static_cast<std::size_t>(to)] = frame.ids[static_cast<std::size_t>(from)];
        }
    }
    result.corner = {signX < 0 ? nx - 1 : 0, signY < 0 ? ny - 1 : 0, signX, signY};
    result.view.line.slope = std::abs(view.line.slope);
    result.view.mirror = {};
    return result;
}

/// Makes the plans of one view and compares their costs for it and its mirror images.
class PlanChooser {
  public:
    PlanChooser(const DirectModel& model, const KernelFrame& frame, const PlannedView& view,
                const PlanLimits& limits)
        : model_(model), nz_(model.lattice.size[2]), canonical_(canonicalView(frame, view)), limits_(limits) {
        taps_.reserve(frame_.taps.size());
        for (const KernelTap& tap : frame_.taps) {
            const auto [a, b] = acrossAndAlong(tap, view_.line.alongY);
            taps_.push_back({a, b, tap.z});
        }
        table_ = planTable(taps_, view_.form);
    }
    PlanChooser(const PlanChooser&) = delete;
    PlanChooser& operator=(const PlanChooser&) = delete;

    /// Chooses among shapes with so many lines the cheapest for views along x and for views along y, without
    /// sources and weights; safe to be called for different numbers of lines at a time.
    void choose(std::size_t which, std::span<const PlanShape> shapes, std::array<bool, 2> wanted) {
        planners_[which] =
            std::make_unique<TilePlanner>(taps_, table_, view_.line, view_.form, kLines[which]);
        std::vector<ViewPlan> made;
        for (const PlanShape shape : shapes) {
            if (shape.lines == kLines[which]) {
                if (ViewPlan outline = outlineOf(shape); std::isfinite(outline.cost)) {
                    made.push_back(std::move(outline));
                }
            }
        }
        for (const bool alongY : {false, true}) {
            if (wanted[alongY ? 1 : 0]) {
                best_[which][alongY ? 1 : 0] = best(made, alongY);
            }
        }
    }
    /// The cheaper of what was chosen of either number of lines, if any.
    [[nodiscard]] const ViewPlan* chosen(bool alongY) const {
        const ViewPlan* result = nullptr;
        for (const auto& ofLines : best_) {
            const ViewPlan& mine = ofLines[alongY ? 1 : 0];
            if (std::isfinite(mine.cost) && (result == nullptr || mine.cost < result->cost)) {
                result = &mine;
            }
        }
        return result;
    }
    /// The weights of a shape's plan; safe to be called beside sourcesOf().
    [[nodiscard]] std::vector<std::uint16_t> weightsOf(const PlanShape& shape) const {
        return plannerOf(shape).weights();
    }
    /// The sources of a shape's plan; for one shape at a time.
    [[nodiscard]] std::vector<std::uint16_t> sourcesOf(const PlanShape& shape) const {
        return std::move(plannerOf(shape).plan(shape.along, shape.across)->sources);
    }

    /// The plan of a view from the one chosen for its orientation.
    [[nodiscard]] ViewPlan forView(const ViewPlan& chosen, const KernelFrame& frame,
                                   const PlannedView& view) const {
        const PlanMirror mirror{view.mirror.signA * view_.mirror.signA,
                                view.mirror.signB * view_.mirror.signB};
        ViewPlan result;
        result.plan = mirroredPlan(chosen.plan, mirror, view.line.alongY ? StepAxis::Y : StepAxis::X);
        result.blocks = mirroredBlocks(chosen.blocks, mirror, view.sizeA, view.sizeB);
        result.positions = positionsOf(frame, view, mirror);
        result.mostRows =
            sameIds(frame, view, mirror) ? chosen.mostRows : rowsOf(result, frame, {}, view.line.alongY);
        result.cost = costOf(result, sectorsOf(result.plan, view.line.alongY));
        return result;
    }

  private:
    [[nodiscard]] TilePlanner& plannerOf(const PlanShape& shape) const {
        return *planners_[static_cast<std::size_t>(std::find(kLines.begin(), kLines.end(), shape.lines) -
                                                   kLines.begin())];
    }

    /// Without the numbers of ids, so the cost is a lower bound; infinite when it cannot be used.
    [[nodiscard]] ViewPlan outlineOf(PlanShape shape) {
        ViewPlan result;
        auto plan = planners_[shape.lines == kLines[0] ? 0 : 1]->outline(shape.along, shape.across);
        if (!plan) {
            return result;
        }
        result.plan = std::move(*plan);
        const auto& runs = result.plan.runs;
        if (shape.groups() * 2 > device::kColumnWarps || frame_.rows > kMaxRows ||
            std::max(runs[0].size(), runs[1].size()) >= static_cast<std::size_t>(device::kColumnRuns)) {
            return result;
        }
        result.blocks = planBlocks(result.plan, view_.sizeA, view_.sizeB);
        result.mostRows = kNotCounted;
        result.cost = costOf(result, 0);
        return result;
    }

    /// The cheapest for views of one orientation. How many ids a block needs takes long to find, so only the
    /// cheapest are asked, once; that may cost them a place.
    [[nodiscard]] ViewPlan best(std::vector<ViewPlan>& made, bool alongY) const {
        std::vector<std::tuple<double, std::size_t, double>> candidates;  // cost, which, sectors
        for (std::size_t i = 0; i < made.size(); ++i) {
            const double sectors = sectorsOf(made[i].plan, alongY);
            candidates.emplace_back(costOf(made[i], sectors), i, sectors);
        }
        std::sort(candidates.begin(), candidates.end());
        double least = std::numeric_limits<double>::infinity();
        ViewPlan* cheapest = nullptr;
        for (const auto& [bound, i, sectors] : candidates) {
            if (!(bound < least)) {
                break;
            }
            findRows(made[i]);
            if (const double cost = costOf(made[i], sectors); cost < least) {
                least = cost;
                cheapest = &made[i];
            }
        }
        if (cheapest == nullptr) {
            return {};
        }
        ViewPlan result = *cheapest;
        result.cost = least;
        return result;
    }

    /// Distinct ids of the targets and of the sources of a block, unless they are known.
    void findRows(ViewPlan& plan) const {
        if (plan.mostRows == kNotCounted) {
            plan.mostRows = rowsOf(plan, frame_, canonical_.corner, view_.line.alongY);
        }
    }

    [[nodiscard]] std::vector<int> positionsOf(const KernelFrame& frame, const PlannedView& view,
                                               PlanMirror mirror) const {
        std::array<int, 3> reach{};  // reach of the taps along a, b, z
        for (const PlanTap& tap : taps_) {
            reach = {std::max(reach[0], std::abs(tap.a)), std::max(reach[1], std::abs(tap.b)),
                     std::max(reach[2], std::abs(tap.z))};
        }
        const auto cell = [&](int a, int b, int z) {
            const int row = (z + reach[2]) * (2 * reach[1] + 1) + b + reach[1];
            const int place = row * (2 * reach[0] + 1) + a + reach[0];
            return static_cast<std::size_t>(place);
        };
        std::vector<int> at(cell(reach[0], reach[1], reach[2]) + 1, -1);
        for (std::size_t t = 0; t < taps_.size(); ++t) {
            at[cell(taps_[t].a, taps_[t].b, taps_[t].z)] = table_.position[t];
        }
        std::vector<int> positions;
        positions.reserve(frame.taps.size());
        for (const KernelTap& tap : frame.taps) {
            const auto [a, b] = acrossAndAlong(tap, view.line.alongY);
            positions.push_back(at[cell(mirror.signA * a, mirror.signB * b, tap.z)]);
        }
        return positions;
    }

    /// Whether the ids of a view are those of the first in the mirror, so that blocks have as many.
    [[nodiscard]] bool sameIds(const KernelFrame& frame, const PlannedView& view, PlanMirror mirror) const {
        for (int b = 0; b < view.sizeB; ++b) {
            const int mb = mirror.signB < 0 ? view.sizeB - 1 - b : b;
            for (int a = 0; a < view.sizeA; ++a) {
                const int ma = mirror.signA < 0 ? view.sizeA - 1 - a : a;
                if (idAt(frame, view, a, b) != idAt(frame_, view_, ma, mb)) {
                    return false;
                }
            }
        }
        return true;
    }
    [[nodiscard]] static int idAt(const KernelFrame& frame, const PlannedView& view, int a, int b) {
        return frame
            .ids[static_cast<std::size_t>(view.line.alongY ? a * view.sizeB + b : b * view.sizeA + a)];
    }

    /// Distinct ids of the targets and of the sources of a block, at most.
    [[nodiscard]] std::array<int, 2> rowsOf(const ViewPlan& of, const KernelFrame& frame,
                                            const IdCorner& corner, bool alongY) const {
        std::vector<std::uint8_t> needed(static_cast<std::size_t>(frame.rows));
        const int stepA = alongY ? view_.sizeB : 1;
        const int stepB = alongY ? 1 : view_.sizeA;
        const IdSpan span(model_, frame, corner, alongY);
        const auto most = [&](const std::vector<TilePlan::Pixel>& pixels) {
            const BlockLookup lookup(pixels, stepA, stepB);
            const std::array<double, 2> reach = span.reach(pixels);
            int largest = 1;
            for (const auto& origin : of.blocks) {
                if (span.idsBetween(origin, reach) <= largest) {
                    continue;  // it cannot have more
                }
                std::fill(needed.begin(), needed.end(), std::uint8_t{0});
                lookup.mark(origin, frame.ids.data(), view_.sizeA, view_.sizeB, needed.data());
                largest = std::max(largest, std::accumulate(needed.begin(), needed.end(), 0));
            }
            return largest;
        };
        return {most(of.plan.targets), most(of.plan.tile)};
    }

    /// Sectors of memory that one plane of a block touches, in the mean over where it begins, were the plan's
    /// lines along x or y.
    [[nodiscard]] static double sectorsOf(const TilePlan& plan, bool alongY) {
        constexpr double kFloats = 8;
        double sectors = 0;
        for (const auto* pixels : {&plan.tile, &plan.targets}) {
            const double runs =
                alongY == plan.alongY ? runsOfNeighbours(*pixels, alongY) : runsAcross(*pixels, alongY);
            sectors += runs * (kFloats - 1) / kFloats + static_cast<double>(pixels->size()) / kFloats;
        }
        return sectors;
    }
    /// Runs of neighbours in x of pixels that are in that order.
    [[nodiscard]] static int runsOfNeighbours(const std::vector<TilePlan::Pixel>& pixels, bool alongY) {
        int runs = 0;
        const TilePlan::Pixel* last = nullptr;
        for (const TilePlan::Pixel& p : pixels) {
            runs += last != nullptr && (alongY ? p.a == last->a && p.b == last->b + 1
                                               : p.b == last->b && p.a == last->a + 1)
                        ? 0
                        : 1;
            last = &p;
        }
        return runs;
    }
    /// Runs of pixels in order of the other axis: those that have no neighbour before them.
    [[nodiscard]] static int runsAcross(const std::vector<TilePlan::Pixel>& pixels, bool alongY) {
        int runs = 0;
        std::array<int, 2> low{};
        std::array<int, 2> high{};
        for (const TilePlan::Pixel& p : pixels) {
            if (!isFarOutside(p)) {
                low = {std::min(low[0], int{p.a}), std::min(low[1], int{p.b})};
                high = {std::max(high[0], int{p.a}), std::max(high[1], int{p.b})};
            }
        }
        const int width = high[0] - low[0] + 2;  // an empty column and row stand before the first
        const auto place = [&](int a, int b) {
            const int cell = (b - low[1] + 1) * width + a - low[0] + 1;
            return static_cast<std::size_t>(cell);
        };
        std::vector<std::uint8_t> there(place(high[0], high[1]) + 1, 0);
        for (const TilePlan::Pixel& p : pixels) {
            if (!isFarOutside(p)) {
                there[place(p.a, p.b)] = 1;
            }
        }
        for (const TilePlan::Pixel& p : pixels) {
            const bool follows =
                !isFarOutside(p) && there[alongY ? place(p.a, p.b - 1) : place(p.a - 1, p.b)] != 0;
            runs += follows ? 0 : 1;
        }
        return runs;
    }

    /// Clocks that a projection takes, roughly: whole waves of blocks, each with a fixed part, the filling of
    /// its tile and the multiplications of its groups. Only compares shapes.
    [[nodiscard]] double costOf(const ViewPlan& view, double sectorsOfPlane) const {
        device::ColumnView v;
        v.slots = static_cast<int>(view.plan.tile.size());
        v.groups = view.plan.shape.groups();
        v.rowStride = view.plan.rowStride;
        v.rows = frame_.rows;
        v.mostRows[0] = view.mostRows[0];
        v.mostRows[1] = view.mostRows[1];
        const int planes = nz_ <= kFewPlanes ? kFewPlanes : kManyPlanes;
        const std::size_t shared = std::max(device::columnSharedBytes(v, planes, device::Gather::ByTarget),
                                            device::columnSharedBytes(v, planes, device::Gather::BySource));
        if (shared > limits_.sharedBytes || planes <= 2 * view.plan.reach) {
            return std::numeric_limits<double>::infinity();
        }
        constexpr double kFixed = 6000;
        constexpr double kPerSlot = 5;
        constexpr double kPerSector = 0.6;  // cost of 32 bytes, read or written
        constexpr double kPerChunk = 30;
        constexpr double kPerProduct = 12;
        constexpr std::size_t kSystemBytes = 1024;  // what every resident block holds beside its own
        constexpr int kThreadsAtOnce = 384;         // by registers
        const int together = std::clamp(static_cast<int>(std::min<std::size_t>(
                                            limits_.sharedBytesPerProcessor / (shared + kSystemBytes),
                                            static_cast<std::size_t>(kThreadsAtOnce / (64 * v.groups)))),
                                        1, 8);
        const double blocks =
            static_cast<double>(view.blocks.size()) * device::columnWindows(planes, view.plan.reach, nz_);
        const double waves = std::ceil(blocks / (limits_.processors * together));
        const double group = kPerChunk * view.plan.chunks + kPerProduct * view.plan.products;
        return waves * (kFixed + kPerSlot * v.slots + kPerSector * planes * sectorsOfPlane +
                        together * v.groups * group);
    }

    static constexpr std::array<int, 2> kNotCounted{1, 1};

    const DirectModel& model_;
    int nz_;
    CanonicalView canonical_;
    const KernelFrame& frame_ = canonical_.frame;
    const PlannedView& view_ = canonical_.view;
    PlanLimits limits_;
    std::vector<PlanTap> taps_;
    PlanTable table_;
    std::array<std::unique_ptr<TilePlanner>, kLines.size()> planners_;  ///< for 2 and for 4 lines
    std::array<std::array<ViewPlan, 2>, kLines.size()> best_;           ///< along x and along y
};

/// Views that are mirror images of each other, the first of which stands for all.
struct Family {
    std::vector<std::size_t> views;
    std::array<bool, 2> along{};  ///< whether any runs along x, along y
    std::unique_ptr<PlanChooser> chooser;
    std::array<std::size_t, 2> lists{};  ///< along x, along y: which of ModelPlans::lists
};

std::vector<Family> familiesOf(const std::vector<PlannedView>& views) {
    using Key = std::tuple<PlanForm, int, int, const std::vector<std::uint64_t>*>;
    const auto before = [](const Key& l, const Key& r) {
        const auto& [lForm, lA, lB, lTaps] = l;
        const auto& [rForm, rA, rB, rTaps] = r;
        return std::tie(lForm, lA, lB, *lTaps) < std::tie(rForm, rA, rB, *rTaps);
    };
    std::map<Key, std::size_t, decltype(before)> known(before);
    std::vector<Family> families;
    for (std::size_t v = 0; v < views.size(); ++v) {
        const PlannedView& view = views[v];
        const auto [at, isNew] =
            known.try_emplace({view.form, view.sizeA, view.sizeB, &view.key}, families.size());
        if (isNew) {
            families.emplace_back();
        }
        families[at->second].views.push_back(v);
        families[at->second].along[view.line.alongY ? 1 : 0] = true;
    }
    return families;
}

}  // namespace

bool ModelPlans::usable() const {
    return std::all_of(views.begin(), views.end(), [](const ViewPlan& v) { return std::isfinite(v.cost); });
}

ModelPlans choosePlans(const DirectModel& model, const std::vector<KernelFrame>& frames,
                       const PlanLimits& limits, const ThreadPool& pool, std::span<const PlanShape> shapes,
                       PlanForms forms) {
    std::vector<PlannedView> views(frames.size());
    pool.forRange(views.size(), 1,
                  [&](std::size_t v, std::size_t) { views[v] = plannedView(model, frames[v], forms); });
    std::vector<Family> families = familiesOf(views);
    pool.forRange(families.size(), 1, [&](std::size_t f, std::size_t) {
        const std::size_t first = families[f].views.front();
        families[f].chooser = std::make_unique<PlanChooser>(model, frames[first], views[first], limits);
    });
    pool.forRange(families.size() * kLines.size(), 1, [&](std::size_t i, std::size_t) {
        Family& family = families[i / kLines.size()];
        family.chooser->choose(i % kLines.size(), shapes, family.along);
    });
    ModelPlans plans;
    plans.views.resize(frames.size());
    std::vector<std::tuple<const PlanChooser*, PlanShape>> wanted;  // by number of the lists
    std::vector<const Family*> familyOf(frames.size());
    for (Family& family : families) {
        for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
            if (!family.along[which]) {
                continue;
            }
            const ViewPlan* const chosen = family.chooser->chosen(which == 1);
            if (chosen == nullptr) {
                return plans;
            }
            const PlanShape shape = chosen->plan.shape;
            const ViewPlan* const other =
                which == 1 && family.along[0] ? family.chooser->chosen(false) : nullptr;
            const bool shared = other != nullptr && other->plan.shape == shape;
            family.lists[which] = shared ? family.lists[0] : wanted.size();
            if (!shared) {
                wanted.emplace_back(&*family.chooser, shape);
            }
        }
        for (const std::size_t v : family.views) {
            familyOf[v] = &family;
        }
    }
    plans.lists.resize(wanted.size());
    pool.forRange(families.size() + wanted.size(), 1, [&](std::size_t task, std::size_t) {
        if (task < wanted.size()) {
            const auto& [chooser, shape] = wanted[task];
            plans.lists[task].weights = chooser->weightsOf(shape);
            return;
        }
        // One planner makes the sources of both orientations, one after the other.
        const PlanChooser* const mine = &*families[task - wanted.size()].chooser;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const auto& [chooser, shape] = wanted[i];
            if (chooser == mine) {
                plans.lists[i].sources = chooser->sourcesOf(shape);
            }
        }
    });
    pool.forRange(frames.size(), 1, [&](std::size_t v, std::size_t) {
        const bool alongY = views[v].line.alongY;
        const PlanChooser& chooser = *familyOf[v]->chooser;
        plans.views[v] = chooser.forView(*chooser.chosen(alongY), frames[v], views[v]);
        plans.views[v].lists = familyOf[v]->lists[alongY ? 1 : 0];
    });
    return plans;
}

}  // namespace tof
