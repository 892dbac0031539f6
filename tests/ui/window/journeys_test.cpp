// SPDX-License-Identifier: Apache-2.0
// The pieces of work of docs/journeys.md, through the real window with mouse and keys, and how many of
// them each takes. Pictures for that page: TOF_TEST_PICTURES names a folder.
#include <QAbstractItemView>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QInputDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableWidget>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <functional>

#include "recon/io/dicom/dicom_slices.h"
#include "recon/io/format_table.h"
#include "recon/study/study.h"
#include "tests/support/pet_slice.h"
#include "tests/support/places.h"
#include "tests/ui/fixture.h"
#include "ui/kit/theme.h"
#include "ui/pages/sweep_dialog.h"

namespace journeys_test {

using namespace tof;
using namespace tof::ui;
using tof::test::inTree;
using tof::test::until;

namespace {

/// 6 mm voxels, as mu-maps have them, over the small study and beyond.
Volume muMap() {
    Volume volume(Lattice::centred({60, 60, 12}, {6, 6, 6}));
    volume.units = "1/cm";
    std::size_t i = 0;
    volume.lattice.forEachVoxel(
        [&](int x, int y, int) { volume.data[i++] = std::hypot(x - 29.5, y - 29.5) < 18 ? 0.096F : 0.0F; });
    return volume;
}

/// A hot sphere of 24 mm across in a warm box.
Volume ownImage() {
    Volume volume(Lattice::centred({64, 64, 20}, {3, 3, 3}));
    std::size_t i = 0;
    volume.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 at = volume.lattice.centre(x, y, z);
        volume.data[i++] = norm(at - Vec3{20, 0, 0}) < 12 ? 4000.0F : std::abs(at.y) < 70 ? 1000.0F : 0.0F;
    });
    return volume;
}

constexpr int kDicomSlices = 20;

/// One slice of an image as a scanner writes it.
QByteArray dicomSlice(const Volume& image, int z) {
    const Lattice& lattice = image.lattice;
    QByteArray words;
    for (int y = 0; y < lattice.size[1]; ++y) {
        for (int x = 0; x < lattice.size[0]; ++x) {
            words += test::raw(static_cast<quint16>(image.at(x, y, z)));
        }
    }
    return test::fileOf({.uid = "1.2.3.4." + QByteArray::number(z + 1),
                         .columns = lattice.size[0],
                         .rows = lattice.size[1],
                         .voxel_mm = 3,
                         .corner = lattice.centre(0, 0, z),
                         .slope = 3,
                         .pixels = words});
}

/// Does something once a dialog is in front, by mouse and keys.
template <typename Dialog>
void inDialog(QObject* context, std::function<void(Dialog&)> act) {
    auto* timer = new QTimer(context);
    QObject::connect(timer, &QTimer::timeout, context, [timer, act] {
        auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
        if (dialog != nullptr && dialog->isVisible()) {
            timer->stop();
            timer->deleteLater();
            act(*dialog);
        }
    });
    timer->start(20);
}

}  // namespace

class JourneysTest : public test::WindowTest {
    Q_OBJECT

  public:
    JourneysTest() : WindowTest({.size = {1366, 768}}) {}

  protected:
    void makeFiles() override {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        data_ = writeSmallData();
        mu_ = folder_.filePath("mu.h5");
        writeVolume(mu_.toStdString(), muMap());
        interfile_ = folder_.filePath("patient.hv");
        writeVolume(interfile_.toStdString(), ownImage());
        const Volume image = ownImage();
        QVERIFY(QDir(folder_.path()).mkpath("series"));
        for (int z = 0; z < kDicomSlices; ++z) {
            dicom_ = folder_.filePath(QString("series/%1.dcm").arg(z));
            QFile file(dicom_);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(dicomSlice(image, z));
        }
    }
    void begin() override {
        QVERIFY(QTest::qWaitForWindowActive(window_));
        clicks_ = 0;
        keys_ = 0;
        desk_->settings().set("relaxation", "0.3");
    }

