// SPDX-License-Identifier: Apache-2.0
// The `cpu` engine beside libparallelproj 2's OpenMP build, in one run (docs/measurements/lines.md): events
// of an object, and a part of the sinograms of a ring scanner, forward and back over each. Every repetition
// takes the programs by turns, and the least processor time and the least time of the clock of each count,
// since others may use the machine. The line before each table says how far Joseph's projection is from the
// peer's. usage: cpu_peer LIBRARY [CASE[,CASE] [THREADS[,THREADS] [MILLIONS [REPETITIONS]]]] CASE: 144, 215
// (lists), bins, tof (sinograms), or all
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "recon/bench/stopwatch.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/seam/projector.h"
#include "recon/systems/lines/line_model.h"
#include "recon/systems/lines/line_operator.h"
#include "tests/bench/object_events.h"

namespace {

using namespace tof;

/// Lines half-way between two axes could be followed along either, and rounding decides: no line is one.
constexpr double kTurn_rad = 0.001;

/// The end points (z, y, x) that another program takes, one line after the other, and its time bins.
struct PeerLines {
    std::vector<float> start;
    std::vector<float> end;
    std::vector<short> bins;  ///< time bins of events; empty for sinograms

    void add(Vec3 one, Vec3 two) {
        for (const double at : {one.z, one.y, one.x}) {
            start.push_back(static_cast<float>(at));
        }
        for (const double at : {two.z, two.y, two.x}) {
            end.push_back(static_cast<float>(at));
        }
    }
    [[nodiscard]] std::size_t count() const { return start.size() / 3; }
};

/// What is measured: a model with one part, and its lines for the other program.
struct Case {
    std::string name;
    LineModel model;
    TofBins tof;
    PeerLines lines;
    std::size_t data = 0;
};

/// libparallelproj, opened where the user says. Its functions are declared as its documentation has them.
class Peer {
  public:
    explicit Peer(const std::string& path) : library_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (library_ == nullptr) {
            throw std::runtime_error("'" + path + "' cannot be opened: " + dlerror());
        }
        forward_ = find<Plain>("joseph3d_fwd");
        back_ = find<PlainBack>("joseph3d_back");
        forwardBins_ = find<Bins>("joseph3d_tof_sino_fwd");
        backBins_ = find<BinsBack>("joseph3d_tof_sino_back");
        forwardEvents_ = find<Events>("joseph3d_tof_lm_fwd");
        backEvents_ = find<EventsBack>("joseph3d_tof_lm_back");
        setThreads_ = find<void(int)>("omp_set_num_threads");
    }
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;
    ~Peer() { dlclose(library_); }

    void setThreads(int threads) const { setThreads_(threads); }

    void forward(const Case& one, const std::vector<float>& image, std::vector<float>& data) const {
        const Frame f(one);
        const PeerLines& l = one.lines;
        if (one.tof.count == 0) {
            forward_(l.start.data(), l.end.data(), image.data(), f.origin, f.voxel, data.data(), l.count(),
                     f.size, 0, 64);
        } else if (l.bins.empty()) {
            forwardBins_(l.start.data(), l.end.data(), image.data(), f.origin, f.voxel, data.data(),
                         l.count(), f.size, f.width, &f.sigma, &f.offset, f.sigmas, f.bins, 0, 0, 0, 64);
        } else {
            forwardEvents_(l.start.data(), l.end.data(), image.data(), f.origin, f.voxel, data.data(),
                           l.count(), f.size, f.width, &f.sigma, &f.offset, f.sigmas, l.bins.data(), f.bins,
                           0, 0, 0, 64);
        }
    }

