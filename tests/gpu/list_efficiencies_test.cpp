// SPDX-License-Identifier: Apache-2.0
// Efficiencies of a list's crystals on a device: its images are the host's.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/gpu/gpu_fixtures.h"

namespace list_efficiencies_test {

using namespace tof;

namespace {

Scanner scannerOfModules() {
    return Scanner::fromJson(
        R"({"name":"small","modules":{"count":12,"face_to_face_mm":300,"crystals":[4,6],"pitch_mm":[10,10]},)"
        R"("crystal_mm":[9.6,9.6,20],"attenuation_per_mm":0.0819,"acceptance_deg":20,"fov_diameter_mm":200,)"
        R"("timing_fwhm_ps":300})",
        "test");
}

Volume imageOf(const LineData& lines, const std::string& engine) {
    ReconstructRequest request;
    request.data = std::make_shared<LineMeasurement>(lines);
    request.settings.set("engine", engine);
    request.settings.set("algorithm", "osem");
    request.settings.set("iterations", "2");
    request.settings.set("subsets", "4");
    JobListener listener;
    return *reconstruct(request, makeEngineRegistry(), listener).image;
}

/// The largest difference of two images over the largest value of the second.
double apart(const Volume& a, const Volume& b) {
    double most = 0;
    for (std::size_t i = 0; i < b.data.size(); ++i) {
        most = std::max(most, std::abs(static_cast<double>(a.data[i] - b.data[i])));
    }
    return most / static_cast<double>(*std::max_element(b.data.begin(), b.data.end()));
}

}  // namespace

class ListEfficienciesTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        const fixtures::EngineOrReason cuda = fixtures::cudaOrReason();
        if (cuda.engine == nullptr) {
            QSKIP(cuda.whyNot.c_str());
        }
    }

    void imagesAreTheHosts_data() {
        QTest::addColumn<bool>("attenuated");
        QTest::newRow("in air") << false;
        QTest::newRow("in water") << true;
    }
    void imagesAreTheHosts() {
        QFETCH(bool, attenuated);
        // Sums of single precision in another order, 1e-4, and what eight updates of few events make of it.
        const Scanner scanner = scannerOfModules();
        const Phantom phantom = Phantom::fromJson(
            R"({"name":"cylinder","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":70,"length_mm":54,)"
            R"("activity":1,"mu_per_mm":0.0096}]})",
            "test");
        const EventList events = simulate(scanner, phantom, {.events = 60000, .seed = 3}, ThreadPool(0), {});
        LineData lines =
            listLines(events, scanner, timeBinsFor(scanner), Lattice::centred({20, 20, 6}, {8, 8, 10}));
        const Volume even = imageOf(lines, "cpu");
        if (attenuated) {
            lines.attenuation =
                phantom.wholeAttenuation(lines.lattice, std::numeric_limits<double>::infinity());
            QVERIFY(apart(imageOf(lines, "cpu"), even) > 0.1);
        }
        for (std::size_t c = 0; c < scanner.crystals.size(); ++c) {
            const double golden = std::fmod(0.618034 * static_cast<double>(c), 1.0);
            lines.possible.efficiencies.push_back(static_cast<float>(0.4 + 0.6 * golden));
        }

        const Volume host = imageOf(lines, "cpu");
        const Volume device = imageOf(lines, "cuda");

        qInfo("device from host %.2e, even crystals from uneven ones %.2f", apart(device, host),
              apart(even, host));
        QVERIFY2(apart(device, host) < 5e-3, qPrintable(QString::number(apart(device, host))));
        QVERIFY(apart(even, host) > 0.1);
    }
};

QTEST_GUILESS_MAIN(ListEfficienciesTest)

}  // namespace list_efficiencies_test
#include "list_efficiencies_test.moc"
