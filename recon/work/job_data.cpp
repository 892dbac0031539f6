// SPDX-License-Identifier: Apache-2.0
#include "recon/work/job_data.h"

#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"

namespace tof {

JobData readJobData(const std::string& path) {
    const RecognisedFile file = recognise(path);
    if (file.kind() != FileKind::Data) {
        return std::make_shared<const HistoData>(readData(path));  // says what is missing
    }
    return std::visit(
        [](auto&& data) -> JobData {
            return std::make_shared<const std::decay_t<decltype(data)>>(std::move(data));
        },
        file.readData().data);
}

DataKind dataKindOf(const std::string& path) {
    const RecognisedFile file = recognise(path);
    return file.kind() == FileKind::Data && file.dataForm() != DataForm::HistoImages ? DataKind::Lines
                                                                                     : DataKind::HistoImages;
}

}  // namespace tof
