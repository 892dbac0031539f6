// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace tof::viz {

/// An OpenGL context: EGL without any window system.
///
/// Found on a device (EGL_PLATFORM_DEVICE_EXT) or, last, on Mesa's surfaceless platform. Works with no X
/// server, no Wayland and no GLX. Current in one thread at a time.
class EglContext {
  public:
    /// The context of the window's thread, shared by its off-screen windows and made at the first call, which
    /// comes from that thread. Throws Unavailable with the reason, the same one every time.
    [[nodiscard]] static EglContext& instance();
    /// One more on the same device, current nowhere, for drawing in another thread. Throws Unavailable.
    [[nodiscard]] static std::unique_ptr<EglContext> another();
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    /// False when the driver refuses; pictures are then stale, not wrong.
    bool makeCurrent();
    [[nodiscard]] bool isCurrent() const;
    /// Current in this thread no longer: another one may take it.
    void release();

  private:
    struct Impl;
    explicit EglContext(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace tof::viz
