// From three squares to a field of modules. Inside this module only.
#ifndef Grid_h
#define Grid_h

#include <array>
#include <vector>

#include "Finders.h"
#include "Shades.h"

/// Modules a side of the largest code there is.
constexpr int kMostSide = 177;

/// Where each module of a QR code lies in the picture: a plane seen in perspective.
///
/// Modules are counted from the code's own top left corner, 0 to `side`; the middle of the first is (0.5, 0.5).
struct Grid {
  int side;
  /// The middles of the squares, at (3.5, 3.5), (side - 3.5, 3.5) and (3.5, side - 3.5).
  std::array<Point, 3> corners;
  /// How much farther away the right and the bottom are; 0 and 0 without perspective.
  float right = 0, down = 0;
  /// How much of the dotted lines between the squares was where they belong, 0 to 1; by chance a half.
  float dots = 0;

  Point operator()(float column, float row) const;
  /// `count` places on a line along the rows or down the columns, from `start` on, each `apart` modules from the one before.
  void places(Point start, float apart, int count, Point *places, bool isRow = true) const;
  /// Turns the plane so that (column, row) lies at `place`. Returns whether it can.
  bool hold(float column, float row, Point place);
};

/// The grids that three squares may belong to, the likely first; `binary` separates dark from light.
std::vector<Grid> gridsThrough(const std::array<Finder, 3> &finders, const cam_luma &binary, const Shades &shades);

/// Turns the plane so that the alignment pattern near the far corner, of which the squares know nothing, is where one is seen.
///
/// Returns whether the code has one, and it is seen.
bool fitAlignment(Grid &grid, const Shades &shades);

/// Turns the plane so that dark and light at the far corner are as far apart as can be.
void fitFarModules(Grid &grid, const Shades &shades);

/// Turns the plane so that dark and light at the far corner are where `field` has them, to a small part of a module.
///
/// - field: a byte for each module, row by row, 0 for dark.
void fitFarEdges(Grid &grid, const std::vector<uint8_t> &field, const Shades &shades);

/// The luma of each module, row by row, where the code lies on something crumpled.
///
/// Each part of the field may have moved from where the plane has it, by not much more than the parts beside it.
std::vector<float> modulesOnCloth(const Grid &grid, const Shades &shades);

/// The luma of each module, row by row.
std::vector<float> modules(const Grid &grid, const Shades &shades);

#endif
