// SPDX-License-Identifier: Apache-2.0
// Events that are moved back into one pose: where they land, and what is expected of them.
#include <QTest>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/binning/face_spread.h"
#include "recon/binning/interaction_points.h"
#include "recon/simulate/moved_scan.h"
#include "tests/support/full_run.h"
#include "tests/support/phantoms.h"

namespace moved_events_test {

using namespace tof;
using test::pointAt;

namespace {

/// A turn by degrees about an axis, by Rodrigues' formula, and a shift.
Pose turnedBy(double degrees, Vec3 axis, Vec3 shift) {
    const Vec3 n = normalized(axis);
    const double c = std::cos(degrees * kRadPerDeg);
    const double s = std::sin(degrees * kRadPerDeg);
    const double k = 1 - c;
    return {{c + n.x * n.x * k, n.x * n.y * k - n.z * s, n.x * n.z * k + n.y * s, n.y * n.x * k + n.z * s,
             c + n.y * n.y * k, n.y * n.z * k - n.x * s, n.z * n.x * k - n.y * s, n.z * n.y * k + n.x * s,
             c + n.z * n.z * k},
            shift};
}

/// Six steps of a head in 6 s: 20 degrees about an axis and 10 mm.
RigidMotion headMotion(Vec3 axis = {0, 0, 1}, PoseBetween between = PoseBetween::Hold) {
    std::vector<TimedPose> poses;
    for (int i = 0; i < 6; ++i) {
        const double share = i / 5.0;
        poses.push_back({1000.0 * i, turnedBy(20 * share, axis, share * Vec3{6, -5, 6.245})});
    }
    return {poses, 6000, between, "test"};
}

BinningSettings smallViews(std::shared_ptr<const RigidMotion> motion) {
    BinningSettings settings;
    settings.azimuths = 24;
    settings.lattice = Lattice::centred({48, 48, 40}, {4, 4, 4});
    settings.motion = std::move(motion);
    return settings;
}

/// View and voxel of an event by what docs/model.md says, in double: its two end points are moved.
struct Landed {
    bool accepted = false;
    bool inside = false;
    std::size_t view = 0;
    std::size_t voxel = 0;
};

class Definition {
  public:
    Definition(const Scanner& scanner, const BinningSettings& settings)
        : scanner_(scanner),
          settings_(settings),
          grid_(settings.azimuths, settings.tilts, scanner.acceptance_rad),
          points_(scanner, ThreadPool(1)),
          faces_(scanner, settings.endPoints, settings.seed) {}

    [[nodiscard]] Landed land(const EventList& events, std::size_t i, const Pose& pose) const {
        const auto [c1, c2] = events.crystals[i];
        const Pose back = pose.inverse();
        const Vec3 between = scanner_.reference(c2) - scanner_.reference(c1);
        const auto offsets = faces_.offsets(i, c1, c2);
        const Vec3 end1 = back.moved(points_.at(c1, -between) + offsets[0]);
        const Vec3 end2 = back.moved(points_.at(c2, between) + offsets[1]);
        const Vec3 line =
            back.moved(scanner_.reference(c2) + offsets[1]) - back.moved(scanner_.reference(c1) + offsets[0]);
        const Vec3 moved = back.moved(scanner_.reference(c2)) - back.moved(scanner_.reference(c1));
        const Vec3 point =
            0.5 * (end1 + end2) + kMmPerPs * static_cast<double>(events.dt_ps[i]) * normalized(line);
        const VoxelIndex voxel = settings_.lattice.voxelAt(point);
        Landed landed;
        landed.accepted = grid_.accepts(between) && grid_.accepts(moved);
        landed.inside = settings_.lattice.contains(voxel);
        landed.view = grid_.nearestCell(line).index;
        landed.voxel = landed.inside ? settings_.lattice.index(voxel) : 0;
        return landed;
    }

  private:
    const Scanner& scanner_;
    const BinningSettings& settings_;
    ViewGrid grid_;
    InteractionPoints points_;
    FaceSpread faces_;
};

/// A ring of a head's size.
constexpr const char* kSmallRing = R"({"name": "small", "modules": {"count": 24, "face_to_face_mm": 330,
    "crystals": [10, 40], "pitch_mm": [4.3, 4.3]}, "crystal_mm": [4, 4, 20], "attenuation_per_mm": 0.0431,
    "acceptance_deg": 10, "fov_diameter_mm": 200, "timing_fwhm_ps": 400})";

