// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/data/line_data.h"
#include "recon/io/format/format.h"

namespace tof {

class InterfileHeader;

/// Whether the number of crystal pairs that span and mashing add up in a bin is part of its efficiency. Auto:
/// where counts are whole numbers, not arc-corrected, and no normalisation is given, which would hold it.
enum class Multiplicity { Auto, Yes, No };

struct SinogramReadOptions {
    int frame = 0;  ///< which of several, from 1; 0: the only one
    ChoiceBy choiceBy = ChoiceBy::Convert;
    Multiplicity multiplicity = Multiplicity::Auto;
    bool normalised = false;          ///< a normalisation goes with the data
    std::size_t moreBytesPerBin = 0;  ///< that the caller will hold besides, for the check of the memory
    StatedFactor factor = StatedFactor::Applied;  ///< 'quantification units' that are a number
    bool values = false;  ///< these are factors or expected counts: below zero stays, nothing is told
};

/// Sinograms of a file. Data corrected beforehand may have bins below zero, which no Poisson model can use:
/// they become zero and are told here.
struct InterfileSinograms {
    SinogramData data;
    /// Reference points of blocks and generic scanners by ring x crystalsPerRing + place. data.michelogram
    /// then only orders the bins, and linesOf() gives them their lines. Empty: the scanner is a cylinder.
    std::vector<Vec3> crystals;
    std::size_t negativeBins = 0;
    double negativeSum = 0;  ///< negative sum of the bins that became zero, <= 0
    bool whole = true;       ///< every count is a whole number
    std::string note;        ///< what a user should know, or empty
};

/// Reads Interfile projection data as STIR writes them (.hs with .s beside it): cylinders, blocks and generic
/// scanners, any segments, either order of views and planes, mashing, arc-corrected or not, time of flight,
/// in the axes of the patient (recon/io/interfile/patient_position.h). STIR counts time bins towards the
/// first crystal; here they are turned round. Scanners that STIR knows by name need no description. Segments
/// may have fewer planes than their ring differences make: the others have mult 0. The lattice is
/// defaultLattice()'s; mult is the number of crystal pairs of a bin, or empty where that is 1 or left out.
/// Throws BadInput naming key and remedy, also for data that do not fit this machine's memory.
[[nodiscard]] InterfileSinograms readInterfileSinograms(const std::string& path,
                                                        const SinogramReadOptions& options = {});

/// The lines of blocks and generic scanners, from crystal to crystal, one per bin in the michelogram's order.
[[nodiscard]] LineData linesOf(InterfileSinograms sinograms);

/// Adds what the header tells of scanner and sampling; the data are not read.
void describeInterfileSinograms(const InterfileHeader& header, nlohmann::ordered_json& info);

/// Writes counts as float sinograms in STIR's form: segments in the michelogram's order, per segment plane,
/// view, bin, in the position of a patient that leaves the view offset small. The name ends in .hs; the data
/// go to .s beside it. Throws CannotWrite.
void writeInterfileSinograms(const Destination& to, const SinogramData& data);

/// True for the header of projection data.
[[nodiscard]] bool hasSinograms(const InterfileHeader& header);

}  // namespace tof
