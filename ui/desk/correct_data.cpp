// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/correct_data.h"

#include <QDir>
#include <QFileInfo>

#include "recon/io/hdf5/data_io.h"
#include "recon/study/study.h"
#include "recon/work/correct.h"
#include "ui/desk/desk.h"
#include "ui/desk/task_progress.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// A file that goes with its owner.
struct PassingFile {
    explicit PassingFile(QString name) : path(std::move(name)) {}
    ~PassingFile() { QFile::remove(path); }
    PassingFile(const PassingFile&) = delete;
    PassingFile& operator=(const PassingFile&) = delete;
    QString path;
};

void makeCorrected(const HistoData& open, const std::string& source, const CorrectionWish& wish,
                   TaskControl& control) {
    CorrectRequest request;
    request.norm = wish.norm.toStdString();
    request.delayeds = wish.delayeds.toStdString();
    request.scatter = wish.scatter;
    request.mu = wish.mu.toStdString();
    TaskProgress progress(control, {{"efficiencies", wish.norm.isEmpty() ? 0.0 : 0.1},
                                    {"randoms", wish.delayeds.isEmpty() ? 0.0 : 0.1},
                                    {"scatter", wish.scatter ? 0.75 : 0.0}});
    HistoData data = open;
    static_cast<void>(correct(data, source, request, ThreadPool(0, Priority::Background), progress));
    control.checkpoint();
    QDir().mkpath(QFileInfo(wish.folder).absolutePath());
    const PassingFile file(wish.folder + ".data.h5");
    writeData(file.path.toStdString(), data);
    control.checkpoint();
    static_cast<void>(Study::create(wish.folder.toStdString(), file.path.toStdString()));
}

}  // namespace

QString whyNotCorrect(const Desk& desk) {
    const auto data = desk.study().histo();
    if (desk.study().measurement() == nullptr) {
        return Text::tr("Open a study, data or list-mode first");
    }
    if (data == nullptr) {
        return Text::tr("Histo-images alone are corrected here");
    }
    return data->scannerJson.empty()
               ? Text::tr("The data do not say which scanner they are of; bin the list again")
               : QString();
}

void correctOpenData(Desk& desk, const CorrectionWish& wish) {
    const auto data = desk.study().histo();
    if (data == nullptr) {
        return;
    }
    desk.tasks().add(
        Text::tr("Correcting %1").arg(desk.study().name()),
        [data, wish, source = desk.study().name().toStdString()](TaskControl& control) {
            makeCorrected(*data, source, wish, control);
        },
        [&desk, wish] { desk.open({wish.folder}); });
    desk.tasks().markWork();
}

}  // namespace tof::ui
