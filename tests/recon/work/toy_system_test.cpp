// SPDX-License-Identifier: Apache-2.0
// A system that only this test knows goes through everything that the product's own go through.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "app/engines.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/work/read_measurement.h"
#include "recon/work/reconstruct.h"
#include "recon/work/systems.h"
#include "tests/support/toy_measurement.h"

namespace toy_system_test {

using namespace tof;
using namespace tof::test;

namespace {

class Silent : public JobListener {
  public:
    int cancelAfter = -1;  ///< whole iterates
    int whole = 0;
    RunMemory held;

    void memory(const RunMemory& memory) override { held = memory; }
    void checkpoint() override {
        if (cancelAfter >= 0 && whole >= cancelAfter) {
            throw Cancelled();
        }
    }
    void iterateDone(Iterate) override { ++whole; }
};

/// Six bins see four voxels.
const std::vector<std::vector<double>> kMatrix{{1, 0.5, 0, 0}, {0, 1, 0.5, 0},           {0, 0, 1, 0.5},
                                               {0.5, 0, 0, 1}, {0.25, 0.25, 0.25, 0.25}, {0.5, 0, 0.5, 0}};
const std::vector<double> kTruth{4, 1, 8, 2};

std::vector<float> countsOf(const std::vector<double>& image) {
    std::vector<float> counts;
    for (const auto& row : kMatrix) {
        double sum = 0;
        for (std::size_t j = 0; j < image.size(); ++j) {
            sum += row[j] * image[j];
        }
        counts.push_back(static_cast<float>(sum));
    }
    return counts;
}

const ToyModel kModel{Lattice::centred({4, 1, 1}, {1, 1, 1}), kMatrix, 2};

std::shared_ptr<const Measurement> measured() {
    return std::make_shared<ToyMeasurement>(kModel, countsOf(kTruth));
}

EngineRegistry toys() {
    EngineRegistry engines;
    engines.add(
        "cpu", [] { return makeCpuEngine(); }, 1);
    engines.add(
        "toy", [] { return std::make_shared<const ToyEngine>(); }, 2);
    return engines;
}

RunSettings mlem(int iterations) {
    RunSettings settings;
    settings.set("algorithm", "mlem");
    settings.set("iterations", std::to_string(iterations));
    return settings;
}

/// x <- x / s * F^T (y / F x), from the uniform image with the counts' total.
std::vector<double> mlemInDouble(int iterations) {
    const std::vector<float> y = countsOf(kTruth);
    std::vector<double> s(4, 0.0);
    double total = 0;
    double seen = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        total += static_cast<double>(y[i]);
        for (std::size_t j = 0; j < 4; ++j) {
            s[j] += kMatrix[i][j];
            seen += kMatrix[i][j];
        }
    }
    std::vector<double> x(4, total / seen);
    for (int k = 0; k < iterations; ++k) {
        std::vector<double> correction(4, 0.0);
        for (std::size_t i = 0; i < y.size(); ++i) {
            double e = 0;
            for (std::size_t j = 0; j < 4; ++j) {
                e += kMatrix[i][j] * x[j];
            }
            for (std::size_t j = 0; j < 4; ++j) {
                correction[j] += kMatrix[i][j] * static_cast<double>(y[i]) / e;
            }
        }
        for (std::size_t j = 0; j < 4; ++j) {
            x[j] *= correction[j] / s[j];
        }
    }
    return x;
}

}  // namespace

class ToySystemTest : public QObject {
    Q_OBJECT

    EngineRegistry engines_ = toys();

  private slots:
    void aSystemOfItsOwnReconstructs() {
        Silent listener;

        const auto result = reconstruct({measured(), mlem(50)}, engines_, listener);

        QCOMPARE(QString::fromStdString(result.engine), QString("toy, toy box"));
        const std::vector<double> wanted = mlemInDouble(50);
        for (std::size_t j = 0; j < wanted.size(); ++j) {
            // 50 updates of a few float roundings each
            QVERIFY(std::abs(static_cast<double>(result.image->data[j]) - wanted[j]) < 1e-5 * wanted[j]);
        }
        QVERIFY(listener.held.host >= 6 * sizeof(float));
    }

