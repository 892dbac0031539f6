// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>

#include "gpu/simulate/cuda_simulator.h"
#include "gpu/simulate/photon_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/cuda_device.h"
#include "gpu/space/cuda_owned.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/large_array.h"
#include "recon/data/event_part.h"
#include "recon/simulate/slice_resolver.h"

namespace tof {

namespace {

constexpr std::uint64_t kMostSlices = 16384;  ///< the most slices of a batch
constexpr double kMostPrompts = 4e6;  ///< in a batch, so that the host takes some while others are made
constexpr std::uint64_t kMostOnHost = 1024;    ///< the most slices whose photons the host takes: 0.3 GiB
constexpr double kShareOfMemory = 0.5;         ///< share of the memory that is free
constexpr std::size_t kSlicesPerRound = 1024;  ///< in a round; their photons on their way take 1.5 GiB
constexpr std::size_t kUnitsPerSlice = kDecaysPerSlice / device::kDecaysPerUnit;
constexpr double kTicks = 4294967296.0;  ///< ticks of a slice
constexpr double kLongestTick_ps = 10;   ///< a twentieth of what the best scanners resolve
constexpr std::uint32_t kSpare = 256;    ///< entries beyond what slices had so far

/// Room for `seen` entries at most in a few slices: half as many more and some.
std::uint32_t roomFor(std::uint32_t seen) {
    return (seen + seen / 2 + kSpare + 31) / 32 * 32;
}

class CudaSlices : public SliceSource {
  public:
    CudaSlices(const TimedModel& model, int device, ResolvedBy by)
        : device_(std::make_shared<CudaDevice>(device)),
          ledger_(std::make_shared<MemoryLedger>()),
          delayeds_(model.delayeds),
          pool_(model.pool),
          resolver_(model.resolver),
          singles_(model.singles),
          onHost_(by == ResolvedBy::Host || model.resolver.needsHost()),
          length_ps_(model.length_ps) {
        device_->use();
        std::size_t free = 0;
        std::size_t all = 0;
        check(cudaMemGetInfo(&free, &all), "ask for the free memory");
        ledger_->device = device_;
        ledger_->limit = free;
        stream_ = makeStream();
        sideStream_ = makeStream();
        begun_ = makeEvent(EventUse::Order);
        done_ = makeEvent(EventUse::Order);
        copyTables(model);
        copyTimes(model);
        batch_.photonRoom = roomFor(model.photons);
        batch_.promptRoom = roomFor(2 * model.prompts);
        promptsPerSlice_ = std::max(1.0, static_cast<double>(model.prompts));
    }
    ~CudaSlices() override { static_cast<void>(cudaStreamSynchronize(stream_.get())); }
    CudaSlices(const CudaSlices&) = delete;
    CudaSlices& operator=(const CudaSlices&) = delete;

    [[nodiscard]] std::uint64_t mostAtOnce() const override {
        return std::min(onHost_ ? kMostOnHost : kMostSlices, slicesThatFit());
    }
    void takeTurns(const SliceTurns& turns) override {
        turns_ = turns;
        firstSlice_ = turns.first;
    }

    void next(std::uint64_t wanted, SliceBatch& batch) override {
        device_->use();
        if (running_ == 0) {
            start(wanted);
        }
        while (!fits()) {
            grow();
            launch();
        }
        const auto slices = batch_.slices;
        if (onHost_) {
            resolveOnHost(wanted, batch);
            return;
        }
        if (singles_ != nullptr) {
            addSingles();
        }
        std::vector<device::SliceCounts> counts(hostCounts_.get(), hostCounts_.get() + slices);
        const std::size_t prompts = offsetsOf(counts, &device::SliceCounts::prompts, batch.prompts.perSlice);
        const std::size_t delayeds =
            offsetsOf(counts, &device::SliceCounts::delayeds, batch.delayeds.perSlice);
        Columns columns = fetch(false, batch.prompts.perSlice, prompts, prompts_);
        Columns late = nullptr;
        if (delayeds_) {
            late = fetch(true, batch.delayeds.perSlice, delayeds, late_);
        }
        check(cudaStreamSynchronize(stream_.get()), "simulate");
        firstSlice_ += turns_ ? turns_->step : slices;
        running_ = 0;
        promptsPerSlice_ = std::max(1.0, static_cast<double>(prompts) / slices);
        if (prompts < wanted) {
            start(wanted - prompts);  // while the host takes these
        }
        take(columns, prompts, batch.prompts);
        take(late, delayeds, batch.delayeds);
        batch.reports.clear();
        for (const device::SliceCounts& count : counts) {
            batch.reports.push_back(reportOf(count));
        }
    }

