// SPDX-License-Identifier: Apache-2.0
// ROIs as voxels, files and rules; reference values from loops in double and from geometry.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <complex>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/metrics/roi_place.h"
#include "recon/metrics/roi_region.h"
#include "recon/phantom/phantom.h"

namespace roi_test {

using namespace tof;

namespace {

Lattice lattice() {
    Lattice grid = Lattice::centred({40, 36, 20}, {3, 4, 5});
    grid.origin_mm = grid.origin_mm + Vec3{1.5, -2, 0.7};
    return grid;
}

Roi roiOf(Roi::Shape shape, Plane plane) {
    Roi roi;
    roi.name = "r";
    roi.shape = shape;
    roi.plane = plane;
    roi.centre = {4.3, -7.9, 3.1};
    roi.radius_mm = 17.3;
    roi.innerRadius_mm = shape == Roi::Shape::Annulus ? 9.2 : 0;
    roi.size_mm = {31.7, 24.1, 28.3};
    if (shape == Roi::Shape::Polygon) {
        // Not convex, and oblique.
        const PlaneFrame axes = planeFrame(plane);
        const double corners[][2] = {{-20, -11}, {18, -15}, {3, 1}, {22, 17}, {-9, 21}};
        for (const auto& corner : corners) {
            Vec3 p = roi.centre;
            (axes.first == 0 ? p.x : p.y) += corner[0];
            (axes.second == 1 ? p.y : p.z) += corner[1];
            roi.vertices.push_back(p);
        }
    }
    return roi;
}

double along(Vec3 v, std::size_t axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// The definition, point by point: is this point inside?
bool inside(const Roi& roi, Vec3 p) {
    const PlaneFrame axes = planeFrame(roi.plane);
    const Vec3 d = p - roi.centre;
    const double u = along(d, axes.first);
    const double v = along(d, axes.second);
    if (roi.angle_deg != 0) {
        // The axes of the shape: the first turned from the plane's first towards its second.
        const std::complex<double> turned =
            std::complex<double>(u, v) * std::polar(1.0, -roi.angle_deg * kRadPerDeg);
        Roi straight = roi;
        straight.angle_deg = 0;
        Vec3 back = p;
        (axes.first == 0 ? back.x : back.y) = along(roi.centre, axes.first) + turned.real();
        (axes.second == 1 ? back.y : back.z) = along(roi.centre, axes.second) + turned.imag();
        return inside(straight, back);
    }
    switch (roi.shape) {
        case Roi::Shape::Circle: return std::hypot(u, v) <= roi.radius_mm;
        case Roi::Shape::Annulus:
            return std::hypot(u, v) <= roi.radius_mm && std::hypot(u, v) >= roi.innerRadius_mm;
        case Roi::Shape::Ellipse:
            return std::hypot(2 * u / along(roi.size_mm, axes.first),
                              2 * v / along(roi.size_mm, axes.second)) <= 1;
        case Roi::Shape::Polygon: {
            double winding = 0;
            for (std::size_t i = 0; i < roi.vertices.size(); ++i) {
                const Vec3 a = roi.vertices[i] - p;
                const Vec3 b = roi.vertices[(i + 1) % roi.vertices.size()] - p;
                const double ax = along(a, axes.first);
                const double ay = along(a, axes.second);
                const double bx = along(b, axes.first);
                const double by = along(b, axes.second);
                winding += std::atan2(ax * by - ay * bx, ax * bx + ay * by);
            }
            return std::abs(winding) > kPi;
        }
        case Roi::Shape::Sphere: return norm(d) <= roi.radius_mm;
        case Roi::Shape::Cylinder:
            return std::hypot(u, v) <= roi.radius_mm && std::abs(along(d, axes.normal)) <= roi.size_mm.z / 2;
        case Roi::Shape::Box:
            return std::abs(d.x) <= roi.size_mm.x / 2 && std::abs(d.y) <= roi.size_mm.y / 2 &&
                   std::abs(d.z) <= roi.size_mm.z / 2;
        case Roi::Shape::Region: return false;
    }
    return false;
}

/// Fraction of a voxel by n^3 (n^2 in the plane of flat shapes) points.
double fractionOf(const Roi& roi, const Lattice& grid, int x, int y, int z, int n) {
    const PlaneFrame axes = planeFrame(roi.plane);
    const bool flat = isFlat(roi.shape);
    int count = 0;
    int all = 0;
    std::array<int, 3> points{n, n, n};
    points[axes.normal] = flat ? 1 : n;
    const auto offset = [&](int sample, std::size_t axis) { return (sample + 0.5) / points[axis] - 0.5; };
    for (int a = 0; a < points[0]; ++a) {
        for (int b = 0; b < points[1]; ++b) {
            for (int c = 0; c < points[2]; ++c) {
                ++all;
                count +=
                    inside(roi, grid.centre(x + offset(a, 0), y + offset(b, 1), z + offset(c, 2))) ? 1 : 0;
            }
        }
    }
    return static_cast<double>(count) / all;
}

Volume noisy(const Lattice& grid) {
    Volume volume(grid);
    std::uint32_t state = 12345;
    for (float& v : volume.data) {
        state = state * 1664525U + 1013904223U;
        v = static_cast<float>(state >> 8U) / 1e5F;
    }
    return volume;
}

/// What roiVoxels() says of a region off its lattice, point by point.
std::vector<WeightedVoxel> countedPoints(const Roi& roi, const Lattice& grid, double& outsideFraction) {
    const Lattice& own = roi.region->lattice;
    const auto offset = [](int sample) { return (sample + 0.5) / 5 - 0.5; };
    const auto holds = [&](Vec3 p) {
        const VoxelIndex at = own.voxelAt(p - (roi.centre - roi.region->home_mm));
        return own.contains(at) && roi.region->contains(own.index(at));
    };
    std::vector<WeightedVoxel> voxels;
    double inside = 0;
    double outside = 0;
    for (int z = -grid.size[2]; z <= 2 * grid.size[2]; ++z) {
        for (int y = -grid.size[1]; y <= 2 * grid.size[1]; ++y) {
            for (int x = -grid.size[0]; x <= 2 * grid.size[0]; ++x) {
                int held = 0;
                for (int i = 0; i < 125; ++i) {
                    held += holds(grid.centre(x + offset(i / 25), y + offset(i / 5 % 5), z + offset(i % 5)))
                                ? 1
                                : 0;
                }
                if (held > 0) {
                    (grid.contains(x, y, z) ? inside : outside) += held / 125.0;
                }
                if (held > 0 && grid.contains(x, y, z)) {
                    voxels.push_back({grid.index(x, y, z), held / 125.0});
                }
            }
        }
    }
    outsideFraction = inside + outside > 0 ? outside / (inside + outside) : 1.0;
    return voxels;
}

}  // namespace

class RoiTest : public QObject {
    Q_OBJECT

