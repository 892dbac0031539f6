// SPDX-License-Identifier: Apache-2.0
// The table of experiments, in the order of the papers.
#include "recon/experiment/papers.h"
#include "recon/experiment/registry.h"

namespace tof {

const std::vector<Experiment>& experiments() {
    static const std::string kSame = "the same";
    static const std::string kHisto = "histo-images";
    static const std::string kAny = "histo-images, sinograms, a list";
    static const std::string kScanner = "the description of a scanner";
    static const std::vector<Experiment> kAll{
        {"ha-table1", "paper 000, Table I", "The device beside the paper's", "the device", kSame, runHaTable1,
         kDevice},
        {"ha-table2", "paper 000, Table II",
         "What the device says of every projection kernel, and seconds per view with each",
         "the paper's lattice and kernel, 3 runs each", "15 runs each", runHaTable2, kDevice},
        {"ha-fig1", "paper 000, Fig. 1", "A point in a view at 45 degrees", "the paper's lattice", kSame,
         runHaFig1},
        {"ha-fig4", "paper 000, Fig. 4",
         "Time of a projection against the kernel's widths and the voxel, on every engine that is there",
         "half the paper's field, voxels of 4, 3 and 2 mm, 3 runs each",
         "the paper's field, voxels of 4 to 2 mm, 15 runs each", runHaFig4, "", kHisto},
        {"ha-fig5", "paper 000, Fig. 5",
         "Step, ripples and wrapped tails of a wide kernel by Fourier transform, apart from each other",
         "the paper's lattice and kernel", kSame, runHaFig5, "fftw"},
        {"ha-fig6", "paper 000, Fig. 6", "Three points forward and back through a variant kernel",
         "the paper's lattice and kernel", kSame, runHaFig6},
        {"ha-fig7", "paper 000, Fig. 7",
         "Three points forward and back through symmetric and asymmetric, invariant and variant kernels",
         "the paper's lattice and kernels", kSame, runHaFig7},
        {"ha-fig8", "paper 000, Fig. 8", "Models of radial resolution against the distance from the centre",
         "every preset of the paper's scanner", kSame, runHaFig8},
        {"ha-table3", "paper 000, Table III", "Seconds per iteration with every kernel",
         "10 x 3 of the 40 x 3 views, 2 iterations", "40 x 3 views, 20 iterations", runHaTable3, "", kHisto},
        {"ha-table4", "paper 000, Table IV",
         "Seconds of every stage of 20 iterations, invariant and variant1",
         "10 x 3 of the 40 x 3 views, 2 iterations", "40 x 3 views, 20 iterations", runHaTable4, "", kHisto},
        {"ha-fig9", "paper 000, Fig. 9", "Contrast recovery against noise for every kernel",
         "expected counts without noise, 96 x 96 x 10 voxels, 20 views, 16 iterations",
         "430 million prompts of the LaBr3 scanner with scatter and randoms, 26 iterations, 20 replicates",
         runHaFig9, "", kHisto},
        {"ha-fig10", "paper 000, Fig. 10", "Images at matched noise for every kernel, and how far edges ring",
         "the last iterates of ha-fig9", "8 % noise", runHaFig10, "", kHisto},
        {"cache-table2", "paper 002, Table 2", "Both ways to use a cache, forward and back",
         "144 x 144 x 62 voxels, 3 runs each", "15 runs each", runCacheTable2, kDevice},
        {"cache-fig4", "paper 002, Fig. 4", "The same as a chart", "the same", kSame, runCacheFig4, kDevice},
        {"cache-fig5", "paper 002, Fig. 5", "A slice forward and back at 30 degrees", "144 x 144 x 62 voxels",
         kSame, runCacheFig5},
        {"belzunce-tables", "paper 003, Tables 2 to 7",
         "Times and speed-ups, noise to signal, contrast recovery, the race",
         "3 of the 24 rings, 160 x 160 pixels, without noise, 50 updates",
         "the whole scanner, 256 x 256 x 47 voxels, 40 iterations of MLEM", runBelzunceTables, "",
         "sinograms"},
        {"belzunce-figs", "paper 003, Figs. 6 to 10",
         "Slices of both phantoms, time by stage, noise to signal", "those of belzunce-tables", kSame,
         runBelzunceFigs, "", "sinograms"},
        {"panel-tables", "paper 004, Tables 1 to 3",
         "Lines and classes of two panels, and what an iteration costs",
         "times of small-panel, 3 million events", "hrrt-panel, 172 million events, 24 iterations",
         runPanelTables, "", "lines of two panels"},
        {"panel-figs", "paper 004, Figs. 6 to 9", "Rods by Monte Carlo of crystals: what is resolved",
         "small-derenzo in small-panel, 24 iterations", "micro-derenzo in hrrt-panel", runPanelFigs, "",
         "lines of two panels"},
        {"beyond", "beyond the papers",
         "One list in three forms, measured kernels, bands of confidence, 2 mm voxels, a long axial field, "
         "list-mode",
         "150,000 to 400,000 events a part, small scanners and lattices, 100 scans for the bands",
         "20 million events, the LaBr3 and a long scanner, 100 scans for the bands", runBeyond},
        {"map", "priors",
         "Contrast at matched noise, even resolution by kappa, anatomy that is right, shifted or wrong",
         "3 million counts in a cylinder with spheres, 72 x 72 x 12 voxels", "30 million counts", runMap},
        {"petric", "PETRIC (arXiv 2511.22566)",
         "Time of BSREM and SVRG until ten iterates in a row agree with the converged image",
         "5 million counts in a cylinder with spheres, 72 x 72 x 12 voxels",
         "430 million prompts of the LaBr3 scanner with scatter and randoms", runPetric, "", kAny},
        {"nema", "NEMA NU 2-2018",
         "Resolution, sensitivity, scatter fraction and count rates of a scanner, as the standard finds them",
         "20,000 events a scan, 7 activities", "a million events a scan, 18 activities", runNema, "",
         kScanner, nemaScanners},
        {"nema-images", "NU 2-2018, sections 6, 7",
         "Contrast of six spheres, and errors of corrected slices against activity",
         "200,000 prompts of the spheres, too few to judge",
         "20 million prompts of the spheres, 2 million at each of 18 activities", runNemaImages, kDevice,
         kScanner, nemaScanners},
        {"nema-small", "NEMA NU 4-2008",
         "Resolution, sensitivity, scatter fractions and count rates of a scanner for small animals",
         "20,000 events a scan, 7 activities", "a million events a scan, 18 activities", runNemaSmall, "",
         kScanner, smallScanners},
        {"physics", "Klein and Nishina",
         "Scatters, crystals and positrons as the Monte Carlo draws them, beside formulas and tables",
         "400,000 scatters, 200,000 positrons", "20 million scatters, 2 million positrons", runPhysics},
    };
    return kAll;
}

}  // namespace tof
