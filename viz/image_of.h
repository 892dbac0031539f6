// SPDX-License-Identifier: Apache-2.0
// What the pipelines of this room share. The only header that shows VTK.
#pragma once

#include <vtkImageData.h>
#include <vtkImageReslice.h>
#include <vtkSmartPointer.h>

#include "recon/base/lattice.h"
#include "viz/slice_view.h"

namespace tof::viz {

/// A volume's own memory as VTK sees it; valid for as long as the volume.
[[nodiscard]] vtkSmartPointer<vtkImageData> imageOf(const Volume& volume);

/// The threads that a filter of ours divides a picture among. They are vtkMultiThreader's: workers of TBB
/// keep the low priority of the run that they served before, and a picture would wait for them.
[[nodiscard]] int pictureThreads();

/// Lets a filter cut along turned axes: local coordinates become those of the volume.
void setAxes(vtkImageReslice& reslice, const std::array<Vec3, 3>& axes, Vec3 origin_mm);

}  // namespace tof::viz
