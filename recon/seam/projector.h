// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "recon/base/error.h"
#include "recon/seam/space.h"

namespace tof {

/// One system model on one engine with one strategy: a pair of exactly adjoint linear maps.
///
/// Data come in *parts* (a view of DIRECT, a subset of lines of response); an algorithm groups parts into
/// blocks. One caller thread at a time. No call allocates memory of the space, or copies between spaces if it
/// is recordable().
class Projector {
  public:
    virtual ~Projector() = default;
    [[nodiscard]] virtual Space& space() = 0;
    [[nodiscard]] virtual std::size_t imageSize() const = 0;
    [[nodiscard]] virtual std::size_t parts() const = 0;
    [[nodiscard]] virtual std::size_t dataSize(std::size_t part) const = 0;
    /// Bytes of the space this projector holds itself: tables, plans, work areas.
    [[nodiscard]] virtual std::size_t memoryBytes() const = 0;
    /// Multiply-adds that one forward or back of the part issues, zero weights included; 0 when not known.
    [[nodiscard]] virtual double multiplyAdds(std::size_t /*part*/) const { return 0; }

    /// How it approximates the model, in a few words for reports and run files ("rank 7, error 1.2e-05");
    /// empty where it computes what the model says.
    [[nodiscard]] virtual std::string note() const { return {}; }

    /// p = F_part x. `x` has imageSize() elements, `p` dataSize(part).
    virtual void forward(std::size_t part, ConstView x, MutableView p) = 0;
    /// x = F_part^T p, or x += F_part^T p.
    virtual void back(std::size_t part, ConstView p, MutableView x, Write write) = 0;

    /// x = att F_part^T p, or x += att F_part^T p; `att` has imageSize() elements or is empty, which means 1.
    /// Throws InternalError unless attenuates(), if att is not empty.
    virtual void backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) {
        if (!att.empty()) {
            throw InternalError("this projector has no attenuation in the image");
        }
        back(part, p, x, write);
    }
    /// Whether its data attenuate the image before F blurs it.
    [[nodiscard]] virtual bool attenuates() const { return false; }

    /// x_out = (or +=) att F^T [mult (y/e - 1)] or att F^T [mult y/e] with e = mult F seen + add; `seen` is
    /// att x, or x where there is no att. `scratch` holds at least dataSize(part) elements and is left
    /// undefined. Override to fuse the passes; the result must agree.
    virtual void backDiscrepancy(std::size_t part, const PartData& data, Discrepancy kind, ConstView seen,
                                 MutableView scratch, MutableView out, Write write) {
        const MutableView p = scratch.part(0, dataSize(part));
        space().stage(Stage::Forward);
        forward(part, seen, p);
        space().stage(Stage::Discrepancy);
        space().discrepancy(data, kind, p);
        space().stage(Stage::Back);
        backAttenuated(part, data.att, p, out, write);
        space().stageEnd();
    }

    // Where an image is made by several ranks (recon/ranks); of one alone as they stand.
    /// Makes `image`, in which the back projections of parts up to the last one are added up, that of all
    /// ranks.
    virtual void complete(MutableView /*image*/) {}
    /// Makes what others have as their own of an image the same here, where each rank has made what it has of
    /// it from its voxels' neighbours. Throws WrongUse where a rank does not have those.
    virtual void refresh(MutableView /*image*/) {}
    /// The log-likelihood of a part (Space::logLikelihood()), whose forward projection `p` becomes e, but of
    /// a rank what it has of it alone: ofAll() makes the whole of sums of such. Of list-mode the sum of e is
    /// left out.
    enum class Expected { Subtracted, LeftOut };
    [[nodiscard]] virtual double logLikelihood(const PartData& data, MutableView p, Expected expected) {
        const double value = space().logLikelihood(data, p);
        return expected == Expected::LeftOut ? value + space().sum(p) : value;
    }
    [[nodiscard]] virtual double ofAll(double mine) { return mine; }
    /// The counts of a part, over all ranks, which call this for the same parts in the same order.
    [[nodiscard]] virtual double counts(const PartData& data) { return space().sum(data.y); }
    /// Whether whole() is there; if not, ranks put images together on the host.
    [[nodiscard]] virtual bool makesWhole() const { return true; }
    /// The image of all ranks on the first of them, nothing elsewhere; good until the next call. All call it.
    [[nodiscard]] virtual ConstView whole(ConstView image) { return image; }
    /// The sum of an image, over all ranks.
    [[nodiscard]] virtual double sum(ConstView image) { return space().sum(image); }
    [[nodiscard]] virtual float maximum(ConstView image) { return space().maximum(image); }
    /// Whether the back projections of a block are added up as two ranks would do it: each half of its parts
    /// in an image, then both. Not those of a rank, which has a share of them, nor where every part has
    /// shares.
    [[nodiscard]] virtual bool addsInShares() const { return true; }
    /// Whether it may be recorded and replayed (Space::sequence); if not, blocksAtOnce() counts.
    [[nodiscard]] virtual bool recordable() const { return true; }
    /// Blocks that may follow each other before control is heeded, at most about 50 ms of work: the same
    /// number on all ranks. `seconds`: of the last iteration, of so many blocks; 0: there was none; infinite:
    /// data have to be brought, which may fail.
    [[nodiscard]] virtual std::size_t blocksAtOnce(std::size_t /*blocks*/, double /*seconds*/) { return 1; }
};

}  // namespace tof
