// SPDX-License-Identifier: Apache-2.0
// The Corrections page: sizes by view, on and off, and making what is missing in the background.
#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <cmath>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/forms/histo/histo_images.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/simulate/monte_carlo.h"
#include "tests/support/correct_as.h"
#include "tests/ui/fixture.h"
#include "tests/ui/small_ring.h"
#include "ui/pages/corrections_dialog.h"
#include "ui/pages/corrections_page.h"

namespace corrections_page_test {

using namespace tof;
using namespace tof::ui;
using tof::test::correct;
using tof::test::until;

namespace {

/// Into the folder of TOF_TEST_PICTURES, to be looked at.
void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("TOF_TEST_PICTURES");
    if (!folder.isEmpty()) {
        QApplication::processEvents();
        widget.grab().save(folder + "/" + name + ".png");
    }
}

/// Tells nobody.
class NoProgress : public WorkProgress {
  public:
    void stage(const std::string& /*name*/) override {}
    void report(double /*share*/) override {}
    void note(Remark /*about*/, const std::string& /*sentence*/) override {}
};

}  // namespace

class CorrectionsPageTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        HistoData data = test::smallData(4);
        const std::size_t n = data.voxels();
        data.att.assign(data.counts.size(), 0.5F);
        data.mult.assign(data.counts.size(), 1.0F);
        data.add.assign(data.counts.size(), 0.0F);
        for (std::size_t v = 0; v < 4; ++v) {
            std::fill_n(data.att.begin() + static_cast<std::ptrdiff_t>(v * n), n,
                        0.2F + 0.1F * static_cast<float>(v));
            // A tenth of the view's counts, evenly.
            const auto first = data.counts.begin() + static_cast<std::ptrdiff_t>(v * n);
            const double sum = std::accumulate(first, first + static_cast<std::ptrdiff_t>(n), 0.0);
            std::fill_n(data.add.begin() + static_cast<std::ptrdiff_t>(v * n), n,
                        static_cast<float>(0.1 * sum / static_cast<double>(n)));
        }
        file_ = folder_.filePath("corrected.h5");
        writeData(file_.toStdString(), data);
        data_ = data;
        plain_ = writeSmallData();
        makeScan();
    }
    void begin() override {}

  private:
    /// A few events of a scanner with physics, binned coarsely, and the list of its delayed window.
    void makeScan() {
        const Scanner scanner = Scanner::fromJson(test::smallRingWithPhysics().toStdString(), "ring");
        const Phantom phantom = Phantom::find("small-derenzo");
        SimulationSettings settings;
        settings.events = 1500;
        settings.activity_MBq = 300;
        settings.physics = Physics::fromText("energy,randoms");
        EventList delayeds;
        const ThreadPool pool(0);
        EventList events = simulate(scanner, phantom, settings, pool, {}, nullptr, &delayeds);
        delayeds_ = folder_.filePath("delayeds.h5");
        writeEvents(delayeds_.toStdString(), delayeds);
        BinRequest request;
        request.azimuths = 4;
        request.tilts = 1;
        request.lattice = Lattice::centred({36, 36, 12}, {16, 16, 16});
        NoProgress progress;
        scan_ = folder_.filePath("scan.h5");
        writeData(scan_.toStdString(), binHistoImages(std::move(events), scanner, request, pool, progress));
    }

    CorrectionsPage& page() { return *window_->findChild<CorrectionsPage*>(); }
    void show(const QString& file) {
        open(file);
        QVERIFY(window_->commands().trigger("page.corrections"));
        QVERIFY(until([this] { return !page().model().busy(); }));
        window_->refreshNow();
    }
    void choose(const QString& part) {
        QVERIFY(window_->commands().trigger("corrections." + part));
        QVERIFY(until([this] { return !page().model().busy(); }));
    }

    QString file_;
    QString plain_;
    QString scan_;
    QString delayeds_;
    HistoData data_;

  private Q_SLOTS:
    void whatTheDataCameWithIsNotSaidToBeMissing() {
        show(file_);
        auto* parts = page().findChild<CorrectionsParts*>();
        QVERIFY(parts->of(PartName::Attenuation)->isChecked());
        QCOMPARE(parts->text(PartName::Efficiencies), QString("by geometry alone"));
        for (const PartName part : {PartName::Delayeds, PartName::Scatter}) {
            QCOMPARE(parts->text(part), QString("on, not told apart"));
            QVERIFY(parts->of(part)->isChecked());
        }
        QCOMPARE(parts->text(PartName::DeadTime), QString());  // no scanner that could tell
        keepPicture(page(), "corrections_not_told_apart");
        show(plain_);
        QVERIFY(!parts->of(PartName::Scatter)->isChecked());
        QVERIFY(parts->text(PartName::Scatter) != QString("on, not told apart"));
        show(scan_);
        QCOMPARE(parts->text(PartName::Scatter), QString("not in the data"));
    }

    void sizesByViewAreThoseOfTheFile() {
        show(file_);
        const auto& att = page().model().sizes(DataQuantity::Att);
        QCOMPARE(att.size(), std::size_t{4});
        for (std::size_t v = 0; v < 4; ++v) {
            QVERIFY(std::abs(att[v] - (0.2 + 0.1 * static_cast<double>(v))) < 1e-6);
        }
        choose("add");
        for (const double share : page().model().sizes(DataQuantity::Add)) {
            QVERIFY(std::abs(share - 0.1) < 1e-4);  // single floats added up
        }
        QVERIFY(std::abs(page().model().size(DataQuantity::Add) - 0.1) < 1e-4);
        // Single floats end above or below 10 %, which has one digit less than 9.99.
        QCOMPARE(page().strip()->figures().back().value.toDouble(), 10.0);
    }

    void onAndOffStandSideBySide() {
        show(file_);
        const auto compare = [&](double factor, double less) {
            const auto& off = *page().model().picture(0);
            const auto& on = *page().model().picture(2);
            for (std::size_t i = 0; i < off.data.size(); ++i) {
                const double expected = static_cast<double>(off.data[i]) / factor - less;
                QVERIFY(std::abs(static_cast<double>(on.data[i]) - expected) <=
                        1e-5 * (1 + std::abs(expected)));
            }
        };
        compare(0.2, 0);
        choose("add");
        compare(1, static_cast<double>(data_.add[0]));
        QVERIFY(page().pane(0)->isVisible() && page().pane(2)->isVisible());
        QVERIFY(page().model().range(0) == page().model().range(2));
        keepPicture(*window_, "corrections");
    }

    void aClickInTheChartChoosesTheView() {
        show(file_);
        QTest::mouseClick(page().chart(), Qt::LeftButton, {}, page().chart()->place(2).toPoint());
        QCOMPARE(page().model().view(), 2);
        QVERIFY(until([this] { return !page().model().busy(); }));
        QVERIFY(std::abs(static_cast<double>(page().model().picture(1)->data[5]) - 0.4) < 1e-6);
    }

    void whatIsMissingSaysSo() {
        show(plain_);
        QVERIFY(!window_->commands().action("corrections.add")->isEnabled());
        QVERIFY(page().model().whyNot(DataQuantity::Add).contains("no randoms"));
        QVERIFY(page().origin().contains("No corrections in the file"));
        QVERIFY(!window_->commands().action("corrections.make")->isEnabled());  // no scanner is known
    }

    void theFileSaysWhatItWasMadeFrom() {
        show(scan_);
        const QString text = page().origin();
        QVERIFY2(text.contains("small ring") && text.contains("small-derenzo") && text.contains("seed"),
                 qPrintable(text));
    }

    void randomsAreMadeInTheBackgroundAsTheCommandMakesThem() {
        show(scan_);
        const QString folder = folder_.filePath("made.tofstudy");
        QTimer::singleShot(0, qApp, [&] {
            auto* dialog = qobject_cast<CorrectionsDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            auto* ok = dialog->findChild<QPushButton*>("corrections.ok");
            dialog->findChild<QLineEdit*>("corrections.folder")->setText(folder);
            QTest::mouseClick(ok, Qt::LeftButton);  // nothing is ticked
            QVERIFY(dialog->isVisible());
            QVERIFY(dialog->findChild<QLabel*>("corrections.folder.fault")->isVisible());
            auto* file = dialog->findChild<QLineEdit*>("corrections.delayeds");
            QTest::keyClicks(file, "nowhere.h5");
            QVERIFY(dialog->findChild<QCheckBox*>("corrections.randoms-delayeds.on")->isChecked());
            QTest::mouseClick(ok, Qt::LeftButton);
            QVERIFY(dialog->isVisible());
            QVERIFY(dialog->findChild<QLabel*>("corrections.delayeds.fault")->isVisible());
            file->setText(delayeds_);
            QTest::mouseClick(ok, Qt::LeftButton);
            dialog->close();
        });
        QVERIFY(window_->commands().trigger("corrections.make"));
        QVERIFY(until([&] { return !desk_->busy() && desk_->study().name() == "made"; }));

        HistoData expected = readData(scan_.toStdString());
        CorrectRequest request;
        request.delayeds = delayeds_.toStdString();
        NoProgress progress;
        const CorrectResult result = correct(expected, "scan", request, ThreadPool(0), progress);
        const auto made = desk_->study().histo();
        QVERIFY(made != nullptr && result.randoms > 0);
        QVERIFY(made->add == expected.add);
        QVERIFY(made->counts == expected.counts);
    }

    void makingIsPausedAndCancelledAndLeavesNothing() {
        show(scan_);
        CorrectionWish wish;
        wish.scatter = true;
        wish.folder = folder_.filePath("never.tofstudy");
        correctOpenData(*desk_, wish);
        QVERIFY(desk_->tasks().busy() && desk_->tasks().isWork());
        window_->refreshNow();
        QTest::keyClick(window_, Qt::Key_F6);
        QVERIFY(desk_->tasks().paused());
        QTest::keyClick(window_, Qt::Key_F6);
        QTest::keyClick(window_, Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(until([&] { return !desk_->tasks().busy(); }));
        QVERIFY(!QFileInfo::exists(wish.folder) && !QFileInfo::exists(wish.folder + ".data.h5"));
        QCOMPARE(desk_->study().name(), QString("scan"));
    }
};

QTEST_MAIN(CorrectionsPageTest)

}  // namespace corrections_page_test
#include "corrections_page_test.moc"
