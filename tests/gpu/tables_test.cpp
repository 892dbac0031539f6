// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "recon/kernel/kernel_tables.h"
#include "recon/systems/histo/histo_model.h"
#include "tests/gpu/gpu_fixtures.h"
#include "tests/gpu/probes/device_tables.h"

namespace tables_test {

using namespace tof;

class TablesTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase();
    void idsAndTapsEqualTheHosts_data();
    void idsAndTapsEqualTheHosts();
};

void TablesTest::initTestCase() {
    const auto found = fixtures::cudaOrReason();
    if (found.engine == nullptr) {
        QSKIP(found.whyNot.c_str());
    }
}

void TablesTest::idsAndTapsEqualTheHosts_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<int>("lattice");
    for (const auto& [name, spec] : fixtures::kernelFamilies()) {
        for (int g = 0; g < 3; ++g) {
            QTest::addRow("%s, lattice %d", name.c_str(), g) << QString::fromStdString(spec.toJson()) << g;
        }
    }
    for (const std::string& name : KernelSpec::presetNames()) {
        QTest::addRow("%s", name.c_str()) << QString::fromStdString(KernelSpec::preset(name).toJson()) << 0;
    }
}

void TablesTest::idsAndTapsEqualTheHosts() {
    QFETCH(QString, kernel);
    QFETCH(int, lattice);
    // 4 mm and 2 mm voxels put every pixel of the 0 and 90 degree views on an id boundary.
    const std::vector<Lattice> grids{Lattice::centred({144, 144, 48}, {4, 4, 4}),
                                     Lattice::centred({96, 97, 20}, {2, 2, 2}),
                                     Lattice::centred({51, 40, 9}, {3.3, 5.1, 2.7})};
    const DirectModel model{grids[static_cast<std::size_t>(lattice)], fixtures::obliqueViews(),
                            KernelSpec::fromJson(kernel.toStdString(), "test")};

    const std::vector<DeviceTables> device = probeDeviceTables(model);

    QCOMPARE(device.size(), model.views.size());
    for (std::size_t v = 0; v < model.views.size(); ++v) {
        const KernelTables host = buildKernelTables(model.kernel, model.lattice, model.views[v]);
        QVERIFY(device[v].ids == host.ids);
        QVERIFY(device[v].taps == host.taps);
        QCOMPARE(device[v].values.size(), host.values.size());
        double worst = 0;
        for (std::size_t i = 0; i < host.values.size(); ++i) {
            const double expected = static_cast<double>(host.values[i]);
            worst = std::max(worst, std::abs(static_cast<double>(device[v].values[i]) - expected) /
                                        std::max(expected, 1e-30));
        }
        // Both round the same double, up to the order of a sum: at most one unit in the last place of a
        // float.
        QVERIFY2(worst <= 1.2e-7, qPrintable(QString::number(worst)));
    }
}

QTEST_GUILESS_MAIN(TablesTest)

}  // namespace tables_test
#include "tables_test.moc"