  private:
    /// The host resolves photons that the device followed.
    void resolveOnHost(std::uint64_t wanted, SliceBatch& batch) {
        const std::size_t room = batch_.photonRoom;
        const std::uint64_t first = batch_.firstSlice;
        const std::vector<device::SliceCounts> counts(hostCounts_.get(), hostCounts_.get() + batch_.slices);
        std::vector<device::DevicePhoton> photons(counts.size() * room);
        std::vector<std::uint32_t> groups(photons.size());
        const auto fetch = [&](auto& to, const auto* from) {
            check(cudaMemcpyAsync(to.data(), from, to.size() * sizeof(to[0]), cudaMemcpyDeviceToHost,
                                  stream_.get()),
                  "copy photons", {to.size()});
        };
        fetch(photons, photons_.get());
        fetch(groups, groups_.get());
        check(cudaStreamSynchronize(stream_.get()), "simulate");
        firstSlice_ += turns_ ? turns_->step : counts.size();
        running_ = 0;
        const auto likely = static_cast<std::uint64_t>(promptsPerSlice_ * static_cast<double>(counts.size()));
        if (likely < wanted) {
            start(wanted - likely);  // while the host resolves these
        }
        std::vector<Slice> slices(counts.size());
        pool_.forRange(slices.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                const device::SliceCounts& count = counts[k];
                slices[k].index = first + k;
                slices[k].report.started = kDecaysPerSlice;
                slices[k].report.attenuated = count.attenuated;
                slices[k].report.missed = count.missed;
                slices[k].report.outsideWindow = count.outside;
                for (std::size_t i = k * room; i < k * room + count.photons; ++i) {
                    slices[k].photons.push_back(timed(photons[i], groups[i]));
                }
                resolver_.resolve(slices[k]);
            }
        });
        batch = SliceBatch();
        for (const Slice& slice : slices) {
            appendSlice(slice, length_ps_, delayeds_ ? Delayeds::Listed : Delayeds::Counted, batch);
            if (singles_ != nullptr) {
                resolver_.count(slice, *singles_);
            }
        }
        promptsPerSlice_ = std::max(
            1.0, static_cast<double>(batch.prompts.events.size()) / static_cast<double>(slices.size()));
    }

    [[nodiscard]] TimedPhoton timed(const device::DevicePhoton& from, std::uint32_t group) const {
        TimedPhoton photon;
        photon.time_ps = from.time * times_.psPerTick;
        photon.group = group;
        photon.crystal = from.crystal;
        photon.decay = from.what & device::kDecayBits;
        photon.energy_keV = from.energy_keV;
        photon.photon = (from.what & device::kSecondBit) != 0 ? 1 : 0;
        photon.scatters = static_cast<std::uint8_t>(from.what >> device::kScatterShift & 127U);
        photon.inWindow = (from.what & device::kWindowBit) != 0;
        photon.part = (from.what & device::kPartBit) != 0;
        photon.unrecorded = (from.what & device::kUnrecordedBit) != 0;
        return photon;
    }

