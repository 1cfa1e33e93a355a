#include "Grid.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace {

/// Dots that must be seen for a grid to be tried at all, of the smallest with their few and of others, and those with which no
/// other size is tried.
constexpr float kLeastDotsOfFew = 0.8f, kLeastDots = 0.7f, kSureDots = 0.95f;

/// Beyond these a corner would lie behind the eye, or nearly.
constexpr float kLeastPerspective = -0.6f, kMostPerspective = 1.5f;

float cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
float length(Point a) { return std::hypot(a.x, a.y); }

/// How wide a module of `finder` is in the direction of `step`, half a pixel long; 0 where there is no square.
///
/// From the outer edges of the dark ring and of the light one, so that ink that runs does not count.
float moduleWidth(const Finder &finder, Point step, const cam_luma &binary, uint8_t dark) {
  const auto width = static_cast<float>(binary.width), height = static_cast<float>(binary.height);
  const auto isDark = [&](Point place) {
    // Beyond the picture there is paper.
    return place.x >= 0 && place.y >= 0 && place.x < width && place.y < height &&
           binary.pixels[static_cast<int>(place.y) * binary.stride + static_cast<int>(place.x)] == dark;
  };
  const int limit = static_cast<int>(3 * finder.size);
  int steps = 0;
  for (const float way : {-1.0f, 1.0f}) {
    int edges = 0;
    for (int count = 1; edges < 3; count++) {
      if (count > limit) return 0;
      // An edge lies between two steps; the two ways together make one of these up.
      if (isDark(finder.at + (way * static_cast<float>(count)) * step) != (edges == 1)) continue;
      edges++;
      if (edges > 1) steps += count;
    }
  }
  return static_cast<float>(steps - 2) * length(step) / 12;
}

/// How much of the dotted lines between the squares is where this grid expects it, 0 to 1; by chance a half.
float dotsSeen(const Grid &grid, const Shades &shades) {
  Point places[kMostSide];
  float shade[kMostSide];
  const int last = grid.side - 7;
  int seen = 0;
  for (const bool isRow : {true, false}) {
    grid.places({6.5f, 6.5f}, 1, last - 5, places, isRow);
    shades.between(places, last - 5, shade);
    for (int index = 7; index < last; index++) {
      const float ridge = 2 * shade[index - 6] - shade[index - 7] - shade[index - 5];
      seen += index % 2 == 0 ? ridge < 0 : ridge > 0;
    }
  }
  return static_cast<float>(seen) / static_cast<float>(2 * (last - 7));
}

}  // namespace

Point Grid::operator()(float column, float row) const {
  const float span = static_cast<float>(side - 7);
  const float s = (column - 3.5f) / span, t = (row - 3.5f) / span;
  const auto &[origin, over, under] = corners;
  const float onX = s * (1 + right), onY = t * (1 + down);
  const float scale = 1 / (1 + right * s + down * t);
  const float rest = 1 + right * s + down * t - onX - onY;
  return scale * (rest * origin + onX * over + onY * under);
}

void Grid::places(Point start, float apart, int count, Point *places, bool isRow) const {
  const float span = static_cast<float>(side - 7);
  const auto &[origin, over, under] = corners;
  // Above and below the line of the fraction everything grows evenly along the line.
  const float s = (start.x - 3.5f) / span, t = (start.y - 3.5f) / span, step = apart / span;
  const float onX = s * (1 + right), onY = t * (1 + down), below = 1 + right * s + down * t;
  const float rest = below - onX - onY;
  const Point above = rest * origin + onX * over + onY * under;
  const Point grows = isRow ? step * ((1 + right) * over - origin) : step * ((1 + down) * under - origin);
  const float shrinks = step * (isRow ? right : down);
  for (int index = 0; index < count; index++) {
    const auto way = static_cast<float>(index);
    const float scale = 1 / (below + way * shrinks);
    places[index] = {scale * (above.x + way * grows.x), scale * (above.y + way * grows.y)};
  }
}

