// SPDX-License-Identifier: Apache-2.0
#include "recon/work/calibration_rows.h"

namespace tof {

const std::vector<RequestRow<CalibrationRequest>>& calibrationRows() {
    using namespace row_words;
    using Row = RequestRow<CalibrationRequest>;
    static const std::vector<Row> rows{
        Row::of(&CalibrationRequest::activity_Bq_ml, "activity", Label{toTranslate("Word", "Activity")},
                Unit{"Bq/ml"}, Limits{1e-3, 1e12},
                Help{"Activity of the regions, Bq/ml, the mean of the scan"},
                Tip{toTranslate("Word", "Activity of the ROIs, the mean of the scan")}, Need::Required,
                Row::Applies([](const CalibrationRequest& asked) { return asked.from.empty(); })),
        Row::of(&CalibrationRequest::rois, "rois",
                Help{"Regions within the phantom: a JSON file of ROIs or a label map"}, TextRole::File,
                Need::Required, Shown::Command),
        Row::of(&CalibrationRequest::iteration, "iteration", Limits{0, 100000},
                Help{"Iterate of the run; 0 takes the last"}, Shown::Command),
        Row::of(
            &CalibrationRequest::from, "from", Label{toTranslate("Word", "Or a calibration")},
            Empty{toTranslate("Word", "none: the ROIs make one")},
            Help{toTranslate("Word", "What 'calibrate' has written, or a header of CASToR with its factor")},
            TextRole::File, Shown::Window),
        Row::of(&CalibrationRequest::out, "out", Label{toTranslate("Word", "Write it to")},
                Empty{toTranslate("Word", "no file")},
                Help{toTranslate("Word", "Keeps the calibration for other scans and for 'convert'")},
                TextRole::NewFile, Shown::Window)};
    return rows;
}

}  // namespace tof
