// SPDX-License-Identifier: Apache-2.0
// What a SurfaceMesh holds; for the files of viz/ that know VTK.
#pragma once

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include "viz/surface.h"

namespace tof::viz {

struct SurfaceMesh::Impl {
    vtkSmartPointer<vtkPolyData> full;
    vtkSmartPointer<vtkPolyData> coarse;  ///< `fine` itself when it is small
    int averaged = 1;
};

}  // namespace tof::viz
