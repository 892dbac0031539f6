// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ui/desk/desk.h"

namespace tof::ui {

class CommandRegistry;
class ComparePage;
class DataPage;
class FiguresPanel;
class KernelLabPage;
class MatchedPage;
class StudyPanel;
class Viewer;

/// What of the window belongs to a session: pages, folded sections, curves.
class WindowSession {
  public:
    struct Parts {
        CommandRegistry& commands;
        Viewer& viewer;
        ComparePage& compare;
        DataPage& data;
        KernelLabPage& lab;
        MatchedPage& matched;
        StudyPanel& study;
        FiguresPanel& figures;
    };
    /// Adds the window's parts to the desk's session; all of them outlive this.
    WindowSession(const Parts& parts, Desk& desk);
    /// The parts stay as they are now.
    ~WindowSession();

  private:
    [[nodiscard]] nlohmann::json toJson() const;
    void fromJson(const nlohmann::json& saved);
    [[nodiscard]] nlohmann::json curvesToJson() const;
    void curvesFromJson(const nlohmann::json& saved);

    Parts parts_;
    Desk& desk_;
};

}  // namespace tof::ui
