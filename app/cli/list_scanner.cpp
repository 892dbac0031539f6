// SPDX-License-Identifier: Apache-2.0
#include "app/cli/list_scanner.h"

#include <fmt/format.h>

#include "recon/base/error.h"
#include "recon/io/format_table.h"

namespace tof {

Scanner scannerOfList(const EventList& events, const std::string& list, const std::string& option) {
    const bool readWithList = list.ends_with(".cdh") || recognise(list).formatName() == "SAFIR";
    if (!option.empty() && !readWithList) {
        return Scanner::find(option);
    }
    if (events.scannerJson.empty()) {
        throw BadInput(fmt::format("{}: names no scanner; give --scanner", list));
    }
    return Scanner::fromJson(events.scannerJson, list);
}

}  // namespace tof
