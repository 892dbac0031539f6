// SPDX-License-Identifier: Apache-2.0
#include "app/engines.h"

#include <utility>

#include "gpu/cuda_engine.h"
#include "gpu/published/published.h"
#include "recon/base/error.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/engines/fftw/loader/fftw_loader.h"

namespace tof {

namespace {

/// The factory, which tells the log what became of it.
EngineRegistry::Factory told(std::shared_ptr<Log> log, const char* name, EngineRegistry::Factory make) {
    return [log = std::move(log), name = std::string(name), make = std::move(make)] {
        try {
            auto engine = make();
            log->write(LogLevel::Info, "engine " + name + ": " + engine->device().name);
            return engine;
        } catch (const Unavailable& reason) {
            log->write(LogLevel::Warning, "engine " + name + " is not there: " + withoutNames(reason.what()));
            throw;
        }
    };
}

}  // namespace

EngineRegistry makeEngineRegistry(const std::shared_ptr<Log>& log) {
    EngineRegistry registry;
    registry.add("cpu", told(log, "cpu", [] { return makeCpuEngine(); }), 1);
    registry.add("fftw", told(log, "fftw", [] { return loadFftwEngine(); }), 1);
    registry.add("cuda", told(log, "cuda", [] { return loadCudaEngine(publishedStrategies()); }), 2);
    registry.add("cufft", told(log, "cufft", [] { return loadCufftEngine(); }));
    return registry;
}

}  // namespace tof
