// SPDX-License-Identifier: Apache-2.0
#include "recon/io/file_format.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "recon/base/error.h"
#include "recon/io/castor/castor_header.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/interfile/volume_interfile.h"
#include "recon/io/nifti/volume_nifti.h"
#include "recon/io/safir/list_safir.h"

namespace tof {

namespace fs = std::filesystem;

FileFormat fileFormat(const std::string& path) {
    std::error_code fault;
    if (fs::is_directory(path, fault)) {
        return FileFormat::Folder;
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw BadInput(
            fmt::format("{}: cannot be opened; check the name and the permission to read it", path));
    }
    if (file.peek() == std::ifstream::traits_type::eof()) {
        throw BadInput(fmt::format("{}: is empty; copy or make it again", path));
    }
    if (h5::isHdf5(path)) {
        return FileFormat::Hdf5;
    }
    if (isInterfile(path)) {
        return FileFormat::Interfile;
    }
    if (isCastorHeader(path)) {
        return FileFormat::Castor;
    }
    if (isSafir(path)) {
        return FileFormat::Safir;
    }
    return isNifti(path) ? FileFormat::Nifti : FileFormat::Unknown;
}

const char* formatName(FileFormat format) {
    switch (format) {
        case FileFormat::Folder: return "folder";
        case FileFormat::Hdf5: return "HDF5";
        case FileFormat::Nifti: return "NIfTI-1";
        case FileFormat::Interfile: return "Interfile";
        case FileFormat::Castor: return "CASToR";
        case FileFormat::Safir: return "SAFIR";
        case FileFormat::Unknown: break;
    }
    return "unknown";
}

std::string headerHint(const std::string& path) {
    const fs::path data(path);
    for (const auto& [extension, header] : {std::pair{".v", ".hv"}, {".img", ".hdr"}, {".cdf", ".cdh"}}) {
        std::error_code ignored;
        const fs::path beside = fs::path(data).replace_extension(header);
        if (data.extension() == extension && fs::exists(beside, ignored)) {
            return fmt::format("; open its header '{}'", beside.filename().string());
        }
    }
    return "";
}

}  // namespace tof
