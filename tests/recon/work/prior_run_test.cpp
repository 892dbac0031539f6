// SPDX-License-Identifier: Apache-2.0
// Runs with a prior, from settings to run file: what is kept of them, and what is refused before they begin.
#include <QTest>
#include <QtCore/QTemporaryDir>
#include <cmath>
#include <limits>

#include "recon/base/error.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/anatomy.h"
#include "recon/work/reconstruct.h"
#include "tests/support/small_data.h"

namespace prior_run_test {

using namespace tof;
using namespace tof::test;

class PriorRunTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    EngineRegistry engines_;
    std::shared_ptr<const Measurement> data_ =
        std::make_shared<HistoMeasurement>(smallData(KernelSpec::preset("invariant")));

    [[nodiscard]] std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
    [[nodiscard]] std::string written(const char* name, const Volume& volume) const {
        static_cast<void>(writeVolume(path(name), volume));
        return path(name);
    }
    ReconstructRequest request(const std::string& algorithm, int iterations) const {
        ReconstructRequest request;
        request.data = data_;
        request.settings.set("engine", "cpu");
        request.settings.set("kernel", "invariant");
        request.settings.set("algorithm", algorithm);
        request.settings.set("iterations", std::to_string(iterations));
        return request;
    }
    ReconstructResult run(const ReconstructRequest& request) {
        JobListener listener;
        return reconstruct(request, engines_, listener);
    }
    QString refusal(const ReconstructRequest& request) {
        try {
            static_cast<void>(run(request));
        } catch (const Error& fault) {
            return fault.what();
        }
        return {};
    }

  private slots:
    void initTestCase() { engines_.add("cpu", makeCpuEngine, 1); }

