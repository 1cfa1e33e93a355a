// Squares in the corners of QR codes. Inside this module only.
#ifndef Finders_h
#define Finders_h

#include <vector>

#include "CZXing.h"
#include "Point.h"

/// A square of seven modules, as it lies in a corner of a QR code.
struct Finder {
  /// Its middle.
  Point at;
  /// About how wide it is along a row, in pixels.
  float size;
  /// In how many of sixteen directions from its middle dark and light follow each other as they must.
  int directions;
  /// How much darker its dark parts are than its light ring.
  float contrast;
};

/// Places of a binary picture that look like the squares in the corners of QR codes, and are no wider than `widest` pixels.
///
/// - dark: what the squares are drawn in: 0, or 255 where the code is light on dark ground.
/// - limit: at most so many, those with the most contrast.
///
/// More than there are, hardly ever fewer. Throws `std::bad_alloc`.
std::vector<Finder> findFinders(const cam_luma &gray, const cam_luma &binary, uint8_t dark, int widest, size_t limit);

#endif
