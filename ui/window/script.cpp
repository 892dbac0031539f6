// SPDX-License-Identifier: Apache-2.0
#include "ui/window/script.h"

#include "ui/desk/desk.h"

namespace tof::ui {

Script::Script(MainWindow& window, Desk& desk, const std::vector<ScriptStep>& steps)
    : stage_{window, desk}, steps_(steps.begin(), steps.end()) {
    timer_.setInterval(10);
    connect(&timer_, &QTimer::timeout, this, &Script::next);
    const auto fail = [this](const QString& sentence, ErrorKind kind) {
        stage_.fault = Error(kind, sentence.toStdString());
    };
    connect(&desk.tasks(), &TaskQueue::failed, this,
            [fail](const QString&, const QString& sentence, ErrorKind kind) { fail(sentence, kind); });
    connect(&desk.queue(), &RunQueue::runFailed, this, fail);
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
