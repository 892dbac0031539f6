// SPDX-License-Identifier: Apache-2.0
// Fourier rebinning of line integrals that mathematics says.
#include "recon/nema/fourier_rebinning.h"

#include <QTest>
#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/nema/resolution.h"

namespace fourier_rebinning_test {

using namespace tof;

namespace {

constexpr double kWidth_mm = 6;  ///< FWHM of the source in every direction
constexpr double kLow_mm = 6;    ///< its height
constexpr int kBeside = 18;      ///< voxels of images on every side of the source

Scanner ring() {
    return Scanner::fromJson(
        R"({"name": "ring", "modules": {"count": 36, "face_to_face_mm": 800, "crystals": [12, 8],
        "pitch_mm": [5, 6]}, "crystal_mm": [4.8, 5.8, 20], "attenuation_per_mm": 0.08, "acceptance_deg": 12,
        "fov_diameter_mm": 500})",
        "ring");
}

/// A field around a source `off_mm` below the axis, seen by lines up to `tilt_deg`, in a scanner of some
/// length.
RebinningField fieldAt(double off_mm, double tilt_deg, double halfLength_mm) {
    RebinningField field;
    field.grid = {15, 360, 220, 2, 2, kLow_mm};
    field.at = {0, -off_mm, kLow_mm};
    field.reach_mm = 18;
    field.steepest = std::tan(tilt_deg * kRadPerDeg);
    field.radius_mm = 400;
    field.halfLength_mm = halfLength_mm;
    return field;
}

/// How tilts are handed to rebinning: as they are, or each as that of the line's mirror image.
enum class Tilts { Right, Mirrored };

/// Line integrals of a Gaussian of kWidth_mm and one count at the field's place, as even detectors on the
/// cylinder record them, at the middle of every bin. Seen along a line of tangent t its width along z has
/// what it is along the line, too: sqrt(1 + t^2) of it.
ObliqueLines gaussian(const RebinningField& field, Tilts tilts = Tilts::Right) {
    const double sigma = kWidth_mm / kFwhmPerSigma;
    const SinogramGrid& grid = field.grid;
    ObliqueLines lines(field);
    const double all = field.steepest / std::hypot(1, field.steepest);
    for (int group = 0; group < field.groups(); ++group) {
        const double low = field.edge(group);
        const double high = field.edge(group + 1);
        const double tilt = 0.5 * (low + high);
        const double share = (high / std::hypot(1, high) - low / std::hypot(1, low)) / all;
        const double along = sigma * std::hypot(1, tilt);
        const double each =
            share / (2 * grid.angles) * grid.bin_mm * grid.slice_mm / (2 * kPi * sigma * along);
        for (int angle = 0; angle < 2 * grid.angles; ++angle) {
            const double turn = kPi * (angle + 0.5) / grid.angles;
            const double s = field.at.y * std::cos(turn) - field.at.x * std::sin(turn);
            const double before = field.at.x * std::cos(turn) + field.at.y * std::sin(turn);
            const double z = field.at.z - tilt * before;
            for (int slice = grid.sliceAt(z - 4.5 * along); slice <= grid.sliceAt(z + 4.5 * along); ++slice) {
                const double dz = (grid.z_mm(slice) - z) / along;
                if (std::abs(grid.z_mm(slice)) + tilt * field.radius_mm > field.halfLength_mm) {
                    continue;
                }
                for (int bin = grid.binAt(s - 4.5 * sigma); bin <= grid.binAt(s + 4.5 * sigma); ++bin) {
                    const double ds = (grid.s_mm(bin) - s) / sigma;
                    const EventLine line{turn, grid.s_mm(bin), grid.z_mm(slice), tilt};
                    const double events = each * std::exp(-0.5 * (ds * ds + dz * dz));
                    // The mirror image of a rising line descends along the same direction.
                    lines.add(tilts == Tilts::Right ? line : EventLine{turn, line.s_mm, line.z_mm, -tilt},
                              events);
                }
            }
        }
    }
    return lines;
}

/// What single-slice rebinning makes of the same lines.
SliceSinograms atTheirMiddles(const ObliqueLines& lines) {
    const SinogramGrid& grid = lines.field().grid;
    SliceSinograms sinograms(ring(), grid);
    for (int group = 0; group < lines.field().groups(); ++group) {
        for (const ObliqueLines::Bin& one : lines.group(group)) {
            const bool turned = one.angle >= grid.angles;
            const int bin = lines.field().windowAt(one.angle) + one.window;
            if (one.slice >= 0 && one.slice < grid.slices) {
                sinograms.count(one.slice, turned ? one.angle - grid.angles : one.angle,
                                turned ? grid.bins - 1 - bin : bin, static_cast<double>(one.events));
            }
        }
    }
    return sinograms;
}

/// One slice after another: 37 x 37 voxels of 1 mm around the source.
Volume imageOf(const SliceSinograms& sinograms, const RebinningField& field) {
    const SinogramGrid& grid = sinograms.grid();
    const Lattice around{{2 * kBeside + 1, 2 * kBeside + 1, grid.slices},
                         {1, 1, grid.slice_mm},
                         {field.at.x - kBeside, field.at.y - kBeside, grid.z_mm(0)}};
    return filteredBackProjection(sinograms, around, ThreadPool(2));
}

