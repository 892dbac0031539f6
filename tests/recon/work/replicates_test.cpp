// SPDX-License-Identifier: Apache-2.0
// Bootstrap: replicates vary as repeated scans do, and a run keeps what they say.
#include <QTest>
#include <QtCore/QTemporaryDir>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/simulate/poisson.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/reconstruct.h"
#include "recon/work/replicates.h"
#include "tests/support/small_data.h"
#include "tests/support/toy_measurement.h"

namespace replicates_test {

using namespace tof;
using namespace tof::test;

namespace {

RunSettings settings(const std::string& engine) {
    RunSettings made;
    made.set("engine", engine);
    made.set("kernel", "invariant");
    made.set("algorithm", "osem");
    made.set("subsets", "6");
    made.set("iterations", "3");
    made.set("seed", "5");
    return made;
}

RoiSet roiSet() {
    Roi uniform;
    uniform.name = "uniform";
    uniform.role = Roi::Role::Uniform;
    uniform.radius_mm = 24;
    return {{uniform}, 0};
}

/// Whole counts: Poisson numbers of the small data, `scale` times as many.
std::shared_ptr<const HistoData> scan(const HistoData& expected, std::uint64_t seed, double scale = 20) {
    auto data = std::make_shared<HistoData>(expected);
    data->counts = poissonCounts(expected.counts, scale, seed, ThreadPool(1));
    for (float& add : data->add) {
        add *= static_cast<float>(scale);
    }
    data->hash = "scan " + std::to_string(seed);
    return data;
}

ReconstructRequest request(std::shared_ptr<const HistoData> data, const std::string& file) {
    ReconstructRequest made;
    made.data = std::make_shared<const HistoMeasurement>(std::move(data));
    made.settings = settings("cpu");
    made.files.runFile = file;
    made.rois = roiSet();
    return made;
}

double roiMean(const Volume& image) {
    return FigureEvaluator(roiSet(), image.lattice).evaluate(1, image.data.data()).rois[0].statistics.mean;
}

}  // namespace

class ReplicatesTest : public QObject {
    Q_OBJECT
  private slots:
    void meansAndDeviationsAreThoseOfTheFormula() {
        const Lattice lattice = Lattice::centred({2, 1, 1}, {1, 1, 1});
        Replicates found(lattice, "counts", 1);
        for (const float value : {1.0F, 3.0F, 8.0F}) {
            Volume image(lattice, value);
            image.data[1] = 5;
            found.add(1, image, std::nullopt);
        }

        QCOMPARE(found.count(1), 3);
        QCOMPARE(found.mean(1).data, (std::vector<float>{4, 5}));
        QVERIFY(std::abs(found.sd(1).data[0] - std::sqrt(13.0F)) < 1e-5F);
        QCOMPARE(found.sd(1).data[1], 0.0F);
    }

    void theRunKeepsMeansDeviationsAndBands() {
        QTemporaryDir folder;
        const std::string file = folder.filePath("run.h5").toStdString();
        const std::shared_ptr<const HistoData> data = scan(*smallData(KernelSpec::preset("invariant")), 3);
        ReconstructRequest asked = request(data, file);
        JobListener listener;
        asked.files.runFile = folder.filePath("plain.h5").toStdString();
        const Volume plain = *reconstruct(asked, makeEngineRegistry(), listener).image;
        asked.files.runFile = file;
        asked.replicates = 4;

        const ReconstructResult result = reconstruct(asked, makeEngineRegistry(), listener);

        QCOMPARE(result.image->data, plain.data);  // the run itself is as without
        const auto bands = nlohmann::json::parse(readRunSummary(file).bandsJson);
        QCOMPARE(bands["replicates"].get<int>(), 4);
        QCOMPARE(bands["iterations"].size(), std::size_t{3});
        const Volume mean = readReplicates(file, 3, ReplicateImage::Mean);
        const Volume sd = readReplicates(file, 3, ReplicateImage::Sd);
        const double band = bands["iterations"][2]["rois"][0]["mean"]["mean"].get<double>();
        QVERIFY(std::abs(roiMean(mean) / band - 1) < 1e-4);  // the mean of an ROI is linear
        QVERIFY(bands["iterations"][2]["rois"][0]["mean"]["sd"].get<double>() > 0);
        QVERIFY(std::any_of(sd.data.begin(), sd.data.end(), [](float v) { return v > 0; }));
        QCOMPARE(sd.units, plain.units);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(readReplicates(file, 4, ReplicateImage::Sd)), BadInput);
    }

