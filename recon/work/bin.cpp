// SPDX-License-Identifier: Apache-2.0
#include "recon/work/bin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <limits>
#include <memory>
#include <numeric>
#include <tuple>

#include "recon/base/error.h"
#include "recon/base/memory.h"
#include "recon/binning/line_binning.h"
#include "recon/binning/panel_binning.h"
#include "recon/binning/randoms.h"
#include "recon/binning/tof_check.h"
#include "recon/corrections/attenuation_map.h"
#include "recon/data/data_hash.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/phantom/phantom.h"
#include "recon/ranks/on_first.h"
#include "recon/ranks/rank_range.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/work/list_scanner.h"

namespace tof {

namespace {

/// Refuses a binning whose result, beside the list that is held already, does not fit what is free.
void requireRoom(const BinRequest& request, double bytes) {
    constexpr double kMebi = 1024.0 * 1024.0;
    const auto room = static_cast<double>(availableBytes());
    if (bytes > room) {
        throw BadInput(
            "{}: what it becomes needs {:.0f} MiB, more than the {:.0f} MiB of this machine's memory that "
            "are free; "
            "choose fewer views, a coarser lattice or another form, or use a larger machine",
            request.input, bytes / kMebi, room / kMebi);
    }
}

/// A remark where times of flight seem to have the other sign than they are taken to have.
void checkSign(const EventList& events, const Scanner& crystals, const BinRequest& request,
               WorkProgress& progress) {
    if (checkTof(referencePoints(crystals), events.crystals, events.dt_ps, crystals.fovRadius_mm).sign ==
        TofSign::Reversed) {
        progress.note(
            Remark::TimesReversed,
            fmt::format(
                "{}: the times of flight look reversed; see 'info --check-tof', and bin with {}--reverse-tof",
                request.input, request.times == Times::Reversed ? "no " : ""));
    }
}

void reverse(std::vector<float>& times) {
    for (float& dt : times) {
        dt = -dt;
    }
}

/// The times of flight of a list with the sign that was asked for; a remark where they seem to have the
/// other.
void checkTimes(EventList& events, ListScanner& scanner, const BinRequest& request, WorkProgress& progress) {
    if (request.times == Times::Left) {
        events.dt_ps.clear();
    }
    if (request.times == Times::Reversed) {
        reverse(events.dt_ps);
    }
    const Scanner* const crystals = events.dt_ps.empty() ? nullptr : scanner.described();
    if (crystals != nullptr) {
        checkSign(events, *crystals, request, progress);
    }
}

/// Every n-th event of a list that passes in parts, to check their times by; the first rank has those of all.
class Sample {
  public:
    Sample(std::uint64_t events, Communicator* ranks) : step_(tofCheckStep(events)), ranks_(ranks) {}
    /// Events from `first` on; of ranks all call it as often, parts of a time in their order.
    void take(std::uint64_t first, const EventList& part) {
        EventList found;
        for (std::uint64_t next = (first + step_ - 1) / step_ * step_;
             !part.dt_ps.empty() && next < first + part.size(); next += step_) {
            found.crystals.push_back(part.crystals[next - first]);
            found.dt_ps.push_back(part.dt_ps[next - first]);
        }
        if (ranks_ != nullptr) {
            gatherOnFirst(*ranks_, found.crystals);
            gatherOnFirst(*ranks_, found.dt_ps);
        }
        events_.crystals.insert(events_.crystals.end(), found.crystals.begin(), found.crystals.end());
        events_.dt_ps.insert(events_.dt_ps.end(), found.dt_ps.begin(), found.dt_ps.end());
    }
    [[nodiscard]] const EventList& events() const { return events_; }

