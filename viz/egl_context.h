// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace tof::viz {

/// The OpenGL context of this process: EGL without any window system, shared by every off-screen window.
///
/// Found on a device (EGL_PLATFORM_DEVICE_EXT) or, last, on Mesa's surfaceless platform. Works with no X
/// server, no Wayland and no GLX. Used from the thread of the window only.
class EglContext {
  public:
    /// The context, made at the first call. Throws Unavailable with the reason, the same one every time.
    [[nodiscard]] static EglContext& instance();
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    /// False when the driver refuses; pictures are then stale, not wrong.
    bool makeCurrent();
    [[nodiscard]] bool isCurrent() const;

  private:
    struct Impl;
    explicit EglContext(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace tof::viz
