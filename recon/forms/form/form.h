// SPDX-License-Identifier: Apache-2.0
// What a form of data is to the rest: a row of recon/forms/forms.h. Everything above asks a row, which alone
// knows its data's type.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "recon/base/vec3.h"
#include "recon/corrections/part_flow.h"
#include "recon/forms/form/bin_context.h"
#include "recon/forms/form/event_source.h"
#include "recon/forms/form/planned_run.h"
#include "recon/forms/form/view_words.h"
#include "recon/metrics/roi.h"
#include "recon/systems/measurement.h"

namespace tof {

/// A straight line in the scanner's frame, mm.
struct FreeLine {
    Vec3 through;
    Vec3 direction;
};

/// How pictures begin where nobody chose.
struct UsualLook {
    /// The plane that one looks at alone, and what it is called there; none: all three.
    std::optional<Plane> plane{};
    std::string planeName{};
    int profileAxis = 0;
};

struct Form {
    std::string name;  ///< as --to and files say it: "histo"
    std::string kind;  ///< Measurement::kind() of its data

    /// How it reads lists, and what it makes of them or of bins of other programs. Where ranks bin together
    /// those but the first get an empty result. Throws BadInput, WrongUse, and Cancelled from the progress.
    ListUse lists = ListUse::Divided;
    std::function<BinResult(const BinContext& context, EventSource& source)> bin{};
    /// What was binned, as everything above sees it.
    std::function<std::shared_ptr<const Measurement>(MeasuredData data)> measure{};
    /// What a command prints of data it has made, after the name of the file: an object, or a sentence.
    std::function<nlohmann::ordered_json(const MeasuredData& data)> json{};
    std::function<std::string(const MeasuredData& data)> sentence{};

    /// A copy of data in memory.
    std::function<MeasuredData(const Measurement& data)> copy{};
    /// Writes data in memory to a file of this program. Throws CannotWrite.
    std::function<void(const std::string& path, const Measurement& data)> write{};
    /// What a run of the data asks of ranks; null where a kernel has to say.
    std::function<PlannedRun(const Measurement& data)> plan{};

    /// How the data are corrected; without parts they are not.
    FormCorrections corrections{};

    /// The line of the view at these places on the axes of Measurement::layout() that is nearest to a point;
    /// null where a view is of no direction.
    std::function<FreeLine(const Measurement& data, double first, double second, Vec3 point)> lineOf{};
    UsualLook usualLook{};
    ViewWords words{};
};

}  // namespace tof
