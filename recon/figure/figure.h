// SPDX-License-Identifier: Apache-2.0
// Figures of papers: a template and a study become a page.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "recon/figure/drawing.h"
#include "recon/figure/figure_template.h"
#include "recon/figure/shown_panel.h"
#include "recon/study/study.h"

namespace tof {

/// Puts the panels on a page: a row after the other, pictures of a row at one scale, one range for all slices
/// that have none of their own, a colour bar behind slices that share colours and range, a scale bar where
/// the scale changes. Throws WrongUse where the page has no room for the columns.
[[nodiscard]] Drawing composeFigure(const FigureTemplate& figure, const std::vector<ShownPanel>& panels);

/// The figure of a study as it is now; throws as readPanels() and composeFigure().
[[nodiscard]] Drawing drawFigure(const FigureTemplate& figure, const Study& study,
                                 const std::string& templatePath, std::function<void()> heed = {});

/// Where a study keeps its templates: STUDY/figures/NAME.json. Throws WrongUse unless the name is one name.
[[nodiscard]] std::string figurePath(const Study& study, const std::string& name);
/// The study that a template lies in: the nearest folder above it that is called NAME.tofstudy; empty where
/// there is none.
[[nodiscard]] std::string studyOfTemplate(const std::string& path);

/// Reads a template file. Throws BadInput.
[[nodiscard]] FigureTemplate readFigure(const std::string& path);
/// Writes a template file, and the folder `figures` of a study where it is not there yet. Throws CannotWrite.
void writeFigure(const std::string& path, const FigureTemplate& figure);

/// What a figure of a study begins with: a slice of every run, and the CRC of their iterates against noise
/// where there are ROIs. Throws BadInput where no run is done.
[[nodiscard]] FigureTemplate firstFigure(const Study& study, const std::function<void()>& heed);

/// Writes a drawing as .pdf or .svg. Throws WrongUse for other endings, CannotWrite.
void writeDrawing(const std::string& path, const Drawing& drawing);

}  // namespace tof
