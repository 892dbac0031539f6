// SPDX-License-Identifier: Apache-2.0
// A list that is followed in the window: its image comes while it grows, and its data in the end.
#include <QDialog>
#include <QFile>
#include <QLineEdit>
#include <QTimer>

#include "recon/io/hdf5/data_io.h"
#include "tests/cli/cli_process.h"
#include "tests/support/foreign_lists.h"
#include "tests/ui/fixture.h"
#include "tests/ui/small_ring.h"
#include "ui/desk/follow_task.h"
#include "ui/kit/commands.h"

namespace follow_window_test {

using namespace tof;
using namespace tof::test;
using namespace tof::ui;

class FollowWindowTest : public WindowTest {
    Q_OBJECT

  private slots:
    void whatGrowsIsShownAndEndsAsARun() {
        append("grow.cdf", records_.left(records_.size() / 2));

        followList(*desk_, wish());
        QVERIFY(until([&] { return desk_->runs().image() != nullptr; }));
        QVERIFY(until([&] { return desk_->tasks().title().remove(QChar(0x2c)).contains("10000 "); }));
        append("grow.cdf", records_.mid(records_.size() / 2));
        QVERIFY(until([&] { return desk_->tasks().title().remove(QChar(0x2c)).contains("20000 "); }));
        QCOMPARE(desk_->runs().items().size(), std::size_t{1});
        QVERIFY(desk_->tasks().finishable());
        desk_->tasks().finishCurrent();
        QVERIFY(until([&] { return desk_->study().measurement() != nullptr && !desk_->busy(); }));

        QCOMPARE(cli({"bin", path("list.cdh"), path("data.h5"), "--views", "6x1", "--mu", "none", "--voxel",
                      "16", "--grid", "36x36x12"})
                     .code,
                 0);
        QVERIFY(desk_->study().histo()->counts == readData(path("data.h5").toStdString()).counts);
        QCOMPARE(desk_->runs().items().size(), std::size_t{1});
        const RunItem& run = *desk_->runs().items().front();
        QVERIFY(!run.isVolume());
        QCOMPARE(run.lastIterate(), 2);
        QVERIFY(!desk_->tasks().finishable());
    }

    void whatIsCancelledLeavesNothing() {
        followList(*desk_, wish());
        QVERIFY(until([&] { return desk_->runs().image() != nullptr; }));
        desk_->tasks().cancelCurrent();
        QVERIFY(until([&] { return !desk_->busy(); }));

        QVERIFY(!QFile::exists(path("counts.h5")));
        QVERIFY(desk_->study().isEmpty());
    }

    void theDialogWantsAListAndAPlace() {
        bool asked = false;
        QTimer::singleShot(0, this, [&] {
            auto* dialog = window_->findChild<QDialog*>("follow.dialog");
            QVERIFY(dialog != nullptr);
            asked = true;
            dialog->findChild<QLineEdit*>("follow.list")->setText("grow.cdh");
            QTest::keyClick(dialog, Qt::Key_Return);
            QVERIFY(dialog->isVisible());  // a data file is missing
            dialog->reject();
        });

        window_->commands().trigger("run.follow");

        QVERIFY(asked);
        QVERIFY(!desk_->tasks().busy());
    }

  private:
    void makeFiles() override {
        saveBytes(path("ring.json"), kSmallRing);
        QCOMPARE(cli({"simulate", "--scanner", path("ring.json"), "--phantom", "small-derenzo", "--events",
                      "20000", path("list.h5")})
                     .code,
                 0);
        QCOMPARE(cli({"convert", path("list.h5"), path("list.cdh")}).code, 0);
        QFile header(path("list.cdh"));
        QVERIFY(header.open(QIODevice::ReadOnly));
        append("grow.cdh", header.readAll()
                               .replace("Number of events: 20000", "Number of events: 0")
                               .replace("list.cdf", "grow.cdf"));
        QFile records(path("list.cdf"));
        QVERIFY(records.open(QIODevice::ReadOnly));
        records_ = records.readAll();
    }
    void begin() override {
        RunSettings settings;
        settings.engine = "cpu";
        settings.iterations = 2;
        desk_->settings().setAll(settings);
        QFile::remove(path("counts.h5"));
    }

    [[nodiscard]] FollowWish wish() const {
        FollowWish wish;
        wish.bin.input = path("grow.cdh").toStdString();
        wish.bin.azimuths = 6;
        wish.bin.tilts = 1;
        wish.bin.mu = "none";
        wish.image.voxel_mm = 16;
        wish.counts = path("counts.h5").toStdString();
        return wish;
    }
    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(name); }
    void append(const char* name, const QByteArray& what) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Append));
        QCOMPARE(file.write(what), what.size());
    }

    QByteArray records_;
};

QTEST_MAIN(FollowWindowTest)

}  // namespace follow_window_test
#include "follow_window_test.moc"
