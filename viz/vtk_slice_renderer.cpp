// SPDX-License-Identifier: Apache-2.0
#include <vtkCamera.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkImageProperty.h>
#include <vtkImageSlice.h>
#include <vtkImageSliceMapper.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

#include "recon/base/error.h"
#include "viz/egl_context.h"
#include "viz/offscreen_window.h"
#include "viz/slice_renderer.h"

namespace tof::viz {

namespace {

class VtkSliceRenderer : public SliceRenderer {
  public:
    VtkSliceRenderer();
    [[nodiscard]] const Picture& render(const SliceRequest& request) override;
    [[nodiscard]] std::string description() const override { return description_; }

  private:
    void setVolume(const std::shared_ptr<const Volume>& volume);
    void setColours(const SliceRequest& request);
    void setCamera(const SliceView& view, const PlaneAxes& axes);
    void readBack(int width, int height);

    std::shared_ptr<const Volume> volume_;  ///< the voxels below are its memory, not a copy
    vtkNew<vtkImageData> image_;
    vtkNew<vtkImageSliceMapper> mapper_;
    vtkNew<vtkLookupTable> table_;
    vtkNew<vtkImageProperty> property_;
    vtkNew<vtkImageSlice> slice_;
    vtkNew<vtkRenderer> renderer_;
    vtkNew<OffscreenWindow> window_;
    vtkNew<vtkUnsignedCharArray> rgba_;
    Picture picture_;
    SlabResolver slabs_;
    std::string description_;
};

/// The word after "OpenGL renderer string:" in VTK's report.
std::string rendererName(OffscreenWindow& window) {
    const std::string report = window.ReportCapabilities();
    const std::string key = "OpenGL renderer string:";
    const auto start = report.find(key);
    if (start == std::string::npos) {
        return "unknown driver";
    }
    const auto first = report.find_first_not_of(' ', start + key.size());
    return report.substr(first, report.find('\n', first) - first);
}

VtkSliceRenderer::VtkSliceRenderer() {
    static_cast<void>(EglContext::instance());
    table_->SetNumberOfTableValues(256);
    property_->SetLookupTable(table_);
    property_->UseLookupTableScalarRangeOn();
    mapper_->SetInputData(image_);
    mapper_->BorderOn();  // voxels at the edge are drawn whole, not cut at their centres
    slice_->SetMapper(mapper_);
    slice_->SetProperty(property_);
    renderer_->GetActiveCamera()->ParallelProjectionOn();
    window_->AddRenderer(renderer_);
    window_->start();
    description_ = "OpenGL: " + rendererName(*window_);
}

void VtkSliceRenderer::setVolume(const std::shared_ptr<const Volume>& volume) {
    if (volume == volume_) {
        return;
    }
    const Lattice& lattice = volume->lattice;
    vtkNew<vtkFloatArray> values;
    // VTK only reads; its interface has no const.
    values->SetArray(const_cast<float*>(volume->data.data()), static_cast<vtkIdType>(volume->data.size()), 1);
    image_->SetDimensions(lattice.size.data());
    image_->SetSpacing(lattice.spacing_mm.data());
    image_->SetOrigin(lattice.origin_mm.x, lattice.origin_mm.y, lattice.origin_mm.z);
    image_->GetPointData()->SetScalars(values);
    image_->Modified();
    const bool first = volume_ == nullptr;
    volume_ = volume;
    if (first) {
        renderer_->AddViewProp(slice_);
    }
}

void VtkSliceRenderer::setColours(const SliceRequest& request) {
    const auto set = [](vtkLookupTable& table, vtkIdType i, Rgb c) {
        table.SetTableValue(i, c.r / 255.0, c.g / 255.0, c.b / 255.0, 1.0);
    };
    for (vtkIdType i = 0; i < 256; ++i) {
        set(*table_, i, request.map.table[static_cast<std::size_t>(i)]);
    }
    const Rgb first = request.map.table.front();
    table_->SetNanColor(first.r / 255.0, first.g / 255.0, first.b / 255.0, 1.0);
    table_->SetTableRange(request.low, request.high);
    table_->Modified();
    if (request.interpolation == Interpolation::Linear) {
        property_->SetInterpolationTypeToLinear();
    } else {
        property_->SetInterpolationTypeToNearest();
    }
    const Rgb ground = request.map.zero();
    renderer_->SetBackground(ground.r / 255.0, ground.g / 255.0, ground.b / 255.0);
}

void VtkSliceRenderer::setCamera(const SliceView& view, const PlaneAxes& axes) {
    Vec3 right;
    Vec3 up;
    setCoordinate(right, axes.across, axes.acrossSign);
    setCoordinate(up, axes.down, -axes.downSign);
    const Vec3 towardsViewer = cross(right, up);
    const Vec3 eye = view.centre + 1000.0 * towardsViewer;
    vtkCamera* camera = renderer_->GetActiveCamera();
    camera->SetFocalPoint(view.centre.x, view.centre.y, view.centre.z);
    camera->SetPosition(eye.x, eye.y, eye.z);
    camera->SetViewUp(up.x, up.y, up.z);
    camera->SetParallelScale(view.mmPerPixel * view.height / 2.0);
    camera->SetClippingRange(1.0, 2000.0);
}

void VtkSliceRenderer::readBack(int width, int height) {
    window_->GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, rgba_);
    picture_.setFromBottomUp(width, height, rgba_->GetPointer(0));
}

const Picture& VtkSliceRenderer::render(const SliceRequest& asked) {
    const SliceRequest request = slabs_.resolve(asked);
    const SliceView& view = request.view;
    const Lattice& lattice = request.volume->lattice;
    const PlaneAxes axes = planeAxes(view.plane, view.orientation);
    picture_.width = std::max(1, view.width);
    picture_.height = std::max(1, view.height);
    picture_.pixels.assign(
        static_cast<std::size_t>(picture_.width) * static_cast<std::size_t>(picture_.height),
        request.map.zero().packed());
    const int index = nearestIndex(lattice, axes.normal, coordinate(view.centre, axes.normal));
    if (index < 0 || index >= lattice.size[static_cast<std::size_t>(axes.normal)]) {
        return picture_;
    }
    window_->MakeCurrent();
    setVolume(request.volume);
    setColours(request);
    mapper_->SetOrientation(axes.normal);
    mapper_->SetSliceNumber(index);
    SliceView onSlice = view;
    Vec3 centre = lattice.centre(index, index, index);
    setCoordinate(onSlice.centre, axes.normal, coordinate(centre, axes.normal));
    setCamera(onSlice, axes);
    window_->resize(picture_.width, picture_.height);
    window_->Render();
    readBack(picture_.width, picture_.height);
    return picture_;
}

}  // namespace

std::unique_ptr<SliceRenderer> makeVtkSliceRenderer() {
    return std::make_unique<VtkSliceRenderer>();
}

}  // namespace tof::viz
