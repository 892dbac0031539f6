// SPDX-License-Identifier: Apache-2.0
// Sinograms of a ring scanner through the real program: simulated, reconstructed, analysed.
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "recon/io/ring_io.h"
#include "recon/io/volume_io.h"
#include "tests/cli/cli_process.h"

using namespace tof;
using namespace tof::test;

class RingPipelineTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QFile file(path("rings.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"kind":"rings","name":"small","rings":4,"crystals_per_ring":96,"radius_mm":300,)"
                   R"("ring_spacing_mm":8,"segments":"ge","radial_bins":55,"angles_per_part":4})");
    }

    void fromPhantomToImage() {
        const Said simulated =
            cli({"simulate", "--scanner", path("rings.json"), "--phantom", "uniform-cylinder", "--events",
                 "200000", "--grid", "40x40x7", "--voxel", "8x8x4", path("sim.h5"), "--json"});
        QVERIFY2(simulated.code == 0, simulated.all());
        const RingData data = readRingData(path("sim.h5").toStdString());
        QCOMPARE(static_cast<double>(data.kept), simulated.json()["counts"].toDouble());

        const Said info = cli({"info", path("sim.h5"), "--json"});
        QCOMPARE(info.json()["form"].toString(), QString("sinogram"));
        QCOMPARE(info.json()["angles"].toInt(), 48);

        const Said there = cli({"convert", path("sim.h5"), path("sim.hs")});
        QVERIFY2(there.code == 0, there.all());
        const Said back = cli({"convert", path("sim.hs"), path("back.h5")});
        QVERIFY2(back.code == 0, back.all());
        QCOMPARE(readRingData(path("back.h5").toStdString()).kept, data.kept);

        const Said made =
            cli({"reconstruct", path("sim.h5"), "--out", path("run.h5"), "--algorithm", "osem", "--subsets",
                 "6", "--iterations", "2", "--engine", "cpu", "--projector", "joseph", "--json"});
        QVERIFY2(made.code == 0, made.all());
        const Volume image = readVolume(path("run.h5").toStdString());
        QVERIFY(image.lattice == data.lattice);
        double inside = 0;
        double outside = 0;
        for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < 40; ++x) {
                const Vec3 at = image.lattice.centre(x, y, 3);
                const double radius = std::hypot(at.x, at.y);
                inside += radius < 80 ? static_cast<double>(image.at(x, y, 3)) / 317 : 0;
                outside += radius > 125 ? static_cast<double>(image.at(x, y, 3)) / 832 : 0;
            }
        }
        QVERIFY2(outside < 0.05 * inside, qPrintable(QString("%1 %2").arg(outside).arg(inside)));
    }

    void fromListToSinograms() {
        // The built-in Monte Carlo scanner is no ring of this size: its crystals are refused by name.
        const Said list = cli(
            {"simulate", "--scanner", "labr3", "--phantom", "spheres", "--events", "2000", path("list.h5")});
        QVERIFY2(list.code == 0, list.all());
        const Said refused = cli({"bin", path("list.h5"), path("no.h5"), "--to", "sinogram", "--scanner",
                                  path("rings.json"), "--mu", "none"});
        QCOMPARE(refused.code, 3);
        QVERIFY2(isOneSentence(refused), refused.all());
        QVERIFY(!QFile::exists(path("no.h5")));
    }

  private:
    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }
};

QTEST_GUILESS_MAIN(RingPipelineTest)
#include "ring_pipeline_test.moc"
