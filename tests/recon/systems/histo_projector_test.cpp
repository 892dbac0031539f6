// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <numeric>

#include "recon/base/error.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/systems/histo/cpu_histo_projector.h"
#include "recon/systems/histo/histo_model.h"
#include "recon/systems/histo/reference.h"
#include "tests/recon/projector_fixtures.h"

namespace histo_projector_test {

using namespace tof;
using fixtures::HostHarness;
using fixtures::uniformData;

namespace {

/// Lattices that are not round: odd sides, spacings that differ, columns shorter and longer than a vector.
std::vector<std::pair<const char*, Lattice>> lattices() {
    return {{"odd", Lattice::centred({31, 27, 11}, {4, 4, 4})},
            {"anisotropic", Lattice::centred({26, 37, 19}, {3.3, 5.1, 2.7})},
            {"thin", Lattice::centred({23, 22, 1}, {4, 4, 4})},
            {"long columns", Lattice::centred({9, 14, 83}, {6, 4, 4})},
            {"smaller than the kernel", Lattice::centred({5, 3, 2}, {4, 4, 4})}};
}

void addFamiliesAndLattices() {
    QTest::addColumn<int>("family");
    QTest::addColumn<int>("lattice");
    const auto families = fixtures::kernelFamilies();
    const auto grids = lattices();
    for (std::size_t f = 0; f < families.size(); ++f) {
        for (std::size_t g = 0; g < grids.size(); ++g) {
            QTest::addRow("%s, %s", families[f].first.c_str(), grids[g].first)
                << static_cast<int>(f) << static_cast<int>(g);
        }
    }
}

void addInstructionSets() {
    QTest::addColumn<int>("set");
    for (const InstructionSet set : availableInstructionSets()) {
        QTest::newRow(instructionSetName(set).c_str()) << static_cast<int>(set);
    }
}

/// Every third column filled; the others hold `rest` throughout.
std::vector<float> everyThirdColumn(const Lattice& lattice, float rest) {
    std::vector<float> values = uniformData(lattice.voxels(), 5, 0, 1);
    const auto columns =
        static_cast<std::size_t>(lattice.size[0]) * static_cast<std::size_t>(lattice.size[1]);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i % columns % 3 == 0 ? values[i] : rest;
    }
    return values;
}

DirectModel modelOf(int family, int lattice) {
    return {lattices()[static_cast<std::size_t>(lattice)].second, fixtures::obliqueViews(),
            fixtures::kernelFamilies()[static_cast<std::size_t>(family)].second};
}

}  // namespace

class DirectProjectorTest : public QObject {
    Q_OBJECT

  private slots:
    void agreesWithTheReference_data() { addFamiliesAndLattices(); }
    void agreesWithTheReference();
    void isExactlyAdjoint_data() { addFamiliesAndLattices(); }
    void isExactlyAdjoint();
    void attenuationActsInTheImage_data() { addFamiliesAndLattices(); }
    void attenuationActsInTheImage();
    void referenceIsTheDefinitionByHand();
    void unitPointWellInsideSumsToOne_data();
    void unitPointWellInsideSumsToOne();
    void kernelLargerThanTheVolumeKeepsWhatFallsInside();
    void writeAddAddsToWhatIsThere();
    void resultsDoNotDependOnThreads();
    void projectionAllocatesNothing();
    void memoryLimitIsKept();
    void unknownStrategyIsRefused();
    void everyInstructionSetAgrees_data() { addInstructionSets(); }
    void everyInstructionSetAgrees();
    void emptyColumnsChangeNoBit_data() { addInstructionSets(); }
    void emptyColumnsChangeNoBit();
    void aLoneNotANumberIsSeen();
    void deviceNamesTheInstructionSet();
};

