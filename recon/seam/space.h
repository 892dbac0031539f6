// SPDX-License-Identifier: Apache-2.0
// A Space is where arrays live and where element-wise work on them happens: host memory, a CUDA device.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "recon/seam/element_math.h"
#include "recon/seam/prior_math.h"

namespace tof {

/// Read-only view of floats that live in some Space; never dereferenced outside that space.
struct ConstView {
    const float* data = nullptr;
    std::size_t size = 0;
    [[nodiscard]] bool empty() const { return size == 0; }
    [[nodiscard]] ConstView part(std::size_t offset, std::size_t count) const {
        return {data + offset, count};
    }
};

/// Writable view of floats that live in some Space.
struct MutableView {
    float* data = nullptr;
    std::size_t size = 0;
    operator ConstView() const { return {data, size}; }  // NOLINT: a writable view is a readable view
    [[nodiscard]] MutableView part(std::size_t offset, std::size_t count) const {
        return {data + offset, count};
    }
};

/// Owned memory of a Space; move-only, freed with the last owner. Must not outlive its Space.
class Array {
  public:
    Array() = default;
    Array(float* data, std::size_t size, std::function<void(float*)> release)
        : data_(data, std::move(release)), size_(size) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] MutableView view() { return {data_.get(), size_}; }
    [[nodiscard]] ConstView view() const { return {data_.get(), size_}; }

  private:
    std::unique_ptr<float, std::function<void(float*)>> data_{nullptr, [](float*) {}};
    std::size_t size_ = 0;
};

/// One part of the data in the projector's space: expected = mult F(att x) + add. Empty mult and att mean 1,
/// empty add means 0.
struct PartData {
    ConstView y;
    ConstView mult;
    ConstView add;
    ConstView att = {};  ///< by voxel of the image: what is left of photons that fly this part's way
};

/// An image on its way into a projection: image = att x. It is nothing where att is empty.
struct Attenuated {
    ConstView att;
    MutableView image;
};

/// What Space::update() makes a new x of, beside the x before; arrays of its size.
struct UpdateTerms {
    ConstView correction;
    ConstView sensitivity;
    ConstView lambda = {};  ///< one element, or empty where the formula has no use for it
    Attenuated next = {};   ///< made of the new x in the same pass
    bool settled = false;   ///< the sensitivity is no result of the operation just before
};

/// What the sensitivity of a part is made of: att F^T mult.
struct SensitivityWeights {
    ConstView mult;
    ConstView att;
};

/// Which discrepancy is projected back: mult (y/e - 1), or mult y/e alone (OSEM, MLEM, list-mode).
enum class Discrepancy { RatioMinusOne, Ratio };
/// What is taken from y/e.
[[nodiscard]] constexpr float offsetOf(Discrepancy kind) {
    return kind == Discrepancy::RatioMinusOne ? 1.0F : 0.0F;
}

/// Whether a result replaces what is in the output or is added to it.
enum class Write { Overwrite, Add };

/// What Space::penalise() goes by; arrays of the output's size.
struct PenaltyTerms {
    ConstView x;
    ConstView kappa = {};   ///< strength by voxel; empty: 1
    ConstView vector = {};  ///< what PenaltyPart::Product multiplies
    float factor = 1;       ///< the part is taken so many times
    Write write = Write::Overwrite;
    ConstView chosen = {};  ///< NeighbourBits by voxel; empty: all neighbours. MedianRoot takes none
};

/// Throws InternalError for what Space::penalise() cannot be asked.
void requirePenalisable(const Penalty& penalty, PenaltyPart part, const PenaltyTerms& terms, MutableView out);

/// Throws InternalError for what Space::gather() cannot be asked.
void requireGatherable(const Neighbourhood& neighbours, ConstView chosen, ConstView x, MutableView out);

/// The stages whose time a run reports (paper 000, Table IV).
enum class Stage : std::uint8_t { Upload, Forward, Discrepancy, Back, Update, Download };
inline constexpr std::size_t kStages = 6;
[[nodiscard]] const char* stageName(Stage stage);

struct Blur;
class ImageFilter;

/// A copy of an image on its way to the host; taken when ready, never waited for by the run.
class Snapshot {
  public:
    virtual ~Snapshot() = default;
    /// True once take() would return at once.
    [[nodiscard]] virtual bool ready() = 0;
    /// The image becomes `image`, whose memory is used where it has as many values; waits when it is not
    /// ready. Callable once, from any thread.
    virtual void takeInto(std::vector<float>& image) = 0;
    [[nodiscard]] std::vector<float> take() {
        std::vector<float> image;
        takeInto(image);
        return image;
    }
};

