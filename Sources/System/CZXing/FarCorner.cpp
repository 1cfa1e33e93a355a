#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "Grid.h"

namespace {

/// The best place for the alignment pattern around (column, row), within `reach` modules.
///
/// How much lighter its light ring is than the rest goes into `contrast`, the sum of both into `brightness`; `own` is what the
/// code's squares have of the first.
///
/// A dark square of five modules, in it a light one of three, in it a dark one.
Point findAlignment(const Grid &grid, float column, float row, float reach, const Shades &shades, float own, float &contrast,
                    float &brightness) {
  Point offsets[25];
  const Point expected = grid(column, row);
  for (int index = 0; index < 25; index++) {
    const auto dx = static_cast<float>(index % 5 - 2), dy = static_cast<float>(index / 5 - 2);
    offsets[index] = grid(column + dx, row + dy) - expected;
  }
  const Point over = 0.5f * (offsets[13] - offsets[11]), under = 0.5f * (offsets[17] - offsets[7]);
  const auto seenAt = [&](Point place) {
    // Most places are rejected by this alone.
    const int middle = shades.nearest(place + offsets[12]);
    if (shades.nearest(place + offsets[11]) <= middle || shades.nearest(place + offsets[13]) <= middle ||
        shades.nearest(place + offsets[7]) <= middle || shades.nearest(place + offsets[17]) <= middle)
      return -255.0f;
    int light = 0, dark = 0;
    for (int index = 0; index < 25; index++) {
      const int ring = std::max(std::abs(index % 5 - 2), std::abs(index / 5 - 2));
      if (ring != 0) (ring == 1 ? light : dark) += shades.nearest(place + offsets[index]);
    }
    return static_cast<float>(light) / 8 - static_cast<float>(dark + 16 * middle) / 32;
  };
  contrast = -255;
  float bestColumn = 0, bestRow = 0, most = -1000;
  for (float dy = -reach; dy <= reach; dy += 0.5f)
    for (float dx = -reach; dx <= reach; dx += 0.5f) {
      const float seen = seenAt(expected + dx * over + dy * under);
      // What is near is likelier, and the middle of what looks the same.
      const float rated = seen - 0.03f * own * std::hypot(dx, dy);
      if (rated > most) most = rated, bestColumn = dx, bestRow = dy;
    }
  // The middle of where it is seen well, among places a quarter of a module apart.
  constexpr int kSteps = 3, kModule = 4, kReach = kSteps + 2 * kModule, kWide = 2 * kReach + 1;
  Point places[kWide * kWide];
  float shade[kWide * kWide];
  const auto between = [](int step) { return static_cast<float>(step) / kModule; };
  for (int index = 0; index < kWide * kWide; index++)
    places[index] = expected + (bestColumn + between(index % kWide - kReach)) * over +
                    (bestRow + between(index / kWide - kReach)) * under;
  shades.between(places, kWide * kWide, shade);
  float seen[49];
  for (int index = 0; index < 49; index++) {
    const float *here = shade + (index / 7) * kWide + index % 7;
    float light = 0, dark = 0;
    for (int row = 0; row < 5; row++)
      for (int column = 0; column < 5; column++) {
        const float one = here[kModule * (row * kWide + column)];
        const int ring = std::max(std::abs(column - 2), std::abs(row - 2));
        if (ring == 1) light += one / 8;
        else dark += ring == 0 ? one / 2 : one / 32;
      }
    seen[index] = light - dark;
    if (seen[index] > contrast) contrast = seen[index], brightness = light + dark;
  }
  float sum = 0, sumX = 0, sumY = 0;
  for (int index = 0; index < 49; index++) {
    const float weight = std::max(0.0f, seen[index] - 0.7f * contrast);
    sum += weight, sumX += weight * between(index % 7 - kSteps), sumY += weight * between(index / 7 - kSteps);
  }
  if (!(sum > 0)) return expected;
  return expected + (bestColumn + sumX / sum) * over + (bestRow + sumY / sum) * under;
}

/// How far the half of the field that the far corner moves is from `middle`, which is neither dark nor light: the most where
/// modules are hit. Every `step`th module each way is asked.
float spread(const Grid &grid, const Shades &shades, float middle, int step) {
  Point places[kMostSide];
  float seen[kMostSide];
  float sum = 0;
  for (int row = step / 2; row < grid.side; row += step) {
    const int count = row / step + 1;
    const Point first = {static_cast<float>(grid.side - 1 - row) + 0.5f, static_cast<float>(row) + 0.5f};
    grid.places(first, static_cast<float>(step), count, places);
    shades.between(places, count, seen);
    for (int index = 0; index < count; index++) sum += std::abs(seen[index] - middle);
  }
  return sum;
}

/// How much lighter than the dark modules the light ones of that half are, near their four corners.
float likeness(const Grid &grid, const std::vector<uint8_t> &field, const Shades &shades, int step) {
  Point places[kMostSide];
  float seen[kMostSide];
  float sum = 0;
  for (int row = step / 2; row < grid.side; row += step) {
    const int count = row / step + 1, first = grid.side - 1 - row;
    for (const Point part : {Point{0.12f, 0.12f}, {0.88f, 0.12f}, {0.12f, 0.88f}, {0.88f, 0.88f}}) {
      grid.places({static_cast<float>(first) + part.x, static_cast<float>(row) + part.y}, static_cast<float>(step), count, places);
      shades.between(places, count, seen);
      for (int index = 0; index < count; index++)
        sum += field[row * grid.side + first + index * step] == 0 ? 127.5f - seen[index] : seen[index] - 127.5f;
    }
  }
  return sum;
}

/// How dark and how light the code's own squares are.
std::pair<float, float> ownShades(const Grid &grid, const Shades &shades) {
  const float end = static_cast<float>(grid.side) - 3.5f;
  Point places[9];
  int count = 0;
  for (const Point middle : {Point{3.5f, 3.5f}, {end, 3.5f}, {3.5f, end}})
    for (const float off : {0.0f, 2.0f, -2.0f}) places[count++] = grid(middle.x + off, middle.y);
  float seen[9];
  shades.between(places, count, seen);
  return {(seen[0] + seen[3] + seen[6]) / 3, (seen[1] + seen[2] + seen[4] + seen[5] + seen[7] + seen[8]) / 6};
}

/// Moves the far corner by `step` modules as long as `rate` finds that better.
template <typename Rate>
void climb(Grid &grid, float step, const Rate &rate) {
  static constexpr Point kWays[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  const float end = static_cast<float>(grid.side) - 3.5f;
  float best = rate(grid);
  // Where it came from it need not look again.
  int back = -1;
  for (bool isBetter = true; isBetter;) {
    isBetter = false;
    for (int way = 0; way < 4; way++) {
      if (way == back) continue;
      Grid turned = grid;
      if (!turned.hold(end, end, grid(end + step * kWays[way].x, end + step * kWays[way].y))) continue;
      const float seen = rate(turned);
      if (seen > best) best = seen, grid = turned, isBetter = true, back = (way + 2) % 4;
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
    // A few modules show where about it is.
    const int between = step > 0.4f ? 2 * fine : fine;
    climb(grid, step, [&](const Grid &turned) { return spread(turned, shades, middle, between); });
  }
}

void fitFarEdges(Grid &grid, const std::vector<uint8_t> &field, const Shades &shades) {
  const int between = 1 + grid.side / 24;
  for (const float step : {0.2f, 0.1f, 0.05f})
    climb(grid, step, [&](const Grid &turned) { return likeness(turned, field, shades, between); });
}
