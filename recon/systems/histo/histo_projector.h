// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

#include "recon/seam/projector.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

/// What projectors of histo-images share: part v is view v, data and image have one lattice.
class HistoProjector : public Projector {
  public:
    [[nodiscard]] std::size_t imageSize() const final { return model_.lattice.voxels(); }
    [[nodiscard]] std::size_t parts() const final { return model_.views.size(); }
    [[nodiscard]] std::size_t dataSize(std::size_t /*part*/) const final { return imageSize(); }
    [[nodiscard]] bool attenuates() const final { return model_.attenuated; }
    void back(std::size_t part, ConstView p, MutableView x, Write write) final {
        backAttenuated(part, {}, p, x, write);
    }
    void backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x,
                        Write write) override = 0;

  protected:
    explicit HistoProjector(DirectModel model) : model_(std::move(model)) {}
    [[nodiscard]] const DirectModel& model() const { return model_; }

  private:
    DirectModel model_;
};

}  // namespace tof
