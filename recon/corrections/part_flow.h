// SPDX-License-Identifier: Apache-2.0
// The one order in which corrections of data are made, whatever their form: what the data came with, factors,
// randoms, switches, scatter, and what a reconstruction takes of them.
#pragma once

#include <any>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/base/work_progress.h"
#include "recon/corrections/correct_request.h"
#include "recon/corrections/part_store.h"
#include "recon/data/crystal_singles.h"
#include "recon/io/format/format.h"
#include "recon/scanner/scanner.h"
#include "recon/systems/measurement.h"

namespace tof {

class PartFlow;

/// What a part is found from.
enum class PartNeed {
    Binning,        ///< nothing but the data: binning keeps it apart
    Attenuation,    ///< what attenuates: a volume, or the phantom that the data name
    Normalisation,  ///< a list
    Delayeds,       ///< a list
    Singles
};

/// How data hold a part of which nothing is kept beside them.
enum class PartGiven {
    Not,     ///< they do not
    Values,  ///< with its values: it is switched without a file
    Mixed    ///< in what they hold, from where it is not taken without a file
};

/// How a part that is kept is taken back where nothing says what attenuates.
enum class PartAgain { IsFound, AsItWas };

/// Data of which is asked what can be corrected.
struct PartQuestion {
    const Measurement& data;
    const CorrectionParts& parts;  ///< those that are kept beside the data; values may be left out
    const Scanner* scanner;        ///< null where the data do not say how their crystals detect
};

/// A part as one form of data has it.
struct PartRow {
    PartName name = PartName::Scatter;
    PartNeed need = PartNeed::Attenuation;
    /// Why these data cannot have it, a sentence to be translated; null: they can. Null for data that always
    /// can.
    const char* (*whyNot)(const PartQuestion& about) = nullptr;
    /// Null for a part that data hold only beside them.
    PartGiven (*given)(const PartQuestion& about) = nullptr;
    /// Finds it if the request asks for it, as it belongs to the flow's data.
    void (*find)(PartFlow& flow) = nullptr;
    PartAgain again = PartAgain::IsFound;
};

/// Whether parts are kept beside the data, to be switched, or go into them for good.
enum class PartsKept { Beside, Within };

/// Where a user sees how large corrections are.
enum class PartsShown {
    InViews,  ///< view by view
    InSum     ///< over all data alone: no view shows them
};

/// Scanners whose crystals data without a scanner of their own could be of.
struct RingsOfData {
    std::string name{};
    std::size_t crystals = 0;
};

/// How one form of data is corrected.
struct FormCorrections {
    PartsKept kept = PartsKept::Beside;
    PartsShown shown = PartsShown::InViews;
    std::vector<PartRow> parts{};  ///< in the order in which a user reads them
    /// Why these data cannot be corrected at all, a sentence to be translated; null: they can.
    const char* (*whyNone)(const Measurement& data) = nullptr;
    /// Whether the data hold expected counts.
    bool (*holdsAdd)(const Measurement& data) = nullptr;
    /// Counts that are expected in all data together; null where views show them.
    double (*sumOfAdd)(const Measurement& data) = nullptr;
    /// The scanner that the data are of; null where they do not say how its crystals detect: then a request
    /// names it, one of these rings.
    std::shared_ptr<const Scanner> (*scanner)(const Measurement& data) = nullptr;
    RingsOfData (*rings)(const Measurement& data) = nullptr;
    /// What one factor for every crystal makes of the data, so many values: factors of mult, or the factors
    /// themselves.
    std::size_t (*values)(PartFlow& flow) = nullptr;
    std::vector<float> (*spread)(PartFlow& flow, const std::vector<double>& factors) = nullptr;
    /// Says what the data's parts belong to and which came with them. Throws WrongUse for a request that such
    /// data cannot meet.
    void (*begin)(PartFlow& flow) = nullptr;
    /// Puts into the data what a reconstruction takes.
    void (*compose)(PartFlow& flow) = nullptr;