void DirectProjectorTest::agreesWithTheReference() {
    QFETCH(int, family);
    QFETCH(int, lattice);
    const DirectModel model = modelOf(family, lattice);
    HostHarness cpu(*makeCpuEngine(), model, {});
    const std::size_t n = model.lattice.voxels();

    for (std::size_t part = 0; part < model.views.size(); ++part) {
        const KernelTables tables = buildKernelTables(model.kernel, model.lattice, model.views[part]);
        const auto x = uniformData(n, static_cast<std::uint32_t>(part), 0, 1);
        const auto y = uniformData(n, static_cast<std::uint32_t>(part) + 1000, 0, 1);

        const double forward =
            fixtures::relativeToMaximum(cpu.forward(part, x), referenceForward(tables, model.lattice, x));
        const double back =
            fixtures::relativeToMaximum(cpu.back(part, y), referenceBack(tables, model.lattice, y));

        QVERIFY2(forward <= 2e-5,
                 qPrintable(QString("view %1: forward differs by %2").arg(part).arg(forward)));
        QVERIFY2(back <= 2e-5, qPrintable(QString("view %1: back differs by %2").arg(part).arg(back)));
    }
}

void DirectProjectorTest::isExactlyAdjoint() {
    QFETCH(int, family);
    QFETCH(int, lattice);
    const DirectModel model = modelOf(family, lattice);
    HostHarness cpu(*makeCpuEngine(), model, {});
    const std::size_t n = model.lattice.voxels();

    for (std::size_t part = 0; part < model.views.size(); ++part) {
        const auto seed = static_cast<std::uint32_t>(part);
        const auto x = uniformData(n, 10 + seed, 0, 1);
        const auto y = uniformData(n, 2000 + seed, 0, 1);
        const double fxy = fixtures::dotProduct(cpu.forward(part, x), y);
        const double xby = fixtures::dotProduct(x, cpu.back(part, y));
        QVERIFY2(std::abs(fxy - xby) <= 1e-5 * std::abs(xby), qPrintable(QString::number((fxy - xby) / xby)));

        const auto xs = uniformData(n, 30 + seed, -1, 1);
        const auto ys = uniformData(n, 4000 + seed, -1, 1);
        const auto fx = cpu.forward(part, xs);
        const double signedFxy = fixtures::dotProduct(fx, ys);
        const double signedXby = fixtures::dotProduct(xs, cpu.back(part, ys));
        const double scale = fixtures::norm2(fx) * fixtures::norm2(ys);
        QVERIFY2(std::abs(signedFxy - signedXby) <= 1e-5 * scale,
                 qPrintable(QString::number((signedFxy - signedXby) / scale)));
    }
}

void DirectProjectorTest::attenuationActsInTheImage() {
    QFETCH(int, family);
    QFETCH(int, lattice);
    DirectModel model = modelOf(family, lattice);
    model.attenuated = true;
    HostHarness cpu(*makeCpuEngine(), model, {});

    for (std::size_t part = 0; part < model.views.size(); part += 5) {
        const fixtures::AttenuationFaults faults = fixtures::attenuationFaults(cpu, part);

        QVERIFY2(faults.small(), qPrintable(QString("view %1: %2").arg(part).arg(faults.text().c_str())));
    }
}

void DirectProjectorTest::referenceIsTheDefinitionByHand() {
    // Three voxels in a row, ids 0, 0, 1; three taps -1, 0, +1 with row 0 = (1, 2, 4), row 1 = (8, 16, 32).
    KernelTables tables;
    tables.taps = {{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}};
    tables.values = {1, 2, 4, 8, 16, 32};
    tables.ids = {0, 0, 1};
    tables.radialIds = tables.rows = 2;
    const Lattice grid = Lattice::centred({3, 1, 1}, {1, 1, 1});

    const auto forward = referenceForward(tables, grid, {1, 10, 100});
    const auto back = referenceBack(tables, grid, {1, 10, 100});

    QVERIFY((forward == std::vector<double>{2 * 1 + 1 * 10, 4 * 1 + 2 * 10 + 8 * 100, 4 * 10 + 16 * 100}));
    QVERIFY((back == std::vector<double>{2 * 1 + 4 * 10, 1 * 1 + 2 * 10 + 4 * 100, 8 * 10 + 16 * 100}));
}

void DirectProjectorTest::unitPointWellInsideSumsToOne_data() {
    QTest::addColumn<int>("family");
    const auto families = fixtures::kernelFamilies();
    for (std::size_t f = 0; f < families.size(); ++f) {
        QTest::newRow(families[f].first.c_str()) << static_cast<int>(f);
    }
}

