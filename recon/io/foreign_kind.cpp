// SPDX-License-Identifier: Apache-2.0
#include "recon/io/foreign_kind.h"

#include <array>
#include <string_view>

namespace tof {

namespace {

using namespace std::string_view_literals;

struct Mark {
    std::string_view bytes;
    const char* kind;
};

/// What files start with.
constexpr std::array kMarks{
    Mark{"\x08\0\x05\0"sv, "DICOM without its preamble"},
    Mark{"\x08\0\x08\0"sv, "DICOM without its preamble"},
    Mark{"\x08\0\x12\0"sv, "DICOM without its preamble"},
    Mark{"\x08\0\x16\0"sv, "DICOM without its preamble"},
    Mark{"\x08\0\0\0\x04\0\0\0"sv, "DICOM without its preamble"},
    Mark{"\x02\0\0\0UL\x04\0"sv, "DICOM without its preamble"},
    Mark{"CDF\001"sv, "MINC 1 (netCDF)"},
    Mark{"CDF\002"sv, "MINC 1 (netCDF)"},
    Mark{"NRRD000"sv, "NRRD"},
    Mark{"mrtrix image"sv, "MIF (MRtrix)"},
    Mark{"MATLAB 5.0 MAT-file"sv, "MATLAB"},
    Mark{"\x93NUMPY"sv, "NumPy"},
    Mark{"# === DATA DESCRIPTION FILE"sv, "PAR/REC (Philips)"},
    Mark{"\x89PNG"sv, "PNG"},
    Mark{"\xFF\xD8\xFF"sv, "JPEG"},
    Mark{"II*\0"sv, "TIFF"},
    Mark{"MM\0*"sv, "TIFF"},
    Mark{"PK\003\004"sv, "a ZIP archive"},
    Mark{"\xFD\x37zXZ"sv, "an XZ archive"},
    Mark{"\x1F\x8B"sv, "packed by gzip (unpack it first)"},
    Mark{"modality"sv, "a scanner of CASToR"},
    Mark{"<?xml"sv, "XML"},
};

/// Kinds without a mark worth the name, which their own programs tell by the extension, too.
constexpr std::array kEndings{
    Mark{".mgh"sv, "MGH (FreeSurfer)"},
    Mark{".mgz"sv, "MGH (FreeSurfer)"},
    Mark{".HEAD"sv, "AFNI"},
    Mark{".BRIK"sv, "AFNI"},
    Mark{".mnc"sv, "MINC 2"},
    Mark{".gii"sv, "GIFTI (a surface)"},
    Mark{".his"sv, "a histogram of YRT-PET"},
    Mark{".s"sv, "the numbers of sinograms, whose header is .hs"},
    Mark{".hroot"sv, "a header of GATE's ROOT files for STIR"},
};

}  // namespace

std::string foreignKind(const FileStart& start) {
    for (const Mark& mark : kMarks) {
        if (start.bytes.starts_with(mark.bytes)) {
            return mark.kind;
        }
    }
    for (const Mark& mark : kEndings) {
        if (start.path.ends_with(mark.bytes)) {
            return mark.kind;
        }
    }
    return "";
}

}  // namespace tof
