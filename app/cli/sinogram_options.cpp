// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sinogram_options.h"

#include "app/cli/arguments.h"

namespace tof {

void SinogramOptions::describe(Arguments& arguments) {
    arguments.choice(
        "multiplicity", multiplicity, {"auto", "yes", "no"},
        "Sinograms of STIR: whether the number of crystal pairs that span and mashing add up is part of "
        "a bin's efficiency. auto: where counts are whole, not arc-corrected and without --norm");
    arguments.text(
        "mult", mult,
        "Sinograms (.hs or .h5, several with commas) that multiply expected counts: survival, efficiency");
    arguments.text("acf", acf,
                   "Sinograms of attenuation correction factors, whose inverse multiplies expected counts");
    arguments.text(
        "norm", norm,
        "Sinograms of normalisation factors as STIR's, whose inverse multiplies expected counts; 0: not "
        "measured");
    arguments.text("add", add, "Sinograms of expected scatter and randoms, in counts");
}

SinogramImport SinogramOptions::import(const LatticeOptions& lattice) const {
    SinogramImport import;
    import.read.multiplicity = multiplicity == "yes"  ? Multiplicity::Yes
                               : multiplicity == "no" ? Multiplicity::No
                                                      : Multiplicity::Auto;
    import.mult = fileList(mult);
    import.acf = fileList(acf);
    import.norm = fileList(norm);
    import.add = fileList(add);
    if (lattice.sizeGiven) {
        import.size = lattice.size;
    }
    if (lattice.spacingGiven) {
        import.spacing_mm = lattice.spacing_mm;
    }
    return import;
}

}  // namespace tof
