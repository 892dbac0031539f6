// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/fixture.h"

#include <QRegularExpression>
#include <algorithm>

#include "app/experiment/report.h"
#include "recon/base/constants.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/phantom/phantom.h"
#include "recon/seam/engine.h"
#include "recon/systems/histo/histo_model.h"
#include "ui/experiments/experiments_wing.h"
#include "ui/kit/theme.h"

namespace tof::test {

HistoData smallData(int views) {
    HistoData data;
    data.lattice = Lattice::centred({60, 60, 8}, {4.0, 4.0, 4.0});
    data.views = ViewGrid(views, 1, 10 * kRadPerDeg).views();
    data.phantom = "spheres";
    data.hash = "small";
    Volume image = Phantom::find("spheres").emissionOn(data.lattice, 2);
    for (float& v : image.data) {
        v *= 1000.0F;
    }
    const EngineRegistry engines = makeEngineRegistry();
    const auto engine = engines.require("cpu");
    const EngineOptions options;
    const auto space = engine->makeSpace(options);
    const DirectModel model{data.lattice, data.views, KernelSpec::preset("invariant")};
    const auto projector = requireProjector(*engine, model, space, options);
    Array x = space->allocate(data.voxels());
    Array p = space->allocate(data.voxels());
    space->upload(image.data, x.view());
    data.counts.resize(data.voxels() * data.views.size());
    for (std::size_t v = 0; v < data.views.size(); ++v) {
        projector->forward(v, x.view(), p.view());
        space->download(p.view(), {data.counts.data() + v * data.voxels(), data.voxels()});
    }
    for (const float c : data.counts) {
        data.kept += static_cast<std::uint64_t>(c);
    }
    return data;
}

QString writeSmallData(const QTemporaryDir& folder) {
    const QString file = folder.filePath("small.h5");
    writeData(file.toStdString(), smallData());
    return file;
}

Program::Program(const EngineRegistry& engines, const WindowSetup& setup)
    : preferences(setup.preferencesFile),
      desk(engines, setup.threading),
      window(
          desk, preferences,
          ui::MainWindow::Options{.askBeforeClosing = false, .wings = {ui::experimentsWing(writeReport)}}) {
    window.resize(setup.size);
    window.show();
}

void Program::open(const QStringList& paths) {
    desk.open(paths);
    settle();
}

void Program::settle() {
    QVERIFY(until([this] { return !desk.busy(); }));
    window.refreshNow();
    QVERIFY(until([this] {
        const auto& items = desk.runs().items();
        const bool images = std::all_of(items.begin(), items.end(),
                                        [](const auto& item) { return item->volume() != nullptr; });
        return images && !desk.busy() && !window.comparePage().model().busy() &&
               !window.dataPage().model().busy();
    }));
    window.refreshNow();
}

void Program::reconstruct(int iterations, const std::string& kernel) {
    desk.settings().set("iterations", std::to_string(iterations));
    desk.settings().set("kernel", kernel);
    QVERIFY(desk.queue().start() != 0);
    // Some runs of the whole campaign have the crystals of a real scanner.
    const int patience_ms = qEnvironmentVariableIsSet("TOFSCOPE_FULL") ? 1800000 : 60000;
    QVERIFY(until([this] { return !desk.busy(); }, patience_ms));
    window.refreshNow();
}

void WindowTest::open(const QString& path) {
    desk_->open({path});
    QVERIFY(until([this] { return !desk_->busy(); }));
    window_->refreshNow();
    QApplication::processEvents();
}

void WindowTest::initTestCase() {
    ui::applyTheme(*qApp, ui::ThemeKind::Dark);
    makeFiles();
}

void WindowTest::init() {
    program_ = std::make_unique<Program>(engines_, setup_);
    preferences_ = &program_->preferences;
    desk_ = &program_->desk;
    window_ = &program_->window;
    QVERIFY(QTest::qWaitForWindowExposed(window_));
    QVERIFY(until([this] { return !desk_->tasks().busy(); }));
    begin();
}

void WindowTest::cleanup() {
    // What a person would see then: the picture after of docs/measurements/findings.md.
    const QString pictures = qEnvironmentVariable("TOF_TEST_PICTURES");
    if (!pictures.isEmpty() && window_ != nullptr) {
        window_->refreshNow();
        QString row(QTest::currentDataTag());
        row.replace(QRegularExpression("[^\\w.-]+"), "-");
        window_->grab().save(pictures + "/after-" + QTest::currentTestFunction() +
                             (row.isEmpty() ? "" : "-") + row + ".png");
    }
    preferences_ = nullptr;
    desk_ = nullptr;
    window_ = nullptr;
    program_.reset();
}

}  // namespace tof::test