/// How a sequence is made again. A device may replay what it has recorded. Steps that do more than give work
/// to a space have to be given anew; then control is heeded after each of them.
enum class Repeat : std::uint8_t { Replayed, GivenAnew };

/// Names a sequence of steps: what is done, and on which buffers. Two replayed sequences with equal keys must
/// consist of the same operations on the same views; two that are given anew, of steps of one kind. An empty
/// name says nothing of other sequences.
struct SequenceKey {
    std::string name;
    std::uint64_t generation = 0;
    Repeat repeat = Repeat::Replayed;
};

/// The spaces of several processes, each on a device of its own, which pass arrays to each other without the
/// host. Every rank calls the same operations in the same order; they are ordered like work of the space and
/// nobody waits for them. One caller thread.
class SpacePeers {
  public:
    struct Sent {
        int to = 0;
        ConstView data;
    };
    struct Received {
        int from = 0;
        MutableView data;
    };
    virtual ~SpacePeers() = default;
    /// x[i] = sum over ranks in single precision, the same bits on all.
    virtual void sum(MutableView x) = 0;
    /// Sends and receives at once. Between two ranks arrays keep their order.
    virtual void exchange(std::span<const Sent> sent, std::span<const Received> received) = 0;
    /// A piece that ends within an array whose other values other ranks have.
    struct Halo {
        std::vector<Sent> sent;          ///< what others have of the piece in their halos
        std::vector<Received> received;  ///< beside the piece
        PartData data;                   ///< holds the piece and what is received
        MutableView p;                   ///< as `data`
    };
    /// Space::discrepancy() of a piece of a part, of `whole` data on all ranks: its floor comes from all
    /// pieces. `p` may be empty. If there is a halo, `p` lies in halo.p, and that is complete then.
    virtual void discrepancy(const PartData& data, Discrepancy kind, double whole, MutableView p,
                             const Halo& halo) = 0;
};

/// What is asked while work lasts, and how often.
struct Heed {
    std::function<void()> ask;
    std::chrono::milliseconds between{20};
};

/// Memory and element-wise work of one place. One caller thread at a time; operations are in order, may be
/// asynchronous, and a result is on the host only after download() or take(). Views passed in must be of this
/// space and of equal sizes (checked; InternalError). Sums are in fixed order: the same bits every time.
class Space {
  public:
    virtual ~Space() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    /// True where its arrays are this machine's memory: other memory of it can be used as it is.
    [[nodiscard]] virtual bool hostMemory() const { return false; }
    /// What work on the host asks from now on (see Heeding); returns what it asked before. A device is done
    /// soon and asks nothing.
    virtual Heed exchangeHeed(Heed /*heed*/) { return {}; }  // NOLINT: who keeps it takes it
    /// The device, as no other one is called, where it can have peers; else empty.
    [[nodiscard]] virtual std::string peerName() const { return {}; }
    /// What one process makes and gives all that call joinPeers(), one for each set of peers.
    [[nodiscard]] virtual std::string peerKey() const { return {}; }
    /// Called by `size` processes at once, each on another device; waits for all. Throws Unavailable. The
    /// peers must not outlive this space.
    [[nodiscard]] virtual std::unique_ptr<SpacePeers> joinPeers(const std::string& /*key*/, int /*rank*/,
                                                                int /*size*/) {
        return nullptr;
    }

    /// Uninitialised memory; throws Unavailable with the numbers when it does not fit.
    [[nodiscard]] virtual Array allocate(std::size_t floats) = 0;
    /// Bytes that allocate() could still give.
    [[nodiscard]] virtual std::size_t bytesFree() const = 0;
    virtual void upload(std::span<const float> from, MutableView to) = 0;
    /// Work given so far comes before the copies that uploadAside() starts, until this is called again; what
    /// is given later runs beside them.
    virtual void beginAside() {}
    /// Starts an upload that runs beside the work given since beginAside(). To be called when that work has
    /// been given: the host may have to wait for what came before. `from` must stay and `to` must not be used
    /// before joinAside().
    virtual void uploadAside(std::span<const float> from, MutableView to) { upload(from, to); }
    /// Work given from now on sees what uploadAside() brought. `from` may go then. Throws what went wrong
    /// there.
    virtual void joinAside() {}
    /// Waits for all work before it, so it also carries errors of that work.
    virtual void download(ConstView from, std::span<float> to) = 0;
    /// Starts copying an image out; later work on `from` does not disturb it and does not wait for it.
    [[nodiscard]] virtual std::unique_ptr<Snapshot> snapshot(ConstView from) = 0;
    /// Waits until all work is done and reports its errors.
    virtual void finish() = 0;

