// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/image_kind.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "ui/desk/run_item.h"
#include "ui/desk/uptakes.h"
#include "ui/desk/view_model.h"

namespace tof::ui {

namespace {

constexpr DisplayRange kBiasAtFirst{-50, 50};  ///< per cent

// contrast, truth, share, total, width
constexpr KindRow kKindRows[] = {
    {ImageKind::Run, QT_TRANSLATE_NOOP("Text", "filtered"), "", KindMap::Usual, true, true, true, true, true},
    {ImageKind::Truth, QT_TRANSLATE_NOOP("Text", "truth"), "", KindMap::Usual, true, true, true, true, true},
    {ImageKind::Bias, QT_TRANSLATE_NOOP("Text", "bias"), "", KindMap::Diverging, false, false, false, false,
     false, kBiasAtFirst},
    {ImageKind::Mean, QT_TRANSLATE_NOOP("Text", "mean image"), "", KindMap::Usual, true, true, true, true,
     true},
    {ImageKind::Deviation, QT_TRANSLATE_NOOP("Text", "SD image"), "sd ", KindMap::Other, false, false, true},
    {ImageKind::Attenuation, QT_TRANSLATE_NOOP("Text", "\u03bc map"), "", KindMap::Usual, false, false, true},
    {ImageKind::Ct, "CT", "", KindMap::Usual},
    {ImageKind::Labels, QT_TRANSLATE_NOOP("Text", "labels"), "labels ", KindMap::Labels},
    {ImageKind::Pet, QT_TRANSLATE_NOOP("Text", "volume"), "", KindMap::Usual, true, false, true, true, true},
    {ImageKind::Patient, QT_TRANSLATE_NOOP("Text", "volume"), "", KindMap::Usual, false, false, true, true,
     true},
    {ImageKind::Parametric, QT_TRANSLATE_NOOP("Text", "parametric"), "", KindMap::Other, false, false, true},
    {ImageKind::Kappa, QT_TRANSLATE_NOOP("Text", "strength"), "kappa ", KindMap::Other, false, false, true},
    {ImageKind::Pull, QT_TRANSLATE_NOOP("Text", "pull"), "pull ", KindMap::Diverging}};

/// What a unit tells; of a volume without one, or in another, it may be activity.
constexpr std::pair<const char*, ImageKind> kUnitKinds[] = {
    {"1/cm", ImageKind::Attenuation}, {"1/mm", ImageKind::Attenuation}, {"HU", ImageKind::Ct},
    {"label", ImageKind::Labels},     {"kernel id", ImageKind::Labels}, {"%", ImageKind::Bias},
    {"1", ImageKind::Parametric},     {"1/min", ImageKind::Parametric}, {"ml/cm3", ImageKind::Parametric},
    {"min", ImageKind::Parametric}};

}  // namespace

const KindRow& kindRow(ImageKind kind) {
    return *std::find_if(std::begin(kKindRows), std::end(kKindRows),
                         [kind](const KindRow& row) { return row.kind == kind; });
}

ImageKind imageKind(const RunItem& item, const Uptakes* uptakes) {
    if (item.madeAs()) {
        return *item.madeAs();
    }
    const auto told = std::find_if(std::begin(kUnitKinds), std::end(kUnitKinds),
                                   [&](const auto& each) { return item.units() == each.first; });
    if (item.isVolume() && told != std::end(kUnitKinds)) {
        return told->second;
    }
    if (!item.isVolume() || !item.dataHash().empty()) {
        return ImageKind::Run;
    }
    return uptakes != nullptr && uptakes->of(item) != nullptr ? ImageKind::Patient : ImageKind::Pet;
}

Look firstLook(const KindRow& kind, Look usual) {
    const bool dark = viz::ColourMap::find(usual.map.toStdString()).darkGround();
    switch (kind.map) {
        case KindMap::Usual: return usual;
        case KindMap::Diverging: usual.map = dark ? "difference-dark" : "difference-light"; break;
        case KindMap::Labels: usual.map = viz::kLabelMap; break;
        case KindMap::Other: usual.map = "viridis"; break;
    }
    usual.picked = true;  // not that of the theme
    usual.isAuto = !kind.range;
    usual.range = kind.range.value_or(usual.range);
    return usual;
}

}  // namespace tof::ui
