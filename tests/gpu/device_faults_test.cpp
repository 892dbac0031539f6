// SPDX-License-Identifier: Apache-2.0
// Allocations, launches, copies and waits of a reconstruction on a card fail at every place: one sentence
// says so, or nothing came of it, and the next run makes the same image.
#include <QTest>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/histo/histo_model.h"
#include "tests/gpu/gpu_fixtures.h"
#include "tests/gpu/probes/device_faults.h"

namespace device_faults_test {

using namespace tof;

namespace {

/// Keeps the last image.
class KeepingControl : public RunControl {
  public:
    bool wantsSnapshot() override { return true; }
    void offer(const RunProgress& /*progress*/, std::unique_ptr<Snapshot> /*snapshot*/) override {}
    void iterateDone(Iterate iterate) override { image = iterate.image->data; }

    std::vector<float> image;
};

std::shared_ptr<const HistoData> smallHisto() {
    auto data = std::make_shared<HistoData>();
    data->lattice = Lattice::centred({20, 18, 6}, {4, 4, 4});
    data->views = fixtures::obliqueViews();
    const std::size_t n = data->lattice.voxels() * data->views.size();
    data->counts = fixtures::uniformData(n, 3, 0, 4);
    data->mult = fixtures::uniformData(n, 4, 0.2F, 1);
    return data;
}

/// `budget` is how much of the data may lie on the device.
std::vector<float> reconstructed(const Engine& engine, const std::shared_ptr<const HistoData>& data,
                                 std::size_t budget) {
    const auto space = engine.makeSpace({});
    const auto projector = requireProjector(
        engine, DirectModel{data->lattice, data->views, KernelSpec::preset("variant1"), false}, space, {});
    SpaceHistoSource source(partsOf(data), space, budget);
    AlgorithmSettings settings;
    settings.algorithm = &osem();
    settings.iterations = 3;
    settings.subsets = 2;
    std::vector<std::size_t> order(data->views.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    KeepingControl control;
    Reconstruction run(*projector, source, data->lattice, settings, order, control);
    run.run(control);
    return control.image;
}

}  // namespace

class DeviceFaultsTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        const auto found = fixtures::cudaOrReason();
        if (found.engine == nullptr) {
            QSKIP(found.whyNot.c_str());
        }
        cuda_ = found.engine;
    }

    void aFaultIsSaidAndTheNextRunIsWhole_data() {
        QTest::addColumn<DeviceCall>("kind");
        QTest::addColumn<FaultLasts>("lasts");
        QTest::addColumn<bool>("streamed");
        const auto rows = [](const char* name, DeviceCall kind) {
            for (const bool streamed : {false, true}) {
                QTest::addRow("%s%s", name, streamed ? ", data streamed" : "")
                    << kind << FaultLasts::Once << streamed;
                QTest::addRow("%s and the device is lost%s", name, streamed ? ", data streamed" : "")
                    << kind << FaultLasts::ForEver << streamed;
            }
        };
        rows("allocation", DeviceCall::Allocation);
        rows("launch", DeviceCall::Launch);
        rows("copy", DeviceCall::Copy);
        rows("wait", DeviceCall::Wait);
    }
    void aFaultIsSaidAndTheNextRunIsWhole() {
        QFETCH(const DeviceCall, kind);
        QFETCH(const FaultLasts, lasts);
        QFETCH(const bool, streamed);
        const auto data = smallHisto();
        const std::size_t budget = streamed ? 0 : SIZE_MAX;
        std::vector<float> expected;
        long calls = 0;
        {
            const DeviceFaults none(kind, 0, FaultLasts::Once);
            expected = reconstructed(*cuda_, data, budget);
            calls = DeviceFaults::calls();
        }
        QVERIFY(calls > 2);
        constexpr long kPlaces = 25;
        const long step = qEnvironmentVariableIsSet("TOFSCOPE_FULL") ? 1 : std::max(1L, calls / kPlaces);
        int said = 0;
        for (long at = 1; at <= calls; at += step) {
            try {
                const DeviceFaults faults(kind, at, lasts);
                const std::vector<float> image = reconstructed(*cuda_, data, budget);
                QVERIFY2(image == expected,
                         qPrintable(QString("call %1 of %2 was not missed").arg(at).arg(calls)));
            } catch (const Unavailable& fault) {
                ++said;
                QVERIFY2(std::string(fault.what()).size() > 20, fault.what());
            }

            QVERIFY2(reconstructed(*cuda_, data, budget) == expected,
                     qPrintable(QString("after %1").arg(at)));
        }
        QVERIFY(said > 0);
        qInfo("%ld calls, %ld tried, %d said", calls, (calls + step - 1) / step, said);
    }

  private:
    std::shared_ptr<const Engine> cuda_;
};

QTEST_GUILESS_MAIN(DeviceFaultsTest)

}  // namespace device_faults_test
#include "device_faults_test.moc"
