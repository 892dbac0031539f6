// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/form/bin_context.h"

#include <algorithm>

#include "recon/base/error.h"
#include "recon/base/memory.h"
#include "recon/io/format_table.h"
#include "recon/phantom/phantom.h"

namespace tof {

Lattice usualLattice() {
    return Lattice::centred({144, 144, 48}, {4, 4, 4});
}

bool BinContext::namesRings() const {
    return !request_.scanner.empty() && MichelogramSpec::describes(request_.scanner);
}

std::shared_ptr<const Michelogram> BinContext::rings() const {
    if (!namesRings()) {
        throw WrongUse(
            "sinograms need the rings they belong to; give --scanner NAME or a JSON file of kind 'rings'");
    }
    return std::make_shared<const Michelogram>(MichelogramSpec::find(request_.scanner));
}

std::optional<Volume> BinContext::attenuation(const std::string& phantom, double spacing_mm) const {
    if (request_.mu == "none") {
        return std::nullopt;
    }
    const auto heed = [this] { pool_.heed(); };
    if (!request_.mu.empty()) {
        AttenuationMap map = readAttenuationMap(request_.mu, request_.muUnits, heed);
        note(map.note);
        return std::move(map.volume);
    }
    if (phantom.empty()) {
        progress_.note(Remark::NoAttenuation,
                       "no attenuation: the list names no phantom; give --mu FILE for a measured object");
        return std::nullopt;
    }
    Volume volume = Phantom::fromNameOrText(phantom, request_.input, volumeReader(heed))
                        .wholeAttenuation(lattice(), spacing_mm, pool_);
    const bool air = std::all_of(volume.data.begin(), volume.data.end(), [](float mu) { return mu == 0; });
    return air ? std::nullopt : std::optional(std::move(volume));
}

void BinContext::requireRoom(double bytes) const {
    constexpr double kMebi = 1024.0 * 1024.0;
    const auto room = static_cast<double>(availableBytes());
    if (bytes > room) {
        throw Unavailable(
            "{}: what it becomes needs {:.0f} MiB, more than the {:.0f} MiB of this machine's memory that "
            "are free; "
            "choose fewer views, a coarser lattice or another form, or use a larger machine",
            request_.input, bytes / kMebi, room / kMebi);
    }
}

void BinContext::note(const std::string& sentence) const {
    if (!sentence.empty()) {
        progress_.note(Remark::Data, sentence);
    }
}

}  // namespace tof
