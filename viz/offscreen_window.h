// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vtkGenericOpenGLRenderWindow.h>

#include "viz/egl_context.h"

namespace tof::viz {

/// A VTK render window that draws into a frame buffer of an EGL context.
class OffscreenWindow : public vtkGenericOpenGLRenderWindow {
  public:
    static OffscreenWindow* New();
    vtkTypeMacro(OffscreenWindow, vtkGenericOpenGLRenderWindow)
        OffscreenWindow(const OffscreenWindow&) = delete;
    OffscreenWindow& operator=(const OffscreenWindow&) = delete;

    /// Starts OpenGL in this context, which outlives the window.
    void start(EglContext& context);
    void resize(int width, int height);

    void MakeCurrent() override;
    bool IsCurrent() override;
    int SupportsOpenGL() override { return 1; }
    vtkTypeBool IsDirect() override { return 1; }
    void OpenGLInitContext() override;

  protected:
    OffscreenWindow();
    ~OffscreenWindow() override;

  private:
    EglContext* context_ = nullptr;  ///< null until start()
};

}  // namespace tof::viz
