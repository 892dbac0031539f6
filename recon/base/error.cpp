// SPDX-License-Identifier: Apache-2.0
#include "recon/base/error.h"

#include <new>
#include <system_error>

namespace tof {

std::string Failure::sentence() const {
    switch (thrower) {
        case Thrower::Ours: return said;
        case Thrower::Memory: return "memory ran out; take a smaller grid, fewer views or fewer threads";
        case Thrower::Foreign: break;
    }
    return said.empty() ? "internal error of unknown kind" : "internal error: " + said;
}

Failure failureOf(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Error& fault) {
        return {fault.kind(), Thrower::Ours, fault.what()};
    } catch (const std::bad_alloc& fault) {
        return {ErrorKind::Unavailable, Thrower::Memory, fault.what()};
    } catch (const std::system_error& fault) {
        // A thread for which there is no memory is "temporarily unavailable".
        const bool memory = fault.code() == std::errc::not_enough_memory ||
                            fault.code() == std::errc::resource_unavailable_try_again;
        return {memory ? ErrorKind::Unavailable : ErrorKind::Internal,
                memory ? Thrower::Memory : Thrower::Foreign, fault.what()};
    } catch (const std::exception& fault) {
        return {ErrorKind::Internal, Thrower::Foreign, fault.what()};
    } catch (...) {
        return {ErrorKind::Internal, Thrower::Foreign, {}};
    }
}

}  // namespace tof
