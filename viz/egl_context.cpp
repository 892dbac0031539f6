// SPDX-License-Identifier: Apache-2.0
#include "viz/egl_context.h"

// No X types: this project never opens a window through EGL.
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "recon/base/error.h"

namespace tof::viz {

namespace {

/// The entry points of libEGL, opened at run time.
struct Egl {
    decltype(&::eglGetProcAddress) getProcAddress = nullptr;
    decltype(&::eglInitialize) initialize = nullptr;
    decltype(&::eglTerminate) terminate = nullptr;
    decltype(&::eglBindAPI) bindApi = nullptr;
    decltype(&::eglChooseConfig) chooseConfig = nullptr;
    decltype(&::eglCreateContext) createContext = nullptr;
    decltype(&::eglDestroyContext) destroyContext = nullptr;
    decltype(&::eglMakeCurrent) makeCurrent = nullptr;
    decltype(&::eglGetCurrentContext) getCurrentContext = nullptr;
    PFNEGLGETPLATFORMDISPLAYEXTPROC getPlatformDisplay = nullptr;
    PFNEGLQUERYDEVICESEXTPROC queryDevices = nullptr;  ///< may be missing
};

template <typename Function>
void resolve(void* library, const char* name, Function& function) {
    void* symbol = dlsym(library, name);
    if (symbol == nullptr) {
        throw Unavailable(std::string("no OpenGL: libEGL.so.1 lacks ") + name);
    }
    function = reinterpret_cast<Function>(symbol);
}

Egl openEgl() {
    void* library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        throw Unavailable("no OpenGL: libEGL.so.1 was not found; install libegl1 and a driver");
    }
    Egl egl;
    resolve(library, "eglGetProcAddress", egl.getProcAddress);
    resolve(library, "eglInitialize", egl.initialize);
    resolve(library, "eglTerminate", egl.terminate);
    resolve(library, "eglBindAPI", egl.bindApi);
    resolve(library, "eglChooseConfig", egl.chooseConfig);
    resolve(library, "eglCreateContext", egl.createContext);
    resolve(library, "eglDestroyContext", egl.destroyContext);
    resolve(library, "eglMakeCurrent", egl.makeCurrent);
    resolve(library, "eglGetCurrentContext", egl.getCurrentContext);
    egl.getPlatformDisplay =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(egl.getProcAddress("eglGetPlatformDisplayEXT"));
    egl.queryDevices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(egl.getProcAddress("eglQueryDevicesEXT"));
    if (egl.getPlatformDisplay == nullptr) {
        throw Unavailable("no OpenGL: this EGL cannot open a display without a window system");
    }
    return egl;
}

}  // namespace

/// What contexts are made on. Its display stays open for as long as the program runs.
struct EglContext::Device {
    Egl egl;
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLConfig config = nullptr;

    /// The first device that gives a context. Throws Unavailable.
    static Device find() {
        if (std::getenv("TOFSCOPE_NO_OPENGL") != nullptr) {
            throw Unavailable("no OpenGL: switched off by TOFSCOPE_NO_OPENGL");
        }
        Device device;
        device.egl = openEgl();
        if (!device.openDevices() && !device.open(device.egl.getPlatformDisplay(
                                         EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr))) {
            throw Unavailable(
                "no OpenGL: no EGL device gives an OpenGL 3.2 context; install a graphics driver");
        }
        return device;
    }

    [[nodiscard]] EGLContext create() const {
        const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                  3,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  2,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_NONE};
        return egl.bindApi(EGL_OPENGL_API) == EGL_TRUE  // a thread begins with OpenGL ES
                   ? egl.createContext(display, config, EGL_NO_CONTEXT, version)
                   : EGL_NO_CONTEXT;
    }

    /// True when a 3.2 core context can be made and be current on `candidate`.
    bool open(EGLDisplay candidate) {
        if (candidate == EGL_NO_DISPLAY || egl.initialize(candidate, nullptr, nullptr) != EGL_TRUE) {
            return false;
        }
        display = candidate;
        for (const EGLint surface : {EGL_PBUFFER_BIT, EGL_DONT_CARE}) {
            const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, surface,
                                     EGL_NONE};
            EGLint found = 0;
            if (egl.chooseConfig(display, wanted, &config, 1, &found) != EGL_TRUE || found == 0) {
                continue;
            }
            const EGLContext trial = create();
            if (trial != EGL_NO_CONTEXT) {
                const bool works =
                    egl.makeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, trial) == EGL_TRUE &&
                    egl.makeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT) == EGL_TRUE;
                egl.destroyContext(display, trial);
                if (works) {
                    return true;
                }
            }
            break;
        }
        egl.terminate(display);
        return false;
    }

    bool openDevices() {
        EGLint count = 0;
        if (egl.queryDevices == nullptr || egl.queryDevices(0, nullptr, &count) != EGL_TRUE || count <= 0) {
            return false;
        }
        std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(count));
        egl.queryDevices(count, devices.data(), &count);
        return std::any_of(devices.begin(), devices.end(), [this](EGLDeviceEXT device) {
            return open(egl.getPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, nullptr));
        });
    }
};

const EglContext::Device& EglContext::device() {
    static const std::variant<Device, std::string> found = []() -> std::variant<Device, std::string> {
        try {
            return Device::find();
        } catch (const Unavailable& reason) {
            return reason.what();
        }
    }();
    if (const auto* reason = std::get_if<std::string>(&found)) {
        throw Unavailable(*reason);
    }
    return std::get<Device>(found);
}

EglContext::EglContext() : device_(device()), context_(device_.create()) {
    if (context_ == EGL_NO_CONTEXT) {
        throw Unavailable("no OpenGL: the driver gives no second context");
    }
}

EglContext::~EglContext() {
    device_.egl.destroyContext(device_.display, context_);
}

void EglContext::release() {
    if (isCurrent()) {
        device_.egl.makeCurrent(device_.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
}

bool EglContext::makeCurrent() {
    device_.egl.bindApi(EGL_OPENGL_API);  // a thread begins with OpenGL ES
    return isCurrent() ||
           device_.egl.makeCurrent(device_.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE;
}

bool EglContext::isCurrent() const {
    return device_.egl.getCurrentContext() == context_;
}

}  // namespace tof::viz
