// SPDX-License-Identifier: Apache-2.0
// Attenuation volumes: what they may hold, and what is said of those that hold something else.
#include <QTest>

#include <limits>
#include "recon/base/error.h"

#include "recon/corrections/attenuation_map.h"
#include "tests/support/refusal.h"

namespace attenuation_map_test {

using namespace tof;
using tof::test::refusal;

namespace {

Volume volumeOf(std::vector<float> values, const char* units = "") {
    Volume volume;
    volume.lattice = Lattice::centred({static_cast<int>(values.size()), 1, 1}, {4, 4, 4});
    volume.data = std::move(values);
    volume.units = units;
    return volume;
}

}  // namespace

class AttenuationMapTest : public QObject {
    Q_OBJECT

  private slots:
    void whatIsNoAttenuationIsRefused_data() {
        QTest::addColumn<std::vector<float>>("values");
        QTest::addColumn<QString>("remedy");
        constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
        constexpr float kInf = std::numeric_limits<float>::infinity();
        QTest::newRow("one is not a number") << std::vector<float>{0.1F, kNan, 0} << "1 voxels";
        QTest::newRow("infinite") << std::vector<float>{0.1F, kInf, kInf} << "2 voxels";
        QTest::newRow("a CT") << std::vector<float>{-1000, 40, 1200} << "--mu-units hu";
        QTest::newRow("a CT of air") << std::vector<float>{-1000, -990} << "--mu-units hu";
        QTest::newRow("a CT without air") << std::vector<float>{-80, 40, 70} << "--mu-units hu";
        QTest::newRow("per m") << std::vector<float>{0, 9.6F} << "--mu-units";
        QTest::newRow("below zero") << std::vector<float>{-0.05F, 0.096F} << "--mu-units";
    }
    void whatIsNoAttenuationIsRefused() {
        QFETCH(std::vector<float>, values);
        QFETCH(QString, remedy);
        const QString said =
            refusal([&] { (void)attenuationMap(volumeOf(values), MuUnits::AsStated, "m.nii"); });
        QVERIFY2(said.startsWith("m.nii") && said.contains(remedy), qPrintable(said));
    }

    void unitsAreWhatTheyAreSaidToBe() {
        const auto first = [](float value, MuUnits units, const char* stated) {
            return attenuationMap(volumeOf({value, 0}, stated), units, "m").volume.data.front();
        };
        QCOMPARE(first(0.096F, MuUnits::AsStated, ""), 0.0096F);
        QCOMPARE(first(0.0096F, MuUnits::AsStated, "1/mm"), 0.0096F);
        QCOMPARE(first(0.0096F, MuUnits::PerMm, ""), 0.0096F);
        QCOMPARE(first(0.096F, MuUnits::PerCm, "1/mm"), 0.0096F);
        QCOMPARE(attenuationMap(volumeOf({0.1F}), MuUnits::PerCm, "m").volume.units, std::string("1/mm"));
        // A map in 1/mm taken as 1/cm attenuates a tenth of what it should: it is said.
        QVERIFY(!attenuationMap(volumeOf({0.0096F, 0}), MuUnits::AsStated, "m").note.empty());
        QVERIFY(attenuationMap(volumeOf({0.096F, 0}), MuUnits::AsStated, "m").note.empty());
    }

    void smallUndershootsBecomeZeroAndAreTold() {
        const AttenuationMap map = attenuationMap(volumeOf({-0.002F, 0.096F}), MuUnits::AsStated, "m");
        QCOMPARE(map.volume.data.front(), 0.0F);
        QVERIFY(QString::fromStdString(map.note).contains("1 voxels"));
    }

    void aCtWithoutItsInterceptIsRefused() {
        QString told;
        try {
            (void)attenuationMap(volumeOf({24, 1024, 2048}), MuUnits::Hounsfield, "raw.nii");
        } catch (const BadInput& refused) {
            told = refused.what();
        }
        QVERIFY2(told.contains("raw.nii") && told.contains("intercept"), qPrintable(told));
        QVERIFY(attenuationMap(volumeOf({-120, 0, 40}), MuUnits::Hounsfield, "fat").note.find("no air") !=
                std::string::npos);
        QVERIFY(attenuationMap(volumeOf({-1000, 0, 40}), MuUnits::Hounsfield, "ct").note.empty());
    }

    void hounsfieldUnitsFollowTheBilinearLaw() {
        // Air, water and the line above 47 HU of Carney et al., 120 kVp.
        QCOMPARE(perCmOfHounsfield(-1000), 0.0);
        QCOMPARE(perCmOfHounsfield(-1024), 0.0);
        QCOMPARE(perCmOfHounsfield(0), 0.096);
        QCOMPARE(perCmOfHounsfield(1000), 0.102 + 0.0471);
        QVERIFY(std::abs(perCmOfHounsfield(47) - perCmOfHounsfield(47.001)) < 2e-5);  // the two lines meet
        const AttenuationMap map = attenuationMap(volumeOf({-1000, 0, 1000}), MuUnits::Hounsfield, "ct");
        QVERIFY(std::abs(map.volume.data[1] - 0.0096F) < 1e-9F);
        QVERIFY(std::abs(map.volume.data[2] - 0.01491F) < 1e-8F);
    }
};

QTEST_APPLESS_MAIN(AttenuationMapTest)

}  // namespace attenuation_map_test
#include "attenuation_map_test.moc"
