#include "Finders.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <tuple>

namespace {

constexpr int kRowsBetween = 3;
/// Of sixteen.
constexpr int kLeastDirections = 12;
/// How much darker the dark parts are than the light ones, at least, in ranges of the picture's noise, on a row and all around.
/// What is dark or light by noise alone is 0.4 of them apart.
constexpr float kLeastContrastOnRow = 0.5f, kLeastContrast = 0.6f;
/// In noise there are many: of so many only those with the most contrast are remembered.
constexpr size_t kMost = 256;

const uint8_t *rowOf(const cam_luma &source, int y) { return source.pixels + y * source.stride; }

/// What a finder pattern looks like along a line: dark and light in widths of 1 : 1 : 3 : 1 : 1.
///
/// - quarters: by how many quarters of a module each may differ, and half a pixel more.
bool isFinder(const int *runs, int quarters) {
  constexpr int kModules[5] = {1, 1, 3, 1, 1};
  const int sum = runs[0] + runs[1] + runs[2] + runs[3] + runs[4];
  if (sum < 7) return false;
  // In 28ths of a pixel: a module is a seventh of the sum.
  const int slack = quarters * sum + 14;
  for (int index = 0; index < 5; index++)
    if (std::abs(28 * runs[index] - 4 * kModules[index] * sum) > slack) return false;
  return true;
}

/// How many pixels of the same kind follow in steps of `step` from (and without) `pixel`, at most `limit`.
int runLength(const uint8_t *pixel, ptrdiff_t step, int limit) {
  int length = 0;
  while (length < limit && pixel[(length + 1) * step] == *pixel) length++;
  return length;
}

/// Whether a line through (x, y) has a finder pattern there, `reach` pixels each way; (dx, dy) is its direction.
///
/// - offset: takes the way in steps to the pattern's middle, where it is not `nullptr`.
bool isFinder(const cam_luma &binary, uint8_t dark, int x, int y, int dx, int dy, int reach, int *offset) {
  const uint8_t *pixel = rowOf(binary, y) + x;
  if (*pixel != dark) return false;
  int runs[5] = {0, 0, 1, 0, 0}, ways[2];
  for (const int way : {-1, 1}) {
    const ptrdiff_t step = way * (dy * binary.stride + dx);
    int room = reach;
    if (dy != 0) room = std::min(room, way * dy < 0 ? y : binary.height - 1 - y);
    if (dx != 0) room = std::min(room, way * dx < 0 ? x : binary.width - 1 - x);
    int done = runLength(pixel, step, room);
    runs[2] += done;
    ways[way > 0] = done;
    for (const int part : {1, 2}) {
      if (done >= room) return false;
      const int length = 1 + runLength(pixel + (done + 1) * step, step, room - done - 1);
      runs[2 + way * part] = length;
      done += length;
    }
  }
  if (offset != nullptr) *offset = (ways[1] - ways[0]) / 2;
  return isFinder(runs, 4);
}

/// The middle of mass of the dark square around (x, y), which is three modules wide.
Point middle(const cam_luma &binary, uint8_t dark, int x, int y, int size, float &area) {
  double sum = 0, sumX = 0, sumY = 0;
  for (const int way : {-1, 1}) {
    int inside = x;
    for (int row = way < 0 ? y : y + 1; std::abs(row - y) <= size / 2; row += way) {
      if (row < 0 || row >= binary.height) break;
      const uint8_t *pixel = rowOf(binary, row);
      if (pixel[inside] != dark) break;
      int left = inside, right = inside + 1;
      while (left > 0 && pixel[left - 1] == dark && x - left < size / 2) left--;
      while (right < binary.width && pixel[right] == dark && right - x < size / 2) right++;
      sum += right - left;
      sumX += 0.5 * (right - left) * (right + left);
      sumY += (right - left) * (row + 0.5);
      inside = (left + right) / 2;
    }
  }
  area = static_cast<float>(sum);
  return {static_cast<float>(sumX / sum), static_cast<float>(sumY / sum)};
}

/// In how many of sixteen directions from the middle a dark square, a light ring and a dark one follow each other; 0 where
/// those are too few.
///
/// - contrast: takes how much darker the dark ring is than the light one, in the mean of those.
int directionsSeen(const cam_luma &gray, const cam_luma &binary, uint8_t dark, Point middle, int size, float &contrast) {
  static constexpr float kWays[16][2] = {
      {1, 0},  {0.92f, 0.38f},   {0.71f, 0.71f},   {0.38f, 0.92f},   {0, 1},  {-0.38f, 0.92f}, {-0.71f, 0.71f}, {-0.92f, 0.38f},
      {-1, 0}, {-0.92f, -0.38f}, {-0.71f, -0.71f}, {-0.38f, -0.92f}, {0, -1}, {0.38f, -0.92f}, {0.71f, -0.71f}, {0.92f, -0.38f}};
  // In fractions of a pixel, for speed.
  constexpr int kOne = 1 << 12;
  const auto endX = static_cast<unsigned>(binary.width) * kOne, endY = static_cast<unsigned>(binary.height) * kOne;
  const int startX = static_cast<int>(middle.x * kOne), startY = static_cast<int>(middle.y * kOne);
  int seen = 0, difference = 0;
  for (int index = 0; index < 16; index++) {
    const float *way = kWays[index];
    int edges[3] = {0, 0, 0}, count = 0;
    const int dx = static_cast<int>(way[0] * kOne), dy = static_cast<int>(way[1] * kOne);
    int x = startX, y = startY;
    for (int step = 1; count < 3 && step <= size + 2; step++) {
      x += dx, y += dy;
      // Beyond the picture there is paper; what is negative is huge without a sign.
      const bool isDark = static_cast<unsigned>(x) < endX && static_cast<unsigned>(y) < endY &&
                          rowOf(binary, y / kOne)[x / kOne] == dark;
      if (isDark == (count == 1)) edges[count++] = step;
    }
    // 1.5, 2.5 and 3.5 modules away, in any direction; each edge lies up to a step nearer.
    if (count < 3 || 10 * edges[1] >= 23 * edges[0] + 20 || 10 * edges[1] + 20 <= 12 * edges[0] ||
        10 * edges[2] >= 20 * edges[1] + 20 || 10 * edges[2] + 20 <= 11 * edges[1]) {
      if (index + 1 - seen > 16 - kLeastDirections) return 0;
      continue;
    }
    seen++;
    // In the middle of the light ring and of the dark one; what is between places that were seen lies inside the picture.
    const auto shadeAt = [&](int halfSteps) {
      return static_cast<int>(rowOf(gray, (startY + dy * halfSteps / 2) / kOne)[(startX + dx * halfSteps / 2) / kOne]);
    };
    difference += shadeAt(edges[0] + edges[1] - 1) - shadeAt(edges[1] + edges[2] - 1);
  }
  contrast = static_cast<float>(dark == 0 ? difference : -difference) / static_cast<float>(seen);
  return seen;
}

/// Where pixels differ from the one before, with 0 and `width` at the ends; the index of the last is returned.
int findEdges(const uint8_t *row, int width, int32_t *edges) {
  int last = 0;
  edges[0] = 0;
  int x = 1;
  for (; x + 8 <= width; x += 8) {
    uint64_t here, before;
    std::memcpy(&here, row + x, 8);
    std::memcpy(&before, row + x - 1, 8);
    // One bit for each pixel is enough.
    uint64_t changes = (here ^ before) & UINT64_C(0x0101010101010101);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    changes = __builtin_bswap64(changes);
#endif
    for (; changes != 0; changes &= changes - 1) edges[++last] = x + __builtin_ctzll(changes) / 8;
  }
  for (; x < width; x++)
    if (row[x] != row[x - 1]) edges[++last] = x;
  edges[++last] = width;
  return last;
}

/// How much darker the dark runs of five are than the light ones, by the pixel in the middle of each.
float contrastOnRow(const uint8_t *row, const int32_t *edges, uint8_t dark) {
  const auto shadeOf = [&](int run) { return static_cast<int>(row[(edges[run] + edges[run + 1]) / 2]); };
  const int sixfold = 3 * (shadeOf(1) + shadeOf(3)) - 2 * (shadeOf(0) + shadeOf(2) + shadeOf(4));
  return static_cast<float>(dark == 0 ? sixfold : -sixfold) / 6;
}

/// How far apart the darkest and the lightest pixel of 8 × 8 are where the picture is even, which is what noise makes; 0 of
/// pictures smaller than that.
int noiseRange(const cam_luma &gray) {
  constexpr int kBlock = 8, kBlocks = 10;
  const int columns = std::min(kBlocks, gray.width / kBlock), rows = std::min(kBlocks, gray.height / kBlock);
  std::vector<uint8_t> ranges;
  ranges.reserve(static_cast<size_t>(columns * rows));
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < columns; column++) {
      const int x = (gray.width - kBlock) * column / std::max(1, columns - 1);
      const int top = (gray.height - kBlock) * row / std::max(1, rows - 1);
      uint8_t low[kBlock], high[kBlock];
      std::memcpy(low, rowOf(gray, top) + x, kBlock);
      std::memcpy(high, low, kBlock);
      for (int y = 1; y < kBlock; y++) {
        const uint8_t *in = rowOf(gray, top + y) + x;
        for (int index = 0; index < kBlock; index++) low[index] = std::min(low[index], in[index]);
        for (int index = 0; index < kBlock; index++) high[index] = std::max(high[index], in[index]);
      }
      const int lightest = *std::max_element(high, high + kBlock), darkest = *std::min_element(low, low + kBlock);
      ranges.push_back(static_cast<uint8_t>(lightest - darkest));
    }
  if (ranges.empty()) return 0;
  const auto tenth = ranges.begin() + static_cast<ptrdiff_t>(ranges.size() / 10);
  std::nth_element(ranges.begin(), tenth, ranges.end());
  return *tenth;
}

