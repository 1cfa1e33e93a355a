#include "Shades.h"

void Shades::between(const Point *places, int count, float *result) const {
  // Each step on its own, so that all but the loads work on several at once.
  constexpr int kAtOnce = 32;
  const float mostX = static_cast<float>(source.width) - 1.02f, mostY = static_cast<float>(source.height) - 1.02f;
  const float sign = flip ? -1.0f / 4096 : 1.0f / 4096;
  const float base = flip ? 255 : 0;
  for (int start = 0; start < count; start += kAtOnce) {
    const int here = std::min(kAtOnce, count - start);
    // In 64ths of a pixel.
    int32_t x[kAtOnce], y[kAtOnce];
    uint8_t corners[4][kAtOnce];
    for (int index = 0; index < here; index++) {
      x[index] = static_cast<int32_t>(within(places[start + index].x - 0.5f, mostX) * 64);
      y[index] = static_cast<int32_t>(within(places[start + index].y - 0.5f, mostY) * 64);
    }
    for (int index = 0; index < here; index++) {
      const uint8_t *upper = source.pixels + (y[index] >> 6) * source.stride + (x[index] >> 6);
      const uint8_t *lower = upper + source.stride;
      corners[0][index] = upper[0], corners[1][index] = upper[1];
      corners[2][index] = lower[0], corners[3][index] = lower[1];
    }
    for (int index = 0; index < here; index++) {
      const int toRight = x[index] & 63, toBottom = y[index] & 63;
      const auto right = static_cast<int16_t>(toRight), left = static_cast<int16_t>(64 - toRight);
      const auto above = static_cast<int16_t>(left * corners[0][index] + right * corners[1][index]);
      const auto below = static_cast<int16_t>(left * corners[2][index] + right * corners[3][index]);
      const auto down = static_cast<float>(toBottom);
      result[start + index] = base + sign * ((64 - down) * above + down * below);
    }
  }
}
