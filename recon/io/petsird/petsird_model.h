// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof {

/// The records of PETSIRD 0.10 that a list of coincidences needs, as yardl describes a protocol; line ends
/// do not belong to it.
inline constexpr const char* kPetsirdModel =
    R"({"protocol":{"name":"PETSIRD","sequence":[{"name":"header","type":"PETSIRD.Header"},
{"name":"timeBlocks","type":{"stream":{"items":"PETSIRD.TimeBlock"}}}]},"types":[
{"name":"Atom","fields":[{"name":"massNumber","type":"uint32"},{"name":"atomicNumber","type":"uint32"}]},
{"name":"BedMovementTimeBlock","fields":[{"name":"timeInterval","type":"PETSIRD.TimeInterval"},
{"name":"transform","type":"PETSIRD.RigidTransformation"}]},
{"name":"BinEdges","fields":[{"name":"edges","type":{"array":{"items":"float32","dimensions":1}}}]},
{"name":"BoxShape","fields":[{"name":"corners","type":{"vector":{"items":"PETSIRD.Coordinate","length":8}}}]},
{"name":"BoxSolidVolume","type":{"name":"PETSIRD.SolidVolume","typeArguments":["PETSIRD.BoxShape"]}},
{"name":"BulkMaterial","fields":[{"name":"id","type":"uint32"},{"name":"name","type":"string"},
{"name":"density","type":"float32"},{"name":"atoms","type":{"vector":{"items":"PETSIRD.Atom"}}},
{"name":"massFractions","type":{"vector":{"items":"float32"}}}]},
{"name":"CoincidenceEvent","fields":[{"name":"detectionBins","type":{"vector":{"items":"uint32","length":2}}},
{"name":"tofIdx","type":"uint32"}]},
{"name":"CoincidencePolicy","values":[{"symbol":"none","value":0},{"symbol":"rejectHigherMultiples","value":1},
{"symbol":"multiplesAsAllCoincidences","value":2},{"symbol":"multiplesAsSequentialCoincidences","value":3},
{"symbol":"other","value":4}]},
{"name":"Coordinate","fields":[{"name":"c","type":{"array":{"items":"float32","dimensions":[{"length":3}]}}}]},
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
{"name":"promptEvents","type":"PETSIRD.ListOfCoincidences"},
{"name":"delayedEvents","type":"PETSIRD.ListOfCoincidences"}]},
{"name":"Header","fields":[{"name":"scanner","type":"PETSIRD.ScannerInformation"}]},
{"name":"ListOfCoincidences","type":{"name":"PETSIRD.LowerTriangularMatrix","typeArguments":[
{"vector":{"items":"PETSIRD.CoincidenceEvent"}}]}},
{"name":"LowerTriangularMatrix","typeParameters":["T"],"type":{"vector":{"items":{"vector":{"items":"T"}}}}},
{"name":"ModulePairEfficiencies","fields":[{"name":"values","type":{"vector":{"items":{"vector":{
"items":"float32"}}}}},{"name":"sgid","type":"int32"}]},
{"name":"ReplicatedObject","typeParameters":["T"],"fields":[{"name":"object","type":"T"},
{"name":"transforms","type":{"vector":{"items":"PETSIRD.RigidTransformation"}}}]},
{"name":"RigidTransformation","fields":[{"name":"matrix","type":{"array":{"items":"float32",
"dimensions":[{"length":3},{"length":4}]}}}]},
{"name":"ScannerGeometry","fields":[{"name":"replicatedModules","type":{"vector":{"items":{
"name":"PETSIRD.ReplicatedObject","typeArguments":["PETSIRD.DetectorModule"]}}}}]},
{"name":"ScannerInformation","fields":[{"name":"modelName","type":"string"},
{"name":"scannerGeometry","type":"PETSIRD.ScannerGeometry"},
{"name":"bulkMaterials","type":{"vector":{"items":"PETSIRD.BulkMaterial"}}},
{"name":"gantryAlignment","type":[null,"PETSIRD.RigidTransformation"]},
{"name":"tofBinEdges","type":{"name":"PETSIRD.LowerTriangularMatrix","typeArguments":["PETSIRD.BinEdges"]}},
{"name":"tofResolution","type":{"name":"PETSIRD.LowerTriangularMatrix","typeArguments":["float32"]}},
{"name":"eventEnergyBinEdges","type":{"vector":{"items":"PETSIRD.BinEdges"}}},
{"name":"energyResolutionAt511","type":{"vector":{"items":"float32"}}},
{"name":"promptEventPolicy","type":"PETSIRD.CoincidencePolicy"},
{"name":"delayedEventPolicy","type":"PETSIRD.CoincidencePolicy"},
{"name":"detectionEfficiencies","type":"PETSIRD.DetectionEfficiencies"}]},
{"name":"SolidVolume","typeParameters":["Shape"],"fields":[{"name":"shape","type":"Shape"},
{"name":"materialId","type":"uint32"}]},
{"name":"TimeBlock","type":[{"tag":"EventTimeBlock","type":"PETSIRD.EventTimeBlock"},
{"tag":"BedMovementTimeBlock","type":"PETSIRD.BedMovementTimeBlock"}]},
{"name":"TimeInterval","fields":[{"name":"start","type":"uint32"},{"name":"stop","type":"uint32"}]}]})";

}  // namespace tof