double sumOf(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

class MovedEventsTest : public QObject {
    Q_OBJECT

  private slots:
    void eventsLandWhereADoubleLoopSays_data() {
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        QTest::newRow("about the axis") << 0.0 << 0.0;
        QTest::newRow("nodding, too") << 0.4 << 0.3;
    }
    void eventsLandWhereADoubleLoopSays() {
        QFETCH(double, x);
        QFETCH(double, y);
        const Scanner scanner = Scanner::find("labr3-ideal");
        const auto motion = std::make_shared<const RigidMotion>(headMotion({x, y, 1}));
        const EventList events = simulateMoved(scanner, pointAt({30, 20, 10}), {.events = 40000, .seed = 3},
                                               *motion, ThreadPool(2), {});
        const BinningSettings settings = smallViews(motion);
        const Definition definition(scanner, settings);
        HistoData expected = emptyViews(scanner, settings);
        expected.counts.assign(expected.views.size() * expected.voxels(), 0.0F);

        const HistoData data = depositEvents(events, scanner, settings, ThreadPool(2), {});

        for (std::size_t i = 0; i < events.size(); ++i) {
            const Pose& pose = motion->poses()[events.time_ms[i] / 1000].pose;
            const Landed landed = definition.land(events, i, pose);
            expected.rejected += landed.accepted ? 0 : 1;
            expected.outside += landed.accepted && !landed.inside ? 1 : 0;
            if (landed.accepted && landed.inside) {
                expected.counts[landed.view * expected.voxels() + landed.voxel] += 1;
            }
        }
        QCOMPARE(data.kept + data.outside + data.rejected, std::uint64_t{events.size()});
        QCOMPARE(data.rejected, expected.rejected);
        QCOMPARE(data.outside, expected.outside);
        QCOMPARE(sumOf(data.counts), static_cast<double>(data.kept));
        // Coordinates of both agree to roundings, so an event on a voxel's face may fall to either side: of
        // 40,000 none does but by chance.
        double differ = 0;
        for (std::size_t i = 0; i < data.counts.size(); ++i) {
            differ += std::abs(static_cast<double>(data.counts[i] - expected.counts[i]));
        }
        QVERIFY2(differ <= 2, qPrintable(QString::number(differ)));
        QCOMPARE(data.motion, std::string("rigid"));
    }

    void aPointComesTogetherAgain() {
        Scanner scanner = Scanner::find("labr3-ideal");
        scanner.timing_fwhm_ps = 0;  // times would carry events out of the lattice, at one side more
        const auto motion = std::make_shared<const RigidMotion>(headMotion());
        const Vec3 place{50, -20, 12};
        const EventList events =
            simulateMoved(scanner, pointAt(place), {.events = 60000, .seed = 4}, *motion, ThreadPool(2), {});

        const Vec3 back = centreOf(depositEvents(events, scanner, smallViews(motion), ThreadPool(2), {}));
        const Vec3 left = centreOf(depositEvents(events, scanner, smallViews(nullptr), ThreadPool(2), {}));

        // Crystals of 4 mm and voxels blur by 2 mm or so, 0.01 mm in the mean of 60,000; depths of
        // interaction and the sides of crystals are known to 0.1 mm.
        QVERIFY2(norm(back - place) < 0.15, qPrintable(QString::number(norm(back - place))));
        QVERIFY(norm(left - place) > 5);
    }

    void motionThatIsNoneChangesNoBit() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const auto still = std::make_shared<const RigidMotion>(
            RigidMotion({{0, Pose()}, {700, Pose()}}, 6000, PoseBetween::Interpolate, "test"));
        const EventList events =
            simulateMoved(scanner, pointAt({30, 20, 10}), {.events = 30000, .seed = 5},
                          {{{0, Pose()}}, 6000, PoseBetween::Hold, "test"}, ThreadPool(2), {});
        BinningSettings settings = smallViews(nullptr);
        settings.trilinear = true;  // coordinates count to the last bit
        BinningSettings moving = settings;
        moving.motion = still;

        const HistoData plain = depositEvents(events, scanner, settings, ThreadPool(2), {});
        const HistoData moved = depositEvents(events, scanner, moving, ThreadPool(2), {});

        QVERIFY(still->still());
        QVERIFY(plain.counts == moved.counts);
        QCOMPARE(plain.rejected, moved.rejected);
        QVERIFY(moved.motion.empty());
    }

    void threadsChangeNothing() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const auto motion =
            std::make_shared<const RigidMotion>(headMotion({0.4, 0.3, 1}, PoseBetween::Interpolate));
        const RigidMotion steps = headMotion({0.4, 0.3, 1});
        const EventList events = simulateMoved(scanner, pointAt({30, 20, 10}), {.events = 50000, .seed = 6},
                                               steps, ThreadPool(2), {});

        const HistoData one = depositEvents(events, scanner, smallViews(motion), ThreadPool(1), {});
        const HistoData three = depositEvents(events, scanner, smallViews(motion), ThreadPool(3), {});

        QVERIFY(one.counts == three.counts);
    }

    void listsWithoutTimesAreRefused() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        EventList events;
        events.crystals = {{0, 19440}};
        events.dt_ps = {0};
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(depositEvents(events, scanner,
                                            smallViews(std::make_shared<const RigidMotion>(headMotion())),
                                            ThreadPool(1), {})),
            BadInput);
    }

    /// What mult says of an activity is what is counted of it: with random numbers of its own for each row,
    /// and with any others where TOFSCOPE_FULL=1.
    void expectedCountsAreTheSimulatedOnes_data() {
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        QTest::addColumn<double>("mu");
        QTest::addColumn<std::uint64_t>("first");
        QTest::newRow("about the axis, in air") << 0.0 << 0.0 << 0.0 << std::uint64_t{8};
        QTest::newRow("nodding, in air") << 0.4 << 0.3 << 0.0 << std::uint64_t{9};
        QTest::newRow("nodding, in water") << 0.4 << 0.3 << 0.0096 << std::uint64_t{10};
    }
    void expectedCountsAreTheSimulatedOnes() {
        QFETCH(double, x);
        QFETCH(double, y);
        QFETCH(double, mu);
        QFETCH(std::uint64_t, first);
        Scanner scanner = Scanner::find("labr3-ideal");
        scanner.timing_fwhm_ps = 0;  // mult says nothing of what times carry elsewhere
        constexpr double kRadius_mm = 70;
        Phantom ball;
        ball.name = "ball";
        PhantomShape shape;
        shape.radius_mm = kRadius_mm;
        shape.activity = 1;
        shape.mu_per_mm = mu;
        ball.shapes = {shape};
        const auto motion = std::make_shared<const RigidMotion>(headMotion({x, y, 1}));
        HistoData factors = emptyViews(scanner, smallViews(motion));
        const Volume attenuation = ball.attenuationOn(factors.lattice);
        const Volume emission = ball.emissionOn(factors.lattice);
        computeFactors(factors, scanner, mu > 0 ? &attenuation : nullptr, ThreadPool(2), {}, {},
                       motion->weighed(6, 0));
        factors.expandFactors(ThreadPool(2));

        for (std::uint64_t seed = first; seed < first + (test::fullRun() ? 3 : 1); ++seed) {
            const EventList events =
                simulateMoved(scanner, ball, {.events = 600000, .seed = seed}, *motion, ThreadPool(2), {});
            const HistoData data = depositEvents(events, scanner, smallViews(motion), ThreadPool(2), {});
            const double perVoxel = events.decays * 64 / (4.0 / 3 * kPi * std::pow(kRadius_mm, 3));
            const Compared compared = compare(data, factors, emission, perVoxel);
            const QString said = QString("seed %1: all %2, chi-square a view %3, slices %4")
                                     .arg(seed)
                                     .arg(compared.all)
                                     .arg(compared.perView)
                                     .arg(compared.largestOfSlices);
            // 0.6 million counts: 0.13 %; mult is known to half a per cent, and attenuation on voxels of 4 mm
            // to another half. Chi-square of 72 views is 1 to 0.17, four times that here; 0.9 % of a view's
            // 8,300 counts add 0.67. A slice has some 20,000.
            QVERIFY2(std::abs(compared.all) < 0.01, qPrintable(said));
            QVERIFY2(compared.perView < 1 + 4 * 0.17 + 0.67, qPrintable(said));
            QVERIFY2(compared.largestOfSlices < 0.035, qPrintable(said));
        }
    }

    /// A mean over many poses is that of means over a third of them each, of which every direction takes all.
    void manyPosesAreTheMeanOfFewer() {
        const Scanner scanner = Scanner::fromJson(kSmallRing, "test");
        BinningSettings settings = smallViews(nullptr);
        settings.azimuths = 12;
        settings.lattice = Lattice::centred({10, 10, 4}, {10, 10, 16});
        constexpr int kPoses = 48;
        std::vector<WeighedPose> all;
        std::array<std::vector<WeighedPose>, 3> thirds;
        for (int i = 0; i < kPoses; ++i) {
            const double share = static_cast<double>(i) / kPoses;
            const Pose pose = turnedBy(20 * share, {0.4, 0.3, 1}, share * Vec3{6, -5, 20});
            all.push_back({pose, 1.0 / kPoses});
            thirds[static_cast<std::size_t>(i % 3)].push_back({pose, 3.0 / kPoses});
        }

        const std::vector<float> many = multOf(scanner, settings, all);
        std::vector<double> mean(many.size());
        for (const std::vector<WeighedPose>& third : thirds) {
            const std::vector<float> few = multOf(scanner, settings, third);
            std::transform(few.begin(), few.end(), mean.begin(), mean.begin(),
                           [](float v, double sum) { return sum + static_cast<double>(v) / 3; });
        }

        // A direction takes 32 of 48 poses, 0.6 degrees apart, less than from direction to direction, and the
        // next takes others. Factors of edges are drawn with 1 % or so.
        double squares = 0;
        double sum = 0;
        for (std::size_t i = 0; i < many.size(); ++i) {
            const double off = static_cast<double>(many[i]) - mean[i];
            squares += off * off;
            sum += mean[i];
        }
        const double size = static_cast<double>(many.size());
        const double relative = std::sqrt(squares / size) / (sum / size);
        QVERIFY(sum > 0);
        QVERIFY2(relative < 0.01, qPrintable(QString::number(relative)));
    }

    void scansOfNeighbouringSeedsShareNoEvents() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        std::vector<TimedPose> poses;
        for (int i = 0; i < 6; ++i) {
            poses.push_back({1000.0 * i, Pose()});
        }
        const RigidMotion still(poses, 6000, PoseBetween::Hold, "test");
        std::set<std::tuple<std::uint32_t, std::uint32_t, float>> known;
        std::size_t shared = 0;
        for (const std::uint64_t seed : {5, 6, 7}) {
            const EventList events = simulateMoved(scanner, pointAt({30, 20, 10}),
                                                   {.events = 6000, .seed = seed}, still, ThreadPool(2), {});
            for (std::size_t i = 0; i < events.size(); ++i) {
                const auto [c1, c2] = events.crystals[i];
                shared += known.insert({c1, c2, events.dt_ps[i]}).second ? 0 : 1;
            }
        }

        // Times are numbers of 24 bits, and pairs are many: two events agree once in a million or so.
        QVERIFY2(shared < 3, qPrintable(QString::number(shared)));
    }

  private:
    struct Compared {
        double all = 0;              ///< counts over what is expected, less 1
        double perView = 0;          ///< chi-square
        double largestOfSlices = 0;  ///< over the middle slices
    };
    static Compared compare(const HistoData& data, const HistoData& factors, const Volume& emission,
                            double perVoxel) {
        Compared compared;
        double all = 0;
        const auto slices = static_cast<std::size_t>(data.lattice.size[2]);
        const std::size_t slice = data.voxels() / slices;
        std::vector<double> found(slices, 0.0);
        std::vector<double> expected(slices, 0.0);
        for (std::size_t view = 0; view < data.views.size(); ++view) {
            double counted = 0;
            double told = 0;
            for (std::size_t i = 0; i < data.voxels(); ++i) {
                const std::size_t at = view * data.voxels() + i;
                const double survives = factors.att.empty() ? 1.0 : static_cast<double>(factors.att[at]);
                const double here = perVoxel * static_cast<double>(emission.data[i]) *
                                    static_cast<double>(factors.mult[at]) * survives;
                told += here;
                counted += static_cast<double>(data.counts[at]);
                expected[i / slice] += here;
                found[i / slice] += static_cast<double>(data.counts[at]);
            }
            all += told;
            compared.perView +=
                (counted - told) * (counted - told) / told / static_cast<double>(data.views.size());
        }
        compared.all = static_cast<double>(data.kept) / all - 1;
        for (std::size_t z = 6; z + 6 < slices; ++z) {
            compared.largestOfSlices =
                std::max(compared.largestOfSlices, std::abs(found[z] / expected[z] - 1));
        }
        return compared;
    }

    static std::vector<float> multOf(const Scanner& scanner, const BinningSettings& settings,
                                     const std::vector<WeighedPose>& poses) {
        HistoData data = emptyViews(scanner, settings);
        computeFactors(data, scanner, nullptr, ThreadPool(2), {}, {}, poses);
        data.expandFactors(ThreadPool(2));
        return data.mult;
    }

    static Vec3 centreOf(const HistoData& data) {
        Vec3 sum;
        double counts = 0;
        for (std::size_t i = 0; i < data.counts.size(); ++i) {
            const auto count = static_cast<double>(data.counts[i]);
            sum = sum + count * data.lattice.centre(data.lattice.voxel(i % data.voxels()));
            counts += count;
        }
        return (1 / counts) * sum;
    }
};

QTEST_GUILESS_MAIN(MovedEventsTest)

}  // namespace moved_events_test
#include "moved_events_test.moc"
