#include "Bars.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <tuple>

namespace {

/// Lines that have to cross a code: one alone is too often chance.
constexpr size_t kFewestLines = 2;
/// At most so many searches for a code along one line, however often bars lie in each other.
constexpr int kMostSearches = 48;
/// What a code is compared by, along a line.
constexpr int kSamples = 96;
/// Bars between two lines are those of the lines when they agree so far, from -1 to 1.
constexpr float kAlike = 0.4f;

/// Lines through a picture, one after the other.
class Lines {
 public:
  Lines(const cam_luma &picture, bool isAlongColumns) : picture(picture), isAlongColumns(isAlongColumns) {
    if (isAlongColumns) memory.resize(static_cast<size_t>(picture.height));
  }

  int count() const { return isAlongColumns ? picture.width : picture.height; }
  int length() const { return isAlongColumns ? picture.height : picture.width; }

  uint8_t at(int line, int place) const {
    return isAlongColumns ? picture.pixels[place * picture.stride + line] : picture.pixels[line * picture.stride + place];
  }

  /// The pixels of one line, until the next is asked for.
  const uint8_t *pixels(int line) {
    if (!isAlongColumns) return picture.pixels + line * picture.stride;
    for (int place = 0; place < picture.height; place++) memory[static_cast<size_t>(place)] = at(line, place);
    return memory.data();
  }

 private:
  const cam_luma picture;
  const bool isAlongColumns;
  std::vector<uint8_t> memory;
};

/// The grays from `first` to `last` of a line, their mean taken away.
struct Profile {
  float values[kSamples];
  float deviation;

  Profile(const Lines &lines, int line, float first, float last) {
    float sum = 0;
    for (int index = 0; index < kSamples; index++) {
      const float place = first + (last - first) * (static_cast<float>(index) + 0.5f) / kSamples;
      const int nearest = std::clamp(static_cast<int>(place + 0.5f), 0, lines.length() - 1);
      sum += values[index] = lines.at(line, nearest);
    }
    float squares = 0;
    for (float &value : values) {
      value -= sum / kSamples;
      squares += value * value;
    }
    deviation = std::sqrt(squares / kSamples);
  }

  /// From -1 to 1, as well as it gets when one is moved a little against the other.
  float likeness(const Profile &other) const {
    float best = -1;
    for (const int shift : {0, -1, 1, -2, 2}) {
      float sum = 0;
      for (int index = std::max(0, -shift); index < std::min(kSamples, kSamples - shift); index++)
        sum += values[index] * other.values[index + shift];
      best = std::max(best, sum / (kSamples * std::max(deviation * other.deviation, 1.0f)));
      if (best >= kAlike) break;
    }
    return best;
  }
};

bool saysTheSame(const cam_code &one, const cam_code &other) {
  return one.kind == other.kind && one.byteCount == other.byteCount &&
         std::memcmp(one.bytes, other.bytes, one.byteCount) == 0;
}

/// Whether bars go on from one line to another of the same content.
bool areOfOneCode(const Lines &lines, const BarLine &from, const BarLine &to) {
  const int apart = to.line - from.line, length = std::max(from.last - from.first, to.last - to.first);
  const int most = length / 16 + apart + apart / 4;
  if (std::abs(to.first - from.first) > most || std::abs(to.last - from.last) > most) return false;
  if (apart <= 2) return true;
  const Profile start(lines, from.line, static_cast<float>(from.first), static_cast<float>(from.last));
  const Profile end(lines, to.line, static_cast<float>(to.first), static_cast<float>(to.last));
  // Narrower than two modules of the shortest code, it may be dirt.
  const int narrowest = std::max(2, length / 40);
  int quiet = 0;
  for (int line = from.line + 1; line < to.line; line++) {
    const float share = static_cast<float>(line - from.line) / static_cast<float>(apart);
    const Profile between(
        lines, line, static_cast<float>(from.first) + share * static_cast<float>(to.first - from.first),
        static_cast<float>(from.last) + share * static_cast<float>(to.last - from.last));
    const bool isLikely = between.likeness(start) >= kAlike || between.likeness(end) >= kAlike;
    quiet = isLikely ? 0 : quiet + 1;
    if (quiet >= narrowest) return false;
  }
  return true;
}

/// Lines of one code, from the first on.
struct Bars {
  std::vector<BarLine> lines;

  /// Where it begins and ends on a line between its outermost.
  std::pair<float, float> ends(int line) const {
    const BarLine &top = lines.front(), &bottom = lines.back();
    const float share = bottom.line == top.line
        ? 0 : static_cast<float>(line - top.line) / static_cast<float>(bottom.line - top.line);
    return {static_cast<float>(top.first) + share * static_cast<float>(bottom.first - top.first),
            static_cast<float>(top.last) + share * static_cast<float>(bottom.last - top.last)};
  }

