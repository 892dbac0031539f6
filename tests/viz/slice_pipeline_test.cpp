// SPDX-License-Identifier: Apache-2.0
#include "viz/slice_pipeline.h"

#include <QFile>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace slice_pipeline_test {

using namespace tof;
using namespace tof::viz;

namespace {

/// Every voxel has its own value: x + 10 y + 100 z.
std::shared_ptr<const Volume> numberedVolume() {
    Volume volume(Lattice::centred({5, 4, 3}, {2.0, 3.0, 4.0}));
    for (int z = 0; z < 3; ++z) {
        for (int y = 0; y < 4; ++y) {
            for (int x = 0; x < 5; ++x) {
                volume.at(x, y, z) = static_cast<float>(x + 10 * y + 100 * z);
            }
        }
    }
    return std::make_shared<const Volume>(std::move(volume));
}

SliceRequest request(std::shared_ptr<const Volume> volume, Plane plane, Orientation orientation) {
    SliceRequest r;
    r.volume = std::move(volume);
    // Half a unit of room at both ends: value v becomes grey level floor((v + 0.5) 256/256).
    r.low = -0.5;
    r.high = 255.5;
    r.map = ColourMap::find("grey");
    r.view = {plane, orientation, {0, 0, 0}, 0.25, 64, 72, {}};
    return r;
}

int level(PictureView picture, const SliceView& view, Vec3 world) {
    const auto pixel = view.toPixel(world);
    return static_cast<int>(
        picture.at(static_cast<int>(std::floor(pixel[0])), static_cast<int>(std::floor(pixel[1]))) & 0xffU);
}

/// The value under a pixel, in double precision and without regard to how rows are read.
double interpolated(const Volume& volume, const SliceView& view, int x, int y) {
    const PlaneAxes axes = planeAxes(view.plane, view.orientation);
    const Vec3 p = view.toWorld(x + 0.5, y + 0.5);
    const Lattice& lattice = volume.lattice;
    const auto place = [&](int axis) {
        const auto i = static_cast<std::size_t>(axis);
        const double index = (p[i] - lattice.origin_mm[i]) / lattice.spacing_mm[i];
        return std::clamp(index, 0.0, lattice.size[i] - 1.0);
    };
    double sum = 0;
    for (int corner = 0; corner < 4; ++corner) {
        std::array<int, 3> at{};
        double weight = 1;
        for (const auto& [axis, upper] :
             {std::pair{axes.across, corner % 2 == 1}, std::pair{axes.down, corner / 2 == 1}}) {
            const double index = place(axis);
            const int below = static_cast<int>(std::floor(index));
            const auto i = static_cast<std::size_t>(axis);
            at[i] = std::min(below + (upper ? 1 : 0), lattice.size[i] - 1);
            weight *= upper ? index - below : 1 - (index - below);
        }
        at[static_cast<std::size_t>(axes.normal)] =
            nearestIndex(lattice, axes.normal, coordinate(view.centre, axes.normal));
        sum += weight * static_cast<double>(volume.at(at[0], at[1], at[2]));
    }
    return sum;
}

}  // namespace

class SlicePipelineTest : public QObject {
    Q_OBJECT

  private slots:
    void everyVoxelHasItsGreyLevelInItsPlace_data() {
        QTest::addColumn<int>("plane");
        QTest::addColumn<bool>("radiological");
        for (int plane = 0; plane < 3; ++plane) {
            for (const bool radiological : {true, false}) {
                QTest::addRow("plane %d %s", plane, radiological ? "radiological" : "neurological")
                    << plane << radiological;
            }
        }
    }

    void everyVoxelHasItsGreyLevelInItsPlace() {
        QFETCH(int, plane);
        QFETCH(bool, radiological);
        SlicePipeline r;
        const auto volume = numberedVolume();
        const Lattice& lattice = volume->lattice;
        SliceRequest q = request(volume, static_cast<Plane>(plane),
                                 radiological ? Orientation::Radiological : Orientation::Neurological);
        const PlaneAxes axes = planeAxes(q.view.plane, q.view.orientation);
        q.view.centre = lattice.centre(2, 1, 1);

        const PictureView picture = r.render(q);

        int seen = 0;
        for (int z = 0; z < 3; ++z) {
            for (int y = 0; y < 4; ++y) {
                for (int x = 0; x < 5; ++x) {
                    const int index[] = {x, y, z};
                    const int middle[] = {2, 1, 1};
                    if (index[axes.normal] != middle[axes.normal]) {
                        continue;
                    }
                    const int expected = x + 10 * y + 100 * z;
                    const int got = level(picture, q.view, lattice.centre(x, y, z));
                    QVERIFY2(std::abs(got - expected) <= 1,
                             qPrintable(QString("voxel %1 %2 %3: %4").arg(x).arg(y).arg(z).arg(got)));
                    ++seen;
                }
            }
        }
        QVERIFY(seen >= 12);
    }

