// SPDX-License-Identifier: Apache-2.0
// What an experiment found, as files for people and programs.
#pragma once

#include <string>

#include "recon/experiment/experiment.h"

namespace tof {

/// {"experiment","source","conditions","comparisons":[{"quantity","unit","paper","ours","remark"}],
///  "columns","rows","pictures","notes","checks":[{"name","condition","bound","tolerance","value","unit",
///  "source","remark","verdict"}],"verdict","skipped","seeds","made":{"date","version","machine","engines",
///  "size","seconds"}}; a number that could not be had is null.
[[nodiscard]] std::string reportAsJson(const Experiment& experiment, const ExperimentReport& report);
/// The data table with a line of headings.
[[nodiscard]] std::string reportAsCsv(const ExperimentReport& report);
/// Paper's value beside ours, the pictures, the notes.
[[nodiscard]] std::string reportAsMarkdown(const Experiment& experiment, const ExperimentReport& report);

/// Makes a folder where there is none. Throws CannotWrite.
void makeReportFolder(const std::string& folder);
/// Writes NAME.json, NAME.csv, NAME.md, NAME.html and NAME-PICTURE into a folder, which is made when it is
/// not there. Throws CannotWrite.
void writeReport(const std::string& folder, const Experiment& experiment, const ExperimentReport& report);
/// Joins the pages NAME.html that a folder holds, of this run and of earlier ones, to report.html, in the
/// order of experiments(). How many there were; with none nothing is written. Throws CannotWrite.
std::size_t writeJoinedReport(const std::string& folder);

}  // namespace tof