    void back(const Case& one, const std::vector<float>& data, std::vector<float>& image) const {
        const Frame f(one);
        const PeerLines& l = one.lines;
        std::fill(image.begin(), image.end(), 0.0F);
        if (one.tof.count == 0) {
            back_(l.start.data(), l.end.data(), image.data(), f.origin, f.voxel, data.data(), l.count(),
                  f.size, 0, 64);
        } else if (l.bins.empty()) {
            backBins_(l.start.data(), l.end.data(), image.data(), f.origin, f.voxel, data.data(), l.count(),
                      f.size, f.width, &f.sigma, &f.offset, f.sigmas, f.bins, 0, 0, 0, 64);
        } else {
            backEvents_(l.start.data(), l.end.data(), image.data(), f.origin, f.voxel, data.data(), l.count(),
                        f.size, f.width, &f.sigma, &f.offset, f.sigmas, l.bins.data(), f.bins, 0, 0, 0, 64);
        }
    }

  private:
    using Plain = void(const float*, const float*, const float*, const float*, const float*, float*,
                       std::size_t, const int*, int, int);
    using PlainBack = void(const float*, const float*, float*, const float*, const float*, const float*,
                           std::size_t, const int*, int, int);
    using Bins = void(const float*, const float*, const float*, const float*, const float*, float*,
                      std::size_t, const int*, float, const float*, const float*, float, short, unsigned char,
                      unsigned char, int, int);
    using BinsBack = void(const float*, const float*, float*, const float*, const float*, const float*,
                          std::size_t, const int*, float, const float*, const float*, float, short,
                          unsigned char, unsigned char, int, int);
    using Events = void(const float*, const float*, const float*, const float*, const float*, float*,
                        std::size_t, const int*, float, const float*, const float*, float, const short*,
                        short, unsigned char, unsigned char, int, int);
    using EventsBack = void(const float*, const float*, float*, const float*, const float*, const float*,
                            std::size_t, const int*, float, const float*, const float*, float, const short*,
                            short, unsigned char, unsigned char, int, int);

    /// A case in the peer's words. Its last axis is the one that is quickest in memory: our x.
    struct Frame {
        explicit Frame(const Case& one) {
            const Lattice& l = one.model.lattice;
            const double middle[3] = {l.origin_mm.z, l.origin_mm.y, l.origin_mm.x};
            for (const int k : {0, 1, 2}) {
                const auto axis = static_cast<std::size_t>(2 - k);
                size[k] = l.size[axis];
                voxel[k] = static_cast<float>(l.spacing_mm[axis]);
                origin[k] = static_cast<float>(middle[k]);
            }
            const RayTof t = rayTof(one.tof);
            bins = static_cast<short>(t.count);
            width = static_cast<float>(t.width_mm);
            sigma = static_cast<float>(t.sigma_mm);
            // Its Gaussian ends so far from a bin's middle, ours from a bin's edges: both at one place.
            sigmas = t.count > 0 ? static_cast<float>((t.reach_mm + 0.5 * t.width_mm) / t.sigma_mm) : 0.0F;
        }
        int size[3];
        float voxel[3];
        float origin[3];
        short bins;
        float width;
        float sigma;
        float sigmas;
        float offset = 0;
    };

    template <typename Function>
    Function* find(const char* name) {
        void* const found = dlsym(library_, name);
        if (found == nullptr) {
            throw std::runtime_error(std::string("The library has no function '") + name +
                                     "': give libparallelproj 2 built with OpenMP");
        }
        return reinterpret_cast<Function*>(found);
    }

    void* library_;
    Plain* forward_;
    PlainBack* back_;
    Bins* forwardBins_;
    BinsBack* backBins_;
    Events* forwardEvents_;
    EventsBack* backEvents_;
    void (*setThreads_)(int);
};

