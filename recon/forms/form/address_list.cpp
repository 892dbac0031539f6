// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/form/address_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "recon/base/error.h"
#include "recon/forms/form/list_cut.h"

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

/// The request with the triggers that it asks for.
BinRequest withTriggers(BinRequest request, const Ecat8Result& list) {
    if (request.gates.ofList()) {
        const bool heart = request.gates.file == GateRequest::kCardiac;
        std::vector<double>& triggers = request.gates.triggers_s.emplace();
        for (const std::uint32_t time_ms : heart ? list.cardiac_ms : list.respiratory_ms) {
            if (triggers.empty() || 1e-3 * time_ms > triggers.back()) {
                triggers.push_back(1e-3 * time_ms);
            }
        }
    }
    return request;
}

}  // namespace

Ecat8Result AddressList::readList(const BinContext& context, Keep keep) {
    const BinRequest& request = context.request();
    Ecat8Options options;
    options.partial = request.partial;
    options.segments = request.segments;
    options.sinograms = keep == Keep::Sinograms;
    options.moments = request.cut();
    options.events = keep == Keep::Events || options.moments;
    if (request.cut()) {
        options.takePrompts = [this](auto bins, auto time_ms) { prompts_.append(bins, time_ms); };
        options.takeDelayeds = [this](auto bins, auto time_ms) { delayeds_.append(bins, time_ms); };
    }
    Ecat8Result list = readEcat8(request.input, options);
    context.note(list.note);
    if (context.namesRings()) {
        placeOnRings(context, list);
    }
    list.data.lattice = request.lattice.value_or(list.data.lattice);
    return list;
}

AddressList::AddressList(const BinContext& context, Keep keep)
    : prompts_(context.request().spillBeside),
      delayeds_(context.request().spillBeside),
      read_(readList(context, keep)),
      request_(withTriggers(context.request(), read_)),
      context_(request_, context.pool(), context.progress()) {
    if (context.request().randoms == Randoms::Estimate) {
        if (context.request().cut()) {
            randoms_.emplace(cutDelayeds());
        } else {
            randoms_.emplace(*read_.data.michelogram, read_.delayeds);
        }
    }
    const Ecat8Words& words = read_.words;
    context.note(fmt::format("{}: {} words: {} prompts, {} delayeds, {} time tags, {} others",
                             context.request().input, words.words, words.prompts, words.delayeds,
                             words.timeTags, words.otherTags));
}

DelayedSums AddressList::cutDelayeds() {
    ListCut list(context_, read_.data.duration_s, 0, 1);
    DelayedSums sums(*read_.data.michelogram);
    std::vector<double> counts;
    delayeds_.forEach([&](std::span<const std::uint32_t> bins, std::span<const std::uint32_t> time_ms) {
        for (const FrameCutter::Piece& piece : list.cut(time_ms, bins.size())) {
            sums.add(bins.subspan(piece.begin, piece.end - piece.begin));
            counts.resize(std::max(counts.size(), piece.frame + 1));
            counts[piece.frame] += static_cast<double>(piece.end - piece.begin);
        }
    });
    delayedsOfFrames_ = std::move(counts);
    return sums;
}

}  // namespace tof
