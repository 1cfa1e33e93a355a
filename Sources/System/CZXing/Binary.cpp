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

/// One row against a threshold for each pixel: dark where it is no lighter.
void compare(const uint8_t *row, const uint8_t *thresholds, int width, uint8_t *out) {
  for (int x = 0; x < width; x++) out[x] = row[x] <= thresholds[x] ? 0 : 255;
}

/// The darkest and lightest pixel and the sum of each column of a block's rows.
void addUp(const uint8_t *row, ptrdiff_t stride, int width, uint8_t *__restrict darkest, uint8_t *__restrict lightest,
           uint16_t *__restrict sums) {
  static_assert(kBlock == 8);
  const uint8_t *a = row, *b = a + stride, *c = b + stride, *d = c + stride;
  const uint8_t *e = d + stride, *f = e + stride, *g = f + stride, *h = g + stride;
  for (int x = 0; x < width; x++)
    darkest[x] = std::min(std::min(std::min(a[x], b[x]), std::min(c[x], d[x])),
                          std::min(std::min(e[x], f[x]), std::min(g[x], h[x])));
  for (int x = 0; x < width; x++)
    lightest[x] = std::max(std::max(std::max(a[x], b[x]), std::max(c[x], d[x])),
                           std::max(std::max(e[x], f[x]), std::max(g[x], h[x])));
  for (int x = 0; x < width; x++) sums[x] = static_cast<uint16_t>(a[x] + b[x] + c[x] + d[x] + e[x] + f[x] + g[x] + h[x]);
}

/// The level that each block of 8 × 8 pixels is parted at; the last of a row and column overlap those before them.
///
/// As the library's own `HybridBinarizer`, so that the same codes are read, at a quarter of its cost.
void levels(const cam_luma &source, int columns, int rows, uint8_t *extremes, uint16_t *sums, uint8_t *result) {
  const int width = source.width;
  uint8_t *darkest = extremes, *lightest = extremes + width;
  for (int row = 0; row < rows; row++) {
    addUp(rowOf(source, std::min(row * kBlock, source.height - kBlock)), source.stride, width, darkest, lightest, sums);
    uint8_t *out = result + row * columns;
    const uint8_t *above = out - columns;
    for (int column = 0; column < columns; column++) {
      const int left = std::min(column * kBlock, width - kBlock);
      int sum = 0, low = 255, high = 0;
      for (int x = left; x < left + kBlock; x++) {
        sum += sums[x];
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

int byNeighbourhood(const cam_luma &source, uint8_t *target, ptrdiff_t targetStride) {
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
      compare(rowOf(source, y), thresholds, width, target + y * targetStride);
  }
  return 1;
}

/// Otsu's threshold: where the two parts differ the most.
///
/// Source: Otsu, A Threshold Selection Method from Gray-Level Histograms (1979), equation 18.
int otsu(const cam_luma &source) {
  // Four tables: equal neighbours would wait for each other in one.
  uint32_t counts[4][256] = {};
  // Of large pictures half the rows give the same result.
  for (int y = 0; y < source.height; y += source.height < 128 ? 1 : 2) {
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

int byHistogram(const cam_luma &source, uint8_t *target, ptrdiff_t targetStride) {
  const auto threshold = static_cast<uint8_t>(otsu(source));
  for (int y = 0; y < source.height; y++) {
    const uint8_t *in = rowOf(source, y);
    uint8_t *out = target + y * targetStride;
    for (int x = 0; x < source.width; x++) out[x] = in[x] <= threshold ? 0 : 255;
  }
  return 1;
}

int byMean(const cam_luma &source, int radius, uint8_t *target, ptrdiff_t targetStride) {
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
    compare(rowOf(source, y), means.get(), width, target + y * targetStride);
  }
  return 1;
}

}  // namespace

int cam_luma_binarize(cam_luma source, cam_threshold threshold, int radius, uint8_t *target, ptrdiff_t targetStride) {
  if (threshold == CAM_THRESHOLD_MEAN) return byMean(source, radius, target, targetStride);
  // Five blocks each way are what a neighbourhood takes.
  if (threshold == CAM_THRESHOLD_WHOLE || source.width < 5 * kBlock || source.height < 5 * kBlock)
    return byHistogram(source, target, targetStride);
  return byNeighbourhood(source, target, targetStride);
}
