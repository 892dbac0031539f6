// SPDX-License-Identifier: Apache-2.0
// Photons and positrons against integrals and published figures.
#include "recon/physics/compton.h"

#include <QTest>
#include <array>
#include <cmath>
#include <random>

#include "recon/base/error.h"
#include "recon/physics/materials.h"
#include "recon/physics/positron.h"

namespace physics_test {

using namespace tof;

namespace {

/// Random numbers that share no code with the simulator's.
class Uniforms {
  public:
    explicit Uniforms(std::uint64_t seed) : engine_(seed) {}
    double uniform() { return (static_cast<double>(engine_() >> 11U) + 0.5) * 0x1p-53; }

  private:
    std::mt19937_64 engine_;
};

}  // namespace

class PhysicsTest : public QObject {
    Q_OBJECT
  private slots:
    void kleinAndNishinasIntegrals() {
        // ../physics.md 4.2, by another program; midpoints of 20000 steps are right to 1e-4.
        QVERIFY(std::abs(kleinNishina(kElectron_keV, 0).meanEnergy_keV - 335.0) < 0.5);
        const std::array<std::array<double, 2>, 4> shares{
            {{480, 0.1024}, {450, 0.1955}, {425, 0.2686}, {375, 0.4035}}};
        for (const auto& [above, share] : shares) {
            QVERIFY(std::abs(kleinNishina(kElectron_keV, above).shareAbove - share) < 2e-4);
        }
    }

    void drawnScattersFollowThem_data() {
        QTest::addColumn<double>("energy");
        QTest::newRow("511 keV") << kElectron_keV;
        QTest::newRow("340 keV") << 340.0;
        QTest::newRow("60 keV") << 60.0;
    }
    void drawnScattersFollowThem() {
        QFETCH(double, energy);
        constexpr int kDraws = 400000;
        constexpr std::array<double, 5> kKept{0.94, 0.88, 0.83, 0.73, 0.5};
        Uniforms random(3);
        std::array<int, kKept.size()> above{};
        double sum = 0;
        for (int i = 0; i < kDraws; ++i) {
            const ComptonScatter drawn = drawCompton(static_cast<Real>(energy), random);
            const auto after_keV = static_cast<double>(drawn.energy_keV);
            const double said = energy / (1 + energy / kElectron_keV * static_cast<double>(drawn.turn));
            QVERIFY(std::abs(after_keV - said) < 1e-6 * energy);  // eight roundings of single precision
            sum += after_keV;
            for (std::size_t k = 0; k < kKept.size(); ++k) {
                above[k] += after_keV > kKept[k] * energy ? 1 : 0;
            }
        }
        for (std::size_t k = 0; k < kKept.size(); ++k) {
            const double share = kleinNishina(energy, kKept[k] * energy).shareAbove;
            const double error = std::sqrt(share * (1 - share) / kDraws);
            QVERIFY(std::abs(above[k] / static_cast<double>(kDraws) - share) <= 4.5 * error + 1e-4);
        }
        const double mean = kleinNishina(energy, 0).meanEnergy_keV;
        // An energy's standard deviation is below a third of the energy.
        QVERIFY(std::abs(sum / kDraws - mean) < 4.5 * energy / 3 / std::sqrt(kDraws) + 0.02);
    }

    void usefulScattersAreThoseOfAll() {
        // Knowing losses first changes no distribution: shares and cosines against Klein and Nishina's
        // integrals.
        const ComptonCut cut = comptonCut(400);
        constexpr int kDraws = 400000;
        Uniforms random(13);
        int useful = 0;
        int above450 = 0;
        for (int i = 0; i < kDraws; ++i) {
            ComptonScatter after;
            if (drawUsefulCompton(kRealElectron_keV, cut, random, after)) {
                const double said = kElectron_keV / (1 + static_cast<double>(after.turn));
                QVERIFY(std::abs(static_cast<double>(after.energy_keV) - said) < 1e-6 * said &&
                        after.energy_keV >= 399.999F);
                ++useful;
                above450 += after.energy_keV > 450 ? 1 : 0;
            }
        }
        for (const auto& [count, above] : {std::pair{useful, 400.0}, std::pair{above450, 450.0}}) {
            const double share = kleinNishina(kElectron_keV, above).shareAbove;
            QVERIFY(std::abs(count / static_cast<double>(kDraws) - share) <
                    4.5 * std::sqrt(share * (1 - share) / kDraws) + 1e-4);
        }
    }

