// SPDX-License-Identifier: Apache-2.0
#include "recon/work/anatomy.h"

#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/data/content_hash.h"
#include "recon/io/format_table.h"
#include "recon/prior/bowsher.h"
#include "recon/work/ranked_run.h"

namespace tof {

void keepAnatomy(RunSettings& settings) {
    if (!settings.usesAnatomy() ||
        (settings.keptAnatomy.image != nullptr && settings.keptAnatomy.file == settings.anatomy)) {
        return;
    }
    auto image = std::make_shared<const Volume>(readVolume(settings.anatomy));
    if (!std::all_of(image->data.begin(), image->data.end(), [](float v) { return std::isfinite(v); })) {
        throw BadInput("{}: the anatomy has values that are no numbers; mask them first", settings.anatomy);
    }
    settings.keptAnatomy = {settings.anatomy, std::move(image)};
}

std::string anatomyHash(const RunSettings& settings) {
    if (!settings.usesAnatomy() || settings.keptAnatomy.image == nullptr) {
        return {};
    }
    const std::vector<float>& values = settings.keptAnatomy.image->data;
    ContentHash hash;
    hash.add(values.data(), values.size() * sizeof(float));
    return hash.text();
}

void requireAnatomyOn(const RunSettings& settings, const Lattice& lattice) {
    const Volume* const image = settings.usesAnatomy() ? settings.keptAnatomy.image.get() : nullptr;
    if (image != nullptr && !(image->lattice == lattice)) {
        throw BadInput(
            "{}: the anatomy lies on {} and the image on {}, or beside it; resample it to the lattice of the "
            "image first",
            settings.anatomy, image->lattice.text(), lattice.text());
    }
}

std::shared_ptr<const std::vector<float>> neighboursByAnatomy(const RunSettings& settings,
                                                              const Lattice& whole,
                                                              const std::optional<AxialSlab>& slab,
                                                              Communicator& ranks, int threads) {
    if (!settings.usesAnatomy()) {
        return nullptr;
    }
    std::vector<float> chosen(whole.voxels());
    if (ranks.first()) {
        chosen = bowsherChoice(*settings.keptAnatomy.image, settings.bowsher, ThreadPool(threads));
    }
    ranks.ofFirst(chosen);
    return std::make_shared<const std::vector<float>>(planesOf(chosen, slab));
}

}  // namespace tof
