// SPDX-License-Identifier: Apache-2.0
#include "recon/physics/uptake.h"

#include <QTest>
#include <cmath>

#include "recon/base/error.h"

namespace uptake_test {

using namespace tof;

class UptakeTest : public QObject {
    Q_OBJECT
  private slots:
    void theDoseThatIsLeftCounts() {
        const Uptake atInjection{70, 370e6, 6586.2, 0};
        QVERIFY(std::abs(suvPerBqMl(atInjection) * 370e6 / 70e3 - 1) < 1e-12);
        const Uptake oneHalfLifeLater{70, 370e6, 6586.2, 6586.2};
        QVERIFY(std::abs(suvPerBqMl(oneHalfLifeLater) / suvPerBqMl(atInjection) - 2) < 1e-12);
        // All of the dose spread evenly over the body of 1 g/ml is SUV 1.
        QVERIFY(std::abs(suvPerBqMl(atInjection) * (370e6 / 70e3) - 1) < 1e-12);
    }

    void impossibleNumbersAreNamed_data() {
        QTest::addColumn<Uptake>("uptake");
        QTest::addColumn<QString>("named");
        QTest::newRow("weight") << Uptake{0, 1e6, 6586, 0} << "weight";
        QTest::newRow("dose") << Uptake{70, 0, 6586, 0} << "dose";
        QTest::newRow("dose in MBq") << Uptake{70, 370, 6586, 0} << "dose";
        QTest::newRow("13 half lives") << Uptake{70, 1e6, 6586, 13 * 6586} << "half lives";
        QTest::newRow("no height") << Uptake{.weight_kg = 70, .dose_Bq = 1e6, .body = SuvBody::Surface}
                                   << "height";
        QTest::newRow("height in cm")
            << Uptake{.weight_kg = 70, .dose_Bq = 1e6, .body = SuvBody::Surface, .height_m = 175} << "height";
        QTest::newRow("no sex")
            << Uptake{.weight_kg = 70, .dose_Bq = 1e6, .body = SuvBody::LeanMass, .height_m = 1.75} << "sex";
        QTest::newRow("half life") << Uptake{70, 1e6, 0, 0} << "half life";
        QTest::newRow("before the injection") << Uptake{70, 1e6, 6586, -50000} << "time";
        QTest::newRow("no positrons") << Uptake{70, 1e6, 6586, 0, 0} << "positrons";
        QTest::newRow("not a number") << Uptake{70, std::nan(""), 6586, 0} << "dose";
    }

    void impossibleNumbersAreNamed() {
        QFETCH(Uptake, uptake);
        QFETCH(QString, named);
        QVERIFY(QString::fromStdString(uptakeFault(uptake)).contains(named));
    }

    /// Bodies worked out by hand: 80 kg and 1.8 m (index 24.691) have 9270 x 80 / (6680 + 216 x 24.691)
    /// = 61.73 kg lean mass as a man, 9270 x 80 / (8780 + 244 x 24.691) = 50.10 kg as a woman, and 71.84 x
    /// 80^0.425 x 180^0.725 = 19964 cm2.
    void bodiesShareOutTheDose() {
        Uptake uptake{.weight_kg = 80, .dose_Bq = 1e8, .waited_s = 0, .height_m = 1.8};
        const auto share = [&](SuvBody body, Sex sex) {
            uptake.body = body;
            uptake.sex = sex;
            return 1e8 * suvPerBqMl(uptake);
        };
        QVERIFY(std::abs(share(SuvBody::Weight, Sex::Unknown) - 80000) < 1e-6);
        QVERIFY(std::abs(share(SuvBody::LeanMass, Sex::Male) - 741600 / (6.68 + 0.216 * 80 / 3.24)) < 1e-6);
        QVERIFY(std::abs(share(SuvBody::LeanMass, Sex::Female) - 741600 / (8.78 + 0.244 * 80 / 3.24)) < 1e-6);
        QVERIFY(std::abs(share(SuvBody::LeanMass, Sex::Male) - 61730) < 10);
        QVERIFY(std::abs(share(SuvBody::LeanMass, Sex::Female) - 50100) < 20);
        QVERIFY(std::abs(share(SuvBody::Surface, Sex::Unknown) - 19964) < 5);
        QCOMPARE(suvUnits(suvBodyFromName("surface")), "cm2/ml");
        QVERIFY_EXCEPTION_THROWN((void)suvBodyFromName("height"), WrongUse);
    }

