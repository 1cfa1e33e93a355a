#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>

#include "CZXing.h"

namespace {

constexpr int kBlock = 8;
/// Blocks with less between their darkest and lightest pixel are taken for even ground.
constexpr int kLeastRange = 24;

const uint8_t *rowOf(const cam_luma &source, int y) { return source.pixels + y * source.stride; }

/// One row against a threshold for each pixel: dark where it is no lighter. `flip` is 0, or 255 to exchange both.
void compare(const uint8_t *row, const uint8_t *thresholds, int width, uint8_t flip, uint8_t *out) {
  for (int x = 0; x < width; x++) out[x] = static_cast<uint8_t>((row[x] <= thresholds[x] ? 0 : 255) ^ flip);
}

/// The level that each block of 8 × 8 pixels is parted at; the last of a row and column overlap those before them.
///
/// As the library's own `HybridBinarizer`, so that the same codes are read, at a quarter of its cost.
void levels(const cam_luma &source, int columns, int rows, uint8_t *sums, uint16_t *scratch, uint8_t *result) {
  const int width = source.width;
  uint8_t *darkest = sums, *lightest = sums + width;
  for (int row = 0; row < rows; row++) {
    const int top = std::min(row * kBlock, source.height - kBlock);
    std::memcpy(darkest, rowOf(source, top), static_cast<size_t>(width));
    std::memcpy(lightest, rowOf(source, top), static_cast<size_t>(width));
    for (int x = 0; x < width; x++) scratch[x] = darkest[x];
    for (int y = top + 1; y < top + kBlock; y++) {
      const uint8_t *in = rowOf(source, y);
      for (int x = 0; x < width; x++) {
        darkest[x] = std::min(darkest[x], in[x]);
        lightest[x] = std::max(lightest[x], in[x]);
        scratch[x] = static_cast<uint16_t>(scratch[x] + in[x]);
      }
    }
    uint8_t *out = result + row * columns;
    const uint8_t *above = out - columns;
    for (int column = 0; column < columns; column++) {
      const int left = std::min(column * kBlock, width - kBlock);
      int sum = 0, low = 255, high = 0;
      for (int x = left; x < left + kBlock; x++) {
        sum += scratch[x];
        low = std::min<int>(low, darkest[x]);
        high = std::max<int>(high, lightest[x]);
      }
      int level = sum / (kBlock * kBlock);
      if (high - low <= kLeastRange) {
        // Light, unless the neighbours say that this is dark.
        level = low / 2;
        if (row > 0 && column > 0) {
          const int around = (above[column] + 2 * out[column - 1] + above[column - 1]) / 4;
          if (low < around) level = around;
        }
      }
      out[column] = static_cast<uint8_t>(level);
    }
  }
}

int byNeighbourhood(const cam_luma &source, uint8_t flip, uint8_t *target, ptrdiff_t targetStride) {
  const int width = source.width, height = source.height;
  const int columns = (width + kBlock - 1) / kBlock, rows = (height + kBlock - 1) / kBlock;
  const size_t count = static_cast<size_t>(columns) * static_cast<size_t>(rows);
  std::unique_ptr<uint8_t[]> memory(new (std::nothrow) uint8_t[3 * static_cast<size_t>(width) + count]);
  std::unique_ptr<uint16_t[]> sums(new (std::nothrow) uint16_t[static_cast<size_t>(width)]);
  if (!memory || !sums) return 0;
  uint8_t *thresholds = memory.get() + 2 * width, *level = thresholds + width;
  levels(source, columns, rows, memory.get(), sums.get(), level);
  for (int row = 0; row < rows; row++) {
    const int top = std::clamp(row - 2, 0, rows - 5);
    for (int column = 0; column < columns; column++) sums[column] = 0;
    for (int y = top; y < top + 5; y++)
      for (int column = 0; column < columns; column++)
        sums[column] = static_cast<uint16_t>(sums[column] + level[y * columns + column]);
    for (int column = 0; column < columns; column++) {
      const int left = std::clamp(column - 2, 0, columns - 5);
      const int mean = (sums[left] + sums[left + 1] + sums[left + 2] + sums[left + 3] + sums[left + 4]) / 25;
      std::memset(thresholds + std::min(column * kBlock, width - kBlock), mean, kBlock);
    }
    const int start = std::min(row * kBlock, height - kBlock);
    for (int y = start; y < start + kBlock; y++)
      compare(rowOf(source, y), thresholds, width, flip, target + y * targetStride);
  }
  return 1;
}

/// Otsu's threshold: where the two parts differ the most.
///
/// Source: Otsu, A Threshold Selection Method from Gray-Level Histograms (1979), equation 18.
int otsu(const cam_luma &source) {
  // Four tables: equal neighbours would wait for each other in one.
  uint32_t counts[4][256] = {};
  for (int y = 0; y < source.height; y++) {
    const uint8_t *in = rowOf(source, y);
    int x = 0;
    for (; x + 4 <= source.width; x += 4)
      for (int lane = 0; lane < 4; lane++) counts[lane][in[x + lane]]++;
    for (; x < source.width; x++) counts[0][in[x]]++;
  }
  double total = 0, sum = 0;
  for (int level = 0; level < 256; level++) {
    counts[0][level] += counts[1][level] + counts[2][level] + counts[3][level];
    total += counts[0][level];
    sum += static_cast<double>(level) * counts[0][level];
  }
  double dark = 0, darkSum = 0, best = -1;
  int result = 0;
  for (int level = 0; level < 256; level++) {
    dark += counts[0][level];
    darkSum += static_cast<double>(level) * counts[0][level];
    if (dark == 0 || dark == total) continue;
    const double apart = darkSum / dark - (sum - darkSum) / (total - dark);
    const double variance = dark * (total - dark) * apart * apart;
    if (variance > best) best = variance, result = level;
  }
  return result;
}

int byHistogram(const cam_luma &source, uint8_t flip, uint8_t *target, ptrdiff_t targetStride) {
  const auto threshold = static_cast<uint8_t>(otsu(source));
  for (int y = 0; y < source.height; y++) {
    const uint8_t *in = rowOf(source, y);
    uint8_t *out = target + y * targetStride;
    for (int x = 0; x < source.width; x++) out[x] = static_cast<uint8_t>((in[x] <= threshold ? 0 : 255) ^ flip);
  }
  return 1;
}

int byMean(const cam_luma &source, int radius, uint8_t flip, uint8_t *target, ptrdiff_t targetStride) {
  const int width = source.width, height = source.height;
  // Sums of columns that slide down, and of those a window that slides right: the radius costs nothing.
  std::unique_ptr<int32_t[]> columns(new (std::nothrow) int32_t[static_cast<size_t>(width)]());
  std::unique_ptr<uint8_t[]> means(new (std::nothrow) uint8_t[static_cast<size_t>(width)]);
  if (!columns || !means) return 0;
  int rows = 0;
  for (int y = 0; y < std::min(radius, height); y++, rows++)
    for (int x = 0; x < width; x++) columns[x] += rowOf(source, y)[x];
  for (int y = 0; y < height; y++) {
    if (y + radius < height) {
      const uint8_t *in = rowOf(source, y + radius);
      for (int x = 0; x < width; x++) columns[x] += in[x];
      rows++;
    }
    if (y - radius - 1 >= 0) {
      const uint8_t *in = rowOf(source, y - radius - 1);
      for (int x = 0; x < width; x++) columns[x] -= in[x];
      rows--;
    }
    int sum = 0, count = 0, dividedBy = 0;
    float inverse = 0;
    for (int x = 0; x < std::min(radius, width); x++, count++) sum += columns[x];
    for (int x = 0; x < width; x++) {
      if (x + radius < width) sum += columns[x + radius], count++;
      if (x - radius - 1 >= 0) sum -= columns[x - radius - 1], count--;
      // Between the edges the number of neighbours stays the same, and a division for each pixel would be half of the cost.
      if (count != dividedBy) dividedBy = count, inverse = 1.0f / static_cast<float>(count * rows);
      // Even ground is light: a pixel is dark when it is darker than the mean.
      means[x] = static_cast<uint8_t>(std::max(0.0f, std::ceil(static_cast<float>(sum) * inverse) - 1));
    }
    compare(rowOf(source, y), means.get(), width, flip, target + y * targetStride);
  }
  return 1;
}

// MARK: - Finder patterns

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
bool isFinder(const cam_luma &binary, int x, int y, int dx, int dy, int reach, int *offset) {
  const uint8_t *pixel = rowOf(binary, y) + x;
  if (*pixel != 0) return false;
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

struct Finder {
  int x, y, size;
};

/// Where pixels differ from the one before, with 0 and `width` at the ends; the index of the last is returned.
int findEdges(const uint8_t *row, int width, int32_t *edges) {
  int last = 0;
  edges[0] = 0;
  int x = 1;
  for (; x + 8 <= width; x += 8) {
    uint64_t here, before;
    std::memcpy(&here, row + x, 8);
    std::memcpy(&before, row + x - 1, 8);
    for (uint64_t changes = here ^ before; changes != 0;) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
      const int place = __builtin_ctzll(changes) / 8;
      changes &= ~(UINT64_C(0xFF) << (8 * place));
#else
      const int place = __builtin_clzll(changes) / 8;
      changes &= ~(UINT64_C(0xFF) << (56 - 8 * place));
#endif
      edges[++last] = x + place;
    }
  }
  for (; x < width; x++)
    if (row[x] != row[x - 1]) edges[++last] = x;
  edges[++last] = width;
  return last;
}

}  // namespace

