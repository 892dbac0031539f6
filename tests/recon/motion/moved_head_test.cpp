// SPDX-License-Identifier: Apache-2.0
// A head that turns by 20 degrees and moves by 10 mm in six steps, put right by a tracker's file: what
// docs/measurements/motion.md tells.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numeric>

#include "app/engines.h"
#include "recon/base/constants.h"
#include "recon/experiment/quiet_run.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/motion/motion_file.h"
#include "recon/simulate/moved_scan.h"
#include "recon/work/bin.h"
#include "recon/work/read_measurement.h"
#include "tests/support/silent_progress.h"

namespace moved_head_test {

using namespace tof;

namespace {

bool full() {
    return qEnvironmentVariableIsSet("TOFSCOPE_FULL");
}
constexpr double kRadius_mm = 9;  ///< radius of the hot spheres
constexpr double kRatio = 8;

/// Six hot spheres 48 mm from the axis of a ball of water, by turns 24 mm below and above the middle.
std::vector<Vec3> places() {
    std::vector<Vec3> all;
    for (int i = 0; i < 6; ++i) {
        const double angle = i * kPi / 3;
        all.push_back({48 * std::cos(angle), 48 * std::sin(angle), i % 2 == 0 ? -24.0 : 24.0});
    }
    return all;
}

Phantom head() {
    std::string shapes =
        R"({"kind":"sphere","role":"background","centre_mm":[0,0,0],"radius_mm":85,"activity":1,"mu_per_mm":0.0096})";
    for (const Vec3& at : places()) {
        shapes += QString(R"(,{"kind":"sphere","role":"sphere","centre_mm":[%1,%2,%3],"radius_mm":%4,)"
                          R"("activity":%5,"mu_per_mm":0.0096})")
                      .arg(at.x)
                      .arg(at.y)
                      .arg(at.z)
                      .arg(kRadius_mm)
                      .arg(kRatio)
                      .toStdString();
    }
    return Phantom::fromJson(R"({"name":"head","shapes":[)" + shapes + "]}", "head");
}

/// A table of `steps` poses of 10 s each, up to 20 degrees about an oblique axis and 10 mm.
void writePoses(const std::string& path, int steps) {
    std::ofstream out(path);
    out.precision(12);
    out << "# frame: scanner\n# units: mm\n# reference: identity\n# end_ms: 60000\n"
        << "time_ms m00 m01 m02 m03 m10 m11 m12 m13 m20 m21 m22 m23\n";
    const Vec3 n = normalized({0.3, 0.2, 0.9327});
    for (int i = 0; i < steps; ++i) {
        const double share = i / 5.0;
        const double c = std::cos(20 * kRadPerDeg * share);
        const double s = std::sin(20 * kRadPerDeg * share);
        for (std::size_t row = 0; row < 3; ++row) {
            out << (row == 0 ? std::to_string(i * 10000) : "");
            const Vec3 turn = cross(n, {row == 0 ? 1.0 : 0.0, row == 1 ? 1.0 : 0.0, row == 2 ? 1.0 : 0.0});
            for (std::size_t column = 0; column < 3; ++column) {
                // Row i of sin [n]x is minus the cross product of n and the i-th axis.
                out << ' ' << (row == column ? c : 0.0) + (1 - c) * n[row] * n[column] - s * turn[column];
            }
            out << ' ' << share * Vec3{6, -5, 6.245}[row];
        }
        out << '\n';
    }
}

/// What an image says of the spheres.
struct Spheres {
    std::array<double, 6> crc{};
    std::array<Vec3, 6> centroid{};
    [[nodiscard]] double meanCrc() const { return std::accumulate(crc.begin(), crc.end(), 0.0) / 6; }
};

/// CRC of the spheres' insides against the ball between them, and the centroids of what is above that.
Spheres spheresIn(const Volume& image) {
    const std::vector<Vec3> centres = places();
    constexpr double kAround_mm = kRadius_mm + 5;
    double background = 0;
    double voxels = 0;
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = image.lattice.centre(x, y, z);
        const bool far = std::all_of(centres.begin(), centres.end(),
                                     [&](Vec3 centre) { return norm(p - centre) > kRadius_mm + 12; });
        if (far && norm(p) < 65) {
            background += static_cast<double>(image.at(x, y, z));
            voxels += 1;
        }
    });
    background /= voxels;
    Spheres found;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        double inside = 0;
        double count = 0;
        double weight = 0;
        Vec3 moment;
        image.lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 off = image.lattice.centre(x, y, z) - centres[i];
            const auto value = static_cast<double>(image.at(x, y, z));
            if (norm(off) <= kRadius_mm) {
                inside += value;
                count += 1;
            }
            if (norm(off) <= kAround_mm) {
                weight += value - background;
                moment = moment + (value - background) * off;
            }
        });
        found.crc[i] = (inside / count / background - 1) / (kRatio - 1);
        found.centroid[i] = centres[i] + (1 / weight) * moment;
    }
    return found;
}

}  // namespace