SliceSinograms rebinned(const ObliqueLines& lines) {
    SliceSinograms sinograms(ring(), lines.field().grid);
    rebinFourier(lines, ThreadPool(2), sinograms);
    return sinograms;
}

/// Mean height of what lies within the source's width.
double heightOf(const Volume& image, const RebinningField& field) {
    double sum = 0;
    double moment = 0;
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 at = image.lattice.centre(x, y, z);
        if (std::hypot(at.x - field.at.x, at.y - field.at.y) < kWidth_mm) {
            sum += static_cast<double>(image.at(x, y, z));
            moment += static_cast<double>(image.at(x, y, z)) * at.z;
        }
    });
    return moment / sum;
}

/// What Fourier rebinning without any error but its own makes of the column through the source, `z_mm` above
/// it, in any unit.
///
/// Lines of tangent t have the transform of flat ones at sqrt(omega^2 + t^2 w^2), turned by k atan(t w /
/// omega), w the frequency along z. Rebinning turns it back by k t w / omega. What is left at the source is a
/// sum over k of products of two Bessel functions, which Graf's theorem adds up.
double columnOf(const RebinningField& field, double z_mm) {
    constexpr int kSteps = 40;
    constexpr int kTilts = 12;
    const double sigma = kWidth_mm / kFwhmPerSigma;
    const double off = std::hypot(field.at.x, field.at.y);
    const double all = field.steepest / std::hypot(1, field.steepest);
    double sum = 0;
    for (int along = 0; along < kSteps; ++along) {
        const double w = (along + 0.5) * 4 / sigma / kSteps;
        // Heights are interpolated straight, at all places between slices alike; on the axis they stay where
        // they are.
        const double half = 0.5 * w * field.grid.slice_mm * (off > 0 ? 1 : 1e-3);
        const double straight = std::pow(std::sin(half) / half, 2);
        for (int across = 0; across < kSteps; ++across) {
            const double omega = (across + 0.5) * 4 / sigma / kSteps;
            for (int tilt = 0; tilt < kTilts; ++tilt) {
                const double sine = (tilt + 0.5) / kTilts * all;
                const double ratio = sine / std::sqrt(1 - sine * sine) * w / omega;
                const double longer = std::hypot(1, ratio);
                const double turn = ratio - std::atan(ratio);
                const double apart = std::sqrt(1 + longer * longer - 2 * longer * std::cos(turn));
                const double source =
                    std::exp(-0.5 * sigma * sigma * (omega * omega * longer * longer + w * w));
                sum += omega * source * straight * std::cyl_bessel_j(0, omega * off * apart) *
                       std::cos(w * z_mm);
            }
        }
    }
    return sum;
}

/// The column through the source is what the method says, its own error included.
void compareColumn(const Volume& image, const RebinningField& field) {
    const int middle = field.grid.slices / 2;
    const double top = static_cast<double>(image.at(kBeside, kBeside, middle));
    const double expectedTop = columnOf(field, 0);
    for (int above = 1; above <= middle; ++above) {
        const double expected = columnOf(field, above * field.grid.slice_mm) / expectedTop;
        for (const int slice : {middle - above, middle + above}) {
            const double found = static_cast<double>(image.at(kBeside, kBeside, slice)) / top;
            // Straight lines between bins of 2 mm weaken short waves, which are the narrower ones along z: at
            // 1 / sigma by a twentieth, against the mean by less.
            QVERIFY2(std::abs(found - expected) < 0.01,
                     qPrintable(QString("%1: %2, %3").arg(above).arg(found).arg(expected)));
        }
    }
}

}  // namespace

class FourierRebinningTest : public QObject {
    Q_OBJECT

