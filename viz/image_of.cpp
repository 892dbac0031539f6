// SPDX-License-Identifier: Apache-2.0
#include "viz/image_of.h"

#include <vtkFloatArray.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <algorithm>
#include <thread>

namespace tof::viz {

vtkSmartPointer<vtkImageData> imageOf(const Volume& volume) {
    const Lattice& l = volume.lattice;
    vtkNew<vtkFloatArray> values;
    // VTK has no arrays of constant values; filters only read their input.
    values->SetArray(const_cast<float*>(volume.data.data()), static_cast<vtkIdType>(volume.data.size()), 1);
    auto image = vtkSmartPointer<vtkImageData>::New();
    image->SetDimensions(l.size.data());
    image->SetSpacing(l.spacing_mm.data());
    image->SetOrigin(l.origin_mm.x, l.origin_mm.y, l.origin_mm.z);
    image->GetPointData()->SetScalars(values);
    return image;
}

int pictureThreads() {
    constexpr int kMost = 4;  // more cost as much to start as they save
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMost);
}

void setAxes(vtkImageReslice& reslice, const std::array<Vec3, 3>& axes, Vec3 origin_mm) {
    if (reslice.GetResliceAxes() == nullptr) {
        const vtkNew<vtkMatrix4x4> fresh;
        reslice.SetResliceAxes(fresh);
    }
    vtkMatrix4x4& matrix = *reslice.GetResliceAxes();
    for (int row = 0; row < 3; ++row) {
        const auto i = static_cast<std::size_t>(row);
        for (int column = 0; column < 3; ++column) {
            matrix.SetElement(row, column, axes[static_cast<std::size_t>(column)][i]);
        }
        matrix.SetElement(row, 3, origin_mm[i]);
    }
}

}  // namespace tof::viz
