// SPDX-License-Identifier: Apache-2.0
// The host projector of two panels, and their data on the way through files.
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <random>

#include "recon/base/error.h"
#include "recon/base/instruction_set.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/scanner/scanner.h"
#include "recon/seam/host_space.h"
#include "recon/systems/panel/cpu_panel_projector.h"
#include "recon/systems/panel/panel_matrix_file.h"
#include "recon/systems/panel/panel_measurement.h"
#include "tests/recon/projector_fixtures.h"

namespace panel_projector_test {

using namespace tof;
using namespace tof::fixtures;

namespace {

/// 5 x 4 crystals 6 mm apart, of another pitch along z where y and z may not be exchanged.
PanelGeometry tiny(bool exchanges) {
    PanelGeometry g;
    g.crystals = {5, 4};
    g.pitch_mm = {2.4, exchanges ? 2.4 : 2.0};
    g.crystal_mm = {2.1, exchanges ? 2.1 : 1.8};
    g.depth_mm = 8;
    g.separation_mm = 6;
    g.planes = 11;
    return g;
}

PanelModel modelOf(const PanelGeometry& g) {
    PanelQuadrature quadrature;
    quadrature.rays = 1;
    quadrature.points = {1, 1, 1};
    return {g.lattice(),
            std::make_shared<const PanelMatrix>(buildPanelMatrix(g, quadrature, hostPanelKernels(2))),
            std::make_shared<const PanelParts>(panelParts(g, 3))};
}

/// The definition in panel_matrix.h, voxel by voxel, in double.
std::vector<double> reference(const PanelModel& model, std::size_t part, const std::vector<float>& image) {
    const PanelMatrix& m = *model.matrix;
    const PanelGeometry& g = m.geometry;
    const int d = g.voxelsPerPitch;
    std::vector<double> data;
    for (const int number : model.parts->classes[part]) {
        const PanelClass c = PanelClass::at(g, number);
        const PanelKernelRef ref = m.ofClass[static_cast<std::size_t>(number)];
        for (int i = 0; i < c.lors(g); ++i) {
            const PanelLor lor = PanelLor::at(g, c, i);
            double sum = 0;
            for (std::size_t e = 0; e < m.valuesOf(ref.kernel).size(); ++e) {
                const std::uint32_t place = m.placesOf(ref.kernel)[e];
                const int y = ref.exchanged ? PanelPlace::z(place) : PanelPlace::y(place);
                const int z = ref.exchanged ? PanelPlace::y(place) : PanelPlace::z(place);
                // Counted from the crystal of head 0 towards that of head 1.
                const int vy = lor.y1 < lor.y0 ? d * (lor.y0 + 1) - 1 - y : d * lor.y0 + y;
                const int vz = lor.z1 < lor.z0 ? d * (lor.z0 + 1) - 1 - z : d * lor.z0 + z;
                sum += static_cast<double>(m.valuesOf(ref.kernel)[e]) *
                       static_cast<double>(image[model.lattice.index(PanelPlace::x(place), vy, vz)]);
            }
            data.push_back(sum);
        }
    }
    data.resize(model.parts->partSize, 0.0);
    return data;
}

std::vector<float> forward(Projector& projector, std::size_t part, const std::vector<float>& image) {
    Space& space = projector.space();
    Array x = space.allocate(image.size());
    Array p = space.allocate(projector.dataSize(part));
    space.upload(image, x.view());
    space.fill(p.view(), 7);
    projector.forward(part, x.view(), p.view());
    std::vector<float> data(p.size());
    space.download(p.view(), data);
    return data;
}

std::vector<float> back(Projector& projector, std::size_t part, const std::vector<float>& data, Write write) {
    Space& space = projector.space();
    Array p = space.allocate(data.size());
    Array x = space.allocate(projector.imageSize());
    space.upload(data, p.view());
    space.fill(x.view(), 2);
    projector.back(part, p.view(), x.view(), write);
    std::vector<float> image(x.size());
    space.download(x.view(), image);
    return image;
}

}  // namespace

class PanelProjectorTest : public QObject {
    Q_OBJECT