    /// Where events of a batch are gathered, on the device and on the host.
    struct Gathered {
        DeviceBuffer<std::uint32_t> crystals;
        DeviceBuffer<float> dt;
        DeviceBuffer<std::uint8_t> kind;
        DeviceBuffer<std::uint8_t> scatters;
        DeviceBuffer<float> energy;
        DeviceBuffer<float> share;
        PinnedBuffer<std::uint32_t> hostCrystals;
        PinnedBuffer<float> hostDt;
        PinnedBuffer<std::uint8_t> hostKind;
        PinnedBuffer<std::uint8_t> hostScatters;
        PinnedBuffer<float> hostEnergy;
        PinnedBuffer<float> hostShare;
        std::size_t room = 0;
    };
    using Columns = const Gathered*;

    template <class T>
    [[nodiscard]] const T* copied(const T* from, std::size_t size, std::vector<DeviceBuffer<T>>& kept) {
        if (from == nullptr || size == 0) {
            return nullptr;
        }
        kept.emplace_back(ledger_, size, "tables of the simulation");
        kept.back().uploadFrom({from, size}, stream_.get());
        check(cudaStreamSynchronize(stream_.get()), "copy tables of the simulation");
        return kept.back().get();
    }

    void copyTables(const TimedModel& model) {
        const PairPhysics& physics = model.model.physics();
        EmissionView emission = model.model.emission().view();
        emission.shapes = copied(emission.shapes, static_cast<std::size_t>(emission.shapeCount), shapes_);
        emission.ranked = copied(emission.ranked, static_cast<std::size_t>(emission.rankedCount), ints_);
        emission.upTo = copied(emission.upTo, static_cast<std::size_t>(emission.rankedCount), doubles_);
        emission.keep = copied(emission.keep, emission.voxelCount, doubles_);
        emission.alias = copied(emission.alias, emission.voxelCount, words_);
        MediumView medium = physics.medium;
        medium.solids = copied(medium.solids, static_cast<std::size_t>(medium.solidCount), solids_);
        medium.voxelMu =
            copied(medium.voxelMu,
                   static_cast<std::size_t>(medium.voxels[0]) * static_cast<std::size_t>(medium.voxels[1]) *
                       static_cast<std::size_t>(medium.voxels[2]),
                   floats_);
        medium.tables = copied(medium.tables, kMaterials, sections_);
        medium.majorant = copied(medium.majorant, CrossSections::kSize, floats_);
        CrystalView crystals = physics.crystals;
        const auto bins =
            static_cast<std::size_t>(crystals.azimuthBins) * static_cast<std::size_t>(crystals.zBins);
        const std::size_t binned = crystals.binStart[bins];
        crystals.modules = copied(crystals.modules, model.model.crystals().moduleCount(), modules_);
        crystals.ids = copied(crystals.ids, model.model.crystals().idCount(), words_);
        crystals.binStart = copied(crystals.binStart, bins + 1, words_);
        crystals.binModules = copied(crystals.binModules, binned, words_);
        crystals.material = copied(crystals.material, 1, sections_);
        LineAcceptance lines = model.model.lines();
        lines.points = copied(lines.points, model.model.crystalCount(), points_);
        tables_ = {emission,
                   medium,
                   crystals,
                   physics.readout,
                   physics.range,
                   physics.moves,
                   physics.acollinear,
                   physics.compton,
                   physics.crystalCompton,
                   copied(&physics.cut, 1, cuts_),
                   lines,
                   PhiloxRounds(streamKey(model.seed, RandomUse::Photons))};
    }

    void copyTimes(const TimedModel& model) {
        times_.ticksPerPs = kTicks / model.length_ps;
        times_.psPerTick = model.length_ps / kTicks;
        if (times_.psPerTick > kLongestTick_ps) {
            throw WrongUse(
                "at so low an activity a card counts times in steps of {:.3g} ps; give {:.3g} times as much "
                "or "
                "more, or take --engine cpu",
                times_.psPerTick, times_.psPerTick / kLongestTick_ps);
        }
        times_.sigmaTicks = static_cast<float>(model.sigma_ps * times_.ticksPerPs);
        times_.window = ticksBefore(model.resolver.window_ps());
        times_.delay = ticksBefore(model.resolver.delay_ps());
        times_.delayedEnd = ticksBefore(model.resolver.delay_ps() + model.resolver.window_ps());
        times_.dead = ticksBefore(model.resolver.dead_ps());
        if (model.resolver.losesMore()) {
            copyElectronics(model);
        }
    }

