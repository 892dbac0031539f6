// SPDX-License-Identifier: Apache-2.0
#include "recon/work/frame_rows.h"

#include <string>
#include <utility>

#include "recon/prior/prior.h"

namespace tof {

namespace {

using namespace row_words;
using FrameRow = RequestRow<FramesAsked>;

constexpr const char* kNone = "none";

bool joins(const FramesAsked& asked) {
    return asked.temporal.prior != nullptr;
}

/// Priors with an objective, and none.
FrameRow temporalRow() {
    Choices names{{kNone}};
    ChoiceWords words{{toTranslate("Word", "none")}};
    for (const Prior* const prior : priors()) {
        if (prior->kind == PriorKind::Objective) {
            names.all.push_back(prior->name);
            words.all.push_back(prior->name);
        }
    }
    return FrameRow::made(
        [](const FramesAsked& asked) { return joins(asked) ? asked.temporal.prior->name : kNone; },
        [](FramesAsked& asked, const std::string& text) {
            asked.temporal.prior = text == kNone ? nullptr : &priorNamed(text);
        },
        "temporal-prior", OptionKind::Choice, Label{toTranslate("Word", "Prior along time")},
        std::move(names), std::move(words),
        Help{toTranslate("Word",
                         "Reconstruct all frames together, with a penalty on differences between consecutive "
                         "ones (osem, mlem)")});
}

std::vector<RequestRow<TemporalPrior>> strengthRows() {
    using Row = RequestRow<TemporalPrior>;
    const Row::Applies apply = [](const TemporalPrior& temporal) { return temporal.prior != nullptr; };
    return {
        Row::of(&TemporalPrior::beta, "temporal-beta", Label{toTranslate("Word", "Its strength")},
                Limits{0, 1e9},
                Help{"With --temporal-prior: its strength, without a unit; 0 leaves frames alone"},
                Tip{toTranslate("Word", "It has no unit; 0 leaves frames alone")}, apply),
        Row::of(
            &TemporalPrior::gates, "temporal-gates", Label{toTranslate("Word", "Gates of a frame")},
            Choices{{"none", "row", "cycle"}},
            ChoiceWords{{toTranslate("Word", "are not compared"), toTranslate("Word", "each with the next"),
                         toTranslate("Word", "and the last with the first")}},
            Help{"With --temporal-prior: which gates of a frame are compared: none, each with the "
                 "next (row, of amplitudes), or the last with the first as well (cycle, of phases)"},
            Tip{toTranslate("Word",
                            "Amplitudes are in a row, phases in a cycle. What moves between two gates "
                            "is blurred where they are compared")},
            apply)};
}

}  // namespace

const std::vector<FrameRow>& frameRows() {
    static const std::vector<FrameRow> rows = [] {
        std::vector<FrameRow> all{
            FrameRow::of(
                &FramesAsked::only, "only", Label{toTranslate("Word", "Frames")},
                Help{"Frames of data that are cut by time, as 3-10 or 1,4-6, or 'sum': none of them; "
                     "all by default, after the image of their sum"},
                Tip{toTranslate("Word", "Numbers of frames, as 3-10 or 1,4-6")},
                Empty{toTranslate("Word", "all")}),
            FrameRow::of(&FramesAsked::start, "frames-from", Label{toTranslate("Word", "They begin as")},
                         Choices{{"uniform", "sum"}},
                         ChoiceWords{{toTranslate("Word", "a uniform image"),
                                      toTranslate("Word", "the image of the sum")}},
                         Help{toTranslate("Word",
                                          "What the images of frames begin as: uniform, or the image of the "
                                          "sum, which needs fewer iterations and leans towards it")}),
            temporalRow()};
        for (FrameRow& row : rowsOf(&FramesAsked::temporal, strengthRows())) {
            all.push_back(std::move(row));
        }
        return all;
    }();
    return rows;
}

}  // namespace tof
