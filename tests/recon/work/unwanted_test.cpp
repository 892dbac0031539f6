// SPDX-License-Identifier: Apache-2.0
// Runs on the host ask before every part of the data whether they are still wanted, however large a block is,
// and so does what finds the sensitivity of a list, and what reads the files that requests name.
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/corrections/attenuation_map.h"
#include "recon/corrections/correct_inputs.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/phantom/phantom.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/study/label_map.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/work/anatomy.h"
#include "recon/work/reconstruct.h"
#include "tests/support/small_data.h"

namespace unwanted_test {

using namespace tof;
using namespace tof::test;

namespace {

/// Counts how often a stage of a run asks whether it is wanted; from a certain question on it is not.
class Asked : public JobListener {
  public:
    Asked(std::string stage, int wantedFor) : of_(std::move(stage)), wantedFor_(wantedFor) {}
    int questions = 0;
    int iterates = 0;

    void preparing(const std::string& what) override { stage_ = what; }
    void checkpoint() override {
        if (stage_ == of_ && ++questions > wantedFor_) {
            throw Cancelled();
        }
    }
    void iterateDone(Iterate) override { ++iterates; }

  private:
    std::string of_;
    std::string stage_;
    int wantedFor_;
};

constexpr int kAlways = 1 << 30;

/// Reads a file; `heed` is asked while it does.
using Reading = std::function<void(const std::string& path, const std::function<void()>& heed)>;

struct NamedFile {
    const char* name;
    float value;  ///< that an image of this kind may have
    Reading read;
};

void readAnatomy(const std::string& path, const std::function<void()>& heed) {
    RunSettings settings;
    settings.set("algorithm", "bsrem");
    settings.set("anatomy", path);
    keepAnatomy(settings, heed);
}

/// What requests name beside the data that they are about.
std::vector<NamedFile> namedFiles() {
    return {
        {"attenuation", 0.1F,
         [](const std::string& path, const auto& heed) {
             (void)readAttenuationMap(path, MuUnits::PerCm, heed);
         }},
        {"anatomy", 1, readAnatomy},
        {"activity", 1,
         [](const std::string& path, const auto& heed) { (void)Phantom::find(path, volumeReader(heed)); }},
        {"labels", 1, [](const std::string& path, const auto& heed) { (void)readLabelMap(path, heed); }},
    };
}

EventList eventsOfModules(const Scanner& scanner) {
    const Phantom phantom = Phantom::fromJson(
        R"({"name":"rod","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":40,"length_mm":50,"activity":1}]})",
        "test");
    return simulate(scanner, phantom, {.events = 2000, .seed = 3}, ThreadPool(2), {});
}

/// Pairs of 12 modules of 24 crystals: more than 30 parts of a thousand pairs.
std::shared_ptr<const Measurement> listOfModules() {
    const Scanner scanner = Scanner::fromJson(
        R"({"name":"small","modules":{"count":12,"face_to_face_mm":300,"crystals":[4,6],"pitch_mm":[10,10]},)"
        R"("crystal_mm":[9.6,9.6,20],"attenuation_per_mm":0.0819,"acceptance_deg":20,"fov_diameter_mm":200,)"
        R"("timing_fwhm_ps":300})",
        "test");
    return std::make_shared<LineMeasurement>(listLines(
        eventsOfModules(scanner), scanner, timeBinsFor(scanner), Lattice::centred({20, 20, 6}, {8, 8, 10})));
}

}  // namespace

class UnwantedTest : public QObject {
    Q_OBJECT

    EngineRegistry engines_ = makeEngineRegistry();

    void run(const std::shared_ptr<const Measurement>& data, const std::string& algorithm, Asked& listener) {
        ReconstructRequest request;
        request.data = data;
        request.settings.set("engine", "cpu");
        request.settings.set("algorithm", algorithm);
        request.settings.set("iterations", "1");
        request.settings.set("threads", "1");  // of several threads the caller's alone asks, for its parts
        static_cast<void>(reconstruct(request, engines_, listener));
    }

  private slots:
    void aBlockAsksBeforeEveryPart() {
        const auto data = std::make_shared<HistoMeasurement>(smallData(KernelSpec::preset("invariant")));
        const auto views = static_cast<int>(data->viewCounts()[0] * data->viewCounts()[1]);
        // The sensitivity is a back projection of every view, and so is the one iteration.
        Asked wanted("sensitivities", kAlways);
        run(data, "mlem", wanted);
        QCOMPARE(wanted.iterates, 1);
        QVERIFY2(wanted.questions >= 2 * views, qPrintable(QString::number(wanted.questions)));

        for (const int last : {1, views + 2, 2 * views - 1}) {
            Asked unwanted("sensitivities", last);
            QVERIFY_EXCEPTION_THROWN(run(data, "mlem", unwanted), Cancelled);
            QCOMPARE(unwanted.questions, last + 1);
            QCOMPARE(unwanted.iterates, 0);
        }
    }

    void theSensitivityOfAListAsksBeforeEveryPart() {
        const std::shared_ptr<const Measurement> data = listOfModules();
        Asked wanted("data", kAlways);
        run(data, "osem", wanted);
        QVERIFY2(wanted.questions > 30, qPrintable(QString::number(wanted.questions)));

        for (const int last : {0, 15}) {
            Asked unwanted("data", last);
            QVERIFY_EXCEPTION_THROWN(run(data, "osem", unwanted), Cancelled);
        }
    }

    void filesThatRequestsNameAreReadWhileOneMayEndIt_data() {
        QTest::addColumn<int>("file");
        const std::vector<NamedFile> files = namedFiles();
        for (std::size_t i = 0; i < files.size(); ++i) {
            QTest::newRow(files[i].name) << static_cast<int>(i);
        }
    }
    void filesThatRequestsNameAreReadWhileOneMayEndIt() {
        QFETCH(const int, file);
        const NamedFile kind = namedFiles()[static_cast<std::size_t>(file)];
        const QTemporaryDir folder;
        const std::string path = folder.filePath("image.nii.gz").toStdString();
        Volume image(Lattice::centred({128, 128, 80}, {2, 2, 2}));
        image.at(64, 64, 40) = kind.value;
        writeVolume({path}, image);
        std::atomic<int> asked = 0;
        kind.read(path, [&] { ++asked; });
        QVERIFY(asked > 0);

        const int answered = asked / 2;
        asked = 0;
        QVERIFY_EXCEPTION_THROWN(kind.read(path,
                                           [&] {
                                               if (asked++ >= answered) {
                                                   throw Cancelled();
                                               }
                                           }),
                                 Cancelled);
    }

    void aNormalisationIsReadWhileOneMayEndIt() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("norm.h5").toStdString();
        EventList events = eventsOfModules(Scanner::find("labr3-ideal"));
        events.phantom = "spheres";
        writeEvents({path}, events);

        QVERIFY_EXCEPTION_THROWN((void)readNormalisation(path, [] { throw Cancelled(); }), Cancelled);
    }
};

QTEST_GUILESS_MAIN(UnwantedTest)

}  // namespace unwanted_test
#include "unwanted_test.moc"
