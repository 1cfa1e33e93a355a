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

  /// Of `count` places, each between its four nearest pixels; 0 to 255.
  void between(const Point *places, int count, float *result) const;

 private:
  /// What is no number is 0.
  static float within(float value, float most) { return value > 0 ? std::min(value, most) : 0; }
};

#endif
