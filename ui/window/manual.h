// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QString>
#include <utility>
#include <vector>

namespace tof::ui {

/// A section of the manual: the titles of its pages and their files in docs/, in the order of mkdocs.yml.
struct ManualSection {
    QString title;
    std::vector<std::pair<QString, QString>> pages;
};

/// The manual's table of contents, as it was when the program was built.
[[nodiscard]] const std::vector<ManualSection>& manualSections();
/// A page as Markdown; links and pictures that the program does not carry are words, or left out. An unknown
/// page is empty.
[[nodiscard]] QString manualText(const QString& page);
/// A window with all pages, at `page` ("priors.md", "model.md#5-words"), and a field that searches
/// all of them; not modal.
[[nodiscard]] QDialog* makeManual(const QString& page, QWidget* parent);

}  // namespace tof::ui
