// SPDX-License-Identifier: Apache-2.0
// What menus, the clipboard and the command line do with ROIs; each is one undo step. No widgets.
#pragma once

#include <QString>
#include <functional>

#include "recon/io/bytes/destination.h"
#include "recon/metrics/contour.h"
#include "ui/desk/roi_model.h"

namespace tof::ui {

class OpenStudy;
class RunItem;
class RunList;
class Screen;

/// ROIs from JSON, or one per label of a volume, which takes seconds of a large one; `trueRatio` is that of
/// files that do not say it. Throws BadInput, and what `heed` throws.
[[nodiscard]] RoiSet readRois(const QString& file, double trueRatio, const std::function<void()>& heed = {});
/// readRois() in the place of those that are there.
void loadRois(RoiModel& model, const QString& file);
/// JSON, or with the extension of a volume a label map on the lattice. Throws CannotWrite, WrongUse for a
/// lattice without voxels, and what the destination's heed throws.
void writeRois(const Destination& to, const RoiSet& set, const Lattice& lattice);
/// Adds the ROIs of a JSON text; names that are taken get a number, spheres that come with their backgrounds
/// a group of their own. Throws BadInput.
void addRois(RoiModel& model, const QString& json, const QString& source);
/// Adds copies of the selected ROI so that there are `copies` around the axis through `about`.
void addRing(RoiModel& model, int copies, Vec3 about);

/// What becomes of the voxels above a threshold.
enum class ThresholdKind { Sphere, Voxels };
/// Adds what is found around the cursor: connected voxels of at least `fraction` of the largest value within
/// `reach_mm`. Throws WrongUse or BadInput.
void addThreshold(RunList& runs, const ViewModel& view, RoiModel& rois, double fraction, double reach_mm,
                  ThresholdKind kind);
/// A contour that is to be drawn down to a level that people know by a name.
struct ContourWish {
    ContourRule rule;
    Vec3 around;            ///< mm
    double suvPerUnit = 0;  ///< SUV of a stored value of 1; 0: not known
    double reach_mm = 30;   ///< it ends no farther from `around`; as a threshold's at first
    QString instead{};      ///< name of the ROI whose place it takes; empty: it is a new one
};
struct ContourMade {
    QString name;
    bool cut = false;  ///< it ended at its reach, and the image goes on at or above its level
};
/// Adds such voxels of the image on screen; PERCIST's liver is the ROI of that name. Throws WrongUse or
/// BadInput.
ContourMade addContour(RunList& runs, RoiModel& rois, const ContourWish& wish);
/// Which ROIs of a phantom: spheres with rings for CRC, or hot and cold spheres with eight circles for
/// contrast recovery.
enum class Placement { Crc, Recovery };
/// The ROIs that belong to a phantom, by name or JSON, in the place of those that are there. Throws WrongUse
/// for an empty one: none is known.
void placeFromPhantom(RoiModel& model, const std::string& phantom, Placement placement);
/// Gives the selected ROI a role. A background takes the group of the nearest sphere inside its bounds, which
/// gets a number when it has none.
void setRole(RoiModel& model, Roi::Role role);
/// Displaces the selected ROI by voxels along the axes of the active picture (to the right, downwards).
void nudge(RoiModel& model, const ViewModel& view, double right, double down);

/// "# tofscope VERSION; study NAME": the first line of whatever is exported.
[[nodiscard]] QString exportTitle(const OpenStudy& study);
/// "run A variant1; kernel variant1; engine cpu, 2 threads; algorithm ramla": where its values come from, by
/// the run's own settings; of ring data the line projector instead of a kernel.
[[nodiscard]] QString exportRun(const RunItem& item);
/// What is written above an exported table: study, run, iterate, kernel, engine, version, definitions.
[[nodiscard]] QString exportHeader(const OpenStudy& study, RunList& runs, Screen& screen);

}  // namespace tof::ui
