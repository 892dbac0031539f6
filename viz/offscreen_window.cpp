// SPDX-License-Identifier: Apache-2.0
#include "viz/offscreen_window.h"

#include <vtkObjectFactory.h>

namespace tof::viz {

vtkStandardNewMacro(OffscreenWindow)

    OffscreenWindow::OffscreenWindow() {
    SetOwnContext(0);
    SetMultiSamples(0);
    SetFrameBlitModeToNoBlit();
    SetReadyForRendering(false);
}

OffscreenWindow::~OffscreenWindow() {
    Finalize();
}

void OffscreenWindow::start(EglContext& context) {
    context_ = &context;
    context.makeCurrent();
    SetReadyForRendering(true);
    OpenGLInitContext();
}

void OffscreenWindow::resize(int width, int height) {
    if (GetSize()[0] != width || GetSize()[1] != height) {
        SetSize(width, height);
    }
}

void OffscreenWindow::MakeCurrent() {
    if (context_ != nullptr) {
        context_->makeCurrent();
    }
}

bool OffscreenWindow::IsCurrent() {
    return context_ != nullptr && context_->isCurrent();
}

void OffscreenWindow::OpenGLInitContext() {
    // Debian's GLEW is the GLX flavour: it loads every entry point and then reports a missing GLX display.
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

}  // namespace tof::viz
