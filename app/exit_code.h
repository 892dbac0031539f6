// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/base/error.h"

namespace tof {

/// What a program that fails returns (CONTRIBUTING.md, "Errors"); 0 is done.
[[nodiscard]] constexpr int exitCode(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::Internal: return 1;
        case ErrorKind::WrongUse: return 2;
        case ErrorKind::BadInput: return 3;
        case ErrorKind::Unavailable: return 4;
        case ErrorKind::CannotWrite: return 5;
        case ErrorKind::Cancelled: return 130;
    }
    return 1;
}

}  // namespace tof
