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

Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
Point operator*(float scale, Point a) { return {scale * a.x, scale * a.y}; }
float cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
float length(Point a) { return std::hypot(a.x, a.y); }

/// How wide a module of `finder` is in the direction of `step`, half a pixel long; 0 where there is no square.
///
/// From the outer edges of the dark ring and of the light one, so that ink that runs does not count.
float moduleWidth(const Finder &finder, Point step, const cam_luma &binary, uint8_t dark) {
  const auto isDark = [&](Point place) {
    const int x = static_cast<int>(std::floor(place.x)), y = static_cast<int>(std::floor(place.y));
    // Beyond the picture there is paper.
    return x >= 0 && y >= 0 && x < binary.width && y < binary.height && binary.pixels[y * binary.stride + x] == dark;
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
  int seen = 0, count = 0;
  for (const bool isRow : {true, false}) {
    const auto shadeAt = [&](int index) {
      const float place = static_cast<float>(index) + 0.5f;
      return shades.between(isRow ? grid(place, 6.5f) : grid(6.5f, place));
    };
    float before = shadeAt(6), here = shadeAt(7);
    for (int index = 7; index < grid.side - 7; index++) {
      const float after = shadeAt(index + 1);
      const float ridge = 2 * here - before - after;
      seen += index % 2 == 0 ? ridge < 0 : ridge > 0;
      count++;
      before = here, here = after;
    }
  }
  return static_cast<float>(seen) / static_cast<float>(count);
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

void Grid::places(int row, Point *places) const {
  const float span = static_cast<float>(side - 7);
  const auto &[origin, over, under] = corners;
  // Above and below the line of the fraction everything grows evenly with the column.
  const float s = -3 / span, t = (static_cast<float>(row) - 3) / span, step = 1 / span;
  const float onX = s * (1 + right), onY = t * (1 + down), below = 1 + right * s + down * t;
  const float rest = below - onX - onY;
  Point above = rest * origin + onX * over + onY * under;
  const Point grows = step * ((1 + right) * over - origin);
  for (int column = 0; column < side; column++) {
    const auto count = static_cast<float>(column);
    const float scale = 1 / (below + count * step * right);
    places[column] = scale * (above + count * grows);
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

// MARK: - The far corner

namespace {

/// The best place for the alignment pattern around (column, row), within `reach` modules.
///
/// How much lighter its light ring is than the rest goes into `contrast`, the sum of both into `brightness`; `own` is what the
/// code's squares have of the first.
///
/// A dark square of five modules, in it a light one of three, in it a dark one.
Point findAlignment(const Grid &grid, float column, float row, float reach, const Shades &shades, float own, float &contrast, float &brightness) {
  Point offsets[25];
  const Point expected = grid(column, row);
  for (int index = 0; index < 25; index++) {
    const auto dx = static_cast<float>(index % 5 - 2), dy = static_cast<float>(index / 5 - 2);
    offsets[index] = grid(column + dx, row + dy) - expected;
  }
  const Point over = 0.5f * (offsets[13] - offsets[11]), under = 0.5f * (offsets[17] - offsets[7]);
  float level = 0;
  const auto seenAt = [&](Point place, bool isCoarse) {
    // Most places are told apart by this alone.
    if (isCoarse) {
      const int middle = shades.nearest(place + offsets[12]);
      if (shades.nearest(place + offsets[11]) <= middle || shades.nearest(place + offsets[13]) <= middle ||
          shades.nearest(place + offsets[7]) <= middle || shades.nearest(place + offsets[17]) <= middle)
        return -255.0f;
    }
    float light = 0, dark = 0, middle = 0;
    for (int index = 0; index < 25; index++) {
      const Point at = place + offsets[index];
      const float shade = isCoarse ? static_cast<float>(shades.nearest(at)) : shades.between(at);
      const int ring = std::max(std::abs(index % 5 - 2), std::abs(index / 5 - 2));
      (ring == 0 ? middle : ring == 1 ? light : dark) += shade;
    }
    level = light / 8 + (dark / 16 + middle) / 2;
    return light / 8 - (dark / 16 + middle) / 2;
  };
  contrast = -255;
  float bestColumn = 0, bestRow = 0, most = -1000;
  for (float dy = -reach; dy <= reach; dy += 0.5f)
    for (float dx = -reach; dx <= reach; dx += 0.5f) {
      const float seen = seenAt(expected + dx * over + dy * under, true);
      // What is near is likelier, and the middle of what looks the same.
      const float rated = seen - 0.03f * own * std::hypot(dx, dy);
      if (rated > most) most = rated, bestColumn = dx, bestRow = dy;
    }
  // The middle of where it is seen well.
  constexpr int kSteps = 3;
  const auto between = [](int step) { return 0.25f * static_cast<float>(step - kSteps); };
  float seen[49];
  for (int index = 0; index < 49; index++) {
    const float dx = between(index % 7), dy = between(index / 7);
    seen[index] = seenAt(expected + (bestColumn + dx) * over + (bestRow + dy) * under, false);
    if (seen[index] > contrast) contrast = seen[index], brightness = level;
  }
  float sum = 0, sumX = 0, sumY = 0;
  for (int index = 0; index < 49; index++) {
    const float weight = std::max(0.0f, seen[index] - 0.7f * contrast);
    sum += weight, sumX += weight * between(index % 7), sumY += weight * between(index / 7);
  }
  if (!(sum > 0)) return expected;
  return expected + (bestColumn + sumX / sum) * over + (bestRow + sumY / sum) * under;
}

/// How far the half of the field that the far corner moves is from `middle`, which is neither dark nor light: the most where
/// modules are hit. Every `step`th module each way is asked.
float spread(const Grid &grid, const Shades &shades, float middle, int step) {
  float sum = 0;
  for (int row = step / 2; row < grid.side; row += step)
    for (int column = grid.side - 1 - row; column < grid.side; column += step)
      sum += std::abs(shades.between(grid(static_cast<float>(column) + 0.5f, static_cast<float>(row) + 0.5f)) - middle);
  return sum;
}

/// How much lighter than the dark modules the light ones of that half are, near their four corners.
float likeness(const Grid &grid, const std::vector<uint8_t> &field, const Shades &shades, int step) {
  float sum = 0;
  for (int row = step / 2; row < grid.side; row += step)
    for (int column = grid.side - 1 - row; column < grid.side; column += step)
      for (const Point part : {Point{0.12f, 0.12f}, {0.88f, 0.12f}, {0.12f, 0.88f}, {0.88f, 0.88f}}) {
        const float shade = shades.between(grid(static_cast<float>(column) + part.x, static_cast<float>(row) + part.y));
        sum += field[row * grid.side + column] == 0 ? 127.5f - shade : shade - 127.5f;
      }
  return sum;
}

/// How dark and how light the code's own squares are.
std::pair<float, float> ownShades(const Grid &grid, const Shades &shades) {
  float dark = 0, light = 0;
  const float end = static_cast<float>(grid.side) - 3.5f;
  for (const auto &[column, row] : {std::pair{3.5f, 3.5f}, {end, 3.5f}, {3.5f, end}}) {
    light += (shades.between(grid(column + 2, row)) + shades.between(grid(column - 2, row))) / 6;
    dark += shades.between(grid(column, row)) / 3;
  }
  return {dark, light};
}

/// Moves the far corner by `step` modules as long as `rate` finds that better.
template <typename Rate>
void climb(Grid &grid, float step, const Rate &rate) {
  const float end = static_cast<float>(grid.side) - 3.5f;
  float best = rate(grid);
  for (bool isBetter = true; isBetter;) {
    isBetter = false;
    for (const Point way : {Point{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) {
      Grid turned = grid;
      if (!turned.hold(end, end, grid(end + step * way.x, end + step * way.y))) continue;
      const float seen = rate(turned);
      if (seen > best) best = seen, grid = turned, isBetter = true;
    }
  }
}

}  // namespace

bool fitAlignment(Grid &grid, const Shades &shades) {
  if (grid.side == 21) return false;
  const float far = static_cast<float>(grid.side) - 6.5f;
  const auto [dark, light] = ownShades(grid, shades);
  float contrast = 0, brightness = 0;
  const float own = light - dark, reach = 3 + static_cast<float>(grid.side) / 30;
  const Point place = findAlignment(grid, far, far, reach, shades, own, contrast, brightness);
  // In shade there is less of everything.
  const bool isSeen = contrast * (light + dark) > 0.5f * own * brightness && contrast > 0.1f * own;
  return isSeen && grid.hold(far, far, place);
}

void fitFarModules(Grid &grid, const Shades &shades) {
  const auto [dark, light] = ownShades(grid, shades);
  const float middle = (light + dark) / 2;
  const int fine = 1 + grid.side / 24;
  for (const float step : {1.0f, 0.5f, 0.25f, 0.125f}) {
    // A few modules tell where about it is.
    const int between = step > 0.4f ? 2 * fine : fine;
    climb(grid, step, [&](const Grid &turned) { return spread(turned, shades, middle, between); });
  }
}

void fitFarEdges(Grid &grid, const std::vector<uint8_t> &field, const Shades &shades) {
  const int between = 1 + grid.side / 24;
  for (const float step : {0.2f, 0.1f, 0.05f})
    climb(grid, step, [&](const Grid &turned) { return likeness(turned, field, shades, between); });
}

std::vector<float> modules(const Grid &grid, const Shades &shades) {
  std::vector<float> result;
  result.reserve(static_cast<size_t>(grid.side) * static_cast<size_t>(grid.side));
  std::vector<Point> places(static_cast<size_t>(grid.side));
  for (int row = 0; row < grid.side; row++) {
    grid.places(row, places.data());
    for (const Point place : places) result.push_back(shades.between(place));
  }
  return result;
}