  private slots:
    void linesEqualTheDefinition_data() {
        QTest::addColumn<bool>("exchanges");
        QTest::newRow("y and z alike") << true;
        QTest::newRow("y and z apart") << false;
    }
    void linesEqualTheDefinition() {
        QFETCH(bool, exchanges);
        const PanelModel model = modelOf(tiny(exchanges));
        CpuPanelProjector projector(model, std::make_shared<HostSpace>(2));
        const std::vector<float> image = uniformData(projector.imageSize(), 4, 0, 1);

        for (std::size_t part = 0; part < projector.parts(); ++part) {
            const std::vector<float> data = forward(projector, part, image);
            const std::vector<double> expected = reference(model, part, image);
            for (std::size_t i = 0; i < data.size(); ++i) {
                QVERIFY2(std::abs(static_cast<double>(data[i]) - expected[i]) <= 1e-5 * expected[i],
                         qPrintable(QString("part %1 line %2: %3 against %4")
                                        .arg(part)
                                        .arg(i)
                                        .arg(static_cast<double>(data[i]))
                                        .arg(expected[i])));
            }
        }
    }

    void backIsTheAdjoint_data() { linesEqualTheDefinition_data(); }
    void backIsTheAdjoint() {
        QFETCH(bool, exchanges);
        const PanelModel model = modelOf(tiny(exchanges));
        CpuPanelProjector projector(model, std::make_shared<HostSpace>(2));
        const std::vector<float> image = uniformData(projector.imageSize(), 1, 0, 1);

        for (std::size_t part = 0; part < projector.parts(); ++part) {
            const std::vector<float> data = uniformData(projector.dataSize(part), 2, 0, 1);
            const double one = dotProduct(forward(projector, part, image), data);
            const std::vector<float> projected = back(projector, part, data, Write::Overwrite);
            const double two = dotProduct(image, projected);
            QVERIFY2(std::abs(one - two) < 1e-5 * one, qPrintable(QString::number(one / two - 1)));
            std::vector<float> added = back(projector, part, data, Write::Add);
            for (std::size_t i = 0; i < added.size(); ++i) {
                QVERIFY(std::abs(added[i] - projected[i] - 2) < 1e-5F);
            }
        }
    }

    void threadsChangeNoBit() {
        const PanelModel model = modelOf(tiny(true));
        CpuPanelProjector one(model, std::make_shared<HostSpace>(1));
        CpuPanelProjector four(model, std::make_shared<HostSpace>(4));
        const std::vector<float> image = uniformData(one.imageSize(), 1, 0, 1);
        const std::vector<float> data = uniformData(one.dataSize(0), 2, 0, 1);

        QCOMPARE(forward(one, 0, image), forward(four, 0, image));
        QCOMPARE(back(one, 0, data, Write::Overwrite), back(four, 0, data, Write::Overwrite));
    }

    /// Counts in a few lines: what is left out changes nothing, and saves most of the work.
    void linesWithoutCountsAreSkipped_data() {
        QTest::addColumn<int>("every");
        QTest::newRow("all have counts") << 1;
        QTest::newRow("a few have") << 97;
        QTest::newRow("none has") << 0;
    }
    void linesWithoutCountsAreSkipped() {
        QFETCH(int, every);
        PanelGeometry g = tiny(true);
        g.crystals = {20, 13};
        const PanelModel model = modelOf(g);
        CpuPanelProjector projector(model, std::make_shared<HostSpace>(2));
        const std::vector<float> image = uniformData(projector.imageSize(), 1, 0.5, 1);
        const std::size_t size = projector.dataSize(0);
        std::vector<float> counts(size, 0.0F);
        for (std::size_t i = 0; i < size; ++i) {
            counts[i] = every > 0 && i % static_cast<std::size_t>(every) == 0
                            ? 1.0F + static_cast<float>(i % 3)
                            : 0.0F;
        }
        Space& space = projector.space();
        Array x = space.allocate(image.size());
        Array y = space.allocate(size);
        Array scratch = space.allocate(size);
        Array out = space.allocate(image.size());
        space.upload(image, x.view());
        space.upload(counts, y.view());
        PartData data;
        data.y = y.view();

        projector.backDiscrepancy(0, data, Discrepancy::Ratio, x.view(), scratch.view(), out.view(),
                                  Write::Overwrite);
        std::vector<float> skipped(image.size());
        space.download(out.view(), skipped);
        projector.Projector::backDiscrepancy(0, data, Discrepancy::Ratio, x.view(), scratch.view(),
                                             out.view(), Write::Overwrite);
        std::vector<float> plain(image.size());
        space.download(out.view(), plain);

        if (every == 1) {
            QCOMPARE(skipped, plain);
        } else if (every == 0) {
            QCOMPARE(skipped, std::vector<float>(image.size(), 0.0F));
        } else {
            QVERIFY(relativeToMaximum(skipped, plain) < 1e-6);
        }
    }