    void turnsKeepTheAngle() {
        Uniforms random(5);
        for (int i = 0; i < 2000; ++i) {
            const Vec3 d = i == 0 ? Vec3{0, 0, -1} : i == 1 ? Vec3{0, 0, 1} : Vec3(drawUnit(random));
            const double turn = 2 * random.uniform();
            const Vec3 after = turned(d, static_cast<Real>(turn), static_cast<Real>(random.uniform()));
            QVERIFY(std::abs(norm(after) - 1) < 1e-6);
            QVERIFY(std::abs(1 - dot(after, d) - turn) < 2e-6);
        }
    }

    void coefficientsAreThePublishedOnes() {
        // NIST XCOM / NISTIR 5632 with coherent scattering, 1/cm; it is 0.2 % of it at 511 keV in light
        // materials.
        QVERIFY(std::abs(attenuationAt511(Material::Water) / 0.0096 - 1) < 0.005);
        QVERIFY(std::abs(attenuationAt511(Material::Polyethylene) / 0.00945 - 1) < 0.005);
        QVERIFY(std::abs(attenuationAt511(Material::LaBr3) / 0.0431 - 1) < 0.005);  // docs/simulation.md
        // Water at 100 and 30 keV (NISTIR 5632): 0.1707, 0.3756 cm2/g, of which 0.0055 and 0.0458 coherent.
        const CrossSections& water = crossSections(Material::Water);
        QVERIFY(std::abs(static_cast<double>(water.total_perMm[100]) / 0.01652 - 1) < 0.01);
        QVERIFY(std::abs(static_cast<double>(water.total_perMm[30]) / 0.03298 - 1) < 0.02);
        // Bone stands out at low energy, by its calcium.
        const CrossSections& bone = crossSections(Material::Bone);
        QVERIFY(bone.total_perMm[40] / bone.total_perMm[511] > 6.0F);
    }

    void firstInteractionsInCrystalsArePhotoelectricByTheirShare_data() {
        QTest::addColumn<int>("material");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("LaBr3") << static_cast<int>(Material::LaBr3) << 0.13 << 0.16;
        QTest::newRow("BGO") << static_cast<int>(Material::Bgo) << 0.40 << 0.44;
        QTest::newRow("LSO") << static_cast<int>(Material::Lso) << 0.31 << 0.35;
    }
    void firstInteractionsInCrystalsArePhotoelectricByTheirShare() {
        QFETCH(int, material);
        QFETCH(double, low);
        QFETCH(double, high);
        const double photo =
            1 - static_cast<double>(atEnergy(
                    crossSections(static_cast<Material>(material)).comptonShare.data(), kRealElectron_keV));
        QVERIFY2(photo > low && photo < high, qPrintable(QString::number(photo)));
    }

    void edgesOfKShellsAreWhereTheyBelong() {
        // Coefficients jump upwards within one keV of the edge and nowhere else above 30 keV.
        const std::array<std::pair<Material, std::size_t>, 3> edges{
            {{Material::LaBr3, 38}, {Material::Lso, 63}, {Material::Bgo, 90}}};
        for (const auto& [material, below] : edges) {
            const CrossSections& table = crossSections(material);
            for (std::size_t keV = 30; keV < 512; ++keV) {
                const bool rises = table.total_perMm[keV + 1] > table.total_perMm[keV];
                QCOMPARE(rises, keV == below);
            }
        }
    }

