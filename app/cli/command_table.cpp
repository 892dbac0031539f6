// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"

#include "app/cli/rank_commands.h"

namespace tof {

const std::vector<CommandInfo>& commandTable() {
    static const std::vector<CommandInfo> table{
        {"simulate", "Simulate list-mode of a phantom in a scanner by Monte Carlo", makeSimulateCommand,
         true},
        {"bin", "Sort list-mode into data with corrections", makeBinCommand, true},
        {"correct", "Add expected randoms and scatter to data", makeCorrectCommand},
        {"project", "Project one view of a volume, forward or back", makeProjectCommand},
        {"reconstruct", "Reconstruct data into a run, with checkpoints", makeReconstructCommand, true},
        {"sweep", "Reconstruct with every one of a list of settings, and compare", makeSweepCommand, true},
        {"plan", "Predict memory, traffic and time of a reconstruction over ranks", makePlanCommand},
        {"runs", "List, rename or delete the runs of a study, or print the settings of one", makeRunsCommand},
        {"analyze", "Print CRC, noise and ROI values of every iterate of a run", makeAnalyzeCommand},
        {"rois", "Make ROIs from a phantom, a threshold or a ring; to and from label maps", makeRoiCommand},
        {"tac", "Print activity against time of the regions of a dynamic image", makeCurvesCommand},
        {"truth", "Write what a simulated phantom held in each frame of its data", makeTruthCommand},
        {"kinetics", "Fit a kinetic model to a dynamic image: Patlak, Logan, SRTM, one tissue",
         makeKineticsCommand},
        {"figure", "Make a figure for a paper from a template: PDF or SVG at a journal's width",
         makeFigureCommand},
        {"register", "Lay one image onto another, by mutual information or by hand", makeRegisterCommand},
        {"kernel", "Print the tables, widths and values of an SR kernel", makeKernelCommand},
        {"measure-kernel", "Measure an SR kernel from list-mode of point sources", makeMeasureKernelCommand},
        {"calibrate", "Make Bq/ml of a scanner's images, by a phantom of known activity",
         makeCalibrateCommand},
        {"info", "Say what a file holds", makeInfoCommand},
        {"list", "List the series of DICOM and the studies in a folder and below it", makeListCommand},
        {"convert", "Convert between file formats", makeConvertCommand},
        {"devices", "List the engines, and why one is absent", makeDevicesCommand},
        {"manual", "Write manual pages and shell completions of every command", makeManualCommand},
    };
    return table;
}

}  // namespace tof
