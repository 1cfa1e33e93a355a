#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "Codes.h"
#include "Grid.h"

namespace {

/// As many squares are looked at, enough for 32 codes; in noise there are more than that.
constexpr size_t kMostFinders = 96;
/// As many threes of squares are looked at closely where nothing is read, and as many of them as if on cloth.
constexpr int kMostThrees = 8, kMostCloths = 1;
/// As many threes are looked at until something is read, and as many more for each square where there are many: among many codes
/// most threes belong to several, and are soon rejected.
constexpr int kGlancesEach = 1, kMoreGlances = 24;
/// Dots between the squares with which there is a code almost for certain, and with which the squares alone may show where its far
/// corner is.
constexpr float kCertainDots = 0.9f, kClearDots = 0.95f;

/// Three squares that may belong together, the one at the right angle first, the others clockwise.
struct Three {
  std::array<int, 3> at;
  float strangeness;
};

/// The square of how far apart squares of one code may be, at most, in squares.
constexpr float kFarthest = 2 * 40 * 40;
/// With more squares than a few, only so many around each may be of its code.
constexpr int kFew = 24, kNeighbours = 9;

std::vector<Three> threes(const std::vector<Finder> &finders) {
  std::vector<Three> result;
  const int count = static_cast<int>(finders.size());
  const auto squareOf = [&](int a, int b) {
    const float dx = finders[a].at.x - finders[b].at.x, dy = finders[a].at.y - finders[b].at.y;
    // As wide as the squares themselves, so that what is near counts no more than what is far away.
    return (dx * dx + dy * dy) / (finders[a].size * finders[b].size);
  };
  // Among very many, those of one code are hardly far from each other.
  std::vector<float> reach(finders.size(), kFarthest);
  if (count > kFew) {
    std::vector<float> distances(finders.size());
    for (int a = 0; a < count; a++) {
      for (int b = 0; b < count; b++) distances[b] = squareOf(a, b);
      std::nth_element(distances.begin(), distances.begin() + kNeighbours, distances.end());
      reach[a] = std::min(kFarthest, distances[kNeighbours]);
    }
  }
  for (int a = 0; a < count; a++)
    for (int b = a + 1; b < count; b++) {
      const float sizes[2] = {std::min(finders[a].size, finders[b].size), std::max(finders[a].size, finders[b].size)};
      const float ab = squareOf(a, b);
      if (sizes[1] > 2.2f * sizes[0] || ab > std::max(reach[a], reach[b])) continue;
      for (int c = b + 1; c < count; c++) {
        const float least = std::min(sizes[0], finders[c].size), most = std::max(sizes[1], finders[c].size);
        const float bc = squareOf(b, c), ca = squareOf(c, a);
        if (most > 2.2f * least || bc > std::max(reach[b], reach[c]) || ca > std::max(reach[c], reach[a])) continue;
        // Opposite the longest side lies the right angle; steeply seen it may be another one.
        const float longest = std::max({ab, bc, ca});
        const int unseen = 48 - finders[a].directions - finders[b].directions - finders[c].directions;
        const float doubts = 0.5f * (most / least - 1) + 0.1f * static_cast<float>(unseen);
        for (int turn = 0; turn < 3; turn++) {
          const int corner = turn == 0 ? a : turn == 1 ? b : c;
          int over = turn == 0 ? b : turn == 1 ? c : a, under = turn == 0 ? c : turn == 1 ? a : b;
          const float opposite = turn == 0 ? bc : turn == 1 ? ca : ab;
          const float legs[2] = {std::sqrt(turn == 0 ? ab : turn == 1 ? bc : ca),
                                 std::sqrt(turn == 0 ? ca : turn == 1 ? ab : bc)};
          const float shorter = std::min(legs[0], legs[1]), longer = std::max(legs[0], legs[1]);
          const Point origin = finders[corner].at;
          const Point first = {finders[over].at.x - origin.x, finders[over].at.y - origin.y};
          const Point second = {finders[under].at.x - origin.x, finders[under].at.y - origin.y};
          const float lengths = std::hypot(first.x, first.y) * std::hypot(second.x, second.y);
          const float sine = (first.x * second.y - first.y * second.x) / lengths;
          if (sine < 0) std::swap(over, under);
          // Squares of seven modules are 14 to 170 apart.
          if (std::abs(sine) < 0.4f || longer > 1.8f * shorter || shorter < 1.1f || longer > 40) continue;
          const float bent = longest / opposite - 1;
          if (bent > 1) continue;
          const float skew = (1 - std::abs(sine)) + (longer / shorter - 1) + 2 * bent;
          result.push_back({{{corner, over, under}}, skew + 0.01f * longer + doubts});
        }
      }
    }
  std::sort(result.begin(), result.end(), [](const Three &a, const Three &b) {
    return std::tie(a.strangeness, a.at) < std::tie(b.strangeness, b.at);
  });
  return result;
}

/// Dark and light of the modules: each against the mean of those around it, after `equalising` took off what came over from
/// its four neighbours.
std::vector<uint8_t> parted(const std::vector<float> &shades, int side, float equalising) {
  constexpr int radius = 5;
  std::vector<float> sums(static_cast<size_t>(side + 1) * static_cast<size_t>(side + 1), 0);
  const int wide = side + 1;
  for (int row = 0; row < side; row++)
    for (int column = 0; column < side; column++)
      sums[(row + 1) * wide + column + 1] = shades[row * side + column] + sums[row * wide + column + 1] +
                                            sums[(row + 1) * wide + column] - sums[row * wide + column];
  std::vector<uint8_t> result(shades.size());
  for (int row = 0; row < side; row++) {
    const int top = std::max(0, row - radius), bottom = std::min(side, row + radius + 1);
    const float *upper = sums.data() + top * wide, *lower = sums.data() + bottom * wide;
    const float *here = shades.data() + row * side;
    for (int column = 0; column < side; column++) {
      const int left = std::max(0, column - radius), right = std::min(side, column + radius + 1);
      const float sum = lower[right] - upper[right] - lower[left] + upper[left];
      const auto area = static_cast<float>((right - left) * (bottom - top));
      float shade = here[column];
      if (equalising > 0) {
        // Beyond the code there is the mean.
        const float mean = sum / area;
        const float beside = (column > 0 ? here[column - 1] : mean) + (column + 1 < side ? here[column + 1] : mean) +
                             (row > 0 ? here[column - side] : mean) + (row + 1 < side ? here[column + side] : mean);
        shade += equalising * (4 * shade - beside);
      }
      result[row * side + column] = shade * area < sum ? 0 : 255;
    }
  }
  return result;
}

/// Draws what every QR code of this size has: the squares, the dotted lines between them and the version.
///
/// Source: ISO/IEC 18004, 6.3.3 to 6.3.5 and 7.10.
void drawFixedParts(std::vector<uint8_t> &field, int side) {
  const auto set = [&](int column, int row, bool isDark) { field[row * side + column] = isDark ? 0 : 255; };
  for (int index = 8; index < side - 8; index++) set(index, 6, index % 2 == 0), set(6, index, index % 2 == 0);
  for (int row = 0; row < 8; row++)
    for (int column = 0; column < 8; column++) {
      const int ring = std::max(std::abs(column - 3), std::abs(row - 3));
      const bool isDark = ring != 2 && ring != 4;
      set(column, row, isDark), set(side - 1 - column, row, isDark), set(column, side - 1 - row, isDark);
    }
  const int version = (side - 17) / 4;
  if (version < 7) return;
  int rest = version << 12;
  for (int bit = 17; bit >= 12; bit--)
    if (rest >> bit & 1) rest ^= 0x1F25 << (bit - 12);
  const int bits = version << 12 | rest;
  for (int index = 0; index < 18; index++) {
    const bool isDark = bits >> index & 1;
    set(index / 3, side - 11 + index % 3, isDark), set(side - 11 + index % 3, index / 3, isDark);
  }
}

/// - field: takes dark and light of the modules as they were read.
bool readModules(const std::vector<float> &seen, int side, std::vector<uint8_t> &field, cam_codes &codes) {
  for (const float equalising : {0.0f, 0.2f}) {
    field = parted(seen, side, equalising);
    drawFixedParts(field, side);
    if (readField(field.data(), side, codes)) return true;
  }
  return false;
}

/// Turns `grid` to where a code is read, and reads it.
bool readGrid(Grid &grid, const Shades &shades, int &cloths, cam_codes &codes) {
  const Grid guess = grid;
  const bool hasAlignment = fitAlignment(grid, shades);
  std::vector<uint8_t> field;
  if (!hasAlignment) {
    // Steep is rare, and asking the modules themselves where the corner is takes long.
    if (grid.dots > kClearDots && readModules(modules(grid, shades), grid.side, field, codes)) {
      fitFarEdges(grid, field, shades);
      return true;
    }
    fitFarModules(grid, shades);
  }
  if (readModules(modules(grid, shades), grid.side, field, codes)) {
    if (!hasAlignment) fitFarEdges(grid, field, shades);
    return true;
  }
  // What follows takes long; it is for what is a code almost for certain.
  if (grid.dots < kCertainDots || cloths-- <= 0) return false;
  if (hasAlignment) {
    Grid other = guess;
    fitFarModules(other, shades);
    if (readModules(modules(other, shades), grid.side, field, codes)) {
      fitFarEdges(other, field, shades);
      grid = other;
      return true;
    }
  }
  return readModules(modulesOnCloth(grid, shades), grid.side, field, codes);
}

}  // namespace

