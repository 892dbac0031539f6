// SPDX-License-Identifier: Apache-2.0
#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkLight.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "recon/base/error.h"
#include "viz/egl_context.h"
#include "viz/surface_mesh.h"

namespace tof::viz {

namespace {

constexpr double kAmbient = 0.25;  ///< light from everywhere, as the ray caster has it

/// A VTK render window that draws into a frame buffer of an EGL context.
class OffscreenWindow : public vtkGenericOpenGLRenderWindow {
  public:
    static OffscreenWindow* New() { VTK_STANDARD_NEW_BODY(OffscreenWindow); }
    vtkTypeMacro(OffscreenWindow, vtkGenericOpenGLRenderWindow)
        OffscreenWindow(const OffscreenWindow&) = delete;
    OffscreenWindow& operator=(const OffscreenWindow&) = delete;

    /// Starts OpenGL in this context, which outlives the window.
    void start(EglContext& context) {
        context_ = &context;
        context.makeCurrent();
        SetReadyForRendering(true);
        OpenGLInitContext();
    }
    void resize(int width, int height) {
        if (GetSize()[0] != width || GetSize()[1] != height) {
            SetSize(width, height);
        }
    }
    void MakeCurrent() override {
        if (context_ != nullptr) {
            context_->makeCurrent();
        }
    }
    bool IsCurrent() override { return context_ != nullptr && context_->isCurrent(); }
    int SupportsOpenGL() override { return 1; }
    vtkTypeBool IsDirect() override { return 1; }
    void OpenGLInitContext() override {
        // Debian's GLEW is the GLX flavour: it loads every entry point and then reports a missing GLX
        // display.
        const int warnings = GetGlobalWarningDisplay();
        SetGlobalWarningDisplay(0);
        Superclass::OpenGLInitContext();
        SetGlobalWarningDisplay(warnings);
        if (!Initialized) {
            GlewInitValid = true;
            Initialized = true;
            MaximumHardwareLineWidth = 1;
        }
    }

  protected:
    OffscreenWindow() {
        SetOwnContext(0);
        SetMultiSamples(0);
        SetFrameBlitModeToNoBlit();
        SetReadyForRendering(false);
    }
    ~OffscreenWindow() override { Finalize(); }

  private:
    EglContext* context_ = nullptr;  ///< null until start()
};

class VtkSurfaceRenderer : public SurfaceRenderer {
  public:
    VtkSurfaceRenderer() {
        for (auto& mapper : mappers_) {
            mapper->ScalarVisibilityOff();
        }
        actor_->GetProperty()->SetAmbient(kAmbient);
        actor_->GetProperty()->SetDiffuse(1 - kAmbient);
        actor_->GetProperty()->SetInterpolationToPhong();
        light_->SetLightTypeToSceneLight();
        renderer_->AutomaticLightCreationOff();
        renderer_->RemoveAllLights();
        renderer_->AddLight(light_);
        renderer_->AddViewProp(actor_);
        renderer_->GetActiveCamera()->ParallelProjectionOn();
        window_->AddRenderer(renderer_);
    }
    ~VtkSurfaceRenderer() override {
        context_.makeCurrent();
        window_->Finalize();
        context_.release();
    }
    VtkSurfaceRenderer(const VtkSurfaceRenderer&) = delete;
    VtkSurfaceRenderer& operator=(const VtkSurfaceRenderer&) = delete;
    [[nodiscard]] const Picture& render(const std::shared_ptr<const SurfaceMesh>& mesh,
                                        const SolidRequest& request, Detail detail) override {
        const int width = std::max(1, request.view.width);
        const int height = std::max(1, request.view.height);
        const Rgb ground = request.map.zero();
        start();
        if (mesh != full_) {
            full_ = mesh;
            mappers_[0]->SetInputData(mesh->impl().full);
            mappers_[1]->SetInputData(mesh->impl().coarse);
        }
        const bool coarse = detail == Detail::Coarse && mesh->impl().coarse != mesh->impl().full;
        actor_->SetMapper(mappers_[coarse ? 1 : 0]);
        actor_->GetProperty()->SetColor(request.surface.r / 255.0, request.surface.g / 255.0,
                                        request.surface.b / 255.0);
        renderer_->SetBackground(ground.r / 255.0, ground.g / 255.0, ground.b / 255.0);
        look(request.view);
        window_->resize(width, height);
        window_->Render();
        readBack(width, height);
        context_.release();
        return picture_;
    }

