// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof::ui {

class Annotations;
class Desk;
class LayerModel;
class OpenStudy;
class Page;
class PlaceHandles;
class RoiModel;
class RunList;
class ViewModel;

/// What slices show and what the mouse changes in them; all of it outlives whoever holds this.
struct PictureModels {
    RunList& runs;
    ViewModel& view;
    RoiModel& rois;
    LayerModel& layers;
    Annotations& annotations;
    PlaceHandles& handles;  ///< they hold an image that is laid onto another one
    const OpenStudy& study;

    [[nodiscard]] static PictureModels of(Desk& desk);
    /// From now on the page follows cursor and look, the runs a moment after the pictures, and what is open.
    void bind(Page& page) const;
};

}  // namespace tof::ui
