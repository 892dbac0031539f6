// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QString>

#include "recon/base/error.h"

namespace tof::test {

/// The sentence of the BadInput that `action` throws; "accepted" when it throws none.
template <typename Action>
QString refusal(const Action& action) {
    try {
        action();
    } catch (const BadInput& fault) {
        return fault.what();
    }
    return "accepted";
}

/// The sentence of the Error of any kind that `action` throws; "nothing" when it throws none.
template <typename Action>
QString saidBy(const Action& action) {
    try {
        action();
    } catch (const Error& fault) {
        return fault.what();
    }
    return "nothing";
}

}  // namespace tof::test
