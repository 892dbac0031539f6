// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>

#include "recon/systems/histo/histo_model.h"
#include "recon/systems/histo/reference.h"
#include "tests/gpu/gpu_fixtures.h"

namespace histo_test {

using namespace tof;
using fixtures::HostHarness;
using fixtures::uniformData;

namespace {

/// The bar of the exact strategies: single precision sums of up to a few thousand terms, and three of the
/// four products of two-part bf16 numbers, stay well below it.
constexpr double kExact = 2e-5;

std::vector<std::string> exactStrategies(const Engine& engine) {
    std::vector<std::string> names = fixtures::offeredStrategies(engine);
    std::erase(names, "two-stage");
    return names;
}

}  // namespace

class DirectTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase();
    void agreesWithTheReference_data();
    void agreesWithTheReference();
    void isAdjoint_data() { agreesWithTheReference_data(); }
    void isAdjoint();
    void writeAddAddsToWhatIsThere_data();
    void writeAddAddsToWhatIsThere();
    void attenuationActsInTheImage_data() { writeAddAddsToWhatIsThere_data(); }
    void attenuationActsInTheImage();
    void discrepanciesAreTheDefinition_data();
    void discrepanciesAreTheDefinition();
    void agreesWithTheReferenceAtFullSize_data();
    void agreesWithTheReferenceAtFullSize();
    void repeatsToTheLastBit_data();
    void repeatsToTheLastBit();
    void kernelsThatFollowAreTheDefinition_data();
    void kernelsThatFollowAreTheDefinition();
    void streamTakesAnyNumberOfPlanes_data();
    void streamTakesAnyNumberOfPlanes();
    void twoStageStaysNearTheReference_data();
    void twoStageStaysNearTheReference();
    void unknownStrategyIsRefused();
    void strategiesOfFactorsRefuseKernelsAveragedOverVoxels();

  private:
    std::shared_ptr<const Engine> cuda_;
};

void DirectTest::initTestCase() {
    const auto found = fixtures::cudaOrReason();
    if (found.engine == nullptr) {
        QSKIP(found.whyNot.c_str());
    }
    cuda_ = found.engine;
}

void DirectTest::agreesWithTheReference_data() {
    QTest::addColumn<int>("family");
    QTest::addColumn<int>("lattice");
    const auto families = fixtures::kernelFamilies();
    const auto grids = fixtures::oddLattices();
    for (std::size_t f = 0; f < families.size(); ++f) {
        for (std::size_t g = 0; g < grids.size(); ++g) {
            QTest::addRow("%s, %s", families[f].first.c_str(), grids[g].first)
                << static_cast<int>(f) << static_cast<int>(g);
        }
    }
}

void DirectTest::agreesWithTheReference() {
    QFETCH(int, family);
    QFETCH(int, lattice);
    const DirectModel model{fixtures::oddLattices()[static_cast<std::size_t>(lattice)].second,
                            fixtures::obliqueViews(),
                            fixtures::kernelFamilies()[static_cast<std::size_t>(family)].second};
    const std::size_t n = model.lattice.voxels();
    std::vector<std::vector<double>> forward;
    std::vector<std::vector<double>> back;
    for (std::size_t part = 0; part < model.views.size(); ++part) {
        const KernelTables tables = buildKernelTables(model.kernel, model.lattice, model.views[part]);
        const auto seed = static_cast<std::uint32_t>(part);
        forward.push_back(referenceForward(tables, model.lattice, uniformData(n, seed, 0, 1)));
        back.push_back(referenceBack(tables, model.lattice, uniformData(n, seed + 1000, -1, 1)));
    }
    for (const std::string& strategy : exactStrategies(*cuda_)) {
        if (!fixtures::serves(strategy, model.kernel)) {
            continue;
        }
        HostHarness gpu(*cuda_, model, fixtures::withStrategy(strategy));
        for (std::size_t part = 0; part < model.views.size(); ++part) {
            const auto seed = static_cast<std::uint32_t>(part);

            const double f =
                fixtures::relativeToMaximum(gpu.forward(part, uniformData(n, seed, 0, 1)), forward[part]);
            const double b =
                fixtures::relativeToMaximum(gpu.back(part, uniformData(n, seed + 1000, -1, 1)), back[part]);

            QVERIFY2(f <= kExact && b <= kExact, qPrintable(QString("%1, view %2: forward %3, back %4")
                                                                .arg(strategy.c_str())
                                                                .arg(part)
                                                                .arg(f)
                                                                .arg(b)));
        }
    }
}

