// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "recon/corrections/part_flow.h"

namespace tof::ui {

class Desk;

/// How one part of the corrections stands in the open data.
struct CorrectionState {
    PartName name = PartName::Scatter;
    bool there = false;       ///< the data hold it, on or off
    bool on = false;          ///< a reconstruction takes it
    bool kept = false;        ///< its values are kept: switching it needs no file
    bool mixed = false;       ///< a reconstruction takes expected counts that nothing tells apart
    bool byGeometry = false;  ///< the data have factors, which are those of lines between equal crystals
    PartFigures figures{};    ///< what was found with it
    QString whyNot{};         ///< these data cannot have it; empty: they can
};

/// What is to be known of the open data before they are corrected.
struct CorrectionStates {
    std::shared_ptr<const FormCorrections> form{};  ///< how they are corrected; null: they are not
    std::vector<CorrectionState> parts;             ///< those of the form, in its order
    /// The data hold expected counts of which nothing says what they are; what is made replaces them.
    bool givenAdd = false;
    bool namesPhantom = false;                 ///< what attenuates is known without a file
    std::shared_ptr<const Scanner> scanner{};  ///< null: a request names one with the crystals of `rings`
    RingsOfData rings{};

    /// A part that the form does not have is not there, and says so.
    [[nodiscard]] const CorrectionState& of(PartName name) const;
    [[nodiscard]] bool has(PartName name) const;
};

/// Corrections to be made of the open data.
struct CorrectionWish : CorrectRequest {
    QString folder;  ///< NAME.tofstudy to be made
};

/// Empty when the open data can be corrected, else the reason.
[[nodiscard]] QString whyNotCorrect(const Desk& desk);

/// How the open data stand, by them and the outline of the file that they are in; nothing else is read.
[[nodiscard]] CorrectionStates correctionStates(const Desk& desk);

/// The user's word for a part: "Randoms, from delayeds".
[[nodiscard]] QString correctionName(PartName part);
/// "on, 12 300 counts", "kept, 12 300 counts" where it is off, "on, not told apart",
/// "by geometry alone", "not in the data".
[[nodiscard]] QString correctionText(const CorrectionState& state);

/// What a study of corrected data is called to begin with: "x-corrected" of "x" and of "x-corrected-2".
[[nodiscard]] QString correctedName(const QString& study);

/// Makes the corrections of the open data and opens data and corrections as a study of their own, with the
/// ROIs and settings of the window; returns at once. Parts of the same content that the newest study
/// correctedName() beside the new one holds are taken from there. Fails, and leaves nothing behind, as
/// correctData() does.
void correctOpenData(Desk& desk, const CorrectionWish& wish);

}  // namespace tof::ui
