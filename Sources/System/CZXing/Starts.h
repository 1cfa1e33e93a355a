// Where PDF417 codes begin. Inside this module only.
#ifndef Starts_h
#define Starts_h

#include <vector>

#include "CZXing.h"

/// A part of a picture that a code may begin in, turned so that the code is read from left to right, from the part's edge on.
struct Start {
  int width, height;
  /// Where pixel (0, 0) of the part lies in the picture, and the steps there for one pixel along a row and down a column.
  int left, top, alongX, alongY, downX, downY;
  /// Where the middle of the code's first bars lies in the picture.
  float x, y;

  /// The part's pixels, `width` in each row.
  std::vector<uint8_t> pixels(const cam_luma &picture) const;
  /// Moves the four corners of a code from the part to the picture.
  void place(float *corners) const;
};

/// The places where bars and gaps are as wide as those that PDF417 codes begin with, in all four directions.
///
/// - binary: 0 for dark and 255 for light.
std::vector<Start> findStarts(const cam_luma &binary);

#endif