void DirectTest::isAdjoint() {
    QFETCH(int, family);
    QFETCH(int, lattice);
    const DirectModel model{fixtures::oddLattices()[static_cast<std::size_t>(lattice)].second,
                            fixtures::obliqueViews(),
                            fixtures::kernelFamilies()[static_cast<std::size_t>(family)].second};
    const std::size_t n = model.lattice.voxels();
    for (const std::string& strategy : fixtures::offeredStrategies(*cuda_)) {
        if (!fixtures::serves(strategy, model.kernel)) {
            continue;
        }
        HostHarness gpu(*cuda_, model, fixtures::withStrategy(strategy));
        for (std::size_t part = 0; part < model.views.size(); ++part) {
            const auto seed = static_cast<std::uint32_t>(part);
            const auto x = uniformData(n, seed + 7, 0, 1);
            const auto y = uniformData(n, seed + 77, 0, 1);

            const double left = fixtures::dotProduct(gpu.forward(part, x), y);
            const double right = fixtures::dotProduct(x, gpu.back(part, y));

            QVERIFY2(
                std::abs(left - right) <= 1e-5 * std::abs(right),
                qPrintable(
                    QString("%1, view %2: %3 and %4").arg(strategy.c_str()).arg(part).arg(left).arg(right)));
        }
    }
}

void DirectTest::writeAddAddsToWhatIsThere_data() {
    QTest::addColumn<QString>("strategy");
    if (cuda_ == nullptr) {
        QTest::newRow("no device") << "";
        return;
    }
    for (const std::string& strategy : fixtures::offeredStrategies(*cuda_)) {
        QTest::newRow(strategy.c_str()) << QString::fromStdString(strategy);
    }
}

void DirectTest::writeAddAddsToWhatIsThere() {
    QFETCH(QString, strategy);
    const DirectModel model{Lattice::centred({33, 20, 13}, {4, 4, 4}), fixtures::obliqueViews(),
                            KernelSpec::preset("variant1")};
    HostHarness gpu(*cuda_, model, fixtures::withStrategy(strategy.toStdString()));
    const std::size_t n = model.lattice.voxels();
    const auto y = uniformData(n, 5, 0, 1);
    const auto before = uniformData(n, 6, 0, 1);

    for (const std::size_t part : {std::size_t{0}, std::size_t{3}, std::size_t{8}}) {
        auto expected = gpu.back(part, y);
        std::transform(expected.begin(), expected.end(), before.begin(), expected.begin(), std::plus<>());

        const auto sum = gpu.back(part, y, Write::Add, before);

        QVERIFY(fixtures::relativeToMaximum(sum, expected) <= 2e-7);
    }
}

void DirectTest::attenuationActsInTheImage() {
    QFETCH(QString, strategy);
    const DirectModel model{Lattice::centred({33, 20, 13}, {4, 4, 4}), fixtures::obliqueViews(),
                            KernelSpec::preset("variant1"), true};
    HostHarness gpu(*cuda_, model, fixtures::withStrategy(strategy.toStdString()));

    for (std::size_t part = 0; part < model.views.size(); ++part) {
        const fixtures::AttenuationFaults faults = fixtures::attenuationFaults(gpu, part);

        QVERIFY2(faults.small(), faults.text().c_str());
    }
}

