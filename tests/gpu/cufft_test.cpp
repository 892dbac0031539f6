// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <numeric>

#include "recon/systems/histo/histo_model.h"
#include "recon/systems/histo/reference.h"
#include "tests/gpu/gpu_fixtures.h"

namespace cufft_test {

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
    void variantKernelsAgreeWithTheReference_data();
    void variantKernelsAgreeWithTheReference();
    void variantKernelsAreAttenuatedAndAdded();
    void variantSpectraBeyondTheMemoryAreMadeAnew();
    void variantKernelsWrapRoundWhenNotPadded();
    void repeatsToTheLastBit();
    void analyticSpectraOfVariantKernelsAreRefused();

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

void CufftTest::variantKernelsAgreeWithTheReference_data() {
    QTest::addColumn<int>("lattice");
    QTest::addColumn<int>("family");
    const auto grids = fixtures::oddLattices();
    const auto families = fixtures::kernelFamilies();
    for (std::size_t f = 0; f < families.size(); ++f) {
        for (std::size_t g = 0; g < grids.size() && !families[f].second.invariant(); ++g) {
            QTest::addRow("%s, %s", families[f].first.c_str(), grids[g].first)
                << static_cast<int>(g) << static_cast<int>(f);
        }
    }
}

void CufftTest::variantKernelsAgreeWithTheReference() {
    QFETCH(int, lattice);
    QFETCH(int, family);
    const DirectModel model{fixtures::oddLattices()[static_cast<std::size_t>(lattice)].second,
                            fixtures::obliqueViews(),
                            fixtures::kernelFamilies()[static_cast<std::size_t>(family)].second};
    HostHarness gpu(*cufft_, model, padded(Padding::Mode::Auto));
    QVERIFY(QString::fromStdString(gpu.projector().note()).startsWith("rank "));
    const std::size_t n = model.lattice.voxels();
    for (std::size_t part = 0; part < model.views.size(); ++part) {
        const KernelTables tables = buildKernelTables(model.kernel, model.lattice, model.views[part]);
        const auto x = uniformData(n, static_cast<std::uint32_t>(part), 0, 1);
        const auto y = uniformData(n, 77, 0, 1);
        const auto forward = gpu.forward(part, x);
        const auto back = gpu.back(part, y);

        QVERIFY(fixtures::relativeToMaximum(forward, referenceForward(tables, model.lattice, x)) <= 2e-5);
        QVERIFY(fixtures::relativeToMaximum(back, referenceBack(tables, model.lattice, y)) <= 2e-5);
        const double fxy = fixtures::dotProduct(forward, y);
        QVERIFY(std::abs(fxy - fixtures::dotProduct(x, back)) <= 1e-5 * fxy);
    }
}

void CufftTest::variantKernelsAreAttenuatedAndAdded() {
    for (const auto& [name, kernel] : fixtures::kernelFamilies()) {
        const DirectModel model{Lattice::centred({33, 20, 13}, {4, 4, 4}), fixtures::obliqueViews(), kernel,
                                true};
        HostHarness gpu(*cufft_, model, padded(Padding::Mode::Auto));
        for (std::size_t part = 0; part < model.views.size(); ++part) {
            const fixtures::AttenuationFaults faults = fixtures::attenuationFaults(gpu, part);

            QVERIFY2(faults.small(), (name + ": " + faults.text()).c_str());
        }
    }
}

void CufftTest::variantSpectraBeyondTheMemoryAreMadeAnew() {
    const DirectModel model{Lattice::centred({48, 40, 12}, {4, 4, 4}), fixtures::obliqueViews(),
                            KernelSpec::preset("variant1")};
    HostHarness roomy(*cufft_, model, padded(Padding::Mode::Auto));
    EngineOptions tight = padded(Padding::Mode::Auto);
    tight.memoryLimitBytes = roomy.projector().memoryBytes() - (std::size_t{1} << 20U);
    HostHarness limited(*cufft_, model, tight);
    QVERIFY(limited.projector().memoryBytes() < roomy.projector().memoryBytes());
    const auto x = uniformData(model.lattice.voxels(), 3, 0, 1);
    for (std::size_t part = 0; part < model.views.size(); ++part) {
        QVERIFY(limited.forward(part, x) == roomy.forward(part, x));
        QVERIFY(limited.back(part, x) == roomy.back(part, x));
    }
}

void CufftTest::variantKernelsWrapRoundWhenNotPadded() {
    const DirectModel model{
        Lattice::centred({16, 40, 12}, {4, 4, 4}), {{0, 0}}, KernelSpec::preset("variant1")};
    HostHarness gpu(*cufft_, model, padded(Padding::Mode::Off));
    std::vector<float> point(model.lattice.voxels(), 0);
    point[model.lattice.index(1, 20, 6)] = 1;

    const auto result = gpu.forward(0, point);

    // The kernel reaches 19 voxels along x, more than there are: it meets itself, and nothing is lost.
    QVERIFY(std::abs(std::accumulate(result.begin(), result.end(), 0.0) - 1) < 1e-4);
}

void CufftTest::repeatsToTheLastBit() {
    const DirectModel model{Lattice::centred({67, 45, 9}, {4, 4, 4}), fixtures::obliqueViews(),
                            KernelSpec::preset("variant1")};
    HostHarness first(*cufft_, model, padded(Padding::Mode::Auto));
    HostHarness second(*cufft_, model, padded(Padding::Mode::Auto));
    const auto x = uniformData(model.lattice.voxels(), 3, 0, 1);
    for (std::size_t part = 0; part < model.views.size(); ++part) {
        QVERIFY(first.forward(part, x) == second.forward(part, x));
        QVERIFY(first.back(part, x) == second.back(part, x));
    }
}

void CufftTest::analyticSpectraOfVariantKernelsAreRefused() {
    const DirectModel model{Lattice::centred({8, 8, 8}, {4, 4, 4}), {{0, 0}}, KernelSpec::preset("variant1")};
    EngineOptions options;
    options.spectrum = Spectrum::Analytic;

    const auto made = cufft_->makeProjector(model, cufft_->makeSpace({}), options);

    QVERIFY(std::holds_alternative<Unsupported>(made));
    QVERIFY(QString::fromStdString(std::get<Unsupported>(made).why).contains("variant1"));
}

QTEST_GUILESS_MAIN(CufftTest)

}  // namespace cufft_test
#include "cufft_test.moc"
