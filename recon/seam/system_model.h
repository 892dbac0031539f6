// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <string>
#include <utility>

#include "recon/base/lattice.h"

namespace tof {

/// What maps an image to data: the plain data of a system's model, whichever the system. Each keeps a struct
/// of its own in its room, with the `lattice` of the image and the system's name as `kSystem`; an engine that
/// knows the system takes it out again.
class SystemModel {
  public:
    template <class Model>
    requires requires(const Model& model) {
        Model::kSystem;
        model.lattice;
    }
    SystemModel(Model model)  // NOLINT: the model of a system is a model
        : system_(Model::kSystem), lattice_(model.lattice), model_(std::move(model)) {}

    /// Name of the system: "histo", "lines".
    [[nodiscard]] const std::string& system() const { return system_; }
    [[nodiscard]] const Lattice& lattice() const { return lattice_; }
    /// The system's own struct; null where it is another one's.
    template <class Model>
    [[nodiscard]] const Model* as() const {
        return std::any_cast<Model>(&model_);
    }

  private:
    std::string system_;
    Lattice lattice_;
    std::any model_;
};

}  // namespace tof