    /// Null where data of this form have no such part.
    [[nodiscard]] const PartRow* find(PartName name) const;
};

/// One data set that is corrected as a request says. Keeps references.
class PartFlow {
  public:
    /// `source` names the data in messages. `parts` holds those of the data, becomes those of what is made,
    /// and stays apart: scatter is found with all randoms, efficiencies and survival that are known, whether
    /// they are on or not, so that switching one changes no other. `found` holds parts of other data sets, as
    /// of an output that is written again; of both, what has the key of what is asked for is taken and not
    /// found anew, which `progress` is told.
    PartFlow(MeasuredData& data, const std::string& source, const CorrectRequest& request,
             const ThreadPool& pool, WorkProgress& progress, CorrectionParts& parts,
             const CorrectionParts& found);

    /// Throws WrongUse where scanner or data do not say enough, BadInput, and Cancelled from progress().
    Corrected run(const FormCorrections& form);

    // For rows.
    template <class T>
    [[nodiscard]] T& data() {
        return std::get<T>(data_);
    }
    [[nodiscard]] const std::string& source() const { return source_; }
    [[nodiscard]] const CorrectRequest& request() const { return request_; }
    [[nodiscard]] const ThreadPool& pool() const { return pool_; }
    [[nodiscard]] WorkProgress& progress() { return progress_; }
    [[nodiscard]] PartStore& parts() { return parts_; }
    [[nodiscard]] const PartStore& parts() const { return parts_; }
    void setScanner(std::shared_ptr<const Scanner> scanner) { scanner_ = std::move(scanner); }
    /// The scanner that the form has set.
    [[nodiscard]] const Scanner& scanner() const { return *scanner_; }
    [[nodiscard]] bool hasScanner() const { return scanner_ != nullptr; }
    /// What became of the randoms of panels.
    void tell(const PanelRandomsTally& tally) {
        made_.panels = tally;
        made_.result.randoms = tally.delayeds;
    }

    /// What the form keeps between its rows; made when it is first asked for.
    template <class T>
    [[nodiscard]] T& kept() {
        if (!kept_.has_value()) {
            kept_ = std::make_shared<T>();
        }
        return *std::any_cast<std::shared_ptr<T>>(kept_);
    }

    /// Singles of the request's file, read once; without any where it names none.
    [[nodiscard]] const CrystalSingles& singles();
    /// What attenuates, by the request or the phantom that the data name: attenuationOf().
    [[nodiscard]] Volume attenuation(const std::string& phantom, const Lattice& lattice, double spacing_mm);
    /// Whether the request wants scatter to be found.
    [[nodiscard]] bool wantsScatter() const;

    /// Efficiencies from the list of a normalisation, or from a file that holds them, if the request names
    /// one, spread as the form says.
    /// Throws as readNormalisation() and crystalEfficiencies().
    void findEfficiencies();
    /// Shares of photons that blocks keep from singles that say what kept blocks busy; nothing where they do
    /// not. Throws as aliveShares().
    void findDeadTime();

  private:
    /// Asks whether to go on.
    [[nodiscard]] std::function<void()> heed() const {
        return [this] { pool_.heed(); };
    }
    void find(const FormCorrections& form, std::initializer_list<PartName> names);
    void turn(const FormCorrections& form, std::initializer_list<PartName> names);
    /// Efficiencies over their mean that a file holds.
    void takeEfficiencies(const std::vector<double>& stored);

    const FormCorrections* form_ = nullptr;  ///< while it runs
    MeasuredData& data_;
    const std::string& source_;
    const CorrectRequest& request_;
    const ThreadPool& pool_;
    WorkProgress& progress_;
    PartStore parts_;
    std::shared_ptr<const Scanner> scanner_{};
    std::optional<CrystalSingles> singles_{};
    std::any kept_{};
    Corrected made_{};
};

/// Rows of factors of crystals find them with these; data without a scanner have none.
void findEfficiencies(PartFlow& flow);
void findDeadTime(PartFlow& flow);

struct ScatterFound;

/// What a scatter part is told with.
[[nodiscard]] PartFigures figuresOf(const ScatterFound& found);

// Sentences that forms share.

/// Why randoms cannot be found of a scanner: it says nothing of detection or coincidences; null: they can.
[[nodiscard]] const char* whyNoRandoms(const PartQuestion& about);
/// Why scatter cannot be found of a scanner.
[[nodiscard]] const char* whyNoScatter(const PartQuestion& about);

}  // namespace tof