  private:
    std::uint64_t step_;
    Communicator* ranks_;
    EventList events_;
};

/// Factors of histo-images that are computed while events are still counted.
class FactorsAhead {
  public:
    /// `outline`: the views without counts. Keeps references.
    FactorsAhead(HistoData outline, const Scanner& scanner, const std::optional<Volume>& mu, int threads)
        : factors_(std::move(outline)) {
        made_ = std::async(std::launch::async, [this, &scanner, &mu, threads] {
            computeFactors(factors_, scanner, mu ? &*mu : nullptr, ThreadPool(threads), [this](double share) {
                if (unwanted_) {
                    throw Cancelled();
                }
                share_ = share;
            });
        });
    }
    FactorsAhead(const FactorsAhead&) = delete;
    FactorsAhead& operator=(const FactorsAhead&) = delete;
    ~FactorsAhead() { unwanted_ = true; }

    /// Waits for them; `progress` gets the share done and may throw.
    void addTo(HistoData& data, const std::function<void(double)>& progress) {
        constexpr std::chrono::milliseconds kBetweenReports{20};
        while (made_.wait_for(kBetweenReports) != std::future_status::ready) {
            progress(share_);
        }
        made_.get();
        progress(1);
        data.multGrid = factors_.multGrid;
        data.attGrid = factors_.attGrid;
    }

  private:
    HistoData factors_;
    std::atomic<double> share_ = 0;
    std::atomic<bool> unwanted_ = false;
    std::future<void> made_;  ///< last: waits before what it uses goes
};

/// One binning: what was asked for, and who it is for.
class Binning {
  public:
    Binning(const BinRequest& request, const ThreadPool& pool, WorkProgress& progress)
        : request_(request), pool_(pool), progress_(progress) {}

    [[nodiscard]] HistoData histoImages(EventList events, const Scanner& scanner) const;
    /// The same of a list that need not be in memory.
    [[nodiscard]] HistoData histoImages(const EventStream& list, ListScanner& scanner) const;
    [[nodiscard]] BinningSettings histoSettings() const;
    /// Efficiencies and attenuation of counts.
    void correct(HistoData& data, const Scanner& scanner) const;
    void correct(HistoData& data, const Scanner& scanner, const std::optional<Volume>& mu) const;
    [[nodiscard]] SinogramData sinograms(const EventList& events, const Scanner* scanner) const;
    /// Sinograms or lines of panels of a list of which every rank reads its part.
    [[nodiscard]] MeasuredData divided(const EventStream& list, ListScanner& scanner) const;
    [[nodiscard]] LineData lines(const EventList& events, const Scanner* scanner) const;
    [[nodiscard]] PanelData panel(const EventList& events, const Scanner& scanner) const;
    [[nodiscard]] MeasuredData histogram(CastorLines lines) const;
    [[nodiscard]] BinResult addresses() const;
    [[nodiscard]] MeasuredData foreignSinograms(DataForm form) const;

    /// True when the scanner that was named is rings; else it is the geometry that the list is read with.
    [[nodiscard]] bool namesRings() const {
        return !request_.scanner.empty() && MichelogramSpec::describes(request_.scanner);
    }
    [[nodiscard]] std::string geometry() const { return namesRings() ? "" : request_.scanner; }

    /// Whether this process has the data in the end.
    [[nodiscard]] bool first() const { return ranks() == nullptr || ranks()->first(); }

  private:
    [[nodiscard]] Communicator* ranks() const { return request_.ranks.get(); }
    void correctSinograms(SinogramData& data, const Scanner* scanner) const;
    void correctPanel(PanelData& data, const Scanner& scanner) const;
    [[nodiscard]] Lattice lattice() const { return request_.lattice.value_or(usualLattice()); }
    [[nodiscard]] std::shared_ptr<const Michelogram> rings() const;
    /// What histo-images leave out, and whether they fit this machine.
    void checkHistoImages(bool hasFactors, const Scanner& scanner, bool attenuates) const;
    void count(const EventStream& list, EventDeposit& deposit, Sample& sample) const;
    /// What attenuates, in 1/mm: what was named, or else the phantom a list was simulated from.
    [[nodiscard]] std::optional<Volume> attenuation(const std::string& phantom) const;
    void attenuate(SinogramData& data, const std::optional<Volume>& mu) const;
    void attenuate(LineData& data, std::optional<Volume> mu) const;
    [[nodiscard]] LineData freeLines(const EventList& events, const Scanner& scanner) const;
    [[nodiscard]] LineData normalisedLines(const EventList& events, const Scanner* scanner) const;
    [[nodiscard]] LineData correctedLines(const EventList& events, const Scanner* scanner) const;
    void placeOnRings(Ecat8Result& list) const;

