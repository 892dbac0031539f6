// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/image_kind.h"

namespace tof::ui {

namespace {

/// A volume whose unit is not known may be one of activity.
bool isActivity(const QString& units) {
    const QStringList others{"1/cm", "1/mm", "%", "HU", "1"};
    return !others.contains(units);
}

}  // namespace

ImageKind imageKind(const RunItem& item, const Uptakes& uptakes) {
    if (!item.isVolume()) {
        return ImageKind::OfData;
    }
    if (!isActivity(item.units())) {
        return ImageKind::Other;
    }
    if (!item.dataHash().empty()) {
        return ImageKind::OfData;
    }
    return uptakes.of(item) != nullptr ? ImageKind::Patient : ImageKind::Activity;
}

ImageFigures figuresOf(ImageKind kind) {
    switch (kind) {
        case ImageKind::OfData: return {.contrast = true, .truth = true};
        case ImageKind::Activity: return {.contrast = true, .truth = false};
        case ImageKind::Patient:
        case ImageKind::Other: break;
    }
    return {};
}

}  // namespace tof::ui
