// SPDX-License-Identifier: Apache-2.0
// The forms of data this program knows: one row each. A further one is its room under recon/forms and its row
// in builtInForms().
#pragma once

#include <string>
#include <vector>

#include "recon/forms/form/form.h"

namespace tof {

class FormTable {
  public:
    explicit FormTable(std::vector<Form> rows) : rows_(std::move(rows)) {}
    void add(Form row) { rows_.push_back(std::move(row)); }

    [[nodiscard]] const std::vector<Form>& rows() const { return rows_; }
    /// The row of a name, as --to and files say it. Throws WrongUse.
    [[nodiscard]] const Form& named(const std::string& name) const;
    /// The row of data in memory; null for those of another system.
    [[nodiscard]] const Form* of(const Measurement& data) const;

  private:
    std::vector<Form> rows_;
};

[[nodiscard]] FormTable builtInForms();

}  // namespace tof
