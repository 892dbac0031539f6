// SPDX-License-Identifier: Apache-2.0
// Lists of PETSIRD 0.9 in yardl's binary encoding, of a scanner whose modules are alike.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "recon/scanner/scanner.h"

namespace tof::test {

/// The types of PETSIRD 0.9 that a list without patient needs, as yardl writes schemas.
inline const char* const kPetsirdSchema = R"({"protocol":{"name":"PETSIRD","sequence":[
{"name":"header","type":"PETSIRD.Header"},
{"name":"timeBlocks","type":{"stream":{"items":"PETSIRD.TimeBlock"}}}]},"types":[
{"name":"BinEdges","fields":[{"name":"edges","type":{"array":{"items":"float32","dimensions":1}}}]},
{"name":"BoxShape","fields":[{"name":"corners","type":{"vector":{"items":"PETSIRD.Coordinate","length":8}}}]},
{"name":"BoxSolidVolume","type":{"name":"PETSIRD.SolidVolume","typeArguments":["PETSIRD.BoxShape"]}},
{"name":"CoincidenceEvent","fields":[{"name":"detectionBins","type":{"vector":{"items":"PETSIRD.DetectionBin","length":2}}},
 {"name":"tofIdx","type":"uint32"}]},
{"name":"Coordinate","fields":[{"name":"c","type":{"array":{"items":"float32","dimensions":[{"length":3}]}}}]},
{"name":"DetectionBin","type":"uint32"},
{"name":"DetectionEfficiencies","fields":[{"name":"methodDescription","type":"string"},
 {"name":"calibrationFactor","type":"float32"},
 {"name":"detectionBinEfficiencies","type":{"vector":{"items":{"vector":{"items":"float32"}}}}},
 {"name":"modulePairSGIDLUT","type":{"name":"PETSIRD.LowerTriangularMatrix","typeArguments":[
  {"vector":{"items":{"vector":{"items":"int32"}}}}]}},
 {"name":"modulePairEfficienciesVectors","type":{"name":"PETSIRD.LowerTriangularMatrix","typeArguments":[
  {"vector":{"items":"PETSIRD.ModulePairEfficiencies"}}]}}]},
{"name":"DetectorModule","fields":[{"name":"detectingElements","type":{"name":"PETSIRD.ReplicatedObject",
  "typeArguments":["PETSIRD.BoxSolidVolume"]}}]},
{"name":"EventTimeBlock","fields":[{"name":"timeInterval","type":"PETSIRD.TimeInterval"},
 {"name":"singleEvents","type":{"vector":{"items":{"vector":{"items":"uint64"}}}}},
 {"name":"promptEvents","type":{"name":"PETSIRD.LowerTriangularMatrix","typeArguments":[
  {"vector":{"items":"PETSIRD.CoincidenceEvent"}}]}},
 {"name":"delayedEvents","type":{"name":"PETSIRD.LowerTriangularMatrix","typeArguments":[
  {"vector":{"items":"PETSIRD.CoincidenceEvent"}}]}}]},
{"name":"ExternalSignalTimeBlock","fields":[{"name":"timeInterval","type":"PETSIRD.TimeInterval"},
 {"name":"signalID","type":"uint32"},{"name":"signalValues","type":{"vector":{"items":"float32"}}}]},
{"name":"Header","fields":[{"name":"scanner","type":"PETSIRD.ScannerInformation"},
 {"name":"exam","type":[null,"string"]}]},
{"name":"LowerTriangularMatrix","typeParameters":["T"],"type":{"vector":{"items":{"vector":{"items":"T"}}}}},
{"name":"ModulePairEfficiencies","fields":[{"name":"values","type":{"vector":{"items":{"vector":{"items":"float32"}}}}},
 {"name":"sgid","type":"int32"}]},
{"name":"Policy","values":[{"symbol":"none","value":0},{"symbol":"other","value":1}]},
{"name":"ReplicatedObject","typeParameters":["T"],"fields":[{"name":"object","type":"T"},
 {"name":"transforms","type":{"vector":{"items":"PETSIRD.RigidTransformation"}}}]},
{"name":"RigidTransformation","fields":[{"name":"matrix","type":{"array":{"items":"float32",
  "dimensions":[{"length":3},{"length":4}]}}}]},
{"name":"ScannerGeometry","fields":[{"name":"replicatedModules","type":{"vector":{"items":{
  "name":"PETSIRD.ReplicatedObject","typeArguments":["PETSIRD.DetectorModule"]}}}}]},
{"name":"ScannerInformation","fields":[{"name":"modelName","type":"string"},
 {"name":"scannerGeometry","type":"PETSIRD.ScannerGeometry"},
 {"name":"gantryAlignment","type":[null,"PETSIRD.RigidTransformation"]},
 {"name":"tofBinEdges","type":{"name":"PETSIRD.LowerTriangularMatrix","typeArguments":["PETSIRD.BinEdges"]}},
 {"name":"tofResolution","type":{"name":"PETSIRD.LowerTriangularMatrix","typeArguments":["float32"]}},
 {"name":"eventEnergyBinEdges","type":{"vector":{"items":"PETSIRD.BinEdges"}}},
 {"name":"promptEventPolicy","type":"PETSIRD.Policy"},
 {"name":"detectionEfficiencies","type":"PETSIRD.DetectionEfficiencies"}]},
{"name":"SolidVolume","typeParameters":["Shape"],"fields":[{"name":"shape","type":"Shape"},
 {"name":"materialId","type":"uint32"}]},
{"name":"TimeBlock","type":[{"tag":"EventTimeBlock","type":"PETSIRD.EventTimeBlock"},
 {"tag":"ExternalSignalTimeBlock","type":"PETSIRD.ExternalSignalTimeBlock"}]},
{"name":"TimeInterval","fields":[{"name":"start","type":"uint32"},{"name":"stop","type":"uint32"}]}]})";