/// Keeps the `limit` with the most contrast.
void keep(std::vector<Finder> &found, size_t limit) {
  std::sort(found.begin(), found.end(), [](const Finder &a, const Finder &b) {
    return std::tie(b.contrast, a.at.y, a.at.x) < std::tie(a.contrast, b.at.y, b.at.x);
  });
  if (found.size() > limit) found.erase(found.begin() + static_cast<ptrdiff_t>(limit), found.end());
}

}  // namespace

std::vector<Finder> findFinders(const cam_luma &gray, const cam_luma &binary, uint8_t dark, int widest, size_t limit) {
  std::vector<Finder> found;
  // Most views have nothing that it is needed for.
  float noise = -1;
  // Where the kind of pixel changes, row by row; the row's own ends among them.
  std::vector<int32_t> edges(static_cast<size_t>(binary.width) + 1);
  for (int y = kRowsBetween - 1; y < binary.height; y += kRowsBetween) {
    const uint8_t *row = rowOf(binary, y);
    const int last = findEdges(row, binary.width, edges.data());
    for (int first = row[0] == dark ? 0 : 1; first + 5 <= last; first += 2) {
      const int32_t *edge = edges.data() + first;
      const int middleRun = edge[3] - edge[2];
      // Most runs are rejected by this alone.
      if (middleRun < edge[2] - edge[1] || middleRun < edge[4] - edge[3]) continue;
      const int runs[5] = {edge[1] - edge[0], edge[2] - edge[1], middleRun, edge[4] - edge[3],
                           edge[5] - edge[4]};
      if (!isFinder(runs, 3)) continue;
      const int size = edge[5] - edge[0], x = edge[2] + middleRun / 2;
      if (size > widest) continue;
      if (noise < 0) noise = static_cast<float>(noiseRange(gray));
      if (contrastOnRow(rowOf(gray, y), edge, dark) < kLeastContrastOnRow * noise) continue;
      int down = 0;
      if (!isFinder(binary, dark, x, y, 0, 1, 2 * size, &down)) continue;
      if (!isFinder(binary, dark, x, y + down, 1, 1, 2 * size, nullptr) ||
          !isFinder(binary, dark, x, y + down, 1, -1, 2 * size, nullptr))
        continue;
      const bool isKnown = std::any_of(found.begin(), found.end(), [&](const Finder &old) {
        const float dx = old.at.x - static_cast<float>(x), dy = old.at.y - static_cast<float>(y);
        return 4 * (dx * dx + dy * dy) < old.size * old.size;
      });
      if (isKnown) continue;
      float area = 0, contrast = 0;
      const Point at = middle(binary, dark, x, y + down, size, area);
      const int directions = directionsSeen(gray, binary, dark, at, size, contrast);
      if (directions < kLeastDirections || contrast <= kLeastContrast * noise) continue;
      // The dark square is nine modules; where it runs into something else, the row knows better.
      const auto onRow = static_cast<float>(size);
      found.push_back({at, std::clamp(7 * std::sqrt(area) / 3, 0.6f * onRow, 1.2f * onRow), directions, contrast});
      if (found.size() == kMost) keep(found, kMost / 2);
    }
  }
  keep(found, limit);
  // What has so much less contrast than three others is noise, unless those are: a code has three alike.
  const auto isNoise = [&](const Finder &one) { return one.contrast < 0.2f * found[2].contrast; };
  if (found.size() > 3) found.erase(std::find_if(found.begin() + 3, found.end(), isNoise), found.end());
  return found;
}
