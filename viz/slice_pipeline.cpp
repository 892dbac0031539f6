// SPDX-License-Identifier: Apache-2.0
#include "viz/slice_pipeline.h"

#include <vtkImageBlend.h>
#include <vtkImageMapToColors.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>

#include <algorithm>
#include <array>
#include <limits>

#include "viz/image_of.h"

namespace tof::viz {

namespace {

int modeOf(Interpolation interpolation) {
    return interpolation == Interpolation::Nearest  ? VTK_RESLICE_NEAREST
           : interpolation == Interpolation::Linear ? VTK_RESLICE_LINEAR
                                                    : VTK_RESLICE_CUBIC;
}

/// A colour in VTK's order of channels, which is that of the bytes: a pixel of ours has blue in the lowest.
std::array<double, 4> channels(Rgb colour, double alpha) {
    return {colour.b / 255.0, colour.g / 255.0, colour.r / 255.0, alpha};
}

/// The volume to cut, and where: a slab is cut out of one layer of its own, in local coordinates.
struct Cut {
    std::shared_ptr<const Volume> volume;
    SliceView view;
};

/// The point of a view's plane that lies on the centres of the layer it goes through, in local coordinates.
void snapToLayer(const Lattice& lattice, int axis, Vec3& point) {
    const int layer = nearestIndex(lattice, axis, coordinate(point, axis));
    if (layer >= 0 && layer < lattice.size[static_cast<std::size_t>(axis)]) {
        setCoordinate(point, axis, coordinate(lattice.centre(layer, layer, layer), axis));
    }
}

/// One image from its voxels to colours.
class ImagePipe {
  public:
    ImagePipe() {
        reslice_->SetOutputOrigin(0, 0, 0);
        reslice_->SetBackgroundLevel(std::numeric_limits<double>::quiet_NaN());
        reslice_->SetNumberOfThreads(pictureThreads());
        table_->SetNumberOfTableValues(static_cast<vtkIdType>(colours_.size()));
        toColours_->SetLookupTable(table_);
        toColours_->SetOutputFormatToRGBA();
        toColours_->SetInputConnection(reslice_->GetOutputPort());
        toColours_->SetNumberOfThreads(pictureThreads());
    }

    /// `outside`: the colour outside the lattice, as a pixel of ours with its alpha.
    void set(const SliceRequest& request, Rgb outside, double alpha) {
        const Cut cut = cutOf(request);
        if (cut.volume != volume_) {
            reslice_->SetInputData(imageOf(*cut.volume));
            volume_ = cut.volume;
        }
        const SliceView& view = cut.view;
        const PlaneAxes axes = planeAxes(view.plane, view.orientation);
        const auto& turned = view.turn.axes;
        setAxes(*reslice_,
                {axes.acrossSign * turned[static_cast<std::size_t>(axes.across)],
                 axes.downSign * turned[static_cast<std::size_t>(axes.down)],
                 turned[static_cast<std::size_t>(axes.normal)]},
                view.toWorld(0.5, 0.5));
        reslice_->SetOutputExtent(0, std::max(1, view.width) - 1, 0, std::max(1, view.height) - 1, 0, 0);
        reslice_->SetOutputSpacing(view.mmPerPixel, view.mmPerPixel, 1);
        reslice_->SetInterpolationMode(modeOf(request.interpolation));
        setColours(request, outside, alpha);
    }

    [[nodiscard]] vtkImageMapToColors& colours() { return *toColours_; }

  private:
    Cut cutOf(const SliceRequest& request) {
        const Lattice& lattice = request.volume->lattice;
        SliceView view = request.view;
        const int normal = planeAxes(view.plane, view.orientation).normal;
        Vec3 centre = view.turn.toLocal(view.centre);
        if (!(request.slab_mm > 0)) {
            const bool between = request.acrossSlices && request.interpolation != Interpolation::Nearest;
            if (view.turn.isNone() && !between) {
                snapToLayer(lattice, normal, view.centre);
            }
            return {request.volume, view};
        }
        const Lattice along = latticeAlong(lattice, view.turn);
        const LayerRange layers = layersOf(along, normal, coordinate(centre, normal), request.slab_mm);
        const Slab made{request.volume, view.turn, normal, layers, request.slabMode};
        if (slab_ == nullptr || !(made == made_)) {
            slab_ = slabOf(*request.volume, view.turn, normal, layers, request.slabMode);
            made_ = made;
        }
        const int layer = nearestIndex(along, normal, coordinate(centre, normal));
        if (layer >= 0 && layer < along.size[static_cast<std::size_t>(normal)]) {
            setCoordinate(centre, normal, coordinate(slab_->lattice.origin_mm, normal));
        }
        view.centre = centre;
        view.turn = Turn();
        return {slab_, view};
    }