class PetsirdWriter {
  public:
    struct Event {
        std::array<std::uint32_t, 2> bins;
        std::uint32_t time;
    };
    /// Every module is at its azimuth what `at0` is at azimuth 0: places of its elements' fronts.
    struct Ring {
        std::vector<Vec3> at0;
        std::vector<double> azimuths;
        std::array<double, 3> size_mm{};  ///< transaxial, axial, depth
        std::vector<float> timeEdges_mm;
        float fwhm_mm = 15;
        std::vector<float> energyEdges{400, 650};
        float calibration = 1;
        std::vector<float> efficiencies;
        std::vector<std::vector<int>> groups;
        std::vector<std::vector<float>> groupValues;  ///< those of group 0
    };

    std::string bytes;

    explicit PetsirdWriter(const Ring& ring, const std::string& schema = kPetsirdSchema) {
        bytes = std::string("yardl\1\0\0\0", 9);
        text(schema);
        text("test ring");
        number(1);
        for (int corner = 0; corner < 8; ++corner) {  // in no special order
            const int mixed = corner * 3 % 8;
            floats({static_cast<float>((mixed & 1) * ring.size_mm[2]),
                    static_cast<float>(((mixed >> 1 & 1) - 0.5) * ring.size_mm[0]),
                    static_cast<float>(((mixed >> 2 & 1) - 0.5) * ring.size_mm[1])});
        }
        number(7);
        number(ring.at0.size());
        for (const Vec3& at : ring.at0) {
            rigid(0, at);
        }
        number(ring.azimuths.size());
        for (const double azimuth : ring.azimuths) {
            rigid(azimuth, {});
        }
        number(0);  // no alignment
        number(1);
        number(1);
        counted(ring.timeEdges_mm);
        number(1);
        number(1);
        floats({ring.fwhm_mm});
        number(1);
        counted(ring.energyEdges);
        number(2);  // policy 1, zigzag
        text("made up");
        floats({ring.calibration});
        number(ring.efficiencies.empty() ? 0 : 1);
        if (!ring.efficiencies.empty()) {
            counted(ring.efficiencies);
        }
        addGroups(ring);
        number(1);  // an exam
        text("nobody");
    }

    void block(std::uint32_t start, std::uint32_t stop, const std::vector<Event>& prompts,
               const std::vector<Event>& delayeds) {
        number(1);  // blocks at a time
        number(0);
        number(start);
        number(stop);
        number(0);  // singles
        for (const auto* list : {&prompts, &delayeds}) {
            number(1);
            number(1);
            number(list->size());
            for (const Event& event : *list) {
                number(event.bins[0]);
                number(event.bins[1]);
                number(event.time);
            }
        }
    }
    void signal() {
        number(1);
        number(1);
        number(3);
        number(4);
        number(300);
        counted({1.5F, 2.5F});
    }
    void end() { number(0); }

  private:
    void number(std::uint64_t value) {
        for (; value >= 128; value >>= 7U) {
            bytes += static_cast<char>(value | 128U);
        }
        bytes += static_cast<char>(value);
    }
    void text(const std::string& text) {
        number(text.size());
        bytes += text;
    }
    void floats(const std::vector<float>& values) {
        for (const float value : values) {
            std::array<char, 4> raw{};
            std::memcpy(raw.data(), &value, 4);
            bytes.append(raw.data(), 4);
        }
    }
    void counted(const std::vector<float>& values) {
        number(values.size());
        floats(values);
    }
    void rigid(double turn, Vec3 shift) {
        const auto c = static_cast<float>(std::cos(turn));
        const auto s = static_cast<float>(std::sin(turn));
        floats({c, -s, 0, static_cast<float>(shift.x), s, c, 0, static_cast<float>(shift.y), 0, 0, 1,
                static_cast<float>(shift.z)});
    }
    void addGroups(const Ring& ring) {
        for (const bool values : {false, true}) {
            number(ring.groups.empty() ? 0 : 1);
            if (ring.groups.empty()) {
                continue;
            }
            number(1);
            if (values) {
                number(1);
                number(ring.groupValues.size());
                for (const auto& row : ring.groupValues) {
                    counted(row);
                }
                number(0);
                continue;
            }
            number(ring.groups.size());
            for (const auto& row : ring.groups) {
                number(row.size());
                for (const int group : row) {
                    number(group < 0 ? static_cast<std::uint64_t>(-2 * group - 1)
                                     : static_cast<std::uint64_t>(2 * group));
                }
            }
        }
    }
};

/// The ring of tests/support/gate_lists.h: 24 modules of 9 x 8 crystals from azimuth 7 degrees on, 150 mm
/// from the axis.
inline PetsirdWriter::Ring petsirdRing() {
    PetsirdWriter::Ring ring;
    for (int row = 0; row < 8; ++row) {
        for (int column = 0; column < 9; ++column) {
            ring.at0.push_back({150, 4.0 * (column - 4), 4.2 * (row - 3.5)});
        }
    }
    for (int module = 0; module < 24; ++module) {
        ring.azimuths.push_back((7 + 15 * module) * 3.14159265358979 / 180);
    }
    ring.size_mm = {3.9, 4.1, 12};
    for (int edge = -40; edge <= 40; ++edge) {
        ring.timeEdges_mm.push_back(3.0F * static_cast<float>(edge));
    }
    return ring;
}

}  // namespace tof::test
