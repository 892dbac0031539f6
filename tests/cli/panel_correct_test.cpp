// SPDX-License-Identifier: Apache-2.0
// Randoms of two panels, from the list of the delayed window, as the real program corrects them.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/io/format_table.h"
#include "tests/cli/small_panel.h"

namespace panel_correct_test {

using namespace tof;
using namespace tof::test;

class PanelCorrectTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        const Said simulated =
            makePanelData(QDir(folder_.path()), 40,
                          R"(,"timing_fwhm_ps":3000,"detection":{"material":"LSO","energy_resolution":0.17,)"
                          R"("window_kev":[250,750],"block":[4,3],"position":"first","coincidence_ns":6})",
                          {"--activity", "200", "--events", "30000", "--delayeds", path("late.h5")});
        QVERIFY2(simulated.code == 0, simulated.all());
        // Enough of them that the test means something.
        QVERIFY(simulated.json()["randoms"].toDouble() > 5000);
        counted_ = sum(panel("data.h5").counts);
    }

    void theirMeanGoesBesideTheCounts() {
        const Said said =
            cli({"--json", "correct", "--delayeds", path("late.h5"), path("data.h5"), path("add.h5")});

        QVERIFY2(said.code == 0, said.all());
        const double randoms = said.json()["randoms"].toDouble();
        QVERIFY(randoms > 3000);
        const PanelData data = panel("add.h5");
        QCOMPARE(sum(data.counts), counted_);
        // The mean of all lines is the number itself, as crystals' products sum to it; floats: 1e-7 a line.
        QVERIFY(std::abs(sum(data.add) / randoms - 1) < 1e-5);

        // In place of what was there, not on top.
        const Said again = cli({"correct", "--delayeds", path("late.h5"), path("add.h5"), path("twice.h5")});
        QVERIFY2(again.code == 0, again.all());
        QCOMPARE(panel("twice.h5").add, data.add);
    }

    void orTheyAreTakenFromTheCounts() {
        const Said said = cli({"--json", "correct", "--delayeds", path("late.h5"), "--randoms", "subtract",
                               path("data.h5"), path("less.h5")});

        QVERIFY2(said.code == 0, said.all());
        const PanelData data = panel("less.h5");
        QVERIFY(data.add.empty());
        const double clipped = said.json()["clipped_counts"].toDouble();
        QVERIFY(clipped > 0 && said.json()["clipped_lines"].toDouble() <= clipped);
        QCOMPARE(sum(data.counts), counted_ - said.json()["randoms"].toDouble() + clipped);
        QVERIFY(*std::min_element(data.counts.begin(), data.counts.end()) >= 0);
    }

    void whatPanelsDoNotKnowIsRefused() {
        const QStringList both{path("data.h5"), path("not.h5")};
        for (const QStringList& asked :
             {QStringList{"--scatter", "on"}, QStringList{"--norm", path("list.h5")}}) {
            const Said said = cli(QStringList{"correct", "--delayeds", path("late.h5")} + asked + both);
            QCOMPARE(said.code, 2);
            QVERIFY2(isOneSentence(said) && said.err.contains("two panels"), said.all());
        }
        QVERIFY(!QFile::exists(path("not.h5")));
    }

    void andOtherDataDoNotTakeTheWay() {
        const Said list = cli({"simulate", "--scanner", "labr3-ideal", "--phantom", "spheres", "--events",
                               "1000", path("ring.h5")});
        QVERIFY2(list.code == 0, list.all());
        const Said made = cli({"bin", "--views", "4x1", "--grid", "36x36x12", "--voxel", "16", "--mu", "none",
                               path("ring.h5"), path("histo.h5")});
        QVERIFY2(made.code == 0, made.all());
        const Said said = cli({"correct", "--delayeds", path("late.h5"), "--randoms", "subtract",
                               path("histo.h5"), path("not.h5")});
        QCOMPARE(said.code, 2);
        QVERIFY2(isOneSentence(said) && said.err.contains("--randoms"), said.all());
    }

  private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    [[nodiscard]] PanelData panel(const QString& name) const {
        return std::get<PanelData>(recognise(path(name).toStdString()).readData().data);
    }
    static double sum(const std::vector<float>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0);
    }

    QTemporaryDir folder_;
    double counted_ = 0;
};

QTEST_GUILESS_MAIN(PanelCorrectTest)

}  // namespace panel_correct_test
#include "panel_correct_test.moc"
