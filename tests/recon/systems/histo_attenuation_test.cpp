// SPDX-License-Identifier: Apache-2.0
// Attenuation before the blur, efficiency after it: e = mult F(att x) + add, back = att F^T (mult ratio).
#include <QTemporaryDir>
#include <QTest>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/constants.h"
#include "recon/data/data_hash.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/volume_hdf5.h"
#include "recon/seam/run_control.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/histo/reference.h"
#include "tests/recon/projector_fixtures.h"
#include "tests/support/toy_system.h"

namespace histo_attenuation_test {

using namespace tof;
using fixtures::uniformData;

namespace {

const Lattice kGrid = Lattice::centred({12, 11, 5}, {4, 4, 4});

std::shared_ptr<HistoData> attenuatedData() {
    auto data = std::make_shared<HistoData>();
    data->lattice = kGrid;
    data->views = ViewGrid(4, 2, 10 * kRadPerDeg).views();
    const std::size_t n = kGrid.voxels() * data->views.size();
    data->counts = uniformData(n, 3, 0, 4);
    data->mult = uniformData(n, 4, 0.2F, 1);
    data->add = uniformData(n, 5, 0.01F, 0.1F);
    data->att = uniformData(n, 6, 0.05F, 1);
    return data;
}

DirectModel modelOf(const HistoData& data) {
    return {data.lattice, data.views, KernelSpec::preset("variant1"), !data.att.empty()};
}

std::vector<float> floats(const std::vector<double>& values) {
    return {values.begin(), values.end()};
}

/// One pass of an algorithm written down from design and model page, in double precision but for the images
/// that are projected.
class Loop {
  public:
    explicit Loop(const HistoData& data) : data_(data) {
        for (const View& view : data.views) {
            tables_.push_back(buildKernelTables(KernelSpec::preset("variant1"), data.lattice, view));
        }
    }

    /// att F^T p of a view.
    std::vector<double> back(std::size_t view, const std::vector<double>& p) const {
        std::vector<double> result = referenceBack(tables_[view], kGrid, floats(p));
        for (std::size_t i = 0; i < result.size(); ++i) {
            result[i] *= at(data_.att, view, i);
        }
        return result;
    }
    std::vector<double> sensitivity(std::size_t view) const {
        std::vector<double> mult(kGrid.voxels());
        for (std::size_t i = 0; i < mult.size(); ++i) {
            mult[i] = at(data_.mult, view, i);
        }
        return back(view, mult);
    }
    /// att F^T [mult (y/e - offset)].
    std::vector<double> correction(std::size_t view, const std::vector<double>& x, double offset) const {
        std::vector<double> seen(x);
        for (std::size_t i = 0; i < seen.size(); ++i) {
            seen[i] *= at(data_.att, view, i);
        }
        std::vector<double> p = referenceForward(tables_[view], kGrid, floats(seen));
        for (std::size_t i = 0; i < p.size(); ++i) {
            const double mult = at(data_.mult, view, i);
            const double e = mult * p[i] + at(data_.add, view, i);
            p[i] = mult * (at(data_.counts, view, i) / e - offset);
        }
        return back(view, p);
    }
    std::size_t views() const { return data_.views.size(); }

  private:
    static double at(const std::vector<float>& all, std::size_t view, std::size_t i) {
        return static_cast<double>(all[view * kGrid.voxels() + i]);
    }
    const HistoData& data_;
    std::vector<KernelTables> tables_;
};

using Blocks = std::vector<std::vector<std::size_t>>;

void addTo(std::vector<double>& sum, const std::vector<double>& part) {
    std::transform(sum.begin(), sum.end(), part.begin(), sum.begin(), std::plus<>());
}

std::vector<double> ramlaPass(const Loop& loop, const Blocks& blocks, std::vector<double> x, double lambda) {
    std::vector<double> s(x.size(), 0.0);
    for (std::size_t view = 0; view < loop.views(); ++view) {
        addTo(s, loop.sensitivity(view));
    }
    for (const auto& block : blocks) {
        std::vector<double> c(x.size(), 0.0);
        for (const std::size_t view : block) {
            addTo(c, loop.correction(view, x, 1));
        }
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] *= std::max(1 + lambda * c[i] / (s[i] / static_cast<double>(blocks.size())), 0.1);
        }
    }
    return x;
}

std::vector<double> osemPass(const Loop& loop, const Blocks& blocks, std::vector<double> x) {
    for (const auto& block : blocks) {
        std::vector<double> c(x.size(), 0.0);
        std::vector<double> s(x.size(), 0.0);
        for (const std::size_t view : block) {
            addTo(c, loop.correction(view, x, 0));
            addTo(s, loop.sensitivity(view));
        }
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] *= c[i] / s[i];
        }
    }
    return x;
}

}  // namespace

class HistoAttenuationTest : public QObject {
    Q_OBJECT

