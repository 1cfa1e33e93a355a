// Rows of bars. Inside this module only.
#ifndef Bars_h
#define Bars_h

#include <functional>
#include <vector>

#include "Codes.h"

/// A row of bars that one line of pixels crosses.
struct BarLine {
  /// The line, and where the code begins and ends along it; both ends belong to the code.
  int line, first, last;
  /// Whether the code goes from `last` to `first`.
  bool isBackward;
  /// What it says; without corners.
  cam_code code;
};

/// Reads at most one row of bars among `pixels`, of the kinds in `kinds`; the payload is kept by the receiver.
using LineReading = std::function<bool(const uint8_t *pixels, int count, uint32_t kinds, BarLine &found)>;

/// How lines are laid through a picture.
struct BarOptions {
  uint32_t kinds;
  /// All of the picture rather than fifteen lines around its middle.
  bool isThorough;
  /// Along columns, from top to bottom, rather than along rows.
  bool isAlongColumns;
};

/// Rows of bars in `picture`, each once and with its corners; those that most lines cross first.
///
/// Lines that say the same belong to one code where the picture between them looks like them, so that equal codes above or
/// beside each other are as many as there are.
std::vector<cam_code> findBars(const cam_luma &picture, const BarOptions &options, const LineReading &read);

/// The picture around a code, grown from `box` until all four sides are quiet.
struct BarBox {
  int left, top, right, bottom;
};
BarBox grown(const cam_luma &picture, BarBox box);

#endif
