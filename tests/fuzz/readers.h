// SPDX-License-Identifier: Apache-2.0
// Every reader of files, each with a small valid file to start from. Used by the libFuzzer targets and by the
// mutations of the normal tests.
#pragma once

#include <hdf5.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/dicom/dicom_slices.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/io/interfile/list_ecat8.h"
#include "recon/io/interfile/norm_ecat8.h"
#include "recon/kernel/kernel_spec.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"
#include "tests/support/ecat7_writer.h"
#include "tests/support/ecat8_norm.h"
#include "tests/support/gate_lists.h"
#include "tests/support/ge_lists.h"
#include "tests/support/petsird_hdf5_writer.h"

namespace tof::fuzz {

struct ReaderTarget {
    const char* name;
    const char* file;                         ///< the file that is mutated, within a folder
    void (*seed)(const std::string& folder);  ///< writes it, and the files it needs beside it
    void (*read)(const std::string& folder);  ///< reads it; may throw BadInput and nothing else
};

inline void save(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline Volume sampleVolume() {
    Volume volume(Lattice::centred({6, 5, 4}, {4, 3, 2.5}));
    for (std::size_t i = 0; i < volume.data.size(); i += 7) {
        volume.data[i] = static_cast<float>(i);
    }
    volume.units = "1";
    return volume;
}

inline void seedVolumeHdf5(const std::string& folder) {
    writeVolume(folder + "/volume.h5", sampleVolume());
}
/// The older layout that other programs write: no checksums, texts in heaps, chunks in a B-tree.
inline void seedVolumeOld(const std::string& folder) {
    const hid_t file = H5Fcreate((folder + "/old.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const std::array<hsize_t, 3> sizes = {4, 5, 6};
    const std::array<hsize_t, 3> chunk = {1, 5, 6};
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 3, chunk.data());
    H5Pset_deflate(plist, 4);
    const hid_t space = H5Screate_simple(3, sizes.data(), nullptr);
    const hid_t image = H5Dcreate2(file, "image", H5T_IEEE_F32LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Dwrite(image, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, sampleVolume().data.data());
    const hsize_t three = 3;
    const std::array<double, 3> spacing = {4, 3, 2.5};
    const hid_t triple = H5Screate_simple(1, &three, nullptr);
    const hid_t numbers = H5Acreate2(image, "spacing_mm", H5T_IEEE_F64LE, triple, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(numbers, H5T_NATIVE_DOUBLE, spacing.data());
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t scalar = H5Screate(H5S_SCALAR);
    const hid_t units = H5Acreate2(image, "units", type, scalar, H5P_DEFAULT, H5P_DEFAULT);
    const char* text = "kBq/ml";
    H5Awrite(units, type, static_cast<const void*>(&text));
    for (const hid_t attribute : {numbers, units}) {
        H5Aclose(attribute);
    }
    for (const hid_t one : {triple, scalar, space}) {
        H5Sclose(one);
    }
    H5Tclose(type);
    H5Dclose(image);
    H5Pclose(plist);
    H5Fclose(file);
}
inline void seedNifti(const std::string& folder) {
    writeVolume(folder + "/volume.nii", sampleVolume());
}
inline void seedNiftiGz(const std::string& folder) {
    writeVolume(folder + "/volume.nii.gz", sampleVolume());
}
inline void seedInterfile(const std::string& folder) {
    writeVolume(folder + "/volume.hv", sampleVolume());
}

inline void seedList(const std::string& folder) {
    EventList events;
    for (std::uint32_t i = 0; i < 50; ++i) {
        events.crystals.push_back({i, i + 60});
        events.dt_ps.push_back(static_cast<float>(i) - 25.0F);
        events.kind.push_back(EventKind::True);
    }
    events.scannerJson = R"({"name":"ring"})";
    events.phantom = "spheres";
    writeEvents(folder + "/list.h5", events);
}

inline void seedData(const std::string& folder) {
    HistoData data;
    data.lattice = sampleVolume().lattice;
    data.views = {{0.0, -0.1}, {1.0, 0.1}};
    data.counts.assign(2 * data.voxels(), 3.0F);
    data.mult.assign(2 * data.voxels(), 0.5F);
    data.scannerJson = R"({"name":"ring"})";
    writeData(folder + "/data.h5", data);
}

inline void seedRun(const std::string& folder) {
    const auto volume = std::make_shared<const Volume>(sampleVolume());
    RunWriter writer(folder + "/run.h5", volume->lattice, "{}", "{}", "spheres");
    writer.addIterate({1, {1, 2}, 3}, volume, KeepImage::Yes);
    writer.addIterate({2, {1, 2}, 3}, volume, KeepImage::No);
    writer.finish();
}

inline void seedCheckpoint(const std::string& folder) {
    Checkpoint checkpoint;
    checkpoint.image = std::make_shared<const Volume>(sampleVolume());
    checkpoint.settingsJson = "{}";
    checkpoint.iteration = 2;
    checkpoint.history = {{1, {}, 1.0}, {2, {}, 1.0}};
    writeCheckpoint(folder + "/run.ckpt", checkpoint);
}

inline void seedCastor(const std::string& folder) {
    save(folder + "/ring.geom",
         "modality: PET\nscanner name: ring\nnumber of elements: 48\nnumber of layers: 1\nscanner radius: "
         "100\n"
         "number of rsectors: 12\nnumber of crystals transaxial: 2\nnumber of crystals axial: 2\n"
         "crystals size depth: 20\ncrystals size transaxial: 4\ncrystals size axial: 4\ncrystal gap axial: "
         "0.5\n"
         "number of modules axial: 1\nrsectors nbZShift: 2\nrsectors ZShift: 0,1\nrotation direction: CCW\n");
    save(folder + "/events.cdh",
         "Scanner name: ring\nData filename: events.cdf\nNumber of events: 20\nData mode: list-mode\n"
         "Data type: PET\nStart time (s): 0\nDuration (s): 60\nTOF information flag: 1\nTOF resolution (ps): "
         "400\n"
         "List TOF measurement range (ps): 2000\nCoincidence kind flag: 0\n");
    std::string events;
    for (std::uint32_t i = 0; i < 20; ++i) {
        const float dt = 10.0F * static_cast<float>(i);
        const std::array<std::uint32_t, 2> pair = {i, 47 - i};
        events.append(reinterpret_cast<const char*>(&i), 4);
        events.append(reinterpret_cast<const char*>(&dt), 4);
        events.append(reinterpret_cast<const char*>(pair.data()), 8);
    }
    save(folder + "/events.cdf", events);
}

inline void seedCastorTable(const std::string& folder) {
    seedCastor(folder);
    std::string table;
    for (int i = 0; i < 48; ++i) {
        const std::array<float, 6> row = {100, static_cast<float>(i), 0, 1, 0, 0};
        table.append(reinterpret_cast<const char*>(row.data()), sizeof(row));
    }
    save(folder + "/ring.lut", table);
    save(folder + "/ring.hscan",
         "scanner name: ring\nmodality: PET\nnumber of elements: 48\nnumber of layers: 2\n"
         "number of crystals in layer(s): 24,24\ncrystals size depth: 20,10\ncrystals size transaxial: 4\n"
         "crystals size axial: 4\n");
}

/// Sinograms of a small ring as a CASToR histogram, and its lines in HDF5.
inline void seedLines(const std::string& folder) {
    MichelogramSpec spec;
    spec.scanner = {"ring", 2, 12, 100.0, 10.0, 0.0};
    spec.segments = segmentsOfSpan(2, 1, 1);
    spec.radialBins = 5;
    spec.tof = {3, 200, 400};
    SinogramData data;
    data.michelogram = std::make_shared<const Michelogram>(spec);
    data.lattice = sampleVolume().lattice;
    data.counts.assign(data.michelogram->bins(), 3.0F);
    data.mult.assign(data.michelogram->bins(), 0.5F);
    data.add.assign(data.michelogram->bins(), 0.25F);
    writeCastor(folder + "/histogram.cdh", data);
    writeLineData(folder + "/lines.h5", readCastorLines(folder + "/histogram.cdh", "").data);
}

/// Four planes of a MetaImage and the values beside it.
inline void seedMetaImage(const std::string& folder) {
    save(folder + "/image.mhd",
         "ObjectType = Image\nNDims = 3\nDimSize = 4 3 2\nElementSpacing = 2 3 5\nOffset = -7 11 13\n"
         "ElementType = MET_UCHAR\nElementDataFile = image.raw\n");
    save(folder + "/image.raw", std::string(24, '\5'));
}

/// STIR's sinograms of eight crystals that a map places.
inline void seedStir(const std::string& folder) {
    save(folder + "/a.hs",
         "!INTERFILE :=\nname of data file := a.s\nScanner type := any\nNumber of rings := 1\n"
         "Number of detectors per ring := 8\nInner ring diameter (cm) := 10\nDistance between rings (cm) := "
         "0.5\n"
         "Scanner geometry (Cylindrical/BlocksOnCylindrical/Generic) := Generic\n"
         "Name of crystal map := map.txt\nPET data type := Emission\napplied corrections := {None}\n"
         "imagedata byte order := LITTLEENDIAN\nnumber format := float\nnumber of bytes per pixel := 4\n"
         "number of dimensions := 4\nmatrix axis label [4] := segment\nmatrix size [4] := 1\n"
         "matrix axis label [3] := axial coordinate\nmatrix size [3] := {1}\n"
         "matrix axis label [2] := view\nmatrix size [2] := 4\n"
         "matrix axis label [1] := tangential coordinate\nmatrix size [1] := 7\n"
         "minimum ring difference per segment := {0}\nmaximum ring difference per segment := {0}\n"
         "!END OF INTERFILE :=\n");
    save(folder + "/a.s", std::string(std::size_t{4} * 7 * sizeof(float), '\0'));
    std::string map;
    for (int c = 0; c < 8; ++c) {
        map += "0," + std::to_string(c) + "," + std::to_string(40 + c) + "," + std::to_string(-10 * c) +
               ",3.5\n";
    }
    save(folder + "/map.txt", map);
}

/// One slice of a series is changed.
inline void seedDicom(const std::string& folder) {
    std::filesystem::remove_all(folder + "/volume.dicom");
    writeVolume(folder + "/volume.dicom", sampleVolume());
}

inline void seedGate(const std::string& folder) {
    save(folder + "/ring.json", test::kGateScanner);
    const Scanner ring = Scanner::fromJson(test::kGateScanner, "ring");
    save(folder + "/list.root", test::RootWriter({test::RootPacking::None, 20, 20, false})
                                    .file("Coincidences", test::gate9Columns(test::gatePoint(ring, {}, 40))));
}

inline void seedPetsird(const std::string& folder) {
    test::PetsirdWriter::Ring ring = test::petsirdRing();
    ring.azimuths.resize(3);
    ring.at0.resize(4);
    const auto fill = [](auto& out) {
        out.block(0, 9, {{{9, 4}, 40}, {{11, 7}, 39}}, {{{5, 2}, 1}});
        out.signal();
        out.end();
    };
    test::PetsirdWriter out(ring);
    fill(out);
    save(folder + "/list.petsird", out.bytes);
    test::PetsirdHdf5Writer hdf5(folder + "/petsird.h5", ring);
    fill(hdf5);
}

inline void seedEcat8(const std::string& folder) {
    test::Ecat8NormTables tables;
    tables.fill();
    test::writeEcat8Norm(folder, "x.n", tables);
    std::ifstream header(folder + "/x.n.hdr");
    const std::string norm{std::istreambuf_iterator<char>(header), {}};
    const std::string list = test::ecat8ListHeader(tables, "list.l");
    save(folder + "/list.l.hdr", list);
    save(folder + "/list.l", std::string("\0\0\0\x80", 4));
    const auto length = static_cast<char>(list.size());
    save(folder + "/list.ptd", std::string("\0\0\0\x80", 4) + std::string(128, '\0') + "DICM" +
                                   std::string("\x29\0\x10\x10OB\0\0", 8) + length +
                                   static_cast<char>(list.size() >> 8U) + std::string(2, '\0') + list);
}

inline void readEcat8Norm(const std::string& folder) {
    const Ecat8Result list = readEcat8(folder + "/list.l.hdr", {});
    (void)ecat8Efficiencies(folder + "/x.n.hdr", folder + "/list.l.hdr", *list.data.michelogram);
}

inline void seedEcat7(const std::string& folder) {
    test::EcatFile file;
    file.make();
    save(folder + "/image.v", file.bytes);
}

inline void seedRdf9(const std::string& folder) {
    test::GeList list;
    list.marker(70000);
    list.point({-60, 35, 12}, 20);
    test::writeRdf9(folder + "/list.BLF", list);
}

template <typename T>
std::string little(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

/// Two prompts and a delayed coincidence between crystals 1 and 2, and times.
inline void seedSafir(const std::string& folder) {
    const std::uint64_t time = std::uint64_t{1} << 63U;
    const std::uint64_t pair = std::uint64_t{1} << 16U | std::uint64_t{2} << 32U;
    std::string list("SAFIR CListModeData");
    list.resize(32, '\0');
    for (const std::uint64_t word : {time | 5U, pair, pair | std::uint64_t{1} << 62U, time | 9U, pair}) {
        list += little(word);
    }
    save(folder + "/list.safir", list);
    save(folder + "/crystal_map.txt", "0,1,100,0,0\n0,2,-100,0,0\n");
}

/// Four crystals of YRT-PET and five events with times of flight.
inline void seedYrt(const std::string& folder) {
    save(
        folder + "/ring.json",
        R"({"VERSION": 3.1, "scannerName": "ring", "detCoord": "ring.lut", "axialFOV": 4, "crystalSize_trans": 4,
"crystalSize_z": 4, "crystalDepth": 20, "scannerRadius": 100, "detsPerRing": 4, "numRings": 1, "numDOI": 1,
"maxRingDiff": 0, "minAngDiff": 2, "timing_fwhm_ps": 300})");
    std::string table;
    for (const auto& [x, y] : {std::pair{1.0F, 0.0F}, {0.0F, 1.0F}, {-1.0F, 0.0F}, {0.0F, -1.0F}}) {
        for (const float value : {110 * x, 110 * y, 1.5F, x, y, 0.0F}) {
            table += little(value);
        }
    }
    save(folder + "/ring.lut", table);
    std::string list;
    for (std::uint32_t i = 0; i < 5; ++i) {
        list += little(100 + i) + little(i % 2) + little(2 + i % 2) + little(-20.0F);
    }
    save(folder + "/list.lmDat", list);
}

inline void seedInveon(const std::string& folder) {
    std::string list;
    for (std::uint64_t i = 0; i < 20; ++i) {
        const std::uint64_t pair = (320 * i + 7) << 19U | (25599 - 320 * i);
        list += little(i % 4 == 0 ? std::uint64_t{0xA0} << 36U : std::uint64_t{i % 3 != 0} << 42U | pair)
                    .substr(0, 6);
    }
    save(folder + "/list.lst", list);
}

inline void seedTexts(const std::string& folder) {
    save(folder + "/scanner.json", builtInScanners().front().text);
    save(folder + "/phantom.json", builtInPhantoms().front().text);
    save(folder + "/kernel.json", KernelSpec::preset("variant1").toJson());
}

/// Nothing in a build without DICOM.
inline std::vector<ReaderTarget> dicomTarget() {
    if (!whyNoDicom().empty()) {
        return {};
    }
    return {{"dicom", "volume.dicom/00002.dcm", seedDicom,
             [](const std::string& folder) { (void)readVolume(folder + "/volume.dicom"); }}};
}

inline const std::vector<ReaderTarget>& readerTargets() {
    static const std::vector<ReaderTarget> files = {
        {"volume-hdf5", "volume.h5", seedVolumeHdf5,
         [](const std::string& folder) { (void)readVolume(folder + "/volume.h5"); }},
        {"volume-old", "old.h5", seedVolumeOld,
         [](const std::string& folder) { (void)readVolume(folder + "/old.h5"); }},
        {"nifti", "volume.nii", seedNifti,
         [](const std::string& folder) { (void)readVolume(folder + "/volume.nii"); }},
        {"nifti-gz", "volume.nii.gz", seedNiftiGz,
         [](const std::string& folder) { (void)readVolume(folder + "/volume.nii.gz"); }},
        {"interfile", "volume.hv", seedInterfile,
         [](const std::string& folder) { (void)readVolume(folder + "/volume.hv"); }},
        {"list-hdf5", "list.h5", seedList,
         [](const std::string& folder) { (void)readEvents(folder + "/list.h5"); }},
        {"data", "data.h5", seedData, [](const std::string& folder) { (void)readData(folder + "/data.h5"); }},
        {"run", "run.h5", seedRun,
         [](const std::string& folder) {
             (void)readRunSummary(folder + "/run.h5");
             (void)readIterate(folder + "/run.h5", 1);
         }},
        {"checkpoint", "run.ckpt", seedCheckpoint,
         [](const std::string& folder) { (void)readCheckpoint(folder + "/run.ckpt"); }},
        {"info", "data.h5", seedData,
         [](const std::string& folder) { (void)recognise(folder + "/data.h5").infoJson(); }},
        {"gate", "list.root", seedGate,
         [](const std::string& folder) {
             (void)recognise(folder + "/list.root").infoJson();
             (void)readEvents(folder + "/list.root", {true, folder + "/ring.json"});
         }},
        {"petsird", "list.petsird", seedPetsird,
         [](const std::string& folder) {
             (void)readEvents(folder + "/list.petsird", {true, ""});
         }},
        {"petsird-hdf5", "petsird.h5", seedPetsird,
         [](const std::string& folder) { (void)readEvents(folder + "/petsird.h5"); }},
        {"ecat8-norm", "x.n.hdr", seedEcat8, readEcat8Norm},
        {"ecat8-factors", "x.n", seedEcat8, readEcat8Norm},
        {"ptd", "list.ptd", seedEcat8,
         [](const std::string& folder) {
             (void)recognise(folder + "/list.ptd").infoJson();
             (void)readEcat8(folder + "/list.ptd", {true});
         }},
        {"ecat7", "image.v", seedEcat7,
         [](const std::string& folder) { (void)recognise(folder + "/image.v").readDynamicImage({}); }},
        {"rdf9", "list.BLF", seedRdf9,
         [](const std::string& folder) { (void)readEvents(folder + "/list.BLF"); }},
        {"safir", "list.safir", seedSafir,
         [](const std::string& folder) {
             (void)readEvents(folder + "/list.safir", {true, ""});
         }},
        {"safir-map", "crystal_map.txt", seedSafir,
         [](const std::string& folder) { (void)readEvents(folder + "/list.safir"); }},
        {"yrt", "list.lmDat", seedYrt,
         [](const std::string& folder) { (void)readEvents(folder + "/list.lmDat"); }},
        {"yrt-scanner", "ring.json", seedYrt,
         [](const std::string& folder) { (void)readEvents(folder + "/list.lmDat"); }},
        {"yrt-table", "ring.lut", seedYrt,
         [](const std::string& folder) { (void)readEvents(folder + "/list.lmDat"); }},
        {"inveon", "list.lst", seedInveon,
         [](const std::string& folder) {
             (void)readEvents(folder + "/list.lst", {true, ""});
         }},
        {"scanner", "scanner.json", seedTexts,
         [](const std::string& folder) { (void)Scanner::find(folder + "/scanner.json"); }},
        {"phantom", "phantom.json", seedTexts,
         [](const std::string& folder) { (void)Phantom::find(folder + "/phantom.json"); }},
        {"kernel", "kernel.json", seedTexts,
         [](const std::string& folder) { (void)KernelSpec::parse(folder + "/kernel.json"); }},
        {"metaimage", "image.mhd", seedMetaImage,
         [](const std::string& folder) { (void)readVolume(folder + "/image.mhd"); }},
        {"stir", "a.hs", seedStir,
         [](const std::string& folder) { (void)recognise(folder + "/a.hs").readData(); }},
        {"stir-map", "map.txt", seedStir,
         [](const std::string& folder) { (void)recognise(folder + "/a.hs").readData(); }},
        {"castor-header", "events.cdh", seedCastor,
         [](const std::string& folder) {
             (void)readEvents(folder + "/events.cdh", {true, ""});
         }},
        {"castor-events", "events.cdf", seedCastor,
         [](const std::string& folder) {
             (void)readEvents(folder + "/events.cdh", {true, ""});
         }},
        {"castor-histogram", "histogram.cdh", seedLines,
         [](const std::string& folder) { (void)readCastorLines(folder + "/histogram.cdh", ""); }},
        {"castor-lines", "histogram.cdf", seedLines,
         [](const std::string& folder) { (void)readCastorLines(folder + "/histogram.cdh", ""); }},
        {"lines", "lines.h5", seedLines,
         [](const std::string& folder) { (void)readLineData(folder + "/lines.h5"); }},
        {"castor-geometry", "ring.geom", seedCastor,
         [](const std::string& folder) { (void)readEvents(folder + "/events.cdh"); }},
        {"castor-table", "ring.hscan", seedCastorTable,
         [](const std::string& folder) { (void)readEvents(folder + "/events.cdh"); }},
    };
    static const std::vector<ReaderTarget> targets = [] {
        std::vector<ReaderTarget> all = files;
        for (const ReaderTarget& target : dicomTarget()) {
            all.push_back(target);
        }
        return all;
    }();
    return targets;
}

}  // namespace tof::fuzz
