// SPDX-License-Identifier: Apache-2.0
#include "ui/window/open_dialog.h"

#include <QFileInfo>

namespace tof::ui {

namespace {

bool isStudy(const QString& folder) {
    return QFileInfo::exists(folder + "/study.json");
}

}  // namespace

OpenDialog::OpenDialog(QWidget* parent)
    : QFileDialog(parent, tr("Open"), QString(),
                  tr("All readable files (*.h5 *.nii *.nii.gz *.hv *.v *.hs *.hdr *.h33 *.cdh *.root "
                     "*.petsird *.BLF *.safir *.lmDat *.lst *.ptd *.mhd *.mha *.mhdr *.dcm study.json);;All "
                     "files (*)")) {
    setFileMode(ExistingFiles);
    connect(this, &QFileDialog::directoryEntered, this, [this](const QString& folder) {
        if (isStudy(folder)) {
            take(folder);
        }
    });
}

QStringList OpenDialog::paths() const {
    if (!study_.isEmpty()) {
        return {study_};
    }
    QStringList paths;
    for (const QString& file : selectedFiles()) {
        paths << (QFileInfo(file).fileName() == "study.json" ? QFileInfo(file).absolutePath() : file);
    }
    return paths;
}

void OpenDialog::accept() {
    const QStringList chosen = selectedFiles();
    if (chosen.size() == 1 && isStudy(chosen.front())) {
        take(chosen.front());
    } else {
        QFileDialog::accept();
    }
}

void OpenDialog::take(const QString& study) {
    study_ = study;
    done(Accepted);
}

}  // namespace tof::ui
