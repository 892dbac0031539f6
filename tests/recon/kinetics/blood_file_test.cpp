// SPDX-License-Identifier: Apache-2.0
// Blood samples of PET BIDS.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <string>

#include "recon/base/error.h"
#include "recon/kinetics/blood_file.h"

namespace blood_file_test {

using namespace tof;

class BloodFileTest : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir folder_;
    std::string save(const char* name, const QByteArray& text) const {
        QFile out(folder_.filePath(name));
        return out.open(QIODevice::WriteOnly) && out.write(text) == text.size() ? out.fileName().toStdString()
                                                                                : std::string();
    }

  private slots:
    void plasmaIsThatOfTheParentInTheImagesUnits() {
        const std::string path = save("sub_blood.tsv",
                                      "time\twhole_blood_radioactivity\tplasma_radioactivity\t"
                                      "metabolite_parent_fraction\n"
                                      "0\t0\t0\t1\n"
                                      "10\t3\tn/a\tn/a\n"
                                      "20\t4\t8\tn/a\n"
                                      "40\tn/a\t4\t0.5\n");
        save("sub_blood.json", R"({"plasma_radioactivity": {"Units": "kBq/mL"},
                                   "whole_blood_radioactivity": {"Units": "kBq/mL"}})");

        const BloodSamples samples = readBloodFile(path, "Bq/ml");

        // Parent: 1 at 0 s, 0.75 at 20 s, 0.5 at 40 s. Means are those of trapezia.
        const std::vector<double> plasma = samples.plasma.means({{0, 20}, {20, 20}});
        QVERIFY(std::abs(plasma[0] - 3000) < 1e-9 && std::abs(plasma[1] - 4000) < 1e-9);
        QVERIFY(samples.wholeBlood);
        QVERIFY(std::abs(samples.wholeBlood->means({{0, 10}})[0] - 1500) < 1e-9);
        QVERIFY(samples.notes.empty());
    }

    void whatIsAssumedIsSaid() {
        const BloodSamples samples =
            readBloodFile(save("bare.tsv", "time\twhole_blood_radioactivity\n5\t10\n15\t10\n"), "Bq/ml");

        QVERIFY(std::abs(samples.plasma.means({{0, 5}})[0] - 5) < 1e-12);  // rises from 0 at time 0
        QCOMPARE(samples.notes.size(), std::size_t{4});                    // plasma, parent, units, start
    }

    void badTablesAreRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("named");
        QTest::newRow("no header") << QByteArray("0\t1\n1\t2\n") << "'time'";
        QTest::newRow("no activity") << QByteArray("time\tpressure\n0\t1\n") << "plasma_radioactivity";
        QTest::newRow("no number") << QByteArray("time\tplasma_radioactivity\n0\t1\n1\tmuch\n") << "line 3";
        QTest::newRow("not sorted") << QByteArray("time\tplasma_radioactivity\n0\t1\n2\t1\n1\t1\n")
                                    << "line 4";
        QTest::newRow("one sample") << QByteArray("time\tplasma_radioactivity\n0\t1\n") << "two samples";
        QTest::newRow("per cent") << QByteArray(
                                         "time\tplasma_radioactivity\tmetabolite_parent_fraction\n0\t1\t100\n"
                                         "1\t2\t90\n")
                                  << "from 0 to 1";
        QTest::newRow("infinite") << QByteArray("time\tplasma_radioactivity\n0\t1\n1\tinf\n") << "line 3";
    }
    void badTablesAreRefused() {
        QFETCH(QByteArray, text);
        QFETCH(QString, named);
        const std::string path = save("bad.tsv", text);
        try {
            (void)readBloodFile(path, "Bq/ml");
        } catch (const BadInput& fault) {
            QVERIFY2(QString(fault.what()).contains(named) && QString(fault.what()).contains("bad.tsv"),
                     fault.what());
            return;
        }
        QFAIL("nothing was refused");
    }

    void unitsThatCannotBeComparedAreRefused() {
        const std::string path = save("counts.tsv", "time\tplasma_radioactivity\n0\t1\n9\t1\n");
        save("counts.json", R"({"plasma_radioactivity": {"Units": "Bq/mL"}})");
        QVERIFY_EXCEPTION_THROWN((void)readBloodFile(path, "emissions/voxel"), BadInput);
    }
};

QTEST_GUILESS_MAIN(BloodFileTest)

}  // namespace blood_file_test
#include "blood_file_test.moc"
