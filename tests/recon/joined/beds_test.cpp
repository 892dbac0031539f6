// SPDX-License-Identifier: Apache-2.0
// A uniform cylinder through three beds: where two overlap it holds as much as in one, within 1 %.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>

#include "app/engines.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/work/bin.h"
#include "recon/work/read_joined.h"
#include "recon/work/reconstruct.h"
#include "tests/support/silent_progress.h"

namespace beds_test {

using namespace tof;

namespace {

constexpr double kRadius_mm = 50;
constexpr double kLength_mm = 360;
constexpr double kStep_mm = 96;  ///< half of the 192 mm that a bed sees

bool full() {
    return qEnvironmentVariableIsSet("TOFSCOPE_FULL");
}

/// The cylinder as a bed at `z_mm` sees it; the middle bed is at 0.
Phantom cylinder(double z_mm) {
    return Phantom::fromJson(
        QString(R"({"name":"rod","shapes":[{"kind":"cylinder","centre_mm":[0,0,%1],"radius_mm":%2,)"
                R"("length_mm":%3,"activity":1,"mu_per_mm":0.0096}]})")
            .arg(-z_mm)
            .arg(kRadius_mm)
            .arg(kLength_mm)
            .toStdString(),
        "rod");
}

}  // namespace

class BedsTest : public QObject {
    Q_OBJECT

  private slots:
    void activityIsRightInEveryBed() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const ThreadPool pool(2);
        test::SilentProgress silent;
        std::ofstream table(file("beds.tsv"));
        table << "file\tz_mm\n";
        double decays = 0;  // of the first bed
        for (int bed = 0; bed < 3; ++bed) {
            const double z = (bed - 1) * kStep_mm;
            const std::uint64_t count = full() ? 1'500'000 : 250'000;
            EventList list = simulate(scanner, cylinder(z),
                                      {.events = count, .seed = 5U + static_cast<unsigned>(bed)}, pool, {});
            decays = bed == 0 ? list.decays : decays;
            list.duration_s = 100 * list.decays / decays;  // one activity in all beds
            BinRequest request;
            request.input = file("list.h5");
            request.azimuths = 20;
            request.lattice = Lattice::centred({40, 40, 48}, {4, 4, 4});
            writeEvents(request.input, list);
            const std::string name = "bed" + std::to_string(bed) + ".h5";
            writeMeasured(file(name), binEvents(request, pool, silent).data);
            table << name << '\t' << z << '\n';
        }
        table.close();

        std::string note;
        ReconstructRequest run;
        run.data = readBeds(file("beds.tsv"), note);
        for (const auto& [key, value] :
             {std::pair{"engine", "cpu"}, {"algorithm", "osem"}, {"iterations", "4"}, {"subsets", "6"}}) {
            run.settings.set(key, value);
        }
        JobListener listener;
        const Volume image = *reconstruct(run, makeEngineRegistry(), listener).image;

        QVERIFY2(note.empty(), note.c_str());
        QCOMPARE(image.lattice.size[2], 96);
        QCOMPARE(run.data->duration_s(), 100.0);       // that of the first bed
        const double truth = decays * 4 / kLength_mm;  // a slice of 4 mm
        // One bed sees what lies beyond 96 mm, two beds what lies nearer. Beds end at 192 mm.
        const double one = (mean(image, -172, -100) + mean(image, 100, 172)) / 2 / truth;
        const double two = mean(image, -88, 88) / truth;
        const QString said = QString("one bed %1, two beds %2 of the truth").arg(one).arg(two);
        qInfo("%s", qPrintable(said));
        // What is seen of water on voxels of 4 mm is right to 0.75 % (docs/measurements/motion.md), and
        // slices of one bed have a quarter of a per cent of noise. A sixth of the counts has two and a half
        // times the noise.
        const double noise = full() ? 0.0025 : 0.00625;
        QVERIFY2(std::abs(two / one - 1) < 0.0075 + noise, qPrintable(said));
        QVERIFY2(std::abs(one - 1) < 0.0075 + 2 * noise && std::abs(two - 1) < 0.0075 + 2 * noise,
                 qPrintable(said));
    }

  private:
    /// Emissions in a slice, over those between two heights.
    static double mean(const Volume& image, double from_mm, double to_mm) {
        double sum = 0;
        image.lattice.forEachVoxel([&](int x, int y, int z) {
            const double height = image.lattice.centre(x, y, z).z;
            sum += height > from_mm && height < to_mm ? static_cast<double>(image.at(x, y, z)) : 0.0;
        });
        return sum * image.lattice.spacing_mm[2] / (to_mm - from_mm);
    }
    [[nodiscard]] std::string file(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(BedsTest)

}  // namespace beds_test
#include "beds_test.moc"
