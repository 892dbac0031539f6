// SPDX-License-Identifier: Apache-2.0
#include "recon/work/anatomy.h"

#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/base/words.h"
#include "recon/data/content_hash.h"
#include "recon/io/format_table.h"
#include "recon/prior/bowsher.h"
#include "recon/work/ranked_run.h"

namespace tof {

void keepAnatomy(RunSettings& settings, const std::function<void()>& heed) {
    if (!settings.usesAnatomy() ||
        (!settings.keptAnatomy.images.empty() && settings.keptAnatomy.file == settings.anatomy)) {
        return;
    }
    KeptAnatomy kept{settings.anatomy};
    for (const std::string& file : parts(settings.anatomy, ';')) {
        auto image = std::make_shared<const Volume>(readVolume(file, heed));
        if (!std::all_of(image->data.begin(), image->data.end(), [](float v) { return std::isfinite(v); })) {
            throw BadInput("{}: the anatomy has values that are no numbers; mask them first", file);
        }
        kept.images.push_back(std::move(image));
    }
    settings.keptAnatomy = std::move(kept);
}

std::string anatomyHash(const RunSettings& settings) {
    if (!settings.usesAnatomy() || settings.keptAnatomy.images.empty()) {
        return {};
    }
    ContentHash hash;
    for (const auto& image : settings.keptAnatomy.images) {
        hash.add(image->data.data(), image->data.size() * sizeof(float));
    }
    return hash.text();
}

void requireAnatomyOn(const RunSettings& settings, const Lattice& lattice) {
    if (!settings.usesAnatomy()) {
        return;
    }
    const std::vector<std::string> files = parts(settings.anatomy, ';');
    for (std::size_t i = 0; i < settings.keptAnatomy.images.size(); ++i) {
        const Lattice& own = settings.keptAnatomy.images[i]->lattice;
        if (!(own == lattice)) {
            throw BadInput(
                "{}: the anatomy lies on {} and the image on {}, or beside it; resample it to the lattice of "
                "the image first",
                i < files.size() ? files[i] : settings.anatomy, own.text(), lattice.text());
        }
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
        std::vector<const Volume*> images;
        for (const auto& image : settings.keptAnatomy.images) {
            images.push_back(image.get());
        }
        chosen = bowsherChoice(images, settings.bowsher, ThreadPool(threads));
    }
    ranks.ofFirst(chosen);
    return std::make_shared<const std::vector<float>>(planesOf(chosen, slab));
}

}  // namespace tof