void DirectTest::discrepanciesAreTheDefinition_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<int>("width");
    if (cuda_ == nullptr) {
        QTest::newRow("no device") << "" << 0;
        return;
    }
    for (const std::string& strategy : fixtures::offeredStrategies(*cuda_)) {
        for (const int width :
             {33, 32}) {  // arrays of odd sizes, and of those that are worked on four at a time
            QTest::addRow("%s, %d", strategy.c_str(), width) << QString::fromStdString(strategy) << width;
        }
    }
    QTest::newRow("column, several windows of planes") << "column" << 20;
}

void DirectTest::discrepanciesAreTheDefinition() {
    QFETCH(QString, strategy);
    QFETCH(int, width);
    const int depth = width == 20 ? 70 : 13;
    const DirectModel model{Lattice::centred({width, 21, depth}, {4, 4, 4}), fixtures::obliqueViews(),
                            KernelSpec::preset("variant1")};
    HostHarness gpu(*cuda_, model, fixtures::withStrategy(strategy.toStdString()));

    for (std::size_t part = 0; part < model.views.size(); ++part) {
        for (const Discrepancy kind : {Discrepancy::RatioMinusOne, Discrepancy::Ratio}) {
            const double fault = fixtures::discrepancyFault(gpu, part, kind);

            // Two projections of bf16 pairs (2e-5 each); counts beneath the floor would be as large as
            // others.
            QVERIFY2(fault <= 4e-5, qPrintable(QString::number(fault)));
        }
    }
}

void DirectTest::agreesWithTheReferenceAtFullSize_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<int>("side");
    QTest::addColumn<int>("depth");
    QTest::addColumn<double>("voxel");
    for (const char* kernel : {"invariant", "variant1", "variant2", "variant3", "variant1-line", "cache"}) {
        QTest::addRow("%s, 144 x 144 x 48, 4 mm", kernel) << kernel << 144 << 48 << 4.0;
    }
    QTest::newRow("ha-test, 144 x 144 x 48, 4 mm") << "ha-test" << 144 << 48 << 4.0;
    QTest::newRow("ha-fig7-variant-asymmetric, 72 x 72 x 24, 4 mm")
        << "ha-fig7-variant-asymmetric" << 72 << 24 << 4.0;
    QTest::newRow("variant1, 144 x 144 x 62, 4 mm") << "variant1" << 144 << 62 << 4.0;
    QTest::newRow("variant1, 120 x 120 x 40, 2 mm") << "variant1" << 120 << 40 << 2.0;
    QTest::newRow("variant1, 90 x 90 x 250, 4 mm") << "variant1" << 90 << 250 << 4.0;
    // Large kernels on grids small enough for tools that watch every access.
    QTest::newRow("ha-test, 20 x 20 x 12, 4 mm") << "ha-test" << 20 << 12 << 4.0;
    QTest::newRow("ha-fig7-variant-asymmetric, 20 x 20 x 12, 4 mm")
        << "ha-fig7-variant-asymmetric" << 20 << 12 << 4.0;
    QTest::newRow("variant1, 28 x 28 x 12, 2 mm") << "variant1" << 28 << 12 << 2.0;
    // Narrow enough along z that untilted views are filtered, which the voxel changes the filter of.
    QTest::newRow("averaged over voxels, 144 x 144 x 48, 4 mm")
        << R"({"tof_ps":400,"axial_mm":1.5,"radial_mm":[[0,2.8],[288,8]],"cutoff":2,"sampling":"voxel"})"
        << 144 << 48 << 4.0;
    QTest::newRow("averaged over voxels, several planes, 90 x 90 x 48, 4 mm")
        << R"({"tof_ps":400,"axial_mm":3,"radial_mm":[[0,2.8],[288,8]],"sampling":"voxel"})" << 90 << 48
        << 4.0;
}