  private slots:
    void aNewcomerToTheFirstReconstruction() {
        // The demo, as it is once it was simulated; that itself takes minutes and no click.
        const QString home = folder_.filePath("home");
        qputenv("XDG_DATA_HOME", home.toUtf8());
        QDir().mkpath(home + "/tofscope");
        static_cast<void>(
            Study::create((home + "/tofscope/demo.tofstudy").toStdString(), data_.toStdString()));
        picture("journey-1-start");

        click("start.file.demo");
        settle();
        click("run.start.button");
        settle();

        // What there is to see: the run, its truth beside it, in its own range.
        QVERIFY(until([this] { return desk_->runs().items().size() == 2 && !desk_->tasks().busy(); }));
        settle();
        const RunItem& run = *desk_->runs().items()[0];
        QCOMPARE(run.state(), RunState::Done);
        QCOMPARE(desk_->runs().selected(), &run);
        QVERIFY(desk_->runs().items()[1]->isVolume());
        QVERIFY(desk_->view().flag(ViewModel::Flag::Interpolation));
        QVERIFY(desk_->view().autoRange());
        // A point of the curve shows its iterate.
        auto* curve = window_->findChild<CurveChart*>("chart.curve");
        QVERIFY(curve->points().size() >= 2);
        // The picture is one: not all of a colour.
        const QImage seen = window_->viewer().pane(Plane::Transverse)->picture();
        int white = 0;
        int black = 0;
        for (int y = 0; y < seen.height(); y += 4) {
            for (int x = 0; x < seen.width(); x += 4) {
                white += qGray(seen.pixel(x, y)) > 200 ? 1 : 0;
                black += qGray(seen.pixel(x, y)) < 20 ? 1 : 0;
            }
        }
        QVERIFY(white > 10 && black > 100);
        picture("journey-1-image");
        spent(2, 0);
        qunsetenv("XDG_DATA_HOME");
    }

    void whichKernelIsRight() {
        open(data_);
        desk_->settings().set("iterations", "4");
        inDialog<SweepDialog>(this, [this](SweepDialog& dialog) {
            auto* kernels = dialog.findChild<QListWidget*>("sweep.kernels");
            for (int i = 0; i < kernels->count(); ++i) {
                const QString name = kernels->item(i)->data(Qt::UserRole).toString();
                const bool wanted = name == "invariant" || name == "variant3";
                if (wanted != (kernels->item(i)->checkState() == Qt::Checked)) {
                    kernels->scrollToItem(kernels->item(i));
                    const QRect row = kernels->visualItemRect(kernels->item(i));
                    ++clicks_;
                    QTest::mouseClick(kernels->viewport(), Qt::LeftButton, {},
                                      QPoint(row.left() + 10, row.center().y()));
                }
            }
            picture("journey-2-sweep", &dialog);
            click(dialog, "sweep.ok");
        });
        choose("Run", "run.sweep");
        settle();
        QCOMPARE(desk_->runs().items().size(), std::size_t{2});
        key(Qt::Key_M, Qt::ShiftModifier);
        settle();
        QVERIFY(window_->matchedPage().isVisible());
        picture("journey-2-matched");
        click("page.compare.button");
        settle();
        auto* link = window_->findChild<QComboBox*>("compare.link");
        ++clicks_;
        QTest::mouseClick(link, Qt::LeftButton);
        keyTo(link->view(), Qt::Key_End);
        keyTo(link->view(), Qt::Key_Return);
        settle();
        QCOMPARE(window_->comparePage().model().link(), IterateLink::MatchedNoise);
        QVERIFY(until([&] { return window_->comparePage().model().figures().has_value(); }));

        // The data were made with the invariant kernel: it recovers more of the contrast at no more noise.
        const auto& runs = desk_->runs().items();
        const RunItem& right = runs[0]->settings().kernelText == "invariant" ? *runs[0] : *runs[1];
        const RunItem& wrong = &right == runs[0].get() ? *runs[1] : *runs[0];
        const auto error = [](const RunItem& run) { return std::abs(1 - run.figures().back().crc); };
        QVERIFY2(error(right) < error(wrong),
                 qPrintable(QString("%1 and %2").arg(error(right)).arg(error(wrong))));
        picture("journey-2-compare");
        spent(8, 3);
    }

    void petOverAMuMapWithStatisticsOfRegions() {
        open(data_);
        reconstruct(3);
        inDialog<QFileDialog>(this, [this](QFileDialog& dialog) { answer(dialog, mu_); });
        key(Qt::Key_O, Qt::ControlModifier);
        settle();
        QCOMPARE(desk_->runs().items().size(), std::size_t{2});
        clickRow(1);
        key(Qt::Key_G);
        clickRow(0);
        settle();
        QCOMPARE(desk_->layers().shown().size(), std::size_t{2});
        const QImage opaque = window_->viewer().pane(Plane::Transverse)->picture();
        key(Qt::Key_Less);
        key(Qt::Key_Less);
        settle();
        QVERIFY(window_->viewer().pane(Plane::Transverse)->picture() != opaque);
        picture("journey-3-fusion");

        const int rois = desk_->rois().count();
        key(Qt::Key_S, Qt::ShiftModifier);
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        drag(*pane, QPoint(pane->width() / 2, pane->height() / 2), QPoint(25, 0));
        QCOMPARE(desk_->rois().count(), rois + 1);
        key(Qt::Key_T, Qt::ShiftModifier);
        settle();
        picture("journey-3-table");
        const QString table = folder_.filePath("regions.tsv");
        inDialog<QFileDialog>(this, [this, table](QFileDialog& dialog) { answer(dialog, table); });
        click("export.pane.button");
        QFile written(table);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QString text = written.readAll();
        const QString name = QString::fromStdString(desk_->rois().rois().back().name);
        QVERIFY2(text.contains(name) && text.contains("mean") && text.contains("emissions/voxel"),
                 qPrintable(text));
        spent(4, 6);
    }

