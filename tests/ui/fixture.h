// SPDX-License-Identifier: Apache-2.0
// A small study that every desktop test can afford: exact projections of the spheres phantom.
#pragma once

#include <QApplication>
#include <QTest>
#include <memory>

#include "app/engines.h"
#include "recon/core/constants.h"
#include "recon/data/histo_data.h"
#include "recon/engine/engine.h"
#include "recon/simulate/phantom.h"
#include "ui/workspace.h"

namespace tof::test {

/// 60 x 60 x 8 voxels of 4 mm, `views` untilted views, noise-free counts of the phantom `spheres`.
inline HistoData smallData(int views = 8) {
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

/// Turns the event loop until `done` or `ms` have passed; true when done.
template <typename Done>
bool until(Done done, int ms = 60000) {
    return QTest::qWaitFor(done, ms);
}

}  // namespace tof::test