  bool crosses(const Bars &other) const {
    const int start = std::max(lines.front().line, other.lines.front().line);
    const int end = std::min(lines.back().line, other.lines.back().line);
    for (const int line : {start, (start + end) / 2, end}) {
      if (start > end) return false;
      const auto mine = ends(line), its = other.ends(line);
      if (mine.first <= its.second && its.first <= mine.second) return true;
    }
    return false;
  }
};

/// All codes along one line.
class LineSearch {
 public:
  LineSearch(const LineReading &read, const uint8_t *pixels, int count, int line)
      : read(read), pixels(pixels), count(count), line(line) {}

  std::vector<BarLine> found;

  /// Searches from `start` to before `end`, for one code after the other: what is found is painted over, so that its
  /// neighbours have a quiet zone.
  void search(int start, int end, uint32_t kinds) {
    BarLine bars = {};
    std::vector<uint8_t> copy;
    while (take(start, end, kinds, bars)) {
      // Bars of other kinds may lie over it, and it may be the one that is seen by chance.
      const int around = (bars.last - bars.first) / 4;
      uint32_t others = kinds & ~bars.code.kind;
      BarLine over = {};
      while (others != 0 &&
             take(std::max(start, bars.first - around), std::min(end, bars.last + 1 + around), others, over))
        others &= ~over.code.kind;
      if (copy.empty()) {
        copy.assign(pixels, pixels + count);
        pixels = copy.data();
      }
      cover(copy, bars);
    }
  }

 private:
  const LineReading &read;
  const uint8_t *pixels;
  const int count, line;
  int searches = 0;

  /// Paints over bars, and over what the library leaves out at their ends.
  void cover(std::vector<uint8_t> &copy, const BarLine &bars) const {
    const auto begin = copy.begin() + bars.first, end = copy.begin() + bars.last + 1;
    const auto [darkest, lightest] = std::minmax_element(begin, end);
    const uint8_t ground = *lightest;
    const int level = (*darkest + ground) / 2, length = bars.last - bars.first;
    const int quiet = std::max(2, length / 40), most = length / 8;
    int first = bars.first, last = bars.last;
    for (int place = first - 1; place >= std::max({0, bars.first - most, first - quiet}); place--)
      if (copy[static_cast<size_t>(place)] < level) first = place;
    for (int place = last + 1; place <= std::min({count - 1, bars.last + most, last + quiet}); place++)
      if (copy[static_cast<size_t>(place)] < level) last = place;
    std::fill(copy.begin() + first, copy.begin() + last + 1, ground);
  }

  bool take(int start, int end, uint32_t kinds, BarLine &bars) {
    if (end - start < 3 || searches++ >= kMostSearches || !read(pixels + start, end - start, kinds, bars)) return false;
    bars.line = line;
    bars.first += start;
    bars.last += start;
    const bool isNew = std::none_of(found.begin(), found.end(), [&](const BarLine &other) {
      return saysTheSame(other.code, bars.code) && other.first <= bars.last && bars.first <= other.last;
    });
    if (isNew) found.push_back(bars);
    return true;
  }
};

/// Every line that a code crosses, in order.
std::vector<BarLine> allLines(Lines &lines, const BarOptions &options, const LineReading &read) {
  // As the library does by itself.
  const int step = std::max(1, lines.count() / (options.isThorough ? 512 : 32));
  const int most = options.isThorough ? lines.count() : 15;
  std::vector<BarLine> found;
  for (int index = 0; index < most; index++) {
    const int away = step * ((index + 1) / 2), line = lines.count() / 2 + (index % 2 == 0 ? away : -away);
    if (line < 0 || line >= lines.count()) break;
    LineSearch middle(read, lines.pixels(line), lines.length(), line);
    middle.search(0, lines.length(), options.kinds);
    found.insert(found.end(), middle.found.begin(), middle.found.end());
    if (middle.found.empty() || step == 1) continue;
    // A code is believed when lines beside say the same.
    int start = lines.length(), end = 0;
    for (const auto &bars : middle.found) {
      const int around = (bars.last - bars.first) / 4;
      start = std::min(start, std::max(0, bars.first - around));
      end = std::max(end, std::min(lines.length(), bars.last + 1 + around));
    }
    for (const int beside : {-1, 1, -2, 2}) {
      const int next = line + beside;
      if (next < 0 || next >= lines.count() || std::abs(beside) >= step) continue;
      LineSearch side(read, lines.pixels(next), lines.length(), next);
      side.search(start, end, options.kinds);
      found.insert(found.end(), side.found.begin(), side.found.end());
    }
  }
  std::sort(found.begin(), found.end(), [](const auto &one, const auto &other) {
    return std::tie(one.line, one.first, one.code.kind) < std::tie(other.line, other.first, other.code.kind);
  });
  return found;
}

/// A code's own corners, on the two lines that lie farthest apart.
cam_code withCorners(const Bars &bars, bool isAlongColumns) {
  cam_code code = bars.lines.front().code;
  // Along columns a code that is read downwards has its top on the right.
  const bool endsOnTop = bars.lines.front().isBackward != isAlongColumns;
  const BarLine &top = endsOnTop ? bars.lines.back() : bars.lines.front();
  const BarLine &bottom = endsOnTop ? bars.lines.front() : bars.lines.back();
  const auto place = [&](int corner, const BarLine &line, bool isStart) {
    const auto along = static_cast<float>(isStart != line.isBackward ? line.first : line.last);
    const auto across = static_cast<float>(line.line);
    code.corners[2 * corner] = isAlongColumns ? across : along;
    code.corners[2 * corner + 1] = isAlongColumns ? along : across;
  };
  place(0, top, true), place(1, top, false), place(2, bottom, false), place(3, bottom, true);
  return code;
}

}  // namespace