bool Grid::hold(float column, float row, Point place) {
  const float span = static_cast<float>(side - 7);
  const float s = (column - 3.5f) / span, t = (row - 3.5f) / span;
  const auto &[origin, over, under] = corners;
  // Two equations, for x and y: right · s · (place - over) + down · t · (place - under) = what the flat plane is off by.
  const Point first = s * (place - over), second = t * (place - under);
  const Point off = origin + s * (over - origin) + t * (under - origin) - place;
  const float determinant = cross(first, second);
  if (std::abs(determinant) < 1e-6f) return false;
  const float newRight = cross(off, second) / determinant, newDown = cross(first, off) / determinant;
  const bool isBefore = newRight > kLeastPerspective && newDown > kLeastPerspective && newRight + newDown > -0.8f;
  if (!isBefore || !(newRight < kMostPerspective && newDown < kMostPerspective)) return false;
  right = newRight, down = newDown;
  return true;
}

std::vector<Grid> gridsThrough(const std::array<Finder, 3> &finders, const cam_luma &binary, const Shades &shades) {
  const auto &[origin, over, under] = finders;
  float spans[2], perspective[2];
  int index = 0;
  for (const Finder *end : {&over, &under}) {
    const Point way = end->at - origin.at;
    const float distance = length(way);
    const Point step = (0.5f / distance) * way;
    const float near = moduleWidth(origin, step, binary, shades.flip), far = moduleWidth(*end, step, binary, shades.flip);
    if (near <= 0 || far <= 0) return {};
    // Along a line in perspective modules shrink with the square of the distance: the geometric mean counts them exactly.
    spans[index] = distance / std::sqrt(near * far);
    perspective[index++] = std::clamp(std::sqrt(near / far) - 1, kLeastPerspective / 2, kMostPerspective);
  }
  const float shorter = std::min(spans[0], spans[1]), longer = std::max(spans[0], spans[1]);
  if (longer > 1.35f * shorter + 2 || longer < 11) return {};
  const float guess = (shorter + longer) / 2 + 7;
  std::vector<Grid> grids;
  // Each version has four modules more; how far the guess may be off grows with the distance.
  const int middle = static_cast<int>(std::lround((guess - 17) / 4));
  const int reach = guess < 30 ? 1 : 2 + static_cast<int>(guess) / 60;
  for (int index = 0; index <= 2 * reach; index++) {
    const int version = middle + (index % 2 == 0 ? -index : index + 1) / 2;
    const int side = 17 + 4 * version;
    if (version < 1 || version > 40 || std::abs(static_cast<float>(side) - guess) > 3 + 0.08f * guess) continue;
    const Grid flat = {side, {origin.at, over.at, under.at}};
    Grid tilted = flat;
    tilted.right = perspective[0], tilted.down = perspective[1];
    const float tiltedSeen = dotsSeen(tilted, shades), flatSeen = tiltedSeen > kSureDots ? 0 : dotsSeen(flat, shades);
    grids.push_back(tiltedSeen > flatSeen ? tilted : flat);
    grids.back().dots = std::max(flatSeen, tiltedSeen);
    if (grids.back().dots < (side == 21 ? kLeastDotsOfFew : kLeastDots)) grids.pop_back();
    else if (grids.back().dots > kSureDots) break;
  }
  std::sort(grids.begin(), grids.end(),
            [](const Grid &a, const Grid &b) { return std::tie(b.dots, a.side) < std::tie(a.dots, b.side); });
  if (grids.size() > 2) grids.erase(grids.begin() + 2, grids.end());
  return grids;
}

std::vector<float> modules(const Grid &grid, const Shades &shades) {
  std::vector<float> result(static_cast<size_t>(grid.side) * static_cast<size_t>(grid.side));
  Point places[kMostSide];
  for (int row = 0; row < grid.side; row++) {
    grid.places({0.5f, static_cast<float>(row) + 0.5f}, 1, grid.side, places);
    shades.between(places, grid.side, result.data() + row * grid.side);
  }
  return result;
}
