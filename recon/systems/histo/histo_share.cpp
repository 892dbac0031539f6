// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/histo/histo_share.h"

#include <algorithm>
#include <cstdlib>

#include "recon/base/error.h"
#include "recon/kernel/kernel_tables.h"
#include "recon/settings/settings.h"

namespace tof {

namespace {

/// How many planes above or below itself a voxel has to do with.
int axialReach(const KernelSpec& kernel, const Lattice& lattice, const std::vector<View>& views) {
    int reach = 0;
    for (const View& view : views) {
        const KernelOutline outline(kernel, lattice, view);
        for (const KernelTap& tap : outline.taps()) {
            reach = std::max(reach, std::abs(tap.z));
        }
    }
    return std::min(reach, lattice.size[2]);
}

void divideViews(const HistoData& whole, const RankRequest& request, HistoShare& share) {
    const std::vector<int> owners = ownersOfParts(request);
    share.division.pieces.assign(owners.size(), {{}, {}, true});
    for (std::size_t view = 0; view < owners.size(); ++view) {
        if (owners[view] == request.rank) {
            share.division.pieces[view] = {{share.views.size()}, share.views.size(), true};
            share.views.push_back(view);
            share.own.views.push_back(whole.views[view]);
        }
    }
}

void dividePlanes(const HistoData& whole, const RankRequest& request, HistoShare& share) {
    const RunSettings& settings = request.settings;
    if (settings.spectrum == Spectrum::Analytic || settings.padding.mode == Padding::Mode::Off) {
        throw WrongUse(
            "kernels that reach round the whole image cannot be divided into slabs; take --spectrum sampled "
            "and --pad auto, or blocks of more views than there are ranks (--subsets)");
    }
    const AxialSlab slab(whole.lattice, axialReach(settings.kernel(), whole.lattice, whole.views),
                         request.rank, request.size);
    share.division.slab = slab;
    share.own.lattice = slab.lattice();
    share.own.views = whole.views;
    for (std::size_t view = 0; view < whole.views.size(); ++view) {
        share.views.push_back(view);
        share.division.pieces.push_back({{view}, view, false});
    }
}

}  // namespace

HistoShare histoShare(const HistoData& whole, const RankRequest& request) {
    HistoShare share;
    share.own.lattice = whole.lattice;
    share.own.hash = whole.hash;
    everyRankHasParts(request) ? divideViews(whole, request, share) : dividePlanes(whole, request, share);
    return share;
}

void leaveOutHalo(HistoShare& share) {
    if (!share.division.slab) {
        return;
    }
    const AxialSlab& slab = *share.division.slab;
    for (std::vector<float>* const values : {&share.own.counts, &share.own.add}) {
        for (std::size_t begin = 0; begin < values->size(); begin += slab.size()) {
            const auto first = values->begin() + static_cast<std::ptrdiff_t>(begin);
            const auto own = first + static_cast<std::ptrdiff_t>(slab.ownOffset());
            std::fill(first, own, 0.0F);
            std::fill(own + static_cast<std::ptrdiff_t>(slab.ownSize()),
                      first + static_cast<std::ptrdiff_t>(slab.size()), 0.0F);
        }
    }
}

}  // namespace tof
