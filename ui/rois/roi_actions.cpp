// SPDX-License-Identifier: Apache-2.0
#include "ui/rois/roi_actions.h"

#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <map>

#include "recon/base/error.h"
#include "recon/base/text_file.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/format_table.h"
#include "recon/metrics/roi_place.h"
#include "recon/metrics/sphere_recovery.h"
#include "recon/settings/version.h"
#include "recon/study/label_map.h"
#include "recon/systems/histo/histo_model.h"
#include "recon/systems/histo/histo_system.h"
#include "ui/desk/open_study.h"
#include "ui/desk/roi_geometry.h"
#include "ui/desk/run_list.h"
#include "ui/desk/screen.h"
#include "ui/desk/view_model.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

const Roi& selectedRoi(const RoiModel& model) {
    const Roi* roi = model.selectedRoi();
    if (roi == nullptr) {
        throw WrongUse(Text::tr("no ROI is selected; click its outline or its row").toStdString());
    }
    return *roi;
}

QString nameOf(const Roi& roi) {
    return QString::fromStdString(roi.name);
}

/// "background 3" -> "background".
std::string stemOf(const std::string& name) {
    const QString text = QString::fromStdString(name);
    bool number = false;
    static_cast<void>(text.section(' ', -1).toInt(&number));
    return number && text.contains(' ') ? text.section(' ', 0, -2).toStdString() : name;
}

bool isVolumeName(const QString& file) {
    return file.endsWith(".nii") || file.endsWith(".nii.gz") || file.endsWith(".hv") || file.endsWith(".h5");
}

bool contains(const std::array<Vec3, 2>& box, Vec3 p) {
    return p.x >= box[0].x && p.y >= box[0].y && p.z >= box[0].z && p.x <= box[1].x && p.y <= box[1].y &&
           p.z <= box[1].z;
}

/// The sphere that a background is drawn around; -1: none.
int sphereInside(const std::vector<Roi>& rois, const Roi& background) {
    auto box = roiBounds(background);
    const double room = 0.5 * norm(box[1] - box[0]);
    if (isFlat(background.shape)) {  // a sphere's middle may lie a little above or below the slice
        const auto normal = static_cast<int>(planeFrame(background.plane).normal);
        viz::setCoordinate(box[0], normal, viz::coordinate(box[0], normal) - room);
        viz::setCoordinate(box[1], normal, viz::coordinate(box[1], normal) + room);
    }
    int best = -1;
    double least = 0;
    for (int i = 0; i < static_cast<int>(rois.size()); ++i) {
        const Roi& roi = rois[static_cast<std::size_t>(i)];
        const double away = norm(roi.centre - background.centre);
        if (roi.role == Roi::Role::Sphere && contains(box, roi.centre) && (best < 0 || away < least)) {
            best = i;
            least = away;
        }
    }
    return best;
}

/// Gives a sphere that comes with its own backgrounds a group of its own where another one has that number.
void regroup(std::vector<Roi>& coming, const std::vector<Roi>& there) {
    const auto has = [](const std::vector<Roi>& rois, Roi::Role role, int group) {
        return std::any_of(rois.begin(), rois.end(),
                           [&](const Roi& roi) { return roi.role == role && roi.group == group; });
    };
    int next = 0;
    for (const std::vector<Roi>* rois : {&there, static_cast<const std::vector<Roi>*>(&coming)}) {
        for (const Roi& roi : *rois) {
            next = std::max(next, roi.group + 1);
        }
    }
    std::map<int, int> groups;
    for (const Roi& roi : coming) {
        const bool whole = roi.group >= 0 && has(coming, Roi::Role::Sphere, roi.group) &&
                           has(coming, Roi::Role::Background, roi.group);
        const bool clash =
            has(there, Roi::Role::Sphere, roi.group) || has(there, Roi::Role::Background, roi.group);
        if (whole && clash && groups.count(roi.group) == 0) {
            groups[roi.group] = next++;
        }
    }
    for (Roi& roi : coming) {
        if (const auto moved = groups.find(roi.group); moved != groups.end()) {
            roi.group = moved->second;
        }
    }
}

}  // namespace

