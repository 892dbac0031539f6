// SPDX-License-Identifier: Apache-2.0
// Binning and simulating as functions: what the command and the window both call.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <numeric>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/forms/histo/histo_images.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/interfile/sinogram_interfile.h"
#include "recon/work/bin.h"
#include "recon/work/simulate.h"
#include "tests/support/flat_modules.h"
#include "tests/support/refusal.h"

namespace bin_test {

using namespace tof;

namespace {

/// Keeps what a workflow says; wants no more from the stage `stopAt` on.
struct Listener : WorkProgress {
    void stage(const std::string& name) override {
        stages << QString::fromStdString(name);
        share = 0;
    }
    void report(double done) override {
        ascends = ascends && done >= share && done <= 1;
        share = done;
        if (!stopAt.isEmpty() && stages.last() == stopAt) {
            throw Cancelled();
        }
    }
    void note(Remark about, const std::string& /*sentence*/) override { remarks.push_back(about); }

    QString stopAt;
    QStringList stages;
    std::vector<Remark> remarks;
    double share = 0;
    bool ascends = true;
};

/// Water in kFlatModules.
constexpr const char* kCylinder =
    R"({"name":"water","shapes":[{"kind":"cylinder","name":"water","centre_mm":[0,0,0],"radius_mm":50,)"
    R"("length_mm":40,"activity":1,"mu_per_mm":0.0096}]})";

double total(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

class BinTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        SimulateRequest request;
        std::ofstream(request.scanner = file("flat.json")) << test::kFlatModules;
        std::ofstream(request.phantom = file("water.json")) << kCylinder;
        request.settings = {.events = 20000, .seed = 3, .duration_s = 10};
        Listener listener;
        const SimulatedScan scan = simulateScan(request, pool_, listener);
        QCOMPARE(listener.stages, (QStringList{"simulate", "singles"}));
        QCOMPARE(scan.report.started > 20000, true);
        events_ = std::get<EventList>(scan.data);
        QCOMPARE(events_.size(), std::size_t{20000});
        writeEvents(request_.input = file("list.h5"), events_);
        request_.azimuths = 12;  // wider cells are averaged over more directions
        request_.tilts = 1;
        request_.lattice = Lattice::centred({14, 14, 6}, {8, 8, 8});
    }

    void aListBecomesHistoImagesWithItsPhantomsAttenuation() {
        Listener listener;
        const BinResult result = binEvents(request_, pool_, listener);
        request_.mu = "none";
        const BinResult clear = binEvents(request_, pool_, listener);

        const auto& data = std::get<HistoData>(result.data);
        const auto& bare = std::get<HistoData>(clear.data);
        QCOMPARE(listener.stages.mid(0, 3), (QStringList{QString::fromStdString("reading " + request_.input),
                                                         "deposit", "corrections"}));
        QVERIFY(listener.ascends && listener.remarks.empty());
        QCOMPARE(data.kept + data.outside + data.rejected, std::uint64_t{20000});
        QCOMPARE(data.phantom, events_.phantom);
        QCOMPARE(data.scannerJson, events_.scannerJson);
        QCOMPARE(data.duration_s, 10.0);
        QCOMPARE(bare.counts, data.counts);
        QVERIFY(bare.att.empty());
        QCOMPARE(data.mult, bare.mult);
        QVERIFY(total(data.att) < 0.9 * static_cast<double>(data.att.size()));
        request_.mu.clear();
    }

    /// Counts and factors, to the bit, whether events come a few at a time or all at once, and whether the
    /// factors are computed meanwhile or afterwards.
    void blocksOfAListMakeWhatTheWholeMakes_data() {
        QTest::addColumn<int>("atATime");
        QTest::addColumn<int>("threads");
        QTest::addColumn<bool>("trilinear");
        QTest::newRow("blocks, spread over voxels") << 997 << 0 << true;
        QTest::newRow("a few at a time, one thread") << 7 << 1 << false;
    }
    void blocksOfAListMakeWhatTheWholeMakes() {
        QFETCH(int, atATime);
        QFETCH(int, threads);
        QFETCH(bool, trilinear);
        BinRequest request = request_;
        request.trilinear = trilinear;
        request.eventsAtATime = static_cast<std::size_t>(atATime);
        Listener listener;
        const Scanner scanner = Scanner::fromJson(events_.scannerJson, "list");

        const HistoData whole = binHistoImages(events_, scanner, request, pool_, listener);
        const auto parts = std::get<HistoData>(binEvents(request, ThreadPool(threads), listener).data);

        QVERIFY(parts.counts == whole.counts);
        QVERIFY(parts.mult == whole.mult);
        QVERIFY(parts.att == whole.att);
        QCOMPARE(parts.kept, whole.kept);
        QCOMPARE(parts.outside, whole.outside);
        QCOMPARE(parts.deposit, whole.deposit);
        QCOMPARE(parts.duration_s, whole.duration_s);
    }

