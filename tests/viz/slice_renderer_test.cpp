// SPDX-License-Identifier: Apache-2.0
#include "viz/slice_renderer.h"

#include <QFile>
#include <QTest>
#include <cmath>
#include <limits>
#include <memory>

#include "recon/base/error.h"

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
    r.view = {plane, orientation, {0, 0, 0}, 0.25, 64, 72};
    return r;
}

int level(const Picture& picture, const SliceView& view, Vec3 world) {
    const auto pixel = view.toPixel(world);
    return static_cast<int>(
        picture.at(static_cast<int>(std::floor(pixel[0])), static_cast<int>(std::floor(pixel[1]))) & 0xffU);
}

std::unique_ptr<SliceRenderer> rendererOrNull(const QString& name) {
    if (name == "cpu") {
        return makeCpuSliceRenderer();
    }
    try {
        return makeVtkSliceRenderer();
    } catch (const Unavailable&) {
        return nullptr;
    }
}

}  // namespace

class SliceRendererTest : public QObject {
    Q_OBJECT

  private slots:
    void everyVoxelHasItsGreyLevelInItsPlace_data() {
        QTest::addColumn<QString>("renderer");
        QTest::addColumn<int>("plane");
        QTest::addColumn<bool>("radiological");
        for (const char* renderer : {"cpu", "vtk"}) {
            for (int plane = 0; plane < 3; ++plane) {
                for (const bool radiological : {true, false}) {
                    QTest::addRow("%s plane %d %s", renderer, plane,
                                  radiological ? "radiological" : "neurological")
                        << QString(renderer) << plane << radiological;
                }
            }
        }
    }

    void everyVoxelHasItsGreyLevelInItsPlace() {
        QFETCH(QString, renderer);
        QFETCH(int, plane);
        QFETCH(bool, radiological);
        const auto r = rendererOrNull(renderer);
        if (r == nullptr) {
            QSKIP("no OpenGL on this machine");
        }
        const auto volume = numberedVolume();
        const Lattice& lattice = volume->lattice;
        SliceRequest q = request(volume, static_cast<Plane>(plane),
                                 radiological ? Orientation::Radiological : Orientation::Neurological);
        const PlaneAxes axes = planeAxes(q.view.plane, q.view.orientation);
        q.view.centre = lattice.centre(2, 1, 1);

        const Picture& picture = r->render(q);

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
        const auto r = makeCpuSliceRenderer();
        SliceRequest q = request(numberedVolume(), Plane::Transverse, Orientation::Radiological);
        const Picture left = r->render(q);
        q.view.orientation = Orientation::Neurological;

        const Picture right = r->render(q);

        // x = 0 is the patient's right: left edge of the radiological picture, right edge of the other.
        QVERIFY(level(left, q.view, {0, 0, 0}) == level(right, q.view, {0, 0, 0}));
        QVERIFY((left.at(16, 36) & 0xffU) < (left.at(48, 36) & 0xffU));
        QVERIFY((right.at(16, 36) & 0xffU) > (right.at(48, 36) & 0xffU));
    }

    void outsideTheLatticeIsTheColourOfZero_data() {
        QTest::addColumn<QString>("renderer");
        QTest::newRow("cpu") << QString("cpu");
        QTest::newRow("vtk") << QString("vtk");
    }

    void outsideTheLatticeIsTheColourOfZero() {
        QFETCH(QString, renderer);
        const auto r = rendererOrNull(renderer);
        if (r == nullptr) {
            QSKIP("no OpenGL on this machine");
        }
        SliceRequest q = request(numberedVolume(), Plane::Transverse, Orientation::Radiological);
        q.map = ColourMap::find("inverse-grey");

        const Picture& inside = r->render(q);
        QCOMPARE(inside.at(0, 0), 0xffffffffU);
        QCOMPARE(inside.at(63, 71), 0xffffffffU);

        q.view.centre.z = 50;
        const Picture& beyond = r->render(q);
        QCOMPARE(beyond.at(32, 36), 0xffffffffU);
    }