    void setColours(const SliceRequest& request, Rgb outside, double alpha) {
        table_->SetTableRange(request.low, request.high);
        const auto ground = channels(outside, alpha);
        if (!std::equal(ground.begin(), ground.end(), table_->GetNanColor())) {
            table_->SetNanColor(ground.data());
        }
        if (coloured_ && colours_ == request.map.table && clearFirst_ == request.clearFirst) {
            return;
        }
        for (std::size_t i = 0; i < colours_.size(); ++i) {
            const auto c = channels(request.map.table[i], request.clearFirst && i == 0 ? 0 : 1);
            table_->SetTableValue(static_cast<vtkIdType>(i), c.data());
        }
        colours_ = request.map.table;
        clearFirst_ = request.clearFirst;
        coloured_ = true;
    }

    /// What the slab that is kept was made of.
    struct Slab {
        std::shared_ptr<const Volume> source;
        Turn turn;
        int axis = 0;
        LayerRange layers;
        SlabMode mode = SlabMode::Largest;
        bool operator==(const Slab&) const = default;
    };

    std::shared_ptr<const Volume> volume_;  ///< the memory that VTK reads
    std::shared_ptr<const Volume> slab_;
    Slab made_;
    std::array<Rgb, 256> colours_{};
    bool clearFirst_ = false;
    bool coloured_ = false;
    vtkNew<vtkImageReslice> reslice_;
    vtkNew<vtkLookupTable> table_;
    vtkNew<vtkImageMapToColors> toColours_;
};

PictureView viewOf(vtkImageAlgorithm& made) {
    made.Update();
    vtkImageData& image = *made.GetOutput();
    return {image.GetDimensions()[0], image.GetDimensions()[1],
            static_cast<const std::uint32_t*>(image.GetScalarPointer())};
}

}  // namespace

struct SlicePipeline::Impl {
    ImagePipe& pipe(std::size_t i) {
        while (pipes.size() <= i) {
            pipes.push_back(std::make_unique<ImagePipe>());
        }
        return *pipes[i];
    }
    /// Lets go of the volumes of images that are shown no more.
    void keep(std::size_t images) {
        if (pipes.size() > images) {
            joined = {};
            blend->RemoveAllInputConnections(0);
            pipes.resize(images);
        }
    }
    void setGround(int width, int height, Rgb colour);
    /// What is blended: the images, and the ground under them unless the bottom one covers it.
    struct Joined {
        std::size_t images = 0;
        bool covered = false;
        bool operator==(const Joined&) const = default;
    };
    void join(Joined wanted);

    std::vector<std::unique_ptr<ImagePipe>> pipes;
    vtkNew<vtkImageData> ground;
    Rgb groundColour;
    vtkNew<vtkImageBlend> blend;
    Joined joined;
};

/// VTK blends onto its first input: the ground of the whole picture.
void SlicePipeline::Impl::setGround(int width, int height, Rgb colour) {
    const int* size = ground->GetDimensions();
    if (size[0] == width && size[1] == height && groundColour == colour) {
        return;
    }
    ground->SetDimensions(width, height, 1);
    ground->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
    std::fill_n(static_cast<std::uint32_t*>(ground->GetScalarPointer()), ground->GetNumberOfPoints(),
                colour.packed());
    ground->Modified();
    groundColour = colour;
}

void SlicePipeline::Impl::join(Joined wanted) {
    if (joined == wanted) {
        return;
    }
    blend->RemoveAllInputConnections(0);
    if (!wanted.covered) {
        blend->AddInputData(ground);
    }
    for (std::size_t i = 0; i < wanted.images; ++i) {
        blend->AddInputConnection(pipe(i).colours().GetOutputPort());
    }
    joined = wanted;
}

SlicePipeline::SlicePipeline() : impl_(std::make_unique<Impl>()) {
    impl_->blend->SetNumberOfThreads(pictureThreads());
}

SlicePipeline::~SlicePipeline() = default;

PictureView SlicePipeline::render(const SliceRequest& request) {
    impl_->keep(1);
    ImagePipe& pipe = impl_->pipe(0);
    pipe.set(request, request.map.zero(), 1);
    return viewOf(pipe.colours());
}

PictureView SlicePipeline::render(const std::vector<SliceRequest>& stack, Rgb ground) {
    impl_->keep(stack.size());
    // An opaque image at the bottom has the ground around it and saves a blend.
    const bool covered = stack.front().opacity >= 1 && !stack.front().clearFirst;
    for (std::size_t i = 0; i < stack.size(); ++i) {
        impl_->pipe(i).set(stack[i], ground, covered && i == 0 ? 1 : 0);
        impl_->blend->SetOpacity(static_cast<int>(i) + (covered ? 0 : 1), stack[i].opacity);
    }
    if (!covered) {
        const SliceView& view = stack.front().view;
        impl_->blend->SetOpacity(0, 1);
        impl_->setGround(std::max(1, view.width), std::max(1, view.height), ground);
    }
    impl_->join({stack.size(), covered});
    return viewOf(*impl_->blend);
}

}  // namespace tof::viz