    void reversedTimesAreMendedInBlocksToo() {
        EventList wrong = events_;
        for (float& dt : wrong.dt_ps) {
            dt = -dt;
        }
        writeEvents(file("reversed.h5"), wrong);
        BinRequest request = request_;
        request.input = file("reversed.h5");
        request.eventsAtATime = 999;
        request.times = Times::Reversed;
        Listener listener;
        const auto data = std::get<HistoData>(binEvents(request, pool_, listener).data);
        const auto right = std::get<HistoData>(binEvents(request_, pool_, listener).data);
        QVERIFY(data.counts == right.counts);
    }

    void aFaultInALaterBlockIsNamed() {
        EventList faulty = events_;
        faulty.dt_ps[12345] = std::nanf("");
        writeEvents(file("faulty.h5"), faulty);
        BinRequest request = request_;
        request.input = file("faulty.h5");
        request.eventsAtATime = 1000;
        Listener listener;
        QVERIFY(test::refusal([&] { (void)binEvents(request, pool_, listener); }).contains("event 12345"));
        faulty.dt_ps[12345] = 0;
        faulty.crystals[15432][1] = 1U << 30U;
        writeEvents(file("faulty.h5"), faulty);
        QVERIFY(test::refusal([&] { (void)binEvents(request, pool_, listener); }).contains("event 15432"));
    }

    void aListOfCrystalsWithoutSizesIsRemarkedOn() {
        EventList measured = events_;
        Scanner scanner = Scanner::fromJson(events_.scannerJson, "list");
        scanner.facesKnown = false;
        measured.scannerJson = scanner.toJson();
        writeEvents(file("map.h5"), measured);
        BinRequest request = request_;
        request.input = file("map.h5");
        Listener told;
        Listener chosen;

        const BinResult spread = binEvents(request, pool_, told);
        request.endPoints = EndPoints::Centre;
        const BinResult centred = binEvents(request, pool_, chosen);

        QVERIFY(told.remarks == std::vector<Remark>{Remark::Data} && chosen.remarks.empty());
        QCOMPARE(std::get<HistoData>(spread.data).deposit, std::string("centre"));
        QVERIFY(std::get<HistoData>(spread.data).counts == std::get<HistoData>(centred.data).counts);
    }

    /// In 1/cm where the volume has no unit of its own.
    void anAttenuationVolumeIsTakenForThePhantom() {
        Volume mu;
        mu.lattice = Lattice::centred({4, 4, 4}, {40, 40, 40});
        mu.data.assign(mu.lattice.voxels(), 0.096F);
        writeVolume(file("mu.nii"), mu);
        mu.units = "1/mm";
        mu.data.assign(mu.lattice.voxels(), 0.0096F);
        writeVolume(file("mu.h5"), mu);

        const LineData perCm = linesWith(file("mu.nii"));
        const LineData perMm = linesWith(file("mu.h5"));

        QCOMPARE(perCm.attenuation->data, perMm.attenuation->data);
        QCOMPARE(perMm.attenuation->data, mu.data);
        QVERIFY(!linesWith("none").attenuation.has_value());
        QVERIFY(!(linesWith("").attenuation->lattice == mu.lattice));
    }

    void aListWithoutPhantomIsRemarkedOn() {
        EventList measured = events_;
        measured.phantom.clear();
        writeEvents(file("measured.h5"), measured);
        BinRequest request = request_;
        request.input = file("measured.h5");
        request.form = "lors";
        Listener listener;
        (void)binEvents(request, pool_, listener);
        QVERIFY(listener.remarks == std::vector{Remark::NoAttenuation});
    }

    void timesOfTheOtherSignAreRemarkedOnAndTurned() {
        Phantom offCentre;
        PhantomShape sphere;
        sphere.centre = {80, -40, 0};
        sphere.radius_mm = 20;
        sphere.activity = 1;
        offCentre.name = "off";
        offCentre.shapes = {sphere};
        EventList list =
            simulate(Scanner::find("labr3-ideal"), offCentre, {.events = 4000, .seed = 2}, pool_, {});
        const std::vector<float> right = list.dt_ps;
        for (float& dt : list.dt_ps) {
            dt = -dt;
        }
        writeEvents(file("turned.h5"), list);
        BinRequest request = request_;
        request.input = file("turned.h5");
        request.form = "lors";
        request.mu = "none";
        Listener asStated;
        (void)binEvents(request, pool_, asStated);
        request.times = Times::Reversed;
        Listener reversed;
        const LineData lines = std::get<LineData>(binEvents(request, pool_, reversed).data);

        QVERIFY(asStated.remarks == std::vector{Remark::TimesReversed});
        QVERIFY(reversed.remarks.empty());
        QCOMPARE(lines.rejected, std::uint64_t{0});
        QCOMPARE(lines.events->dt_ps, right);
    }

