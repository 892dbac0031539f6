// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/roi_quantity.h"
#include "ui/kit/text.h"

#include <algorithm>
#include <cmath>

namespace tof::ui {

using Kind = RoiQuantity::Kind;

const std::vector<RoiQuantity>& roiQuantities() {
    static const std::vector<RoiQuantity> all{
        {Kind::Mean, "mean", QT_TRANSLATE_NOOP("Text", "mean"),
         QT_TRANSLATE_NOOP("Text", "Mean, voxels counted by the fraction of them inside")},
        {Kind::Sd, "sd", QT_TRANSLATE_NOOP("Text", "SD"),
         QT_TRANSLATE_NOOP("Text",
                           "Standard deviation over voxels, divided by n - 1, n the sum of fractions")},
        {Kind::SdPercent, "sd-percent", QT_TRANSLATE_NOOP("Text", "SD, %"),
         QT_TRANSLATE_NOOP("Text", "SD (n - 1) over the mean")},
        {Kind::Minimum, "min", QT_TRANSLATE_NOOP("Text", "min"),
         QT_TRANSLATE_NOOP("Text", "Least value of the voxels that are at least partly inside")},
        {Kind::Maximum, "max", QT_TRANSLATE_NOOP("Text", "max"),
         QT_TRANSLATE_NOOP("Text", "Largest value of the voxels that are at least partly inside")},
        {Kind::Peak, "peak", QT_TRANSLATE_NOOP("Text", "peak"),
         QT_TRANSLATE_NOOP("Text",
                           "Largest mean of a sphere of 1 ml whose centre lies in the ROI: SUVpeak as "
                           "PERCIST and EANM define it, where values are SUV")},
        {Kind::Total, "total", QT_TRANSLATE_NOOP("Text", "emissions"),
         QT_TRANSLATE_NOOP(
             "Text",
             "Sum of emissions per voxel, voxels counted by the fraction of them inside; all that the object "
             "sent out, of which the scanner saw a part"),
         QT_TRANSLATE_NOOP("Text", "sum")},
        {Kind::Voxels, "voxels", QT_TRANSLATE_NOOP("Text", "voxels"),
         QT_TRANSLATE_NOOP(
             "Text",
             "Sum of fractions, the effective number of voxels. Circles and annuli: exact area in the "
             "nearest slice; other flat shapes: 8 x 8 points a pixel; solids: 5 x 5 x 5 points a voxel")},
        {Kind::Volume, "volume", "ml",
         QT_TRANSLATE_NOOP("Text", "Sum of fractions times the volume of a voxel")},
        {Kind::Crc, "crc", QT_TRANSLATE_NOOP("Text", "CRC, %"),
         QT_TRANSLATE_NOOP(
             "Text",
             "((mean - b) / b) / (true ratio - 1), b the mean of the backgrounds of the sphere's group")},
        {Kind::ContrastRecovery, "recovery", QT_TRANSLATE_NOOP("Text", "recovery, %"),
         QT_TRANSLATE_NOOP(
             "Text", "Contrast recovery: (mean / u - 1) / (true ratio - 1), u the mean of the uniform ROIs"),
         QT_TRANSLATE_NOOP("Text", "rec., %")},
        {Kind::Nsr, "nsr", QT_TRANSLATE_NOOP("Text", "NSR, %"),
         QT_TRANSLATE_NOOP("Text", "SD (n - 1) over the mean of a uniform ROI; the NSR is their mean")},
        {Kind::Outside, "outside", QT_TRANSLATE_NOOP("Text", "out, %"),
         QT_TRANSLATE_NOOP("Text", "Share that lies outside the image; it is left out of all others")},
        {Kind::TrueCrc, "true-crc", QT_TRANSLATE_NOOP("Text", "true CRC, %"),
         QT_TRANSLATE_NOOP("Text",
                           "CRC of the phantom's own activity by the same ROIs on the same voxels: what a "
                           "perfect reconstruction would have"),
         QT_TRANSLATE_NOOP("Text", "true CRC")},
        {Kind::Overshoot, "overshoot", QT_TRANSLATE_NOOP("Text", "overshoot"),
         QT_TRANSLATE_NOOP("Text",
                           "Of a hot sphere: the largest value within 10 mm of its edge over its true value, "
                           "the true ratio times its background"),
         QT_TRANSLATE_NOOP("Text", "oversh.")}};
    return all;
}

double exportedRoiValue(Kind kind, double value, const DisplayUnit& unit) {
    switch (kind) {
        case Kind::Mean:
        case Kind::Sd:
        case Kind::Minimum:
        case Kind::Maximum:
        case Kind::Peak: return unit.shown(value);
        case Kind::SdPercent:
        case Kind::Crc:
        case Kind::ContrastRecovery:
        case Kind::Nsr:
        case Kind::TrueCrc:
        case Kind::Outside: return 100 * value;
        case Kind::Volume: return value / 1000;
        default: return value;
    }
}

bool roiValueHasUnit(Kind kind) {
    return kind == Kind::Mean || kind == Kind::Sd || kind == Kind::Minimum || kind == Kind::Maximum ||
           kind == Kind::Peak;
}

std::optional<double> roiValue(Kind kind, const Roi& roi, const RoiFigures& figures, const KindRow& image) {
    const RoiStatistics& s = figures.statistics;
    const auto finite = [](double value) {
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    };
    switch (kind) {
        case Kind::Mean: return finite(s.mean);
        case Kind::Sd: return finite(s.sd);
        case Kind::SdPercent: return s.mean > 0 && image.share ? finite(s.sd / s.mean) : std::nullopt;
        case Kind::Minimum: return finite(s.minimum);
        case Kind::Maximum: return finite(s.maximum);
        case Kind::Peak: return finite(figures.peak);
        case Kind::Total: return image.total ? finite(s.total) : std::nullopt;
        case Kind::Voxels: return finite(s.weight);
        case Kind::Volume: return finite(s.volume_mm3);
        case Kind::Crc: return figures.hasCrc ? finite(figures.crc) : std::nullopt;
        case Kind::ContrastRecovery:
            return figures.hasContrastRecovery ? finite(figures.contrastRecovery) : std::nullopt;
        case Kind::Nsr:
            return roi.role == Roi::Role::Uniform && image.contrast ? finite(s.sd / s.mean) : std::nullopt;
        case Kind::Outside: return finite(s.outsideFraction);
        case Kind::TrueCrc: return finite(figures.trueCrc);
        case Kind::Overshoot: return finite(figures.overshoot);
    }
    return std::nullopt;
}

QString roiTitle(const RoiQuantity& quantity, const DisplayUnit& unit, TitleLength length) {
    if (unit.name.startsWith(kSuv)) {
        switch (quantity.kind) {
            case Kind::Mean: return "SUVmean";
            case Kind::Minimum: return "SUVmin";
            case Kind::Maximum: return "SUVmax";
            case Kind::Peak: return "SUVpeak";
            default: break;
        }
    }
    return Text::tr(length == TitleLength::Brief && quantity.brief != nullptr ? quantity.brief
                                                                              : quantity.title);
}

QString whyNoRoiValue(Kind kind, const Roi& roi, const RoiSet& set, const KindRow& image) {
    const auto any = [&](Roi::Role role) {
        return std::any_of(set.rois.begin(), set.rois.end(),
                           [&](const Roi& other) { return other.role == role; });
    };
    const bool contrast = kind == Kind::Crc || kind == Kind::ContrastRecovery || kind == Kind::Nsr;
    const bool truth = kind == Kind::TrueCrc || kind == Kind::Overshoot;
    if (kind == Kind::SdPercent) {
        return image.share
                   ? Text::tr("The mean is not positive")
                   : Text::tr("0 does not mean nothing in this image: no share of its mean means anything");
    }
    if (kind == Kind::Total) {
        return Text::tr("A sum is a number where values are emissions per voxel");
    }
    if (contrast && image.lost) {
        return Text::tr("The background's mean is not positive, or lost in noise");
    }
    if ((contrast && !image.contrast) || (truth && !image.truth)) {
        return Text::tr("Contrast and noise belong to images of the activity that the ROIs were placed for");
    }
    if (kind == Kind::Peak) {
        return Text::tr("No sphere of 1 ml about a voxel of it lies wholly in the image");
    }
    if (kind == Kind::Nsr) {
        return Text::tr("NSR belongs to ROIs of role uniform");
    }
    if (truth && set.truth == nullptr) {
        return Text::tr("The data name no phantom whose activity could be compared with");
    }
    if (kind == Kind::Overshoot && roi.role == Roi::Role::Sphere) {
        return Text::tr("Overshoot belongs to hot spheres of the phantom that have a background");
    }
    if (contrast || truth) {
        if (roi.role != Roi::Role::Sphere) {
            return Text::tr("Contrast belongs to ROIs of role sphere");
        }
        if (!roi.trueRatio && !(set.trueRatio > 0)) {
            return Text::tr("The true ratio is not known, so there is no contrast to compare with");
        }
        if (kind != Kind::ContrastRecovery) {
            return Text::tr("CRC needs a background of the sphere's group, or one without a group");
        }
        return any(Roi::Role::Uniform) ? Text::tr("The image is empty there")
                                       : Text::tr("Contrast recovery needs an ROI of role uniform");
    }
    return Text::tr("No voxel of it lies inside the image");
}

QString roiValueText(Kind kind, const Roi& roi, const RoiFigures& figures, const KindRow& image,
                     const DisplayUnit& unit) {
    const auto value = roiValue(kind, roi, figures, image);
    return value ? QString::number(exportedRoiValue(kind, *value, unit), 'g', 9) : QString();
}

QString roiTableText(const RoiSet& set, const Figures& figures, const KindRow& image,
                     const DisplayUnit& unit) {
    QString text = "ROI\tshape\trole";
    for (const RoiQuantity& quantity : roiQuantities()) {
        const bool inUnits = roiValueHasUnit(quantity.kind) && !unit.name.isEmpty();
        const bool uptake = inUnits && unit.name.startsWith(kSuv);
        text += QString("\t") +
                (uptake ? roiTitle(quantity, unit, TitleLength::Whole) : QString(quantity.title)) +
                (inUnits ? ", " + unit.name : QString());
    }
    text += "\n";
    for (std::size_t i = 0; i < set.rois.size(); ++i) {
        const Roi& roi = set.rois[i];
        text += QString::fromStdString(roi.name).replace('\t', ' ') + "\t" + shapeName(roi.shape) + "\t" +
                roleName(roi.role);
        for (const RoiQuantity& quantity : roiQuantities()) {
            text += "\t";
            if (i < figures.rois.size()) {
                text += roiValueText(quantity.kind, roi, figures.rois[i], image, unit);
            }
        }
        text += "\n";
    }
    return text;
}

}  // namespace tof::ui
