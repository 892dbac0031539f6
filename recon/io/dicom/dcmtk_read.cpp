// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/dcmtk_groups.h"
#include "recon/io/dicom/dcmtk_pixels.h"
#include "recon/io/dicom/dicom_slices.h"

namespace tof {

namespace {

/// When the dose was given: with its date where that is stated, else on the day of the series.
void readInjection(DicomObject& object, DcmItem& drug, const std::string& seriesDate, UptakeFacts& facts) {
    const std::string whole = DicomObject::text(drug, DCM_RadiopharmaceuticalStartDateTime);
    if (whole.size() >= 12) {
        facts.injection_s = object.moment(whole);
        facts.injection = InjectionTime::Dated;
        return;
    }
    facts.injection_s = dicomMoment(seriesDate, DicomObject::text(drug, DCM_RadiopharmaceuticalStartTime));
}

/// The nuclide of the code. Names of drugs are typed by hand and stay from other scans: they fill in for a
/// half life that is not stated, and contradict none.
const Nuclide* nuclideOf(DcmItem& drug, double halfLife_s) {
    DcmItem* code = nullptr;
    if (drug.findAndGetSequenceItem(DCM_RadionuclideCodeSequence, code).good() && code != nullptr) {
        const Nuclide* const coded = nuclideIn(DicomObject::text(*code, DCM_CodeValue));
        return coded != nullptr ? coded : nuclideIn(DicomObject::text(*code, DCM_CodeMeaning));
    }
    return halfLife_s == 0 ? nuclideIn(DicomObject::text(drug, DCM_Radiopharmaceutical)) : nullptr;
}

void readUptake(DicomObject& object, DicomSlice& slice) {
    UptakeFacts& facts = slice.uptake;
    facts.units = slice.units;
    facts.correction = object.text(DCM_DecayCorrection);
    facts.weight_kg = object.number(DCM_PatientWeight, "Patient's Weight", 0);
    facts.height_m = object.number(DCM_PatientSize, "Patient's Size", 0);
    facts.sex = object.text(DCM_PatientSex);
    slice.suvType = object.text(DCM_SUVType);
    const std::string date = object.text(DCM_SeriesDate);
    slice.seriesStart_s = dicomMoment(date, object.text(DCM_SeriesTime));
    slice.acquisition_s = dicomMoment(object.text(DCM_AcquisitionDate), object.text(DCM_AcquisitionTime));
    slice.frame_s = 1e-3 * object.number(DCM_ActualFrameDuration, "Actual Frame Duration", 0);
    DcmItem* drug = nullptr;
    if (object.dataset().findAndGetSequenceItem(DCM_RadiopharmaceuticalInformationSequence, drug).bad() ||
        drug == nullptr) {
        return;
    }
    const auto first = [&](const DcmTagKey& key, const char* name) {
        const std::vector<double> values = object.numbers(*drug, key, name);
        return values.empty() ? 0.0 : values.front();
    };
    facts.dose_Bq = first(DCM_RadionuclideTotalDose, "Radionuclide Total Dose");
    facts.halfLife_s = first(DCM_RadionuclideHalfLife, "Radionuclide Half Life");
    facts.nuclide = nuclideOf(*drug, facts.halfLife_s);
    readInjection(object, *drug, date, facts);
}

/// Philips stores counts and says in private elements what one is: a scale to SUV and one to Bq/ml.
void readPhilips(DicomObject& object, DicomSlice& slice) {
    constexpr Uint16 kGroup = 0x7053;
    for (Uint16 block = 0x10; block <= 0xFF && slice.units == "CNTS"; ++block) {
        if (!object.text(DcmTagKey(kGroup, block)).starts_with("Philips PET")) {
            continue;
        }
        const auto of = [&](Uint16 element) {
            return DcmTagKey(kGroup, static_cast<Uint16>(block << 8U | element));
        };
        slice.suvPerCount = object.number(of(0x00), "SUV Scale Factor (7053,xx00)", 0);
        slice.bqMlPerCount = object.number(of(0x09), "Activity Concentration Scale Factor (7053,xx09)", 0);
        if (slice.suvPerCount < 0 || slice.bqMlPerCount < 0) {
            object.fail("Activity Concentration Scale Factor (7053,xx09)",
                        "or that of SUV is below zero; correct it");
        }
        break;
    }
    if (slice.bqMlPerCount > 0) {
        slice.slope *= slice.bqMlPerCount;
        slice.intercept *= slice.bqMlPerCount;
        slice.uptake.units = "BQML";
    }
}

/// PET must state a slope, CT both: in neither can 1 or 0 be meant where they are missing.
void readScale(DicomObject& object, DcmItem& item, DicomSlice& slice) {
    const bool isPet = slice.modality == "PT";
    slice.slope = object.needed<1>(item, DCM_RescaleSlope, "Rescale Slope").front();
    if (slice.slope == 0 || (isPet && slice.slope < 0)) {
        object.fail("Rescale Slope",
                    fmt::format("is {:g}, which leaves no values; export the series again", slice.slope));
    }
    const std::vector<double> intercept = object.numbers(item, DCM_RescaleIntercept, "Rescale Intercept");
    slice.intercept = isPet ? (intercept.empty() ? 0.0 : intercept.front())
                            : object.needed<1>(item, DCM_RescaleIntercept, "Rescale Intercept").front();
}

/// Times and numbers by which images of one place follow each other in a dynamic or gated series.
std::vector<double> orderOf(DicomObject& object, const DicomSlice& slice) {
    return {object.number(DCM_FrameReferenceTime, "Frame Reference Time", 0),
            object.number(DCM_TemporalPositionIdentifier, "Temporal Position Identifier", 0),
            object.number(DCM_TriggerTime, "Trigger Time", 0), slice.acquisition_s.value_or(0),
            object.number(DCM_InstanceNumber, "Instance Number", 0)};
}

constexpr std::array kCtClasses{UID_CTImageStorage, UID_EnhancedCTImageStorage,
                                UID_LegacyConvertedEnhancedCTImageStorage};
constexpr std::array kPetClasses{UID_PositronEmissionTomographyImageStorage, UID_EnhancedPETImageStorage,
                                 UID_LegacyConvertedEnhancedPETImageStorage};

/// What an object is that is no image of PET or CT; empty for one.
std::string otherObject(const std::string& kind, DicomObject& object) {
    const auto same = [&](const char* uid) { return kind == uid; };
    if (std::any_of(kCtClasses.begin(), kCtClasses.end(), same) ||
        std::any_of(kPetClasses.begin(), kPetClasses.end(), same)) {
        return "";
    }
    if (kind.empty()) {
        return "an object that does not say of what class it is; images of PET and CT are read";
    }
    const char* const name = dcmFindNameOfUID(kind.c_str());
    const bool labels = same(UID_SegmentationStorage) || same(UID_RTStructureSetStorage);
    return fmt::format("'{}' of modality '{}'; images of PET and CT are read{}",
                       name != nullptr ? name : kind.c_str(), object.text(DCM_Modality),
                       labels ? ", and this as a label map: open the file itself, not its folder" : "");
}

void requireSingleImage(DicomObject& object) {
    if (object.number(DCM_NumberOfFrames, "Number of Frames", 1) > 1) {
        object.fail("Number of Frames", "is above 1; export the series as single images");
    }
    if (!object.dataset().tagExists(DCM_PixelData)) {
        object.fail("Pixel Data", "is missing; the file is truncated, copy it again");
    }
}

/// What all images of a file have in common.
DicomSlice headOf(DicomObject& object) {
    DicomSlice slice;
    slice.file = object.path();
    const std::string kind = object.text(DCM_SOPClassUID);
    slice.other = otherObject(kind, object);
    if (!slice.other.empty()) {
        return slice;
    }
    slice.modality = std::find(kCtClasses.begin(), kCtClasses.end(), kind) != kCtClasses.end() ? "CT" : "PT";
    slice.seriesUid = object.text(DCM_SeriesInstanceUID);
    slice.seriesNumber = object.text(DCM_SeriesNumber);
    slice.description = object.text(DCM_SeriesDescription);
    slice.patientPosition = object.text(DCM_PatientPosition);
    const std::string number = object.text(DCM_PatientID);
    slice.patient = object.text(DCM_PatientName) + (number.empty() ? "" : " (" + number + ")");
    slice.visit = object.text(DCM_StudyInstanceUID);
    slice.units = object.text(DCM_Units);
    readSize(object, slice);
    (void)pixelForm(object);  // refused here, before anything is told of the series
    return slice;
}

DicomSlice singleSlice(DicomObject& object, DicomSlice slice) {
    requireSingleImage(object);
    readPlace(object, ImageGroups(object), slice);
    slice.placesStated = object.whole(DCM_NumberOfSlices, "Number of Slices", 0);
    readScale(object, object.dataset(), slice);
    readUptake(object, slice);
    readPhilips(object, slice);
    slice.order = orderOf(object, slice);
    return slice;
}

/// DICOM's term of PET for units by the code of UCUM; empty for others.
std::string termOfUnits(const std::string& code) {
    static constexpr std::array<std::pair<const char*, const char*>, 6> kTerms{{{"Bq/ml", "BQML"},
                                                                                {"{counts}", "CNTS"},
                                                                                {"g/ml{SUVbw}", "GML"},
                                                                                {"{SUVbw}g/ml", "GML"},
                                                                                {"/cm", "1CM"},
                                                                                {"1/cm", "1CM"}}};
    for (const auto& [ucum, term] : kTerms) {
        if (code == ucum) {
            return term;
        }
    }
    return "";
}

/// By the map to real-world values where its units are known, else as images of PET and CT have it.
void readGroupedScale(DicomObject& object, const ImageGroups& groups, DicomSlice& slice) {
    DcmItem* const real = groups.find(DCM_RealWorldValueMappingSequence);
    DcmItem* code = nullptr;
    if (slice.modality == "PT" && real != nullptr &&
        real->findAndGetSequenceItem(DCM_MeasurementUnitsCodeSequence, code).good() && code != nullptr) {
        const std::string term = termOfUnits(DicomObject::text(*code, DCM_CodeValue));
        if (!term.empty()) {
            slice.units = term;
            slice.slope = object.needed<1>(*real, DCM_RealWorldValueSlope, "Real World Value Slope").front();
            slice.intercept =
                object.needed<1>(*real, DCM_RealWorldValueIntercept, "Real World Value Intercept").front();
            if (!(slice.slope > 0)) {
                object.fail(
                    "Real World Value Slope",
                    fmt::format("is {:g}, which leaves no values; export the series again", slice.slope));
            }
            return;
        }
    }
    readScale(object,
              groups.needed(DCM_PixelValueTransformationSequence, "Pixel Value Transformation Sequence"),
              slice);
}

/// Enhanced PET says whether, and to which moment, all frames are corrected.
void readGroupedDecay(DicomObject& object, DicomSlice& slice) {
    const std::string corrected = object.text(DCM_DecayCorrected);
    if (corrected.empty()) {
        return;
    }
    slice.correctedTo_s = object.moment(object.text(DCM_DecayCorrectionDateTime));
    if (corrected == "YES" && !slice.correctedTo_s) {
        object.fail("Decay Correction DateTime", "is missing, though 'Decay Corrected' is YES; add it");
    }
    constexpr double kSame_s = 0.5;
    UptakeFacts& facts = slice.uptake;
    const bool toInjection = slice.correctedTo_s && facts.injection_s &&
                             std::abs(*slice.correctedTo_s - *facts.injection_s) < kSame_s;
    facts.correction = corrected != "YES" ? "NONE" : toInjection ? "ADMIN" : "START";
}

/// When the image was acquired, for how long, and what orders it among others of its place.
void readGroupedTimes(DicomObject& object, const ImageGroups& groups, DicomSlice& slice) {
    const auto number = [&](DcmItem& item, const DcmTagKey& key, const char* name) {
        const std::vector<double> values = object.numbers(item, key, name);
        return values.empty() ? 0.0 : values.front();
    };
    double reference_s = 0;
    double position = 0;
    if (DcmItem* const content = groups.find(DCM_FrameContentSequence)) {
        slice.acquisition_s = object.moment(DicomObject::text(*content, DCM_FrameAcquisitionDateTime));
        slice.frame_s = 1e-3 * number(*content, DCM_FrameAcquisitionDuration, "Frame Acquisition Duration");
        reference_s = object.moment(DicomObject::text(*content, DCM_FrameReferenceDateTime)).value_or(0);
        position = number(*content, DCM_TemporalPositionIndex, "Temporal Position Index");
    }
    slice.order = {reference_s, position, slice.acquisition_s.value_or(0), static_cast<double>(slice.frame)};
}

std::vector<DicomSlice> groupedSlices(DicomObject& object, const DicomSlice& head) {
    const std::vector<ImageGroups> groups = imageGroups(object);
    std::vector<DicomSlice> slices;
    DicomSlice common = head;
    readUptake(object, common);
    if (DcmItem* const converted = groups.front().find(DCM_UnassignedSharedConvertedAttributesSequence)) {
        const auto fill = [&](std::string& held, const DcmTagKey& key) {
            held = held.empty() ? DicomObject::text(*converted, key) : held;
        };
        fill(common.units, DCM_Units);
        fill(common.uptake.correction, DCM_DecayCorrection);
    }
    readGroupedDecay(object, common);
    common.framesStated = static_cast<int>(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        DicomSlice& slice = slices.emplace_back(common);
        slice.frame = static_cast<int>(i) + 1;
        readPlace(object, groups[i], slice);
        readGroupedScale(object, groups[i], slice);
        readGroupedTimes(object, groups[i], slice);
        slice.uptake.units = slice.units;
    }
    return slices;
}

}  // namespace

std::vector<DicomSlice> readDicomSlices(const std::string& path) {
    DicomObject object(path);
    const DicomSlice head = headOf(object);
    if (!head.other.empty()) {
        return {head};
    }
    return object.dataset().tagExists(DCM_PerFrameFunctionalGroupsSequence)
               ? groupedSlices(object, head)
               : std::vector<DicomSlice>{singleSlice(object, head)};
}

}  // namespace tof