  private slots:
    void valuesAreThoseOfALoopInDouble_data() {
        QTest::addColumn<int>("shape");
        QTest::addColumn<int>("plane");
        QTest::addColumn<double>("angle");
        for (int plane = 0; plane < 3; ++plane) {
            const auto row = [&](const char* name, Roi::Shape shape, double angle) {
                QTest::newRow(
                    qPrintable(QString("%1 turned by %2, plane %3").arg(name).arg(angle).arg(plane)))
                    << static_cast<int>(shape) << plane << angle;
            };
            row("ellipse", Roi::Shape::Ellipse, 33.7);
            row("ellipse", Roi::Shape::Ellipse, -121);
            row("box", Roi::Shape::Box, 33.7);
            row("box", Roi::Shape::Box, -121);
        }
        for (int shape = 0; shape < 7; ++shape) {
            for (int plane = 0; plane < 3; ++plane) {
                const QString name = shapeName(static_cast<Roi::Shape>(shape));
                QTest::newRow(qPrintable(QString("%1, plane %2").arg(name).arg(plane)))
                    << shape << plane << 0.0;
            }
        }
    }

    void valuesAreThoseOfALoopInDouble() {
        QFETCH(int, shape);
        QFETCH(int, plane);
        QFETCH(double, angle);
        Roi roi = roiOf(static_cast<Roi::Shape>(shape), static_cast<Plane>(plane));
        roi.angle_deg = angle;
        const Volume volume = noisy(lattice());
        const Lattice& grid = volume.lattice;
        const bool exact = roi.shape == Roi::Shape::Circle || roi.shape == Roi::Shape::Annulus;
        const int samples = exact ? 100 : isFlat(roi.shape) ? 8 : 5;
        const PlaneFrame axes = planeFrame(roi.plane);
        const auto slice =
            static_cast<int>(std::lround(along(grid.continuousIndex(roi.centre), axes.normal)));
        double weight = 0;
        double sum = 0;
        double least = 1e30;
        double most = -1e30;
        std::vector<std::pair<double, double>> values;
        for (int z = 0; z < grid.size[2]; ++z) {
            for (int y = 0; y < grid.size[1]; ++y) {
                for (int x = 0; x < grid.size[0]; ++x) {
                    const std::array<int, 3> index{x, y, z};
                    if (isFlat(roi.shape) && index[axes.normal] != slice) {
                        continue;
                    }
                    const double f = fractionOf(roi, grid, x, y, z, samples);
                    if (f > 0) {
                        const double v = static_cast<double>(volume.at(x, y, z));
                        weight += f;
                        sum += f * v;
                        least = std::min(least, v);
                        most = std::max(most, v);
                        values.emplace_back(f, v);
                    }
                }
            }
        }
        double squares = 0;
        for (const auto& [f, v] : values) {
            squares += f * (v - sum / weight) * (v - sum / weight);
        }

        const RoiStatistics s = roiStatistics(roi, volume);

        // Circles are exact where the loop samples 100 x 100 points: of the boundary of at most 100 pixels
        // each errs by less than 1e-2, with both signs. The rest uses the same points and differs by
        // rounding.
        const double tolerance = exact ? 2e-3 : 1e-9;
        QVERIFY2(std::abs(s.weight / weight - 1) < tolerance,
                 qPrintable(QString("%1 %2").arg(s.weight).arg(weight)));
        QVERIFY(std::abs(s.mean / (sum / weight) - 1) < tolerance);
        QVERIFY(std::abs(s.sd / std::sqrt(squares / (weight - 1)) - 1) < tolerance);
        QVERIFY(std::abs(s.total / sum - 1) < tolerance);
        QVERIFY(std::abs(s.volume_mm3 / (weight * 60) - 1) < tolerance);
        if (!exact) {  // a sliver may be missed by points
            QCOMPARE(s.minimum, least);
            QCOMPARE(s.maximum, most);
        }
        QCOMPARE(s.outsideFraction, 0.0);
    }

