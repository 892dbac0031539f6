// SPDX-License-Identifier: Apache-2.0
// Lists of PETSIRD in HDF5, laid out as the C++ structures of yardl's writer lie in memory.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/petsird_writer.h"

namespace tof::test {

/// The types of petsird_writer.h, with an exam that has every kind of value that those lack.
inline std::string petsirdHdf5Schema() {
    std::string schema = kPetsirdSchema;
    const std::string exam = "\"exam\",\"type\":[null,\"string\"]";
    schema.replace(schema.find(exam), exam.size(), "\"exam\",\"type\":[null,\"PETSIRD.Exam\"]");
    const std::string header = "{\"name\":\"Header\"";
    schema.insert(schema.find(header), R"({"name":"Exam","fields":[{"name":"shape","type":[null,
{"tag":"Name","type":"string"},{"tag":"Number","type":"uint32"}]},
{"name":"grid","type":{"array":{"items":"int16","dimensions":2}}},
{"name":"any","type":{"array":{"items":"float64"}}},{"name":"start","type":"datetime"}]},
)");
    return schema;
}

class PetsirdHdf5Writer {
  public:
    using Event = PetsirdWriter::Event;

    PetsirdHdf5Writer(const std::string& path, const PetsirdWriter::Ring& ring,
                      const std::string& schema = petsirdHdf5Schema())
        : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)),
          group_(H5Gcreate2(file_, "PETSIRD", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)) {
        const std::uint32_t version = 1;
        const hid_t scalar = keep(H5Screate(H5S_SCALAR), H5Sclose);
        const hid_t attribute = keep(
            H5Acreate2(group_, "$yardl_format_version", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose);
        H5Awrite(attribute, H5T_NATIVE_UINT32, &version);
        const char* text = schema.c_str();
        const hid_t told =
            keep(H5Dcreate2(group_, "$yardl_schema", texts(), scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                 H5Dclose);
        H5Dwrite(told, texts(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &text);
        writeHeader(ring, scalar);
        blocks_ = keep(H5Gcreate2(group_, "timeBlocks", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    }
    ~PetsirdHdf5Writer() {
        for (auto one = ids_.rbegin(); one != ids_.rend(); ++one) {
            one->second(one->first);
        }
        H5Gclose(group_);
        H5Fclose(file_);
    }
    PetsirdHdf5Writer(const PetsirdHdf5Writer&) = delete;
    PetsirdHdf5Writer& operator=(const PetsirdHdf5Writer&) = delete;

    void block(std::uint32_t start, std::uint32_t stop, const std::vector<Event>& prompts,
               const std::vector<Event>& delayeds) {
        const hid_t number = H5T_NATIVE_UINT32;
        const hid_t interval = intervals();
        const hid_t event = record(sizeof(Event), {{"detectionBins", offsetof(Event, bins), array(number, 2)},
                                                   {"tofIdx", offsetof(Event, time), number}});
        const hid_t events = lists(lists(lists(event)));
        const hid_t type =
            record(sizeof(EventBlock),
                   {{"timeInterval", offsetof(EventBlock, interval), interval},
                    {"singleEvents", offsetof(EventBlock, singles), lists(lists(H5T_NATIVE_UINT64))},
                    {"promptEvents", offsetof(EventBlock, prompts), events},
                    {"delayedEvents", offsetof(EventBlock, delayeds), events}});
        const auto triangle = [&](const std::vector<Event>& list) {
            return listOf(std::vector{listOf(std::vector{listOf(list)})});
        };
        append("EventTimeBlock", 0, type,
               EventBlock{{start, stop}, {}, triangle(prompts), triangle(delayeds)});
    }
    void signal() {
        const hid_t type =
            record(sizeof(Signal), {{"timeInterval", offsetof(Signal, interval), intervals()},
                                    {"signalID", offsetof(Signal, id), H5T_NATIVE_UINT32},
                                    {"signalValues", offsetof(Signal, values), lists(H5T_NATIVE_FLOAT)}});
        append("ExternalSignalTimeBlock", 1, type, Signal{{3, 4}, 300, listOf(std::vector{1.5F, 2.5F})});
    }
    void end() {
        const hid_t names = keep(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
        for (std::int8_t one = 0; one < 2; ++one) {
            H5Tenum_insert(names, one == 0 ? "EventTimeBlock" : "ExternalSignalTimeBlock", &one);
        }
        const hid_t type = record(sizeof(Index), {{"type", offsetof(Index, one), names},
                                                  {"offset", offsetof(Index, offset), H5T_NATIVE_UINT64}});
        write("$index", type, index_.size(), index_.data());
        for (const auto& [name, rows] : rows_) {
            write(name, rows.type, rows.count, rows.bytes.data());
        }
    }
    /// Names a row of blocks that is not there.
    void nameRow(std::uint64_t offset) { index_.push_back({0, offset}); }

  private:
    struct Interval {
        std::uint32_t start, stop;
    };
    struct EventBlock {
        Interval interval;
        hvl_t singles, prompts, delayeds;
    };
    struct Signal {
        Interval interval;
        std::uint32_t id;
        hvl_t values;
    };
    struct Index {
        std::int8_t one;
        std::uint64_t offset;
    };
    struct Box {
        std::array<std::array<float, 3>, 8> corners;
        std::uint32_t material;
    };
    using Rigid = std::array<float, 12>;
    struct Elements {
        Box object;
        hvl_t transforms;
    };
    struct Modules {
        Elements object;
        hvl_t transforms;
    };
    struct MaybeRigid {
        Rigid value;
        bool there;
    };
    struct PairEfficiencies {
        hvl_t values;
        std::int32_t group;
    };
    struct Efficiencies {
        const char* method;
        float calibration;
        hvl_t bins, groups, pairs;
    };
    struct ScannerRecord {
        const char* model;
        hvl_t modules;
        MaybeRigid alignment;
        hvl_t timeEdges, resolutions, energyEdges;
        std::int32_t policy;
        Efficiencies efficiencies;
    };
    struct Exam {
        std::int8_t one;
        const char* name;
        std::uint32_t number;
        std::array<std::uint64_t, 2> sizes;
        hvl_t grid, dimensions, any;
        std::int64_t start;
    };
    struct Header {
        ScannerRecord scanner;
        Exam exam;
        bool hasExam;
    };
    struct Field {
        const char* name;
        std::size_t offset;
        hid_t type;
    };
    struct Rows {
        hid_t type;
        std::size_t count = 0;
        std::vector<std::byte> bytes;
    };

    hid_t keep(hid_t id, herr_t (*close)(hid_t)) {
        ids_.emplace_back(id, close);
        return id;
    }
    hid_t lists(hid_t items) { return keep(H5Tvlen_create(items), H5Tclose); }
    hid_t array(hid_t items, hsize_t count) { return keep(H5Tarray_create2(items, 1, &count), H5Tclose); }
    hid_t record(std::size_t size, const std::vector<Field>& fields) {
        const hid_t type = keep(H5Tcreate(H5T_COMPOUND, size), H5Tclose);
        for (const Field& field : fields) {
            H5Tinsert(type, field.name, field.offset, field.type);
        }
        return type;
    }
    hid_t texts() {
        const hid_t type = keep(H5Tcopy(H5T_C_S1), H5Tclose);
        H5Tset_size(type, H5T_VARIABLE);
        H5Tset_cset(type, H5T_CSET_UTF8);
        return type;
    }
    hid_t intervals() {
        return record(sizeof(Interval), {{"start", offsetof(Interval, start), H5T_NATIVE_UINT32},
                                         {"stop", offsetof(Interval, stop), H5T_NATIVE_UINT32}});
    }
    template <class T>
    hvl_t listOf(const std::vector<T>& items) {
        const auto held = std::make_shared<std::vector<T>>(items);
        lists_.push_back(held);
        return {held->size(), held->data()};
    }
    template <class T>
    hvl_t rowsOf(const std::vector<std::vector<T>>& rows) {
        std::vector<hvl_t> all;
        for (const auto& row : rows) {
            all.push_back(listOf(row));
        }
        return listOf(all);
    }
    template <class T>
    void append(const std::string& name, std::int8_t one, hid_t type, const T& value) {
        Rows& rows = rows_.try_emplace(name, Rows{type, 0, {}}).first->second;
        index_.push_back({one, rows.count++});
        const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
        rows.bytes.insert(rows.bytes.end(), bytes, bytes + sizeof(T));
    }
    void write(const std::string& name, hid_t type, hsize_t rows, const void* values) {
        const hsize_t most = H5S_UNLIMITED;
        const hsize_t chunk = 16;
        const hid_t space = keep(H5Screate_simple(1, &rows, &most), H5Sclose);
        const hid_t layout = keep(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_chunk(layout, 1, &chunk);
        const hid_t set =
            keep(H5Dcreate2(blocks_, name.c_str(), type, space, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    }
    static Rigid rigid(double turn, Vec3 shift) {
        const auto c = static_cast<float>(std::cos(turn));
        const auto s = static_cast<float>(std::sin(turn));
        return {c, -s, 0, static_cast<float>(shift.x), s, c, 0, static_cast<float>(shift.y),
                0, 0,  1, static_cast<float>(shift.z)};
    }
    hid_t transformed(std::size_t size, hid_t object, std::size_t transforms) {
        const std::array<hsize_t, 2> sides{3, 4};
        const hid_t matrix = keep(H5Tarray_create2(H5T_NATIVE_FLOAT, 2, sides.data()), H5Tclose);
        return record(size,
                      {{"object", 0, object},
                       {"transforms", transforms, lists(record(sizeof(Rigid), {{"matrix", 0, matrix}}))}});
    }
    hvl_t modulesOf(const PetsirdWriter::Ring& ring) {
        Box box{};
        for (int corner = 0; corner < 8; ++corner) {
            const auto edge = [](double size, int bit, double shift) {
                return static_cast<float>((bit - shift) * size);
            };
            box.corners[static_cast<std::size_t>(corner)] = {edge(ring.size_mm[2], corner & 1, 0),
                                                             edge(ring.size_mm[0], corner >> 1 & 1, 0.5),
                                                             edge(ring.size_mm[1], corner >> 2 & 1, 0.5)};
        }
        std::vector<Rigid> elements;
        for (const Vec3& at : ring.at0) {
            elements.push_back(rigid(0, at));
        }
        std::vector<Rigid> modules;
        for (const double azimuth : ring.azimuths) {
            modules.push_back(rigid(azimuth, {}));
        }
        return listOf(std::vector{Modules{{box, listOf(elements)}, listOf(modules)}});
    }
    hid_t moduleType() {
        const hid_t corner = record(12, {{"c", 0, array(H5T_NATIVE_FLOAT, 3)}});
        const hid_t shape = record(sizeof(Box::corners), {{"corners", 0, array(corner, 8)}});
        const hid_t box = record(
            sizeof(Box), {{"shape", 0, shape}, {"materialId", offsetof(Box, material), H5T_NATIVE_UINT32}});
        const hid_t elements = transformed(sizeof(Elements), box, offsetof(Elements, transforms));
        const hid_t object = record(sizeof(Elements), {{"detectingElements", 0, elements}});
        return transformed(sizeof(Modules), object, offsetof(Modules, transforms));
    }
    hid_t efficienciesType() {
        const hid_t pair =
            record(sizeof(PairEfficiencies), {{"values", 0, lists(lists(H5T_NATIVE_FLOAT))},
                                              {"sgid", offsetof(PairEfficiencies, group), H5T_NATIVE_INT32}});
        return record(
            sizeof(Efficiencies),
            {{"methodDescription", 0, texts()},
             {"calibrationFactor", offsetof(Efficiencies, calibration), H5T_NATIVE_FLOAT},
             {"detectionBinEfficiencies", offsetof(Efficiencies, bins), lists(lists(H5T_NATIVE_FLOAT))},
             {"modulePairSGIDLUT", offsetof(Efficiencies, groups),
              lists(lists(lists(lists(H5T_NATIVE_INT32))))},
             {"modulePairEfficienciesVectors", offsetof(Efficiencies, pairs), lists(lists(lists(pair)))}});
    }
    hid_t examType() {
        const hid_t names = keep(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
        std::int8_t one = -1;
        for (const char* name : {"null", "Name", "Number"}) {
            H5Tenum_insert(names, name, &one);
            ++one;
        }
        const std::size_t start = offsetof(Exam, one);
        const hid_t shape =
            record(offsetof(Exam, sizes), {{"$type", start, names},
                                           {"Name", offsetof(Exam, name), texts()},
                                           {"Number", offsetof(Exam, number), H5T_NATIVE_UINT32}});
        const std::size_t grid = offsetof(Exam, grid) - offsetof(Exam, sizes);
        const std::size_t any = offsetof(Exam, any) - offsetof(Exam, dimensions);
        return record(sizeof(Exam),
                      {{"shape", 0, shape},
                       {"grid", offsetof(Exam, sizes),
                        record(grid + sizeof(hvl_t), {{"dimensions", 0, array(H5T_NATIVE_UINT64, 2)},
                                                      {"data", grid, lists(H5T_NATIVE_INT16)}})},
                       {"any", offsetof(Exam, dimensions),
                        record(any + sizeof(hvl_t), {{"dimensions", 0, lists(H5T_NATIVE_UINT64)},
                                                     {"data", any, lists(H5T_NATIVE_DOUBLE)}})},
                       {"start", offsetof(Exam, start), H5T_NATIVE_INT64}});
    }
    hid_t scannerType() {
        const hid_t rigid = [&] {
            const std::array<hsize_t, 2> sides{3, 4};
            return record(
                sizeof(Rigid),
                {{"matrix", 0, keep(H5Tarray_create2(H5T_NATIVE_FLOAT, 2, sides.data()), H5Tclose)}});
        }();
        const hid_t alignment =
            record(sizeof(MaybeRigid), {{"has_value", offsetof(MaybeRigid, there), H5T_NATIVE_HBOOL},
                                        {"value", offsetof(MaybeRigid, value), rigid}});
        const hid_t edges = record(sizeof(hvl_t), {{"edges", 0, lists(H5T_NATIVE_FLOAT)}});
        const hid_t policy = keep(H5Tenum_create(H5T_NATIVE_INT32), H5Tclose);
        for (std::int32_t value = 0; value < 2; ++value) {
            H5Tenum_insert(policy, value == 0 ? "none" : "other", &value);
        }
        const hid_t geometry = record(sizeof(hvl_t), {{"replicatedModules", 0, lists(moduleType())}});
        using S = ScannerRecord;
        return record(sizeof(S), {{"modelName", offsetof(S, model), texts()},
                                  {"scannerGeometry", offsetof(S, modules), geometry},
                                  {"gantryAlignment", offsetof(S, alignment), alignment},
                                  {"tofBinEdges", offsetof(S, timeEdges), lists(lists(edges))},
                                  {"tofResolution", offsetof(S, resolutions), lists(lists(H5T_NATIVE_FLOAT))},
                                  {"eventEnergyBinEdges", offsetof(S, energyEdges), lists(edges)},
                                  {"promptEventPolicy", offsetof(S, policy), policy},
                                  {"detectionEfficiencies", offsetof(S, efficiencies), efficienciesType()}});
    }
    void writeHeader(const PetsirdWriter::Ring& ring, hid_t scalar) {
        Header header{};
        header.scanner = {"test ring",
                          modulesOf(ring),
                          {},
                          rowsOf(std::vector<std::vector<hvl_t>>{{listOf(ring.timeEdges_mm)}}),
                          rowsOf(std::vector<std::vector<float>>{{ring.fwhm_mm}}),
                          listOf(std::vector{listOf(ring.energyEdges)}),
                          1,
                          {"made up", ring.calibration, {}, {}, {}}};
        Efficiencies& told = header.scanner.efficiencies;
        if (!ring.efficiencies.empty()) {
            told.bins = listOf(std::vector{listOf(ring.efficiencies)});
        }
        if (!ring.groups.empty()) {
            told.groups = listOf(std::vector{listOf(std::vector{rowsOf(ring.groups)})});
            told.pairs = listOf(std::vector{
                listOf(std::vector{listOf(std::vector{PairEfficiencies{rowsOf(ring.groupValues), 0}})})});
        }
        header.exam = {1,
                       nullptr,
                       77,
                       {2, 3},
                       listOf(std::vector<std::int16_t>{1, -2, 3, -4, 5, -6}),
                       listOf(std::vector<std::uint64_t>{1, 2}),
                       listOf(std::vector{0.25, -8.0}),
                       -1234567890123456789};
        header.hasExam = true;
        const std::size_t at = offsetof(Header, exam);
        const hid_t exam = record(
            offsetof(Header, hasExam) - at + 8,
            {{"has_value", offsetof(Header, hasExam) - at, H5T_NATIVE_HBOOL}, {"value", 0, examType()}});
        const hid_t type = record(sizeof(Header), {{"scanner", 0, scannerType()}, {"exam", at, exam}});
        const hid_t set =
            keep(H5Dcreate2(group_, "header", type, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &header);
    }

    std::vector<std::pair<hid_t, herr_t (*)(hid_t)>> ids_;
    hid_t file_;
    hid_t group_;
    hid_t blocks_ = -1;
    std::deque<std::shared_ptr<void>> lists_;
    std::map<std::string, Rows> rows_;
    std::vector<Index> index_;
};

}  // namespace tof::test
