// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/form/list_scanner.h"

#include "recon/base/error.h"

namespace tof {

ListScanner::ListScanner(const EventList& events, const RecognisedFile& list, std::string given)
    : events_(events), path_(list.path()), given_(std::move(given)) {
    if (list.readsScanner()) {
        given_.clear();
    }
}

const Scanner* ListScanner::described() {
    return events_.scannerJson.empty() ? nullptr : events_.scannerJson.scanner(path_).get();
}

const Scanner& ListScanner::used() {
    if (!given_.empty()) {
        if (!named_) {
            named_ = Scanner::find(given_);
        }
        return *named_;
    }
    const Scanner* const own = described();
    if (own == nullptr) {
        throw BadInput("{}: names no scanner; give --scanner", path_);
    }
    return *own;
}

}  // namespace tof