Case listCase(const ObjectRow& row, std::size_t count) {
    Case out;
    out.name = std::string("list ") + row.name;
    out.model.lattice = Lattice::centred(row.size, {row.voxel_mm, row.voxel_mm, row.voxel_mm});
    out.tof = row.tof;
    ObjectRow turned = row;
    turned.scanner.firstAngle_rad = kTurn_rad;
    const std::shared_ptr<LineEvents> events = objectEvents(turned, count, ThreadPool());
    events->eventsPerPart = count;
    for (std::size_t i = 0; i < count; ++i) {
        const auto [c1, c2] = events->pairs[i];
        out.lines.add(events->points[c1], events->points[c2]);
        out.lines.bins.push_back(static_cast<short>(row.tof.bin(static_cast<double>(events->dt_ps[i]))));
    }
    out.data = count;
    out.model.lines = std::shared_ptr<const LineEvents>(events);
    return out;
}

/// The sinograms of every hundred and fortieth azimuth of `ge-ste`.
Case sinogramCase(const std::string& name, const TofBins& tof) {
    Case out;
    out.name = name;
    MichelogramSpec spec = MichelogramSpec::find("ge-ste");
    spec.tof = tof;
    spec.scanner.firstAngle_rad = kTurn_rad;
    spec.anglesPerPart = 2;
    if (tof.count > 0) {
        spec.segments = segmentsOfSpan(spec.scanner.rings, 11, 16);
    }
    const auto m = std::make_shared<const Michelogram>(spec);
    for (int slot = 0; slot < spec.anglesPerPart; ++slot) {
        for (const Sinogram& plane : m->sinograms()) {
            for (int radial = 0; radial < m->radialBins(); ++radial) {
                const TransverseLine t = m->line(m->angleOfSlot(slot), radial);
                out.lines.add({t.x1, t.y1, plane.z1_mm}, {t.x2, t.y2, plane.z2_mm});
            }
        }
    }
    out.model.lattice = defaultLattice(*m);
    out.model.lines = m;
    out.tof = tof;
    out.data = m->partSize();
    return out;
}

/// An uneven object that is zero near the faces of the lattice, where models end their lines differently.
std::vector<float> objectImage(const Lattice& lattice) {
    std::vector<float> values = unevenValues(lattice.voxels());
    lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 at = lattice.centre(x, y, z);
        const bool inside = std::hypot(at.x, at.y) < 200 && z > 2 && z < lattice.size[2] - 3;
        values[lattice.index(x, y, z)] *= inside ? 1.0F : 0.0F;
    });
    return values;
}

double processorSeconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Least times of one direction, s.
struct Least {
    double processor = 1e300;
    double clock = 1e300;

    void measure(const std::function<void()>& work) {
        const auto begin = std::chrono::steady_clock::now();
        const double before = processorSeconds();
        work();
        processor = std::min(processor, processorSeconds() - before);
        clock = std::min(clock, secondsSince(begin));
    }
};

/// One program at one case.
struct Contestant {
    std::string name;
    std::function<void()> forward;
    std::function<void()> back;
    Least forwardTime{};
    Least backTime{};
};

/// Our projector by a method, with its arrays.
class Ours {
  public:
    Ours(const Case& one, RayMethod method, int threads) {
        const std::shared_ptr<const Engine> engine = makeCpuEngine();
        EngineOptions options;
        options.threads = threads;
        LineModel model = one.model;
        model.method = method;
        space_ = engine->makeSpace(options);
        projector_ = requireProjector(*engine, model, space_, options);
        image_ = space_->allocate(projector_->imageSize());
        result_ = space_->allocate(projector_->imageSize());
        data_ = space_->allocate(one.data);
        values_ = space_->allocate(one.data);
        space_->upload(objectImage(model.lattice), image_.view());
        space_->upload(unevenValues(one.data), values_.view());
    }
    void forward() { projector_->forward(0, image_.view(), data_.view()); }
    void back() { projector_->back(0, values_.view(), result_.view(), Write::Overwrite); }
    [[nodiscard]] const float* data() { return data_.view().data; }
    [[nodiscard]] const float* image() { return result_.view().data; }

  private:
    std::shared_ptr<Space> space_;
    std::unique_ptr<Projector> projector_;
    Array image_;
    Array result_;
    Array data_;
    Array values_;
};