void DirectProjectorTest::unitPointWellInsideSumsToOne() {
    QFETCH(int, family);
    // The kernel reaches 76.4 mm along the line and, asymmetric, up to 30 mm across: 20 voxels all round hold
    // it.
    DirectModel model{Lattice::centred({61, 61, 25}, {4, 4, 4}), fixtures::obliqueViews(),
                      fixtures::kernelFamilies()[static_cast<std::size_t>(family)].second};
    HostHarness cpu(*makeCpuEngine(), model, {});
    std::vector<float> point(model.lattice.voxels(), 0.0F);
    point[model.lattice.index(33, 28, 12)] = 1;

    for (std::size_t part = 0; part < model.views.size(); ++part) {
        const auto spread = cpu.forward(part, point);
        const double sum = std::accumulate(spread.begin(), spread.end(), 0.0);
        QVERIFY2(std::abs(sum - 1) < 1e-6, qPrintable(QString("view %1: %2").arg(part).arg(sum)));
    }
}

void DirectProjectorTest::kernelLargerThanTheVolumeKeepsWhatFallsInside() {
    const DirectModel model{
        Lattice::centred({3, 3, 3}, {4, 4, 4}), {{0.3, 0.1}}, KernelSpec::preset("ha-test")};
    HostHarness cpu(*makeCpuEngine(), model, {});
    const KernelTables tables = buildKernelTables(model.kernel, model.lattice, model.views[0]);
    const std::vector<float> ones(27, 1.0F);

    const auto result = cpu.forward(0, ones);

    QVERIFY(tables.taps.size() > 1000);
    QVERIFY(fixtures::relativeToMaximum(result, referenceForward(tables, model.lattice, ones)) <= 2e-5);
    QVERIFY(*std::max_element(result.begin(), result.end()) < 0.1F);
}

void DirectProjectorTest::writeAddAddsToWhatIsThere() {
    const DirectModel model = modelOf(1, 0);
    HostHarness cpu(*makeCpuEngine(), model, {});
    const auto y = uniformData(model.lattice.voxels(), 5, 0, 1);
    const auto start = uniformData(model.lattice.voxels(), 6, 1, 2);

    for (const std::size_t part : {std::size_t{3}, std::size_t{4}}) {
        const auto alone = cpu.back(part, y);
        const auto added = cpu.back(part, y, Write::Add, start);
        for (std::size_t i = 0; i < y.size(); ++i) {
            QVERIFY(std::abs(added[i] - (start[i] + alone[i])) <= 4e-6F);
        }
    }
}

void DirectProjectorTest::resultsDoNotDependOnThreads() {
    const DirectModel model = modelOf(3, 1);
    const auto x = uniformData(model.lattice.voxels(), 5, 0, 1);
    const auto project = [&](int threads) {
        EngineOptions options;
        options.threads = threads;
        HostHarness cpu(*makeCpuEngine(), model, options);
        std::vector<std::vector<float>> results;
        for (std::size_t part = 0; part < model.views.size(); ++part) {
            results.push_back(cpu.forward(part, x));
            results.push_back(cpu.back(part, x));
        }
        return results;
    };

    const auto alone = project(1);
    const auto together = project(3);

    QVERIFY(alone == together);
}

void DirectProjectorTest::projectionAllocatesNothing() {
    const DirectModel model = modelOf(1, 0);
    HostHarness cpu(*makeCpuEngine(), model, {});
    Array x = cpu.space().allocate(model.lattice.voxels());
    Array p = cpu.space().allocate(model.lattice.voxels());
    cpu.space().fill(x.view(), 1);
    const std::size_t before = cpu.space().bytesFree();

    cpu.projector().forward(4, x.view(), p.view());
    cpu.projector().back(4, p.view(), x.view(), Write::Add);

    QCOMPARE(cpu.space().bytesFree(), before);
    QVERIFY(cpu.projector().memoryBytes() > 0);
}

void DirectProjectorTest::memoryLimitIsKept() {
    EngineOptions options;
    options.memoryLimitBytes = 4096;
    const auto engine = makeCpuEngine();
    const auto space = engine->makeSpace(options);

    QVERIFY_THROWS_EXCEPTION(Unavailable,
                             static_cast<void>(engine->makeProjector(modelOf(0, 0), space, options)));
}

