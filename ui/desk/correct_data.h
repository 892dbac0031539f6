// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "recon/io/format/format.h"
#include "recon/scanner/scanner.h"
#include "recon/work/correct_request.h"

namespace tof::ui {

class Desk;

/// How one part of the corrections stands in the open data.
struct CorrectionState {
    std::string name;       ///< as in files: "efficiencies"
    bool there = false;     ///< the data hold it, on or off
    bool on = false;        ///< a reconstruction takes it
    bool kept = false;      ///< its values are kept: switching it needs no file
    std::string figures{};  ///< JSON: what was found with it; empty: nothing is told
    QString whyNot{};       ///< these data cannot have it; empty: they can
};

/// What is to be known of the open data before they are corrected.
struct CorrectionStates {
    DataForm form = DataForm::None;
    /// Attenuation, efficiencies, randoms from delayeds and from singles, dead time, scatter.
    std::vector<CorrectionState> parts;
    /// The data hold expected counts of which nothing says what they are; what is made replaces them.
    bool givenAdd = false;
    bool namesPhantom = false;                 ///< what attenuates is known without a file
    std::shared_ptr<const Scanner> scanner{};  ///< null: of sinograms, which do not say how it detects
    std::string rings{};                       ///< of sinograms the scanner that they name
    std::size_t crystals = 0;                  ///< of sinograms those of its rings

    /// Throws InternalError for a name that is none of them.
    [[nodiscard]] const CorrectionState& of(const std::string& name) const;
    [[nodiscard]] CorrectionState& of(const std::string& name);
};

/// Corrections to be made of the open data.
struct CorrectionWish : CorrectRequest {
    QString folder;  ///< NAME.tofstudy to be made
};

/// Empty when the open data can be corrected, else the reason.
[[nodiscard]] QString whyNotCorrect(const Desk& desk);

/// Of the open data and the file that they are in; nothing is read but its outline.
[[nodiscard]] CorrectionStates correctionStates(const Desk& desk);

/// The user's word for a part: "Randoms, from delayeds".
[[nodiscard]] QString correctionName(const std::string& part);
/// "on, 12 300 counts", "kept, 12 300 counts" where it is off, "not in the data".
[[nodiscard]] QString correctionText(const CorrectionState& state);

/// What a study of corrected data is called to begin with: "x-corrected" of "x" and of "x-corrected-2".
[[nodiscard]] QString correctedName(const QString& study);

/// Makes the corrections of the open data and opens data and corrections as a study of their own, with the
/// ROIs and settings of the window; returns at once. Parts of the same content that the newest study
/// correctedName() beside the new one holds are taken from there. Fails, and leaves nothing behind, as
/// correctData() does.
void correctOpenData(Desk& desk, const CorrectionWish& wish);

}  // namespace tof::ui
