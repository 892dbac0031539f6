// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ui/desk/run_context.h"
#include "ui/desk/run_queue.h"
#include "ui/desk/session.h"

namespace tof::ui {

/// What is remembered of what is open: in study.json of its folder, and by the program for its next start.
///
/// Both hold the settings of the next run, the ROIs and the session's parts; the study its queue, too.
class Sessions : public QObject {
    Q_OBJECT

  public:
    Sessions(const RunContext& context, RunQueue& queue);

    /// Whoever has state that is to be as it was adds a part.
    [[nodiscard]] Session& parts() { return parts_; }

    /// Writes view, settings, ROIs and queue into the study, or where its runs go; does nothing where nothing
    /// is written.
    void saveStudy();
    /// Saves when they have changed since.
    void autosave();

    /// Everything about what is open, for Desk::openLastSession(): files, settings, ROIs, session, as text of
    /// JSON.
    [[nodiscard]] std::string last() const;
    /// And the members of `further`, an object.
    [[nodiscard]] std::string last(nlohmann::json further) const;
    /// Puts settings and ROIs of an earlier session back, and its parts as restore() does.
    void restoreLast(const nlohmann::json& saved);

    /// Puts parts back as they were. What needs data has to wait until restoreRest().
    void restore(const nlohmann::json& session);
    /// The data are there: all parts once more, or those alone that need data.
    enum class Rest { All, OfData };
    void restoreRest(Rest rest);
    /// What was to be restored with the data is not wanted any more.
    void forget() {
        restoring_.clear();
        parts_.clear();
    }

  private:
    void saveQueue();
    /// What last() says, without the ROIs.
    [[nodiscard]] nlohmann::json lastButRois() const;
    /// The ROIs as JSON, printed once for all ticks until they change: large regions take most of a second.
    [[nodiscard]] const std::string& roisText() const;

    RunContext context_;
    RunQueue& queue_;
    Session parts_;
    std::string restoring_;        ///< JSON, of a study whose data are being read
    std::string saved_;            ///< the study's without its ROIs, as last written
    std::uint64_t savedRois_ = 0;  ///< their revision then
    mutable std::string roisText_;
    mutable std::uint64_t printedRois_ = 0;  ///< revision of the text; 0: none
};

}  // namespace tof::ui
