// SPDX-License-Identifier: Apache-2.0
// att in a body that is no cylinder, against lines followed here.
#include <QTest>
#include <cmath>
#include <random>

#include "recon/base/constants.h"
#include "recon/binning/binning.h"

namespace structured_att_test {

using namespace tof;

namespace {

constexpr double kWater = 0.0096;

/// A ring whose modules leave hardly a gap: all directions of a cell are recorded alike.
Scanner closeRing() {
    return Scanner::fromJson(
        R"({"name": "close ring", "modules": {"count": 90, "face_to_face_mm": 930, "first_angle_deg": 0,
        "crystals": [8, 60], "pitch_mm": [4.05, 4.05]}, "crystal_mm": [4.05, 4.05, 30],
        "attenuation_per_mm": 0.0431, "acceptance_deg": 10, "fov_diameter_mm": 576, "timing_fwhm_ps": 400})",
        "test");
}

bool inEllipse(double x, double y, double a, double b) {
    return (x * x) / (a * a) + (y * y) / (b * b) < 1;
}

/// A chest with arms beside it, with lungs, a spine and ribs: 1/mm.
Volume chest() {
    Volume body(Lattice::centred({260, 130, 60}, {2, 2, 4}), 0.0F);
    body.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = body.lattice.centre(x, y, z);
        double mu = inEllipse(p.x, p.y, 170, 110) ? kWater : 0;
        if (inEllipse(p.x, p.y, 160, 102) && !inEllipse(p.x, p.y, 153, 95) &&
            std::fmod(p.y + 0.4 * p.z + 1000, 30) < 12) {
            mu = 0.015;
        }
        for (const double side : {-1.0, 1.0}) {
            mu = inEllipse(p.x - side * 75, p.y - 5, 55, 75) ? 0.0026 : mu;
            mu = std::hypot(p.x - side * 215, p.y + 10) < 38 ? kWater : mu;
            mu = std::hypot(p.x - side * 215, p.y + 10) < 12 ? 0.017 : mu;
        }
        mu = std::hypot(p.x, p.y + 70) < 18 ? 0.015 : mu;
        body.at(x, y, z) = static_cast<float>(mu);
    });
    return body;
}

/// Integral of mu along a line, in steps of half a millimetre.
double along(const Volume& body, Vec3 p, Vec3 d) {
    constexpr double kStep = 0.5;
    constexpr int kSteps = 1100;
    const Lattice& lattice = body.lattice;
    double sum = 0;
    for (int i = -kSteps; i < kSteps; ++i) {
        const Vec3 at = p + (i + 0.5) * kStep * d;
        const auto index = [&](double value, double origin, std::size_t axis) {
            return static_cast<int>(std::floor((value - origin) / lattice.spacing_mm[axis] + 0.5));
        };
        const int x = index(at.x, lattice.origin_mm.x, 0);
        const int y = index(at.y, lattice.origin_mm.y, 1);
        const int z = index(at.z, lattice.origin_mm.z, 2);
        if (x >= 0 && y >= 0 && z >= 0 && x < lattice.size[0] && y < lattice.size[1] && z < lattice.size[2]) {
            sum += kStep * static_cast<double>(body.at(x, y, z));
        }
    }
    return sum;
}

/// Whether a voxel of 4 mm about `p` has one attenuation.
bool isEven(const Volume& body, Vec3 p) {
    bool even = true;
    for (int part = 0; part < 8; ++part) {
        const Vec3 at = p + Vec3{(part & 1) != 0 ? 1.0 : -1.0, (part & 2) != 0 ? 1.0 : -1.0,
                                 (part & 4) != 0 ? 1.0 : -1.0};
        even = even && along(body, at, {0, 0, 1e-9}) == along(body, p, {0, 0, 1e-9});
    }
    return even;
}

/// What survives from a place, over the directions of a cell.
double survivalIn(const Volume& body, Vec3 p, const View& view, double width, double height) {
    constexpr int kAzimuths = 24;
    constexpr int kTilts = 8;
    double sum = 0;
    for (int i = 0; i < kAzimuths; ++i) {
        for (int j = 0; j < kTilts; ++j) {
            const double phi = view.phi + ((i + 0.5) / kAzimuths - 0.5) * width;
            const double theta = view.theta + ((j + 0.5) / kTilts - 0.5) * height;
            sum += std::exp(
                -along(body, p,
                       {std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), std::sin(theta)}));
        }
    }
    return sum / (kAzimuths * kTilts);
}

}  // namespace

class StructuredAttTest : public QObject {
    Q_OBJECT

  private slots:
    void attIsTheMeanOverTheCell() {
        constexpr int kAzimuths = 40;
        constexpr int kTilts = 3;
        const Scanner scanner = closeRing();
        const Volume body = chest();
        BinningSettings settings;
        settings.azimuths = kAzimuths;
        settings.tilts = kTilts;
        settings.lattice = Lattice::centred({90, 60, 12}, {4, 4, 4});
        HistoData data = depositEvents({}, scanner, settings, ThreadPool(1), {});

        computeMult(data, scanner, &body, ThreadPool(2), {});

        std::mt19937 random(2);
        double squares = 0;
        double mean = 0;
        int far = 0;
        constexpr int kPoints = 300;
        for (int n = 0; n < kPoints;) {
            const auto draw = [&](int end) {
                return static_cast<int>(random() % static_cast<unsigned>(end));
            };
            const int x = draw(data.lattice.size[0]);
            const int y = draw(data.lattice.size[1]);
            const int z = draw(data.lattice.size[2]);
            const Vec3 p = data.lattice.centre(x, y, z);
            // Voxels that matter fills unevenly have means over what is filled: those are left out.
            if (!inEllipse(p.x, p.y, 160, 100) || !isEven(body, p)) {
                continue;
            }
            const auto view = static_cast<std::size_t>(draw(kAzimuths * kTilts));
            const double expected =
                survivalIn(body, p, data.views[view], kPi / kAzimuths, 2 * scanner.acceptance_rad / kTilts);
            const double found =
                static_cast<double>(data.att[view * data.voxels() + data.lattice.index(x, y, z)]);
            const double off = found / expected - 1;
            mean += off / kPoints;
            squares += off * off / kPoints;
            far += std::abs(off) > 0.05 ? 1 : 0;
            ++n;
        }
        const double sd = std::sqrt(squares - mean * mean);
        // One azimuth a tilt makes an SD of 1.6 % here, and 3 % of the points are more than 5 % off.
        QVERIFY2(sd < 0.005, qPrintable(QString::number(sd)));
        QVERIFY2(std::abs(mean) < 0.002, qPrintable(QString::number(mean)));
        QCOMPARE(far, 0);
    }
};

QTEST_GUILESS_MAIN(StructuredAttTest)

}  // namespace structured_att_test
#include "structured_att_test.moc"
