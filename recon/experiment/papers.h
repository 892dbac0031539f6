// SPDX-License-Identifier: Apache-2.0
// Every table and figure of the papers (docs/literature.md), each in the file of its name.
#pragma once

#include "recon/experiment/experiment.h"
#include "recon/kernel/kernel_spec.h"

namespace tof {

/// The engine that stands for the cards of the papers.
inline constexpr const char* kDevice = "cuda";

[[nodiscard]] ExperimentReport runHaTable1(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runHaTable2(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runHaFig1(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runHaFig4(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runHaFig5(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runHaFig6(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runHaFig7(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runHaFig8(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runHaTable3(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runHaTable4(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runHaFig9(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runHaFig10(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runCacheTable2(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runCacheFig4(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runCacheFig5(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runBelzunceTables(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runBelzunceFigs(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runPanelTables(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runPanelFigs(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runBeyond(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runMap(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runPetric(const ExperimentContext& context);
// NEMA's tests of the scanner that the data name.
[[nodiscard]] ExperimentReport runNema(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runNemaImages(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runNemaSmall(const ExperimentContext& context);
/// Built-in rings of crystals that say how they detect, by name: those that hold NU 2's scatter phantom, and
/// smaller ones.
[[nodiscard]] std::vector<std::string> nemaScanners();
[[nodiscard]] std::vector<std::string> smallScanners();
[[nodiscard]] ExperimentReport runPhysics(const ExperimentContext& context);

/// The name of a row of Table III that the paper has not: variant3ToEdge().
inline constexpr const char* kVariant3ToEdge = "variant3, constant beyond the edge";
/// variant3 as it is up to 288 mm from the centre, and as wide as there beyond, as variant1 and variant2 are:
/// its formula goes on growing into the corners of the lattice.
[[nodiscard]] KernelSpec variant3ToEdge();
/// Rows of Table III, or the two of them that Table IV has.
enum class StageRows { All, TableIV };
/// Seconds of an iteration by stage: what `ha-table3` and `ha-table4` show. Of the user's own
/// histo-images where they are given.
[[nodiscard]] ExperimentReport stageTimes(const ExperimentContext& context, StageRows which);

// What ha-fig6, ha-fig7 and ha-fig8 compare with the paper and check.
[[nodiscard]] ExperimentReport runVariant(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runAsymmetric(const ExperimentContext& context);
[[nodiscard]] ExperimentReport runWidths(const ExperimentContext& context);

}  // namespace tof