    void itsFilesAreReadThroughARowOfFormatsAndOneOfSystems() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("counts.toy"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("TOY");
        for (const float count : countsOf(kTruth)) {
            file.write(QByteArray(" ") + QByteArray::number(static_cast<double>(count)));
        }
        file.close();
        FormatTable formats = builtInFormats();
        formats.add(toyFormat(kModel));
        std::vector<System> systems = allSystems();
        systems.push_back(toySystem());
        const RecognisedFile recognised = formats.recognise(file.fileName().toStdString());

        const auto data = readMeasurement(recognised, systems);

        QCOMPARE(recognised.formatName(), std::string("toy"));
        QCOMPARE(data->system(), std::string("toy"));
        QCOMPARE(data->viewTotals(), measured()->viewTotals());
        QCOMPARE(data->order(3), measured()->order(3));
        Silent listener;
        const auto read = reconstruct({data, mlem(5)}, engines_, listener);
        const auto made = reconstruct({measured(), mlem(5)}, engines_, listener);
        QCOMPARE(read.image->data, made.image->data);
        // Without the row of the system nobody can measure it.
        QVERIFY_THROWS_EXCEPTION(BadInput, static_cast<void>(readMeasurement(recognised)));
    }

    void itsRunFilesSayWhatItSays() {
        const QTemporaryDir folder;
        RunFiles files;
        files.runFile = folder.filePath("run.h5").toStdString();
        Silent listener;

        static_cast<void>(reconstruct({measured(), mlem(2), files}, engines_, listener));

        const RunSummary run = readRunSummary(files.runFile);
        const auto description = nlohmann::json::parse(run.settingsJson);
        QCOMPARE(description["toy_rows"].get<int>(), 6);
        QCOMPARE(description["views"].get<int>(), 3);
        QCOMPARE(description["data_hash"].get<std::string>(), std::string("70y"));
        QCOMPARE(run.scannerJson, std::string(R"({"kind":"toy"})"));
        QCOMPARE(runName(mlem(2), "toy"), std::string("auto"));
    }

    void anInterruptedRunGoesOnToTheSameImage() {
        const QTemporaryDir folder;
        RunFiles files;
        files.checkpointFile = folder.filePath("run.ckpt").toStdString();
        Silent first;
        first.cancelAfter = 3;
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, static_cast<void>(reconstruct({measured(), mlem(8), files}, engines_, first)));
        Silent second;

        const auto resumed =
            reconstruct({measured(), mlem(8), files, {}, files.checkpointFile}, engines_, second);

        Silent whole;
        const auto atOnce = reconstruct({measured(), mlem(8)}, engines_, whole);
        QCOMPARE(second.whole, 5);
        QCOMPARE(resumed.image->data, atOnce.image->data);
    }

    void enginesThatDoNotKnowItSaySo() {
        RunSettings settings = mlem(1);
        settings.set("engine", "cpu");
        Silent listener;
        try {
            static_cast<void>(reconstruct({measured(), settings}, engines_, listener));
            QFAIL("the cpu engine projected a toy");
        } catch (const Unavailable& fault) {
            QVERIFY(QString(fault.what()).contains("no projector for this system"));
        }
        const EngineRegistry product = makeEngineRegistry();
        QVERIFY(product.require("cpu")->strategies("toy").empty());
    }

    void settingsOfOtherSystemsMeanNothingForIt() {
        for (const SettingInfo& info : settingsTable()) {
            QCOMPARE(appliesTo(info, "toy"), info.system.empty());
        }
    }
};

QTEST_GUILESS_MAIN(ToySystemTest)

}  // namespace toy_system_test
#include "toy_system_test.moc"
