// Luma between pixels. Inside this module only.
#ifndef Shades_h
#define Shades_h

#include <algorithm>

#include "CZXing.h"
#include "Point.h"

/// Luma of a picture of at least 2 × 2 pixels, also between them; beyond its edges it goes on as it is.
struct Shades {
  cam_luma source;
  /// 255 where the code is light on dark ground: what is read is dark on light.
  uint8_t flip;

  /// 0 to 255.
  int nearest(Point place) const {
    const auto x = static_cast<int>(within(place.x, static_cast<float>(source.width) - 0.5f));
    const auto y = static_cast<int>(within(place.y, static_cast<float>(source.height) - 0.5f));
    return source.pixels[y * source.stride + x] ^ flip;
  }

  /// Between the four nearest pixels; 0 to 255.
  float between(Point place) const {
    // In 64ths of a pixel, for speed.
    const int x = static_cast<int>(within(place.x - 0.5f, static_cast<float>(source.width) - 1.02f) * 64);
    const int y = static_cast<int>(within(place.y - 0.5f, static_cast<float>(source.height) - 1.02f) * 64);
    const uint8_t *upper = source.pixels + (y >> 6) * source.stride + (x >> 6), *lower = upper + source.stride;
    const int toRight = x & 63, toBottom = y & 63;
    const int above = (64 - toRight) * upper[0] + toRight * upper[1], below = (64 - toRight) * lower[0] + toRight * lower[1];
    const int shade = (64 - toBottom) * above + toBottom * below;
    return static_cast<float>(flip ? 255 * 4096 - shade : shade) * (1.0f / 4096);
  }

  /// The same for `count` places, in a fraction of the time.
  void between(const Point *places, int count, float *result) const;

 private:
  /// What is no number is 0.
  static float within(float value, float most) { return value > 0 ? std::min(value, most) : 0; }
};

#endif
