// SPDX-License-Identifier: Apache-2.0
// The browser of folders in the real window: PET and CT of one visit opened together.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>
#include <QTimer>

#include "recon/io/dicom/dicom_slices.h"
#include "recon/io/format_table.h"
#include "tests/support/pet_slice.h"
#include "tests/ui/fixture.h"
#include "ui/window/browse_dialog.h"

namespace browse_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class BrowseTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        for (const char* series : {"5", "6"}) {
            for (int i = 0; i < 4; ++i) {
                const test::PetSlice slice{.uid = QByteArray("1.2.3.") + series + "." + QByteArray::number(i),
                                           .series = QByteArray("1.2.3.") + series,
                                           .number = series,
                                           .description = QByteArray("WB ") + series,
                                           .columns = 8,
                                           .rows = 8,
                                           .voxel_mm = 4,
                                           .corner = {-14, -14, 4.0 * i},
                                           .pixels = test::raw(series[0] == '5' ? 100 : 200).repeated(64)};
                write(QString("visit/%1/%2.dcm").arg(series).arg(i), test::fileOf(slice));
            }
        }
    }

  private slots:
    void severalSeriesOpenAtOnceWithPictures() {
        if (!whyNoDicom().empty()) {
            QSKIP("this build reads no DICOM");
        }
        bool seen = false;
        QTimer::singleShot(0, qApp, [this, &seen] {
            auto* dialog = qobject_cast<BrowseDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            dialog->findChild<QLineEdit*>("browse.folder")->setText(folder_.path());
            QTest::keyClick(dialog->findChild<QLineEdit*>("browse.folder"), Qt::Key_Return);
            auto* table = dialog->findChild<QTableWidget*>("browse.table");
            QVERIFY(until([&] { return table->rowCount() == 2; }));
            QCOMPARE(table->item(0, 1)->text(), QString("2026-11-22 12:00"));
            QCOMPARE(table->item(0, 2)->text(), QString("PT"));
            QCOMPARE(table->item(1, 3)->text(), QString("WB 6"));
            QCOMPARE(table->item(0, 4)->text(), QString("8 x 8 x 4, 4 x 4 mm"));
            QCOMPARE(table->item(0, 5)->text(), QString("visit/5"));
            auto* picture = dialog->findChild<QLabel*>("browse.picture");
            QVERIFY(until([&] { return !picture->pixmap(Qt::ReturnByValue).isNull(); }));
            table->selectAll();
            seen = dialog->chosen().size() == 2;
            QTest::mouseClick(dialog->findChild<QPushButton*>("browse.open"), Qt::LeftButton);
        });

        QVERIFY(window_->commands().trigger("file.browse"));

        QVERIFY(seen);
        QVERIFY(until([&] { return !desk_->busy() && desk_->runs().items().size() == 2; }));
        QCOMPARE(desk_->runs().items()[0]->name(), QString("WB 5"));
        QCOMPARE(desk_->runs().items()[1]->volume()->at(4, 4, 1), 200.0F);
    }

    void anEmptyFolderSaysSo() {
        QTemporaryDir empty;
        BrowseDialog dialog(empty.path(), Threading::Inline, window_);
        dialog.show();

        QVERIFY(dialog.findChild<QLabel*>("browse.note")->text().contains("No series"));
        QVERIFY(!dialog.findChild<QPushButton*>("browse.open")->isEnabled());
    }

  private:
    void write(const QString& name, const QByteArray& bytes) {
        const QString path = folder_.filePath(name);
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
};

QTEST_MAIN(BrowseTest)

}  // namespace browse_test
#include "browse_test.moc"