    void ownDataToAFigureForAPaper() {
        inDialog<QFileDialog>(this, [this](QFileDialog& dialog) { answer(dialog, interfile_); });
        click("start.open");
        settle();
        QCOMPARE(desk_->runs().items().size(), std::size_t{1});
        QCOMPARE(desk_->view().lattice().size[0], 64);
        // Where the sphere is, with a profile through it.
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        ++clicks_;
        QTest::mouseClick(pane, Qt::LeftButton, {}, pane->toWidget({20, 0, 0}).toPoint());
        QVERIFY(std::abs(desk_->view().cursor().x - 20) < 2);
        key(Qt::Key_I);
        settle();
        picture("journey-4-image");

        const QString figure = folder_.filePath("figure.png");
        inDialog<QFileDialog>(this, [this, figure](QFileDialog& dialog) {
            inDialog<QInputDialog>(this, [this](QInputDialog& ask) { keyTo(&ask, Qt::Key_Return); });
            answer(dialog, figure);
        });
        key(Qt::Key_F12, Qt::ShiftModifier);
        const QImage saved(figure);
        QVERIFY(!saved.isNull());
        QVERIFY(saved.width() > 1.9 * window_->viewer().pictures().width());
        const QString profile = folder_.filePath("profile.csv");
        inDialog<QFileDialog>(this, [this, profile](QFileDialog& dialog) { answer(dialog, profile); });
        click("export.pane.button");
        QFile written(profile);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QString text = written.readAll();
        QVERIFY2(text.startsWith("#") && text.contains("x_mm") && text.contains("patient"),
                 qPrintable(text.left(400)));
        spent(3, 3);
    }

    void ownDicomToAFigureForAPaper() {
        if (!whyNoDicom().empty()) {
            QSKIP(whyNoDicom().c_str());
        }
        inDialog<QFileDialog>(this, [this](QFileDialog& dialog) { answer(dialog, dicom_); });
        click("start.open");
        settle();
        QCOMPARE(desk_->runs().items().size(), std::size_t{1});
        QCOMPARE(desk_->view().lattice().size[2], kDicomSlices);
        QCOMPARE(desk_->view().unit().name, QString("SUV"));  // weight, dose and times are in the files
        chooseRange("range.suv");
        QVERIFY(std::abs(desk_->view().shownRange().high - 5) < 1e-9);
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        ++clicks_;
        QTest::mouseClick(pane, Qt::LeftButton, {}, pane->toWidget({20, 0, 0}).toPoint());
        settle();
        pane->setFocus();  // a menu that closes leaves no window active on this platform
        key(Qt::Key_I);
        key(Qt::Key_S, Qt::ShiftModifier);
        const QPoint centre = pane->toWidget({20, 0, 0}).toPoint();
        drag(*pane, centre, pane->toWidget({30, 0, 0}).toPoint() - centre);
        settle();
        QCOMPARE(desk_->rois().count(), 1);
        key(Qt::Key_T, Qt::ShiftModifier);
        settle();
        const RoiTable& table = *window_->viewer().roiTable();
        QVERIFY(table.isVisible());
        QStringList titles;
        for (int c = 0; c < table.columnCount(); ++c) {
            titles << table.horizontalHeaderItem(c)->text();
        }
        QVERIFY2(titles.contains("SUVmax") && titles.contains("SUVpeak"), qPrintable(titles.join(", ")));
        picture("journey-5-dicom");

        const QString rows = folder_.filePath("rois.tsv");
        inDialog<QFileDialog>(this, [this, rows](QFileDialog& dialog) { answer(dialog, rows); });
        click("export.pane.button");
        QFile written(rows);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QString text = written.readAll();
        QVERIFY2(text.contains("SUV"), qPrintable(text.left(600)));
        const QString figure = folder_.filePath("suv.png");
        inDialog<QFileDialog>(this, [this, figure](QFileDialog& dialog) {
            inDialog<QInputDialog>(this, [this](QInputDialog& ask) { keyTo(&ask, Qt::Key_Return); });
            answer(dialog, figure);
        });
        settle();
        pane->setFocus();
        key(Qt::Key_F12, Qt::ShiftModifier);
        QVERIFY(QImage(figure).width() > 1.9 * window_->viewer().pictures().width());
        spent(6, 5);
    }

