// SPDX-License-Identifier: Apache-2.0
// What command and window share of corrections: the way of each form, and what is said of files beforehand.
#include <QTest>
#include <QtCore/QTemporaryDir>
#include <functional>
#include <string>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/corrections/correct_inputs.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "recon/systems/panel/panel_measurement.h"
#include "tests/support/correct_as.h"
#include "tests/support/silent_progress.h"

namespace correct_data_test {

using namespace tof;
using namespace tof::test;

namespace {

Scanner scannerOf(int modules) {
    return Scanner::fromJson(R"({"name":"small","modules":{"count":)" + std::to_string(modules) +
                                 R"(,"face_to_face_mm":304,"crystals":[4,4],"pitch_mm":[10,10]},)"
                                 R"("crystal_mm":[9.6,9.6,20],"attenuation_per_mm":0.0819,)"
                                 R"("acceptance_deg":20,"fov_diameter_mm":200,"timing_fwhm_ps":300})",
                             "test");
}

/// One event between opposite crystals.
EventList listOf(const Scanner& scanner, const std::string& phantom) {
    EventList list;
    list.crystals = {{0, static_cast<std::uint32_t>(scanner.crystals.size() / 2)}};
    list.dt_ps = {0};
    list.scannerJson = scanner.toJson();
    list.phantom = phantom;
    list.duration_s = 1;
    return list;
}

PanelData panelData() {
    const Scanner panels = Scanner::fromJson(
        R"({"name":"two","modules":{"count":2,"face_to_face_mm":40,"crystals":[4,3],"pitch_mm":[2.4,2.4]},)"
        R"("crystal_mm":[2.1,2.1,10],"attenuation_per_mm":0.0819,"acceptance_deg":85,)"
        R"("fov_diameter_mm":80})",
        "test");
    EventList events;
    events.crystals = {{0, 12}};
    return binPanel(events, panels);
}

/// The sentence of the error that `ask` throws; empty without one.
std::string saidBy(const std::function<void()>& ask) {
    try {
        ask();
        return {};
    } catch (const Error& fault) {
        return fault.what();
    }
}

bool holds(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

class CorrectDataTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    Scanner scanner_ = scannerOf(24);

    [[nodiscard]] std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }
    [[nodiscard]] SinogramData sinograms() const {
        MichelogramSpec spec;
        spec.scanner = {"small", 4, 96, 160, 10, kPi / 96};
        spec.segments = segmentsOfSpan(4, 3, 3);
        spec.radialBins = 47;
        spec.mashing = 4;
        return binEvents(listOf(scanner_, ""), &scanner_, std::make_shared<const Michelogram>(spec),
                         Lattice::centred({8, 8, 4}, {20, 20, 10}));
    }
    template <class Data>
    static std::string asked(Data data, const CorrectRequest& request) {
        PartedCorrections parted{kFormOf<Data>, std::move(data), {}};
        SilentProgress progress;
        return saidBy(
            [&] { static_cast<void>(correctData(parted, "data", request, ThreadPool(1), progress, {})); });
    }

  private slots:
    void sinogramsNeedTheirScanner() {
        CorrectRequest request;
        request.switches.scatter = true;
        QVERIFY(holds(asked(sinograms(), request), "--scanner"));
        request.scanner = "nowhere.json";
        QVERIFY(holds(asked(sinograms(), request), "nowhere.json"));
    }

    /// A normalisation that bin has applied is kept with the data, and correct multiplies by no other.
    void efficienciesAreCountedOnce() {
        SinogramData data = sinograms();
        data.normalisation = "scan.n.hdr";
        data.mult.assign(data.counts.size(), 0.5F);
        writeSinogramData(file("normalised.h5"), data);
        const SinogramData kept = readSinogramData(file("normalised.h5"));
        QCOMPARE(kept.normalisation, data.normalisation);
        EventList source = listOf(scanner_, "spheres");
        writeEvents(file("norm.h5"), source);
        CorrectRequest request;
        request.detecting = std::make_shared<const Scanner>(scanner_);
        request.norm = file("norm.h5");

        const std::string refused = asked(kept, request);

        QVERIFY2(holds(refused, "scan.n.hdr") && holds(refused, "twice"), refused.c_str());
        data.normalisation.clear();
        const std::string taken = asked(data, request);
        QVERIFY2(!holds(taken, "twice"), taken.c_str());
        const auto whyNot = [&](const SinogramData& asked) {
            const SinogramMeasurement bins(asked);
            const FormTable forms = builtInForms();
            return forms.of(bins)->corrections.find(PartName::Efficiencies)->whyNot({bins, {}, &scanner_});
        };
        QVERIFY(whyNot(kept) != nullptr);
        QVERIFY(whyNot(data) == nullptr);
    }

    void panelsHaveNothingToSwitch() {
        CorrectRequest request;
        QVERIFY(holds(asked(panelData(), request), "two panels"));  // nothing to find randoms from
        request.delayeds = file("late.h5");
        request.switches.attenuation = false;
        QVERIFY(holds(asked(panelData(), request), "two panels"));
    }

    void dataInMemoryAreCopiedByTheirForm() {
        const SinogramMeasurement bins(sinograms());
        const PanelMeasurement panel(panelData());
        const FormTable forms = builtInForms();
        QCOMPARE(forms.of(bins)->name, std::string("sinogram"));
        QCOMPARE(forms.of(panel)->name, std::string("panel"));
        QCOMPARE(std::get<SinogramData>(forms.of(bins)->copy(bins)).counts, bins.data()->counts);
        QCOMPARE(std::get<PanelData>(forms.of(panel)->copy(panel)).counts, panel.data()->counts);
    }

    void filesThatCannotBeUsedAreToldOfBeforehand() {
        const Scanner other = scannerOf(12);
        writeEvents(file("good.h5"), listOf(scanner_, "points"));
        writeEvents(file("nameless.h5"), listOf(scanner_, ""));
        EventList none = listOf(scanner_, "points");
        none.crystals.clear();
        none.dt_ps.clear();
        writeEvents(file("empty.h5"), none);
        CrystalSingles singles;
        singles.recorded.assign(scanner_.crystals.size(), 5.0);
        singles.duration_s = 1;
        writeSingles(file("singles.h5"), singles);

        QCOMPARE(saidBy([&] { requireNormalisation(file("good.h5"), scanner_); }), std::string());
        QCOMPARE(saidBy([&] { requireDelayeds(file("nameless.h5"), scanner_); }), std::string());
        QCOMPARE(singlesOf(file("singles.h5"), scanner_).recorded, singles.recorded);
        QVERIFY(holds(saidBy([&] { requireNormalisation(file("nameless.h5"), scanner_); }), "phantom"));
        QVERIFY(holds(saidBy([&] { requireDelayeds(file("good.h5"), other); }), "384 crystals"));
        QVERIFY(holds(saidBy([&] { requireDelayeds(file("empty.h5"), scanner_); }), "no events"));
        QVERIFY(holds(saidBy([&] { requireDelayeds(file("singles.h5"), scanner_); }), "list"));
        QVERIFY(
            holds(saidBy([&] { static_cast<void>(singlesOf(file("singles.h5"), other)); }), "384 crystals"));
        QVERIFY(!saidBy([&] { static_cast<void>(singlesOf(file("good.h5"), scanner_)); }).empty());
    }
};

QTEST_GUILESS_MAIN(CorrectDataTest)

}  // namespace correct_data_test
#include "correct_data_test.moc"
