// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <string>

#include "recon/lab/view_projection.h"

namespace tof::ui {

/// One of the two sides that the lab compares.
struct LabOperand {
    ProjectionKind kind = ProjectionKind::Forward;
    std::string engine = "auto";
    std::string strategy;  ///< empty: the engine's default
    std::string preset;    ///< a kernel to be compared with; empty: the lab's own

    [[nodiscard]] bool operator==(const LabOperand&) const = default;
    /// "forward:cpu:column:variant1"; trailing empty parts are left out.
    [[nodiscard]] QString text() const;
    /// Throws WrongUse for text that is not of that form. The kernel is the rest after the third colon:
    /// preset:NAME has one of its own.
    [[nodiscard]] static LabOperand fromText(const QString& text);
};

}  // namespace tof::ui
