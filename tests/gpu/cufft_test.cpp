// SPDX-License-Identifier: Apache-2.0
#include <QtTest>

#include "recon/systems/histo/histo_model.h"
#include "recon/systems/histo/reference.h"
#include "tests/gpu/gpu_fixtures.h"

using namespace tof;
using fixtures::HostHarness;
using fixtures::uniformData;

namespace {

EngineOptions padded(Padding::Mode mode) {
    EngineOptions options;
    options.padding.mode = mode;
    return options;
}

}  // namespace

class CufftTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase();
    void agreesWithTheReferenceWhenPadded_data();
    void agreesWithTheReferenceWhenPadded();
    void attenuationActsInTheImage();
    void wrapsRoundWhenNotPadded();
    void analyticSpectrumIsAdjointAndKeepsTheSum();
    void variantKernelsAreRefused();

  private:
    std::shared_ptr<const Engine> cufft_;
};

void CufftTest::initTestCase() {
    const auto found = fixtures::cufftOrReason();
    if (found.engine == nullptr) {
        QSKIP(found.whyNot.c_str());
    }
    cufft_ = found.engine;
}

void CufftTest::agreesWithTheReferenceWhenPadded_data() {
    QTest::addColumn<int>("lattice");
    QTest::addColumn<bool>("voxel");
    const auto grids = fixtures::oddLattices();
    for (std::size_t g = 0; g < grids.size(); ++g) {
        QTest::newRow(grids[g].first) << static_cast<int>(g) << false;
        QTest::addRow("%s, averaged over voxels", grids[g].first) << static_cast<int>(g) << true;
    }
}

void CufftTest::agreesWithTheReferenceWhenPadded() {
    QFETCH(int, lattice);
    QFETCH(bool, voxel);
    DirectModel model{fixtures::oddLattices()[static_cast<std::size_t>(lattice)].second,
                      fixtures::obliqueViews(), KernelSpec::preset("invariant")};
    model.kernel.sampling = voxel ? KernelSampling::Voxel : KernelSampling::Centre;
    HostHarness gpu(*cufft_, model, padded(Padding::Mode::Auto));
    const std::size_t n = model.lattice.voxels();
    for (std::size_t part = 0; part < model.views.size(); ++part) {
        const KernelTables tables = buildKernelTables(model.kernel, model.lattice, model.views[part]);
        const auto x = uniformData(n, static_cast<std::uint32_t>(part), 0, 1);
        const auto before = uniformData(n, 99, 0, 1);
        auto expected = referenceBack(tables, model.lattice, x);

        QVERIFY(fixtures::relativeToMaximum(gpu.forward(part, x),
                                            referenceForward(tables, model.lattice, x)) <= 2e-5);
        QVERIFY(fixtures::relativeToMaximum(gpu.back(part, x), expected) <= 2e-5);
        std::transform(expected.begin(), expected.end(), before.begin(), expected.begin(), std::plus<>());
        QVERIFY(fixtures::relativeToMaximum(gpu.back(part, x, Write::Add, before), expected) <= 2e-5);
    }
}

void CufftTest::attenuationActsInTheImage() {
    const DirectModel model{Lattice::centred({33, 20, 13}, {4, 4, 4}), fixtures::obliqueViews(),
                            KernelSpec::preset("invariant"), true};
    for (const auto mode : {Padding::Mode::Off, Padding::Mode::Auto}) {
        HostHarness gpu(*cufft_, model, padded(mode));
        for (std::size_t part = 0; part < model.views.size(); ++part) {
            const fixtures::AttenuationFaults faults = fixtures::attenuationFaults(gpu, part);

            QVERIFY2(faults.small(), faults.text().c_str());
        }
    }
}

void CufftTest::wrapsRoundWhenNotPadded() {
    const DirectModel model{
        Lattice::centred({48, 40, 12}, {4, 4, 4}), {{0, 0}}, KernelSpec::preset("invariant")};
    HostHarness gpu(*cufft_, model, padded(Padding::Mode::Off));
    std::vector<float> point(model.lattice.voxels(), 0);
    point[model.lattice.index(1, 20, 6)] = 1;

    const auto result = gpu.forward(0, point);

    // TOF runs along x: the tail that leaves at x = 0 comes back at the other end.
    QVERIFY(result[model.lattice.index(46, 20, 6)] > 0.1F * result[model.lattice.index(1, 20, 6)]);
}

void CufftTest::analyticSpectrumIsAdjointAndKeepsTheSum() {
    const DirectModel model{Lattice::centred({40, 36, 14}, {4, 4, 4}), fixtures::obliqueViews(),
                            KernelSpec::preset("invariant")};
    EngineOptions options = padded(Padding::Mode::Off);
    options.spectrum = Spectrum::Analytic;
    HostHarness gpu(*cufft_, model, options);
    const std::size_t n = model.lattice.voxels();
    const auto x = uniformData(n, 1, 0, 1);
    const auto y = uniformData(n, 2, 0, 1);
    const std::vector<float> ones(n, 1.0F);
    for (std::size_t part = 0; part < model.views.size(); ++part) {
        const double left = fixtures::dotProduct(gpu.forward(part, x), y);
        const double right = fixtures::dotProduct(x, gpu.back(part, y));

        QVERIFY(std::abs(left - right) <= 1e-5 * std::abs(right));
        QVERIFY(fixtures::relativeToMaximum(gpu.forward(part, ones), ones) <= 1e-5);
    }
}

void CufftTest::variantKernelsAreRefused() {
    const DirectModel model{Lattice::centred({8, 8, 8}, {4, 4, 4}), {{0, 0}}, KernelSpec::preset("variant1")};

    const auto made = cufft_->makeProjector(model, cufft_->makeSpace({}), {});

    QVERIFY(std::holds_alternative<Unsupported>(made));
    QVERIFY(QString::fromStdString(std::get<Unsupported>(made).why).contains("variant1"));
}

QTEST_GUILESS_MAIN(CufftTest)
#include "cufft_test.moc"
