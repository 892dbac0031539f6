// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/dcmtk_library.h"

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dcrledrg.h>
#include <dcmtk/dcmdata/dctk.h>
#include <dcmtk/dcmjpeg/djdecode.h>
#include <dcmtk/dcmjpls/djdecode.h>
#include <dcmtk/oflog/oflog.h>

#include <filesystem>

#include "recon/io/dicom/dicom_slices.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

/// Debian's DCMTK reads its dictionary from a file of its package; the portable archive carries a copy.
bool findDictionary() {
    if (dcmDataDict.isDictionaryLoaded()) {
        return true;
    }
    std::error_code fault;
    const fs::path program = fs::read_symlink("/proc/self/exe", fault);
    const fs::path beside = program.parent_path().parent_path() / "share" / "tofscope" / "dicom.dic";
    if (fault || !fs::exists(beside, fault)) {
        return false;
    }
    const bool loaded = dcmDataDict.wrlock().loadDictionary(beside.c_str(), OFTrue);
    dcmDataDict.wrunlock();
    return loaded;
}

std::string prepare() {
    OFLog::configure(OFLogger::OFF_LOG_LEVEL);
    if (!findDictionary()) {
        return "DCMTK's data dictionary 'dicom.dic' is not found: install libdcmtk17, or name the file in "
               "DCMDICTPATH";
    }
    DcmRLEDecoderRegistration::registerCodecs();
    DJDecoderRegistration::registerCodecs();
    DJLSDecoderRegistration::registerCodecs();
    return "";
}

}  // namespace

const std::string& readyDcmtk() {
    static const std::string why = prepare();
    return why;
}

std::string whyNoDicom() {
    return readyDcmtk();
}

}  // namespace tof
