#include "Starts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace {

/// Bars and gaps that each row of a PDF417 code begins with, in modules.
///
/// Source: ISO/IEC 15438, the start pattern.
constexpr std::array<int, 8> kPattern = {8, 1, 1, 1, 1, 1, 1, 3};
constexpr int kModules = 17;
/// How far a bar may be from its width, in modules.
constexpr float kMostApart = 0.75f;
/// A code has three rows of three modules at least: every so many lines one is looked at, and three of them must show the pattern.
constexpr int kStep = 4;
constexpr size_t kFewestLines = 3;
/// So many lines may be spoiled.
constexpr int kMostSpoiled = 6 * kStep;
/// What is left around a code, in pixels across its rows and in modules before it.
constexpr int kMargin = 8, kQuiet = 2;

struct Seen {
  /// The last line, where the pattern begins on it, and its width.
  int line, place, width;
  /// The first line and the outermost place of the others, and how many lines there are.
  int firstLine, outermost;
  size_t lines;
};

/// Whether the runs from `runs` on, each `step` from the one before, are those of the pattern.
bool isPattern(const int *runs, int step) {
  int total = 0;
  for (size_t index = 0; index < kPattern.size(); index++) total += runs[static_cast<int>(index) * step];
  if (total < kModules) return false;
  const float module = static_cast<float>(total) / kModules;
  for (size_t index = 0; index < kPattern.size(); index++) {
    const auto run = static_cast<float>(runs[static_cast<int>(index) * step]);
    if (std::abs(run - static_cast<float>(kPattern[index]) * module) > kMostApart * module) return false;
  }
  return true;
}

/// Adds what a line shows to the place that it belongs to. `sign` is -1 where codes are read against the lines' direction: places
/// are counted along the code's own.
void add(std::vector<Seen> &places, int line, int place, int width) {
  for (auto seen = places.rbegin(); seen != places.rend(); ++seen) {
    const int apart = line - seen->line;
    if (apart == 0 || apart > kMostSpoiled || std::abs(place - seen->place) > 1 + apart / 2) continue;
    if (std::abs(width - seen->width) > 1 + width / 8) continue;
    seen->line = line, seen->place = place, seen->width = width;
    seen->outermost = std::min(seen->outermost, place), seen->lines++;
    return;
  }
  places.push_back({line, place, width, line, place, 1});
}

/// The part of the picture behind what was seen.
Start part(const cam_luma &picture, const Seen &seen, bool isAlongColumns, bool isBackward) {
  const int length = isAlongColumns ? picture.height : picture.width;
  const int count = isAlongColumns ? picture.width : picture.height;
  const int first = std::max(0, seen.firstLine - kMargin), last = std::min(count - 1, seen.line + kMargin);
  const int from = std::max(0, seen.outermost - kQuiet * seen.width / kModules);
  Start start = {};
  start.width = length - from, start.height = last - first + 1;
  // Turned by a half, the last line comes first.
  const int along = isBackward ? -1 : 1, place = isBackward ? length - 1 - from : from;
  // Along columns that are read downwards the top of a code lies on the right.
  const bool startsWithLast = isBackward != isAlongColumns;
  const int line = startsWithLast ? last : first, down = startsWithLast ? -1 : 1;
  start.left = isAlongColumns ? line : place, start.top = isAlongColumns ? place : line;
  start.alongX = isAlongColumns ? 0 : along, start.alongY = isAlongColumns ? along : 0;
  start.downX = isAlongColumns ? down : 0, start.downY = isAlongColumns ? 0 : down;
  const float middle = static_cast<float>(seen.firstLine + seen.line) / 2;
  const auto bars = static_cast<float>(place + along * (seen.outermost - from + seen.width / 2));
  start.x = isAlongColumns ? middle : bars, start.y = isAlongColumns ? bars : middle;
  return start;
}

}  // namespace

std::vector<uint8_t> Start::pixels(const cam_luma &picture) const {
  std::vector<uint8_t> result;
  result.reserve(static_cast<size_t>(width) * static_cast<size_t>(height));
  const ptrdiff_t step = alongX + alongY * picture.stride;
  for (int row = 0; row < height; row++) {
    const uint8_t *in = picture.pixels + (top + row * downY) * picture.stride + left + row * downX;
    for (int column = 0; column < width; column++) result.push_back(in[column * step]);
  }
  return result;
}

void Start::place(float *corners) const {
  for (int corner = 0; corner < 4; corner++) {
    float &x = corners[2 * corner], &y = corners[2 * corner + 1];
    const float along = x, down = y;
    x = static_cast<float>(left) + along * static_cast<float>(alongX) + down * static_cast<float>(downX);
    y = static_cast<float>(top) + along * static_cast<float>(alongY) + down * static_cast<float>(downY);
  }
}

std::vector<Start> findStarts(const cam_luma &binary) {
  std::vector<Start> starts;
  std::vector<int> runs;
  for (const bool isAlongColumns : {false, true}) {
    const int length = isAlongColumns ? binary.height : binary.width;
    const int count = isAlongColumns ? binary.width : binary.height;
    const ptrdiff_t step = isAlongColumns ? binary.stride : 1, apart = isAlongColumns ? 1 : binary.stride;
    std::vector<Seen> forward, backward;
    for (int line = kStep / 2; line < count; line += kStep) {
      const uint8_t *pixels = binary.pixels + line * apart;
      // Light and dark in turn, the first light, and empty where the line begins with dark.
      runs.assign(1, 0);
      for (int place = 0; place < length; place++) {
        const bool isDark = pixels[place * step] < 128;
        if (isDark != (runs.size() % 2 == 0)) runs.push_back(0);
        runs.back()++;
      }
      int place = 0;
      const int size = static_cast<int>(kPattern.size());
      for (int index = 0; index < static_cast<int>(runs.size()); place += runs[static_cast<size_t>(index)], index++) {
        if (index % 2 == 0) continue;
        // Dark, and the pattern's first bar; what follows it lies on one side or the other.
        const int *run = &runs[static_cast<size_t>(index)];
        const auto width = [&](int step) {
          int total = 0;
          for (int other = 0; other < size; other++) total += run[other * step];
          return total;
        };
        if (index + size <= static_cast<int>(runs.size()) && isPattern(run, 1)) add(forward, line, place, width(1));
        if (index + 1 >= size && isPattern(run, -1)) add(backward, line, length - place - *run, width(-1));
      }
    }
    for (const bool isBackward : {false, true})
      for (const auto &seen : isBackward ? backward : forward)
        if (seen.lines >= kFewestLines) starts.push_back(part(binary, seen, isAlongColumns, isBackward));
  }
  return starts;
}
