// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "recon/work/bin_rows.h"
#include "recon/work/follow.h"

namespace tof {

namespace {

using namespace row_words;
using FollowRow = RequestRow<FollowRequest>;

/// What histo-images of a growing list are asked, out of what 'bin' takes. Commands have --grid and --voxel
/// among the settings.
bool belongs(const RequestRow<BinRequest>& row) {
    constexpr std::array kKeys{"views", "azimuths", "tilts", "deposit", "scanner", "mu", "mu-units"};
    return std::find(kKeys.begin(), kKeys.end(), row.key) != kKeys.end();
}

std::vector<RequestRow<BinRequest>> binningRows() {
    std::vector<RequestRow<BinRequest>> rows;
    std::copy_if(binRows().begin(), binRows().end(), std::back_inserter(rows), belongs);
    for (RequestRow<BinRequest>& row : rows) {
        if (row.tip.empty()) {
            row.tip = row.help;  // what the window shows speaks of no option
        }
        row.help = "With --follow: " + row.help;
    }
    return rows;
}

std::vector<FollowRow> ownRows() {
    return {
        FollowRow::of(&FollowRequest::until_s, "until", Label{toTranslate("Word", "Ends after")}, Unit{"s"},
                      Limits{0, 86400}, Empty{toTranslate("Word", "its last event, or Finish")},
                      Help{"With --follow: the list has ended when nothing came for so many seconds; 0 waits "
                           "for the events that its header announces, the end of the pipe, or an interrupt"},
                      Tip{toTranslate("Word",
                                      "The list has ended when nothing came for so many seconds; 0 waits for "
                                      "the events that its header announces, or for Finish")}),
        FollowRow::of(&FollowRequest::last_s, "last", Label{toTranslate("Word", "Image of the last")},
                      Unit{"s"}, Limits{0, 86400}, Empty{toTranslate("Word", "everything")},
                      Help{"With --follow: images while the list grows are those of so many last seconds of "
                           "the scan; 0 takes everything. The run is of everything"},
                      Tip{toTranslate("Word",
                                      "Images while the list grows are those of so many last seconds of the "
                                      "scan; 0 takes everything")}),
        FollowRow::of(&FollowRequest::image, "live",
                      Help{"With --follow: file that each image made meanwhile replaces (.nii.gz, .h5, ...)"},
                      TextRole::NewFile, Shown::Command),
        FollowRow::of(&FollowRequest::counts, "counts", Label{toTranslate("Word", "Data file")},
                      Help{"With --follow: data file for the counts in the end, as 'bin' would write it"},
                      Tip{toTranslate("Word", "Gets the counts in the end; the run is made of it")},
                      TextRole::NewFile)};
}

std::vector<FollowRow> allRows() {
    std::vector<FollowRow> rows{FollowRow::made(
        [](const FollowRequest& request) { return request.bin.input; },
        [](FollowRequest& request, const std::string& text) { request.bin.input = text; }, "list",
        Label{toTranslate("Word", "List")},
        Help{toTranslate("Word",
                         "Header (.cdh) of a CASToR list that is still being written, to a file "
                         "or a named pipe")},
        TextRole::File, Shown::Window)};
    for (FollowRow& row : rowsOf(&FollowRequest::bin, binningRows())) {
        rows.push_back(std::move(row));
    }
    for (FollowRow& row : ownRows()) {
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

const std::vector<RequestRow<FollowRequest>>& followRows() {
    static const std::vector<FollowRow> rows = allRows();
    return rows;
}

}  // namespace tof
