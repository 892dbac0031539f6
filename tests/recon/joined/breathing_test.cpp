// SPDX-License-Identifier: Apache-2.0
// Spheres that move by 20 mm in 8 gates, put right by displacement fields: what docs/measurements/motion.md
// tells.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <numeric>

#include "app/engines.h"
#include "recon/base/constants.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/work/bin.h"
#include "recon/work/read_joined.h"
#include "recon/work/read_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/support/silent_progress.h"

namespace breathing_test {

using namespace tof;

namespace {

constexpr int kGates = 8;
constexpr double kWay_mm = 20;
constexpr double kRadius_mm = 11;
constexpr double kRatio = 8;
const Lattice kLattice = Lattice::centred({52, 52, 48}, {4, 4, 4});

double offsetOf(int gate) {
    return kWay_mm * gate / (kGates - 1);
}

/// Spheres in the reference gate, the first.
std::vector<Vec3> places() {
    std::vector<Vec3> all;
    for (int i = 0; i < 6; ++i) {
        const double angle = i * kPi / 3;
        all.push_back({52 * std::cos(angle), 52 * std::sin(angle), i % 2 == 0 ? -40.0 : 20.0});
    }
    return all;
}

/// A ball of water at rest, in which the spheres have gone up.
Phantom breathing(double offset_mm) {
    std::string shapes =
        R"({"kind":"sphere","centre_mm":[0,0,0],"radius_mm":90,"activity":1,"mu_per_mm":0.0096})";
    for (const Vec3& at : places()) {
        shapes += QString(R"(,{"kind":"sphere","centre_mm":[%1,%2,%3],"radius_mm":%4,"activity":%5,)"
                          R"("mu_per_mm":0.0096})")
                      .arg(at.x)
                      .arg(at.y)
                      .arg(at.z + offset_mm)
                      .arg(kRadius_mm)
                      .arg(kRatio)
                      .toStdString();
    }
    return Phantom::fromJson(R"({"name":"breathing","shapes":[)" + shapes + "]}", "breathing");
}

/// Where what is seen at a point of a gate lay in the reference, less the point: all of the way within 8 mm
/// of a sphere, none of it beyond 26 mm, and between by a cosine.
Vec3 displacement(Vec3 p, double offset_mm) {
    constexpr double kWhole_mm = kRadius_mm + 6;
    constexpr double kNone_mm = 36;
    double share = 0;
    for (const Vec3& at : places()) {
        const double off = norm(p - at - Vec3{0, 0, offset_mm});
        const double way = std::clamp((off - kWhole_mm) / (kNone_mm - kWhole_mm), 0.0, 1.0);
        share = std::max(share, 0.5 * (1 + std::cos(kPi * way)));
    }
    return {0, 0, -offset_mm * share};
}

void writeField(const std::string& path, double offset_mm) {
    std::ofstream out(path, std::ios::binary);
    const Vec3 origin = kLattice.origin_mm;
    out << "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\nOffset = "
        << origin.x << ' ' << origin.y << ' ' << origin.z
        << "\nElementSpacing = 4 4 4\nDimSize = " << kLattice.size[0] << ' ' << kLattice.size[1] << ' '
        << kLattice.size[2]
        << "\nElementNumberOfChannels = 3\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n";
    kLattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 u = displacement(kLattice.centre(x, y, z), offset_mm);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto one = static_cast<float>(u[axis]);
            out.write(reinterpret_cast<const char*>(&one), sizeof(one));
        }
    });
}

/// Mean CRC of the spheres' insides against the ball between them.
double contrastIn(const Volume& image) {
    double background = 0;
    double around = 0;
    double inside = 0;
    double within = 0;
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = image.lattice.centre(x, y, z);
        double nearest = 1e9;
        for (const Vec3& at : places()) {
            nearest = std::min(nearest, norm(p - at));
        }
        const auto value = static_cast<double>(image.at(x, y, z));
        if (nearest <= kRadius_mm) {
            inside += value;
            within += 1;
        } else if (std::hypot(p.x, p.y) < 20 && norm(p) < 70) {  // beside the way of the spheres
            background += value;
            around += 1;
        }
    });
    return (inside / within / (background / around) - 1) / (kRatio - 1);
}

}  // namespace