    void runsKeepWhatTheirPriorWas_data() {
        QTest::addColumn<QString>("algorithm");
        for (const Algorithm* algorithm : algorithms()) {
            QTest::newRow(algorithm->name.c_str()) << QString::fromStdString(algorithm->name);
        }
    }
    void runsKeepWhatTheirPriorWas() {
        QFETCH(QString, algorithm);
        ReconstructRequest asked = request(algorithm.toStdString(), 3);
        asked.settings.set("objective", "on");
        asked.settings.set("subsets", "3");
        if (algorithmNamed(algorithm.toStdString()).anatomy == UsesAnatomy::Always) {
            QVERIFY(refusal(asked).contains("name its image with 'anatomy'"));
            asked.settings.set("anatomy", written("body.h5", smallImage()));
        }
        asked.files.runFile = path("run.h5");
        asked.files.checkpointFile = path("run.ckpt");

        static_cast<void>(run(asked));

        const RunSummary kept = readRunSummary(asked.files.runFile);
        QCOMPARE(kept.iterates.size(), std::size_t{3});
        for (const StoredIterate& iterate : kept.iterates) {
            QVERIFY(iterate.objective && std::isfinite(iterate.objective->total()));
            QVERIFY(iterate.change && *iterate.change > 0);
        }
        // One that has ended goes on to the bits of a longer one.
        ReconstructRequest longer = asked;
        longer.settings.set("iterations", "5");
        longer.files = {};
        const Volume expected = *run(longer).image;
        longer.files = asked.files;
        longer.files.runFile = path("longer.h5");
        longer.files.checkpointFile = path("longer.ckpt");
        longer.from = asked.files.runFile;
        QCOMPARE(run(longer).image->data, expected.data);
        if (algorithmNamed(algorithm.toStdString()).prior == UsesPrior::No) {
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(readPrior(asked.files.runFile, StoredPrior::Pull)),
                                     BadInput);
            return;
        }
        const Volume kappa = readPrior(asked.files.runFile, StoredPrior::Kappa);
        const Volume pull = readPrior(asked.files.runFile, StoredPrior::Pull);
        QVERIFY(kappa.lattice == data_->lattice() && pull.lattice == data_->lattice());
        QVERIFY(std::all_of(kappa.data.begin(), kappa.data.end(), [](float v) { return v >= 0; }));
        // A pair pulls one voxel up and the other down, and no voxel of a relative difference below 0.
        QVERIFY(*std::max_element(pull.data.begin(), pull.data.end()) > 0);
        QVERIFY(*std::min_element(pull.data.begin(), pull.data.end()) < 0);
    }

    void aRunThatStopsEarlyIsWhole() {
        ReconstructRequest asked = request("svrg", 60);
        asked.settings.set("stop", "1e-2");
        asked.files.runFile = path("stopped.h5");

        const ReconstructResult result = run(asked);

        QVERIFY(result.lastIteration > 1 && result.lastIteration < 60);
        const RunSummary kept = readRunSummary(asked.files.runFile);
        QCOMPARE(kept.iterates.back().iteration, result.lastIteration);
        QVERIFY(*kept.iterates.back().change <= 1e-2);
        asked.replicates = 2;
        QVERIFY(refusal(asked).contains("leave 'stop' at 0"));
    }

    void anatomyKeepsItsBorders() {
        // Between two halves of an anatomy nothing is smoothed: the step of the image is steeper there.
        ReconstructRequest asked = request("svrg", 15);
        asked.settings.set("prior", "quadratic");
        asked.settings.set("beta", "1");
        Volume body(data_->lattice());
        body.lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 p = body.lattice.centre(x, y, z);
            body.at(x, y, z) = std::hypot(p.x - 30, p.y) < 10 ? 1.0F : 0.0F;
        });
        const std::string file = written("body.h5", body);
        const auto contrast = [&] {
            const Volume image = *run(asked).image;
            double inside = 0;
            double outside = 0;
            double count = 0;
            double others = 0;
            for (std::size_t i = 0; i < image.data.size(); ++i) {
                (body.data[i] > 0 ? inside : outside) += static_cast<double>(image.data[i]);
                (body.data[i] > 0 ? count : others) += 1;
            }
            return inside / count / (outside / others);
        };
        const double without = contrast();
        asked.settings.set("anatomy", file);

        const double with = contrast();

        QVERIFY2(with > 1.1 * without, qPrintable(QString("%1 after %2").arg(with).arg(without)));
        asked.settings.set("anatomy", path("gone.nii"));
        QVERIFY(refusal(asked).contains("gone.nii"));
        asked.settings.set("algorithm", "osem");  // which looks at none
        QCOMPARE(refusal(asked), QString());
    }

    void aRunGoesOnByTheAnatomyThatItBeganWith() {
        ReconstructRequest asked = request("svrg", 2);
        Volume body(data_->lattice(), 1.0F);
        asked.settings.set("anatomy", written("same.h5", body));
        asked.files.runFile = path("began.h5");
        static_cast<void>(run(asked));
        asked.from = asked.files.runFile;
        asked.settings.set("iterations", "3");
        asked.files.runFile = path("goes-on.h5");
        asked.files.checkpointFile = path("goes-on.ckpt");
        body.data[3] = 2;
        static_cast<void>(written("same.h5", body));

        QVERIFY2(refusal(asked).contains("another image"), qPrintable(refusal(asked)));
        body.data[3] = 1;
        static_cast<void>(written("same.h5", body));
        QCOMPARE(refusal(asked), QString());
    }

    void anatomyOfAnotherLatticeIsRefused() {
        ReconstructRequest asked = request("bsrem", 1);
        Volume body(Lattice::centred({20, 18, 6}, {8, 8, 7}));
        asked.settings.set("anatomy", written("other.h5", body));
        QVERIFY2(refusal(asked).contains("resample it"), qPrintable(refusal(asked)));
        Volume broken(data_->lattice());
        broken.data[3] = std::numeric_limits<float>::infinity();
        asked.settings.keptAnatomy = {"broken.nii"};
        asked.settings.set("anatomy", written("broken.h5", broken));
        QVERIFY2(!refusal(asked).isEmpty(), "taken");
    }

    void choosingWithoutAnAnatomyIsRefused() {
        ReconstructRequest asked = request("bsrem", 1);
        asked.settings.set("bowsher", "5");
        QVERIFY(refusal(asked).contains("name its image with 'anatomy'"));
        asked.settings.set("anatomy", path("gone.nii"));
        asked.settings.set("algorithm", "osl");
        asked.settings.set("prior", "median-root");
        QVERIFY(refusal(asked).contains("of all neighbours"));
        for (const char* value : {"-1", "nan", "inf"}) {
            QVERIFY_EXCEPTION_THROWN(asked.settings.set("beta", value), WrongUse);
            QVERIFY_EXCEPTION_THROWN(asked.settings.set("stop", value), WrongUse);
            QVERIFY_EXCEPTION_THROWN(asked.settings.set("prior-gamma", value), WrongUse);
        }
        QVERIFY_EXCEPTION_THROWN(asked.settings.set("bowsher", "27"), WrongUse);
    }
};

QTEST_GUILESS_MAIN(PriorRunTest)

}  // namespace prior_run_test
#include "prior_run_test.moc"