RoiSet readRois(const QString& file, double trueRatio, const std::function<void()>& heed) {
    const std::string path = file.toStdString();
    if (!QFileInfo::exists(file)) {
        throw BadInput(Text::tr("%1: no such file").arg(QString::fromStdString(path)).toStdString());
    }
    RoiSet set;
    if (fileKind(path) == FileKind::Volume) {
        set.rois = readLabelMap(path, heed);
        set.trueRatio = trueRatio;
    } else {
        set = roiSetFromJson(readTextFile(path), path);
        if (set.trueRatio == 0) {
            set.trueRatio = trueRatio;
        }
    }
    return set;
}

void loadRois(RoiModel& model, const QString& file) {
    model.replaceAll(readRois(file, model.set().trueRatio), Text::tr("Open ROIs"));
}

void writeRois(const Destination& to, const RoiSet& set, const Lattice& lattice) {
    if (isVolumeName(QString::fromStdString(to.path))) {
        if (lattice.voxels() == 0) {
            throw WrongUse(
                Text::tr("a label map needs an image whose lattice it takes; open one first").toStdString());
        }
        writeLabelMap(to, set.rois, lattice);
        return;
    }
    writeTextAside(to.path, roiSetToJson(set));
}

void addRois(RoiModel& model, const QString& json, const QString& source) {
    std::vector<Roi> rois = roisFromJson(json.toStdString(), source.toStdString());
    regroup(rois, model.rois());
    std::vector<std::string> taken;
    for (Roi& roi : rois) {
        const auto isTaken = [&](const std::string& name) {
            return model.find(QString::fromStdString(name)) >= 0 ||
                   std::find(taken.begin(), taken.end(), name) != taken.end();
        };
        const std::string stem = stemOf(roi.name);
        for (int n = 1; isTaken(roi.name); ++n) {
            roi.name = stem + " " + std::to_string(n);
        }
        taken.push_back(roi.name);
    }
    const QString text =
        rois.size() == 1 ? Text::tr("Paste %1").arg(nameOf(rois.front())) : Text::tr("Paste ROIs");
    model.add(std::move(rois), text);
}

void addRing(RoiModel& model, int copies, Vec3 about) {
    const Roi& first = selectedRoi(model);
    std::vector<Roi> ring = ringOfCopies(first, copies, about);
    const std::string stem = stemOf(first.name);
    int n = 0;
    for (Roi& roi : ring) {
        do {
            roi.name = stem + " " + std::to_string(++n);
        } while (model.find(QString::fromStdString(roi.name)) >= 0);
    }
    model.add(std::move(ring), Text::tr("Ring of %1").arg(nameOf(first)));
}

void addThreshold(RunList& runs, const ViewModel& view, RoiModel& rois, double fraction, double reach_mm,
                  ThresholdKind kind) {
    RunItem* item = runs.selected();
    const auto volume = item != nullptr ? item->volume() : nullptr;
    if (volume == nullptr) {
        throw WrongUse(Text::tr("a threshold needs an image on screen").toStdString());
    }
    Roi roi = thresholdRegion(*volume, view.cursor(), fraction, reach_mm).roi;
    if (kind == ThresholdKind::Sphere) {
        roi = sphereOfRegion(roi);
    }
    roi.name = rois.freeName(kind == ThresholdKind::Sphere ? "sphere" : "region");
    const QString text = Text::tr("Threshold %1").arg(nameOf(roi));
    rois.add({std::move(roi)}, text);
}

ContourMade addContour(RunList& runs, RoiModel& rois, const ContourWish& wish) {
    const auto volume = runs.image();
    if (volume == nullptr) {
        throw WrongUse(Text::tr("a contour needs an image on screen").toStdString());
    }
    ContourFacts facts{wish.suvPerUnit};
    if (const Roi* liver = rois.at(rois.find("liver"))) {
        facts.reference = roiStatistics(*liver, *volume);
    }
    const double level = contourLevel(wish.rule, *volume, wish.around, wish.reach_mm, facts);
    Roi roi = contourRegion(*volume, wish.around, level, wish.reach_mm);
    const int index = wish.instead.isEmpty() ? -1 : rois.find(wish.instead);
    roi.name = index >= 0 ? wish.instead.toStdString() : rois.freeName("contour");
    const ContourMade made{nameOf(roi), endsAtReach(*volume, roi, wish.around, level, wish.reach_mm)};
    const QString text = Text::tr("Contour %1").arg(made.name);
    index >= 0 ? rois.change(index, roi, text) : rois.add({std::move(roi)}, text);
    return made;
}

