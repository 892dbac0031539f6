// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace tof::ui {

class LiveTuning;
class Messages;
class OpenStudy;
class Sessions;

class CommandRegistry;
class ComparePage;
class DataPage;
class DetachedPanes;
class FiguresPanel;
class KernelLabPage;
class MatchedPage;
class FigurePage;
class RunsPage;
class SidePanels;
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
        RunsPage& runs;
        FigurePage& figure;
        DetachedPanes& detached;
        SidePanels& panels;
        StudyPanel& study;
        FiguresPanel& figures;
    };
    /// Adds the window's parts to the desk's session; all of them outlive this.
    WindowSession(const Parts& parts, Sessions& sessions, const OpenStudy& study, LiveTuning& live,
                  Messages& messages);
    /// The parts stay as they are now.
    ~WindowSession();

  private:
    [[nodiscard]] nlohmann::json toJson() const;
    void fromJson(const nlohmann::json& saved);
    [[nodiscard]] nlohmann::json curvesToJson() const;
    void curvesFromJson(const nlohmann::json& saved);

    Parts parts_;
    Sessions& sessions_;
    const OpenStudy& study_;
    LiveTuning& live_;
    Messages& messages_;
};

}  // namespace tof::ui