void DirectTest::agreesWithTheReferenceAtFullSize() {
    QFETCH(QString, kernel);
    QFETCH(int, side);
    QFETCH(int, depth);
    QFETCH(double, voxel);
    DirectModel model{Lattice::centred({side, side, depth}, {voxel, voxel, voxel}),
                      {},
                      KernelSpec::parse(kernel.toStdString())};
    const double tilt = 20.0 / 3 * kRadPerDeg;
    const bool large = kernel.startsWith("ha-");
    model.views =
        large ? std::vector<View>{{30 * kRadPerDeg, tilt}}
              : std::vector<View>{
                    {0, 0}, {36 * kRadPerDeg, 0}, {45 * kRadPerDeg, tilt}, {103.5 * kRadPerDeg, -tilt}};
    const std::size_t n = model.lattice.voxels();
    const auto x = uniformData(n, 11, 0, 1);
    const auto y = uniformData(n, 12, -0.5F, 1);
    std::vector<std::vector<double>> forward;
    std::vector<std::vector<double>> back;
    for (const View& view : model.views) {
        const KernelTables tables = buildKernelTables(model.kernel, model.lattice, view);
        forward.push_back(fixtures::gatherReference(tables, model.lattice, x, true));
        back.push_back(fixtures::gatherReference(tables, model.lattice, y, false));
    }
    for (const std::string& strategy : exactStrategies(*cuda_)) {
        if (!fixtures::serves(strategy, model.kernel)) {
            continue;
        }
        HostHarness gpu(*cuda_, model, fixtures::withStrategy(strategy));
        double worst = 0;
        for (std::size_t part = 0; part < model.views.size(); ++part) {
            worst = std::max({worst, fixtures::relativeToMaximum(gpu.forward(part, x), forward[part]),
                              fixtures::relativeToMaximum(gpu.back(part, y), back[part])});
        }
        qInfo("%s: %.2e of the maximum", strategy.c_str(), worst);
        QVERIFY2(worst <= kExact, qPrintable(QString("%1: %2").arg(strategy.c_str()).arg(worst)));
    }
}

void DirectTest::repeatsToTheLastBit_data() {
    writeAddAddsToWhatIsThere_data();
}

void DirectTest::repeatsToTheLastBit() {
    QFETCH(QString, strategy);
    const DirectModel model{Lattice::centred({65, 65, 21}, {4, 4, 4}), fixtures::obliqueViews(),
                            KernelSpec::preset("variant1")};
    const std::size_t n = model.lattice.voxels();
    const auto x = uniformData(n, 21, 0, 1);
    HostHarness first(*cuda_, model, fixtures::withStrategy(strategy.toStdString()));
    HostHarness second(*cuda_, model, fixtures::withStrategy(strategy.toStdString()));

    for (std::size_t part = 0; part < model.views.size(); ++part) {
        QVERIFY(first.forward(part, x) == second.forward(part, x));
        QVERIFY(first.back(part, x) == second.back(part, x));
    }
}

void DirectTest::kernelsThatFollowAreTheDefinition_data() {
    QTest::addColumn<int>("side");
    QTest::addColumn<int>("depth");
    QTest::newRow("33 x 32 x 21") << 33 << 21;
    QTest::newRow("70 x 69 x 53") << 70 << 53;
    QTest::newRow("20 x 19 x 9") << 20 << 9;
}

