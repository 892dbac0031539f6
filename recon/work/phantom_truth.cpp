// SPDX-License-Identifier: Apache-2.0
#include "recon/work/phantom_truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "recon/base/error.h"
#include "recon/data/framed_counts.h"
#include "recon/phantom/phantom_course.h"

namespace tof {

namespace {

constexpr int kSubdivisions = 8;  // of a voxel's edge

/// A part in one state.
struct Emission {
    std::vector<float> image;      ///< relative emissions per mm3 while the curve is 1
    std::vector<double> inFrames;  ///< integral of its curve
};

/// A frame, or a gate of it, and when it was on.
struct Measured {
    std::size_t index = 0;  ///< in FramedCounts::frames
    std::vector<std::array<double, 2>> times_s{};
};

PhantomCourse courseOf(const Measurement& data, const Phantom& phantom, const std::string& source) {
    std::optional<PhantomCourse> course = PhantomCourse::of(phantom);
    const std::shared_ptr<const FramedCounts> frames = data.frames();
    if (!course || course->decays() == 0) {
        throw BadInput(
            "{}: is not of a simulated phantom with a course in time; 'simulate' makes lists of them",
            source);
    }
    if (frames == nullptr) {
        throw BadInput("{}: the data are not cut by time; bin the list with --frames", source);
    }
    if (!frames->nuclide.empty() && frames->nuclide != course->nuclide()) {
        throw BadInput(
            "{}: the data were cut for {}, and the phantom decays as {}; bin them with --nuclide {}", source,
            frames->nuclide, course->nuclide(), course->nuclide());
    }
    return std::move(*course);
}

/// When gates of a number were on within a time.
std::vector<std::array<double, 2>> gatedTimes(const std::vector<GateTime>& gates, int number,
                                              const TimeFrame& time) {
    std::vector<std::array<double, 2>> on;
    for (const GateTime& gate : gates) {
        const double begin = std::max(gate.begin_s, time.start_s);
        const double end = std::min(gate.end_s, time.end_s());
        if (gate.gate == number && end > begin) {
            on.push_back({begin, end});
        }
    }
    return on;
}

std::vector<Measured> measuredOf(const FramedCounts& frames, const TruthGate& gate,
                                 const std::string& source) {
    if ((gate.number > 0) != (frames.gates > 0) || gate.number > frames.gates ||
        (gate.number > 0 && gate.by.count != frames.gates)) {
        throw BadInput("{}: has {} gates; {}", source, frames.gates,
                       frames.gates > 0
                           ? "say how they were cut by --gates, --gate-count and --gate-by, and by "
                             "--gate which of them is asked for"
                           : "leave --gate and --gates out");
    }
    const std::vector<GateTime> gates =
        gate.number > 0 ? gatesFrom(gate.by, source) : std::vector<GateTime>();
    std::vector<Measured> measured;
    for (std::size_t i = 0; i < frames.frames.size(); ++i) {
        const FrameCounts& frame = frames.frames[i];
        if (frame.gate != gate.number) {
            continue;
        }
        Measured one{i, {{frame.time.start_s, frame.time.end_s()}}};
        if (gate.number > 0) {
            one.times_s = gatedTimes(gates, gate.number, frame.time);
            double on_s = 0;
            for (const auto& [begin, end] : one.times_s) {
                on_s += end - begin;
            }
            const double rounding_s = 2e-3 * static_cast<double>(one.times_s.size() + 1);  // of edges to ms
            if (std::abs(on_s - frame.gated_s) > rounding_s) {
                throw BadInput(
                    "{}: gate {} was on for {:.3f} s, and by these --gates it was for {:.3f} s; give "
                    "those that the list was cut by",
                    source, gate.number, frame.gated_s, on_s);
            }
        }
        measured.push_back(std::move(one));
    }
    return measured;
}

/// Relative emissions of the whole scan.
double emissionsOf(const PhantomCourse& course, const std::function<void()>& heed) {
    double sum = 0;
    for (std::size_t part = 0; part < course.parts().size(); ++part) {
        const std::vector<double> emitted = course.emittedIn(part, 0, course.duration_s());
        for (std::size_t state = 0; state < emitted.size(); ++state) {
            heed();
            sum += emitted[state] > 0 ? emitted[state] * emissionsOf(course.phantomOf(part, state)) : 0;
        }
    }
    return sum;
}

std::vector<Emission> emissionsIn(const PhantomCourse& course, const std::vector<Measured>& measured,
                                  const Lattice& lattice, const std::function<void()>& heed) {
    std::vector<Emission> all;
    for (std::size_t part = 0; part < course.parts().size(); ++part) {
        std::vector<Emission> states(course.states());
        for (Emission& state : states) {
            state.inFrames.resize(measured.size());
        }
        for (std::size_t m = 0; m < measured.size(); ++m) {
            for (const auto& [begin, end] : measured[m].times_s) {
                const std::vector<double> emitted = course.emittedIn(part, begin, end);
                for (std::size_t state = 0; state < emitted.size(); ++state) {
                    states[state].inFrames[m] += emitted[state];
                }
            }
        }
        for (std::size_t state = 0; state < states.size(); ++state) {
            heed();
            const Phantom phantom = course.phantomOf(part, state);
            if (std::any_of(phantom.shapes.begin(), phantom.shapes.end(),
                            [](const PhantomShape& shape) { return shape.activity > 0; })) {
                states[state].image = phantom.emissionOn(lattice, kSubdivisions).data;
                all.push_back(std::move(states[state]));
            }
        }
    }
    return all;
}

std::vector<RegionCurve> curvesOf(const PhantomCourse& course, const FramedCounts& frames,
                                  const std::vector<Measured>& measured,
                                  const std::vector<PhantomShape>& shapes, double perEmission) {
    std::vector<RegionCurve> curves;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::size_t part = course.partOf(i);
        const double factor = course.phantomOf(part, 0).shapes[i].activity;
        if (!(factor > 0) || shapes[i].kind == PhantomShape::Kind::Point) {
            continue;
        }
        RegionCurve curve;
        curve.name = shapes[i].name.empty() ? course.parts()[part].name : shapes[i].name;
        curve.volume_mm3 = shapes[i].volume_mm3();
        for (const Measured& one : measured) {
            double emitted = 0;
            for (const auto& [begin, end] : one.times_s) {
                emitted += course.parts()[part].emitted.integral(begin, end);
            }
            curve.means.push_back(perEmission * factor * frames.concentrationPerEmission(one.index, 1.0) *
                                  emitted);
        }
        curve.sds.assign(curve.means.size(), 0.0);
        curves.push_back(std::move(curve));
    }
    return curves;
}

/// `scale` makes activity of 1 what images hold of it.
std::string bloodOf(const PhantomCourse& course, double scale) {
    constexpr double kFine_s = 300;
    std::string table;
    for (double t = 0; !course.input().empty() && t <= course.duration_s(); t += t < kFine_s ? 1 : 10) {
        const auto edge = static_cast<std::size_t>(std::llround(t / course.steps().length_s));
        table += fmt::format("{}{:g}\t{:.9g}\n", table.empty() ? "time\tplasma_radioactivity\n" : "",
                             course.steps().edge_s(edge), scale * course.input()[edge]);
    }
    return table;
}

}  // namespace

