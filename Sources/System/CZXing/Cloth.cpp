#include <algorithm>
#include <cmath>
#include <utility>

#include "Grid.h"

namespace {

/// Modules between the middles of two parts, about, and how many around such a middle must fit.
constexpr int kApart = 5, kAround = 3;
constexpr int kMostAround = (2 * kAround + 1) * (2 * kAround + 1);

/// How far the parts of a field have moved, in pixels.
struct Cloth {
  int count;
  float apart;
  std::vector<Point> shifts;

  explicit Cloth(int side)
      : count(side / kApart + 1),
        apart(static_cast<float>(side) / static_cast<float>(count)),
        shifts(static_cast<size_t>(count * count)) {}

  float middle(int index) const { return (static_cast<float>(index) + 0.5f) * apart; }

  /// Between the middles of parts, linear.
  Point shiftAt(float column, float row) const {
    const float x = std::clamp(column / apart - 0.5f, 0.0f, static_cast<float>(count - 1));
    const float y = std::clamp(row / apart - 0.5f, 0.0f, static_cast<float>(count - 1));
    const int left = std::min(static_cast<int>(x), count - 2), top = std::min(static_cast<int>(y), count - 2);
    const float toRight = x - static_cast<float>(left), toBottom = y - static_cast<float>(top);
    const Point *upper = &shifts[top * count + left], *lower = upper + count;
    const float weights[4] = {(1 - toRight) * (1 - toBottom), toRight * (1 - toBottom),
                              (1 - toRight) * toBottom, toRight * toBottom};
    return {weights[0] * upper[0].x + weights[1] * upper[1].x + weights[2] * lower[0].x + weights[3] * lower[1].x,
            weights[0] * upper[0].y + weights[1] * upper[1].y + weights[2] * lower[0].y + weights[3] * lower[1].y};
  }
};

/// The luma of at most `kMostAround` places that have moved by `shift`, in pixels.
void see(const Shades &shades, const std::vector<Point> &places, Point shift, float *seen) {
  Point shifted[kMostAround];
  const auto count = static_cast<int>(places.size());
  for (int index = 0; index < count; index++) shifted[index] = {places[index].x + shift.x, places[index].y + shift.y};
  shades.between(shifted, count, seen);
}

/// How far they are from `middle`, neither dark nor light.
float spread(const float *seen, int count, float middle) {
  float sum = 0;
  for (int index = 0; index < count; index++) sum += std::abs(seen[index] - middle);
  return sum;
}

}  // namespace

std::vector<float> modulesOnCloth(const Grid &grid, const Shades &shades) {
  Cloth cloth(grid.side);
  const int count = cloth.count;
  // From the three squares on: what is known of the parts before says where to look for the next.
  std::vector<int> order(static_cast<size_t>(count * count));
  for (int index = 0; index < count * count; index++) order[index] = index;
  const auto distance = [&](int index) {
    const int x = index % count, y = index / count, end = count - 1;
    return std::min({std::max(x, y), std::max(end - x, y), std::max(x, end - y)});
  };
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::pair(distance(a), a) < std::pair(distance(b), b); });
  std::vector<bool> isKnown(order.size(), false);
  std::vector<Point> field(static_cast<size_t>(grid.side) * static_cast<size_t>(grid.side));
  for (int row = 0; row < grid.side; row++)
    grid.places({0.5f, static_cast<float>(row) + 0.5f}, 1, grid.side, field.data() + row * grid.side);
  for (const int index : order) {
    const int x = index % count, y = index / count;
    Point start = {0, 0};
    int known = 0;
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        if (x + dx < 0 || x + dx >= count || y + dy < 0 || y + dy >= count || !isKnown[index + dy * count + dx]) continue;
        const Point shift = cloth.shifts[index + dy * count + dx];
        start = {start.x + shift.x, start.y + shift.y}, known++;
      }
    if (known > 0) start = {start.x / static_cast<float>(known), start.y / static_cast<float>(known)};
    const float column = cloth.middle(x), row = cloth.middle(y);
    std::vector<Point> places;
    for (int dy = -kAround; dy <= kAround; dy++)
      for (int dx = -kAround; dx <= kAround; dx++) {
        const int atX = static_cast<int>(column) + dx, atY = static_cast<int>(row) + dy;
        if (atX >= 0 && atX < grid.side && atY >= 0 && atY < grid.side) places.push_back(field[atY * grid.side + atX]);
      }
    const Point here = grid(column, row), right = grid(column + 1, row), below = grid(column, row + 1);
    const Point over = {right.x - here.x, right.y - here.y}, under = {below.x - here.x, below.y - here.y};
    Point best = start;
    float seen[kMostAround];
    const int around = static_cast<int>(places.size());
    see(shades, places, start, seen);
    const auto [least, greatest] = std::minmax_element(seen, seen + around);
    const float middle = (*least + *greatest) / 2;
    float most = spread(seen, around, middle);
    for (const float step : {0.4f, 0.2f}) {
      const Point from = best;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          if (dx == 0 && dy == 0) continue;
          const float onX = step * static_cast<float>(dx), onY = step * static_cast<float>(dy);
          const Point shift = {from.x + onX * over.x + onY * under.x, from.y + onX * over.y + onY * under.y};
          see(shades, places, shift, seen);
          const float rated = spread(seen, around, middle);
          if (rated > most) most = rated, best = shift;
        }
    }
    cloth.shifts[index] = best;
    isKnown[index] = true;
  }
  for (int row = 0; row < grid.side; row++)
    for (int column = 0; column < grid.side; column++) {
      Point &place = field[row * grid.side + column];
      const Point shift = cloth.shiftAt(static_cast<float>(column) + 0.5f, static_cast<float>(row) + 0.5f);
      place = {place.x + shift.x, place.y + shift.y};
    }
  std::vector<float> result(field.size());
  shades.between(field.data(), grid.side * grid.side, result.data());
  return result;
}