    virtual void fill(MutableView x, float value) = 0;
    /// x = value where s >= floor and s > 0, else 0.
    virtual void fillSeen(ConstView s, float floor, float value, MutableView x) = 0;
    virtual void copy(ConstView from, MutableView to) = 0;
    /// out = a * b element by element; out may be a or b.
    virtual void multiply(ConstView a, ConstView b, MutableView out) = 0;
    /// out += factor a.
    virtual void addScaled(ConstView a, float factor, MutableView out) = 0;
    void accumulate(ConstView a, MutableView out) { addScaled(a, 1.0F, out); }
    /// x[place] += value for every one of `places`, which are places in x and may repeat. The same bits every
    /// time as long as sums of the values are exact, as those of whole numbers below 2^24 are.
    virtual void addAt(std::span<const std::uint64_t> places, float value, MutableView x) = 0;
    /// Sum in double precision.
    [[nodiscard]] virtual double sum(ConstView x) = 0;
    [[nodiscard]] virtual float maximum(ConstView x) = 0;

    /// Turns p in place from forward projection into what is projected back: e = mult p + add;
    /// p = mult (y/e - 1) or mult y/e, with y/e = 0 where mult = 0 or e <= 1e-9 mean(e) over this part.
    virtual void discrepancy(const PartData& data, Discrepancy kind, MutableView p) = 0;
    /// The two halves of discrepancy(), for data that are a piece of a part: the floor comes from all pieces.
    /// p from forward projection to e; returns their sum. Throws Unavailable where a space cannot do this.
    [[nodiscard]] virtual double expect(const PartData& data, MutableView p);
    /// p from e to what is projected back; nothing is expected where e <= floor.
    virtual void discrepancyAbove(const PartData& data, Discrepancy kind, float floor, MutableView p);
    /// x = how(x, correction, sensitivity, lambda) for every element, then next.image = next.att x. x, att
    /// and the data of discrepancy() are not results of the operation just before, nor is a settled
    /// sensitivity.
    virtual void update(const VoxelUpdate& how, const UpdateTerms& terms, MutableView x) = 0;

    /// out = (or +=) factor times a part of a penalty at x (prior_math.h). `out` is none of the arrays it is
    /// made of. MedianRoot has a gradient alone. The same bits every time.
    virtual void penalise(const Penalty& penalty, PenaltyPart part, const PenaltyTerms& terms,
                          MutableView out) = 0;
    /// out_j = x_j + the x of neighbours that j has chosen, or that have chosen j; `chosen`: NeighbourBits by
    /// voxel. `out` is none of the others.
    virtual void gather(const Neighbourhood& neighbours, ConstView chosen, ChosenBy by, ConstView x,
                        MutableView out) = 0;
    /// Allocates what the filter needs, once. Throws Unavailable where a space cannot do this.
    [[nodiscard]] virtual std::unique_ptr<ImageFilter> inverseFilter(const Blur& blur);
    /// Sum over data of y log(e) - e, e = mult p + add, in double; data whose e is not positive add nothing.
    /// `p` comes from forward projection and becomes e.
    [[nodiscard]] virtual double logLikelihood(const PartData& data, MutableView p) = 0;

    /// Runs step(0) .. step(steps-1) in order. between(done) is called after groups of steps of at most about
    /// 50 ms of work, or after each (Repeat::GivenAnew), when they have been given; exceptions from it pass
    /// through with the steps before it complete. A device may record a group once and replay it when the
    /// same key comes again; an empty name forbids that.
    virtual void sequence(const SequenceKey& key, std::size_t steps,
                          const std::function<void(std::size_t)>& step,
                          const std::function<void(std::size_t done)>& between) = 0;

    /// Starts (or, with the same stage twice, continues) attributing time to a stage.
    virtual void stage(Stage stage) = 0;
    /// Stops attributing time. Called at the end of a projection step and before control returns to the user.
    virtual void stageEnd() = 0;
    /// Seconds per stage since the last call, resetting them; waits for the work that is timed.
    [[nodiscard]] virtual std::vector<double> takeStageSeconds() = 0;
};

/// For as long as this lives, work of a space on the host asks, on the thread that made this and gives the
/// work. What that throws (Cancelled) ends the work, whose output is undefined then.
class Heeding {
  public:
    Heeding(Space& space, std::function<void()> ask)
        : space_(space), before_(space.exchangeHeed({std::move(ask)})) {}
    ~Heeding() { space_.exchangeHeed(std::move(before_)); }
    Heeding(const Heeding&) = delete;
    Heeding& operator=(const Heeding&) = delete;

  private:
    Space& space_;
    Heed before_;
};

}  // namespace tof
