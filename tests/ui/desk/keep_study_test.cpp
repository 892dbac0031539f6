// SPDX-License-Identifier: Apache-2.0
// Data that were opened without a study become one with their runs, and a study is copied.
#include "ui/desk/keep_study.h"

#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QTest>
#include <QTimer>

#include "recon/study/study.h"
#include "tests/ui/fixture.h"

namespace keep_study_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class KeepStudyTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { data_ = writeSmallData(); }

  private slots:
    void openDataBecomeAStudyWithTheirRuns() {
        open(data_);
        QVERIFY(!window_->windowTitle().contains("not saved"));
        reconstruct(3);
        desk_->view().setRange({1, 99});
        window_->refreshNow();
        QVERIFY2(window_->windowTitle().contains("(not saved)"), qPrintable(window_->windowTitle()));
        const std::vector<float> image = desk_->runs().image()->data;
        const std::vector<Figures> figures = desk_->runs().items().front()->figures();
        const QString folder = folder_.filePath("made.tofstudy");

        saveAs(folder);

        QVERIFY(until([&] { return desk_->study().hasFolder() && !desk_->busy(); }));
        window_->refreshNow();
        QVERIFY(!window_->windowTitle().contains("not saved"));
        QVERIFY(QDir(folder).exists("runs/A.h5"));
        const RunItem* run = desk_->runs().find("A");
        QVERIFY(run != nullptr);
        QVERIFY(until([&] { return desk_->runs().image() != nullptr; }));
        QCOMPARE(run->iterates(), (std::vector<int>{1, 2, 3}));
        QVERIFY(desk_->runs().image()->data == image);
        QCOMPARE(run->figures().size(), figures.size());
        QCOMPARE(run->settings().get("iterations"), std::string("3"));
        QCOMPARE(desk_->view().range(), (DisplayRange{1, 99}));
        reconstruct(1);  // a run of the study now
        QVERIFY(QDir(folder).exists("runs/B.h5"));
    }

    void aStudyIsCopiedWithItsRuns() {
        const QString first = folder_.filePath("first.tofstudy");
        static_cast<void>(Study::create(first.toStdString(), data_.toStdString()));
        open(first);
        reconstruct(2);
        const QString second = folder_.filePath("second.tofstudy");

        keepStudy(*desk_, second);

        QVERIFY(until([&] {
            return desk_->study().folder() != nullptr &&
                   desk_->study().folder()->folder() == second.toStdString() && !desk_->busy();
        }));
        QVERIFY(desk_->runs().find("A") != nullptr);
        QVERIFY(QDir(first).exists("runs/A.h5"));
        const std::size_t told = desk_->messages().all().size();
        keepStudy(*desk_, first);  // is there: refused, and said
        QVERIFY(until([&] { return desk_->messages().all().size() > told; }));
        QVERIFY(desk_->messages().all().back().text.contains("exists already"));
    }

  private:
    /// Through the dialog of the command.
    void saveAs(const QString& folder) {
        QTimer::singleShot(200, this, [folder] {
            for (QWidget* widget : QApplication::topLevelWidgets()) {
                if (auto* dialog = qobject_cast<QFileDialog*>(widget);
                    dialog != nullptr && dialog->isVisible()) {
                    auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
                    name->setText(folder);
                    QTest::keyClick(name, Qt::Key_Return);
                }
            }
        });
        QVERIFY(window_->commands().trigger("file.save-study"));
    }

    QString data_;
};

QTEST_MAIN(KeepStudyTest)

}  // namespace keep_study_test
#include "keep_study_test.moc"
