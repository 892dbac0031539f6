// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>

#include "recon/metrics/robust_range.h"
#include "ui/desk/display_unit.h"
#include "ui/kit/coalescer.h"
#include "viz/colour_map.h"
#include "viz/slab.h"
#include "viz/slice_view.h"

namespace tof::ui {

/// How the panes are arranged.
/// Solid: three planes and, in the fourth place, the image seen from outside.
enum class Layout { Main, Row, Grid, Single, Solid };
[[nodiscard]] QString layoutName(Layout layout);
/// Throws WrongUse listing the names: main, row, grid, single, solid.
[[nodiscard]] Layout layoutFromName(const QString& name);

/// Ends of the line that profiles are taken along, mm.
struct ProfileLine {
    Vec3 a;
    Vec3 b;
};

/// What the chart below the pictures shows.
enum class ChartKind { Profile, Histogram, Rois, Solid, Time };

/// How thick the slices are that the panes show, and what is made of their layers.
struct Slab {
    double thickness_mm = 0;  ///< 0: one layer of voxels; infinite: all
    viz::SlabMode mode = viz::SlabMode::Largest;
    [[nodiscard]] bool operator==(const Slab&) const = default;
};

/// The image that an automatic range is taken from.
struct RangeSource {
    QString run;      ///< its letter
    int iterate = 0;  ///< 0: the newest whole one
    [[nodiscard]] bool operator==(const RangeSource&) const = default;
};

/// How the values of an image, or of all images that are compared by eye, become colours.
struct Look {
    DisplayRange range;
    bool isAuto = true;                 ///< range is robustRange() of `source`
    std::optional<RangeSource> source;  ///< empty: of the image that comes on screen next
    QString map = "grey";
    bool inverted = false;
    bool picked = false;  ///< the map, by the user
};

/// What all panes share: one cursor in mm, one display range, one colour map, what is drawn on top. No
/// widgets. Every setter that changes something leads to one changed() in the next event-loop turn.
class ViewModel : public QObject {
    Q_OBJECT

  public:
    explicit ViewModel(QObject* parent = nullptr);

    /// The lattice that steps refer to. The first one takes the cursor to its middle and is fitted; with
    /// another one cursor and zoom stay where they are in mm, as long as the cursor lies within it.
    void setLattice(const Lattice& lattice);
    /// Nothing is open any more: the next lattice is a first one again, looks are those of the start.
    void clear();
    [[nodiscard]] const Lattice& lattice() const { return lattice_; }

    [[nodiscard]] Vec3 cursor() const { return cursor_; }
    /// Clamped to the lattice's extent; before there is a lattice it waits for that.
    void setCursor(Vec3 mm);
    /// Moves the cursor by whole slices along a plane's normal, onto slice centres; in an oblique plane by
    /// the smallest edge of a voxel.
    void stepSlice(Plane plane, int slices);
    /// Index of the slice under the cursor along a plane's normal, and how many there are; of oblique ones
    /// those that the line through the cursor meets.
    [[nodiscard]] int sliceIndex(Plane plane) const;
    [[nodiscard]] int sliceCount(Plane plane) const;

