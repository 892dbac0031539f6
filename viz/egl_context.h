// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof::viz {

/// An OpenGL context: EGL without any window system.
///
/// It is on a device (EGL_PLATFORM_DEVICE_EXT) or, last, on Mesa's surfaceless platform; the first that
/// serves is found once. Works with no X server, no Wayland and no GLX. Current in one thread at a time.
class EglContext {
  public:
    /// Current nowhere. Throws Unavailable with the reason, the same one every time.
    EglContext();
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    /// False when the driver refuses; pictures are then stale, not wrong.
    bool makeCurrent();
    [[nodiscard]] bool isCurrent() const;
    /// Current in this thread no longer: another one may take it.
    void release();

  private:
    struct Device;
    static const Device& device();
    const Device& device_;
    void* context_;  ///< EGLContext, whose header is not for everybody
};

}  // namespace tof::viz
