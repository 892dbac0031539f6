// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/dcmtk_object.h"

#include <ctime>

namespace tof {

namespace {

/// "093015.25" as seconds of the day; "0930" is allowed.
std::optional<double> secondsOfDay(const std::string& time) {
    if (time.size() < 4) {
        return {};
    }
    const auto hours = parseNumber(time.substr(0, 2));
    const auto minutes = parseNumber(time.substr(2, 2));
    const auto seconds = time.size() > 4 ? parseNumber(time.substr(4)) : 0.0;
    if (!hours || !minutes || !seconds) {
        return {};
    }
    return 3600 * *hours + 60 * *minutes + *seconds;
}

/// Days since 1970 of "20261122".
std::optional<double> daysOf(const std::string& date) {
    if (date.size() != 8 ||
        !std::all_of(date.begin(), date.end(), [](char c) { return c >= '0' && c <= '9'; })) {
        return {};
    }
    std::tm day{};
    day.tm_year = std::stoi(date.substr(0, 4)) - 1900;
    day.tm_mon = std::stoi(date.substr(4, 2)) - 1;
    day.tm_mday = std::stoi(date.substr(6, 2));
    constexpr double kSecondsPerDay = 86400;
    return static_cast<double>(::timegm(&day)) / kSecondsPerDay;
}

constexpr double kDay_s = 86400;

/// Seconds ahead of UTC of "+0130" or "-0500".
std::optional<double> zoneOf(const std::string& zone) {
    constexpr std::size_t kLength = 5;
    const auto hours = zone.size() == kLength ? parseNumber(zone.substr(1, 2)) : std::nullopt;
    const auto minutes = zone.size() == kLength ? parseNumber(zone.substr(3, 2)) : std::nullopt;
    if (!hours || !minutes || (zone[0] != '+' && zone[0] != '-')) {
        return {};
    }
    return (zone[0] == '-' ? -1 : 1) * (3600 * *hours + 60 * *minutes);
}

}  // namespace

std::optional<double> DicomObject::moment(const std::string& dateAndTime) {
    const auto local = dicomMoment(dateAndTime);
    const std::size_t sign = dateAndTime.find_first_of("+-");
    const auto own = sign != std::string::npos ? zoneOf(dateAndTime.substr(sign)) : std::nullopt;
    if (!local || !own) {
        return local;
    }
    if (!zone_s_) {
        zone_s_ = zoneOf(text(DCM_TimezoneOffsetFromUTC)).value_or(*own);
    }
    return *local - *own + *zone_s_;
}

std::optional<double> dicomMoment(const std::string& date, const std::string& time) {
    const auto day = daysOf(date);
    const auto seconds = secondsOfDay(time);
    return day && seconds ? std::optional(kDay_s * *day + *seconds) : std::nullopt;
}

std::optional<double> dicomMoment(const std::string& dateAndTime) {
    constexpr std::size_t kDate = 8;
    if (dateAndTime.size() < kDate + 4) {
        return {};
    }
    return dicomMoment(dateAndTime.substr(0, kDate),
                       dateAndTime.substr(kDate, dateAndTime.find_first_of("+-&") - kDate));
}

}  // namespace tof
