// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/forms.h"

#include <algorithm>

#include "recon/base/error.h"
#include "recon/forms/histo/histo_form.h"
#include "recon/forms/lines/line_form.h"
#include "recon/forms/panel/panel_form.h"
#include "recon/forms/sinograms/sinogram_form.h"

namespace tof {

const Form& FormTable::named(const std::string& name) const {
    const auto found =
        std::find_if(rows_.begin(), rows_.end(), [&](const Form& form) { return form.name == name; });
    if (found == rows_.end()) {
        throw WrongUse("no form of data is called '{}'", name);
    }
    return *found;
}

const Form* FormTable::of(const Measurement& data) const {
    const std::string kind = data.kind();
    const auto found =
        std::find_if(rows_.begin(), rows_.end(), [&](const Form& form) { return form.kind == kind; });
    return found != rows_.end() ? &*found : nullptr;
}

// A new form adds its row.
FormTable builtInForms() {
    return FormTable({histoForm(), sinogramForm(), lineForm(), panelForm()});
}

}  // namespace tof