    /// The page says what each takes; the sentences are those of `spent`.
    void thePageSaysHowManyClicks() {
        QFile page(inTree("docs/journeys.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString text = page.readAll();
        for (const QString& said :
             {QString("2 clicks, no keys"), QString("8 clicks, 3 keys"), QString("4 clicks, 6 keys"),
              QString("3 clicks, 3 keys"), QString("6 clicks, 5 keys")}) {
            QVERIFY2(text.contains(said), qPrintable(said));
        }
        for (auto it = QRegularExpression("\\(screenshots/([^)]*)\\)").globalMatch(text); it.hasNext();) {
            const QString name = it.next().captured(1);
            QVERIFY2(QFile::exists(inTree("docs/screenshots/") + name), qPrintable(name));
        }
    }

  private:
    void click(const char* name) { click(*window_, name); }
    void click(QWidget& in, const char* name) {
        auto* widget = in.findChild<QWidget*>(name);
        QVERIFY2(widget != nullptr && widget->isVisible() && widget->isEnabled(), name);
        ++clicks_;
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    /// A row of the list of runs.
    void clickRow(int row) {
        auto* rows = window_->findChild<RunRows*>("runs");
        const int each = rows->height() / static_cast<int>(desk_->runs().items().size());
        ++clicks_;
        QTest::mouseClick(rows, Qt::LeftButton, {}, QPoint(60, row * each + 20));
        QCOMPARE(desk_->runs().selected(), desk_->runs().items()[static_cast<std::size_t>(row)].get());
        window_->viewer().pane(Plane::Transverse)->setFocus();  // the keys of pictures
    }
    /// A menu and its command; two clicks.
    void choose(const QString& menu, const char* command) {
        clicks_ += 2;
        QVERIFY2(window_->commands().action(command)->isEnabled(), qPrintable(menu));
        window_->commands().action(command)->trigger();
    }
    /// The button of ranges by name and a row of its menu.
    void chooseRange(const char* command) {
        auto* button = window_->findChild<QToolButton*>("view.ranges");
        QVERIFY(button != nullptr && button->isVisible());
        ++clicks_;
        QTimer::singleShot(50, this, [this, command] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            ++clicks_;
            QTest::mouseClick(menu, Qt::LeftButton, {},
                              menu->actionGeometry(window_->commands().action(command)).center());
        });
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(until([] { return QApplication::activePopupWidget() == nullptr; }));
        settle();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        ++keys_;
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus != nullptr ? focus : window_, key, modifiers);
    }
    void keyTo(QWidget* widget, Qt::Key key) {
        ++keys_;
        QTest::keyClick(widget, key);
    }
    void drag(QWidget& widget, QPoint from, QPoint by) {
        ++clicks_;
        QTest::mousePress(&widget, Qt::LeftButton, {}, from);
        for (const QPoint p : {from + by / 2, from + by}) {
            QMouseEvent move(QEvent::MouseMove, p, widget.mapToGlobal(p), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(&widget, &move);
        }
        QTest::mouseRelease(&widget, Qt::LeftButton, {}, from + by);
    }
    /// Types a file's name, which counts as none.
    static void answer(QFileDialog& dialog, const QString& file) {
        dialog.findChild<QLineEdit*>("fileNameEdit")->setText(file);
        QMetaObject::invokeMethod(&dialog, "accept");
    }
    void settle() {
        QCoreApplication::processEvents();
        QVERIFY(until([this] { return !desk_->busy() && !desk_->tasks().busy(); }, 240000));
        window_->refreshNow();
        QVERIFY(until([this] { return !window_->comparePage().model().busy() && !desk_->busy(); }));
        window_->refreshNow();
        QCoreApplication::processEvents();
        window_->activateWindow();  // a dialog that closes leaves no window active on this platform
        QVERIFY(QTest::qWaitForWindowActive(window_));
    }
    void spent(int clicks, int keys) {
        qInfo("%d clicks, %d keys", clicks_, keys_);
        QCOMPARE(clicks_, clicks);
        QCOMPARE(keys_, keys);
    }
    void picture(const QString& name, QWidget* what = nullptr) {
        const QString folder = qEnvironmentVariable("TOF_TEST_PICTURES");
        if (!folder.isEmpty()) {
            QCoreApplication::processEvents();
            (what != nullptr ? what : window_)->grab().save(folder + "/" + name + ".png");
        }
    }

    QString data_;
    QString mu_;
    QString interfile_;
    QString dicom_;  ///< one file of a series
    int clicks_ = 0;
    int keys_ = 0;
};

QTEST_MAIN(JourneysTest)

}  // namespace journeys_test
#include "journeys_test.moc"