    void replicatesAreTheSameForAnyThreads() {
        QTemporaryDir folder;
        const std::shared_ptr<const HistoData> data = scan(*smallData(KernelSpec::preset("invariant")), 3);
        std::vector<std::vector<float>> found;
        for (const char* threads : {"1", "2"}) {
            ReconstructRequest asked =
                request(data, folder.filePath(QString("run%1.h5").arg(threads)).toStdString());
            asked.settings.set("threads", threads);
            asked.replicates = 2;
            JobListener listener;
            static_cast<void>(reconstruct(asked, makeEngineRegistry(), listener));
            found.push_back(readReplicates(asked.files.runFile, 3, ReplicateImage::Mean).data);
        }
        QCOMPARE(found[0], found[1]);
    }

    void replicatesVaryAsRepeatedScansDo() {
        // The standard deviation of an ROI's mean over 40 replicates of one scan against that over 40 scans.
        // Each has a relative error of 1/sqrt(78) = 0.113, the ratio of both 0.16: 3.3 sigma on either side.
        QTemporaryDir folder;
        const std::shared_ptr<HistoData> expected = smallData(KernelSpec::preset("invariant"));
        JobListener listener;
        constexpr int kScans = 40;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < kScans; ++i) {
            ReconstructRequest one = request(scan(*expected, 100 + static_cast<std::uint64_t>(i)), "");
            const double mean = roiMean(*reconstruct(one, makeEngineRegistry(), listener).image);
            sum += mean;
            squares += mean * mean;
        }
        const double overScans = std::sqrt((squares - sum * sum / kScans) / (kScans - 1));
        ReconstructRequest asked = request(scan(*expected, 3), folder.filePath("run.h5").toStdString());
        asked.replicates = kScans;

        static_cast<void>(reconstruct(asked, makeEngineRegistry(), listener));

        const auto bands = nlohmann::json::parse(readRunSummary(asked.files.runFile).bandsJson);
        const double sd = bands["iterations"][2]["rois"][0]["mean"]["sd"].get<double>();
        QVERIFY2(sd / overScans > 0.6 && sd / overScans < 1.65, qPrintable(QString::number(sd / overScans)));
    }

    void bandsOfNoiseHoldAtFewCounts() {
        // At 0.3 counts a bin a replicate must not be noisier than its scan by more than its own share of
        // noise, sqrt(1 + 1/16), nor its band be wider than what repeated scans scatter by. Over n scans that
        // ratio has a relative error of 1/sqrt(2n), and 3.3 of those are let pass.
        QTemporaryDir folder;
        const std::shared_ptr<HistoData> expected = smallData(KernelSpec::preset("invariant"));
        const double sum = std::accumulate(expected->counts.begin(), expected->counts.end(), 0.0);
        const double scale = 0.3 * static_cast<double>(expected->counts.size()) / sum;
        const int scans = qEnvironmentVariableIsEmpty("TOFSCOPE_FULL") ? 60 : 600;
        std::vector<double> noise;
        double variance = 0;
        double inflation = 0;
        for (int i = 0; i < scans; ++i) {
            ReconstructRequest asked = request(scan(*expected, 700 + static_cast<std::uint64_t>(i), scale),
                                               folder.filePath("run.h5").toStdString());
            asked.replicates = 10;
            JobListener listener;
            const Volume image = *reconstruct(asked, makeEngineRegistry(), listener).image;
            const auto bands = nlohmann::json::parse(readRunSummary(asked.files.runFile).bandsJson);
            const nlohmann::json& band = bands["iterations"][2]["noise"];
            noise.push_back(FigureEvaluator(roiSet(), image.lattice).evaluate(3, image.data.data()).noise);
            variance += std::pow(band["sd"].get<double>(), 2) / scans;
            inflation += band["mean"].get<double>() / noise.back() / scans;
        }
        const double mean = std::accumulate(noise.begin(), noise.end(), 0.0) / scans;
        double squares = 0;
        for (const double one : noise) {
            squares += (one - mean) * (one - mean);
        }
        const double ratio = std::sqrt(squares / (scans - 1) / variance);
        qInfo("SD of z %.3f, noise of replicates over that of scans %.3f (%d scans)", ratio, inflation,
              scans);
        QVERIFY2(std::abs(ratio - 1) < std::max(3.3 / std::sqrt(2.0 * scans), 0.15),
                 qPrintable(QString::number(ratio)));
        QVERIFY2(inflation > 1 && inflation < 1.06, qPrintable(QString::number(inflation)));
    }

    void otherDataAreRefused() {
        ReconstructRequest asked;
        asked.data = std::make_shared<const ToyMeasurement>(ToyModel{}, std::vector<float>{});
        asked.settings = settings("cpu");
        asked.replicates = 2;
        QVERIFY_EXCEPTION_THROWN(requireReplicable(*asked.data), WrongUse);
    }
};

QTEST_GUILESS_MAIN(ReplicatesTest)

}  // namespace replicates_test
#include "replicates_test.moc"
