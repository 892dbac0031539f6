// SPDX-License-Identifier: Apache-2.0
#include "recon/work/list_choice.h"

#include <algorithm>

#include "recon/base/error.h"
#include "recon/forms/form/bin_request.h"

namespace tof {

namespace {

/// Null where the list describes none.
std::shared_ptr<const Scanner> scannerOf(const EventList& scan, const std::string& path) {
    return scan.scannerJson.empty() ? nullptr : scan.scannerJson.scanner(path);
}

}  // namespace

ListChoice choiceFor(const RecognisedFile& list) {
    if (list.foreignBins() == ForeignBins::Addresses) {
        return {"sinogram"};  // bins have no places in histo-images
    }
    if (const std::string form = list.form(); !form.empty()) {
        return {form};
    }
    ListChoice choice{BinRequest().form};
    try {
        if (const auto stream = list.eventStream({})) {
            EventList block;
            stream->read(0, std::min<std::uint64_t>(stream->size(), 1), block);
            const std::shared_ptr<const Scanner> scanner = scannerOf(stream->scan(), list.path());
            const bool placed = !block.dt_ps.empty() && (scanner == nullptr || scanner->facesKnown);
            choice.form = placed ? choice.form : "lors";
        } else if (list.readsScanner()) {
            static_cast<void>(list.readEvents({}));  // says at once that it wants one
        }
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& fault) {
        choice.missing = fault.what();
    }
    return choice;
}

}  // namespace tof
