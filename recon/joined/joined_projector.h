// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "recon/joined/warps_images.h"
#include "recon/seam/engine.h"
#include "recon/seam/projector.h"

namespace tof {

/// Warps in the space of a projector; where that is a device whose engine has none, images go through host
/// memory.
class WarpsInSpace {
  public:
    WarpsInSpace(const Engine& engine, std::shared_ptr<Space> space, int threads);

    [[nodiscard]] Space& space() const { return *space_; }
    /// y = W x. Parts of one gate follow one another, and the image changes from update to update alone: what
    /// was made last is taken again where both are the same.
    void apply(const Warp& warp, ConstView x, MutableView y);
    /// x = W^T y, or x += W^T y.
    void transpose(const Warp& warp, ConstView y, MutableView x, Write write);

  private:
    std::shared_ptr<Space> space_;
    ThreadPool pool_;
    std::unique_ptr<DeviceWarps> there_;  ///< null: the host warps
    std::vector<float> image_;            ///< on its way, where the space is not the host's
    std::vector<float> seen_;
    std::vector<float> room_;         ///< Warp::transpose()
    const Warp* last_ = nullptr;      ///< what apply() did last
    std::vector<float> lastImage_{};  ///< what it warped
    std::vector<float> lastSeen_{};   ///< its result
};

/// One of several projectors that see an image each by a warp of its own.
struct JoinedPiece {
    std::shared_ptr<Projector> projector;
    std::shared_ptr<const Warp> warp;
    /// What of the warped image survives on the way of each part, one after the other, in host memory; or
    /// empty.
    std::span<const float> att;
};

/// The projectors of several measurements as one, F att W for each, whose parts follow one another.
class JoinedProjector : public Projector {
  public:
    /// `owner` keeps the memory of att alive.
    JoinedProjector(std::vector<JoinedPiece> pieces, const Engine& engine, std::shared_ptr<Space> space,
                    int threads, std::shared_ptr<const void> owner);

    [[nodiscard]] Space& space() override { return warps_.space(); }
    [[nodiscard]] std::size_t imageSize() const override { return pieces_.front().warp->fromSize(); }
    [[nodiscard]] std::size_t parts() const override { return places_.size(); }
    [[nodiscard]] std::size_t dataSize(std::size_t part) const override;
    [[nodiscard]] std::size_t memoryBytes() const override;
    [[nodiscard]] std::string note() const override { return pieces_.front().projector->note(); }
    [[nodiscard]] bool recordable() const override { return false; }

    void forward(std::size_t part, ConstView x, MutableView p) override;
    void back(std::size_t part, ConstView p, MutableView x, Write write) override;

  private:
    struct Place {
        std::size_t piece = 0;
        std::size_t part = 0;  ///< its number in its projector
    };
    /// Image of the piece at hand.
    [[nodiscard]] MutableView seen(const JoinedPiece& piece) {
        return seen_.view().part(0, piece.warp->toSize());
    }
    /// seen = att seen.
    void attenuate(const JoinedPiece& piece, std::size_t part);

    WarpsInSpace warps_;
    std::vector<JoinedPiece> pieces_;
    std::vector<Place> places_;
    std::shared_ptr<const void> owner_;
    Array seen_;
    Array att_;  ///< att of a part, on a device
};

}  // namespace tof
