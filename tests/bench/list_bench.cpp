// SPDX-License-Identifier: Apache-2.0
// How fast lists pass in parts: events from each uncompressed format for a second of a core's time, read as
// `bin` reads them, with crystals and times of flight, without the moments (docs/measurements/lists.md).
// usage: list_bench FOLDER [MILLIONS]
#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>

#include "recon/io/format_table.h"
#include "recon/io/interfile/list_ecat8.h"
#include "tests/support/gate_lists.h"
#include "tests/support/ge_lists.h"

namespace {

using tof::EventList;

/// Writes records a piece at a time: record(i) are the bytes of one.
class ListFile {
  public:
    explicit ListFile(const std::string& path) : out_(path, std::ios::binary) {}
    template <typename T>
    void put(T value) {
        buffer_.append(reinterpret_cast<const char*>(&value), sizeof(value));
        flush(std::size_t{1} << 22U);
    }
    void text(const std::string& bytes) { buffer_ += bytes; }
    void cut(std::size_t bytes) { buffer_.resize(buffer_.size() - bytes); }
    ~ListFile() { flush(0); }

  private:
    void flush(std::size_t most) {
        if (buffer_.size() > most) {
            out_ << buffer_;
            buffer_.clear();
        }
    }
    std::ofstream out_;
    std::string buffer_;
};

void save(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::string writeCastor(const std::string& folder, std::uint32_t events) {
    save(folder + "/ring.geom",
         "modality: PET\nscanner name: ring\nnumber of elements: 12800\nnumber of layers: 1\nscanner radius: "
         "400\n"
         "number of rsectors: 40\nnumber of crystals transaxial: 16\nnumber of crystals axial: 20\n"
         "crystals size depth: 20\ncrystals size transaxial: 4\ncrystals size axial: 4\n"
         "rsectors first angle: 0\nmean depth of interaction: -1\nrotation direction: CW\n");
    save(folder + "/list.cdh",
         "Scanner name: ring\nData filename: list.cdf\nNumber of events: " + std::to_string(events) +
             "\nData mode: list-mode\nData type: PET\nStart time (s): 0\nDuration (s): 60\n"
             "TOF information flag: 1\nTOF resolution (ps): 400\nList TOF measurement range (ps): 4000\n");
    ListFile list(folder + "/list.cdf");
    for (std::uint32_t i = 0; i < events; ++i) {
        list.put(i / 1000);
        list.put(static_cast<float>(i % 4000) - 2000);
        list.put(i * 7 % 12800);
        list.put((i * 13 + 1) % 12800);
    }
    return folder + "/list.cdh";
}

std::string writeSafir(const std::string& folder, std::uint64_t events) {
    std::string map;
    for (int ring = 0; ring < 64; ++ring) {
        for (int place = 0; place < 360; ++place) {
            map += std::to_string(ring) + "," + std::to_string(place) + "," + std::to_string(70 + place % 7) +
                   "," + std::to_string(place - 180) + "," + std::to_string(2 * ring) + "\n";
        }
    }
    save(folder + "/crystal_map.txt", map);
    ListFile list(folder + "/list.safir");
    list.text(std::string("SAFIR CListModeData") + std::string(13, '\0'));
    for (std::uint64_t i = 0; i < events; ++i) {
        if (i % 1000 == 0) {
            list.put(std::uint64_t{1} << 63U | i / 1000);
        }
        list.put(i % 64 | (i * 3 % 64) << 8U | (i * 7 % 360) << 16U | (i * 11 % 360) << 32U);
    }
    return folder + "/list.safir";
}

std::string writeYrt(const std::string& folder, std::uint32_t events) {
    save(
        folder + "/ring.json",
        R"({"VERSION": 3.1, "scannerName": "ring", "detCoord": "ring.lut", "axialFOV": 80, "crystalSize_trans": 4,
"crystalSize_z": 4, "crystalDepth": 20, "scannerRadius": 400, "detsPerRing": 600, "numRings": 20, "numDOI": 1,
"maxRingDiff": 19, "minAngDiff": 200, "timing_fwhm_ps": 400})");
    {
        ListFile table(folder + "/ring.lut");
        for (int i = 0; i < 12000; ++i) {
            const double psi = 2 * tof::kPi * (i % 600) / 600;
            for (const double value : {410 * std::cos(psi), 410 * std::sin(psi), 4.0 * (i / 600) - 38,
                                       std::cos(psi), std::sin(psi), 0.0}) {
                table.put(static_cast<float>(value));
            }
        }
    }
    ListFile list(folder + "/list.lmDat");
    for (std::uint32_t i = 0; i < events; ++i) {
        list.put(i / 1000);
        list.put(i * 7 % 12000);
        list.put((i * 7 + 300) % 12000);
        list.put(static_cast<float>(i % 4000) - 2000);
    }
    return folder + "/list.lmDat";
}

std::string writeInveon(const std::string& folder, std::uint64_t events) {
    ListFile list(folder + "/list.lst");
    const auto word = [&](std::uint64_t value) {
        list.put(static_cast<std::uint32_t>(value));
        list.put(static_cast<std::uint16_t>(value >> 32U));
    };
    for (std::uint64_t i = 0; i < events; ++i) {
        if (i % 100 == 0) {
            word(std::uint64_t{0xA0} << 36U);
        }
        word(std::uint64_t{1} << 42U | (i * 7 % 25600) << 19U | (i * 11 + 1) % 25600);
    }
    return folder + "/list.lst";
}

std::string writeGe(const std::string& folder, std::uint32_t events) {
    tof::test::GeList list;
    list.marker(70000);
    for (std::uint32_t i = 0; i < events; ++i) {
        list.words(
            {1U | 4U | (i % 300) << 7U, i % 12 | (i * 7 % 480) << 6U, i * 5 % 12 | (i * 11 % 480) << 6U});
    }
    list.marker(72500);
    tof::test::writeRdf9(folder + "/list.BLF", list);
    return folder + "/list.BLF";
}

std::string writeSiemens(const std::string& folder, std::uint32_t events) {
    save(folder + "/list.l.hdr",
         "!INTERFILE:=\n%SMS-MI header name space:=PETLINK bin address\nname of data file:=list.l\n"
         "number of rings:=64\ndistance between rings (cm):=0.40625\ngantry crystal radius (cm):=32.8\n"
         "%total listmode word counts:=0\n%axial compression:=1\n%maximum ring difference:=60\n"
         "%number of projections:=344\n%number of views:=252\n");
    ListFile list(folder + "/list.l");
    for (std::uint32_t i = 0; i < events; ++i) {
        if (i % 1000 == 0) {
            list.put(0x80000000U | i / 1000);
        }
        list.put(0x40000000U | (i * 7919U % 300000000U));
    }
    return folder + "/list.l.hdr";
}

std::string writePetlink(const std::string& folder, std::uint32_t events) {
    save(folder + "/pairs.l.hdr",
         "!INTERFILE:=\n%SMS-MI header name space:=PETLINK raw data\nname of data file:=pairs.l\n"
         "originating system:=1208\nnumber of rings:=80\ndistance between rings (cm):=0.32911\n"
         "gantry crystal radius (cm):=41\n");
    ListFile list(folder + "/pairs.l");
    for (std::uint32_t i = 0; i < events; ++i) {
        if (i % 1000 == 0) {
            list.put(0x40000000U | i / 1000);
            list.put(0x80008000U);
        }
        list.put(i % 40 | (i * 7 % 80) << 8U | (1 + i % 7) << 16U | (i * 5 % 8) << 25U);
        list.put(0xC0000000U | i * 3 % 40 | (i * 11 % 80) << 8U | (i % 8) << 16U);
    }
    return folder + "/pairs.l.hdr";
}

/// The list of CASToR in a format that the program writes.
std::string writeAgain(const std::string& folder, const std::string& name) {
    const std::string path = folder + "/" + name;
    const EventList all = tof::readEvents(folder + "/list.cdh").events;
    const tof::FormatTable formats = tof::builtInFormats();
    formats.writer(&tof::Format::events, path)->write(path, all);
    return path;
}

/// Two millions, as the tests' writer holds each column in memory.
std::string writeGate(const std::string& folder) {
    constexpr std::size_t kOnce = 20000;
    save(folder + "/gate.json", tof::test::kGateScanner);
    const tof::test::GateTruth once =
        tof::test::gatePoint(tof::Scanner::find(folder + "/gate.json"), {20, 10, 0}, kOnce);
    tof::test::GateTruth all = once;
    const auto repeat = [](auto& column) {
        const auto part = column;
        for (int i = 1; i < 100; ++i) {
            column.insert(column.end(), part.begin(), part.end());
        }
    };
    repeat(all.crystals);
    for (const std::size_t p : {std::size_t{0}, std::size_t{1}}) {
        for (auto* column : {&all.x[p], &all.y[p], &all.z[p], &all.energy[p]}) {
            repeat(*column);
        }
        for (auto* column : {&all.event[p], &all.compton[p], &all.rayleigh[p]}) {
            repeat(*column);
        }
        repeat(all.time[p]);
    }
    save(folder + "/gate.root", tof::test::RootWriter({tof::test::RootPacking::None, 4000, 20, false})
                                    .file("Coincidences", tof::test::gate9Columns(all)));
    return folder + "/gate.root";
}

/// Time of all cores, the system's work included: other programs on them do not matter.
double coreSecondsOf(const std::function<void()>& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// The largest memory so far, MiB.
double peakMemory() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    constexpr double kKiBPerMiB = 1024;
    return static_cast<double>(usage.ru_maxrss) / kKiBPerMiB;
}

void measure(const char* name, const std::string& path, const tof::ListReadOptions& options = {}) {
    constexpr std::uint64_t kPart = std::uint64_t{1} << 22U;
    std::uint64_t events = 0;
    double open = 0;
    double moments = 0;
    const double all = coreSecondsOf([&] {
        const tof::RecognisedFile file = tof::recognise(path);
        std::unique_ptr<const tof::EventStream> stream;
        open = coreSecondsOf([&] { stream = file.eventStream(options); });
        events = stream->size();
        EventList part;
        for (std::uint64_t first = 0; first < events; first += kPart) {
            const std::uint64_t count = std::min(kPart, events - first);
            stream->read(first, count, part);
            if (stream->tellsMoments()) {
                moments += coreSecondsOf([&] { stream->readMoments(first, count, part); });
            }
        }
    });
    std::printf("| %s | %.1f | %.2f | %.0f | %.0f |\n", name, 1e-6 * static_cast<double>(events), open,
                1e-6 * static_cast<double>(events) / (all - moments), peakMemory());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: list_bench FOLDER [MILLIONS]\n", stderr);
        return 2;
    }
    const std::string folder = argv[1];
    constexpr std::uint32_t kMillion = 1000000;
    const auto events = kMillion * static_cast<std::uint32_t>(argc > 2 ? std::atoi(argv[2]) : 20);
    std::puts("| format | million events | open, s of a core | million events/s of a core | memory, MiB |");
    std::puts("| --- | --- | --- | --- | --- |");
    try {
        measure("CASToR", writeCastor(folder, events));
        measure("SAFIR", writeSafir(folder, events));
        measure("YRT-PET", writeYrt(folder, events));
        measure("Inveon", writeInveon(folder, events));
        measure("Siemens PETLINK", writePetlink(folder, events));
        const std::string siemens = writeSiemens(folder, events);
        tof::Ecat8Options words;
        words.sinograms = false;
        const double seconds = coreSecondsOf([&] { static_cast<void>(tof::readEcat8(siemens, words)); });
        std::printf("| Siemens ECAT8 | %.1f | | %.0f | %.0f |\n", 1e-6 * events, 1e-6 * events / seconds,
                    peakMemory());
        measure("Tofscope HDF5", writeAgain(folder, "list.h5"));
        measure("PETSIRD", writeAgain(folder, "list.petsird"));
        measure("GE RDF 9", writeGe(folder, events));  // lists that are written lie in memory before
        measure("GATE ROOT", writeGate(folder), {false, folder + "/gate.json"});
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "%s\n", fault.what());
        return 1;
    }
    return 0;
}