    void patientLeftIsOnTheRightInRadiologicalPictures() {
        SlicePipeline r;
        SliceRequest q = request(numberedVolume(), Plane::Transverse, Orientation::Radiological);
        const PictureView left = r.render(q);
        q.view.orientation = Orientation::Neurological;
        SlicePipeline other;

        const PictureView right = other.render(q);

        // x = 0 is the patient's right: left edge of the radiological picture, right edge of the other.
        QVERIFY(level(left, q.view, {0, 0, 0}) == level(right, q.view, {0, 0, 0}));
        QVERIFY((left.at(16, 36) & 0xffU) < (left.at(48, 36) & 0xffU));
        QVERIFY((right.at(16, 36) & 0xffU) > (right.at(48, 36) & 0xffU));
    }

    void outsideTheLatticeIsTheColourOfZero() {
        SlicePipeline r;
        SliceRequest q = request(numberedVolume(), Plane::Transverse, Orientation::Radiological);
        q.map = ColourMap::find("inverse-grey");

        const PictureView inside = r.render(q);
        QCOMPARE(inside.at(0, 0), 0xffffffffU);
        QCOMPARE(inside.at(63, 71), 0xffffffffU);

        q.view.centre.z = 50;
        const PictureView beyond = r.render(q);
        QCOMPARE(beyond.at(32, 36), 0xffffffffU);
    }

    void valuesThatAreNotNumbersDoNoHarm() {
        auto volume = std::make_shared<Volume>(*numberedVolume());
        volume->at(2, 1, 1) = std::numeric_limits<float>::quiet_NaN();
        volume->at(3, 1, 1) = std::numeric_limits<float>::infinity();
        SliceRequest q = request(volume, Plane::Transverse, Orientation::Radiological);
        SlicePipeline r;

        const PictureView picture = r.render(q);

        QCOMPARE(level(picture, q.view, volume->lattice.centre(2, 1, 1)), 0);
        QCOMPARE(level(picture, q.view, volume->lattice.centre(3, 1, 1)), 255);
    }

    void linearInterpolationGivesTheMeanHalfwayBetweenVoxels() {
        SlicePipeline r;
        SliceRequest q = request(numberedVolume(), Plane::Transverse, Orientation::Radiological);
        q.view.mmPerPixel = 0.05;
        q.view.width = 400;
        q.view.height = 400;
        q.interpolation = Interpolation::Linear;
        const Lattice& lattice = q.volume->lattice;

        const PictureView picture = r.render(q);

        // Between (2, 1) and (2, 2): the mean of 112 and 122.
        const int got = level(picture, q.view, lattice.centre(2, 1.5, 1));
        QVERIFY2(std::abs(got - 117) <= 1, qPrintable(QString::number(got)));
    }

    void everyPixelIsInterpolatedAloneWhateverItsRowSharesWithOthers_data() {
        QTest::addColumn<int>("plane");
        QTest::addColumn<bool>("radiological");
        QTest::addColumn<double>("mmPerPixel");
        for (int plane = 0; plane < 3; ++plane) {
            for (const bool radiological : {true, false}) {
                for (const double mmPerPixel : {0.0317, 0.171, 1.3, 3.7}) {
                    QTest::addRow("plane %d %s, %g mm", plane, radiological ? "radiological" : "neurological",
                                  mmPerPixel)
                        << plane << radiological << mmPerPixel;
                }
            }
        }
    }