std::vector<cam_code> findBars(const cam_luma &picture, const BarOptions &options, const LineReading &read) {
  Lines lines(picture, options.isAlongColumns);
  std::vector<Bars> all;
  for (const auto &line : allLines(lines, options, read)) {
    // The last that fits, so that a line joins the nearest.
    auto owner = std::find_if(all.rbegin(), all.rend(), [&](const Bars &bars) {
      const BarLine &last = bars.lines.back();
      return last.line < line.line && last.isBackward == line.isBackward && saysTheSame(last.code, line.code) &&
             areOfOneCode(lines, last, line);
    });
    if (owner == all.rend()) all.push_back({{line}});
    else owner->lines.push_back(line);
  }
  std::sort(all.begin(), all.end(), [](const auto &one, const auto &other) {
    const BarLine &mine = one.lines.front(), &its = other.lines.front();
    return std::make_tuple(other.lines.size(), mine.line, mine.first) <
           std::make_tuple(one.lines.size(), its.line, its.first);
  });
  std::vector<Bars> kept;
  for (auto &bars : all) {
    // Bars that lie in others are seen by chance, and by fewer lines.
    if (bars.lines.size() < kFewestLines) break;
    if (std::none_of(kept.begin(), kept.end(), [&](const Bars &other) { return other.crosses(bars); }))
      kept.push_back(std::move(bars));
  }
  std::vector<cam_code> codes;
  for (const auto &bars : kept) codes.push_back(withCorners(bars, options.isAlongColumns));
  return codes;
}

BarBox grown(const cam_luma &picture, BarBox box) {
  box = {std::clamp(box.left, 0, picture.width - 1), std::clamp(box.top, 0, picture.height - 1),
         std::clamp(box.right, 0, picture.width - 1), std::clamp(box.bottom, 0, picture.height - 1)};
  const auto at = [&](int x, int y) { return picture.pixels[y * picture.stride + x]; };
  int darkest = 255, lightest = 0;
  for (int y = box.top; y <= box.bottom; y++)
    for (int x = box.left; x <= box.right; x++) {
      darkest = std::min<int>(darkest, at(x, y));
      lightest = std::max<int>(lightest, at(x, y));
    }
  const int level = (darkest + lightest) / 2, size = std::max(box.right - box.left, box.bottom - box.top);
  // Quiet for two modules of the narrowest code, and not farther than any code reaches.
  const int quiet = std::max(2, size / 48);
  const BarBox most = {std::max(0, box.left - size), std::max(0, box.top - size),
                       std::min(picture.width - 1, box.right + size), std::min(picture.height - 1, box.bottom + size)};
  const auto hasInk = [&](int left, int top, int right, int bottom) {
    for (int y = std::max(top, most.top); y <= std::min(bottom, most.bottom); y++)
      for (int x = std::max(left, most.left); x <= std::min(right, most.right); x++)
        if (at(x, y) < level) return true;
    return false;
  };
  for (bool hasGrown = true; hasGrown;) {
    hasGrown = false;
    if (box.top > most.top && hasInk(box.left, box.top - quiet, box.right, box.top - 1)) box.top--, hasGrown = true;
    if (box.bottom < most.bottom && hasInk(box.left, box.bottom + 1, box.right, box.bottom + quiet))
      box.bottom++, hasGrown = true;
    if (box.left > most.left && hasInk(box.left - quiet, box.top, box.left - 1, box.bottom)) box.left--, hasGrown = true;
    if (box.right < most.right && hasInk(box.right + 1, box.top, box.right + quiet, box.bottom))
      box.right++, hasGrown = true;
  }
  return box;
}
