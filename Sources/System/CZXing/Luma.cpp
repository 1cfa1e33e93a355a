#include <algorithm>
#include <memory>
#include <new>
#include <cstring>

#include "CZXing.h"

namespace {

constexpr bool kFirstIsLow = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

const uint8_t *rowOf(const cam_luma &source, int y) { return source.pixels + y * source.stride; }

}  // namespace

void cam_luma_shrink(cam_luma source, int factor, uint8_t *target, ptrdiff_t targetStride) {
  const int width = source.width / factor, height = source.height / factor, area = factor * factor;
  for (int y = 0; y < height; y++) {
    uint8_t *out = target + y * targetStride;
    if (factor == 3) {
      // Down first, so that most of it works on several pixels at once.
      const uint8_t *upper = rowOf(source, 3 * y), *middle = rowOf(source, 3 * y + 1), *lower = rowOf(source, 3 * y + 2);
      constexpr int kAtOnce = 32;
      for (int start = 0; start < width; start += kAtOnce) {
        const int here = std::min(kAtOnce, width - start), first = 3 * start;
        uint16_t sums[3 * kAtOnce];
        for (int x = 0; x < 3 * here; x++)
          sums[x] = static_cast<uint16_t>(upper[first + x] + middle[first + x] + lower[first + x]);
        for (int x = 0; x < here; x++)
          out[start + x] = static_cast<uint8_t>((sums[3 * x] + sums[3 * x + 1] + sums[3 * x + 2] + 4) / 9);
      }
      continue;
    }
    if (factor == 2) {
      const uint8_t *upper = rowOf(source, 2 * y), *lower = rowOf(source, 2 * y + 1);
      for (int x = 0; x < width; x++)
        out[x] = static_cast<uint8_t>(
            (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1] + 2) / 4);
      continue;
    }
    for (int x = 0; x < width; x++) {
      int sum = area / 2;
      for (int dy = 0; dy < factor; dy++) {
        const uint8_t *in = rowOf(source, factor * y + dy) + factor * x;
        for (int dx = 0; dx < factor; dx++) sum += in[dx];
      }
      out[x] = static_cast<uint8_t>(sum / area);
    }
  }
}

int cam_luma_enlarge(cam_luma source, uint8_t *target, ptrdiff_t targetStride) {
  const int width = source.width, height = source.height;
  // Once more at each end: beyond the edge it goes on as it is.
  std::unique_ptr<uint16_t[]> blend(new (std::nothrow) uint16_t[static_cast<size_t>(width) + 2]);
  if (!blend) return 0;
  uint16_t *middle = blend.get() + 1;
  for (int y = 0; y < 2 * height; y++) {
    // Each new pixel's middle lies a quarter of an old pixel from the nearest old middle.
    const uint8_t *near = rowOf(source, y / 2);
    const uint8_t *far = rowOf(source, std::clamp(y % 2 == 0 ? y / 2 - 1 : y / 2 + 1, 0, height - 1));
    for (int x = 0; x < width; x++) middle[x] = static_cast<uint16_t>(3 * near[x] + far[x]);
    middle[-1] = middle[0], middle[width] = middle[width - 1];
    uint8_t *out = target + y * targetStride;
    for (int x = 0; x < width; x++) {
      const auto left = static_cast<uint16_t>(static_cast<uint16_t>(3 * middle[x] + middle[x - 1] + 8) >> 4);
      const auto right = static_cast<uint16_t>(static_cast<uint16_t>(3 * middle[x] + middle[x + 1] + 8) >> 4);
      const auto pair = static_cast<uint16_t>(kFirstIsLow ? left | right << 8 : left << 8 | right);
      std::memcpy(out + 2 * x, &pair, 2);
    }
  }
  return 1;
}

void cam_luma_invert(cam_luma source, uint8_t *target, ptrdiff_t targetStride) {
  for (int y = 0; y < source.height; y++) {
    const uint8_t *in = rowOf(source, y);
    uint8_t *out = target + y * targetStride;
    for (int x = 0; x < source.width; x++) out[x] = static_cast<uint8_t>(255 - in[x]);
  }
}

void cam_luma_smooth(cam_luma source, uint8_t *target, ptrdiff_t targetStride) {
  for (int y = 0; y < source.height; y++) {
    uint8_t *out = target + y * targetStride;
    const uint8_t *middle = rowOf(source, y);
    if (y == 0 || y == source.height - 1 || source.width < 3) {
      std::memcpy(out, middle, static_cast<size_t>(source.width));
      continue;
    }
    const uint8_t *upper = rowOf(source, y - 1), *lower = rowOf(source, y + 1);
    out[0] = middle[0];
    out[source.width - 1] = middle[source.width - 1];
    for (int x = 1; x < source.width - 1; x++) {
      int sum = 4;
      for (int dx = -1; dx <= 1; dx++) sum += upper[x + dx] + middle[x + dx] + lower[x + dx];
      out[x] = static_cast<uint8_t>(sum / 9);
    }
  }
}

int cam_luma_sharpen(cam_luma source, int radius, float amount, uint8_t *target, ptrdiff_t targetStride) {
  // Sums of columns that slide down, and of those a window that slides right: the radius costs nothing.
  std::unique_ptr<int[]> columns(new (std::nothrow) int[static_cast<size_t>(source.width)]());
  if (!columns) return 0;
  const int gain = static_cast<int>(amount * 256);
  int rows = 0;
  for (int y = 0; y < std::min(radius, source.height); y++, rows++)
    for (int x = 0; x < source.width; x++) columns[x] += rowOf(source, y)[x];
  for (int y = 0; y < source.height; y++) {
    if (y + radius < source.height) {
      for (int x = 0; x < source.width; x++) columns[x] += rowOf(source, y + radius)[x];
      rows++;
    }
    if (y - radius - 1 >= 0) {
      for (int x = 0; x < source.width; x++) columns[x] -= rowOf(source, y - radius - 1)[x];
      rows--;
    }
    const uint8_t *in = rowOf(source, y);
    uint8_t *out = target + y * targetStride;
    int sum = 0, count = 0, dividedBy = 0;
    float inverse = 0;
    for (int x = 0; x < std::min(radius, source.width); x++, count++) sum += columns[x];
    for (int x = 0; x < source.width; x++) {
      if (x + radius < source.width) sum += columns[x + radius], count++;
      if (x - radius - 1 >= 0) sum -= columns[x - radius - 1], count--;
      // Between the edges the number of neighbours stays the same, and a division for each pixel would be half of the cost.
      if (count != dividedBy) dividedBy = count, inverse = 1.0f / static_cast<float>(count * rows);
      const int mean = static_cast<int>(static_cast<float>(sum) * inverse);
      out[x] = static_cast<uint8_t>(std::clamp(in[x] + (in[x] - mean) * gain / 256, 0, 255));
    }
  }
  return 1;
}
