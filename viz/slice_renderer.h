// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "viz/colour_map.h"
#include "viz/slab.h"
#include "viz/slice_view.h"

namespace tof::viz {

enum class Interpolation { Nearest, Linear };

/// Everything a picture of a slice depends on.
struct SliceRequest {
    std::shared_ptr<const Volume> volume;  ///< not null
    SliceView view;
    double low = 0;   ///< value of the map's first colour
    double high = 1;  ///< value of its last one, > low
    ColourMap map;
    Interpolation interpolation = Interpolation::Nearest;
    double slab_mm = 0;  ///< thickness of what is shown; 0: the one slice, infinite: all
    SlabMode slabMode = SlabMode::Largest;
};

/// Puts the slab of a request in the place of its volume; keeps the last one. Used by every renderer.
class SlabResolver {
  public:
    /// The request itself where it wants one slice, or where its slice lies outside the lattice.
    [[nodiscard]] SliceRequest resolve(const SliceRequest& request);

  private:
    std::shared_ptr<const Volume> source_;
    int axis_ = 0;
    LayerRange layers_;
    SlabMode mode_ = SlabMode::Largest;
    std::shared_ptr<const Volume> slab_;
};

/// Pixels 0xffRRGGBB, top row first: the memory of a QImage::Format_RGB32.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<std::uint32_t> pixels;
    [[nodiscard]] std::uint32_t at(int x, int y) const {
        return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)];
    }
    /// From bytes R, G, B, A with the bottom row first, as OpenGL reads frame buffers.
    void setFromBottomUp(int columns, int rows, const unsigned char* rgba);
};

/// Draws one slice of a volume. Outside the lattice the picture has the colour of zero. One renderer per
/// pane; all calls come from the thread of the window.
class SliceRenderer {
  public:
    virtual ~SliceRenderer() = default;
    /// The picture; valid until the next call.
    [[nodiscard]] virtual const Picture& render(const SliceRequest& request) = 0;
    /// "OpenGL: llvmpipe", "CPU": for reports.
    [[nodiscard]] virtual std::string description() const = 0;
};

/// Maps voxels to pixels on the CPU; needs nothing from the machine.
[[nodiscard]] std::unique_ptr<SliceRenderer> makeCpuSliceRenderer();

/// Renders through VTK into an off-screen OpenGL frame buffer that is read back. Throws Unavailable with the
/// reason when there is no usable OpenGL.
[[nodiscard]] std::unique_ptr<SliceRenderer> makeVtkSliceRenderer();

/// Which renderer: Auto takes VTK where the machine has OpenGL, else the CPU.
enum class RendererChoice { Auto, OpenGl, Cpu };

/// Throws Unavailable only when OpenGl was asked for by name.
[[nodiscard]] std::unique_ptr<SliceRenderer> makeSliceRenderer(RendererChoice choice);

}  // namespace tof::viz