class MovedHeadTest : public QObject {
    Q_OBJECT

  private slots:
    void spheresAreThoseOfAHeadAtRest_data() {
        QTest::addColumn<QString>("form");
        QTest::newRow("histo-images") << "histo";
        QTest::newRow("lines") << "lors";
    }
    void spheresAreThoseOfAHeadAtRest() {
        QFETCH(QString, form);
        if (form == "lors" && !full()) {
            QSKIP("sensitivities of 33 million lines take minutes: TOFSCOPE_FULL=1");
        }
        form_ = form.toStdString();
        writePoses(file("moved.tsv"), 6);
        writePoses(file("still.tsv"), 1);

        const Spheres still = made("still.tsv", "", 11);
        const Spheres corrected = made("moved.tsv", "moved.tsv", 12);
        const Spheres uncorrected = made("moved.tsv", "", 12);

        double farthest = 0;
        double leftFarthest = 0;
        double widest = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            farthest = std::max(farthest, norm(corrected.centroid[i] - still.centroid[i]));
            leftFarthest = std::max(leftFarthest, norm(uncorrected.centroid[i] - still.centroid[i]));
            widest = std::max(widest, std::abs(corrected.crc[i] - still.crc[i]));
        }
        const QString said =
            QString(
                "CRC at rest %1, corrected %2 (one sphere differs by up to %3), left %4; centroids differ by "
                "up to %5 mm, left %6 mm")
                .arg(still.meanCrc())
                .arg(corrected.meanCrc())
                .arg(widest)
                .arg(uncorrected.meanCrc())
                .arg(farthest)
                .arg(leftFarthest);
        qInfo("%s", qPrintable(said));
        QVERIFY2(std::abs(corrected.meanCrc() - still.meanCrc()) <= 0.02 * noise(), qPrintable(said));
        QVERIFY2(farthest <= 0.3 * noise(), qPrintable(said));
        QVERIFY2(uncorrected.meanCrc() < 0.6 * still.meanCrc() && leftFarthest > 1, qPrintable(said));
    }

  private:
    /// The figures' 12 million events take two minutes; noise goes with the root of fewer.
    [[nodiscard]] std::uint64_t events() const {
        return !full() ? 1'500'000 : form_ == "histo" ? kOfFigures : 3'000'000;
    }
    [[nodiscard]] double noise() const {
        return std::sqrt(static_cast<double>(kOfFigures) / static_cast<double>(events()));
    }
    static constexpr std::uint64_t kOfFigures = 12'000'000;

    /// The spheres of a scan of a head that moves by one file and is put right by another; empty: by none.
    Spheres made(const char* moves, const std::string& corrected, std::uint64_t seed) {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const ThreadPool pool(0);
        const EventList list = simulateMoved(scanner, head(), {.events = events(), .seed = seed},
                                             motionFrom({file(moves), PoseBetween::Hold}), pool, {});
        BinRequest request;
        request.form = form_;
        request.input = file("list.h5");
        request.lattice = Lattice::centred({52, 52, 48}, {4, 4, 4});
        if (!full()) {
            request.azimuths = 24;
            request.tilts = 1;
        }
        request.motion.file = corrected.empty() ? "" : file(corrected.c_str());
        writeEvents(request.input, list);
        writeMeasured(file("data.h5"), binEvents(request, pool, silent_).data);
        const std::shared_ptr<const Measurement> data = readMeasurement(file("data.h5"));
        const ExperimentContext context{engines_, ExperimentSize::Tiny, "cpu", 0,
                                        [](const std::string&, double) {}};
        const RunSettings settings =
            form_ == "lors" ? settingsOf("osem", "cpu", 4) : settingsOf("ramla", "cpu", 8);
        return spheresIn(*runQuietly(context, data, settings, std::nullopt, -1, "head", 0, 1).image);
    }
    [[nodiscard]] std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }

    QTemporaryDir folder_;
    std::string form_;
    test::SilentProgress silent_;
    EngineRegistry engines_ = makeEngineRegistry();
};

QTEST_GUILESS_MAIN(MovedHeadTest)

}  // namespace moved_head_test
#include "moved_head_test.moc"