    [[nodiscard]] DisplayRange range() const { return look_.range; }
    /// True where range() is what Auto gives for the image on screen.
    [[nodiscard]] bool autoRange() const { return look_.isAuto && look_.range == rangeOfShown_; }
    /// True while the range is that of rangeSource(), which need not be the image on screen.
    [[nodiscard]] bool followsSource() const { return look_.isAuto; }
    [[nodiscard]] const std::optional<RangeSource>& rangeSource() const { return look_.source; }
    /// By the user: switches auto off. high is kept above low.
    void setRange(DisplayRange range);
    /// The range as the window shows it, in unit().
    [[nodiscard]] DisplayRange shownRange() const {
        return {unit_.shown(look_.range.low), unit_.shown(look_.range.high)};
    }
    void setShownRange(DisplayRange shown) { setRange({unit_.stored(shown.low), unit_.stored(shown.high)}); }
    /// The stored range of an image in another unit that looks like shownRange().
    [[nodiscard]] DisplayRange rangeIn(const DisplayUnit& unit) const;
    /// How values of the image on screen are shown.
    [[nodiscard]] const DisplayUnit& unit() const { return unit_; }
    /// Takes the unit of another image, or one that the user has chosen. A range set by the user keeps the
    /// values that are shown where the unit keeps its name (voxels of another size), else the colours.
    void setUnit(const DisplayUnit& unit);
    /// Switches auto on: the range becomes that of the image on screen, which becomes its source.
    void resetRange();
    /// The range of rangeSource(), or of what there is before the first whole iterate; ignored unless auto
    /// is on.
    void setAutomaticRange(DisplayRange range);
    void setRangeSource(const RangeSource& source) { set(look_.source, std::optional(source)); }
    /// What Auto would give for the image on screen.
    void setRangeOfShown(DisplayRange range) { set(rangeOfShown_, range); }
    /// A whole image is on screen: the first one on this lattice is fitted unless the user has zoomed or
    /// panned, and resetView() fits the last.
    void offer(std::shared_ptr<const Volume> volume);

    /// The look in use; those of other images wait under their keys.
    [[nodiscard]] const QString& lookKey() const { return lookKey_; }
    /// `fresh` where there is none of that key yet.
    void useLook(const QString& key, const Look& fresh);
    /// The look of a key; usualLook() where there is none yet.
    [[nodiscard]] Look lookOf(const QString& key) const;
    [[nodiscard]] bool hasLook(const QString& key) const { return key == lookKey_ || looks_.contains(key); }
    /// That of the start.
    [[nodiscard]] Look usualLook() const;
    void setLook(const QString& key, const Look& look);
    /// One look for all runs, so that going from one to the next is a fair blink. Where this is switched off
    /// each image starts with the look of all.
    [[nodiscard]] bool linked() const { return linked_; }
    void setLinked(bool linked) { set(linked_, linked); }

    [[nodiscard]] const QString& colourMapId() const { return look_.map; }
    [[nodiscard]] bool inverted() const { return look_.inverted; }
    [[nodiscard]] viz::ColourMap colourMap() const;
    /// By the user: kept in both themes from then on. Throws WrongUse for an unknown id.
    void setColourMap(const QString& id);
    /// The map a theme starts with; without effect once the user has picked one.
    void proposeColourMap(const QString& id);
    void setInverted(bool inverted) { set(look_.inverted, inverted); }

    /// Switches, all bound to commands.
    enum class Flag {
        Annotations,
        Crosshair,
        ColourBar,
        Letters,
        VoxelInfo,
        Interpolation,
        Rois,
        ScaleBar,
        Cubic,           ///< what interpolates is cubic in place of linear
        Turning,         ///< the planes have handles that turn them
        DecayCorrected,  ///< curves against time
        LogActivity,
        LogTime
    };
    [[nodiscard]] bool flag(Flag flag) const { return !off_.contains(flag); }
    void setFlag(Flag flag, bool on);

    /// How the three planes are turned together about the cursor; not at all unless told otherwise.
    [[nodiscard]] const viz::Turn& turn() const { return turn_; }
    /// How the picture of a plane is turned: the least that its normal asks for, so that turning the planes
    /// about the normal of a picture leaves that picture as it is.
    [[nodiscard]] viz::Turn turnOf(Plane plane) const;
    [[nodiscard]] bool isOblique(Plane plane) const { return !turnOf(plane).isNone(); }
    void setTurn(const viz::Turn& turn) { set(turn_, turn); }
    /// What a pane of these device pixels shows of a plane: about middle(), through the cursor.
    [[nodiscard]] viz::SliceView slice(Plane plane, double mmPerPixel, int width, int height) const;
    /// Whether a point lies in the slice of a plane, or in its slab.
    [[nodiscard]] bool inSlice(Plane plane, Vec3 mm) const;

