// SPDX-License-Identifier: Apache-2.0
#include "recon/work/phantom_truth.h"

#include <fmt/format.h>

#include <algorithm>
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

PhantomCourse courseOf(const Measurement& data, const Phantom& phantom, const std::string& source) {
    std::optional<PhantomCourse> course = PhantomCourse::of(phantom);
    const std::shared_ptr<const FramedCounts> frames = data.frames();
    if (!course || course->decays() == 0) {
        throw BadInput(
            "{}: is not of a simulated phantom with a course in time; 'simulate' makes lists of them",
            source);
    }
    if (frames == nullptr || frames->gates > 0) {
        throw BadInput(
            "{}: {}; bin the list with --frames alone", source,
            frames == nullptr ? "the data are not cut by time" : "gates do not say when they were on");
    }
    if (!frames->nuclide.empty() && frames->nuclide != course->nuclide()) {
        throw BadInput(
            "{}: the data were cut for {}, and the phantom decays as {}; bin them with --nuclide {}", source,
            frames->nuclide, course->nuclide(), course->nuclide());
    }
    return std::move(*course);
}

/// Relative emissions of the whole scan.
double emissionsOf(const PhantomCourse& course) {
    double sum = 0;
    for (std::size_t part = 0; part < course.parts().size(); ++part) {
        const std::vector<double> emitted = course.emittedIn(part, 0, course.duration_s());
        for (std::size_t state = 0; state < emitted.size(); ++state) {
            sum += emitted[state] > 0 ? emitted[state] * emissionsOf(course.phantomOf(part, state)) : 0;
        }
    }
    return sum;
}

std::vector<Emission> emissionsIn(const PhantomCourse& course, const FramedCounts& frames,
                                  const Lattice& lattice) {
    std::vector<Emission> all;
    for (std::size_t part = 0; part < course.parts().size(); ++part) {
        std::vector<Emission> states(course.states());
        for (const FrameCounts& frame : frames.frames) {
            const std::vector<double> emitted =
                course.emittedIn(part, frame.time.start_s, frame.time.end_s());
            for (std::size_t state = 0; state < emitted.size(); ++state) {
                states[state].inFrames.push_back(emitted[state]);
            }
        }
        for (std::size_t state = 0; state < states.size(); ++state) {
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
                                  const std::vector<PhantomShape>& shapes, double perEmission) {
    std::vector<RegionCurve> curves;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::size_t part = course.partOf(i);
        const double factor = course.phantomOf(part, 0).shapes[i].activity;
        if (!(factor > 0)) {
            continue;
        }
        RegionCurve curve;
        curve.name = shapes[i].name.empty() ? course.parts()[part].name : shapes[i].name;
        curve.volume_mm3 = shapes[i].volume_mm3();
        for (std::size_t frame = 0; frame < frames.frames.size(); ++frame) {
            const TimeFrame& time = frames.frames[frame].time;
            curve.means.push_back(perEmission * factor * frames.concentrationPerEmission(frame, 1.0) *
                                  course.parts()[part].emitted.integral(time.start_s, time.end_s()));
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

PhantomTruth truthOf(const Measurement& data, const std::string& source) {
    const Phantom phantom = Phantom::fromNameOrText(
        data.phantom().empty() ? std::string("{}") : data.phantom(), source + ", phantom");
    const PhantomCourse course = courseOf(data, phantom, source);
    const std::shared_ptr<const FramedCounts> frames = data.frames();
    const double perEmission = course.decays() / emissionsOf(course);
    PhantomTruth truth;
    truth.curves = curvesOf(course, *frames, phantom.shapes, perEmission);
    // An activity of 1 decays once a second at the start: concentrationPerEmission() without time.
    const double perSecond = frames->concentrationPerEmission(0, 1.0) / frames->perSecond(0);
    truth.blood = bloodOf(course, perEmission * perSecond);
    DynamicInfo& info = truth.image.info;
    info.lattice = data.lattice();
    for (const FrameCounts& frame : frames->frames) {
        info.frames.push_back(frame.time);
    }
    info.halfLife_s = frames->halfLife_s();
    info.units = info.halfLife_s > 0 ? "Bq/ml" : "1/s/ml";
    info.decay = info.halfLife_s > 0 ? DecayCorrection::Applied : DecayCorrection::None;
    const auto emissions =
        std::make_shared<const std::vector<Emission>>(emissionsIn(course, *frames, info.lattice));
    truth.image.values = [frames, emissions, perEmission](std::size_t frame) {
        const double toValue = perEmission * frames->concentrationPerEmission(frame, 1.0);
        std::vector<float> values(emissions->front().image.size());
        for (const Emission& one : *emissions) {
            const double factor = toValue * one.inFrames[frame];
            for (std::size_t i = 0; factor > 0 && i < values.size(); ++i) {
                values[i] += static_cast<float>(factor * static_cast<double>(one.image[i]));
            }
        }
        return values;
    };
    return truth;
}

}  // namespace tof