/// The largest difference of two arrays where `asked` is not 0, of the maximum of the second.
double apart(const float* found, const std::vector<float>& expected, const std::vector<float>& asked) {
    float most = 0;
    float highest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        most = std::max(most, asked[i] != 0.0F ? std::abs(found[i] - expected[i]) : 0.0F);
        highest = std::max(highest, expected[i]);
    }
    return static_cast<double>(most / highest);
}

void print(const Case& one, int threads, const std::vector<Contestant>& all) {
    const auto sum = [](const Contestant& c, double Least::*time) {
        return c.forwardTime.*time + c.backTime.*time;
    };
    for (const Contestant& c : all) {
        std::printf("| %s | %d | %s | %.3f | %.3f | %.2f | %.3f | %.2f |\n", one.name.c_str(), threads,
                    c.name.c_str(), c.forwardTime.processor, c.backTime.processor,
                    sum(all.back(), &Least::processor) / sum(c, &Least::processor), sum(c, &Least::clock),
                    sum(all.back(), &Least::clock) / sum(c, &Least::clock));
    }
    std::fflush(stdout);
}

void compare(const Peer& peer, const Case& one, int threads, int repetitions) {
    const std::vector<float> image = objectImage(one.model.lattice);
    const std::vector<float> values = unevenValues(one.data);
    std::vector<float> projected(one.data, 0.0F);
    std::vector<float> result(image.size());
    Ours siddon(one, RayMethod::Siddon, threads);
    Ours joseph(one, RayMethod::Joseph, threads);
    peer.setThreads(threads);
    std::vector<Contestant> all{{"siddon", [&] { siddon.forward(); }, [&] { siddon.back(); }},
                                {"joseph", [&] { joseph.forward(); }, [&] { joseph.back(); }},
                                {"libparallelproj", [&] { peer.forward(one, image, projected); },
                                 [&] { peer.back(one, values, result); }}};
    for (int i = 0; i < repetitions; ++i) {
        for (Contestant& c : all) {
            c.forwardTime.measure(c.forward);
            c.backTime.measure(c.back);
        }
    }
    std::printf(
        "%s: %zu lines, %zu data; joseph is within %.1e of the peer's highest datum, %.1e of its highest "
        "voxel\n",
        one.name.c_str(), one.lines.count(), one.data, apart(joseph.data(), projected, values),
        apart(joseph.image(), result, image));
    print(one, threads, all);
}

Case caseOf(const std::string& name, double millions) {
    for (const ObjectRow& row : objectRows()) {
        if (name == row.name) {
            return listCase(row, static_cast<std::size_t>(1e6 * millions));
        }
    }
    return name == "tof" ? sinogramCase("sinograms with time", {13, 340, 550, 3})
                         : sinogramCase("sinograms", {});
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::puts("Skipped: give the path of libparallelproj 2 built with OpenMP.");
        return 0;
    }
    const auto given = [&](int at, const char* usual) { return std::string(argc > at ? argv[at] : usual); };
    const std::string cases = given(2, "all") == "all" ? "144,215,bins,tof" : given(2, "all");
    // Threads of its that wait do not take the processor, as ours do not.
    setenv("OMP_WAIT_POLICY", "passive", 1);
    try {
        const Peer peer(argv[1]);
        std::puts("| data | threads | program | forward, processor s | back | ratio | clock s | ratio |");
        std::puts("| --- | --- | --- | --- | --- | --- | --- | --- |");
        for (const std::string& name : listed(cases)) {
            const Case one = caseOf(name, std::atof(given(4, "0.5").c_str()));
            for (const std::string& threads : listed(given(3, "1,2"))) {
                compare(peer, one, std::atoi(threads.c_str()), std::atoi(given(5, "5").c_str()));
            }
        }
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "%s\n", fault.what());
        return 1;
    }
    return 0;
}
