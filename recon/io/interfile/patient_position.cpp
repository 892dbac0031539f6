// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/patient_position.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "recon/base/constants.h"
#include "recon/io/interfile/interfile_header.h"

namespace tof {

namespace {

PatientAxes axesOf(bool headFirst, bool supine) {
    return {headFirst != supine, !supine, headFirst};
}

/// Within half a turn.
double wrapped(double angle_rad) {
    return std::remainder(angle_rad, 2 * kPi);
}

}  // namespace

PatientAxes patientAxes(const InterfileHeader& header) {
    const std::string orientation =
        normalKey(header.text("patient orientation", header.text("%patient orientation", "")));
    const std::string rotation = normalKey(header.text("patient rotation", ""));
    for (const bool headFirst : {true, false}) {
        for (const bool supine : {true, false}) {
            if (orientation == std::string(headFirst ? "hf" : "ff") + (supine ? "s" : "p")) {
                return axesOf(headFirst, supine);  // DICOM's codes, as Siemens writes them
            }
        }
    }
    const auto unsaid = [](const std::string& value) {
        return value.empty() || value == "unknown" || value == "other";
    };
    if (unsaid(orientation) && unsaid(rotation)) {
        return axesOf(true, true);
    }
    if (orientation != "head in" && orientation != "feet in") {
        header.fail("patient orientation",
                    fmt::format("is '{}' beside a rotation '{}'; write head_in or feet_in",
                                orientation.empty() ? "missing" : orientation, rotation));
    }
    const bool headFirst = orientation == "head in";
    if (unsaid(rotation) && headFirst) {
        return axesOf(true, true);
    }
    if (rotation != "supine" && rotation != "prone") {
        header.fail("patient rotation", fmt::format("is '{}'; only supine and prone are read",
                                                    rotation.empty() ? "missing" : rotation));
    }
    return axesOf(headFirst, rotation == "supine");
}

void turnRing(RingScanner& scanner, const PatientAxes& axes) {
    const auto [x, y, z] = axes;
    const double first = scanner.firstAngle_rad;  // psi = 0 is -y and grows towards +x
    scanner.firstAngle_rad = wrapped(x && y ? first + kPi : x ? -first : y ? kPi - first : first);
    scanner.clockwise = scanner.clockwise != (x != y);
}

WrittenPosition positionFor(const RingScanner& scanner) {
    constexpr double kQuarter = 0.5 * kPi;
    WrittenPosition best{"", "", {}, 2 * kPi};
    for (const bool headFirst : {true, false}) {
        for (const bool supine : {true, false}) {
            RingScanner turned = scanner;
            turnRing(turned, axesOf(headFirst, supine));  // each is its own inverse
            if (!turned.clockwise && std::abs(turned.firstAngle_rad) <= kQuarter &&
                std::abs(turned.firstAngle_rad) < std::abs(best.viewOffset_rad)) {
                best = {headFirst ? "head_in" : "feet_in", supine ? "supine" : "prone",
                        axesOf(headFirst, supine), turned.firstAngle_rad};
            }
        }
    }
    return best;
}

}  // namespace tof
