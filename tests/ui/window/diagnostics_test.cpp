// SPDX-License-Identifier: Apache-2.0
#include "ui/window/diagnostics.h"

#include <QTest>

#include "app/engines.h"
#include "recon/settings/version.h"

namespace diagnostics_test {

using namespace tof;

namespace {

class OneLine : public Log {
  public:
    void write(LogLevel /*level*/, const std::string& /*line*/) noexcept override {}
    [[nodiscard]] std::vector<std::string> lastLines() const override { return {"a line of the log\n"}; }
};

}  // namespace

class DiagnosticsTest : public QObject {
    Q_OBJECT

  private slots:
    void theyNameWhatAReportNeedsAndNobody() {
        RunSettings settings;
        settings.kernelText = "/data/Anna Meier/kernel.json";
        settings.iterations = 7;

        const QString text = ui::diagnosticsText(makeEngineRegistry(), settings, "CPU", OneLine());

        for (const char* part : {kVersion, "Qt ", "pictures: CPU", "engine cpu: ", "engine cuda: ",
                                 "iterations 7", "kernel *", "a line of the log"}) {
            QVERIFY2(text.contains(part), qPrintable(QString(part) + " in " + text));
        }
        QVERIFY2(!text.contains("Meier") && !text.contains("/data"), qPrintable(text));
    }
};

QTEST_GUILESS_MAIN(DiagnosticsTest)

}  // namespace diagnostics_test
#include "diagnostics_test.moc"
