// SPDX-License-Identifier: Apache-2.0
// What an image is of: it decides what may stand beside it and how it looks at first.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

#include "recon/metrics/robust_range.h"

namespace tof::ui {

class RunItem;
class Uptakes;
struct Look;

enum class ImageKind : std::uint8_t {
    Run,          ///< reconstructed from the open data, or filtered from that
    Truth,        ///< the activity that was measured
    Bias,         ///< an image against the truth
    Mean,         ///< the mean of several runs
    Deviation,    ///< their SD
    Attenuation,  ///< a mu map
    Ct,
    Labels,      ///< numbers of regions
    Pet,         ///< what may be the same activity, by somebody else's program
    Patient,     ///< activity with a dose and a body weight of its own
    Parametric,  ///< rates and volumes of tissues
    Kappa,       ///< the strength of a prior
    Pull         ///< the gradient of a prior
};

/// Maps that images start with.
enum class KindMap : std::uint8_t {
    Usual,      ///< that of all images
    Diverging,  ///< one colour on either side of 0
    Labels,
    Other  ///< so that nobody takes it for an image of activity
};

/// What is said of images of a kind beside mean and SD of every ROI, and how they look at first.
struct KindRow {
    ImageKind kind;
    const char* word;       ///< "SD": what the list of runs calls it; Text
    const char* look;       ///< its look is one for images of its unit that have this prefix, too
    KindMap map;            ///< what it starts with
    bool contrast = false;  ///< CRC, noise and NSR by the roles of the ROIs
    bool truth = false;     ///< the phantom of the open data is what was measured
    bool share = false;     ///< 0 means nothing there: an SD may be said in per cent of the mean
    bool total = false;     ///< its values are numbers of emissions, whose sum is one
    bool width = false;     ///< the width of a peak is that of an object as it was resolved
    std::optional<DisplayRange> range{};  ///< what it starts with; empty: the automatic one
    /// `contrast` would be true, but the background's mean is not positive, or lost in noise
    /// (Screen::kindOf).
    bool lost = false;
};

/// The row of a kind.
[[nodiscard]] const KindRow& kindRow(ImageKind kind);
/// The kind of an image: what it was made as, or else what its unit and its dose tell; without
/// `uptakes` a patient's is a Pet.
[[nodiscard]] ImageKind imageKind(const RunItem& item, const Uptakes* uptakes = nullptr);
/// How an image of a kind looks at first; `usual` is how all others do.
[[nodiscard]] Look firstLook(const KindRow& kind, Look usual);

}  // namespace tof::ui
