// SPDX-License-Identifier: Apache-2.0
#include "viz/surface.h"

#include <QFile>
#include <QProcess>
#include <QTest>
#include <cmath>
#include <thread>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace surface_test {

using namespace tof;
using namespace tof::viz;

namespace {

/// 1 - |p| / radius, not below zero: the level L is reached at (1 - L) radius from the middle.
std::shared_ptr<const Volume> cone(double radius, std::array<int, 3> size, double edge) {
    auto volume = std::make_shared<Volume>(Lattice::centred(size, {edge, edge, edge}));
    for (int z = 0; z < size[2]; ++z) {
        for (int y = 0; y < size[1]; ++y) {
            for (int x = 0; x < size[0]; ++x) {
                const double value = 1 - norm(volume->lattice.centre(x, y, z)) / radius;
                volume->at(x, y, z) = static_cast<float>(std::max(0.0, value));
            }
        }
    }
    return volume;
}

/// Volume that a closed surface encloses, positive when its triangles turn outwards.
double enclosed(const SurfaceMesh& mesh) {
    double sum = 0;
    for (std::size_t t = 0; t < mesh.triangles(); ++t) {
        sum += dot(mesh.corner(t, 0), cross(mesh.corner(t, 1), mesh.corner(t, 2))) / 6;
    }
    return sum;
}

SolidRequest request(std::shared_ptr<const Volume> volume, double azimuth, double elevation) {
    SolidRequest r;
    r.volume = std::move(volume);
    r.mode = SolidMode::Surface;
    r.view = {azimuth, elevation, {}, 0.5, 160, 120};
    r.map = ColourMap::find("grey");
    return r;
}

}  // namespace

class SurfaceTest : public QObject {
    Q_OBJECT

  private slots:
    void trianglesLieWhereTheLevelIsReached_data() {
        QTest::addColumn<double>("level");
        QTest::newRow("half maximum") << 0.5;
        QTest::newRow("near the peak") << 0.75;
        QTest::newRow("a tenth") << 0.1;
    }

    void trianglesLieWhereTheLevelIsReached() {
        QFETCH(double, level);
        const double radius = 30 * (1 - level);

        const auto mesh = extractSurface(*cone(30, {41, 41, 41}, 2), level);

        QVERIFY(mesh->triangles() > 500);
        for (std::size_t t = 0; t < mesh->triangles(); ++t) {
            for (int corner = 0; corner < 3; ++corner) {
                // |p| interpolated along an edge of h = 2 mm is wrong by up to h^2 / (8 r).
                QVERIFY(std::abs(norm(mesh->corner(t, corner)) - radius) < 4 / (8 * radius) + 1e-3);
            }
        }
        const double sphere = 4.0 / 3.0 * kPi * radius * radius * radius;
        // Chords of up to 2 sqrt(3) mm cut off h^2 / (8 r) of the radius, three times that of the volume.
        QVERIFY(std::abs(enclosed(*mesh) / sphere - 1) < 3 * 12 / (8 * radius * radius));
    }

    void anObjectThatIsCutOffByTheLatticeIsClosed() {
        const Volume full(Lattice::centred({6, 5, 4}, {2, 2, 2}), 1.0F);

        const auto mesh = extractSurface(full, 0.5);

        // Half-way between the outermost centres and the zeros beyond: the lattice's own box, with its edges
        // cut at 45 degrees: 12 x 10 x 8 mm less a prism of 0.5 mm^2 along 4 x (10 + 8 + 6) mm, and corners.
        const double volume = enclosed(*mesh);
        QVERIFY(volume < 12 * 10 * 8);
        QVERIFY(volume > 12 * 10 * 8 - 0.5 * 4 * (12 + 10 + 8));
    }

    void nothingAboveTheLevelHasNoTriangles() {
        QCOMPARE(extractSurface(*cone(30, {11, 11, 11}, 2), 2)->triangles(), std::size_t{0});
    }

    void aLargeVolumeIsAveragedAndStaysInPlace() {
        const auto mesh = extractSurface(*cone(200, {256, 256, 200}, 2), 0.25);

        QCOMPARE(mesh->averaged(), 2);  // 13.1 million voxels: more than 8.4, an eighth of them less
        for (std::size_t t = 0; t < mesh->triangles(); t += 97) {
            QVERIFY(std::abs(norm(mesh->corner(t, 0)) - 150) < 0.1);
        }
        QVERIFY(mesh->coarseTriangles() < mesh->triangles() / 2);
        QVERIFY(mesh->coarseTriangles() > 1000);
    }

    void thePictureIsThatOfTheRayCaster_data() {
        QTest::addColumn<double>("azimuth");
        QTest::addColumn<double>("elevation");
        QTest::newRow("front") << 0.0 << 0.0;
        QTest::newRow("turned") << 35.0 << 20.0;
        QTest::newRow("above") << -120.0 << 60.0;
    }

