// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vtkGenericOpenGLRenderWindow.h>

namespace tof::viz {

/// A VTK render window that draws into a frame buffer of the process's EGL context.
class OffscreenWindow : public vtkGenericOpenGLRenderWindow {
  public:
    static OffscreenWindow* New();
    vtkTypeMacro(OffscreenWindow, vtkGenericOpenGLRenderWindow)
        OffscreenWindow(const OffscreenWindow&) = delete;
    OffscreenWindow& operator=(const OffscreenWindow&) = delete;

    /// Starts OpenGL in the shared context; throws Unavailable where there is none.
    void start();
    void resize(int width, int height);

    void MakeCurrent() override;
    bool IsCurrent() override;
    int SupportsOpenGL() override { return 1; }
    vtkTypeBool IsDirect() override { return 1; }
    void OpenGLInitContext() override;

  protected:
    OffscreenWindow();
    ~OffscreenWindow() override;
};

}  // namespace tof::viz