    void everyPixelIsInterpolatedAloneWhateverItsRowSharesWithOthers() {
        QFETCH(int, plane);
        QFETCH(bool, radiological);
        QFETCH(double, mmPerPixel);
        SliceRequest q = request(numberedVolume(), static_cast<Plane>(plane),
                                 radiological ? Orientation::Radiological : Orientation::Neurological);
        q.view.centre = {0.7, 1.5, -0.3};
        q.view.mmPerPixel = mmPerPixel;  // from 126 pixels a voxel to two voxels a pixel
        q.interpolation = Interpolation::Linear;
        SlicePipeline r;

        const PictureView picture = r.render(q);

        const Lattice& lattice = q.volume->lattice;
        const PlaneAxes axes = planeAxes(q.view.plane, q.view.orientation);
        int inside = 0;
        for (int y = 0; y < picture.height; ++y) {
            for (int x = 0; x < picture.width; ++x) {
                const Vec3 p = q.view.toWorld(x + 0.5, y + 0.5);
                const auto within = [&](int axis) {
                    const int i = nearestIndex(lattice, axis, coordinate(p, axis));
                    return i >= 0 && i < lattice.size[static_cast<std::size_t>(axis)];
                };
                const bool lit = within(axes.across) && within(axes.down);
                const double value = lit ? interpolated(*q.volume, q.view, x, y) : -0.5;
                const double expected = std::clamp(value + 0.5, 0.0, 255.0);
                const int got = static_cast<int>(picture.at(x, y) & 0xffU);
                // The level that the value lies in; within rounding of a border either one.
                QVERIFY2(got <= expected + 1e-3 && got >= expected - 1 - 1e-3,
                         qPrintable(QString("%1, %2: %3 for %4").arg(x).arg(y).arg(got).arg(expected)));
                inside += lit ? 1 : 0;
            }
        }
        QVERIFY(inside > 2);
    }

    void aRequestIsAnotherOneWhenAnythingOfItIs() {
        const auto volume = numberedVolume();
        const SliceRequest one = request(volume, Plane::Coronal, Orientation::Radiological);
        QVERIFY(one == request(volume, Plane::Coronal, Orientation::Radiological));

        SliceRequest moved = one;
        moved.view.centre.y += 1;
        SliceRequest inverted = one;
        inverted.map = one.map.inverted();
        SliceRequest thick = one;
        thick.slab_mm = 3;

        QVERIFY(!(one == moved) && !(one == inverted) && !(one == thick));
        QVERIFY(!(one == request(numberedVolume(), Plane::Coronal, Orientation::Radiological)));
    }

    void betweenTwoSlicesAnImageOfAnotherLatticeIsInterpolated() {
        SliceRequest r = request(numberedVolume(), Plane::Transverse, Orientation::Radiological);
        r.interpolation = Interpolation::Linear;
        r.view.centre.z = 1.0;  // a quarter of the way from z = 1 to z = 2
        SlicePipeline renderer;
        const Vec3 voxel{0, 1.5, 0};  // centre of x = 2, y = 2
        QCOMPARE(level(renderer.render(r), r.view, voxel), 122);

        r.acrossSlices = true;

        // The pixel's centre is an eighth of a mm, 1/16 and 1/24 of a voxel, beside the voxel's: below 1 +
        // 1/2.
        QVERIFY(std::abs(level(renderer.render(r), r.view, voxel) - 147) <= 2);
    }

    void outsideIsTransparentInAStackAndSoIsLabelZero() {
        SliceRequest r = request(numberedVolume(), Plane::Transverse, Orientation::Radiological);
        r.view.mmPerPixel = 1;
        const Rgb red{0xff, 0, 0};
        SlicePipeline renderer;
        const PictureView picture = renderer.render({r}, red);
        QCOMPARE(picture.at(0, 0), red.packed());
        QVERIFY(picture.at(32, 36) != red.packed());
        r.view.centre.z = 50;  // no slice there
        QCOMPARE(renderer.render({r}, red).at(32, 36), red.packed());

        r.view.centre.z = -4;  // the values are x + 10 y
        r.map = ColourMap::find(kLabelMap);
        r.low = 0;
        r.high = 256;
        r.clearFirst = true;
        const PictureView labels = renderer.render({r}, red);
        const auto at = [&](double x, double y) {
            const auto pixel = r.view.toPixel({x, y, -4});
            return labels.at(static_cast<int>(pixel[0]), static_cast<int>(pixel[1]));
        };
        QCOMPARE(at(-4, -4.5), red.packed());                                  // label 0
        QCOMPARE(at(-2, -4.5), ColourMap::find(kLabelMap).table[1].packed());  // label 1
    }

