// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/stop_question.h"

#include "ui/desk/open_study.h"
#include "ui/desk/run_queue.h"
#include "ui/desk/run_rescue.h"
#include "ui/desk/tasks.h"
#include "ui/kit/questions.h"

namespace tof::ui {

QString StopQuestion::consequences() const {
    QStringList sentences;
    const bool kept = study_.writes() || rescue_.keeps();
    const RunItem* item = queue_.active();
    const int reached = item->timing().empty() ? 0 : item->timing().back().iteration;
    if (!kept) {
        sentences << tr("Stop run %1? Nothing of it is kept.").arg(item->label());
    } else if (reached > 0) {
        sentences << tr("Stop run %1? Its iterate %2 is kept, and Continue goes on from there.")
                         .arg(item->label())
                         .arg(reached);
    } else {
        sentences
            << tr("Stop run %1? It has no whole iterate yet and goes back to the queue.").arg(item->label());
    }
    QStringList letters;
    for (const RunItem* each : queue_.waiting()) {
        letters << each->label();
    }
    if (!letters.isEmpty()) {
        const QString all = letters.join(", ");
        sentences << (study_.writes()
                          ? tr("The queue stays in the study, not started: %1. Start queue begins with it.")
                                .arg(all)
                      : kept ? tr("What waits is kept, not started: %1.").arg(all)
                             : tr("What waits is dropped: %1.").arg(all));
    }
    if (kept && !study_.writes()) {
        sentences << tr("File > Recover runs brings back what is kept.");
    }
    return sentences.join("\n");
}

bool StopQuestion::mayEnd(const QString& title, const QStringList& unsaved) const {
    if (unsaved.isEmpty()) {
        return mayStop(title);
    }
    const QString inNone = tr("In no study: %1. File > Save study as makes one of the data and their runs.")
                               .arg(unsaved.join(", "));
    if (queue_.active() != nullptr) {
        return questions_.confirm(title, consequences() + "\n" + inNone, tr("Stop the run"));
    }
    const QString kept =
        rescue_.keeps() ? tr("File > Recover runs brings back what is kept.") : tr("Nothing of it is kept.");
    return mayStop(title) && questions_.confirm(title, inNone + "\n" + kept, tr("Close"));
}

bool StopQuestion::mayStop(const QString& title) const {
    if (queue_.active() == nullptr && tasks_.isWork()) {
        return questions_.confirm(
            title, tr("%1 is going on. Stop it? Nothing of it is kept.").arg(tasks_.title()), tr("Stop it"));
    }
    return queue_.active() == nullptr || questions_.confirm(title, consequences(), tr("Stop the run"));
}

}  // namespace tof::ui