void DirectProjectorTest::unknownStrategyIsRefused() {
    EngineOptions options;
    options.strategy = "texture";
    const auto engine = makeCpuEngine();

    QVERIFY_THROWS_EXCEPTION(Unavailable, static_cast<void>(requireProjector(
                                              *engine, modelOf(0, 0), engine->makeSpace({}), options)));
}

void DirectProjectorTest::everyInstructionSetAgrees() {
    QFETCH(int, set);
    for (int lattice = 0; lattice < static_cast<int>(lattices().size()); ++lattice) {
        for (const int family : {0, 3}) {  // fixed weights; weights of both directions
            const DirectModel model = modelOf(family, lattice);
            const auto space = std::make_shared<HostSpace>();
            CpuProjector projector(model, space, static_cast<InstructionSet>(set));
            const auto x = uniformData(model.lattice.voxels(), 9, 0, 1);
            std::vector<float> result(x.size());
            for (std::size_t part = 0; part < model.views.size(); part += 3) {
                const KernelTables tables = buildKernelTables(model.kernel, model.lattice, model.views[part]);
                projector.forward(part, {x.data(), x.size()}, {result.data(), result.size()});
                QVERIFY(fixtures::relativeToMaximum(result, referenceForward(tables, model.lattice, x)) <=
                        2e-5);
                projector.back(part, {x.data(), x.size()}, {result.data(), result.size()}, Write::Overwrite);
                QVERIFY(fixtures::relativeToMaximum(result, referenceBack(tables, model.lattice, x)) <= 2e-5);
                QVERIFY(projector.multiplyAdds(part) >= static_cast<double>(x.size()));
            }
        }
    }
}

// Columns of zeros are not read. Against columns of the smallest float, which are: a weight below a half
// takes that to nothing, and nothing is what it adds to any sum.
void DirectProjectorTest::emptyColumnsChangeNoBit() {
    QFETCH(int, set);
    constexpr float kSmallest = std::numeric_limits<float>::denorm_min();
    constexpr float kNothing = 64 * kSmallest;  // sums of the z-filter are of several
    for (const int family : {0, 3}) {
        const DirectModel model = modelOf(family, 0);
        CpuProjector projector(model, std::make_shared<HostSpace>(), static_cast<InstructionSet>(set));
        const std::size_t n = model.lattice.voxels();
        for (std::size_t part = 0; part < model.views.size(); ++part) {
            std::array<std::vector<float>, 4> results;
            for (std::size_t k = 0; k < results.size(); ++k) {
                const auto x = everyThirdColumn(model.lattice, k % 2 == 0 ? 0 : kSmallest);
                results[k].resize(n);
                if (k < 2) {
                    projector.forward(part, {x.data(), n}, {results[k].data(), n});
                } else {
                    projector.back(part, {x.data(), n}, {results[k].data(), n}, Write::Overwrite);
                }
            }
            for (std::size_t i = 0; i < n; ++i) {
                for (const std::size_t k : {std::size_t{0}, std::size_t{2}}) {
                    QVERIFY(results[k][i] == results[k + 1][i] ||
                            (results[k][i] == 0 && results[k + 1][i] < kNothing));
                }
            }
            QVERIFY(*std::max_element(results[0].begin(), results[0].end()) > 0);
        }
    }
}

void DirectProjectorTest::aLoneNotANumberIsSeen() {
    const DirectModel model = modelOf(3, 0);
    HostHarness cpu(*makeCpuEngine(), model, {});
    std::vector<float> x(model.lattice.voxels(), 0.0F);
    const std::size_t middle = model.lattice.index(15, 13, 5);
    x[middle] = std::numeric_limits<float>::quiet_NaN();

    QVERIFY(std::isnan(cpu.forward(0, x)[middle]));
    QVERIFY(std::isnan(cpu.back(0, x)[middle]));
}

void DirectProjectorTest::deviceNamesTheInstructionSet() {
    const auto best = availableInstructionSets().back();

    QVERIFY(makeCpuEngine()->device().name.find(instructionSetName(best)) != std::string::npos);
}

QTEST_APPLESS_MAIN(DirectProjectorTest)

}  // namespace histo_projector_test
#include "histo_projector_test.moc"
