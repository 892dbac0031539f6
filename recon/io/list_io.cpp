// SPDX-License-Identifier: Apache-2.0
#include "recon/io/list_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "recon/base/error.h"
#include "recon/io/castor/list_castor.h"
#include "recon/io/file_format.h"
#include "recon/io/hdf5/list_hdf5.h"
#include "recon/io/safir/list_safir.h"

namespace tof {

namespace {

struct Reader {
    FileFormat format;
    ListReadResult (*read)(const std::string& path, const ListReadOptions& options);
};

/// One line per format; a further one adds its reader here and its content test to fileFormat().
constexpr std::array<Reader, 3> kReaders = {{
    {FileFormat::Hdf5, [](const std::string& path, const ListReadOptions&) { return readEventsHdf5(path); }},
    {FileFormat::Castor, readEventsCastor},
    {FileFormat::Safir, readEventsSafir},
}};

}  // namespace

ListReadResult readEvents(const std::string& path, const ListReadOptions& options) {
    const FileFormat format = fileFormat(path);
    const auto* const reader = std::find_if(kReaders.begin(), kReaders.end(),
                                            [&](const Reader& one) { return one.format == format; });
    if (reader == kReaders.end()) {
        throw BadInput(
            fmt::format("{}: holds no list-mode; HDF5 (docs/formats.md), CASToR headers (.cdh) and "
                        "SAFIR lists are read{}",
                        path, headerHint(path)));
    }
    return reader->read(path, options);
}

}  // namespace tof
