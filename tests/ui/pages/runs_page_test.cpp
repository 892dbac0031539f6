// SPDX-License-Identifier: Apache-2.0
// The table of runs through the real window: values, order, filter, pins, comments and files.
#include <QHeaderView>
#include <QLineEdit>
#include <QTest>
#include <nlohmann/json.hpp>

#include "recon/metrics/profile.h"
#include "tests/ui/fixture.h"
#include "ui/kit/key_table.h"
#include "ui/pages/runs_page.h"
#include "ui/window/main_window.h"

namespace runs_page_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class RunsPageTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }
    /// Three runs: two of RAMLA with 1 and 3 iterations, one of OSEM with 2.
    void begin() override {
        open(dataFile_);
        desk_->settings().set("relaxation", "0.3");
        reconstruct(1);
        reconstruct(3);
        desk_->settings().set("algorithm", "osem");
        reconstruct(2);
        QVERIFY(window_->commands().trigger("page.runs"));
        QVERIFY(until([this] { return !desk_->busy(); }));
        window_->refreshNow();
    }

  private slots:
    void aRowSaysWhatTheRunHasAtItsIterate() {
        QCOMPARE(letters(), (QStringList{"A", "B", "C"}));
        for (int row = 0; row < 3; ++row) {
            const RunItem& item = *desk_->runs().items()[static_cast<std::size_t>(row)];
            const Figures& figures = item.figures().back();
            QCOMPARE(cell(row, "CRC, %").toDouble(), rounded(100 * figures.crc));
            QCOMPARE(cell(row, "Noise, %").toDouble(), rounded(100 * figures.noise));
            QCOMPARE(cell(row, "Iterate").toInt(), item.lastIterate());
            const Vec3 at = desk_->view().cursor();
            const auto peak = peakNear(profileAlong(*item.volume(), 0, at), at.x, 12).peak;
            QCOMPARE(cell(row, "FWHM along x, mm"),
                     peak ? QString::number(peak->width_mm(), 'f', 1) : QString());
        }
        // Settings stand there where runs differ in them.
        QVERIFY(column("Algorithm") >= 0 && column("Iterations") >= 0);
        QCOMPARE(column("Relaxation"), -1);
        QCOMPARE(cell(2, "Algorithm"), QString("OSEM"));
        // An earlier iterate has its own figures.
        desk_->runs().showIterate(desk_->runs().find("B")->id(), 1);
        window_->refreshNow();
        QTRY_COMPARE(cell(1, "Iterate"), QString("1"));
        QCOMPARE(cell(1, "CRC, %"), cell(0, "CRC, %"));
    }

    void aClickOnATitleSortsAndPinnedRowsStayOnTop() {
        clickTitle("Noise, %");
        QStringList smallestFirst = letters();
        QVERIFY(isAscending("Noise, %"));
        clickTitle("Noise, %");
        std::reverse(smallestFirst.begin(), smallestFirst.end());
        QCOMPARE(letters(), smallestFirst);
        clickTitle("Noise, %");
        QCOMPARE(letters(), (QStringList{"A", "B", "C"}));

        page().setPinned("C", true);

        QCOMPARE(table().item(0, 0)->text().back(), QChar('C'));
        QCOMPARE(letters().size(), 3);
    }

    void wordsFilterTheRows() {
        auto* filter = window_->findChild<QLineEdit*>("runs.filter");
        filter->setFocus();
        QTest::keyClicks(filter, "osem");
        QCOMPARE(letters(), (QStringList{"C"}));
        filter->clear();
        QTest::keyClicks(filter, "nothing like it");
        QCOMPARE(letters(), QStringList());
    }

    void noRowIsSelectedForARunThatIsFilteredAway() {
        desk_->runs().select(desk_->runs().find("B")->id());
        page().setFilter("osem");
        QCOMPARE(letters(), (QStringList{"C"}));
        QVERIFY(table().selectedItems().isEmpty());
        page().setFilter("");
        QCOMPARE(table().selectedItems().front()->row(), 1);
    }

    void commentsAndFilterGoWithTheStudy() {
        page().setComment("A", "of this study");
        page().setFilter("osem");
        page().setPinned("A", true);

        open(dataFile_);
        reconstruct(1);

        QCOMPARE(page().toJson().at("comments").size(), std::size_t{0});
        QCOMPARE(page().toJson().at("pinned").size(), std::size_t{0});
        QCOMPARE(page().toJson().at("filter").get<std::string>(), std::string());
    }

    void aClickSelectsTheRun() {
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {},
                          table().visualItemRect(table().item(0, 1)).center());
        QCOMPARE(desk_->runs().selected()->label(), QString("A"));
    }

    void commentsPinsAndOrderComeBackWithTheSession() {
        page().setComment("B", "of the  paper");
        page().setPinned("B", true);
        page().sortBy("crc", Qt::DescendingOrder);
        const nlohmann::json saved = page().toJson();
        page().setComment("B", "");
        page().setPinned("B", false);
        QCOMPARE(cell(letters().indexOf("B"), "Comment"), QString());

        page().fromJson(saved);

        QCOMPARE(letters().front(), QString("B"));
        QCOMPARE(cell(0, "Comment"), QString("of the paper"));
        QCOMPARE(page().toJson().dump(), saved.dump());
        // What is damaged changes nothing but to the look of the start.
        page().fromJson(nlohmann::json::parse(R"({"comments": [1], "pinned": 7, "sorted_by": "no such"})"));
        QCOMPARE(letters(), (QStringList{"A", "B", "C"}));
    }

    void theTableIsWrittenAsCsvAndForLatex() {
        page().setComment("A", "50 %, a_b & \"c\"");
        const RunTable shown = page().shown();
        const QStringList csv = runTableText(shown, "runs.csv").split('\n', Qt::SkipEmptyParts);
        QCOMPARE(csv.size(), qsizetype{4});
        QVERIFY(csv[0].startsWith("Letter,Name,Comment,Iterate,"));
        QVERIFY2(csv[1].contains("\"50 %, a_b & \"\"c\"\"\""), qPrintable(csv[1]));
        const double crc = 100 * desk_->runs().find("C")->figures().back().crc;
        QVERIFY(csv[3].contains(QString::number(crc, 'g', 9)));
        QVERIFY(csv[3].contains(",osem,"));
        const QStringList tex = runTableText(shown, "runs.tex").split('\n', Qt::SkipEmptyParts);
        QCOMPARE(tex.size(), qsizetype{7});
        QVERIFY(tex.front().startsWith("\\begin{tabular}{lllr"));
        QCOMPARE(tex[2], QString("\\hline"));
        QVERIFY(tex[5].contains("OSEM"));
        QVERIFY2(tex[3].contains("50 \\%, a\\_b \\& \"c\""), qPrintable(tex[3]));
        QCOMPARE(tex.back(), QString("\\end{tabular}"));
        for (int row = 3; row < 6; ++row) {
            QCOMPARE(tex[row].count(" & "), static_cast<qsizetype>(shown.columns.size()) - 1);
        }
    }

  private:
    RunsPage& page() { return *window_->findChild<RunsPage*>("page.runs"); }
    KeyTable& table() { return *window_->findChild<KeyTable*>("runs.table"); }
    static double rounded(double value) { return QString::number(value, 'f', 1).toDouble(); }
    QStringList letters() {
        QStringList all;
        for (int row = 0; row < table().rowCount(); ++row) {
            all << table().item(row, 0)->text().right(1);
        }
        return all;
    }
    int column(const QString& title) {
        for (int i = 0; i < table().columnCount(); ++i) {
            if (table().horizontalHeaderItem(i)->text() == title) {
                return i;
            }
        }
        return -1;
    }
    QString cell(qsizetype row, const QString& title) {
        return column(title) < 0 ? "no " + title : table().item(static_cast<int>(row), column(title))->text();
    }
    bool isAscending(const QString& title) {
        std::vector<double> values;
        for (int row = 0; row < table().rowCount(); ++row) {
            values.push_back(cell(row, title).toDouble());
        }
        return std::is_sorted(values.begin(), values.end());
    }
    void clickTitle(const QString& title) {
        QHeaderView& header = *table().horizontalHeader();
        const int at = header.sectionViewportPosition(column(title)) + 8;
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, QPoint(at, header.height() / 2));
    }

    QString dataFile_;
};

QTEST_MAIN(RunsPageTest)

}  // namespace runs_page_test
#include "runs_page_test.moc"