    [[nodiscard]] viz::Orientation orientation() const { return orientation_; }
    void setOrientation(viz::Orientation orientation) { set(orientation_, orientation); }
    [[nodiscard]] Layout layout() const { return layout_; }
    void setLayout(Layout layout) { set(layout_, layout); }
    [[nodiscard]] Plane activePlane() const { return active_; }
    void setActivePlane(Plane plane) { set(active_, plane); }

    /// 1 fits the volume; the panes share it.
    [[nodiscard]] double zoom() const { return zoom_; }
    /// Zooms about a point that stays where it is on screen.
    void zoomAbout(Vec3 fixed, double factor);
    /// Point shown at the middle of every pane.
    [[nodiscard]] Vec3 middle() const { return middle_; }
    void pan(Vec3 by_mm);
    /// Fits the object.
    void resetView();
    /// Fits the whole lattice.
    void showLattice();
    /// What zoom 1 fits.
    [[nodiscard]] const Box& fitted() const { return fitted_; }
    /// ROI with handles and background, -1: none. An index into the study's list.
    [[nodiscard]] int selectedRoi() const { return selectedRoi_; }
    void selectRoi(int index) { set(selectedRoi_, index); }

    [[nodiscard]] Slab slab() const { return slab_; }
    /// Throws WrongUse for a negative thickness or one that is no number.
    void setSlab(Slab slab);
    /// Whether a plane shows one slice until the planes are turned: while they have handles, a slab that is
    /// oblique or of all slices takes longer than a drag may (viz/README.md).
    [[nodiscard]] bool slabWaits(Plane plane) const;

    // The chart below the pictures.
    [[nodiscard]] ChartKind chart() const { return chart_; }
    void setChart(ChartKind kind) { set(chart_, kind); }
    /// 0 = x, 1 = y, 2 = z through the cursor, kAlongLine: along line().
    static constexpr int kAlongLine = 3;
    [[nodiscard]] int profileAxis() const { return profileAxis_; }
    /// Throws WrongUse for an axis that is none, or kAlongLine without a line.
    void setProfileAxis(int axis);
    [[nodiscard]] const std::optional<ProfileLine>& line() const { return line_; }
    /// Profiles go along this line from now on. Ends closer than a micrometre are no line: refused.
    void setLine(const ProfileLine& line);
    void clearLine();

    /// Makes a pending changed() happen now; for tests and screenshots.
    void flush() { coalescer_->flush(); }

    /// Everything above as JSON, for the study; round trip is exact.
    [[nodiscard]] nlohmann::json toJson() const;
    /// Missing fields keep their values; text that is no JSON object changes nothing.
    void fromJson(const nlohmann::json& saved);

  Q_SIGNALS:
    void changed();

  private:
    void touch() { coalescer_->touch(); }
    template <typename Value>
    void set(Value& member, const Value& value) {
        if (!(member == value)) {
            member = value;
            touch();
        }
    }

    Lattice lattice_;
    Vec3 cursor_;
    std::optional<Vec3> awaited_;  ///< the cursor of a first lattice
    Look look_;
    QString lookKey_;
    std::map<QString, Look> looks_;  ///< those of other keys
    QString proposedMap_ = "grey";
    bool linked_ = true;
    DisplayRange rangeOfShown_;
    DisplayUnit unit_;
    std::set<Flag> off_{Flag::Interpolation, Flag::Cubic, Flag::Turning, Flag::LogActivity,
                        Flag::LogTime};  ///< switches that are off
    viz::Orientation orientation_ = viz::Orientation::Radiological;
    viz::Turn turn_;
    Layout layout_ = Layout::Main;
    Plane active_ = Plane::Transverse;
    double zoom_ = 1;
    Vec3 middle_;
    bool moved_ = false;  ///< zoomed or panned by the user
    Box fitted_;
    std::shared_ptr<const Volume> shown_;  ///< whole, on lattice_ or null
    bool fittedOnce_ = false;              ///< an object was fitted since clear()
    int selectedRoi_ = -1;
    Slab slab_;
    ChartKind chart_ = ChartKind::Profile;
    int profileAxis_ = 0;
    std::optional<ProfileLine> line_;
    Coalescer* coalescer_;
};

}  // namespace tof::ui
