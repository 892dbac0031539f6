// SPDX-License-Identifier: Apache-2.0
#include "recon/base/log.h"

#include <QTest>

namespace log_test {

using namespace tof;

class LogTest : public QObject {
    Q_OBJECT

  private slots:
    void sentencesLoseTheirNames_data() {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("kept");
        QTest::newRow("no name") << "3 subsets of 2 views: choose 0 (one view per block) to 2"
                                 << "3 subsets of 2 views: choose 0 (one view per block) to 2";
        QTest::newRow("file") << "/data/Meier, Anna/scan 1.h5: is not a run file; take another"
                              << "*.h5: is not a run file; take another";
        QTest::newRow("file without folder") << "meier.cdh: is empty"
                                             << "*.cdh: is empty";
        QTest::newRow("file without extension") << "/data/meier: is empty"
                                                << "*: is empty";
        QTest::newRow("file later on") << "no such list (/data/meier/l.h5); make one"
                                       << "no such list (*.h5); make one";
        QTest::newRow("quoted") << "phantom 'Anna Meier' emits nothing; see 'a b/Meier.json'"
                                << "phantom '*' emits nothing; see '*.json'";
        QTest::newRow("quoted with a mark in it") << "study 'Anna's scan.tofstudy' is open"
                                                  << "study '*.tofstudy' is open";
        QTest::newRow("quote that never ends") << "ROI 'Meier is odd"
                                               << "ROI '*'";
        QTest::newRow("apostrophe") << "the phantom's sphere, the scanner's axis"
                                    << "the phantom's sphere, the scanner's axis";
        QTest::newRow("numbers") << "0.5 mm lies outside 1e3.5"
                                 << "0.5 mm lies outside 1e3.5";
        QTest::newRow("empty") << ""
                               << "";
    }

    void sentencesLoseTheirNames() {
        QFETCH(QString, sentence);
        QFETCH(QString, kept);

        QCOMPARE(QString::fromStdString(withoutNames(sentence.toStdString())), kept);
    }

    void commandLinesLoseTheirNames() {
        const std::vector<std::string> words{
            "reconstruct", "/data/Meier/d.h5", "--out",          "r.h5",  "--kernel", "meier", "--iterations",
            "20",          "--engine=cpu",     "--out=meier.h5", "--pad", "16,16,8"};

        QCOMPARE(withoutNames(words, {"reconstruct", "cpu"}),
                 std::string("reconstruct *.h5 --out *.h5 --kernel * --iterations 20 --engine=cpu --out=*.h5 "
                             "--pad 16,16,8"));
    }
};

QTEST_APPLESS_MAIN(LogTest)

}  // namespace log_test
#include "log_test.moc"
