// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/form/address_list.h"

#include <fmt/format.h>

#include <tuple>

#include "recon/base/error.h"

namespace tof {

namespace {

/// The sinograms of a list on the geometry that was named.
void placeOnRings(const BinContext& context, Ecat8Result& list) {
    const MichelogramSpec& read = list.data.michelogram->spec();
    MichelogramSpec spec = context.rings()->spec();
    const auto bins = [](const MichelogramSpec& s) {
        return std::tuple(s.scanner.rings, s.scanner.crystalsPerRing, s.radialBins, s.mashing, s.tof.count);
    };
    if (bins(spec) != bins(read) || spec.segments != read.segments) {
        throw BadInput(
            "{}: '{}' has other rings, crystals or bins than the list's header; give its own scanner",
            context.request().input, context.request().scanner);
    }
    spec.anglesPerPart = read.anglesPerPart;
    if (spec.scanner.gapPlaces.empty()) {
        spec.scanner.gapPlaces = read.scanner.gapPlaces;
    }
    list.data.michelogram = std::make_shared<const Michelogram>(spec);
}

Ecat8Result readList(const BinContext& context, AddressList::Keep keep) {
    const BinRequest& request = context.request();
    Ecat8Options options;
    options.partial = request.partial;
    options.segments = request.segments;
    options.sinograms = keep == AddressList::Keep::Sinograms;
    options.events = keep == AddressList::Keep::Events;
    Ecat8Result list = readEcat8(request.input, options);
    context.note(list.note);
    if (context.namesRings()) {
        placeOnRings(context, list);
    }
    list.data.lattice = request.lattice.value_or(list.data.lattice);
    return list;
}

}  // namespace

AddressList::AddressList(const BinContext& context, Keep keep) : read_(readList(context, keep)) {
    if (context.request().randoms == Randoms::Estimate) {
        randoms_.emplace(*read_.data.michelogram, read_.delayeds);
    }
    const Ecat8Words& words = read_.words;
    context.note(fmt::format("{}: {} words: {} prompts, {} delayeds, {} time tags, {} others",
                             context.request().input, words.words, words.prompts, words.delayeds,
                             words.timeTags, words.otherTags));
}

}  // namespace tof