/// Projectors that follow one another in a space share what they can: plans that are wider than a kernel,
/// values in the memory of those before.
void DirectTest::kernelsThatFollowAreTheDefinition() {
    QFETCH(int, side);
    QFETCH(int, depth);
    DirectModel model{Lattice::centred({side, side - 1, depth}, {4, 4, 4}), fixtures::obliqueViews(),
                      KernelSpec::preset("variant1")};
    const KernelSpec first = model.kernel;
    const auto changed = [&](double tof, double axial, double radial) {
        KernelSpec kernel = first;
        kernel.tof_ps *= tof;
        kernel.axial_mm *= axial;
        kernel.radial.form = WidthKnots{{0, 5 * radial}, {200, 9 * radial}};
        return kernel;
    };
    KernelSpec asymmetric = first;
    asymmetric.asymmetry = Asymmetry{1.5, 0.5, 0.3};
    KernelSpec averaged = first;
    averaged.sampling = KernelSampling::Voxel;
    // The kernel again, little by little wider and narrower, far away, another kind of rows, one plane, back.
    const std::vector<KernelSpec> kernels{first,
                                          first,
                                          changed(1, 1.01, 1),
                                          changed(1, 1.03, 1.01),
                                          changed(1.02, 1.02, 0.99),
                                          changed(0.98, 0.97, 1),
                                          changed(0.7, 1.3, 1.2),
                                          changed(0.71, 1.3, 1.2),
                                          asymmetric,
                                          averaged,
                                          changed(1, 0.3, 1),
                                          changed(1, 0.302, 1),
                                          first};
    const EngineOptions options = fixtures::withStrategy("column");
    const auto space = cuda_->makeSpace(options);
    const std::size_t n = model.lattice.voxels();
    const auto x = uniformData(n, 41, 0, 1);
    Array in = space->allocate(n);
    Array out = space->allocate(n);
    space->upload(x, in.view());
    const auto worst = [&](Projector& projector, const DirectModel& of) {
        double error = 0;
        for (const std::size_t part : {std::size_t{0}, std::size_t{3}, std::size_t{6}, std::size_t{13}}) {
            const KernelTables tables = buildKernelTables(of.kernel, of.lattice, of.views[part]);
            std::vector<float> result(n);
            projector.forward(part, in.view(), out.view());
            space->download(out.view(), result);
            error = std::max(error, fixtures::relativeToMaximum(
                                        result, fixtures::gatherReference(tables, of.lattice, x, true)));
            projector.back(part, in.view(), out.view(), Write::Overwrite);
            space->download(out.view(), result);
            error = std::max(error, fixtures::relativeToMaximum(
                                        result, fixtures::gatherReference(tables, of.lattice, x, false)));
        }
        return error;
    };
    std::unique_ptr<Projector> before;
    DirectModel modelBefore = model;
    for (std::size_t k = 0; k < kernels.size(); ++k) {
        model.kernel = kernels[k];

        auto projector = requireProjector(*cuda_, model, space, options);

        const double error = worst(*projector, model);
        const double ofBefore = before != nullptr ? worst(*before, modelBefore) : 0;
        QVERIFY2(error <= kExact && ofBefore <= kExact,
                 qPrintable(QString("kernel %1: %2, the one before %3").arg(k).arg(error).arg(ofBefore)));
        before = std::move(projector);
        modelBefore = model;
    }
}

void DirectTest::streamTakesAnyNumberOfPlanes_data() {
    QTest::addColumn<int>("planes");
    QTest::addColumn<double>("axial");
    QTest::addColumn<bool>("averaged");
    for (const int planes : {1, 5, 16, 17, 48, 49, 96, 97, 200}) {
        QTest::addRow("%d planes", planes) << planes << 5.8 << false;
    }
    // The windows of untilted views overlap by what the kernel reaches, and its support takes several words.
    QTest::newRow("130 planes, a kernel that reaches 9") << 130 << 10.0 << false;
    QTest::newRow("100 planes, a kernel that reaches 19") << 100 << 22.0 << false;
    QTest::newRow("averaged over voxels, 60 planes") << 60 << 5.8 << true;
    QTest::newRow("averaged over voxels, 120 planes, a kernel that reaches 9") << 120 << 10.0 << true;
}

void DirectTest::streamTakesAnyNumberOfPlanes() {
    QFETCH(int, planes);
    QFETCH(double, axial);
    QFETCH(bool, averaged);
    const std::vector<std::string> offered = fixtures::offeredStrategies(*cuda_);
    if (std::find(offered.begin(), offered.end(), "stream") == offered.end()) {
        QSKIP("this card or this build has no strategy stream");
    }
    DirectModel model{Lattice::centred({29, 35, planes}, {4, 4, 1.5}),
                      {{0.2, 0}, {0.2, 0.12}, {1.9, 0}, {1.9, -0.12}},
                      KernelSpec::preset("variant1")};
    model.kernel.axial_mm = axial;
    model.kernel.sampling = averaged ? KernelSampling::Voxel : KernelSampling::Centre;
    HostHarness gpu(*cuda_, model, fixtures::withStrategy("stream"));
    const auto x = uniformData(model.lattice.voxels(), 31, 0, 1);
    for (std::size_t part = 0; part < model.views.size(); ++part) {
        const KernelTables tables = buildKernelTables(model.kernel, model.lattice, model.views[part]);

        const double f = fixtures::relativeToMaximum(
            gpu.forward(part, x), fixtures::gatherReference(tables, model.lattice, x, true));
        const double b = fixtures::relativeToMaximum(
            gpu.back(part, x), fixtures::gatherReference(tables, model.lattice, x, false));

        QVERIFY2(f <= kExact && b <= kExact,
                 qPrintable(QString("view %1: forward %2, back %3").arg(part).arg(f).arg(b)));
    }
}

