#include <bitset>

#include "Codes.h"

namespace {

/// What format bits are exchanged with, so that they are never all light.
constexpr int kFormatMask = 0x5412;
/// Fifteen bits, five of which say something, are distinguished from others with up to so many errors.
constexpr int kMostErrors = 3;

/// The fifteen bits of a format, before they are masked.
///
/// Source: ISO/IEC 18004, 7.9.
int formatBits(int format) {
  int rest = format << 10;
  for (int bit = 14; bit >= 10; bit--)
    if (rest >> bit & 1) rest ^= 0x537 << (bit - 10);
  return format << 10 | rest;
}

}  // namespace

int maskOf(const uint8_t *modules, int side, bool isTransposed) {
  const auto isDark = [&](int column, int row) {
    return (isTransposed ? modules[column * side + row] : modules[row * side + column]) == 0;
  };
  // The format stands twice: around the first corner, and beside the two others.
  int first = 0, second = 0;
  const auto add = [&](int &bits, int column, int row) { bits = bits << 1 | (isDark(column, row) ? 1 : 0); };
  for (int column = 0; column < 6; column++) add(first, column, 8);
  add(first, 7, 8), add(first, 8, 8), add(first, 8, 7);
  for (int row = 5; row >= 0; row--) add(first, 8, row);
  for (int row = side - 1; row >= side - 7; row--) add(second, 8, row);
  for (int column = side - 8; column < side; column++) add(second, column, 8);
  int best = -1, fewest = kMostErrors + 1;
  for (const int seen : {first, second})
    for (int format = 0; format < 32; format++) {
      const auto errors =
          static_cast<int>(std::bitset<15>(static_cast<unsigned>(seen ^ kFormatMask ^ formatBits(format))).count());
      if (errors < fewest) fewest = errors, best = format & 7;
    }
  return best;
}