    /// The word after "OpenGL renderer string:" in VTK's report.
    [[nodiscard]] std::string driver() override {
        start();
        const std::string report = window_->ReportCapabilities();
        context_.release();
        const std::string key = "OpenGL renderer string:";
        const auto start = report.find(key);
        if (start == std::string::npos) {
            return "unknown driver";
        }
        const auto first = report.find_first_not_of(' ', start + key.size());
        return report.substr(first, report.find('\n', first) - first);
    }

  private:
    /// Makes the context current; OpenGL starts with the first picture, in the thread that draws it.
    void start() {
        context_.makeCurrent();
        if (!std::exchange(started_, true)) {
            window_->start(context_);
        }
    }

    /// The view and the light of the ray caster: beside the viewer's head.
    void look(const SolidView& view) {
        const SolidView::Axes axes = view.axes();
        constexpr double kFar_mm = 10000;
        const Vec3 eye = view.centre - kFar_mm * axes.away;
        vtkCamera* camera = renderer_->GetActiveCamera();
        camera->SetFocalPoint(view.centre.x, view.centre.y, view.centre.z);
        camera->SetPosition(eye.x, eye.y, eye.z);
        camera->SetViewUp(axes.up.x, axes.up.y, axes.up.z);
        camera->SetParallelScale(view.mmPerPixel * view.height / 2.0);
        renderer_->ResetCameraClippingRange();
        const Vec3 lamp = view.centre + kFar_mm * normalized(-axes.away + 0.35 * axes.up - 0.35 * axes.right);
        light_->SetFocalPoint(view.centre.x, view.centre.y, view.centre.z);
        light_->SetPosition(lamp.x, lamp.y, lamp.z);
    }

    /// Bytes R, G, B, A with the bottom row first, as OpenGL has them.
    void readBack(int width, int height) {
        window_->GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, rgba_);
        const unsigned char* rgba = rgba_->GetPointer(0);
        const auto across = static_cast<std::size_t>(width);
        picture_.width = width;
        picture_.height = height;
        picture_.pixels.resize(across * static_cast<std::size_t>(height));
        for (int y = height - 1; y >= 0; --y) {
            std::uint32_t* out = picture_.pixels.data() + static_cast<std::size_t>(y) * across;
            for (std::size_t x = 0; x < across; ++x, rgba += 4) {
                out[x] = Rgb{rgba[0], rgba[1], rgba[2]}.packed();
            }
        }
    }

    EglContext context_;  ///< first: everything below lives in it
    bool started_ = false;
    std::shared_ptr<const SurfaceMesh> full_;  ///< keeps the triangles that the mappers hold
    vtkNew<vtkPolyDataMapper> mappers_[2];     ///< full and coarse: each keeps its buffers
    vtkNew<vtkActor> actor_;
    vtkNew<vtkLight> light_;
    vtkNew<vtkRenderer> renderer_;
    vtkNew<OffscreenWindow> window_;
    vtkNew<vtkUnsignedCharArray> rgba_;
    Picture picture_;
};

}  // namespace

std::unique_ptr<SurfaceRenderer> makeSurfaceRenderer() {
    static std::mutex oneAtATime;  // VTK finds its classes at the first use
    const std::lock_guard lock(oneAtATime);
    return std::make_unique<VtkSurfaceRenderer>();
}

std::string surfaceDriver() {
    try {
        return "OpenGL: " + makeSurfaceRenderer()->driver();
    } catch (const Unavailable& why) {
        return why.what();
    }
}

}  // namespace tof::viz
