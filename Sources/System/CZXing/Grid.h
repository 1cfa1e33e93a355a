// From three squares to a field of modules. Inside this module only.
#ifndef Grid_h
#define Grid_h

#include <algorithm>
#include <array>
#include <vector>

#include "Finders.h"

/// Luma of a picture of at least 2 × 2 pixels, also between them; beyond its edges it goes on as it is.
struct Shades {
  cam_luma source;
  /// 255 where the code is light on dark ground: what is read is dark on light.
  uint8_t flip;

  /// 0 to 255.
  int nearest(Point place) const {
    const auto x = static_cast<int>(within(place.x, static_cast<float>(source.width) - 0.5f));
    const auto y = static_cast<int>(within(place.y, static_cast<float>(source.height) - 0.5f));
    return source.pixels[y * source.stride + x] ^ flip;
  }

  /// Between the four nearest pixels; 0 to 255.
  float between(Point place) const {
    // In 64ths of a pixel, for speed.
    const int x = static_cast<int>(within(place.x - 0.5f, static_cast<float>(source.width) - 1.02f) * 64);
    const int y = static_cast<int>(within(place.y - 0.5f, static_cast<float>(source.height) - 1.02f) * 64);
    const uint8_t *upper = source.pixels + (y >> 6) * source.stride + (x >> 6), *lower = upper + source.stride;
    const int toRight = x & 63, toBottom = y & 63;
    const int above = (64 - toRight) * upper[0] + toRight * upper[1], below = (64 - toRight) * lower[0] + toRight * lower[1];
    const int shade = (64 - toBottom) * above + toBottom * below;
    return static_cast<float>(flip ? 255 * 4096 - shade : shade) * (1.0f / 4096);
  }

 private:
  /// What is no number is 0.
  static float within(float value, float most) { return value > 0 ? std::min(value, most) : 0; }
};

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
  /// The middles of all modules of a row.
  void places(int row, Point *places) const;
  /// Turns the plane so that (column, row) lies at `place`. Returns whether it can.
  bool hold(float column, float row, Point place);
};

/// The grids that three squares may belong to, the likely first; `binary` tells dark from light.
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