    void positronsGoAsFarAsPublished_data() {
        QTest::addColumn<QString>("isotope");
        QTest::addColumn<double>("mean");
        QTest::newRow("F-18") << "F-18" << 0.6;
        QTest::newRow("Ga-68") << "Ga-68" << 2.9;
    }
    void positronsGoAsFarAsPublished() {
        QFETCH(QString, isotope);
        QFETCH(double, mean);
        const PositronRange& range = isotopeNamed(isotope.toStdString()).range;
        constexpr int kDraws = 200000;
        Uniforms random(7);
        double sum = 0;
        double squares = 0;
        double along = 0;
        for (int i = 0; i < kDraws; ++i) {
            const Vec3 step = drawRange(range, random);
            sum += norm(step);
            squares += dot(step, step);
            along += std::abs(step.x);
        }
        const double error = std::sqrt(squares / kDraws / kDraws);
        QVERIFY(std::abs(sum / kDraws - range.mean_mm()) < 4.5 * error);
        QVERIFY(std::abs(range.mean_mm() / mean - 1) < 0.1);
        // Isotropic: the projection's mean is half the distance's.
        QVERIFY(std::abs(along / kDraws - range.mean_mm() / 2) < 4.5 * error);
    }

    void projectionsOfF18AreLevinAndHoffmans() {
        // C exp(-k1 x) + (1 - C) exp(-k2 x): share beyond 1 mm = 0.484/3.1 exp(-3.1) / (0.516/37.9 +
        // 0.484/3.1).
        const PositronRange& range = isotopeNamed("F-18").range;
        constexpr int kDraws = 400000;
        Uniforms random(9);
        int beyond = 0;
        for (int i = 0; i < kDraws; ++i) {
            beyond += std::abs(drawRange(range, random).z) > 1 ? 1 : 0;
        }
        const double far = 0.484 / 3.1;
        const double share = far * std::exp(-3.1) / (0.516 / 37.9 + far);
        QVERIFY(std::abs(beyond / static_cast<double>(kDraws) - share) <
                4.5 * std::sqrt(share * (1 - share) / kDraws));
    }

    void acollinearityBlursTheCentreBy2mm() {
        // Two photons from the centre of a ring of 930 mm: the line between where they arrive passes it at
        // R sin(angle)/2 or so. FWHM of the offset in the plane: 0.25 D 0.5 deg = 2.03 mm.
        constexpr int kDraws = 200000;
        Uniforms random(11);
        double squares = 0;
        for (int i = 0; i < kDraws; ++i) {
            const double azimuth = 2 * kPi * random.uniform();
            const Vec3 d{std::cos(azimuth), std::sin(azimuth), 0};
            const Vec3 other = drawOpposite(d, random);
            const Vec3 a = 465.0 * d;
            const Vec3 b = 465.0 * other;
            const double offset = (a.x * b.y - a.y * b.x) / std::hypot(b.x - a.x, b.y - a.y);
            squares += offset * offset;
        }
        const double fwhm = kFwhmPerSigma * std::sqrt(squares / kDraws);
        QVERIFY2(std::abs(fwhm / 2.03 - 1) < 0.01, qPrintable(QString::number(fwhm)));
    }

    void unknownNamesSayWhatIsKnown() {
        QVERIFY_EXCEPTION_THROWN((void)materialNamed("LaBr"), WrongUse);
        QVERIFY_EXCEPTION_THROWN((void)isotopeNamed("F18"), WrongUse);
        try {
            (void)isotopeNamed("F18");
        } catch (const WrongUse& fault) {
            QVERIFY(QString(fault.what()).contains("did you mean 'F-18'"));
        }
    }
};

QTEST_GUILESS_MAIN(PhysicsTest)

}  // namespace physics_test
#include "physics_test.moc"
