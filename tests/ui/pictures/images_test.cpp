// SPDX-License-Identifier: Apache-2.0
// SUV, DICOM series, post filter, rulers and words, movies and looks of layers, in the real window with real
// mouse and key events.
#include <QDialog>
#include <QDir>
#include <QDoubleSpinBox>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/io/dicom/dicom_slices.h"
#include "recon/io/format_table.h"
#include "recon/metrics/gaussian_filter.h"
#include "tests/support/pet_slice.h"
#include "tests/ui/fixture.h"
#include "ui/desk/roi_quantity.h"
#include "ui/kit/save_file.h"
#include "ui/pages/image_commands.h"
#include "ui/pages/layer_rows.h"
#include "ui/pictures/movie.h"
#include "ui/rois/roi_table.h"

namespace images_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

constexpr int kSide = 24;  ///< voxels of the PET volume across
constexpr int kSlices = 10;
constexpr double kHot_Bq = 20000;
constexpr double kWarm_Bq = 4000;

/// 4 mm voxels in Bq/ml: warm, and a hot cube of 5 voxels in the middle.
Volume pet() {
    Volume volume(Lattice::centred({kSide, kSide, kSlices}, {4, 4, 4}), static_cast<float>(kWarm_Bq));
    volume.units = "Bq/ml";
    volume.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = volume.lattice.centre(x, y, z);
        if (std::abs(p.x) < 10 && std::abs(p.y) < 10 && std::abs(p.z) < 10) {
            volume.at(x, y, z) = static_cast<float>(kHot_Bq);
        }
    });
    return volume;
}

/// A slice of PET, all pixels alike; `described`: its series has a description.
QByteArray slice(const char* series, const char* number, double z_mm, double seconds, quint16 value,
                 bool described = true) {
    constexpr int kPixels = 10;
    return test::fileOf({.uid = "1.2.3." + QByteArray::number(static_cast<int>(z_mm + 1000 * seconds)),
                         .series = series,
                         .number = number,
                         .description = described ? QByteArray("WB ") + number : QByteArray(),
                         .columns = kPixels,
                         .rows = kPixels,
                         .voxel_mm = 4,
                         .corner = {-18, -18, z_mm},
                         .seconds = seconds,
                         .pixels = test::raw(value).repeated(kPixels * kPixels)});
}

double suvFactor() {
    return 70e3 / 185e6;  // half of the dose is left
}

/// Answers the dialog that comes up next, in its own event loop.
template <typename Answer>
void answer(Answer what) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, timer, [timer, what] {
        if (QWidget* dialog = QApplication::activeModalWidget()) {
            timer->stop();
            timer->deleteLater();
            what(*dialog);
        }
    });
    timer->start(10);
}

void typeWords(const QString& words) {
    answer([words](QWidget& dialog) {
        auto* field = dialog.findChild<QLineEdit*>();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, words);
        QTest::keyClick(field, Qt::Key_Return);
    });
}

}  // namespace

class ImagesTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        data_ = writeSmallData();
        pet_ = folder_.filePath("pet.h5");
        writeVolume(pet_.toStdString(), pet());
        QVERIFY(QDir(folder_.path()).mkpath("one"));
        QVERIFY(QDir(folder_.path()).mkpath("several"));
        QVERIFY(QDir(folder_.path()).mkpath("1.2.840.7"));
        QVERIFY(QDir(folder_.path()).mkpath("visit"));
        for (int z = 0; z < 4; ++z) {
            save(QString("1.2.840.7/%1.dcm").arg(z), slice("1.2.3.22", "7", 4 * z, 0, 9000, false));
            save(QString("one/%1.dcm").arg(z), slice("1.2.3.20", "5", 4 * z, 0, 9000));
            save(QString("visit/a%1.dcm").arg(z), slice("1.2.3.20", "5", 4 * z, 0, 9000));
            save(QString("visit/b%1.dcm").arg(z), slice("1.2.3.23", "8", 4 * z, 0, 300));
            save(QString("several/a%1.dcm").arg(z), slice("1.2.3.20", "5", 4 * z, 0, 9000));
            save(QString("several/b%1.dcm").arg(z), slice("1.2.3.21", "6", 4 * z, 0, 100));
            save(QString("several/c%1.dcm").arg(z), slice("1.2.3.21", "6", 4 * z, 300, 200));
        }
    }

  private slots:
    // ---- SUV ----

    void weightAndDoseByHandMakeSuv() {
        open(pet_);
        desk_->rois().add({hot()}, "hot");
        QCOMPARE(view().unit().name, QString("Bq/ml"));
        QVERIFY(!window_->commands().trigger("range.suv"));
        editSuv(70, 370, 6586.2 / 60);

        QCOMPARE(view().unit().name, QString("SUV"));
        QVERIFY(std::abs(view().unit().factor / suvFactor() - 1) < 1e-4);
        QCOMPARE(transverse()->colourBarText()[3], QString("SUV"));
        QVERIFY(window_->viewer().probe()->text().endsWith("SUV"));
        QVERIFY(window_->commands().trigger("range.suv"));
        QVERIFY(std::abs(view().shownRange().high - 5) < 1e-9);
        view().setChart(ChartKind::Rois);
        window_->refreshNow();
        RoiTable& table = *window_->viewer().roiTable();
        QVERIFY2(std::abs(valueIn(table, "SUVmax") - kHot_Bq * suvFactor()) < 0.01,
                 qPrintable(QString::number(valueIn(table, "SUVmax"))));
        // The sphere of 12.4 mm lies within the cube of 20 mm.
        QVERIFY(std::abs(valueIn(table, "SUVpeak") - kHot_Bq * suvFactor()) < 0.01);
        QVERIFY(valueIn(table, "SUVmean") < valueIn(table, "SUVpeak") - 1);  // the ROI is larger

        QTest::keyClick(focused(), Qt::Key_Z, Qt::ControlModifier);
        window_->refreshNow();
        QCOMPARE(view().unit().name, QString("Bq/ml"));
        QTest::keyClick(focused(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        window_->refreshNow();
        QCOMPARE(view().unit().name, QString("SUV"));
        QVERIFY(window_->commands().trigger("image.suv-shown"));
        window_->refreshNow();
        QCOMPARE(view().unit().name, QString("Bq/ml"));
    }

    void aFilteredImageKeepsItsSuv() {
        open(pet_);
        editSuv(70, 370, 6586.2 / 60);
        desk_->madeImages().filter("A", 6);
        QVERIFY(test::until([&] { return !desk_->busy() && desk_->runs().items().size() == 2; }));
        window_->refreshNow();

        const RunItem& filtered = *desk_->runs().items().back();
        QCOMPARE(desk_->runs().onScreen(), &filtered);
        QCOMPARE(view().unit().name, QString("SUV"));
        QVERIFY(std::abs(view().unit().factor / suvFactor() - 1) < 1e-4);
        QCOMPARE(transverse()->colourBarText()[3], QString("SUV"));
        // One dose: a change at either is one of both. Half the weight, and none of the dose is gone.
        desk_->uptakes().set(filtered, {Uptake{35, 370e6, 6586.2, 0}, true});
        window_->refreshNow();
        QVERIFY(std::abs(desk_->screen().unitOf(*desk_->runs().find("A")).factor / (suvFactor() / 4) - 1) <
                1e-4);
    }

    void suvComesBackWithTheSession() {
        open(pet_);
        const Uptake uptake{70, 370e6, 6586.2, 3600};
        desk_->uptakes().set(*desk_->runs().selected(), {uptake, true});
        const std::string session = desk_->sessions().last();
        test::Program program(engines_);

        program.desk.openLastSession(session);
        program.settle();

        const Uptakes::Entry* entry = program.desk.uptakes().of(*program.desk.runs().selected());
        QVERIFY(entry != nullptr);
        QCOMPARE(entry->uptake, uptake);
        QCOMPARE(program.desk.view().unit().name, QString("SUV"));
    }

    // ---- DICOM ----

    void aFolderOfOneSeriesOpensAsSuv() {
        needDicom();
        open(folder_.filePath("one"));
        QCOMPARE(desk_->runs().items().size(), std::size_t{1});
        QCOMPARE(view().unit().name, QString("SUV"));
        QVERIFY(std::abs(view().unit().shown(9000) / (9000 * suvFactor()) - 1) < 1e-6);
        open(folder_.filePath("one/2.dcm"));  // a file of it is all of it
        QCOMPARE(desk_->runs().items().back()->lattice().size[2], 4);
    }

    void aSeriesHasItsOwnNameAndNotThatOfOneFile_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("name");
        QTest::newRow("its description, of a file") << "one/2.dcm"
                                                    << "WB 5";
        QTest::newRow("its description, of a folder") << "one"
                                                      << "WB 5";
        QTest::newRow("its folder, where it has none") << "1.2.840.7/0.dcm"
                                                       << "1.2.840.7";
        QTest::newRow("its folder, opened") << "1.2.840.7"
                                            << "1.2.840.7";
    }

    void aSeriesHasItsOwnNameAndNotThatOfOneFile() {
        needDicom();
        QFETCH(QString, path);
        QFETCH(QString, name);
        desk_->open({folder_.filePath(path)});
        QVERIFY(until([this] { return desk_->runs().items().size() == 1 && !desk_->busy(); }));
        window_->refreshNow();
        QCOMPARE(desk_->runs().items().front()->name(), name);
        QVERIFY2(window_->windowTitle().contains(name), qPrintable(window_->windowTitle()));
        const std::string session = desk_->sessions().last();
        test::Program program(engines_);
        program.desk.openLastSession(session);
        program.settle();
        QCOMPARE(program.desk.runs().items().front()->name(), name);
    }

    void aSeriesAndAFrameAreChosen() {
        needDicom();
        desk_->setAskForSeries(true);
        answer([](QWidget& dialog) {
            auto* list = dialog.findChild<QListWidget*>("series.list");
            QCOMPARE(list->count(), 2);
            list->setFocus();
            if (!list->currentItem()->text().contains("WB 6")) {
                QTest::keyClick(list, Qt::Key_Down);
            }
            QVERIFY(list->currentItem()->text().contains("2 frames"));
            auto* frame = dialog.findChild<QSpinBox*>("series.frame");
            frame->setFocus();
            QCOMPARE(frame->text(), QString("all"));
            frame->setValue(2);
            QTest::mouseClick(dialog.findChild<QPushButton*>("series.open"), Qt::LeftButton);
        });
        desk_->open({folder_.filePath("several")});

        QVERIFY(until([this] { return desk_->runs().items().size() == 1 && !desk_->busy(); }));
        const RunItem& item = *desk_->runs().items().front();
        QCOMPARE(item.volume()->data.front(), 200.0F);  // the second frame
        QVERIFY2(item.name().contains("WB 6") && item.name().contains("frame 2"), qPrintable(item.name()));
        const std::string session = desk_->sessions().last();
        test::Program program(engines_);
        program.desk.openLastSession(session);
        program.settle();
        QCOMPARE(program.desk.runs().items().size(), std::size_t{1});
        QCOMPARE(program.desk.runs().items().front()->volume()->data.front(), 200.0F);
    }

    void severalSeriesAreOpenedAtOnce() {
        needDicom();
        desk_->setAskForSeries(true);
        answer([](QWidget& dialog) {
            auto* list = dialog.findChild<QListWidget*>("series.list");
            // Series of one name are told apart by pixels and date.
            QVERIFY2(list->item(0)->text().contains(" pixels of "), qPrintable(list->item(0)->text()));
            list->selectAll();
            QVERIFY(!dialog.findChild<QSpinBox*>("series.frame")->isEnabled());
            QTest::mouseClick(dialog.findChild<QPushButton*>("series.open"), Qt::LeftButton);
        });
        desk_->open({folder_.filePath("visit")});

        QVERIFY(until([this] { return desk_->runs().items().size() == 2 && !desk_->busy(); }));
        QVERIFY(desk_->runs().items()[0]->name() != desk_->runs().items()[1]->name());
    }

    void withoutAnybodyToAskSeveralSeriesAreTold() {
        needDicom();
        open(folder_.filePath("several"));
        QVERIFY(desk_->runs().items().empty());
        QVERIFY(desk_->messages().all().back().text.contains("WB 5"));
    }

    // ---- post filter ----

    void everyIterateIsFilteredAndHasACurve() {
        open(data_);
        desk_->settings().set("relaxation", "0.3");
        reconstruct(3);
        answer([](QWidget& dialog) {
            auto* box = dialog.findChild<QDoubleSpinBox*>();
            box->setValue(6);
            QTest::keyClick(box, Qt::Key_Return);
        });
        QVERIFY(window_->commands().trigger("image.filter"));
        QVERIFY(until([this] { return desk_->runs().items().size() == 2 && !desk_->busy(); }));
        const RunItem* run = desk_->runs().find("A");
        const RunItem* filtered = desk_->runs().find("B");
        QVERIFY(until([&] { return filtered->figures().size() == 3; }));

        QCOMPARE(filtered->iterates(), (std::vector<int>{1, 2, 3}));
        QVERIFY(filtered->name().contains("6 mm"));
        for (const int iterate : {1, 2, 3}) {
            QCOMPARE(filtered->images().at(iterate)->data,
                     gaussianFiltered(*run->images().at(iterate), 6).data);
            QVERIFY(filtered->figuresOf(iterate)->noise < run->figuresOf(iterate)->noise);
            QVERIFY(filtered->figuresOf(iterate)->crc < run->figuresOf(iterate)->crc);
        }
        window_->refreshNow();
        int points[2] = {0, 0};
        for (const auto& point : window_->figuresPanel().chart()->points()) {
            points[point.runId == filtered->id() ? 1 : 0] += 1;
        }
        QCOMPARE(points[0], 3);
        QCOMPARE(points[1], 3);  // beside the unfiltered

        QTest::keyClick(focused(), Qt::Key_Z, Qt::ControlModifier);
        window_->refreshNow();
        QVERIFY(desk_->runs().find("B") == nullptr);
        QTest::keyClick(focused(), Qt::Key_Y, Qt::ControlModifier);
        window_->refreshNow();
        QVERIFY(desk_->runs().find("B") != nullptr);
        QCOMPARE(desk_->runs().find("B")->iterates().size(), std::size_t{3});
    }

    // ---- annotations ----

    void aRulerIsDrawnMovedAndDeleted() {
        open(pet_);
        SlicePane* pane = transverse();
        const QImage before = pane->grab().toImage();
        QVERIFY(window_->commands().trigger("annotate.ruler"));
        const QPoint a = pane->toWidget({-30, 10, 0}).toPoint();
        const QPoint b = pane->toWidget({10, 40, 0}).toPoint();
        drag(pane, a, b);

        QCOMPARE(annotations().all().size(), std::size_t{1});
        QVERIFY(std::abs(annotations().all()[0].length_mm() - 50) < 1);
        QVERIFY(!annotations().tool());
        QVERIFY(pane->grab().toImage() != before);
        const Vec3 cursor = view().cursor();
        drag(pane, b, pane->toWidget({-30, 40, 0}).toPoint());  // its end
        QVERIFY(std::abs(annotations().all()[0].length_mm() - 30) < 1);
        QCOMPARE(view().cursor().x, cursor.x);
        drag(pane, pane->toWidget({-30, 25, 0}).toPoint(), pane->toWidget({-10, 25, 0}).toPoint());
        QVERIFY(std::abs(annotations().all()[0].a.x + 10) < 1);  // all of it
        QVERIFY(std::abs(annotations().all()[0].length_mm() - 30) < 1);

        QTest::keyClick(pane, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(std::abs(annotations().all()[0].a.x + 30) < 1);
        QTest::mouseClick(pane, Qt::LeftButton, {}, pane->toWidget({-30, 25, 0}).toPoint());
        QTest::keyClick(pane, Qt::Key_Delete);
        QVERIFY(annotations().all().empty());
        QTest::keyClick(pane, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(annotations().all().size(), std::size_t{1});
    }

    void arrowAndTextAreSeenInTheirSliceAndInFiles() {
        open(pet_);
        SlicePane* pane = transverse();
        view().setFlag(ViewModel::Flag::Crosshair, false);
        window_->refreshNow();
        const QImage before = pane->grab().toImage();
        QVERIFY(window_->commands().trigger("annotate.text"));
        typeWords("lesion");
        QTest::mouseClick(pane, Qt::LeftButton, {}, pane->toWidget({-20, -30, 0}).toPoint());
        QVERIFY(window_->commands().trigger("annotate.arrow"));
        drag(pane, pane->toWidget({-30, 30, 0}).toPoint(), pane->toWidget({-5, 5, 0}).toPoint());
        QCOMPARE(annotations().all().size(), std::size_t{2});
        QCOMPARE(annotations().all()[0].text, QString("lesion"));
        const QImage here = pane->grab().toImage();
        QVERIFY(here != before);
        const QString file = folder_.filePath("figure.png");
        const Vec3 at = view().cursor();

        view().stepSlice(Plane::Transverse, 2);
        window_->refreshNow();
        annotations().select(-1);
        const QImage elsewhere = pane->grab().toImage();
        annotations().fromJson(annotations().toJson());  // as a session does
        view().setCursor(at);
        window_->refreshNow();
        writePicture(*pane, file, 1);

        // In another slice there is nothing where the words were.
        const QPoint words = pane->toWidget({-12, -30, 0}).toPoint();
        const QRect around(words - QPoint(6, 8), QSize(40, 16));
        QVERIFY(elsewhere.copy(around) == before.copy(around));
        QVERIFY(pane->grab().toImage().copy(around) != before.copy(around));
        const QImage written = QImage(file).convertToFormat(QImage::Format_RGB32);
        QVERIFY(written.copy(around) != before.convertToFormat(QImage::Format_RGB32).copy(around));
    }

    // ---- movies ----

    void aMovieOfSlicesIsASeriesOfPictures() {
        open(pet_);
        const Vec3 before = view().cursor();
        const QString file = folder_.filePath("cine.png");
        Movie movie(movieOf(desk_->runs(), desk_->view(), window_->viewer(), window_->viewer().pictures(),
                            MovieKind::Slices),
                    file, 10);
        QString fault = "not ended";
        connect(&movie, &Movie::finished, this, [&](const QString& said) { fault = said; });

        movie.start();
        QVERIFY(until([&] { return !movie.running(); }));

        QCOMPARE(fault, QString());
        QCOMPARE(view().cursor().z, before.z);
        const QImage first(folder_.filePath("cine-0001.png"));
        QCOMPARE(first.size(), window_->viewer().pictures().size());
        QVERIFY(QFile::exists(folder_.filePath(QString("cine-%1.png").arg(kSlices, 4, 10, QChar('0')))));
        QVERIFY(!QFile::exists(folder_.filePath(QString("cine-%1.png").arg(kSlices + 1, 4, 10, QChar('0')))));
        QVERIFY(first != QImage(folder_.filePath("cine-0005.png")));
    }

    /// A program in the place of ffmpeg that keeps how many bytes it was given.
    void ffmpegGetsEveryPicture() {
        open(pet_);
        QVERIFY(QDir(folder_.path()).mkpath("bin"));
        save("bin/ffmpeg", "#!/bin/sh\nfor last; do :; done\nwc -c > \"$last\"\n");
        QFile::setPermissions(folder_.filePath("bin/ffmpeg"),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder_.filePath("bin").toUtf8() + ":" + path);
        const QString file = folder_.filePath("cine.webm");
        Movie movie(movieOf(desk_->runs(), desk_->view(), window_->viewer(), window_->viewer().pictures(),
                            MovieKind::Slices),
                    file, 10);
        QString fault;
        connect(&movie, &Movie::finished, this, [&](const QString& said) { fault = said; });

        movie.start();
        QEventLoop loop;  // pipes are slow in turns that a test makes one by one
        connect(&movie, &Movie::finished, &loop, &QEventLoop::quit);
        QTimer::singleShot(60000, &loop, &QEventLoop::quit);
        loop.exec();
        const bool ended = !movie.running();
        Movie given(movieOf(desk_->runs(), desk_->view(), window_->viewer(), window_->viewer().pictures(),
                            MovieKind::Slices),
                    file, 10);
        given.start();
        const bool began = until([&] { return given.done() > 2; });
        given.cancel();
        qputenv("PATH", path);

        QVERIFY(ended && began);
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QSize size = window_->viewer().pictures().size();
        QCOMPARE(written.readAll().trimmed().toLongLong(),
                 qint64{4} * (size.width() / 2 * 2) * (size.height() / 2 * 2) * kSlices);
        QVERIFY(!QFile::exists(folder_.filePath("cine.part.webm")));
    }

    /// Through the window, and by the real ffmpeg, which then plays what it wrote.
    void aMovieIsMadeThroughTheWindowAndPlays_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("ending");
        QTest::addColumn<int>("pictures");
        QTest::newRow("iterates, WebM") << "movie.iterates"
                                        << "webm" << 3;
        QTest::newRow("iterates, MP4") << "movie.iterates"
                                       << "mp4" << 3;
        QTest::newRow("iterates, PNG") << "movie.iterates"
                                       << "png" << 3;
    }

    void aMovieIsMadeThroughTheWindowAndPlays() {
        QFETCH(QString, command);
        QFETCH(QString, ending);
        QFETCH(int, pictures);
        if (ending != "png" && Movie::ffmpeg().isEmpty()) {
            QSKIP("ffmpeg is not in the path: movies are PNG files then");
        }
        open(data_);
        reconstruct(3);
        window_->refreshNow();
        const int shown = desk_->runs().selected()->shown();
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        const QString file = folder_.filePath("film." + ending);
        answer([file](QWidget& dialog) {
            dialog.findChild<QLineEdit*>("fileNameEdit")->setText(file);
            QMetaObject::invokeMethod(&dialog, "accept");
            answer([](QWidget& ask) {
                auto* rate = ask.findChild<QDoubleSpinBox*>();
                QVERIFY(rate != nullptr);
                QCOMPARE(rate->value(), 2.0);  // iterates are few
                rate->selectAll();
                QTest::keyClicks(rate, "3");
                QTest::keyClick(rate, Qt::Key_Return);
            });
        });
        QVERIFY(window_->commands().trigger(command));
        const QString first = ending == "png" ? folder_.filePath("film-0001.png") : file;
        const auto told = [&] {
            const auto& all = desk_->messages().all();
            return !all.empty() && all.back().file.endsWith(QFileInfo(first).fileName());
        };
        QEventLoop loop;  // pipes are slow in turns that a test makes one by one
        QTimer watch;
        connect(&watch, &QTimer::timeout, &loop, [&] { told() ? loop.quit() : void(); });
        watch.start(20);
        QTimer::singleShot(60000, &loop, &QEventLoop::quit);
        loop.exec();

        QVERIFY2(told(),
                 qPrintable(desk_->messages().all().empty() ? "" : desk_->messages().all().back().text));
        QCOMPARE(desk_->runs().selected()->shown(), shown);
        QTRY_COMPARE(window_->findChild<QWidget*>("movie.progress"), nullptr);  // it goes in the next turn
        if (ending == "png") {
            QVERIFY(QImage(folder_.filePath("film-0001.png")) != QImage(folder_.filePath("film-0003.png")));
            return;
        }
        QProcess player;
        player.start(Movie::ffmpeg(), {"-v", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "gray", "-"});
        QVERIFY(player.waitForFinished(60000));
        QVERIFY2(player.readAllStandardError().isEmpty(), "what was written does not play");
        const QSize size = window_->viewer().pictures().size();
        const qint64 each = qint64{size.width() / 2 * 2} * (size.height() / 2 * 2);
        const QByteArray played = player.readAllStandardOutput();
        QCOMPARE(played.size(), each * pictures);
        QVERIFY(played.left(each) != played.right(each));
    }

    void aTurnShowsTheImageFromAllSides() {
        open(pet_);
        const MovieSource source = movieOf(desk_->runs(), desk_->view(), window_->viewer(),
                                           window_->viewer().pictures(), MovieKind::Rotation);
        QCOMPARE(source.pictures, 72);
        window_->refreshNow();
        QList<QImage> seen;
        for (const int n : {0, 9}) {
            source.show(n);
            QVERIFY(until(source.ready));
            seen << source.picture();
        }
        source.putBack();
        QVERIFY(seen[0] != seen[1]);
        QCOMPARE(view().layout(), Layout::Main);
    }

    void wrongMoviesAreRefused() {
        open(pet_);
        QVERIFY(!whyNoMovie(desk_->runs(), MovieKind::Iterates).isEmpty());
        QVERIFY(!window_->commands().trigger("movie.iterates"));
        QVERIFY_EXCEPTION_THROWN(Movie({1, {}, {}, {}}, "a.gif", 10), WrongUse);
        QVERIFY_EXCEPTION_THROWN(Movie({0, {}, {}, {}}, "a.png", 10), WrongUse);
    }

    // ---- layers ----

    void aLayerHasANameAColourAndItsPlaceByDragging() {
        open(data_);
        reconstruct(1);
        open(pet_);
        desk_->layers().pin("B");
        window_->refreshNow();
        QApplication::processEvents();
        auto* upper = window_->findChild<QToolButton*>("layer.eye.0")->parentWidget();
        auto* lower = window_->findChild<QToolButton*>("layer.eye.1")->parentWidget();
        typeWords("my PET");
        QTest::mouseDClick(lower, Qt::LeftButton, {}, {lower->width() / 2, lower->height() - 4});
        QCOMPARE(desk_->layers().layers()[0].name, QString("my PET"));

        desk_->layers().setColour(0, "#ff8000");
        window_->refreshNow();
        const viz::ColourMap map = desk_->layers().shown()[0].map;
        QCOMPARE(map.table[255], (viz::Rgb{255, 128, 0}));
        QCOMPARE(map.zero(), (viz::Rgb{0, 0, 0}));
        QVERIFY_EXCEPTION_THROWN(desk_->layers().setColour(0, "orange"), WrongUse);

        const QPoint from(upper->width() / 2, upper->height() - 4);
        QTest::mousePress(upper, Qt::LeftButton, {}, from);
        const QPoint to = upper->mapFrom(lower->parentWidget(), lower->geometry().center());
        QTest::mouseMove(upper, to);
        QTest::mouseRelease(upper, Qt::LeftButton, {}, to);
        QCOMPARE(desk_->layers().layers()[1].image, QString("B"));  // it lies above now
        QTest::keyClick(focused(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk_->layers().layers()[0].image, QString("B"));
        const auto saved = desk_->layers().toJson();
        desk_->layers().setName(0, "");
        desk_->layers().fromJson(saved);
        QCOMPARE(desk_->layers().layers()[0].name, QString("my PET"));
        QCOMPARE(desk_->layers().layers()[0].colour, QString("#ff8000"));
    }

  private:
    ViewModel& view() { return desk_->view(); }
    SlicePane* transverse() { return window_->viewer().pane(Plane::Transverse); }
    /// Where the keys go that the test presses.
    SlicePane* focused() {
        window_->activateWindow();  // a dialog may have been in front
        static_cast<void>(QTest::qWaitForWindowActive(window_));
        transverse()->setFocus();
        return transverse();
    }
    Annotations& annotations() { return desk_->annotations(); }
    static void needDicom() {
        if (!whyNoDicom().empty()) {
            QSKIP(whyNoDicom().c_str());
        }
    }
    void save(const QString& name, const QByteArray& bytes) const {
        QFile out(folder_.filePath(name));
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(bytes), bytes.size());
    }
    /// Beyond the hot cube.
    static Roi hot() {
        Roi roi;
        roi.name = "hot";
        roi.shape = Roi::Shape::Sphere;
        roi.radius_mm = 16;
        return roi;
    }
    static void drag(QWidget* pane, QPoint from, QPoint to) {
        QTest::mousePress(pane, Qt::LeftButton, {}, from);
        QTest::mouseMove(pane, (from + to) / 2);
        QTest::mouseMove(pane, to);
        QTest::mouseRelease(pane, Qt::LeftButton, {}, to);
    }
    void editSuv(double kg, double MBq, double minutes) {
        answer([=](QWidget& dialog) {
            const auto type = [&](const char* name, double value) {
                auto* box = dialog.findChild<QDoubleSpinBox*>(name);
                box->setFocus();
                box->selectAll();
                QTest::keyClicks(box, QString::number(value, 'f', 3));
                QTest::keyClick(box, Qt::Key_Tab);
            };
            type("uptake.weight", kg);
            type("uptake.dose", MBq);
            type("uptake.waited", minutes);
            QTest::mouseClick(dialog.findChild<QPushButton*>("uptake.ok"), Qt::LeftButton);
        });
        QVERIFY(window_->commands().trigger("image.suv"));
        window_->refreshNow();
    }
    /// The value of the first row, in the column of this title.
    static double valueIn(const RoiTable& table, const QString& title) {
        for (int c = 0; c < table.columnCount(); ++c) {
            if (table.horizontalHeaderItem(c)->text() == title) {
                return table.item(0, c)->text().toDouble();
            }
        }
        return std::nan("");
    }

    QString data_;
    QString pet_;
};

QTEST_MAIN(ImagesTest)

}  // namespace images_test
#include "images_test.moc"