cam_codes *cam_fields_read(cam_luma gray, cam_luma binary, cam_field_options options) {
  try {
    auto codes = std::make_unique<cam_codes>();
    const uint8_t flip = options.isInverted ? 255 : 0;
    std::vector<Finder> finders = findFinders(gray, binary, flip, options.widest, kMostFinders);
    codes->finders = static_cast<int>(finders.size());
    const Shades shades = {gray, flip};
    std::vector<bool> isUsed(finders.size(), false);
    const int mostCloths = options.isCrumpled ? kMostCloths : 0;
    int tries = 0, glances = 0, cloths = mostCloths;
    const int mostGlances = kMoreGlances + (codes->finders > kFew ? kGlancesEach * codes->finders : 0);
    for (const Three &three : threes(finders)) {
      if (isUsed[three.at[0]] || isUsed[three.at[1]] || isUsed[three.at[2]]) continue;
      if (glances++ >= mostGlances || tries >= kMostThrees) break;
      const std::array<Finder, 3> squares = {finders[three.at[0]], finders[three.at[1]], finders[three.at[2]]};
      std::vector<Grid> grids = gridsThrough(squares, binary, shades);
      if (!grids.empty()) tries++;
      for (Grid &grid : grids) {
        if (!readGrid(grid, shades, cloths, *codes)) continue;
        cam_code &code = codes->codes.back();
        const auto side = static_cast<float>(grid.side);
        const Point corners[4] = {grid(0, 0), grid(side, 0), grid(side, side), grid(0, side)};
        for (int index = 0; index < 4; index++) {
          code.corners[2 * index] = corners[index].x;
          code.corners[2 * index + 1] = corners[index].y;
        }
        for (const int index : three.at) isUsed[index] = true;
        tries = 0, glances = 0, cloths = mostCloths;
        break;
      }
      if (static_cast<int>(codes->codes.size()) >= options.maximumCount) break;
    }
    return codes.release();
  } catch (...) {
    return nullptr;
  }
}
