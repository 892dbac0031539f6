// SPDX-License-Identifier: Apache-2.0
#include "recon/work/reconstruct.h"

#include <QTest>

namespace settings_line_test {

using namespace tof;

class SettingsLineTest : public QObject {
    Q_OBJECT

  private slots:
    void settingsAreToldWithoutNames_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<bool>("told");
        QTest::newRow("preset") << "variant2" << true;
        QTest::newRow("file") << "/data/Anna Meier/kernel.json" << false;
        QTest::newRow("text") << R"({"name":"Meier","tof_ps":400})" << false;
        QTest::newRow("preset of one's own") << "preset:Meier" << false;
    }

    void settingsAreToldWithoutNames() {
        QFETCH(QString, kernel);
        QFETCH(bool, told);
        RunSettings settings;
        settings.kernelText = kernel.toStdString();
        settings.iterations = 7;

        const QString line = QString::fromStdString(settingsWithoutNames(settings));

        QVERIFY2(line.contains("iterations 7"), qPrintable(line));
        QVERIFY2(line.contains(told ? "kernel " + kernel : QString("kernel *")), qPrintable(line));
        QVERIFY2(!line.contains("Meier"), qPrintable(line));
    }
};

QTEST_APPLESS_MAIN(SettingsLineTest)

}  // namespace settings_line_test
#include "settings_line_test.moc"