    void timesWithoutAResolutionAreRefused() {
        EventList list = events_;
        Scanner scanner = Scanner::fromJson(list.scannerJson, "list");
        scanner.timing_fwhm_ps = 0;
        list.scannerJson = scanner.toJson();
        writeEvents(file("untimed.h5"), list);
        BinRequest request = request_;
        request.input = file("untimed.h5");
        request.form = "lors";
        request.mu = "none";
        Listener listener;
        const QString said = test::refusal([&] { (void)binEvents(request, pool_, listener); });
        QVERIFY2(said.contains("untimed.h5") && said.contains("--no-tof"), qPrintable(said));

        request.times = Times::Left;
        const LineData lines = std::get<LineData>(binEvents(request, pool_, listener).data);
        QVERIFY(lines.events->dt_ps.empty() && !lines.events->pairs.empty());
        request.form = "histo";
        QVERIFY_EXCEPTION_THROWN((void)binEvents(request, pool_, listener), WrongUse);
    }

    void sinogramsOfStirAreAttenuatedAndTakeTheirImage() {
        MichelogramSpec spec;
        spec.scanner = {"small", 3, 24, 150.0, 6.0, 0.0};
        spec.segments = {{0, 0}};
        spec.radialBins = 11;
        SinogramData data;
        data.michelogram = std::make_shared<const Michelogram>(spec);
        data.lattice = defaultLattice(*data.michelogram);
        data.counts.assign(data.michelogram->bins(), 5.0F);
        writeInterfileSinograms(file("s.hs"), data);
        Volume mu(Lattice::centred({10, 10, 10}, {10, 10, 10}), 0.1F);
        writeVolume(file("m.nii"), mu);
        BinRequest request;
        request.input = file("s.hs");
        request.form = "sinogram";
        request.mu = file("m.nii");
        request.sinograms.size = {16, 16, 4};
        Listener listener;

        const SinogramData binned = std::get<SinogramData>(binEvents(request, pool_, listener).data);

        // 100 mm of 0.1 per cm on the line through the middle.
        const Michelogram& m = *binned.michelogram;
        QVERIFY(std::abs(binned.mult[m.index(m.slotOfAngle(0), 1, 5)] - std::exp(-1.0F)) < 0.01F);
        QVERIFY((binned.lattice.size == std::array<int, 3>{16, 16, 4}));
        request.form = "histo";
        QVERIFY_EXCEPTION_THROWN((void)binEvents(request, pool_, listener), WrongUse);
        request = request_;
        request.sinograms.acf = {file("s.hs")};
        QVERIFY_EXCEPTION_THROWN((void)binEvents(request, pool_, listener), WrongUse);
    }

    void linesTakeTheLatticeThatWasAskedForOrTheirOwn() {
        BinRequest request = request_;
        request.form = "lors";
        request.mu = "none";
        Listener listener;
        const LineData given = std::get<LineData>(binEvents(request, pool_, listener).data);
        request.lattice.reset();
        const LineData own = std::get<LineData>(binEvents(request, pool_, listener).data);

        QVERIFY(given.lattice == *request_.lattice);
        QVERIFY(!(own.lattice == given.lattice) && !(own.lattice == usualLattice()));
        QCOMPARE(own.events->pairs.size() + own.rejected, std::size_t{20000});
    }

    void sinogramsNeedRings() {
        BinRequest request = request_;
        request.form = "sinogram";
        Listener listener;
        QVERIFY_EXCEPTION_THROWN((void)binEvents(request, pool_, listener), WrongUse);
    }

    void cancellingEndsEveryStage_data() {
        QTest::addColumn<QString>("stage");
        QTest::newRow("deposit") << "deposit";
        QTest::newRow("corrections") << "corrections";
    }
    void cancellingEndsEveryStage() {
        QFETCH(QString, stage);
        Listener listener;
        listener.stopAt = stage;
        QVERIFY_EXCEPTION_THROWN((void)binEvents(request_, pool_, listener), Cancelled);
        QCOMPARE(listener.stages.last(), stage);
    }

  private:
    [[nodiscard]] std::string file(const QString& name) const { return folder_.filePath(name).toStdString(); }
    [[nodiscard]] LineData linesWith(const std::string& mu) const {
        BinRequest request = request_;
        request.form = "lors";
        request.mu = mu;
        Listener listener;
        return std::get<LineData>(binEvents(request, pool_, listener).data);
    }

    QTemporaryDir folder_;
    ThreadPool pool_{2};
    EventList events_;
    BinRequest request_;
};

QTEST_GUILESS_MAIN(BinTest)

}  // namespace bin_test
#include "bin_test.moc"
