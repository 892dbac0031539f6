// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <variant>

#include "recon/systems/lines/image_blur.h"
#include "recon/systems/lines/variant_blur.h"

namespace tof {

/// The blur of the image in a model of lines: the same everywhere, or by place.
using LineBlur = std::variant<ImageBlur, VariantBlur>;

/// None where the model has none.
[[nodiscard]] inline std::optional<LineBlur> lineBlur(const LineModel& model, const ThreadPool& pool) {
    if (model.spread != nullptr) {
        return VariantBlur(model.lattice, *model.spread, model.method, pool);
    }
    if (model.psfFwhm_mm > 0) {
        return ImageBlur(model.lattice, model.psfFwhm_mm);
    }
    return std::nullopt;
}

}  // namespace tof
