// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/physics/materials.h"

namespace tof {

/// What the field 'material' names. Throws BadInput where it names none.
[[nodiscard]] inline Material readMaterial(const JsonFields& fields) {
    try {
        return materialNamed(fields.text("material"));
    } catch (const WrongUse& fault) {
        throw BadInput("{}: field 'material': {}", fields.source(), fault.what());
    }
}

}  // namespace tof
