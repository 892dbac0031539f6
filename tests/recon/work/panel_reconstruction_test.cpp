// SPDX-License-Identifier: Apache-2.0
// Two panels from photons to an image, by the workflows that programs call.
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fstream>
#include <numeric>

#include "recon/base/error.h"
#include "recon/binning/panel_binning.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/phantom/panel_phantoms.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/panel/panel_measurement.h"
#include "recon/work/read_measurement.h"
#include "recon/work/reconstruct.h"

using namespace tof;

namespace {

Scanner tiny() {
    return Scanner::fromJson(
        R"({"name":"tiny","modules":{"count":2,"face_to_face_mm":12,"crystals":[10,8],"pitch_mm":[2.4,2.4]},)"
        R"("crystal_mm":[2.1,2.1,10],"attenuation_per_mm":0.0819,"acceptance_deg":85,"fov_diameter_mm":80})",
        "test");
}

/// A hot box off the centre along each axis.
constexpr Vec3 kCentre{1.5, -3.6, 2.4};
constexpr Vec3 kSize{4, 4.8, 3.6};

Phantom hotBox() {
    Phantom phantom;
    phantom.name = "box";
    PhantomShape shape;
    shape.kind = PhantomShape::Kind::Box;
    shape.centre = kCentre;
    shape.size_mm = kSize;
    shape.activity = 1;
    phantom.shapes.push_back(shape);
    return phantom;
}

class Quiet : public JobListener {};

}  // namespace

class PanelReconstructionTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        qputenv("XDG_CACHE_HOME", folder_.path().toUtf8());
        SimulationSettings settings;
        settings.events = 200'000;
        list_ = simulate(tiny(), hotBox(), settings, ThreadPool(), {});
    }

    void photonsBecomeAnImageInEmissions() {
        const std::string path = folder_.filePath("d.h5").toStdString();
        writePanelData(path, binPanel(list_, tiny()));
        ReconstructRequest request;
        request.data = readMeasurement(path);
        QCOMPARE(QString::fromStdString(request.data->system()), QString("panel"));
        request.settings.set("algorithm", "osem");
        request.settings.set("engine", "cpu");
        request.settings.set("iterations", "4");
        EngineRegistry engines;
        engines.add("cpu", makeCpuEngine, 1);
        Quiet quiet;

        const ReconstructResult result = reconstruct(request, engines, quiet);

        const Volume& image = *result.image;
        const double total = std::accumulate(image.data.begin(), image.data.end(), 0.0);
        // 200,000 counts are right to 0.2 %, the matrix to 0.5 %.
        QVERIFY2(std::abs(total / list_.decays - 1) < 0.02,
                 qPrintable(QString::number(total / list_.decays)));
        double inside = 0;
        Vec3 middle;
        image.lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 at = image.lattice.centre(x, y, z);
            const Vec3 off = at - kCentre;
            const double value = static_cast<double>(image.at(x, y, z));
            middle = middle + value / total * at;
            const bool near = std::abs(off.x) < 0.5 * kSize.x + 1 && std::abs(off.y) < 0.5 * kSize.y + 1.2 &&
                              std::abs(off.z) < 0.5 * kSize.z + 1.2;
            inside += near ? value : 0;
        });
        QVERIFY2(inside / total > 0.9, qPrintable(QString::number(inside / total)));
        QVERIFY(norm(middle - kCentre) < 0.3);
    }

    void viewsHoldAllCounts() {
        const PanelMeasurement data(binPanel(list_, tiny()));
        const std::vector<double> totals = data.viewTotals();

        QCOMPARE(totals.size(), data.layout().views.size());
        QCOMPARE(std::accumulate(totals.begin(), totals.end(), 0.0), 200'000.0);
        for (const std::size_t view : {std::size_t{0}, totals.size() / 2, totals.size() - 1}) {
            const Volume picture = data.view(view, DataQuantity::Counts);
            QCOMPARE(std::accumulate(picture.data.begin(), picture.data.end(), 0.0), totals[view]);
        }
        QVERIFY_EXCEPTION_THROWN((void)data.view(totals.size(), DataQuantity::Counts), WrongUse);
    }

    void otherScannersAreRefused() {
        QVERIFY_EXCEPTION_THROWN((void)binPanel(list_, Scanner::find("labr3-ideal")), WrongUse);
    }

    void attenuationGoesIntoMult() {
        PanelData data = binPanel(list_, tiny());
        Volume mu(Lattice::centred({6, 48, 40}, {2, 1, 1}), 0.01F);
        attenuatePanel(data, tiny(), mu, ThreadPool(), [](double) {});

        const std::vector<std::size_t> starts = panelClassStarts(data.geometry);
        QCOMPARE(starts.front(), std::size_t{0});
        // Straight across: 12 mm of it.
        QVERIFY(std::abs(static_cast<double>(data.mult.front()) - std::exp(-0.12)) < 1e-4);
        const PanelMeasurement measurement(std::move(data));
        QVERIFY(measurement.shows(DataQuantity::Mult));
    }

    void derenzoRodsAreTwiceTheirDiameterApart() {
        for (const double diameter : {2.4, 1.0, 0.75}) {
            const auto rods = derenzoRods(diameter, 0.3, 22);
            double nearest = 1e9;
            for (std::size_t i = 0; i < rods.size(); ++i) {
                QVERIFY(std::hypot(rods[i][0], rods[i][1]) <= 22);
                for (std::size_t j = 0; j < i; ++j) {
                    nearest = std::min(nearest, std::hypot(rods[i][0] - rods[j][0], rods[i][1] - rods[j][1]));
                }
            }
            QVERIFY(rods.size() >= 10);
            QVERIFY(std::abs(nearest - 2 * diameter) < 1e-9);
        }
        QCOMPARE(Phantom::find("micro-derenzo").emission->lattice.size[0], 1);
        QVERIFY(Phantom::find("rat").attenuation.has_value());
    }

  private:
    QTemporaryDir folder_;
    EventList list_;
};

QTEST_GUILESS_MAIN(PanelReconstructionTest)
#include "panel_reconstruction_test.moc"