PhantomTruth truthOf(const Measurement& data, const std::string& source, const TruthGate& gate,
                     const std::function<void()>& heed) {
    const Phantom phantom = Phantom::fromNameOrText(
        data.phantom().empty() ? std::string("{}") : data.phantom(), source + ", phantom");
    const PhantomCourse course = courseOf(data, phantom, source);
    const std::shared_ptr<const FramedCounts> frames = data.frames();
    const std::vector<Measured> measured = measuredOf(*frames, gate, source);
    const double emissions = emissionsOf(course, heed);
    if (!(emissions > 0)) {
        throw BadInput("{}: its phantom emits nothing", source);
    }
    const double perEmission = course.decays() / emissions;
    PhantomTruth truth;
    truth.curves = curvesOf(course, *frames, measured, phantom.shapes, perEmission);
    // An activity of 1 decays once a second at the start: concentrationPerEmission() without time.
    const double perSecond = frames->concentrationPerEmission(0, 1.0) / frames->perSecond(0);
    truth.blood = bloodOf(course, perEmission * perSecond);
    DynamicInfo& info = truth.image.info;
    info.lattice = data.lattice();
    std::vector<double> toValues;
    for (const Measured& one : measured) {
        info.frames.push_back(frames->frames[one.index].time);
        toValues.push_back(perEmission * frames->concentrationPerEmission(one.index, 1.0));
    }
    info.halfLife_s = frames->halfLife_s();
    info.units = info.halfLife_s > 0 ? "Bq/ml" : "1/s/ml";
    info.decay = info.halfLife_s > 0 ? DecayCorrection::Applied : DecayCorrection::None;
    const auto images =
        std::make_shared<const std::vector<Emission>>(emissionsIn(course, measured, info.lattice, heed));
    truth.image.values = [images, toValues](std::size_t frame) {
        std::vector<float> values(images->front().image.size());
        for (const Emission& one : *images) {
            const double factor = toValues[frame] * one.inFrames[frame];
            for (std::size_t i = 0; factor > 0 && i < values.size(); ++i) {
                values[i] += static_cast<float>(factor * static_cast<double>(one.image[i]));
            }
        }
        return values;
    };
    return truth;
}

}  // namespace tof