    /// Whole ticks that are less than the result are those that are less than `ps`.
    [[nodiscard]] std::uint32_t ticksBefore(double ps) const {
        return static_cast<std::uint32_t>(std::ceil(ps * times_.ticksPerPs));
    }

    void copyElectronics(const TimedModel& model) {
        PileUp pileUp = model.resolver.pileUp();
        pileUp.cells = copied(pileUp.cells, model.model.crystalCount(), cells_);
        electronics_ = {pileUp, ticksBefore(pileUp.integration_ps), model.resolver.paralysable(),
                        model.resolver.multiples()};
    }

    /// Begins with the slices that follow.
    void start(std::uint64_t wanted) {
        const double likely =
            std::min(1.05 * static_cast<double>(wanted), kMostPrompts) / promptsPerSlice_ + 4;
        batch_.slices = static_cast<std::uint32_t>(
            turns_ ? turns_->slices : std::min(mostAtOnce(), static_cast<std::uint64_t>(likely)));
        batch_.firstSlice = firstSlice_;
        running_ = batch_.slices;
        launch();
    }

    [[nodiscard]] std::size_t bytesPerSlice() const {
        return batch_.photonRoom * (sizeof(device::DevicePhoton) + sizeof(std::uint32_t)) +
               (delayeds_ ? 2 : 1) * batch_.promptRoom * sizeof(device::DeviceEvent) +
               sizeof(device::SliceCounts);
    }

    [[nodiscard]] std::uint64_t slicesThatFit() const {
        const auto room = static_cast<std::size_t>(kShareOfMemory * static_cast<double>(ledger_->limit));
        return std::max<std::uint64_t>(1, room / bytesPerSlice());
    }

    void makeTables() {
        const std::size_t slices = std::max<std::size_t>(batch_.slices, slices_);
        if (slices == slices_ && photons_.size() == slices * batch_.photonRoom &&
            promptSlots_.size() == slices * batch_.promptRoom) {
            return;
        }
        photons_ = {};
        groups_ = {};
        promptSlots_ = {};
        delayedSlots_ = {};
        counts_ = {};
        slices_ = slices;
        const char* const what = "the photons of a batch";
        photons_ = {ledger_, slices * batch_.photonRoom, what};
        groups_ = {ledger_, slices * batch_.photonRoom, what};
        promptSlots_ = {ledger_, slices * batch_.promptRoom, what};
        batch_.delayedRoom = delayeds_ ? batch_.promptRoom : 0;
        if (delayeds_) {
            delayedSlots_ = {ledger_, slices * batch_.delayedRoom, what};
        }
        counts_ = {ledger_, slices, what};
        if (hostCounts_.size() < slices) {
            hostCounts_ = PinnedBuffer<device::SliceCounts>(slices);
        }
        const std::size_t blocks = device::resolveBlocks(device_->properties().multiProcessorCount);
        keys_ = {};
        keys_ = {ledger_, blocks * batch_.photonRoom, what};
        if (electronics_ && electronics_->multiples != Detection::Multiples::All) {
            marks_ = {};
            marks_ = {ledger_, blocks * batch_.photonRoom, what};
        }
        if (queues_.size() == 0) {
            constexpr std::size_t kQueuesPerSlice = device::kRoundsAtOnce * kUnitsPerSlice;
            const std::size_t most = ledger_->limit / 8 / (kQueuesPerSlice * sizeof(device::PhotonQueue));
            batch_.slicesPerRound =
                static_cast<std::uint32_t>(std::clamp<std::size_t>(most, 1, kSlicesPerRound));
            queues_ = {ledger_, batch_.slicesPerRound * kQueuesPerSlice, what};
        }
        batch_.photons = photons_.get();
        batch_.groups = groups_.get();
        batch_.prompts = promptSlots_.get();
        batch_.delayeds = delayedSlots_.get();
        batch_.counts = counts_.get();
        batch_.keys = keys_.get();
        batch_.marks = marks_.get();
        batch_.queues = queues_.get();
    }