    void thePictureIsThatOfTheRayCaster() {
        QFETCH(double, azimuth);
        QFETCH(double, elevation);
        const auto renderer = rendererOrSkip();
        if (renderer == nullptr) {
            QSKIP("no OpenGL on this machine");
        }
        auto volume = std::make_shared<Volume>(*cone(30, {41, 41, 41}, 2));
        volume->at(30, 12, 26) = 4;  // something that tells left from right and front from back
        SolidRequest r = request(volume, azimuth, elevation);
        r.level = 0.4;

        const Picture drawn =
            renderer->render(extractSurface(*volume, r.level), r, SurfaceRenderer::Detail::Full);
        const Picture cast = renderSolid(r, ThreadPool(2));

        QCOMPARE(drawn.width, cast.width);
        QCOMPARE(drawn.height, cast.height);
        int outline = 0;
        int shade = 0;
        int inside = 0;
        const std::uint32_t ground = r.map.zero().packed();
        for (std::size_t i = 0; i < cast.pixels.size(); ++i) {
            const bool both = drawn.pixels[i] != ground && cast.pixels[i] != ground;
            outline += (drawn.pixels[i] != ground) != (cast.pixels[i] != ground) ? 1 : 0;
            inside += both ? 1 : 0;
            const auto brightness = [](std::uint32_t pixel) { return static_cast<int>(pixel & 0xffU); };
            shade += both ? std::abs(brightness(drawn.pixels[i]) - brightness(cast.pixels[i])) : 0;
        }
        QVERIFY(inside > 3000);  // a circle of 36 pixels radius
        // The outline may differ by a pixel, 2 pi 36 of them; shades by what the normals of triangles do.
        QVERIFY2(outline < 230, qPrintable(QString::number(outline)));
        QVERIFY2(shade < 6 * inside, qPrintable(QString::number(shade / inside)));
    }

    void aCoarseSurfaceLooksAlike() {
        const auto renderer = rendererOrSkip();
        if (renderer == nullptr) {
            QSKIP("no OpenGL on this machine");
        }
        const auto volume = cone(100, {128, 128, 128}, 1.6);
        SolidRequest r = request(volume, 20, 30);
        r.view.mmPerPixel = 1.5;
        const auto mesh = extractSurface(*volume, 0.25);
        QVERIFY(mesh->coarseTriangles() < mesh->triangles());

        const Picture full = renderer->render(mesh, r, SurfaceRenderer::Detail::Full);
        const Picture coarse = renderer->render(mesh, r, SurfaceRenderer::Detail::Coarse);

        int differ = 0;
        for (std::size_t i = 0; i < full.pixels.size(); ++i) {
            differ += std::abs(static_cast<int>(full.pixels[i] & 0xffU) -
                               static_cast<int>(coarse.pixels[i] & 0xffU)) > 24
                          ? 1
                          : 0;
        }
        // A circle of 50 pixels radius: the outline may move by two pixels.
        QVERIFY2(differ < 2 * 2 * 157, qPrintable(QString::number(differ)));
    }

    void anotherThreadDrawsWhileThisOneDoes() {
        const auto renderer = rendererOrSkip();
        if (renderer == nullptr) {
            QSKIP("no OpenGL on this machine");
        }
        const auto volume = cone(30, {41, 41, 41}, 2);
        const auto second = makeSurfaceRenderer();
        const SolidRequest r = request(volume, 30, 20);
        const auto half = extractSurface(*volume, 0.5);
        const Picture surfaceAlone = renderer->render(half, r, SurfaceRenderer::Detail::Full);
        const SolidRequest behind = request(volume, 210, -20);
        const Picture behindAlone = second->render(half, behind, SurfaceRenderer::Detail::Full);
        constexpr int kTimes = 30;
        int wrong = 0;

        std::thread other([&] {
            for (int i = 0; i < kTimes; ++i) {
                const auto mesh = extractSurface(*volume, 0.5);
                const Picture& p = renderer->render(mesh, r, SurfaceRenderer::Detail::Full);
                wrong += p.pixels == surfaceAlone.pixels ? 0 : 1;
            }
        });
        for (int i = 0; i < kTimes; ++i) {
            const Picture& p = second->render(half, behind, SurfaceRenderer::Detail::Full);
            QCOMPARE(p.pixels == behindAlone.pixels, true);
        }
        other.join();

        QCOMPARE(wrong, 0);
    }

    void withoutOpenGlItSaysWhy() {
        if (qEnvironmentVariableIsSet("TOFSCOPE_NO_OPENGL")) {
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(makeSurfaceRenderer()), Unavailable);
            QVERIFY(surfaceDriver().find("TOFSCOPE_NO_OPENGL") != std::string::npos);
            return;
        }
        // The context is made once in a process: another one is needed to find none.
        QProcess other;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TOFSCOPE_NO_OPENGL", "1");
        other.setProcessEnvironment(environment);
        other.start(QCoreApplication::applicationFilePath(), {"surface", "withoutOpenGlItSaysWhy"});
        QVERIFY(other.waitForFinished());
        QCOMPARE(other.exitCode(), 0);
    }

    void noQt5LibraryIsEverLoaded() {
        QVERIFY(!surfaceDriver().empty());
        QFile maps("/proc/self/maps");
        QVERIFY(maps.open(QIODevice::ReadOnly));

        const QByteArray loaded = maps.readAll();

        QVERIFY(loaded.contains("libQt6Core"));
        QVERIFY2(!loaded.contains("libQt5"), "a Qt 5 library is loaded beside Qt 6");
    }

  private:
    static std::unique_ptr<SurfaceRenderer> rendererOrSkip() {
        try {
            return makeSurfaceRenderer();
        } catch (const Unavailable&) {
            return nullptr;
        }
    }
};

QTEST_GUILESS_MAIN(SurfaceTest)

}  // namespace surface_test
#include "surface_test.moc"