void placeFromPhantom(RoiModel& model, const std::string& phantom, Placement placement) {
    if (phantom.empty()) {
        throw WrongUse(Text::tr("the data name no phantom that ROIs could be taken from").toStdString());
    }
    if (placement == Placement::Recovery) {
        const Phantom shapes = Phantom::fromNameOrText(phantom, "phantom of the data");
        model.replaceAll(recoveryRois(shapes, SphereCircle::OfDiameter),
                         Text::tr("Place recovery ROIs from the phantom"));
        return;
    }
    RoiSet set = autoRois(phantom);
    if (set.rois.empty()) {
        throw WrongUse(
            Text::tr("the phantom of the data says nothing of spheres or backgrounds").toStdString());
    }
    model.replaceAll(std::move(set), Text::tr("Place ROIs from the phantom"));
}

void setRole(RoiModel& model, Roi::Role role) {
    const Roi& roi = selectedRoi(model);
    const auto index = static_cast<std::size_t>(model.selected());
    const int sphere = role == Roi::Role::Background && roi.group < 0 ? sphereInside(model.rois(), roi) : -1;
    model.edit(Text::tr("Set role of %1").arg(nameOf(roi)), [&](RoiSet& set) {
        set.rois[index].role = role;
        if (sphere >= 0) {
            int& group = set.rois[static_cast<std::size_t>(sphere)].group;
            if (group < 0) {
                for (const Roi& other : set.rois) {
                    group = std::max(group, other.group);
                }
                ++group;
            }
            set.rois[index].group = group;
        }
    });
}

void nudge(RoiModel& model, const ViewModel& view, double right, double down) {
    const Roi& roi = selectedRoi(model);
    if (roi.locked) {
        throw WrongUse(Text::tr("ROI '%1' is locked; unlock it first").arg(nameOf(roi)).toStdString());
    }
    const viz::PlaneAxes axes = viz::planeAxes(view.activePlane(), view.orientation());
    const auto spacing = [&](int axis) { return view.lattice().spacing_mm[static_cast<std::size_t>(axis)]; };
    Vec3 by;
    viz::setCoordinate(by, axes.across, right * axes.acrossSign * spacing(axes.across));
    viz::setCoordinate(by, axes.down, down * axes.downSign * spacing(axes.down));
    model.nudge(model.selected(), translated(roi, by), Text::tr("Nudge %1").arg(nameOf(roi)));
}

QString exportTitle(const OpenStudy& study) {
    return QString("# tofscope %1; study %2\n").arg(kVersion, study.name());
}

QString exportRun(const RunItem& item) {
    const QString run = "run " + item.label() + " " + item.name();
    if (item.isVolume()) {
        return run;
    }
    // What the run was made with and what says something of its system: a ring run has no kernel.
    QStringList parts{run};
    const std::string& system = item.system();
    if (system.empty() || system == DirectModel::kSystem) {
        const std::string& text = item.settings().kernelText;
        parts << "kernel " +
                     QString::fromStdString(text.starts_with('{') ? kernelName(item.settings()) : text);
    } else {
        for (const SettingInfo& info : settingsTable()) {
            if (info.system == system && (info.key == "projector" || !item.settings().isDefault(info.key))) {
                parts << QString::fromStdString(info.key + " " + item.settings().get(info.key));
            }
        }
    }
    parts << "engine " + item.engine();
    parts << QString::fromStdString("algorithm " + item.settings().get("algorithm"));
    return parts.join("; ");
}

QString exportHeader(const OpenStudy& study, RunList& runs, Screen& screen) {
    QString text = exportTitle(study);
    if (const RunItem* item = runs.selected()) {
        text += "# " + exportRun(*item) + "; " + item->shownText() + "; values in " +
                screen.unitOf(*item).name + "\n";
    }
    text +=
        "# SD with n - 1, n the sum of fractions; circles and annuli: exact area in the nearest slice; other "
        "flat shapes 8 x 8 points a pixel; solids 5 x 5 x 5 points a voxel\n"
        "# CRC = ((mean - b)/b)/(true ratio - 1), b the mean of the sphere's backgrounds; recovery = (mean/u "
        "- "
        "1)/(true ratio - 1), u the mean of the uniform ROIs; NSR = SD/mean of a uniform ROI\n";
    return text;
}

}  // namespace tof::ui