    void everyInstructionSetGivesTheSameLines() {
        const int length = 37;
        const int rows = 5;
        const std::vector<float> image = uniformData(64 * 20, 9, 0, 1);
        const std::vector<float> weights = uniformData(11, 8, 0, 1);
        std::vector<std::int32_t> offsets;
        for (int e = 0; e < 11; ++e) {
            offsets.push_back(e * 41 % 64 + 64 * (e % 3));
        }
        const PanelRun run{offsets.data(), weights.data(), 11, rows, length, 64, length};
        std::vector<float> plain(static_cast<std::size_t>(length * rows));
        baseline::panelForward(run, image.data(), plain.data());
#if defined(__x86_64__)
        for (const InstructionSet set : availableInstructionSets()) {
            std::vector<float> other(plain.size());
            (set == InstructionSet::Avx512 ? avx512::panelForward
             : set == InstructionSet::Avx2 ? avx2::panelForward
                                           : baseline::panelForward)(run, image.data(), other.data());
            QVERIFY(relativeToMaximum(other, plain) < 1e-6);
        }
#endif
    }

    void aMatrixComesBackFromItsFile() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("m.h5").toStdString();
        const PanelModel model = modelOf(tiny(true));
        const PanelMatrix& matrix = *model.matrix;
        QVERIFY(!readPanelMatrix(path, matrix.geometry, matrix.quadrature).has_value());

        writePanelMatrix(path, matrix);
        const auto back = readPanelMatrix(path, matrix.geometry, matrix.quadrature);

        QVERIFY(back.has_value());
        QCOMPARE(back->values, matrix.values);
        QCOMPARE(back->places, matrix.places);
        QCOMPARE(back->offsets, matrix.offsets);
        PanelQuadrature finer = matrix.quadrature;
        finer.rays = 4;
        QVERIFY(!readPanelMatrix(path, matrix.geometry, finer).has_value());
        QVERIFY(!readPanelMatrix(path, tiny(false), matrix.quadrature).has_value());
    }

    void aMatrixThatPointsOutsideItsImageIsRefused() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("m.h5").toStdString();
        PanelMatrix matrix = *modelOf(tiny(true)).matrix;
        matrix.places.back() = PanelPlace::pack(matrix.geometry.planes, 0, 0);
        writePanelMatrix(path, matrix);

        QVERIFY_EXCEPTION_THROWN((void)readPanelMatrix(path, matrix.geometry, matrix.quadrature), BadInput);
    }

    void dataComeBackFromTheirFile() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("d.h5").toStdString();
        const Scanner scanner = Scanner::find("small-panel");
        PanelData data;
        data.geometry = PanelGeometry::of(scanner).value();
        data.geometry.efficiency = 0.75;
        data.lattice = data.geometry.lattice();
        data.scannerJson = scanner.toJson();
        data.counts.assign(data.geometry.lors(), 0.0F);
        data.counts[5] = 3;
        data.counts.back() = 2;
        data.kept = 5;
        data.decays = 100;

        writePanelData(path, data);
        const RecognisedFile file = recognise(path);

        QCOMPARE(file.form(), std::string("panel"));
        const auto back = std::get<PanelData>(file.readData().data);
        QCOMPARE(back.counts, data.counts);
        QVERIFY(back.geometry == data.geometry);
        QCOMPARE(back.kept, std::uint64_t{5});
        QCOMPARE(back.decays, 100.0);
        QVERIFY(back.lattice == data.lattice);
    }
};

QTEST_GUILESS_MAIN(PanelProjectorTest)

}  // namespace panel_projector_test
#include "panel_projector_test.moc"