  private slots:
    /// Lines of every tilt, in a scanner without ends and in one that sees the source by few steep lines.
    void aSourceComesBackWhereItIs_data() {
        QTest::addColumn<double>("off");
        QTest::addColumn<double>("tilt");
        QTest::addColumn<double>("halfLength");
        QTest::newRow("on the axis, 12 degrees") << 0.0 << 12.0 << 2000.0;
        QTest::newRow("on the axis, 18 degrees") << 0.0 << 18.0 << 2000.0;
        QTest::newRow("10 cm off, 12 degrees") << 100.0 << 12.0 << 2000.0;
        QTest::newRow("10 cm off, 18 degrees") << 100.0 << 18.0 << 2000.0;
        QTest::newRow("20 cm off, 12 degrees") << 200.0 << 12.0 << 2000.0;
        QTest::newRow("20 cm off, 18 degrees") << 200.0 << 18.0 << 2000.0;
        QTest::newRow("on the axis of a short scanner") << 0.0 << 18.0 << 110.0;
        QTest::newRow("10 cm off in a short scanner") << 100.0 << 18.0 << 110.0;
        QTest::newRow("20 cm off in a short scanner") << 200.0 << 18.0 << 110.0;
    }
    void aSourceComesBackWhereItIs() {
        QFETCH(double, off);
        QFETCH(double, tilt);
        QFETCH(double, halfLength);
        const RebinningField field = fieldAt(off, tilt, halfLength);

        const SliceSinograms sinograms = rebinned(gaussian(field));

        // Long waves, which have the counts, come from flat lines. The grid ends at 14 mm, 5.5 sigma, and
        // steep lines of waves that are longer than the window is wide reach beyond.
        QVERIFY2(std::abs(sinograms.total() - 1) < 0.01, qPrintable(QString::number(sinograms.total())));
        const Volume image = imageOf(sinograms, field);
        QVERIFY2(std::abs(heightOf(image, field) - kLow_mm) < 0.1 * field.grid.slice_mm,
                 qPrintable(QString::number(heightOf(image, field))));
        const PointWidths widths = widthsOf(image);
        for (const std::size_t axis : {std::size_t{0}, std::size_t{1}}) {
            // Straight lines between bins of 2 mm are a triangle, 4 / 6 mm^2, and those between voxels widen
            // by a hundredth: 6.33 mm. Long waves of steep lines take up to 0.2 of it.
            QVERIFY2(std::abs(widths.fwhm_mm[axis] - 6.33) < 0.2,
                     qPrintable(QString("%1: %2").arg(axis).arg(widths.fwhm_mm[axis])));
        }
        if (halfLength > 1000) {
            compareColumn(image, field);
        }
    }

    void singleSlicesAndTheWrongSignAreWider_data() {
        QTest::addColumn<double>("off");
        QTest::addColumn<double>("tilt");
        QTest::newRow("10 cm off, 12 degrees") << 100.0 << 12.0;
        QTest::newRow("20 cm off, 12 degrees") << 200.0 << 12.0;
    }
    void singleSlicesAndTheWrongSignAreWider() {
        QFETCH(double, off);
        QFETCH(double, tilt);
        const RebinningField field = fieldAt(off, tilt, 2000);
        const ObliqueLines lines = gaussian(field);

        const double right = widthsOf(imageOf(rebinned(lines), field)).fwhm_mm[2];
        const double single = widthsOf(imageOf(atTheirMiddles(lines), field)).fwhm_mm[2];
        const double wrong = widthsOf(imageOf(rebinned(gaussian(field, Tilts::Mirrored)), field)).fwhm_mm[2];

        // Lines of the mean tangent, 0.1, have their middles up to 10 and 20 mm beside the source's height.
        QVERIFY2(single > 1.5 * right, qPrintable(QString("%1 %2").arg(single).arg(right)));
        QVERIFY2(wrong > 1.4 * right, qPrintable(QString("%1 %2").arg(wrong).arg(right)));
    }

    void flatLinesStayWhereTheyAre() {
        RebinningField field = fieldAt(150, 1, 2000);
        field.steepest = 1e-5;
        const ObliqueLines lines = gaussian(field);
        QCOMPARE(field.groups(), 1);

        const SliceSinograms found = rebinned(lines);

        const SliceSinograms expected = atTheirMiddles(lines);
        double top = 0;
        double most = 0;
        for (int slice = 0; slice < field.grid.slices; ++slice) {
            for (int angle = 0; angle < field.grid.angles; ++angle) {
                for (int bin = 0; bin < field.grid.bins; ++bin) {
                    const double counts = expected.counts(slice, angle, bin);
                    top = std::max(top, counts);
                    most = std::max(most, std::abs(found.counts(slice, angle, bin) - counts));
                }
            }
        }
        // Lines are moved by 1e-5 * 168 mm at most, a thousandth of a slice. The shortest waves, exp(-pi^2
        // sigma^2 / 8) of the longest for bins of 2 mm, and what Bessel functions have beyond their ends are
        // less.
        QVERIFY2(most < 2e-3 * top, qPrintable(QString::number(most / top)));
    }

    void linesThatCannotBeSeenCountNowhere() {
        const RebinningField field = fieldAt(100, 12, 2000);
        ObliqueLines lines(field);

        lines.add({0.1, 0, kLow_mm, 0.05});                          // passes the axis
        lines.add({0.1, -100, kLow_mm, std::tan(13 * kRadPerDeg)});  // is too steep
        lines.add({0.1, -100, kLow_mm + 100, 0.05});                 // is too high

        for (int group = 0; group < field.groups(); ++group) {
            QVERIFY(lines.group(group).empty());
        }
        lines.add({0.1, -100, kLow_mm, -0.05});
        const int group = static_cast<int>(0.05 / field.steepest * field.groups());
        QCOMPARE(lines.group(group).size(), std::size_t{1});
        SliceSinograms other(ring(), {15, 360, 218, 2, 2, kLow_mm});
        QVERIFY_EXCEPTION_THROWN(rebinFourier(lines, ThreadPool(1), other), WrongUse);
    }
};

QTEST_APPLESS_MAIN(FourierRebinningTest)

}  // namespace fourier_rebinning_test
#include "fourier_rebinning_test.moc"