    void everyPixelOfAStackIsBlended_data() {
        QTest::addColumn<double>("below");
        QTest::addColumn<double>("above");
        for (const double below : {1.0, 0.6, 0.0}) {
            for (const double above : {1.0, 0.25, 0.0}) {
                QTest::addRow("%g under %g", below, above) << below << above;
            }
        }
    }

    void everyPixelOfAStackIsBlended() {
        QFETCH(double, below);
        QFETCH(double, above);
        SliceRequest one = request(numberedVolume(), Plane::Transverse, Orientation::Radiological);
        one.view.mmPerPixel = 0.5;
        one.opacity = below;
        SliceRequest two = one;
        two.map = ColourMap::find("hot-metal");
        two.high = 140;
        two.opacity = above;
        // Beside the lower image, and outside it on one side.
        Volume moved(*two.volume);
        moved.lattice.origin_mm.x += 4;
        two.volume = std::make_shared<const Volume>(std::move(moved));
        const Rgb ground{20, 90, 160};
        SlicePipeline alone;
        SlicePipeline stack;
        const auto layer = [&](SliceRequest r) {  // opaque, where it is
            r.opacity = 1;
            const PictureView picture = alone.render({r}, ground);
            return std::vector(picture.pixels, picture.pixels + picture.width * picture.height);
        };
        const auto first = layer(one);
        const auto second = layer(two);

        const PictureView blended = stack.render({one, two}, ground);

        const auto inside = [&](const SliceRequest& r, int x, int y) {
            const Vec3 p = r.view.toWorld(x + 0.5, y + 0.5);
            return r.volume->lattice.contains(r.volume->lattice.voxelAt({p.x, p.y, r.view.centre.z}));
        };
        for (int y = 0; y < blended.height; ++y) {
            for (int x = 0; x < blended.width; ++x) {
                const auto i = static_cast<std::size_t>(y * blended.width + x);
                for (const unsigned shift : {0U, 8U, 16U}) {
                    const auto channel = [shift](std::uint32_t c) {
                        return static_cast<double>((c >> shift) & 0xffU);
                    };
                    double expected = channel(ground.packed());
                    expected += (inside(one, x, y) ? below : 0) * (channel(first[i]) - expected);
                    expected += (inside(two, x, y) ? above : 0) * (channel(second[i]) - expected);
                    // Each blend rounds once, or cuts off.
                    QVERIFY2(std::abs(channel(blended.at(x, y)) - expected) <= 2,
                             qPrintable(QString("%1, %2: %3 for %4")
                                            .arg(x)
                                            .arg(y)
                                            .arg(channel(blended.at(x, y)))
                                            .arg(expected)));
                }
            }
        }
        // Another bottom in the same pipeline.
        one.opacity = 1;
        QCOMPARE(stack.render({one}, ground).at(32, 36), first[36 * 64 + 32]);
    }

    void pixelsAndMillimetresAreInverse() {
        for (int plane = 0; plane < 3; ++plane) {
            const SliceView view{
                static_cast<Plane>(plane), Orientation::Neurological, {3, -7, 11}, 0.37, 211, 97, {}};

            const Vec3 world = view.toWorld(17.5, 80.25);
            const auto pixel = view.toPixel(world);

            QVERIFY(std::abs(pixel[0] - 17.5) < 1e-9);
            QVERIFY(std::abs(pixel[1] - 80.25) < 1e-9);
        }
    }

    void slicesAskTheMachineForNoOpenGl() {
        SlicePipeline r;
        static_cast<void>(r.render(request(numberedVolume(), Plane::Sagittal, Orientation::Radiological)));
        QFile maps("/proc/self/maps");
        QVERIFY(maps.open(QIODevice::ReadOnly));

        const QByteArray loaded = maps.readAll();

        QVERIFY(loaded.contains("libQt6Core"));
        // The program is linked to libEGL for surfaces; whoever asks it for a display loads a driver's part
        // of it.
        QVERIFY(!loaded.contains("libEGL_"));
        QVERIFY(!loaded.contains("_dri.so"));
    }
};

QTEST_GUILESS_MAIN(SlicePipelineTest)

}  // namespace slice_pipeline_test
#include "slice_pipeline_test.moc"