    void valuesThatAreNotNumbersDoNoHarm() {
        auto volume = std::make_shared<Volume>(*numberedVolume());
        volume->at(2, 1, 1) = std::numeric_limits<float>::quiet_NaN();
        volume->at(3, 1, 1) = std::numeric_limits<float>::infinity();
        SliceRequest q = request(volume, Plane::Transverse, Orientation::Radiological);
        const auto r = makeCpuSliceRenderer();

        const Picture& picture = r->render(q);

        QCOMPARE(level(picture, q.view, volume->lattice.centre(2, 1, 1)), 0);
        QCOMPARE(level(picture, q.view, volume->lattice.centre(3, 1, 1)), 255);
    }

    void linearInterpolationGivesTheMeanHalfwayBetweenVoxels_data() {
        outsideTheLatticeIsTheColourOfZero_data();
    }

    void linearInterpolationGivesTheMeanHalfwayBetweenVoxels() {
        QFETCH(QString, renderer);
        const auto r = rendererOrNull(renderer);
        if (r == nullptr) {
            QSKIP("no OpenGL on this machine");
        }
        SliceRequest q = request(numberedVolume(), Plane::Transverse, Orientation::Radiological);
        q.view.mmPerPixel = 0.05;
        q.view.width = 400;
        q.view.height = 400;
        q.interpolation = Interpolation::Linear;
        const Lattice& lattice = q.volume->lattice;

        const Picture& picture = r->render(q);

        // Between (2, 1) and (2, 2): the mean of 112 and 122.
        const int got = level(picture, q.view, lattice.centre(2, 1.5, 1));
        QVERIFY2(std::abs(got - 117) <= 1, qPrintable(QString::number(got)));
    }

    void vtkAndCpuDrawTheSamePicture() {
        const auto vtk = rendererOrNull("vtk");
        if (vtk == nullptr) {
            QSKIP("no OpenGL on this machine");
        }
        const auto cpu = makeCpuSliceRenderer();
        SliceRequest q = request(numberedVolume(), Plane::Coronal, Orientation::Radiological);
        q.view.centre = {0.7, 1.5, -0.3};
        q.view.mmPerPixel = 0.171;  // no pixel centre falls on a voxel boundary
        q.map = ColourMap::find("inferno");

        const Picture a = vtk->render(q);
        const Picture b = cpu->render(q);

        int different = 0;
        for (std::size_t i = 0; i < a.pixels.size(); ++i) {
            for (const unsigned shift : {0U, 8U, 16U}) {
                const int da = static_cast<int>((a.pixels[i] >> shift) & 0xffU);
                const int db = static_cast<int>((b.pixels[i] >> shift) & 0xffU);
                different += std::abs(da - db) > 4 ? 1 : 0;
            }
        }
        QCOMPARE(different, 0);
    }

    void pixelsAndMillimetresAreInverse() {
        for (int plane = 0; plane < 3; ++plane) {
            const SliceView view{
                static_cast<Plane>(plane), Orientation::Neurological, {3, -7, 11}, 0.37, 211, 97};

            const Vec3 world = view.toWorld(17.5, 80.25);
            const auto pixel = view.toPixel(world);

            QVERIFY(std::abs(pixel[0] - 17.5) < 1e-9);
            QVERIFY(std::abs(pixel[1] - 80.25) < 1e-9);
        }
    }

    void noQt5LibraryIsEverLoaded() {
        const auto r = makeSliceRenderer(RendererChoice::Auto);
        QVERIFY(!r->description().empty());
        QFile maps("/proc/self/maps");
        QVERIFY(maps.open(QIODevice::ReadOnly));

        const QByteArray loaded = maps.readAll();

        QVERIFY(loaded.contains("libQt6Core"));
        QVERIFY2(!loaded.contains("libQt5"), "a Qt 5 library is loaded beside Qt 6");
    }
};

QTEST_GUILESS_MAIN(SliceRendererTest)
#include "slice_renderer_test.moc"
