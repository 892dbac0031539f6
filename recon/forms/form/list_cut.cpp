// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/form/list_cut.h"

#include <fmt/format.h>

#include <array>
#include <numeric>

#include "recon/base/error.h"
#include "recon/frames/frame_list.h"
#include "recon/physics/nuclide.h"
#include "recon/ranks/on_first.h"

namespace tof {

namespace {

/// Gates alone are those of the whole list.
std::vector<TimeFrame> framesAsked(const BinRequest& request, double duration_s) {
    if (!request.frames.empty()) {
        return framesFrom(request.frames);
    }
    if (!(duration_s > 0)) {
        throw WrongUse("{}: does not say how long it is; give the time that gates are of with --frames",
                       request.input);
    }
    return {{0, duration_s}};
}

}  // namespace

FrameCutter cutterFor(const BinRequest& request, double duration_s) {
    std::vector<TimeFrame> frames = framesAsked(request, duration_s);
    if (request.gates.file.empty()) {
        return {std::move(frames), request.input, duration_s};
    }
    return {std::move(frames), request.input, duration_s, request.gates.count,
            gatesFrom(request.gates, request.input)};
}

double halfLifeOf(const BinRequest& request) {
    return request.nuclide.empty() ? 0.0 : petNuclide(request.nuclide).halfLife_s;
}

ListCut::ListCut(const BinContext& context, double duration_s, std::uint64_t events, std::size_t parts)
    : context_(context),
      cutter_(cutterFor(context.request(), duration_s)),
      collector_(cutter_.outline(halfLifeOf(context.request())), parts) {
    context.requireRoom(sizeof(std::uint32_t) * static_cast<double>(events));
}

void ListCut::spill() {
    if (const std::string& output = context_.request().spillBeside; !output.empty()) {
        collector_.spillBeside(output);
    }
}

void ListCut::requireTimes(std::span<const std::uint32_t> time_ms, std::size_t events) const {
    if (time_ms.size() != events) {
        throw BadInput(
            "{}: does not say when its events happened, so it cannot be cut by time; bin it without --frames "
            "and --gates",
            context_.request().input);
    }
}

std::vector<FrameCutter::Piece> ListCut::cut(std::span<const std::uint32_t> time_ms, std::size_t events) {
    requireTimes(time_ms, events);
    return cutter_.cut(time_ms);
}

std::vector<FrameCutter::Piece> ListCut::cutInTurn(Communicator& ranks,
                                                   std::span<const std::uint32_t> time_ms,
                                                   std::size_t events) {
    requireTimes(time_ms, events);
    const std::array<std::uint32_t, 2> mine{static_cast<std::uint32_t>(events),
                                            time_ms.empty() ? 0 : time_ms.back()};
    const std::vector<std::uint32_t> all = ranks.numbersOfAll(mine);
    std::vector<FrameCutter::Piece> pieces;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks.size()); ++rank) {
        if (rank == static_cast<std::size_t>(ranks.rank())) {
            pieces = cutter_.cut(time_ms);
        } else {
            cutter_.pass(all[2 * rank], all[2 * rank + 1]);
        }
    }
    return pieces;
}

void ListCut::add(std::span<const std::uint32_t> time_ms, std::span<const std::uint32_t> cells) {
    for (const FrameCutter::Piece& piece : cut(time_ms, cells.size())) {
        collector_.begin(piece.frame);
        collector_.add(cells.subspan(piece.begin, piece.end - piece.begin));
    }
}

void ListCut::addInTurn(Communicator& ranks, std::span<const std::uint32_t> time_ms,
                        std::span<const std::uint32_t> cells) {
    std::vector<std::uint32_t> pieces;  // frame and number of events
    std::vector<std::uint32_t> theirs;
    for (const FrameCutter::Piece& piece : cutInTurn(ranks, time_ms, cells.size())) {
        const std::span<const std::uint32_t> own = cells.subspan(piece.begin, piece.end - piece.begin);
        pieces.push_back(static_cast<std::uint32_t>(piece.frame));
        pieces.push_back(static_cast<std::uint32_t>(own.size()));
        theirs.insert(theirs.end(), own.begin(), own.end());
    }
    gatherOnFirst(ranks, pieces);
    gatherOnFirst(ranks, theirs);
    std::span<const std::uint32_t> left(theirs);
    for (std::size_t i = 0; i < pieces.size(); i += 2) {
        collector_.begin(pieces[i]);
        collector_.add(left.first(pieces[i + 1]));
        left = left.subspan(pieces[i + 1]);
    }
}

void ListCut::joinBetween(Communicator& ranks) {
    const std::vector<std::uint64_t> all = ranks.numbersOfAll(cutter_.between());
    ofOthers_ = std::accumulate(all.begin(), all.end(), std::uint64_t{0}) - cutter_.between();
}

FramedCounts ListCut::take() {
    cutter_.finish();
    context_.note(cutter_.note(ofOthers_));
    FramedCounts frames;
    frames.stored = collector_.stored();
    frames.frames = collector_.take();
    for (std::size_t i = 0; i < poses_.size(); ++i) {
        frames.frames[i].moved = std::move(poses_[i]);
    }
    frames.nuclide = context_.request().nuclide;
    frames.between = cutter_.between() + ofOthers_;
    frames.gates = frames.frames.front().gate > 0 ? context_.request().gates.count : 0;
    const auto perFrame = static_cast<std::size_t>(std::max(frames.gates, 1));
    for (std::size_t i = 0; i < frames.frames.size(); ++i) {
        if (const FrameCounts& one = frames.frames[i]; one.kept == 0) {
            context_.note(fmt::format("{}: {}frame {} holds no events; its image will be zero",
                                      context_.request().input,
                                      one.gate > 0 ? fmt::format("gate {} of ", one.gate) : "",
                                      frameText(cutter_.frames(), i / perFrame)));
        }
    }
    return frames;
}

EventList eventsOf(const EventList& part, const FrameCutter::Piece& piece) {
    const auto from = static_cast<std::ptrdiff_t>(piece.begin);
    const auto to = static_cast<std::ptrdiff_t>(piece.end);
    EventList events;
    events.crystals.assign(part.crystals.begin() + from, part.crystals.begin() + to);
    if (!part.dt_ps.empty()) {
        events.dt_ps.assign(part.dt_ps.begin() + from, part.dt_ps.begin() + to);
    }
    events.time_ms.assign(part.time_ms.begin() + from, part.time_ms.begin() + to);
    return events;
}

void countFrames(const FramedCounts& frames, std::vector<float>& counts) {
    std::fill(counts.begin(), counts.end(), 0.0F);
    std::vector<std::uint32_t> room;
    for (std::size_t frame = 0; frame < frames.frames.size(); ++frame) {
        for (const std::uint32_t cell : frames.cellsOf(frame, room)) {
            counts[cell] += 1.0F;
        }
    }
}

}  // namespace tof