    void everyFieldSurvivesJson() {
        Roi roi = roiOf(Roi::Shape::Ellipse, Plane::Sagittal);
        roi.role = Roi::Role::Background;
        roi.group = 3;
        roi.trueRatio = 0;
        roi.colour = "#62b4f0";
        roi.dash = Roi::Dash::Dotted;
        roi.locked = true;
        roi.angle_deg = -27.5;
        Roi region;
        region.name = "voxels";
        region.shape = Roi::Shape::Region;
        region.region = RoiRegion::ofVoxels(lattice(), {5, 6, 7, 100, 28799});
        region.centre = region.region->home_mm + Vec3{1, 2, 3};

        const auto back = roisFromJson(roisToJson({roi, region}), "test");

        QCOMPARE(back.size(), std::size_t{2});
        QVERIFY(back[0] == roi);
        QVERIFY(back[1] == region);
    }

    void badLooksAndRegionsAreRefusedByName_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("json");
        const QString circle = R"([{"shape":"circle","centre_mm":[0,0,0],"radius_mm":1,%1}])";
        QTest::newRow("colour") << "colour" << circle.arg(R"("colour":"red")");
        QTest::newRow("dash") << "dash" << circle.arg(R"("dash":"wavy")");
        QTest::newRow("locked") << "locked" << circle.arg(R"("locked":1)");
        const QString region =
            R"([{"shape":"region","lattice":{"size":[4,4,4],"spacing_mm":[1,1,1],"origin_mm":[0,0,0]},"runs":%1}])";
        QTest::newRow("none") << "runs" << region.arg("[]");
        QTest::newRow("beyond") << "runs" << region.arg("[[60,5]]");
        QTest::newRow("backwards") << "runs" << region.arg("[[10,3],[4,2]]");
        QTest::newRow("negative") << "runs" << region.arg("[[-1,3]]");
        QTest::newRow("lattice") << "lattice"
                                 << R"([{"shape":"region","lattice":{"size":[0,4,4],"spacing_mm":[1,1,1],
                                        "origin_mm":[0,0,0]},"runs":[[0,1]]}])";
    }

    void badLooksAndRegionsAreRefusedByName() {
        QFETCH(QString, field);
        QFETCH(QString, json);
        try {
            static_cast<void>(roisFromJson(json.toStdString(), "rois.json"));
            QFAIL("accepted");
        } catch (const BadInput& fault) {
            QVERIFY2(QString(fault.what()).contains("'" + field + "'"), fault.what());
        }
    }

    void aRegionMeasuresItsVoxelsOnItsLatticeAndTheSamePlaceOnOthers() {
        const Volume volume = noisy(lattice());
        const Lattice& grid = volume.lattice;
        std::vector<std::size_t> voxels;
        double sum = 0;
        for (int z = 5; z < 9; ++z) {
            for (int y = 10; y < 16; ++y) {
                for (int x = 12; x < 20; ++x) {
                    voxels.push_back(grid.index(x, y, z));
                    sum += static_cast<double>(volume.at(x, y, z));
                }
            }
        }
        Roi roi;
        roi.shape = Roi::Shape::Region;
        roi.region = RoiRegion::ofVoxels(grid, voxels);
        roi.centre = roi.region->home_mm;

        const RoiStatistics own = roiStatistics(roi, volume);
        // Half as many voxels along x: every one of them is inside or outside as a whole.
        const Lattice coarse = [&] {
            Lattice c = grid;
            c.size[0] /= 2;
            c.spacing_mm[0] *= 2;
            c.origin_mm.x += grid.spacing_mm[0] / 2;
            return c;
        }();
        const RoiStatistics other = roiStatistics(roi, Volume(coarse, 1.0F));
        // Displaced by two whole voxels.
        Roi moved = roi;
        moved.centre.x += 2 * grid.spacing_mm[0];
        const RoiStatistics there = roiStatistics(moved, volume);

        QVERIFY(std::abs(own.mean - sum / 192) < 1e-9);
        QCOMPARE(own.weight, 192.0);
        QCOMPARE(other.weight, 96.0);
        QVERIFY(std::abs(other.volume_mm3 - own.volume_mm3) < 1e-9);
        QCOMPARE(there.weight, 192.0);
        const auto bounds = roiBounds(roi);
        QVERIFY(norm(bounds[0] - grid.centre(11.5, 9.5, 4.5)) < 1e-9);
        QVERIFY(norm(bounds[1] - grid.centre(19.5, 15.5, 8.5)) < 1e-9);
    }

    void aDisplacedRegionCountsThePointsOfALoop_data() {
        QTest::addColumn<double>("share");  // of the voxels that are the region's
        QTest::addColumn<bool>("sameSpacing");
        QTest::addColumn<double>("step");  // displacements are multiples of it, mm
        for (const double share : {0.03, 0.5, 0.95, 1.0}) {
            for (const bool same : {true, false}) {
                for (const double step : {0.0, 0.4, 4.0, 0.137}) {
                    QTest::addRow("%g of the voxels, %s spacing, by %g mm", share, same ? "one" : "another",
                                  step)
                        << share << same << step;
                }
            }
        }
    }

    void aDisplacedRegionCountsThePointsOfALoop() {
        QFETCH(double, share);
        QFETCH(bool, sameSpacing);
        QFETCH(double, step);
        std::uint32_t state = 4711;
        const auto random = [&state](double low, double high) {
            state = state * 1664525U + 1013904223U;
            return low + (high - low) * (state >> 8U) / 16777216.0;
        };
        const auto size = [&] { return static_cast<int>(random(1, 8)); };
        for (int trial = 0; trial < 6; ++trial) {
            Lattice own = Lattice::centred({size(), size(), size()}, {4, 4, 4});
            Lattice grid = Lattice::centred({size(), size(), size()}, {4, 4, 4});
            if (!sameSpacing) {
                own.spacing_mm = {random(1, 5), random(1, 5), random(1, 5)};
                grid.spacing_mm = {random(1.5, 9), random(1.5, 9), random(1.5, 9)};
                own.origin_mm = own.origin_mm + Vec3{random(-9, 9), random(-9, 9), random(-9, 9)};
            }
            std::vector<std::size_t> voxels{0};
            for (std::size_t i = 1; i < own.voxels(); ++i) {
                if (random(0, 1) < share) {
                    voxels.push_back(i);
                }
            }
            Roi roi;
            roi.shape = Roi::Shape::Region;
            roi.region = RoiRegion::ofVoxels(own, voxels);
            const auto by = [&] { return step * std::floor(random(-3, 4)); };
            roi.centre = roi.region->home_mm + Vec3{by(), by(), by()};
            if (own == grid && roi.centre == roi.region->home_mm) {
                continue;  // its voxels count as they are, whatever falls on their edges
            }

            double outside = 0;
            const std::vector<WeightedVoxel> found = roiVoxels(roi, grid, &outside);

            double expectedOutside = 0;
            const std::vector<WeightedVoxel> expected = countedPoints(roi, grid, expectedOutside);
            QVERIFY(outside == expectedOutside);
            QCOMPARE(found.size(), expected.size());
            for (std::size_t i = 0; i < found.size(); ++i) {
                QCOMPARE(found[i].index, expected[i].index);
                QVERIFY(found[i].fraction == expected[i].fraction);  // to the bit
            }
        }
    }

    void rowsOfARegionAreFoundInAnyOrder() {
        const Lattice grid = Lattice::centred({3, 4, 5}, {1, 1, 1});
        // Runs that go on over rows, rows with several runs, rows without one.
        const auto region = RoiRegion::ofVoxels(grid, {1, 2, 3, 4, 5, 6, 9, 11, 24, 25, 26, 27, 59});
        QCOMPARE(region->low, (VoxelIndex{0, 0, 0}));
        QCOMPARE(region->high, (VoxelIndex{2, 3, 4}));
        RegionRows rows(*region);
        const auto holds = [&rows](int x, int y, int z) {
            const auto& spans = rows.at(y, z);
            return std::any_of(spans.begin(), spans.end(),
                               [x](const auto& span) { return x >= span.first && x < span.past; });
        };
        for (int y = -1; y <= 4; ++y) {
            for (int z = 5; z >= -1; --z) {
                for (int x = 0; x < 3; ++x) {
                    QCOMPARE(holds(x, y, z), grid.contains(x, y, z) && region->contains(grid.index(x, y, z)));
                }
            }
        }
        grid.forEachVoxel(
            [&](int x, int y, int z) { QCOMPARE(holds(x, y, z), region->contains(grid.index(x, y, z))); });
    }

    void labelMapsComeBack() {
        const Lattice grid = lattice();
        Roi first = roiOf(Roi::Shape::Sphere, Plane::Transverse);
        Roi second = roiOf(Roi::Shape::Box, Plane::Transverse);
        second.centre = {-30, 20, -10};

        const Volume map = labelsOfRois({first, second}, grid);
        const auto back = roisFromLabels(map, "map.nii");

        QCOMPARE(back.size(), std::size_t{2});
        QCOMPARE(QString::fromStdString(back[1].name), QString("label 2"));
        for (std::size_t i = 0; i < 2; ++i) {
            // Each voxel at least half inside, nothing else.
            std::size_t wanted = 0;
            for (const WeightedVoxel& v : roiVoxels(i == 0 ? first : second, grid)) {
                wanted += v.fraction >= 0.5 ? 1 : 0;
                QCOMPARE(back[i].region->contains(v.index), v.fraction >= 0.5);
            }
            QCOMPARE(back[i].region->voxels(), wanted);
        }
        QCOMPARE(labelsOfRois(back, grid).data, map.data);
    }

    void aTurnedShapeFillsItsBounds() {
        for (const Roi::Shape shape : {Roi::Shape::Ellipse, Roi::Shape::Box}) {
            Roi roi = roiOf(shape, Plane::Coronal);
            roi.angle_deg = 40;
            const auto [low, high] = roiBounds(roi);
            // The outline, point by point, from its definition.
            double left = 1e9;
            double right = -1e9;
            for (int i = 0; i < 3600; ++i) {
                const double t = i * 0.1 * kRadPerDeg;
                const double c = shape == Roi::Shape::Ellipse ? std::cos(t) : std::cos(t) > 0 ? 1 : -1;
                const double s = shape == Roi::Shape::Ellipse ? std::sin(t) : std::sin(t) > 0 ? 1 : -1;
                const double x = roi.centre.x + c * roi.size_mm.x / 2 * std::cos(40 * kRadPerDeg) -
                                 s * roi.size_mm.z / 2 * std::sin(40 * kRadPerDeg);
                left = std::min(left, x);
                right = std::max(right, x);
            }
            QVERIFY(std::abs(low.x - left) < 1e-4 && std::abs(high.x - right) < 1e-4);
            QCOMPARE(high.y - low.y, roi.size_mm.y);
        }
    }

    void anAngleBeyondATurnIsRefused() {
        Roi roi = roiOf(Roi::Shape::Box, Plane::Transverse);
        roi.angle_deg = 400;
        QVERIFY(roiFault(roi).find("angle_deg") != std::string::npos);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(roisFromJson(roisToJson({roi}), "test")), BadInput);
    }

    void anImageIsNoLabelMap() {
        Volume image(lattice());
        image.data[77] = 0.5F;
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(roisFromLabels(image, "image.nii")), BadInput);
        image.data[77] = -1;
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(roisFromLabels(image, "image.nii")), BadInput);
    }

    void aRingIsEvenlySpread() {
        Roi roi = roiOf(Roi::Shape::Polygon, Plane::Coronal);
        const Vec3 about{-10, 99, 2};

        const auto ring = ringOfCopies(roi, 5, about);

        QCOMPARE(ring.size(), std::size_t{4});
        std::vector<Roi> all{roi};
        all.insert(all.end(), ring.begin(), ring.end());
        Vec3 sum;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Vec3 a = all[i].centre - about;
            const Vec3 b = all[(i + 1) % all.size()].centre - about;
            sum = sum + Vec3{a.x, 0, a.z};
            QCOMPARE(all[i].centre.y, roi.centre.y);  // the plane's normal
            QVERIFY(std::abs((a.x * b.x + a.z * b.z) / (a.x * a.x + a.z * a.z) - std::cos(2 * kPi / 5)) <
                    1e-12);
            QVERIFY(std::abs(norm(all[i].vertices[0] - all[i].centre) - norm(roi.vertices[0] - roi.centre)) <
                    1e-12);
        }
        QVERIFY(norm(sum) < 1e-12 * 100);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(ringOfCopies(roi, 1, about)), WrongUse);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(ringOfCopies(roi, 4, roi.centre)), WrongUse);
    }

    void volumesConvergeToGeometry_data() {
        QTest::addColumn<int>("shape");
        QTest::addColumn<double>("volume");   // mm3; of flat shapes for a slice of 1 mm
        QTest::addColumn<double>("surface");  // mm2; of flat shapes the outline, mm
        const Roi r = roiOf(Roi::Shape::Circle, Plane::Transverse);
        const double pi = kPi;
        const double a = r.size_mm.x / 2;
        const double b = r.size_mm.y / 2;
        const double ring = 9.2;
        QTest::newRow("circle") << 0 << pi * r.radius_mm * r.radius_mm << 0.0;
        QTest::newRow("annulus") << 1 << pi * (r.radius_mm * r.radius_mm - ring * ring) << 0.0;
        QTest::newRow("ellipse") << 2 << pi * a * b << 2 * pi * std::max(a, b);
        // The shoelace formula over the corners of roiOf().
        QTest::newRow("polygon") << 3
                                 << 0.5 * std::abs(-20.0 * -15 - 18 * -11 + 18 * 1 - 3 * -15 + 3 * 17 -
                                                   22 * 1 + 22 * 21 - -9 * 17 + -9 * -11 - -20 * 21)
                                 << 160.0;
        QTest::newRow("sphere") << 4 << 4 * pi / 3 * std::pow(r.radius_mm, 3)
                                << 4 * pi * r.radius_mm * r.radius_mm;
        QTest::newRow("cylinder") << 5 << pi * r.radius_mm * r.radius_mm * r.size_mm.z
                                  << 2 * pi * r.radius_mm * (r.radius_mm + r.size_mm.z);
        QTest::newRow("box") << 6 << r.size_mm.x * r.size_mm.y * r.size_mm.z
                             << 2 * (r.size_mm.x * r.size_mm.y + r.size_mm.y * r.size_mm.z +
                                     r.size_mm.z * r.size_mm.x);
    }

    void volumesConvergeToGeometry() {
        QFETCH(int, shape);
        QFETCH(double, volume);
        QFETCH(double, surface);
        Roi roi = roiOf(static_cast<Roi::Shape>(shape), Plane::Transverse);
        roi.angle_deg = hasAngle(roi.shape) ? 33 : 0;
        const bool flat = isFlat(roi.shape);
        for (const int h : {4, 2, 1}) {
            const Lattice grid = Lattice::centred({80 / h, 80 / h, 80 / h}, {1.0 * h, 1.0 * h, 1.0 * h});

            const RoiStatistics s = roiStatistics(roi, Volume(grid, 1.0F));

            // Only points nearer to the outline than half a diagonal of their cell may be counted wrongly.
            const double cell = static_cast<double>(h) / (flat ? 8 : 5);
            const double wanted = flat ? volume * h : volume;
            const double bound =
                surface * cell * (flat ? std::sqrt(2.0) / 2 * h : std::sqrt(3.0) / 2) + 1e-9 * wanted;
            QVERIFY2(std::abs(s.volume_mm3 - wanted) <= bound,
                     qPrintable(QString("%1 mm: %2 for %3").arg(h).arg(s.volume_mm3).arg(wanted)));
            QVERIFY(std::abs(s.mean - 1) < 1e-12 && s.sd < 1e-6);
            QVERIFY(std::abs(s.total - s.weight) < 1e-9 * s.weight);
        }
    }

    void aSphereInALinearRampHasTheValueOfItsCentre() {
        const double radius = 20;
        const Vec3 slope{3, -2, 1.5};
        for (const Vec3 centre : {Vec3{0, 0, 0}, Vec3{1.3, -2.9, 0.7}, Vec3{-4.25, 3.1, 2.6}}) {
            for (const int h : {4, 2, 1}) {
                Volume ramp(Lattice::centred({64 / h, 64 / h, 64 / h}, {1.0 * h, 1.0 * h, 1.0 * h}));
                for (int z = 0; z < 64 / h; ++z) {
                    for (int y = 0; y < 64 / h; ++y) {
                        for (int x = 0; x < 64 / h; ++x) {
                            ramp.at(x, y, z) =
                                static_cast<float>(1000 + dot(slope, ramp.lattice.centre(x, y, z)));
                        }
                    }
                }
                Roi sphere;
                sphere.shape = Roi::Shape::Sphere;
                sphere.centre = centre;
                sphere.radius_mm = radius;

                const RoiStatistics s = roiStatistics(sphere, ramp);

                // Voxels at the surface, a share of 3 h / R, take the value of their own centre instead of
                // that of their part inside, at most h / 2 away.
                const double steep = norm(slope);
                const double away = std::abs(s.mean - (1000 + dot(slope, centre)));
                QVERIFY2(away <= steep * 1.5 * h * h / radius, qPrintable(QString("%1 %2").arg(h).arg(away)));
                // The variance of a coordinate over a ball is R^2 / 5; with n - 1, n the sum of fractions. A
                // surface voxel changes a squared distance by at most R h, a step of h takes away h^2 / 12.
                const double n = s.weight;
                const double squared = s.sd * s.sd * (n - 1) / n / (steep * steep);
                QVERIFY2(std::abs(squared - radius * radius / 5) <= 3.1 * h * h,
                         qPrintable(QString("%1 %2").arg(h).arg(squared)));
            }
        }
    }

    /// Exactly: rounding is nothing that a region has.
    void aConstantRegionHasItsValueAndNoSd() {
        for (const float value : {4.5411F, 1e-7F, 1.0F / 3, 123456.7F}) {
            Volume volume(Lattice::centred({24, 24, 12}, {4, 4, 5}));
            std::fill(volume.data.begin(), volume.data.end(), value);
            for (const auto shape : {Roi::Shape::Sphere, Roi::Shape::Circle, Roi::Shape::Box}) {
                Roi roi;
                roi.shape = shape;
                roi.centre = {1.3, -2.1, 0.7};
                roi.radius_mm = 15.3;
                roi.size_mm = {21, 23, 17};

                const RoiStatistics s = roiStatistics(roi, volume);

                QVERIFY(s.weight > 20);
                QCOMPARE(s.sd, 0.0);
                QCOMPARE(s.mean, static_cast<double>(value));
            }
        }
    }

    void theSdDividesByTheSumOfFractionsLessOne() {
        // A box over all of one voxel and two fifths of the next: fractions 1 and 0.4 of the values 1 and 3.
        Volume volume(Lattice::centred({2, 1, 1}, {10, 10, 10}));
        volume.at(0, 0, 0) = 1;
        volume.at(1, 0, 0) = 3;
        Roi box;
        box.shape = Roi::Shape::Box;
        box.size_mm = {14, 10, 10};
        box.centre = {-3, 0, 0};

        const RoiStatistics s = roiStatistics(box, volume);

        const double mean = (1 * 1 + 0.4 * 3) / 1.4;
        const double squares = 1 * (1 - mean) * (1 - mean) + 0.4 * (3 - mean) * (3 - mean);
        QVERIFY(std::abs(s.weight - 1.4) < 1e-12);
        QVERIFY(std::abs(s.mean - mean) < 1e-12);
        QVERIFY(std::abs(s.sd - std::sqrt(squares / 0.4)) < 1e-9);
    }

    void whatLiesOutsideTheImageIsLeftOut_data() {
        QTest::addColumn<int>("shape");
        for (int shape = 0; shape < 7; ++shape) {
            if (static_cast<Roi::Shape>(shape) != Roi::Shape::Polygon) {
                QTest::newRow(shapeName(static_cast<Roi::Shape>(shape))) << shape;
            }
        }
    }

    void whatLiesOutsideTheImageIsLeftOut() {
        QFETCH(int, shape);
        // Centred on the upper x face of the image: half of it, by symmetry, is outside.
        const Lattice grid = Lattice::centred({20, 20, 20}, {4, 4, 4});
        Roi roi = roiOf(static_cast<Roi::Shape>(shape), Plane::Transverse);
        roi.centre = {40, 0, 0};

        const RoiStatistics s = roiStatistics(roi, Volume(grid, 7.0F));

        QVERIFY2(std::abs(s.outsideFraction - 0.5) < 1e-6, qPrintable(QString::number(s.outsideFraction)));
        QVERIFY(std::abs(s.mean - 7) < 1e-6);
        QCOMPARE(s.minimum, 7.0);
        QCOMPARE(s.maximum, 7.0);
    }

    void theUniformCircleOfAPhantomLiesInItsBackground_data() {
        QTest::addColumn<QString>("phantom");
        QTest::addColumn<bool>("onAxis");
        QTest::newRow("spheres") << "spheres" << true;
        QTest::newRow("uniform-cylinder") << "uniform-cylinder" << true;
        QTest::newRow("nema-iq") << "nema-iq" << false;  // a cold insert lies on its axis
    }

    void theUniformCircleOfAPhantomLiesInItsBackground() {
        QFETCH(QString, phantom);
        QFETCH(bool, onAxis);
        const Volume emission = Phantom::find(phantom.toStdString())
                                    .emissionOn(Lattice::centred({150, 150, 3}, {2.0, 2.0, 2.0}), 2);

        const RoiSet set = autoRois(phantom.toStdString());

        const Roi& uniform = set.rois.back();
        QVERIFY(uniform.role == Roi::Role::Uniform);
        QCOMPARE(uniform.radius_mm, 25.0);
        QCOMPARE(std::hypot(uniform.centre.x, uniform.centre.y) == 0, onAxis);
        Roi around = uniform;
        around.radius_mm += 7;  // 10 less the diagonal of the voxels on the edge
        const RoiStatistics s = roiStatistics(around, emission);
        QCOMPARE(s.outsideFraction, 0.0);
        // One activity, and nothing else around.
        QVERIFY2(s.sd <= 1e-6 * s.mean && s.mean > 0, qPrintable(QString("%1 %2").arg(s.mean).arg(s.sd)));
    }

    void shapesTurnWithTheirRing_data() {
        QTest::addColumn<int>("shape");
        QTest::addColumn<int>("plane");
        for (const Roi::Shape shape : {Roi::Shape::Ellipse, Roi::Shape::Box, Roi::Shape::Polygon}) {
            for (const int plane : {0, 1, 2}) {
                QTest::newRow(qPrintable(QString("%1 in plane %2").arg(shapeName(shape)).arg(plane)))
                    << static_cast<int>(shape) << plane;
            }
        }
    }

    void shapesTurnWithTheirRing() {
        QFETCH(int, shape);
        QFETCH(int, plane);
        // Four copies about the middle of a lattice of cubes: a quarter turn takes voxels to voxels, so the
        // image turned with it is measured alike.
        const Lattice grid = Lattice::centred({40, 40, 40}, {4, 4, 4});
        Roi roi = roiOf(static_cast<Roi::Shape>(shape), static_cast<Plane>(plane));
        const PlaneFrame axes = planeFrame(roi.plane);
        const auto of = [](Vec3& v, std::size_t axis) -> double& {
            return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
        };
        const auto quarter = [&](Vec3 p) {
            Vec3 q = p;
            of(q, axes.first) = -of(p, axes.second);
            of(q, axes.second) = of(p, axes.first);
            return q;
        };
        roi.angle_deg = hasAngle(roi.shape) ? 25 : 0;
        const Volume still = noisy(grid);
        Volume turnedOnce(grid);
        for (int z = 0; z < 40; ++z) {
            for (int y = 0; y < 40; ++y) {
                for (int x = 0; x < 40; ++x) {
                    const Vec3 to = grid.continuousIndex(quarter(grid.centre(x, y, z)));
                    turnedOnce.at(static_cast<int>(std::lround(to.x)), static_cast<int>(std::lround(to.y)),
                                  static_cast<int>(std::lround(to.z))) = still.at(x, y, z);
                }
            }
        }

        const Roi copy = ringOfCopies(roi, 4, {0, 0, 0}).front();

        QVERIFY(norm(copy.centre - quarter(roi.centre)) < 1e-9);
        QVERIFY(roiFault(copy).empty());
        const RoiStatistics before = roiStatistics(roi, still);
        const RoiStatistics after = roiStatistics(copy, turnedOnce);
        // These are the same points in the same voxels, but for those that rounding puts across an outline:
        // of some 10^4 points at most a few.
        QVERIFY2(std::abs(after.mean / before.mean - 1) < 1e-3,
                 qPrintable(QString("%1 %2").arg(after.mean).arg(before.mean)));
        QVERIFY(std::abs(after.weight / before.weight - 1) < 1e-3);
    }

    void aThresholdFindsTheBlobItStartsFrom() {
        // A cone of slope 1 about a voxel: 41 % of 100 is reached 59 mm away; a brighter blob lies beyond
        // reach.
        Volume volume(Lattice::centred({51, 51, 51}, {3, 3, 3}));
        const Vec3 tip = volume.lattice.centre(20, 25, 25);
        for (int z = 0; z < 51; ++z) {
            for (int y = 0; y < 51; ++y) {
                for (int x = 0; x < 51; ++x) {
                    const double away = norm(volume.lattice.centre(x, y, z) - tip);
                    volume.at(x, y, z) = static_cast<float>(std::max(0.0, 100 - 4 * away));
                }
            }
        }
        volume.at(45, 25, 25) = 500;

        const ThresholdResult found = thresholdRegion(volume, tip + Vec3{5, 0, 0}, 0.41, 40);

        QCOMPARE(found.peak, 100.0);
        QVERIFY(norm(found.peak_mm - tip) < 1e-9);
        std::size_t wanted = 0;  // 100 - 4 r >= 41: r <= 14.75 mm
        for (int z = 0; z < 51; ++z) {
            for (int y = 0; y < 51; ++y) {
                for (int x = 0; x < 51; ++x) {
                    const bool in = norm(volume.lattice.centre(x, y, z) - tip) <= 14.75;
                    wanted += in ? 1 : 0;
                    QCOMPARE(found.roi.region->contains(volume.lattice.index(x, y, z)), in);
                }
            }
        }
        QCOMPARE(found.roi.region->voxels(), wanted);
        const Roi sphere = sphereOfRegion(found.roi);
        QVERIFY(norm(sphere.centre - tip) < 1e-9);
        QVERIFY(std::abs(4.0 / 3 * kPi * std::pow(sphere.radius_mm, 3) - 27.0 * static_cast<double>(wanted)) <
                1e-6);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(thresholdRegion(volume, {-70, -70, -70}, 0.41, 5)),
                                 BadInput);
    }

    void anEditedSetGivesTheFiguresOfAFreshOne() {
        const Volume volume = noisy(lattice());
        RoiSet before;
        before.trueRatio = 3;
        for (const Roi::Shape shape : {Roi::Shape::Circle, Roi::Shape::Sphere, Roi::Shape::Polygon}) {
            before.rois.push_back(roiOf(shape, Plane::Transverse));
        }
        RoiSet after = before;
        after.rois.erase(after.rois.begin());
        after.rois[0].radius_mm += 3;
        after.rois.push_back(roiOf(Roi::Shape::Box, Plane::Transverse));

        const FigureEvaluator first(before, volume.lattice);
        const Figures edited = FigureEvaluator(after, first).evaluate(1, volume.data.data());
        const Figures fresh = FigureEvaluator(after, volume.lattice).evaluate(1, volume.data.data());

        QCOMPARE(edited.rois.size(), fresh.rois.size());
        for (std::size_t i = 0; i < fresh.rois.size(); ++i) {
            QCOMPARE(edited.rois[i].statistics.mean, fresh.rois[i].statistics.mean);
            QCOMPARE(edited.rois[i].statistics.sd, fresh.rois[i].statistics.sd);
        }
    }

    void rolesPairSpheresWithBackgrounds() {
        // Slabs of known values: sphere 1 on 8, sphere 2 on 1, backgrounds 2 and 4, uniform 4 and 6.
        const Lattice grid = Lattice::centred({60, 10, 10}, {4, 4, 4});
        Volume volume(grid);
        const std::array<float, 6> levels{8, 1, 2, 4, 4, 6};
        RoiSet set;
        set.trueRatio = 5;
        const std::array<Roi::Role, 6> roles{Roi::Role::Sphere,     Roi::Role::Sphere,  Roi::Role::Background,
                                             Roi::Role::Background, Roi::Role::Uniform, Roi::Role::Uniform};
        for (int i = 0; i < 6; ++i) {
            const auto k = static_cast<std::size_t>(i);
            for (int z = 0; z < 10; ++z) {
                for (int y = 0; y < 10; ++y) {
                    for (int x = 10 * i; x < 10 * i + 10; ++x) {
                        volume.at(x, y, z) = levels[k];
                    }
                }
            }
            Roi roi;
            roi.shape = Roi::Shape::Box;
            roi.role = roles[k];
            roi.size_mm = {20, 20, 20};
            roi.centre = grid.centre(10 * i + 4.5, 4.5, 4.5);
            set.rois.push_back(roi);
        }
        set.rois[1].trueRatio = 0;  // cold
        set.rois[2].group = 0;
        set.rois[0].group = 0;  // paired with the background of 2; sphere 2 takes the one without a group

        const Figures f = FigureEvaluator(set, grid).evaluate(1, volume.data.data());

        QVERIFY(std::abs(f.rois[0].crc - (8.0 - 2) / 2 / 4) < 1e-12);
        QVERIFY(std::abs(f.rois[1].crc - (1 - 1.0 / 4)) < 1e-12);
        QVERIFY(std::abs(f.rois[0].contrastRecovery - (8.0 / 5 - 1) / 4) < 1e-12);
        QVERIFY(std::abs(f.rois[1].contrastRecovery - (1 - 1.0 / 5)) < 1e-12);
        QVERIFY(!f.rois[2].hasCrc && !f.rois[4].hasContrastRecovery);
        QCOMPARE(f.nsr, 0.0);
    }
};

QTEST_APPLESS_MAIN(RoiTest)

}  // namespace roi_test
#include "roi_test.moc"