    const BinRequest& request_;
    const ThreadPool& pool_;
    WorkProgress& progress_;
};

std::shared_ptr<const Michelogram> Binning::rings() const {
    if (!namesRings()) {
        throw WrongUse(
            "sinograms need the rings they belong to; give --scanner NAME or a JSON file of kind 'rings'");
    }
    return std::make_shared<const Michelogram>(MichelogramSpec::find(request_.scanner));
}

std::optional<Volume> Binning::attenuation(const std::string& phantom) const {
    if (request_.mu == "none") {
        return std::nullopt;
    }
    if (!request_.mu.empty()) {
        AttenuationMap map = readAttenuationMap(request_.mu, request_.muUnits);
        if (!map.note.empty()) {
            progress_.note(Remark::Data, map.note);
        }
        return std::move(map.volume);
    }
    if (phantom.empty()) {
        progress_.note(Remark::NoAttenuation,
                       "no attenuation: the list names no phantom; give --mu FILE for a measured object");
        return std::nullopt;
    }
    // Lines are followed one by one through as many voxels as the image has.
    const double spacing = request_.form == DataForm::HistoImages ? kAttenuationSpacing_mm
                                                                  : std::numeric_limits<double>::infinity();
    Volume volume =
        Phantom::fromNameOrText(phantom, request_.input, readVolume).wholeAttenuation(lattice(), spacing);
    const bool air = std::all_of(volume.data.begin(), volume.data.end(), [](float mu) { return mu == 0; });
    return air ? std::nullopt : std::optional(std::move(volume));
}

void Binning::attenuate(SinogramData& data, const std::optional<Volume>& mu) const {
    if (mu) {
        applyAttenuation(data, *mu, pool_, progress_.begin("attenuation"));
    }
}

void multiply(std::vector<float>& mult, const std::vector<float>& factors) {
    mult.resize(factors.size(), 1.0F);
    std::transform(mult.begin(), mult.end(), factors.begin(), mult.begin(), std::multiplies<>());
}

/// List-mode that has add needs mult beside it.
void Binning::attenuate(LineData& data, std::optional<Volume> mu) const {
    if (mu && !data.add.empty()) {
        multiply(data.mult, attenuationOf(*data.events, *mu, pool_, progress_.begin("attenuation")));
    }
    data.attenuation = std::move(mu);
}

BinningSettings Binning::histoSettings() const {
    return {request_.azimuths,  request_.tilts,     lattice(),
            request_.trilinear, request_.endPoints, request_.seed};
}

void Binning::correct(HistoData& data, const Scanner& scanner) const {
    correct(data, scanner, attenuation(data.phantom));
}

void Binning::correct(HistoData& data, const Scanner& scanner, const std::optional<Volume>& mu) const {
    const FactorShare share =
        ranks() != nullptr ? FactorShare{ranks()->rank(), ranks()->size()} : FactorShare();
    computeFactors(data, scanner, mu ? &*mu : nullptr, pool_, progress_.begin("corrections"), share);
    if (ranks() != nullptr) {
        joinFactors(*ranks(), data);
    }
    if (!request_.atPoints && first()) {
        data.expandFactors(pool_);
    }
}

void Binning::checkHistoImages(bool hasFactors, const Scanner& scanner, bool attenuates) const {
    if (hasFactors) {
        progress_.note(Remark::Data,
                       request_.input + ": the correction factors stored with the events are not used");
    }
    // Counts, efficiencies and, if there is something to attenuate, survival of every voxel of every view.
    requireRoom(request_, (attenuates ? 3.0 : 2.0) * sizeof(float) * request_.azimuths * request_.tilts *
                              static_cast<double>(lattice().voxels()));
    if (request_.endPoints == EndPoints::Face && !scanner.facesKnown) {
        progress_.note(Remark::Data,
                       fmt::format("{}: the sizes of its crystals are not known, so events stay on the lines "
                                   "between crystal centres (--deposit centre)",
                                   request_.input));
    }
}

HistoData Binning::histoImages(EventList events, const Scanner& scanner) const {
    const std::optional<Volume> mu = attenuation(events.phantom);
    checkHistoImages(!events.mult.empty() || !events.add.empty(), scanner, mu.has_value());
    HistoData data = depositEvents(events, scanner, histoSettings(), pool_, progress_.begin("deposit"));
    events = {};
    correct(data, scanner, mu);
    return data;
}

/// The next events are read while some are counted. Ranks take parts in turn.
void Binning::count(const EventStream& list, EventDeposit& deposit, Sample& sample) const {
    const std::function<void(double)> progress = progress_.begin("deposit");
    std::uint64_t atATime = std::max<std::size_t>(request_.eventsAtATime, 1);
    std::uint64_t processes = 1;
    std::uint64_t mine = 0;
    if (ranks() != nullptr) {
        atATime = std::min<std::uint64_t>(atATime, EventDeposit::kBatch);
        processes = static_cast<std::uint64_t>(ranks()->size());
        mine = static_cast<std::uint64_t>(ranks()->rank());
    }
    const auto firstOf = [&](std::uint64_t round) {
        return std::min(list.size(), (round * processes + mine) * atATime);
    };
    std::array<EventList, 2> parts;
    const auto read = [&](std::uint64_t first, EventList& part) {
        list.read(first, std::min(atATime, list.size() - first), part);
        if (request_.times == Times::Reversed) {
            reverse(part.dt_ps);
        }
    };
    read(firstOf(0), parts[0]);
    std::future<void> reading;
    for (std::uint64_t round = 0; round * processes * atATime < list.size(); ++round) {
        const std::uint64_t first = firstOf(round);
        const EventList& part = parts[round % 2];
        if (const std::uint64_t next = firstOf(round + 1); next < list.size()) {
            EventList& later = parts[(round + 1) % 2];
            reading = std::async(std::launch::async, [&read, &later, next] { read(next, later); });
        } else {
            parts[(round + 1) % 2] = EventList();
        }
        sample.take(first, part);
        deposit.addAt(first, part, [&](double share) {
            progress((static_cast<double>(first) + share * static_cast<double>(part.size())) /
                     static_cast<double>(list.size()));
        });
        if (reading.valid()) {
            reading.get();
        }
    }
}

HistoData Binning::histoImages(const EventStream& list, ListScanner& scanner) const {
    const Scanner& used = scanner.used();
    const std::optional<Volume> mu = attenuation(list.scan().phantom);
    checkHistoImages(list.hasFactors(), used, mu.has_value());
    // Both take all cores, and one goes on where the other waits; fewer threads do one after the other.
    std::unique_ptr<FactorsAhead> ahead;
    if (ranks() == nullptr && pool_.threads() >= ThreadPool().threads()) {
        ahead = std::make_unique<FactorsAhead>(emptyViews(used, histoSettings()), used, mu, pool_.threads());
    }
    EventDeposit deposit(used, histoSettings(), pool_, ranks());
    Sample sample(list.size(), ranks());
    count(list, deposit, sample);
    if (const Scanner* const crystals = sample.events().size() > 0 ? scanner.described() : nullptr) {
        checkSign(sample.events(), *crystals, request_, progress_);
    }
    HistoData data = deposit.take(list.scan());
    if (!ahead) {
        correct(data, used, mu);
        return data;
    }
    ahead->addTo(data, progress_.begin("corrections"));
    if (!request_.atPoints) {
        data.expandFactors(pool_);
    }
    return data;
}

SinogramData Binning::sinograms(const EventList& events, const Scanner* scanner) const {
    const std::shared_ptr<const Michelogram> bins = rings();
    requireRoom(request_, 2.0 * sizeof(float) * static_cast<double>(bins->bins()));
    SinogramData data = tof::binEvents(events, scanner, bins, lattice());
    correctSinograms(data, scanner);
    return data;
}

void Binning::correctSinograms(SinogramData& data, const Scanner* scanner) const {
    if (scanner != nullptr) {
        weighPairs(data, *scanner, pool_);
    }
    attenuate(data, attenuation(data.phantom));
}

/// Counts of all ranks on the first one: whole numbers, whose sum does not depend on its order.
template <class Data>
void joinCounts(Communicator& ranks, Data& data) {
    sumOnFirst(ranks, data.counts);
    for (std::uint64_t* const number : {&data.kept, &data.rejected}) {
        const std::vector<std::uint64_t> all = ranks.numbersOfAll(*number);
        *number = std::accumulate(all.begin(), all.end(), std::uint64_t{0});
    }
}

MeasuredData Binning::divided(const EventStream& list, ListScanner& scanner) const {
    const RankRange mine = rangeOf(list.size(), ranks()->rank(), ranks()->size());
    EventList events = list.scan();
    list.read(mine.begin, mine.size(), events);
    if (request_.times == Times::Left) {
        events.dt_ps.clear();
    }
    if (request_.times == Times::Reversed) {
        reverse(events.dt_ps);
    }
    const bool panel = request_.form == DataForm::Panel;
    const Scanner* const crystals = panel ? &scanner.used() : scanner.described();
    Sample sample(list.size(), ranks());
    sample.take(mine.begin, events);
    if (sample.events().size() > 0 && first() && scanner.described() != nullptr) {
        checkSign(sample.events(), *scanner.described(), request_, progress_);
    }
    if (panel) {
        PanelData data = binPanel(events, *crystals);
        joinCounts(*ranks(), data);
        if (first()) {
            correctPanel(data, *crystals);
        }
        return data;
    }
    const std::shared_ptr<const Michelogram> bins = rings();
    requireRoom(request_, 2.0 * sizeof(float) * static_cast<double>(bins->bins()));
    SinogramData data = tof::binEvents(events, crystals, bins, lattice(), mine.begin);
    joinCounts(*ranks(), data);
    if (first()) {
        correctSinograms(data, crystals);
    }
    return data;
}

/// Lines between the crystals of the list's own scanner.
LineData Binning::freeLines(const EventList& events, const Scanner& scanner) const {
    if (!events.dt_ps.empty() && scanner.timing_fwhm_ps == 0) {
        throw BadInput(
            "{}: has times of flight, but no time resolution ('TOF resolution (ps)' of CASToR, "
            "timing_fwhm_ps of a "
            "scanner) is given; add it, or bin without the times (--no-tof)",
            request_.input);
    }
    const TofBins tof = events.dt_ps.empty() ? TofBins() : timeBinsFor(scanner);
    LineData data = listLines(events, scanner, tof, lattice());
    if (!request_.lattice) {
        data.lattice = defaultLattice(data.events->points, data.possible.radius_mm);
    }
    return data;
}

/// The pairs that a CASToR normalisation names, and nothing else, are possible.
LineData Binning::normalisedLines(const EventList& events, const Scanner* scanner) const {
    CastorLines norm = readCastorLines(request_.corrections, geometry());
    if (scanner == nullptr || scanner->crystals.size() != norm.scanner.crystals.size() ||
        !norm.data.counts.empty()) {
        throw BadInput(fmt::format("{}: is no normalisation for the scanner of '{}'; give its own",
                                   request_.corrections, request_.input));
    }
    LineData data = freeLines(events, *scanner);
    auto lines = std::make_shared<LineEvents>(*data.events);
    lines->points = norm.data.events->points;  // the crystals, and means of several
    data.events = std::move(lines);
    data.possible.pairs = norm.data.events->pairs;
    data.possible.mult = std::move(norm.data.mult);
    data.possible.scanner = nullptr;
    data.absolute = false;
    return data;
}

LineData Binning::correctedLines(const EventList& events, const Scanner* scanner) const {
    if (request_.corrections.ends_with(".cdh")) {
        return normalisedLines(events, scanner);
    }
    if (namesRings() || !request_.mu.empty()) {
        throw WrongUse("--corrections brings its own scanner and attenuation; leave --scanner and --mu out");
    }
    const SinogramData corrections = readSinogramData(request_.corrections);
    return listLines(events, scanner, corrections.michelogram, request_.lattice.value_or(corrections.lattice),
                     &corrections);
}

LineData Binning::lines(const EventList& events, const Scanner* scanner) const {
    requireRoom(request_, static_cast<double>(events.size()) *
                              (2.0 * sizeof(std::uint32_t) + (events.dt_ps.empty() ? 0 : sizeof(float))));
    progress_.stage("lines");
    if (!request_.corrections.empty()) {
        return correctedLines(events, scanner);
    }
    LineData data = !namesRings() && scanner != nullptr ? freeLines(events, *scanner)
                                                        : listLines(events, scanner, rings(), lattice());
    attenuate(data, attenuation(events.phantom));
    return data;
}

PanelData Binning::panel(const EventList& events, const Scanner& scanner) const {
    PanelData data = binPanel(events, scanner);
    correctPanel(data, scanner);
    return data;
}

void Binning::correctPanel(PanelData& data, const Scanner& scanner) const {
    if (const std::optional<Volume> mu = attenuation(data.phantom)) {
        attenuatePanel(data, scanner, *mu, pool_, progress_.begin("attenuation"));
    }
}

MeasuredData Binning::histogram(CastorLines lines) const {
    if (!lines.note.empty()) {
        progress_.note(Remark::Data, lines.note);
    }
    if (request_.form == DataForm::Sinograms) {
        SinogramData data = binLines(lines.data, lines.crystals, lines.scanner, rings(), lattice());
        attenuate(data, attenuation(""));
        return data;
    }
    LineData& data = lines.data;
    data.lattice = request_.lattice.value_or(data.lattice);
    if (const std::optional<Volume> mu = attenuation("")) {
        multiply(data.mult, attenuationOf(*data.events, *mu, pool_, progress_.begin("attenuation")));
    }
    return std::move(data);
}

/// The sinograms of an ECAT8 list on the geometry that was named.
void Binning::placeOnRings(Ecat8Result& list) const {
    const MichelogramSpec& read = list.data.michelogram->spec();
    MichelogramSpec spec = rings()->spec();
    const auto bins = [](const MichelogramSpec& s) {
        return std::tuple(s.scanner.rings, s.scanner.crystalsPerRing, s.radialBins, s.mashing, s.tof.count);
    };
    if (bins(spec) != bins(read) || spec.segments != read.segments) {
        throw BadInput(fmt::format(
            "{}: '{}' has other rings, crystals or bins than the list's header; give its own scanner",
            request_.input, request_.scanner));
    }
    spec.anglesPerPart = read.anglesPerPart;
    if (spec.scanner.gapPlaces.empty()) {
        spec.scanner.gapPlaces = read.scanner.gapPlaces;
    }
    list.data.michelogram = std::make_shared<const Michelogram>(spec);
}

BinResult Binning::addresses() const {
    const bool asLines = request_.form == DataForm::Lines;
    Ecat8Options options;
    options.partial = request_.partial;
    options.segments = request_.segments;
    options.sinograms = !asLines;
    options.events = asLines;
    Ecat8Result list = readEcat8(request_.input, options);
    if (!list.note.empty()) {
        progress_.note(Remark::Data, list.note);
    }
    if (namesRings()) {
        placeOnRings(list);
    }
    list.data.lattice = request_.lattice.value_or(list.data.lattice);
    const RandomsEstimate randoms(*list.data.michelogram, list.delayeds);
    const bool estimate = request_.randoms == Randoms::Estimate;
    progress_.note(Remark::Data, fmt::format("{}: {} words: {} prompts, {} delayeds, {} time tags, {} others",
                                             request_.input, list.words.words, list.words.prompts,
                                             list.words.delayeds, list.words.timeTags, list.words.otherTags));
    BinResult result{{}, list.words, estimate ? randoms.total() : 0.0};
    if (!asLines) {
        if (estimate) {
            list.data.add = randoms.all();
        }
        attenuate(list.data, attenuation(""));
        result.data = std::move(list.data);
        return result;
    }
    LineData data = linesOfBins(list.data.michelogram, list.prompts, list.data.lattice);
    data.rejected = list.data.rejected;
    data.duration_s = list.data.duration_s;
    if (estimate) {
        data.possible.totalAdd = randoms.total();
        for (const std::uint32_t bin : list.prompts) {
            data.add.push_back(randoms.at(bin));
        }
    }
    attenuate(data, attenuation(""));
    result.data = std::move(data);
    return result;
}

/// Sinograms of STIR, or the lines of its blocks and generic scanners, with what attenuates.
MeasuredData Binning::foreignSinograms(DataForm form) const {
    if (form != request_.form) {
        throw WrongUse(fmt::format("{}: are {}; bin them --to {}", request_.input,
                                   form == DataForm::Lines
                                       ? "sinograms of a scanner that is no cylinder, which lie on lines"
                                       : "sinograms",
                                   form == DataForm::Lines ? "lors" : "sinogram"));
    }
    DataReadResult read = importSinograms(request_.input, request_.sinograms);
    if (!read.note.empty()) {
        progress_.note(Remark::Data, read.note);
    }
    if (request_.mu.empty() && request_.sinograms.corrects()) {
        return std::move(read.data);  // they say what attenuates
    }
    const std::optional<Volume> mu = attenuation("");
    if (auto* const sinograms = std::get_if<SinogramData>(&read.data)) {
        attenuate(*sinograms, mu);
    } else if (mu) {
        LineData& lines = std::get<LineData>(read.data);
        multiply(lines.mult, attenuationOf(*lines.events, *mu, pool_, progress_.begin("attenuation")));
    }
    return std::move(read.data);
}

BinResult binFile(const BinRequest& request, const RecognisedFile& file, const ThreadPool& pool,
                  WorkProgress& progress) {
    const Binning binning(request, pool, progress);
    const std::unique_ptr<const EventStream> stream =
        request.form == DataForm::Lines ? nullptr : file.eventStream();
    if (!binning.first() && stream == nullptr) {
        return {};  // the first rank bins it alone
    }
    const bool addresses = file.dataForm() == DataForm::Addresses;
    if (file.formatName() == "Interfile" && file.kind() == FileKind::Data) {
        return {binning.foreignSinograms(file.dataForm()), {}, 0};
    }
    const SinogramImport& import = request.sinograms;
    if (!import.mult.empty() || !import.acf.empty() || !import.norm.empty() || !import.add.empty()) {
        throw WrongUse(
            fmt::format("{}: is no sinogram of STIR; --mult, --acf, --norm and --add go with these alone",
                        request.input));
    }
    if (addresses || (file.formatName() == "CASToR" && file.kind() == FileKind::Data)) {
        if (request.form == DataForm::HistoImages) {
            throw WrongUse(fmt::format(
                "{}: its bins have no places in histo-images; bin them --to sinogram or --to lors",
                request.input));
        }
        if (request.form == DataForm::Panel) {
            DataReadResult read = file.readData(request.scanner);
            if (!read.note.empty()) {
                progress.note(Remark::Data, read.note);
            }
            if (!std::holds_alternative<PanelData>(read.data)) {
                throw WrongUse("{}: is of no scanner of two panels; give one with --scanner", request.input);
            }
            return {std::move(read.data), {}, 0};
        }
        return addresses
                   ? binning.addresses()
                   : BinResult{binning.histogram(readCastorLines(request.input, binning.geometry())), {}, 0};
    }
    if (request.times == Times::Left && request.form == DataForm::HistoImages) {
        throw WrongUse("histo-images need the times of flight; leave --no-tof out, or bin --to lors");
    }
    if (stream != nullptr && (request.form == DataForm::HistoImages || request.ranks != nullptr)) {
        ListScanner scanner(stream->scan(), file, request.scanner);
        if (request.form != DataForm::HistoImages) {
            return {binning.divided(*stream, scanner), {}, 0};
        }
        return {binning.histoImages(*stream, scanner), {}, 0};
    }
    ListReadResult list = file.readEvents({request.partial, binning.geometry()});
    if (!list.note.empty()) {
        progress.note(Remark::Data, list.note);
    }
    ListScanner scanner(list.events, file, request.scanner);
    checkTimes(list.events, scanner, request, progress);
    switch (request.form) {
        case DataForm::Sinograms: return {binning.sinograms(list.events, scanner.described()), {}, 0};
        case DataForm::Lines: return {binning.lines(list.events, scanner.described()), {}, 0};
        case DataForm::Panel: return {binning.panel(list.events, scanner.used()), {}, 0};
        default: break;
    }
    const Scanner& used = scanner.used();
    return {binning.histoImages(std::move(list.events), used), {}, 0};
}

/// As the reader of a file would set it; histo-images that were never in a file have none.
struct SetHash {
    void operator()(HistoData& /*data*/) const {}
    void operator()(SinogramData& data) const { data.hash = dataHash(data); }
    void operator()(LineData& data) const { data.hash = dataHash(data); }
    void operator()(PanelData& data) const { data.hash = dataHash(data); }
};

}  // namespace

Lattice usualLattice() {
    return Lattice::centred({144, 144, 48}, {4, 4, 4});
}

BinResult binEvents(const BinRequest& request, const ThreadPool& pool, WorkProgress& progress) {
    progress.stage("reading " + request.input);
    return binEvents(request, recognise(request.input), pool, progress);
}

BinResult binEvents(const BinRequest& request, const RecognisedFile& file, const ThreadPool& pool,
                    WorkProgress& progress) {
    BinResult result = binFile(request, file, pool, progress);
    if (request.ranks == nullptr || request.ranks->first()) {
        std::visit(SetHash(), result.data);
    }
    return result;
}

PanelData binPanelLines(const EventList& events, const Scanner& scanner, const BinRequest& request,
                        const ThreadPool& pool, WorkProgress& progress) {
    return Binning(request, pool, progress).panel(events, scanner);
}

HistoData binHistoImages(EventList events, const Scanner& scanner, const BinRequest& request,
                         const ThreadPool& pool, WorkProgress& progress) {
    return Binning(request, pool, progress).histoImages(std::move(events), scanner);
}

struct PartwiseHistoImages::Parts {
    Parts(const Scanner& of, const BinRequest& request, const ThreadPool& pool, WorkProgress& progress)
        : scanner(of), binning(request, pool, progress), deposit(of, binning.histoSettings(), pool) {}

    const Scanner& scanner;
    Binning binning;
    EventDeposit deposit;
};

PartwiseHistoImages::PartwiseHistoImages(const Scanner& scanner, const BinRequest& request,
                                         const ThreadPool& pool, WorkProgress& progress)
    : parts_(std::make_unique<Parts>(scanner, request, pool, progress)) {}

PartwiseHistoImages::~PartwiseHistoImages() = default;

void PartwiseHistoImages::add(const EventList& part) {
    parts_->deposit.add(part);
}

HistoData PartwiseHistoImages::finish(const EventList& scan) {
    HistoData data = parts_->deposit.take(scan);
    parts_->binning.correct(data, parts_->scanner);
    return data;
}

}  // namespace tof