    /// Adds what the batch has counted.
    void addSingles() const {
        std::vector<std::uint32_t> counted(singlesOfBatch_.size());
        check(cudaMemcpyAsync(counted.data(), singlesOfBatch_.get(), singlesOfBatch_.bytes(),
                              cudaMemcpyDeviceToHost, stream_.get()),
              "copy singles");
        check(cudaStreamSynchronize(stream_.get()), "simulate");
        const auto busy = counted.begin() + static_cast<std::ptrdiff_t>(singles_->recorded.size());
        std::transform(counted.begin(), busy, singles_->recorded.begin(), singles_->recorded.begin(),
                       std::plus<>());
        std::transform(busy, counted.end(), singles_->busy.begin(), singles_->busy.begin(), std::plus<>());
    }

    /// A batch counts anew, as it may be made twice.
    void clearSingles() {
        const std::size_t crystals = singles_->recorded.size();
        if (singlesOfBatch_.size() == 0) {
            singlesOfBatch_ = {ledger_, crystals + singles_->busy.size(), "singles of crystals"};
            batch_.recorded = singlesOfBatch_.get();
            batch_.busy = singlesOfBatch_.get() + crystals;
        }
        check(cudaMemsetAsync(singlesOfBatch_.get(), 0, singlesOfBatch_.bytes(), stream_.get()),
              "clear singles");
    }

    void launch() {
        makeTables();
        if (singles_ != nullptr && !onHost_) {
            clearSingles();
        }
        check(cudaMemsetAsync(counts_.get(), 0, batch_.slices * sizeof(device::SliceCounts), stream_.get()),
              "clear counts");
        device::transport(tables_, times_, batch_, stream_.get(),
                          {sideStream_.get(), begun_.get(), done_.get()});
        if (!onHost_) {
            device::resolve(tables_, times_, electronics_ ? &*electronics_ : nullptr, batch_,
                            device_->properties(), stream_.get());
        }
        check(cudaMemcpyAsync(hostCounts_.get(), counts_.get(), batch_.slices * sizeof(device::SliceCounts),
                              cudaMemcpyDeviceToHost, stream_.get()),
              "copy counts");
    }

    /// Whether every slice of the batch found room for what it gave.
    [[nodiscard]] bool fits() {
        check(cudaStreamSynchronize(stream_.get()), "simulate");
        mostPhotons_ = 0;
        mostEvents_ = 0;
        for (std::uint32_t k = 0; k < batch_.slices; ++k) {
            const device::SliceCounts& count = hostCounts_.get()[k];
            mostPhotons_ = std::max(mostPhotons_, count.photons);
            mostEvents_ = std::max({mostEvents_, count.prompts, delayeds_ ? count.delayeds : 0U});
        }
        return mostPhotons_ <= batch_.photonRoom && mostEvents_ <= batch_.promptRoom;
    }

    void grow() {
        batch_.photonRoom = std::max(batch_.photonRoom, roomFor(mostPhotons_));
        batch_.promptRoom = std::max(batch_.promptRoom, roomFor(2 * mostEvents_));
        const auto fit = static_cast<std::uint32_t>(std::min(kMostSlices, slicesThatFit()));
        batch_.slices = std::min(batch_.slices, fit);
        running_ = batch_.slices;
        slices_ = 0;
    }

