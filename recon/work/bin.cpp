// SPDX-License-Identifier: Apache-2.0
#include "recon/work/bin.h"

#include "recon/base/error.h"

namespace tof {

BinResult binEvents(const BinRequest& request, const ThreadPool& pool, WorkProgress& progress,
                    const FormTable& forms) {
    progress.stage("reading " + request.input);
    return binEvents(request, recognise(request.input), pool, progress, forms);
}

BinResult binEvents(const BinRequest& request, const RecognisedFile& file, const ThreadPool& pool,
                    WorkProgress& progress, const FormTable& forms) {
    const Form& form = forms.named(request.form);
    if (request.cut() && form.time == CutByTime::Not) {
        throw WrongUse("--frames and --gates: {} are not cut by time; choose another form", form.kind);
    }
    if (!request.timed() && !request.nuclide.empty()) {
        throw WrongUse(
            "--nuclide goes with --frames or --gates, whose activity it brings to the start of the scan");
    }
    const BinContext context(request, pool, progress);
    EventSource source(context, file, form.lists);
    if (!context.first() && source.sharers()->alone()) {
        return {};  // the first rank bins it alone
    }
    source.requireFit(form.name);
    return form.bin(context, source);
}

}  // namespace tof