  private slots:
    void algorithmsEqualTheirFormulas_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("subsets");
        QTest::addColumn<bool>("resident");
        for (const bool resident : {true, false}) {
            for (const int subsets : {0, 4}) {
                for (const char* name : {"ramla", "osem", "mlem"}) {
                    QTest::addRow("%s, %d subsets, %s", name, subsets, resident ? "resident" : "streamed")
                        << name << subsets << resident;
                }
            }
        }
    }
    void algorithmsEqualTheirFormulas() {
        QFETCH(QString, algorithm);
        QFETCH(int, subsets);
        QFETCH(bool, resident);
        const auto data = attenuatedData();
        const auto engine = makeCpuEngine();
        const auto space = engine->makeSpace({});
        const auto projector = requireProjector(*engine, modelOf(*data), space, {});
        SpaceHistoSource source(data, space, resident ? SIZE_MAX : 0);
        AlgorithmSettings settings;
        settings.algorithm = &algorithmNamed(algorithm.toStdString());
        settings.iterations = 2;
        settings.relaxation = 0.5;
        settings.subsets = subsets;
        std::vector<std::size_t> order(data->views.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        test::RecordingControl control;
        Reconstruction run(*projector, source, data->lattice, settings, order, control);
        const auto start = uniformData(kGrid.voxels(), 9, 0.5F, 2);

        run.startFrom(start, 0);
        run.run(control);

        const Loop loop(*data);
        const Blocks blocks = makeBlocks(settings, order);
        std::vector<double> x(start.begin(), start.end());
        for (int iteration = 0; iteration < settings.iterations; ++iteration) {
            x = algorithm == "ramla" ? ramlaPass(loop, blocks, x, 0.5) : osemPass(loop, blocks, x);
        }
        // Sixteen updates at most, on sums of some hundred terms in single precision.
        const double fault = fixtures::relativeToMaximum(control.iterates.back().image->data, x);
        QVERIFY2(fault < 4e-5, qPrintable(QString::number(fault)));
    }

    void theExpectationOfAViewIsAttenuatedFirst() {
        const auto data = attenuatedData();
        const HistoMeasurement measured(data);
        Volume image(kGrid, 0.0F);
        image.data = uniformData(kGrid.voxels(), 8, 0, 1);
        RunSettings settings;
        settings.kernelText = "variant1";
        settings.engine = "cpu";
        EngineRegistry engines;
        engines.add(
            "cpu", [] { return makeCpuEngine(); }, 1);
        const std::size_t view = 5;

        const Volume expected = measured.expected(view, image, settings, engines);

        std::vector<float> seen = image.data;
        const std::size_t begin = view * kGrid.voxels();
        for (std::size_t i = 0; i < seen.size(); ++i) {
            seen[i] *= data->att[begin + i];
        }
        auto byHand = referenceForward(
            buildKernelTables(KernelSpec::preset("variant1"), kGrid, data->views[view]), kGrid, seen);
        for (std::size_t i = 0; i < byHand.size(); ++i) {
            byHand[i] = static_cast<double>(data->mult[begin + i]) * byHand[i] +
                        static_cast<double>(data->add[begin + i]);
        }
        QVERIFY(fixtures::relativeToMaximum(expected.data, byHand) < 2e-5);
        QCOMPARE(measured.view(view, DataQuantity::Att).data.front(), data->att[begin]);
    }

    void streamedDataGiveTheSameBits() {
        const auto data = attenuatedData();
        const auto space = makeCpuEngine()->makeSpace({});
        SpaceHistoSource resident(data, space, std::size_t{1} << 30U);
        SpaceHistoSource streamed(data, space, 0);
        QVERIFY(resident.resident() && !streamed.resident());
        for (std::size_t part = 0; part < resident.parts(); ++part) {
            const ConstView kept = resident.part(part).att;
            const ConstView passing = streamed.part(part).att;
            QCOMPARE(passing.size, kGrid.voxels());
            QVERIFY(std::equal(kept.data, kept.data + kept.size, passing.data));
        }
    }

    void filesKeepBothFactors() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("data.h5").toStdString();
        const auto data = attenuatedData();
        writeData(path, *data);

        const HistoData back = readData(path);

        QCOMPARE(back.mult, data->mult);
        QCOMPARE(back.att, data->att);
        const h5::Reader file(path);
        QVERIFY(file.has("/corrections/eff") && file.has("/corrections/att"));
        QVERIFY(!file.has("/corrections/mult"));
    }

    void attenuationCountsInTheHash() {
        const auto data = attenuatedData();
        HistoData other = *data;
        other.att.back() += 0.01F;
        QVERIFY(dataHash(*data) != dataHash(other));
    }
};

QTEST_GUILESS_MAIN(HistoAttenuationTest)

}  // namespace histo_attenuation_test
#include "histo_attenuation_test.moc"