class BreathingTest : public QObject {
    Q_OBJECT

  private slots:
    void contrastIsThatOfAScanAtRest() {
        if (!qEnvironmentVariableIsSet("TOFSCOPE_FULL")) {
            QSKIP("two scans of 4 million events take minutes: TOFSCOPE_FULL=1");
        }
        const Volume rest = imageOf(binned(0, "rest.h5"));
        const auto moved = binned(kWay_mm, "moved.h5");
        std::ofstream table(file("fields.tsv"));
        table << "gate\tfield\n1\tnone\n";
        for (int gate = 1; gate < kGates; ++gate) {
            const std::string name = "field" + std::to_string(gate) + ".mha";
            writeField(file(name), offsetOf(gate));
            table << gate + 1 << '\t' << name << '\n';
        }
        table.close();

        const double atRest = contrastIn(rest);
        const double corrected = contrastIn(imageOf(joinGates(moved, "moved.h5", file("fields.tsv"))));
        const double left = contrastIn(imageOf(moved));

        const QString said =
            QString("CRC at rest %1, with fields %2, left %3").arg(atRest).arg(corrected).arg(left);
        qInfo("%s", qPrintable(said));
        QVERIFY2(std::abs(corrected - atRest) <= 0.04, qPrintable(said));
        QVERIFY2(left < atRest - 0.2, qPrintable(said));
    }

  private:
    /// 8 s of a scan that goes up by `way_mm` in 8 steps, a gate each.
    std::shared_ptr<const Measurement> binned(double way_mm, const char* name) {
        const Scanner scanner = Scanner::find("labr3-ideal");
        EventList all;
        for (int gate = 0; gate < kGates; ++gate) {
            const double offset = way_mm / kWay_mm * offsetOf(gate);
            const EventList own =
                simulate(scanner, breathing(offset),
                         {.events = 500'000, .seed = 100U + 10U * static_cast<unsigned>(gate)}, pool_, {});
            for (std::size_t i = 0; i < own.size(); ++i) {
                all.time_ms.push_back(static_cast<std::uint32_t>(1000 * static_cast<std::size_t>(gate) +
                                                                 1000 * i / own.size()));
            }
            all.scannerJson = own.scannerJson;
            all.phantom = gate == 0 ? own.phantom : all.phantom;
            all.crystals.insert(all.crystals.end(), own.crystals.begin(), own.crystals.end());
            all.dt_ps.insert(all.dt_ps.end(), own.dt_ps.begin(), own.dt_ps.end());
        }
        all.duration_s = kGates;
        std::ofstream(file("triggers.tsv")) << "0\n8\n";
        BinRequest request;
        request.input = file("list.h5");
        request.lattice = kLattice;
        request.gates.file = file("triggers.tsv");
        request.gates.count = kGates;
        writeEvents(request.input, all);
        writeMeasured(file(name), binEvents(request, pool_, silent_).data);
        return readMeasurement(file(name));
    }
    [[nodiscard]] Volume imageOf(std::shared_ptr<const Measurement> data) const {
        ReconstructRequest request;
        request.data = std::move(data);
        for (const auto& [key, value] :
             {std::pair{"engine", "cpu"}, {"algorithm", "osem"}, {"iterations", "6"}, {"subsets", "10"}}) {
            request.settings.set(key, value);
        }
        JobListener listener;
        return *reconstruct(request, engines_, listener).image;
    }
    [[nodiscard]] std::string file(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }

    QTemporaryDir folder_;
    ThreadPool pool_{0};
    test::SilentProgress silent_;
    EngineRegistry engines_ = makeEngineRegistry();
};

QTEST_GUILESS_MAIN(BreathingTest)

}  // namespace breathing_test
#include "breathing_test.moc"
