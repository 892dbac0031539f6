// SPDX-License-Identifier: Apache-2.0
// Lines of response of what moved: where they lie in the reference pose, what is expected of them, and the
// image that they make.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>

#include "app/engines.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/corrections/line_corrections.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/motion/motion_file.h"
#include "recon/motion/pose_shares.h"
#include "recon/simulate/moved_scan.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/line_model.h"
#include "recon/work/bin.h"
#include "recon/work/reconstruct.h"
#include "tests/recon/projector_fixtures.h"
#include "tests/support/phantoms.h"
#include "tests/support/refusal.h"
#include "tests/support/silent_progress.h"

namespace moved_lines_test {

using namespace tof;
using tof::test::saidBy;
using namespace tof::fixtures;

namespace {

/// 8 flat modules of 16 x 8 crystals, 220 mm from face to face.
constexpr const char* kModules =
    R"({"name":"flat","modules":{"count":8,"face_to_face_mm":220,"first_angle_deg":10,"crystals":[16,8],)"
    R"("pitch_mm":[5,5]},"crystal_mm":[5,5,10],"attenuation_per_mm":0.08,"acceptance_deg":30,)"
    R"("fov_diameter_mm":180,"timing_fwhm_ps":200})";
const Lattice kLattice = Lattice::centred({36, 36, 15}, {4, 4, 4});
constexpr Vec3 kPlace{30, 20, 8};

/// The second pose from 3 s on: a turn about the axis by a right-angled triangle of sides 3, 4 and 5, tilted
/// by one of 7, 24 and 25.
constexpr std::array<double, 9> kTurn{0.8, -0.6, 0, 0.576, 0.768, -0.28, 0.168, 0.224, 0.96};
constexpr Vec3 kShift{4, -3, -12};

/// Where a point at a time was seen from what moved: the inverse of a rotation is its transpose.
Vec3 movedBack(Vec3 p, std::uint32_t time_ms) {
    if (time_ms < 3000) {
        return p;
    }
    const Vec3 q = p - kShift;
    return {kTurn[0] * q.x + kTurn[3] * q.y + kTurn[6] * q.z,
            kTurn[1] * q.x + kTurn[4] * q.y + kTurn[7] * q.z,
            kTurn[2] * q.x + kTurn[5] * q.y + kTurn[8] * q.z};
}

Phantom ballAt(Vec3 at) {
    Phantom ball;
    ball.name = "ball";
    PhantomShape shape;
    shape.centre = at;
    shape.radius_mm = 8;
    shape.activity = 1;
    ball.shapes = {shape};
    return ball;
}

}  // namespace

class MovedLinesTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        std::string rows = "0 1 0 0 0 0 1 0 0 0 0 1 0\n3000";
        for (std::size_t row = 0; row < 3; ++row) {
            rows += QString(" %1 %2 %3 %4")
                        .arg(kTurn[3 * row])
                        .arg(kTurn[3 * row + 1])
                        .arg(kTurn[3 * row + 2])
                        .arg(kShift[row])
                        .toStdString();
        }
        writePoses("moved.tsv", rows + "\n");
        writePoses("still.tsv", "0 1 0 0 0 0 1 0 0 0 0 1 0\n");
        writePoses("up.tsv", "0 1 0 0 0 0 1 0 0 0 0 1 4\n");
        events_ = simulateMoved(scanner_, ballAt(kPlace), {.events = 40000, .seed = 3},
                                motionFrom({file("moved.tsv"), PoseBetween::Hold}), pool_, {});
        writeEvents(file("list.h5"), events_);
    }

    void motionThatIsNoneChangesNoBitOfTheFile() {
        writeMeasured(file("plain.h5"), binned(""));
        writeMeasured(file("still.h5"), binned("still.tsv"));

        QVERIFY(bytesOf("plain.h5") == bytesOf("still.h5"));
    }

    void linesEndWhereADoubleLoopSays() {
        const LineData data = lines("moved.tsv");

        QCOMPARE(data.events->pairs.size() + data.rejected, events_.size());
        QCOMPARE(data.crystals(), scanner_.crystals.size());
        std::size_t line = 0;
        double farthest = 0;
        for (std::size_t i = 0; i < events_.size(); ++i) {
            const auto [c1, c2] = events_.crystals[i];
            if (!data.possible.accepts(scanner_.reference(c1), scanner_.reference(c2))) {
                continue;
            }
            const auto [one, two] = data.events->pairs[line];
            QCOMPARE(data.crystalOf(one), c1);
            QCOMPARE(data.crystalOf(two), c2);
            QCOMPARE(data.events->dt_ps[line], events_.dt_ps[i]);
            for (const auto& [point, crystal] : {std::pair(one, c1), std::pair(two, c2)}) {
                const Vec3 expected = movedBack(scanner_.reference(crystal), events_.time_ms[i]);
                farthest = std::max(farthest, norm(data.events->points[point] - expected));
            }
            ++line;
        }
        QCOMPARE(line, data.events->pairs.size());
        // The file has six digits of a matrix whose entries have three: rounding alone.
        QVERIFY2(farthest < 1e-9, qPrintable(QString::number(farthest)));
    }

    void aFileKeepsThem() {
        const LineData data = lines("moved.tsv");
        writeLineData(file("lines.h5"), data);
        const LineData read = readLineData(file("lines.h5"));

        QVERIFY(read.events->pairs == data.events->pairs);
        QVERIFY(read.possible.poses == data.possible.poses);
        QCOMPARE(read.hash, data.hash);
        QVERIFY(read.hash != lines("").hash);
        LineData wrong = data;
        wrong.possible.poses.back() += 0.01;
        writeLineData(file("wrong.h5"), wrong);
        const QString sentence = saidBy([&] { static_cast<void>(readLineData(file("wrong.h5"))); });
        QVERIFY2(sentence.contains("'/possible/poses' are no shares that add up to 1"), qPrintable(sentence));
        // Points of no pose, those of the scanner at rest, come before those of the first.
        LineData resting = data;
        auto events = std::make_shared<std::decay_t<decltype(*data.events)>>(*data.events);
        events->pairs.front() = {0, 5};
        resting.events = events;
        writeLineData(file("resting.h5"), resting);
        QVERIFY(saidBy([&] { static_cast<void>(readLineData(file("resting.h5"))); }).contains("or of none"));
    }

    void forwardAndBackAreAdjoint() {
        LineModel model;
        model.lattice = kLattice;
        model.lines = lines("moved.tsv").events;
        HostHarness harness(*cpu_, model, options());
        for (std::size_t part = 0; part < harness.projector().parts(); ++part) {
            const std::vector<float> x = uniformData(kLattice.voxels(), 5, 0, 1);
            const std::vector<float> p = uniformData(harness.projector().dataSize(part), 6, 0, 1);

            const double one = dotProduct(harness.forward(part, x), p);
            const double two = dotProduct(x, harness.back(part, p));

            QVERIFY(one > 0);
            QVERIFY2(std::abs(one - two) <= 1e-5 * one, qPrintable(QString::number(two / one - 1)));
        }
    }

    /// Every pair is possible in every pose, for its share of what it is worth where nothing moves.
    void possibleLinesAreThoseOfAllPoses() {
        const std::map<Pair, double> plain = possible(lines(""));
        const LineData data = lines("moved.tsv");
        const std::map<Pair, double> moved = possible(data);

        QCOMPARE(data.possible.poses.size(), std::size_t{2});
        QCOMPARE(moved.size(), 2 * plain.size());
        const auto crystals = static_cast<std::uint32_t>(data.crystals());
        for (const auto& [pair, mult] : plain) {
            for (const std::uint32_t pose : {1U, 2U}) {
                const double there = moved.at({pair[0] + pose * crystals, pair[1] + pose * crystals});
                QVERIFY(std::abs(there - 0.5 * mult) <= 1e-5 * mult);
            }
        }
    }

    /// What lies one voxel up in the scanner all the time is as sensitive as the scanner is one voxel up.
    void aShiftByOneVoxelShiftsTheSensitivity() {
        const std::vector<float> plain = sensitivity(lines(""));
        const std::vector<float> up = sensitivity(lines("up.tsv"));
        const std::size_t slice = 36 * 36;
        std::vector<float> found(up.begin(), up.end() - static_cast<std::ptrdiff_t>(slice));
        std::vector<float> expected(plain.begin() + static_cast<std::ptrdiff_t>(slice), plain.end());

        // Lines of single precision: their ends are rounded to 1e-5 mm, and what lies on a voxel's face may
        // fall to either side.
        const double off = relativeToMaximum(found, expected);
        QVERIFY2(off < 2e-3, qPrintable(QString::number(off)));
    }

    void theBallIsWhereItWasAtFirst() {
        const Vec3 back = centreOf(image(lines("moved.tsv")), 16);
        const Vec3 left = centreOf(image(lines("")), 60);  // of two balls

        // 40,000 events of 15 mm; voxels and crystals of 4 and 5 mm.
        QVERIFY2(norm(back - kPlace) < 0.5, qPrintable(QString::number(norm(back - kPlace))));
        QVERIFY2(norm(left - kPlace) > 3, qPrintable(QString::number(norm(left - kPlace))));
    }

    /// Randoms and efficiencies belong to crystals, wherever these were seen from.
    void correctionsAreThoseOfTheCrystals() {
        LineData plain = detected("");
        LineData moved = detected("moved.tsv");
        const std::vector<float> efficiencies = uniformData(scanner_.crystals.size(), 7, 0.5F, 1.5F);
        plain.possible.efficiencies = efficiencies;
        moved.possible.efficiencies = efficiencies;
        const std::vector<float> some = uniformData(scanner_.crystals.size(), 8, 1, 2);
        const std::vector<double> rates(some.begin(), some.end());
        const ListExpectations one(plain, pool_);
        const ListExpectations two(moved, pool_);

        QVERIFY(one.randoms(rates, 6) == two.randoms(rates, 6));
        QVERIFY(one.mult() == two.mult());
    }

    /// The poses come back from where crystals lay, and with them the events: binning these anew counts what
    /// binning the list does. Lines of a pose take its function, at their place in the scanner.
    void scatterIsThatOfEachPose() {
        const LineData plain = detected("");
        const LineData moved = detected("moved.tsv");
        const ListExpectations one(plain, pool_);
        const ListExpectations two(moved, pool_);
        const std::vector<WeighedPose> poses = two.poses();
        QCOMPARE(poses.size(), std::size_t{2});
        QVERIFY(poses[0].pose.distance(Pose(), 150) < 1e-9);
        QVERIFY(poses[1].pose.distance({kTurn, kShift}, 150) < 1e-9);
        QCOMPARE(poses[1].weight, 0.5);

        BinningSettings settings;
        settings.azimuths = 6;
        settings.tilts = 3;
        settings.lattice = kLattice;
        settings.endPoints = EndPoints::Centre;  // others are drawn by the number of the event
        settings.motion = std::make_shared<const RigidMotion>(motionOver(poses));
        const HistoData again = depositEvents(two.events(), scanner_, settings, pool_, {});
        settings.motion =
            std::make_shared<const RigidMotion>(motionFrom({file("moved.tsv"), PoseBetween::Hold}));
        const HistoData list = depositEvents(events_, scanner_, settings, pool_, {});
        QCOMPARE(again.kept, list.kept);
        QVERIFY(again.counts == list.counts);

        std::vector<PosedScatter> scatter;
        for (const WeighedPose& pose : poses) {
            LineFunction lines(CoarseRing::of(scanner_, 40, 20), Samples::covering(150, 10));
            for (std::size_t pair = 0; pair < lines.pairs(); ++pair) {
                std::fill_n(lines.values(pair), lines.along().count,
                            static_cast<float>(1 + 2 * scatter.size()));
            }
            scatter.push_back({pose, lines});
        }
        const std::vector<float> found = two.scatter(scatter);
        scatter.pop_back();
        const std::vector<float> first = one.scatter(scatter);
        QCOMPARE(found.size(), first.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            const bool later = moved.events->pairs[i][0] / moved.crystals() == 2;
            QVERIFY(std::abs(found[i] - (later ? 3 : 1) * first[i]) <= 1e-5F * found[i]);
        }
    }

    void whatCannotBeRightIsRefused() {
        const QString castor =
            saidBy([&] { static_cast<void>(writeCastor(file("moved.cdh"), lines("moved.tsv"))); });
        QVERIFY2(castor.contains("write them to .h5"), qPrintable(castor));
    }

  private:
    using Pair = std::array<std::uint32_t, 2>;

    [[nodiscard]] MeasuredData binned(const std::string& motion) {
        BinRequest request;
        request.input = file("list.h5");
        request.form = "lors";
        request.mu = "none";
        request.lattice = kLattice;
        request.motion.file = motion.empty() ? "" : file(motion);
        return binEvents(request, pool_, silent_).data;
    }
    /// Lines of a scanner that says how it detects.
    [[nodiscard]] LineData detected(const std::string& motion) {
        std::string detects = kModules;
        detects.insert(detects.size() - 1, R"(,"detection":{"material":"LaBr3","energy_resolution":0.07,)"
                                           R"("window_kev":[480,650],"coincidence_ns":3})");
        LineData data = lines(motion);
        data.possible.scanner = std::make_shared<const Scanner>(Scanner::fromJson(detects, "test"));
        return data;
    }
    [[nodiscard]] LineData lines(const std::string& motion) { return std::get<LineData>(binned(motion)); }

    /// mult of the possible pairs, those of equal ends added up.
    [[nodiscard]] std::map<Pair, double> possible(const LineData& data) const {
        const AllLines all = allLines(data, pool_);
        const LineEvents& events = *std::get<std::shared_ptr<const LineEvents>>(all.lines);
        std::map<Pair, double> found;
        for (std::size_t i = 0; i < events.pairs.size(); ++i) {
            if (all.data.mult[i] > 0) {
                const auto [one, two] = events.pairs[i];
                found[{std::min(one, two), std::max(one, two)}] += static_cast<double>(all.data.mult[i]);
            }
        }
        return found;
    }
    [[nodiscard]] std::vector<float> sensitivity(const LineData& data) const {
        const AllLines all = allLines(data, pool_);
        LineModel model;
        model.lattice = kLattice;
        model.lines = all.lines;
        HostHarness harness(*cpu_, model, options());
        std::vector<float> sum(kLattice.voxels(), 0.0F);
        for (std::size_t part = 0; part < harness.projector().parts(); ++part) {
            const float* const mult = all.data.mult.data() + all.data.firstOf(part);
            sum = harness.back(part, {mult, mult + harness.projector().dataSize(part)}, Write::Add, sum);
        }
        return sum;
    }
    [[nodiscard]] Volume image(LineData data) const {
        RunSettings settings;
        settings.set("engine", "cpu");
        settings.set("algorithm", "osem");
        settings.set("iterations", "4");
        settings.set("subsets", "4");
        JobListener listener;
        const EngineRegistry engines = makeEngineRegistry();
        ReconstructRequest request;
        request.data = std::make_shared<LineMeasurement>(std::move(data));
        request.settings = settings;
        return *reconstruct(request, engines, listener).image;
    }
    /// Centre of what lies within `reach_mm` of it, found from the largest value.
    static Vec3 centreOf(const Volume& image, double reach_mm) {
        const auto largest = std::max_element(image.data.begin(), image.data.end()) - image.data.begin();
        Vec3 centre = image.lattice.centre(image.lattice.voxel(static_cast<std::size_t>(largest)));
        for (int turn = 0; turn < 5; ++turn) {
            Vec3 sum;
            double weight = 0;
            for (std::size_t i = 0; i < image.data.size(); ++i) {
                const Vec3 p = image.lattice.centre(image.lattice.voxel(i));
                if (norm(p - centre) < reach_mm) {
                    sum = sum + static_cast<double>(image.data[i]) * p;
                    weight += static_cast<double>(image.data[i]);
                }
            }
            centre = (1 / weight) * sum;
        }
        return centre;
    }
    static EngineOptions options() {
        EngineOptions options;
        options.threads = 2;
        return options;
    }
    void writePoses(const char* name, const std::string& poses) const {
        std::ofstream(file(name)) << "# frame: scanner\n# units: mm\n# reference: identity\n# end_ms: 6000\n"
                                  << "time_ms m00 m01 m02 m03 m10 m11 m12 m13 m20 m21 m22 m23\n"
                                  << poses;
    }
    [[nodiscard]] QByteArray bytesOf(const char* name) const {
        QFile read(folder_.filePath(name));
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }
    [[nodiscard]] std::string file(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }

    QTemporaryDir folder_;
    ThreadPool pool_{2};
    test::SilentProgress silent_;
    Scanner scanner_ = Scanner::fromJson(kModules, "test");
    EventList events_;
    std::shared_ptr<const Engine> cpu_ = makeCpuEngine();
};

QTEST_GUILESS_MAIN(MovedLinesTest)

}  // namespace moved_lines_test
#include "moved_lines_test.moc"