    void nuclidesAreFoundByTheirNames() {
        for (const char* text : {"C-111A1", "^18^Fluorine", "F-18", "18F", "FDG F^18^", "Fluorine-18",
                                 "FDG -- fluorodeoxyglucose"}) {
            QCOMPARE(nuclideIn(text), &petNuclide("F-18"));
        }
        QCOMPARE(nuclideIn("^11^Carbon"), &petNuclide("C-11"));
        QCOMPARE(nuclideIn("Zr89"), &petNuclide("Zr-89"));
        for (const char* text : {"", "18", "F", "^124^Iodine", "F-180", "O-18"}) {
            QVERIFY2(nuclideIn(text) == nullptr, text);
        }
    }

    void activityPerMlOfUnits() {
        const Lattice lattice = Lattice::centred({4, 4, 4}, {2, 2, 2.5});  // 0.01 ml
        const Uptake slow{70, 1e6, 1e9, 0, 0.5};                           // nothing decays in 50 s
        QCOMPARE(bqMlPerStored("Bq/ml", lattice, 0, slow), 1.0);
        QCOMPARE(bqMlPerStored("kBq/ml", lattice, 0, slow), 1000.0);
        QVERIFY(std::abs(bqMlPerStored("emissions/voxel", lattice, 50, slow) - 4) < 1e-6);
        QCOMPARE(bqMlPerStored("emissions/voxel", lattice, 0, slow), 0.0);
        QCOMPARE(bqMlPerStored("1/cm", lattice, 50, slow), 0.0);
        QCOMPARE(suvPerStored("1/cm", lattice, 50, slow), 0.0);
        // Activities that a file states are taken as they are, however long was measured.
        QCOMPARE(bqMlPerStored("Bq/ml", lattice, 5000, Uptake{70, 1e6, 60, 0, 0.5}), 1.0);
    }

    void aScanOfKnownActivityGivesItBack_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("duration_s");
        QTest::addColumn<double>("positrons");
        QTest::newRow("F-18, 29 minutes") << "F-18" << 1740.0 << 0.969;
        QTest::newRow("F-18, 10 hours") << "F-18" << 36000.0 << 0.969;
        QTest::newRow("C-11, an hour") << "C-11" << 3600.0 << 0.998;
        QTest::newRow("Rb-82, six minutes") << "Rb-82" << 360.0 << 0.954;
        QTest::newRow("Ga-68, 20 minutes") << "Ga-68" << 1200.0 << 0.889;
        QTest::newRow("Zr-89, a second") << "Zr-89" << 1.0 << 0.227;
    }

    void aScanOfKnownActivityGivesItBack() {
        // The positrons of a decaying activity, summed up during the scan by Simpson's rule, come back as the
        // activity at its start; a body that holds all of the dose evenly has an SUV of 1.
        QFETCH(QString, name);
        QFETCH(double, duration_s);
        QFETCH(double, positrons);
        const Nuclide& nuclide = petNuclide(name.toStdString());
        const Lattice lattice = Lattice::centred({4, 4, 4}, {4, 4, 4});
        constexpr double kMl = 0.064;
        constexpr double kStart_BqPerMl = 5000;
        constexpr int kSteps = 2000;
        double sum = 0;
        for (int i = 0; i <= kSteps; ++i) {
            const double t = duration_s * i / kSteps;
            const double weight = i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2;
            sum += weight * std::pow(0.5, t / nuclide.halfLife_s);
        }
        const double decays = kStart_BqPerMl * kMl * sum * duration_s / kSteps / 3;
        const double weight_kg = 70;
        const Uptake uptake{weight_kg, 1e3 * weight_kg * kStart_BqPerMl, nuclide.halfLife_s, 0,
                            nuclide.branching};

        const double activity =
            positrons * decays * bqMlPerStored("emissions/voxel", lattice, duration_s, uptake);
        const double suv = positrons * decays * suvPerStored("emissions/voxel", lattice, duration_s, uptake);

        QVERIFY2(std::abs(activity / kStart_BqPerMl - 1) < 1e-9, qPrintable(QString::number(activity)));
        QVERIFY2(std::abs(suv - 1) < 1e-9, qPrintable(QString::number(suv)));
    }

    void nuclidesAreFoundByTheirHalfLife() {
        for (const Nuclide& nuclide : petNuclides()) {
            QCOMPARE(nuclideOfHalfLife(1.004 * nuclide.halfLife_s), &nuclide);
            QCOMPARE(positronsPerDecay(nuclide.halfLife_s), nuclide.branching);
        }
        QVERIFY(nuclideOfHalfLife(3000) == nullptr);
        QCOMPARE(positronsPerDecay(3000), 1.0);
        // What is not said is fluorine-18.
        QCOMPARE(Uptake().halfLife_s, petNuclide("F-18").halfLife_s);
        QCOMPARE(Uptake().branching, petNuclide("F-18").branching);
    }
};

QTEST_APPLESS_MAIN(UptakeTest)

}  // namespace uptake_test
#include "uptake_test.moc"