int cam_luma_binarize(cam_luma source, cam_threshold threshold, int radius, int inverts, uint8_t *target,
                      ptrdiff_t targetStride) {
  const uint8_t flip = inverts ? 255 : 0;
  if (threshold == CAM_THRESHOLD_MEAN) return byMean(source, radius, flip, target, targetStride);
  // Five blocks each way are what a neighbourhood takes.
  if (threshold == CAM_THRESHOLD_WHOLE || source.width < 5 * kBlock || source.height < 5 * kBlock)
    return byHistogram(source, flip, target, targetStride);
  return byNeighbourhood(source, flip, target, targetStride);
}

int cam_finders_count(cam_luma binary, int widest, int limit) {
  constexpr int kMost = 64, kRowsBetween = 3;
  Finder found[kMost];
  int count = 0;
  limit = std::min(limit, kMost);
  // Where the kind of pixel changes, row by row; the row's own ends among them.
  std::unique_ptr<int32_t[]> edges(new (std::nothrow) int32_t[static_cast<size_t>(binary.width) + 1]);
  // What is not known must be looked at.
  if (!edges) return limit;
  for (int y = kRowsBetween - 1; y < binary.height && count < limit; y += kRowsBetween) {
    const uint8_t *row = rowOf(binary, y);
    const int last = findEdges(row, binary.width, edges.get());
    for (int first = row[0] == 0 ? 0 : 1; first + 5 <= last && count < limit; first += 2) {
      const int32_t *edge = edges.get() + first;
      const int middle = edge[3] - edge[2];
      // Most runs are told apart by this alone.
      if (middle < edge[2] - edge[1] || middle < edge[4] - edge[3]) continue;
      const int runs[5] = {edge[1] - edge[0], edge[2] - edge[1], middle, edge[4] - edge[3], edge[5] - edge[4]};
      if (!isFinder(runs, 3)) continue;
      const int size = edge[5] - edge[0], x = edge[2] + middle / 2;
      if (size > widest) continue;
      const bool isKnown = std::any_of(found, found + count, [&](const Finder &old) {
        const int dx = old.x - x, dy = old.y - y;
        return 4 * (dx * dx + dy * dy) < old.size * old.size;
      });
      int down = 0;
      if (!isKnown && isFinder(binary, x, y, 0, 1, 2 * size, &down) &&
          isFinder(binary, x, y + down, 1, 1, 2 * size, nullptr) &&
          isFinder(binary, x, y + down, 1, -1, 2 * size, nullptr))
        found[count++] = {x, y + down, size};
    }
  }
  return count;
}
