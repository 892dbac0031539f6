// SPDX-License-Identifier: Apache-2.0
#include "viz/egl_context.h"

// No X types: this project never opens a window through EGL.
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include <cstdlib>
#include <string>
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

struct EglContext::Impl {
    Egl egl;
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLConfig config = nullptr;
    EGLContext context = EGL_NO_CONTEXT;
    bool owned = false;  ///< the context goes with this object; its display does not

    Impl() = default;
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() {
        if (owned && context != EGL_NO_CONTEXT) {
            egl.destroyContext(display, context);
        }
    }

    [[nodiscard]] EGLContext create(EGLDisplay on, EGLConfig as) const {
        const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                  3,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  2,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_NONE};
        return egl.createContext(on, as, EGL_NO_CONTEXT, version);
    }

    /// True when a 3.2 core context could be made current on `candidate`.
    bool open(EGLDisplay candidate) {
        if (candidate == EGL_NO_DISPLAY || egl.initialize(candidate, nullptr, nullptr) != EGL_TRUE) {
            return false;
        }
        if (egl.bindApi(EGL_OPENGL_API) == EGL_TRUE) {
            const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
                                     EGL_NONE};
            const EGLint any[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_DONT_CARE,
                                  EGL_NONE};
            EGLint found = 0;
            if ((egl.chooseConfig(candidate, wanted, &config, 1, &found) == EGL_TRUE && found > 0) ||
                (egl.chooseConfig(candidate, any, &config, 1, &found) == EGL_TRUE && found > 0)) {
                context = create(candidate, config);
                if (context != EGL_NO_CONTEXT &&
                    egl.makeCurrent(candidate, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE) {
                    display = candidate;
                    return true;
                }
            }
        }
        if (context != EGL_NO_CONTEXT) {
            egl.destroyContext(candidate, context);
            context = EGL_NO_CONTEXT;
        }
        egl.terminate(candidate);
        return false;
    }

    bool openDevices() {
        if (egl.queryDevices == nullptr) {
            return false;
        }
        EGLint count = 0;
        if (egl.queryDevices(0, nullptr, &count) != EGL_TRUE || count <= 0) {
            return false;
        }
        std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(count));
        egl.queryDevices(count, devices.data(), &count);
        for (EGLDeviceEXT device : devices) {
            if (open(egl.getPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, nullptr))) {
                return true;
            }
        }
        return false;
    }
};

EglContext::EglContext(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

EglContext::~EglContext() = default;

EglContext& EglContext::instance() {
    // Never destroyed: windows of static lifetime may outlive any order of destruction we could choose.
    static const std::pair<EglContext*, std::string> made = []() -> std::pair<EglContext*, std::string> {
        try {
            if (std::getenv("TOFSCOPE_NO_OPENGL") != nullptr) {
                throw Unavailable("no OpenGL: switched off by TOFSCOPE_NO_OPENGL");
            }
            auto impl = std::make_unique<Impl>();
            impl->egl = openEgl();
            if (!impl->openDevices() && !impl->open(impl->egl.getPlatformDisplay(
                                            EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr))) {
                throw Unavailable(
                    "no OpenGL: no EGL device gives an OpenGL 3.2 context; install a graphics driver");
            }
            return {new EglContext(std::move(impl)), ""};
        } catch (const Unavailable& reason) {
            return {nullptr, reason.what()};
        }
    }();
    if (made.first == nullptr) {
        throw Unavailable(made.second);
    }
    return *made.first;
}

std::unique_ptr<EglContext> EglContext::another() {
    const Impl& first = *instance().impl_;
    auto impl = std::make_unique<Impl>();
    impl->egl = first.egl;
    impl->display = first.display;
    impl->config = first.config;
    impl->owned = true;
    impl->egl.bindApi(EGL_OPENGL_API);
    impl->context = impl->create(impl->display, impl->config);
    if (impl->context == EGL_NO_CONTEXT) {
        throw Unavailable("no OpenGL: the driver gives no second context");
    }
    return std::unique_ptr<EglContext>(new EglContext(std::move(impl)));
}

void EglContext::release() {
    if (isCurrent()) {
        impl_->egl.makeCurrent(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
}

bool EglContext::makeCurrent() {
    impl_->egl.bindApi(EGL_OPENGL_API);  // a thread begins with OpenGL ES
    return isCurrent() ||
           impl_->egl.makeCurrent(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, impl_->context) == EGL_TRUE;
}

bool EglContext::isCurrent() const {
    return impl_->egl.getCurrentContext() == impl_->context;
}

}  // namespace tof::viz