    static std::size_t offsetsOf(const std::vector<device::SliceCounts>& counts,
                                 std::uint32_t device::SliceCounts::*number,
                                 std::vector<std::uint32_t>& perSlice) {
        std::size_t sum = 0;
        perSlice.clear();
        for (const device::SliceCounts& count : counts) {
            perSlice.push_back(count.*number);
            sum += count.*number;
        }
        return sum;
    }

    /// Gathers the events of a batch and begins to copy them to the host.
    Columns fetch(bool delayeds, const std::vector<std::uint32_t>& perSlice, std::size_t count,
                  Gathered& into) {
        if (count == 0 || (delayeds && !delayeds_)) {
            return nullptr;
        }
        std::vector<std::uint32_t> offsets(perSlice.size());
        std::uint32_t sum = 0;
        for (std::size_t k = 0; k < perSlice.size(); ++k) {
            offsets[k] = sum;
            sum += perSlice[k];
        }
        DeviceBuffer<std::uint32_t>& onDevice = delayeds ? lateOffsets_ : offsets_;
        if (onDevice.size() < offsets.size()) {
            onDevice = {ledger_, offsets.size(), "offsets of slices"};
        }
        onDevice.uploadFrom(offsets, stream_.get());
        makeRoom(count, into);
        device::gather(batch_, delayeds ? device::Coincidences::Delayed : device::Coincidences::Prompt,
                       onDevice.get(),
                       {into.crystals.get(), into.dt.get(), into.kind.get(), into.scatters.get(),
                        into.energy.get(), into.share.get()},
                       stream_.get());
        const auto copy = [&](const auto& from, auto& to, std::size_t size) {
            check(cudaMemcpyAsync(to.get(), from.get(), size * sizeof(*to.get()), cudaMemcpyDeviceToHost,
                                  stream_.get()),
                  "copy events", {size});
        };
        copy(into.crystals, into.hostCrystals, 2 * count);
        copy(into.dt, into.hostDt, count);
        copy(into.kind, into.hostKind, count);
        copy(into.scatters, into.hostScatters, count);
        copy(into.energy, into.hostEnergy, 2 * count);
        copy(into.share, into.hostShare, count);
        return &into;
    }

    void makeRoom(std::size_t count, Gathered& into) {
        if (into.room >= count) {
            return;
        }
        into = Gathered();
        const std::size_t room = count + count / 4;
        const char* const what = "the events of a batch";
        into.crystals = {ledger_, 2 * room, what};
        into.dt = {ledger_, room, what};
        into.kind = {ledger_, room, what};
        into.scatters = {ledger_, room, what};
        into.energy = {ledger_, 2 * room, what};
        into.share = {ledger_, room, what};
        into.hostCrystals = PinnedBuffer<std::uint32_t>(2 * room);
        into.hostDt = PinnedBuffer<float>(room);
        into.hostKind = PinnedBuffer<std::uint8_t>(room);
        into.hostScatters = PinnedBuffer<std::uint8_t>(room);
        into.hostEnergy = PinnedBuffer<float>(2 * room);
        into.hostShare = PinnedBuffer<float>(room);
        into.room = room;
    }

    void take(Columns from, std::size_t count, SliceEvents& to) const {
        if (from == nullptr) {
            clearEvents(to.events);
            to.share.assign(count, 0.0F);
            return;
        }
        const auto copy = [&](const auto& pinned, auto& column) {
            constexpr std::size_t kGrain = std::size_t{1} << 16U;
            using Value = std::decay_t<decltype(column[0])>;
            growTo(column, count, 0, pool_);
            const auto* const source = reinterpret_cast<const Value*>(pinned.get());
            pool_.forRange(count, kGrain, [&](std::size_t begin, std::size_t end) {
                std::copy(source + begin, source + end, column.data() + begin);
            });
        };
        static_assert(sizeof(EventKind) == 1);
        copy(from->hostCrystals, to.events.crystals);
        copy(from->hostDt, to.events.dt_ps);
        copy(from->hostKind, to.events.kind);
        copy(from->hostScatters, to.events.scatters);
        copy(from->hostEnergy, to.events.energy_keV);
        copy(from->hostShare, to.share);
    }