void DirectTest::twoStageStaysNearTheReference_data() {
    QTest::addColumn<double>("azimuth");
    QTest::addColumn<double>("tilt");
    // The kernel is much wider than the blur of resampling (two triangles of a voxel's width, sigma 2.3 mm),
    // so that the blur can be taken out of it; what is left is mostly the cut, a box of 3 sigma in place of
    // an ellipsoid, which leaves out 3 % of a three-dimensional Gaussian.
    QTest::newRow("on the axes") << 0.0 << 0.0;
    QTest::newRow("90 degrees") << 90.0 << 0.0;
    QTest::newRow("45 degrees") << 45.0 << 0.0;
    QTest::newRow("27 degrees, tilted") << 27.0 << 20.0 / 3;
}

void DirectTest::twoStageStaysNearTheReference() {
    QFETCH(double, azimuth);
    QFETCH(double, tilt);
    KernelSpec spec = KernelSpec::preset("variant1");
    spec.axial_mm = 14;
    spec.radial.form = WidthKnots{{0, 14}, {100, 20}};
    const DirectModel model{
        Lattice::centred({61, 61, 21}, {4, 4, 4}), {{azimuth * kRadPerDeg, tilt * kRadPerDeg}}, spec};
    HostHarness gpu(*cuda_, model, fixtures::withStrategy("two-stage"));
    const KernelTables tables = buildKernelTables(model.kernel, model.lattice, model.views[0]);
    std::vector<float> point(model.lattice.voxels(), 0);
    point[model.lattice.index(40, 33, 10)] = 1;
    const auto flat = uniformData(model.lattice.voxels(), 4, 0, 1);

    const double pointError = fixtures::relativeToMaximum(
        gpu.forward(0, point), fixtures::gatherReference(tables, model.lattice, point, true));
    const double flatError = fixtures::relativeToMaximum(
        gpu.back(0, flat), fixtures::gatherReference(tables, model.lattice, flat, false));

    qInfo("two-stage: point %.3f, random data %.3f of the maximum", pointError, flatError);
    QVERIFY(pointError <= 0.08 && flatError <= 0.05);
}

void DirectTest::strategiesOfFactorsRefuseKernelsAveragedOverVoxels() {
    DirectModel model{Lattice::centred({8, 8, 8}, {4, 4, 4}), {{0, 0}}, KernelSpec::preset("invariant")};
    model.kernel.sampling = KernelSampling::Voxel;
    for (const char* strategy : {"shared-list", "texture-reduce", "two-stage"}) {
        const auto made = cuda_->makeProjector(model, cuda_->makeSpace({}), fixtures::withStrategy(strategy));

        QVERIFY(std::holds_alternative<Unsupported>(made));
        QVERIFY(QString::fromStdString(std::get<Unsupported>(made).why).contains("take strategy column"));
    }
}

void DirectTest::unknownStrategyIsRefused() {
    const DirectModel model{
        Lattice::centred({5, 5, 5}, {4, 4, 4}), {{0, 0}}, KernelSpec::preset("invariant")};
    const EngineOptions options = fixtures::withStrategy("abacus");

    const auto made = cuda_->makeProjector(model, cuda_->makeSpace(options), options);

    QVERIFY(std::holds_alternative<Unsupported>(made));
}

QTEST_GUILESS_MAIN(DirectTest)

}  // namespace histo_test
#include "histo_test.moc"
