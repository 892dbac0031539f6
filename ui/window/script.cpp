// SPDX-License-Identifier: Apache-2.0
#include "ui/window/script.h"

#include "ui/desk/desk.h"

namespace tof::ui {

Script::Script(MainWindow& window, Desk& desk, const std::vector<ScriptStep>& steps)
    : stage_{window, desk}, steps_(steps.begin(), steps.end()) {
    timer_.setInterval(10);
    connect(&timer_, &QTimer::timeout, this, &Script::next);
    connect(&desk.tasks(), &TaskQueue::failed, this,
            [this](const QString&, const QString& sentence, ErrorKind kind) { fail(sentence, kind); });
    connect(&desk.queue(), &RunQueue::runFailed, this, &Script::fail);
}

void Script::fail(const QString& sentence, ErrorKind kind) {
    stage_.fault = Error(kind, sentence.toStdString());
}

/// What stood behind a step that failed.
std::string Script::leftOut() const {
    QStringList words;
    for (const ScriptStep& step : steps_) {
        if (step.name != "exit") {
            words << (step.name == "open" ? step.value : "--" + step.name);
        }
    }
    return words.isEmpty() ? std::string() : "; left out after that: " + words.join(", ").toStdString();
}

void Script::start() {
    timer_.start();
}

void Script::next() {
    if (stage_.waiting && !stage_.waiting()) {
        return;
    }
    stage_.waiting = nullptr;
    if (stage_.fault || stage_.exit || steps_.empty()) {
        timer_.stop();
        if (stage_.fault) {
            stage_.fault = Error(stage_.fault->kind(), stage_.fault->what() + leftOut());
        }
        Q_EMIT finished();
        return;
    }
    const ScriptStep step = steps_.front();
    steps_.pop_front();
    try {
        carryOut(stage_, step);
    } catch (const Error& fault) {
        stage_.fault = fault;
    }
}

}  // namespace tof::ui