    static SimulationReport reportOf(const device::SliceCounts& count) {
        SimulationReport report;
        report.started = kDecaysPerSlice;
        report.attenuated = count.attenuated;
        report.missed = count.missed;
        report.outsideWindow = count.outside - count.carried;
        report.dead = count.dead;
        report.piledUp = count.piledUp;
        report.beyond = count.beyond;
        report.multiple = count.multiple;
        report.singles = count.singles;
        report.late = kDecaysPerSlice - count.attenuated - count.missed - report.outsideWindow - count.dead -
                      count.piledUp - count.beyond - count.multiple - count.counted;
        return report;
    }

    std::shared_ptr<CudaDevice> device_;
    std::shared_ptr<MemoryLedger> ledger_;
    bool delayeds_;
    const ThreadPool& pool_;
    const SliceResolver& resolver_;
    CrystalSingles* singles_;  ///< null: nobody wants them
    bool onHost_;              ///< slices are resolved
    double length_ps_;
    OwnedStream stream_;
    OwnedStream sideStream_;
    OwnedEvent begun_;
    OwnedEvent done_;
    // Tables of the model.
    std::vector<DeviceBuffer<EmissionShape>> shapes_;
    std::vector<DeviceBuffer<std::int32_t>> ints_;
    std::vector<DeviceBuffer<double>> doubles_;
    std::vector<DeviceBuffer<float>> floats_;
    std::vector<DeviceBuffer<std::uint32_t>> words_;
    std::vector<DeviceBuffer<MediumSolid>> solids_;
    std::vector<DeviceBuffer<CrossSections>> sections_;
    std::vector<DeviceBuffer<CrystalModule>> modules_;
    std::vector<DeviceBuffer<ComptonCut>> cuts_;
    std::vector<DeviceBuffer<Vec3>> points_;
    std::vector<DeviceBuffer<CrystalCell>> cells_;
    device::PhotonTables tables_{};
    device::SliceTimes times_{};
    std::optional<device::Electronics> electronics_;
    // Tables of a batch.
    device::SliceTables batch_{};
    std::size_t slices_ = 0;
    std::uint32_t running_ = 0;  ///< slices that the device has been told to make
    std::uint64_t firstSlice_ = 0;
    std::optional<SliceTurns> turns_;
    double promptsPerSlice_ = 1;
    std::uint32_t mostPhotons_ = 0;
    std::uint32_t mostEvents_ = 0;
    DeviceBuffer<device::DevicePhoton> photons_;
    DeviceBuffer<std::uint32_t> groups_;
    DeviceBuffer<device::DeviceEvent> promptSlots_;
    DeviceBuffer<device::DeviceEvent> delayedSlots_;
    DeviceBuffer<device::SliceCounts> counts_;
    DeviceBuffer<device::PhotonKey> keys_;
    DeviceBuffer<device::WindowMark> marks_;
    DeviceBuffer<device::PhotonQueue> queues_;
    DeviceBuffer<std::uint32_t> offsets_;
    DeviceBuffer<std::uint32_t> lateOffsets_;
    DeviceBuffer<std::uint32_t> singlesOfBatch_;  ///< recorded, then busy
    PinnedBuffer<device::SliceCounts> hostCounts_;
    Gathered prompts_;
    Gathered late_;
};

}  // namespace

SliceMaker cudaSlices(int device, ResolvedBy by) {
    int devices = 0;
    static_cast<void>(cudaGetDeviceCount(&devices));
    device = devices > 0 ? device % devices : device;
    const CudaDevice known(device);  // throws where there is none
    return [device, by](const TimedModel& model) -> std::unique_ptr<SliceSource> {
        return std::make_unique<CudaSlices>(model, device, by);
    };
}

}  // namespace tof
