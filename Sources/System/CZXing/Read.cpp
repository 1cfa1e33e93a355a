#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "Bars.h"
#include "Codes.h"
#include "Library.h"
#include "Starts.h"

namespace {

/// Appends what the library reads in `picture`.
void append(const cam_luma &picture, const Options &options, cam_codes &found) {
  for (const auto &result : ZXing::ReadBarcodes(viewOf(picture), options)) {
    const cam_code code = codeOf(result, found);
    if (code.kind != 0) found.codes.push_back(code);
  }
}

/// Kinds that may be stacked: rows of bars that say something only together.
constexpr uint32_t kStacked = CAM_CODE_DATABAR | CAM_CODE_DATABAR_EXPANDED;
constexpr uint32_t kMatrix = CAM_CODE_QR | CAM_CODE_MICRO_QR | CAM_CODE_AZTEC | CAM_CODE_DATA_MATRIX | CAM_CODE_PDF417 |
                             CAM_CODE_MICRO_PDF417;
/// Kinds of which the library leaves some out where there are several.
constexpr uint32_t kLonely = CAM_CODE_PDF417 | CAM_CODE_MICRO_PDF417 | CAM_CODE_DATA_MATRIX | CAM_CODE_AZTEC;
/// At most so many searches for such codes in a picture.
constexpr int kMostSearches = 32;

bool isWithin(float x, float y, const BarBox &box) {
  return x >= static_cast<float>(box.left) && x <= static_cast<float>(box.right) && y >= static_cast<float>(box.top) &&
         y <= static_cast<float>(box.bottom);
}

BarBox boxOf(const cam_code &code) {
  const auto *at = code.corners;
  const auto [left, right] = std::minmax({at[0], at[2], at[4], at[6]});
  const auto [top, bottom] = std::minmax({at[1], at[3], at[5], at[7]});
  return {static_cast<int>(left), static_cast<int>(top), static_cast<int>(right), static_cast<int>(bottom)};
}

/// The part of a picture that a code covers: the library may put corners at the picture's width or height.
BarBox boxOf(const cam_code &code, const cam_luma &picture) {
  const BarBox box = boxOf(code);
  const int right = picture.width - 1, bottom = picture.height - 1;
  return {std::clamp(box.left, 0, right), std::clamp(box.top, 0, bottom), std::clamp(box.right, 0, right),
          std::clamp(box.bottom, 0, bottom)};
}

/// Whether both are one code that was seen twice.
bool isSame(const cam_code &one, const cam_code &other) {
  if (one.kind != other.kind || one.byteCount != other.byteCount ||
      std::memcmp(one.bytes, other.bytes, one.byteCount) != 0)
    return false;
  const BarBox first = boxOf(one), second = boxOf(other);
  const auto middle = [](int low, int high) { return static_cast<float>(low + high) / 2; };
  return isWithin(middle(second.left, second.right), middle(second.top, second.bottom), first) ||
         isWithin(middle(first.left, first.right), middle(first.top, first.bottom), second);
}

/// Moves the corners of a code that was seen on a few lines to those of all of it.
void stretch(cam_code &code, const BarBox &box) {
  auto *at = code.corners;
  const float across = at[2] - at[0], down = at[3] - at[1];
  // What is turned by another angle keeps what was seen.
  if (std::min(std::abs(across), std::abs(down)) > 2) return;
  const auto left = static_cast<float>(box.left), right = static_cast<float>(box.right);
  const auto top = static_cast<float>(box.top), bottom = static_cast<float>(box.bottom);
  if (std::abs(across) > std::abs(down)) {
    const bool isForward = across > 0;
    const float corners[] = {isForward ? left : right, isForward ? top : bottom, isForward ? right : left,
                             isForward ? top : bottom, isForward ? right : left, isForward ? bottom : top,
                             isForward ? left : right, isForward ? bottom : top};
    std::copy(std::begin(corners), std::end(corners), at);
  } else {
    const bool isDownward = down > 0;
    const float corners[] = {isDownward ? right : left, isDownward ? top : bottom, isDownward ? right : left,
                             isDownward ? bottom : top, isDownward ? left : right, isDownward ? bottom : top,
                             isDownward ? left : right, isDownward ? top : bottom};
    std::copy(std::begin(corners), std::end(corners), at);
  }
}

void appendNew(const cam_code &code, size_t maximum, cam_codes &found) {
  const bool isNew = std::none_of(found.codes.begin(), found.codes.end(), [&](const cam_code &other) {
    return isSame(code, other);
  });
  if (isNew && found.codes.size() < maximum) found.codes.push_back(code);
}

/// Appends rows of bars, each line of the picture read by itself.
///
/// The library compares codes that it reads at a time, and 1.4 ends the process over two that say the same (an assertion; its
/// issues 516 and 740), while later versions take equal codes for one. One code of one line has nothing to be compared with.
void appendBars(const cam_luma &picture, Options options, uint32_t kinds, bool isTurned, size_t maximum, cam_codes &found) {
  options.setTryRotate(false);
  options.setMaxNumberOfSymbols(1);
  options.setMinLineCount(1);
  uint32_t chosen = 0;
  const LineReading read = [&](const uint8_t *pixels, int count, uint32_t wanted, BarLine &line) {
    if (wanted != chosen) options.setFormats(formats(wanted));
    chosen = wanted;
    const auto results = ZXing::ReadBarcodes(viewOf({pixels, count, count, 1}), options);
    if (results.empty()) return false;
    line.code = codeOf(results.front(), found);
    const int from = results.front().position()[0].x, to = results.front().position()[1].x;
    line.isBackward = from > to;
    line.first = std::clamp(std::min(from, to), 0, count - 1);
    line.last = std::clamp(std::max(from, to), 0, count - 1);
    return line.code.kind != 0;
  };
  for (const bool isAlongColumns : {false, true}) {
    if (isAlongColumns && !isTurned) break;
    for (const auto &code : findBars(picture, {kinds, options.tryHarder(), isAlongColumns}, read))
      appendNew(code, maximum, found);
  }
}

/// Paints over a code in the brightest that is within it.
void cover(std::vector<uint8_t> &pixels, int width, const BarBox &box) {
  uint8_t lightest = 0;
  const auto start = pixels.begin() + box.left, end = pixels.begin() + box.right + 1;
  for (int y = box.top; y <= box.bottom; y++)
    lightest = std::max(lightest, *std::max_element(start + y * width, end + y * width));
  for (int y = box.top; y <= box.bottom; y++) std::fill(start + y * width, end + y * width, lightest);
}

/// Whether `picture` says the same as `code`.
bool says(const cam_luma &picture, const Options &options, const cam_code &code, cam_codes &found) {
  const auto results = ZXing::ReadBarcodes(viewOf(picture), options);
  return std::any_of(results.begin(), results.end(), [&](const auto &result) {
    const cam_code other = codeOf(result, found);
    return other.kind == code.kind && other.byteCount == code.byteCount &&
           std::memcmp(other.bytes, code.bytes, code.byteCount) == 0;
  });
}

/// Whether lines beside the one on which a code was seen say the same: one alone is too often chance.
bool isConfirmed(const cam_luma &picture, Options options, const cam_code &code, cam_codes &found) {
  const BarBox seen = boxOf(code, picture);
  const bool isAlongColumns = seen.bottom - seen.top > seen.right - seen.left;
  const int line = isAlongColumns ? seen.left : seen.top, count = isAlongColumns ? picture.width : picture.height;
  for (const int beside : {line - 2, line - 1, line + 1, line + 2}) {
    if (beside < 0 || beside >= count) continue;
    const cam_luma strip = isAlongColumns
        ? cam_luma{picture.pixels + beside, picture.stride, 1, picture.height}
        : cam_luma{picture.pixels + beside * picture.stride, picture.stride, picture.width, 1};
    if (says(strip, options, code, found)) return true;
  }
  return false;
}

/// The part of `box` with the first of equal codes that lie behind each other, whose rows the library takes together as one code:
/// the fewest lines, counted from the picture's edge, that still say it.
BarBox firstOf(
    const cam_luma &picture, const Options &options, const cam_code &code, bool isTurned, cam_codes &found) {
  BarBox box = boxOf(code, picture);
  int tooFew = isTurned ? box.left : box.top, enough = isTurned ? box.right : box.bottom;
  while (enough - tooFew > 1) {
    const int last = (tooFew + enough) / 2;
    const cam_luma part = isTurned ? cam_luma{picture.pixels, picture.stride, last + 1, picture.height}
                                   : cam_luma{picture.pixels, picture.stride, picture.width, last + 1};
    (says(part, options, code, found) ? enough : tooFew) = last;
  }
  (isTurned ? box.right : box.bottom) = enough;
  return box;
}

/// Appends codes, `atOnce` from each search at most: they are painted over before the next are looked for, until none is left.
///
/// So codes that may be stacked are read one by one, for the reason that rows of bars are; and the matrix codes that the library
/// leaves out, such as PDF417 codes that are turned otherwise than the first.
void appendOneByOne(
    const cam_luma &picture, Options options, uint32_t kinds, uint8_t atOnce, size_t maximum, cam_codes &found) {
  options.setFormats(formats(kinds));
  options.setMaxNumberOfSymbols(atOnce);
  // Codes of fewer lines are compared with those of more; see `isConfirmed`.
  options.setMinLineCount(1);
  std::vector<uint8_t> copy;
  cam_luma rest = picture;
  for (int search = 0; search < kMostSearches && found.codes.size() < maximum; search++) {
    const auto results = ZXing::ReadBarcodes(viewOf(rest), options);
    if (results.empty()) return;
    if (copy.empty()) {
      for (int y = 0; y < picture.height; y++)
        copy.insert(copy.end(), picture.pixels + y * picture.stride, picture.pixels + y * picture.stride + picture.width);
      rest = {copy.data(), picture.width, picture.width, picture.height};
    }
    for (const auto &result : results) {
      cam_code code = codeOf(result, found);
      if (code.kind == 0) return;
      const bool isChance = result.lineCount() == 1 && (code.kind & kStacked) && !isConfirmed(rest, options, code, found);
      const bool mayBeSeveral = result.lineCount() > 1 && (code.kind & kStacked);
      BarBox seen = boxOf(code, rest);
      if (mayBeSeveral) {
        // Its corners are on the rows of its first and its last pair of characters, so that they do not say how it lies.
        Options upright = options;
        upright.setTryRotate(false);
        const bool isTurned = !says(rest, upright, code, found);
        seen = firstOf(rest, options, code, isTurned, found);
        code.corners[isTurned ? 2 : 3] = code.corners[isTurned ? 0 : 1];
      }
      const BarBox box = isChance ? seen : grown(rest, seen);
      cover(copy, picture.width, box);
      if (isChance) continue;
      if (code.kind & kStacked) stretch(code, box);
      appendNew(code, maximum, found);
    }
  }
}

/// Appends PDF417 codes, each looked for by itself where one begins.
///
/// The library looks in one direction after the other, until it sees the beginning of a code, be it that of a code that it cannot
/// read or of none at all; codes that lie otherwise stay hidden behind that.
void appendFromStarts(const cam_luma &picture, Options options, size_t maximum, cam_codes &found) {
  options.setFormats(formats(CAM_CODE_PDF417));
  options.setTryRotate(false);
  options.setMaxNumberOfSymbols(1);
  // Where everything looks like such a beginning, as stripes may, the search costs no more than a few of the whole picture.
  int searches = 0;
  int64_t left = 2 * static_cast<int64_t>(picture.width) * picture.height;
  for (const auto &start : findStarts(picture)) {
    const bool isRead = std::any_of(found.codes.begin(), found.codes.end(), [&](const cam_code &other) {
      return isWithin(start.x, start.y, boxOf(other));
    });
    if (isRead) continue;
    left -= static_cast<int64_t>(start.width) * start.height;
    if (left < 0 || searches++ == kMostSearches || found.codes.size() >= maximum) return;
    const auto pixels = start.pixels(picture);
    for (const auto &result : ZXing::ReadBarcodes(viewOf({pixels.data(), start.width, start.width, start.height}), options)) {
      cam_code code = codeOf(result, found);
      start.place(code.corners);
      if (code.kind != 0) appendNew(code, maximum, found);
    }
  }
}

/// What `body` appends; NULL when it fails: no exception may cross into Swift.
template <typename Body>
cam_codes *collected(Body body) {
  try {
    auto found = std::make_unique<cam_codes>();
    body(*found);
    return found.release();
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

bool readField(const uint8_t *modules, int side, cam_codes &codes) {
  Options options;
  options.setFormats(BarcodeFormat::QRCode);
  options.setIsPure(true);
  options.setTryHarder(false);
  options.setTryRotate(false);
  options.setTryDownscale(false);
  options.setBinarizer(ZXing::Binarizer::BoolCast);
  options.setMaxNumberOfSymbols(1);
#if CAM_ZXING_AT_LEAST(2, 0)
  options.setTryInvert(false);
  options.setTextMode(ZXing::TextMode::Plain);
#endif
  const size_t before = codes.codes.size();
  append({modules, side, side, side}, options, codes);
  if (codes.codes.size() == before) return false;
  cam_code &code = codes.codes.back();
  code.side = side;
  code.mask = maskOf(modules, side, code.isMirrored != 0);
  std::fill(std::begin(code.corners), std::end(code.corners), 0.0f);
  return true;
}

uint32_t cam_codes_readable(void) { return allKinds(); }

#define CAM_TEXT_OF(value) #value
#define CAM_TEXT(value) CAM_TEXT_OF(value)
const char *cam_codes_version(void) {
  return CAM_TEXT(ZXING_VERSION_MAJOR) "." CAM_TEXT(ZXING_VERSION_MINOR) "." CAM_TEXT(ZXING_VERSION_PATCH);
}

cam_codes *cam_codes_read(cam_luma picture, cam_code_options wanted) {
  Options options;
  options.setTryHarder(wanted.triesHarder != 0);
  options.setTryRotate(wanted.triesRotated != 0);
  options.setTryDownscale(false);
  options.setBinarizer(wanted.isBinary ? ZXing::Binarizer::BoolCast : ZXing::Binarizer::LocalAverage);
  const auto most = static_cast<uint8_t>(wanted.maximumCount);
  options.setMaxNumberOfSymbols(most);
#if CAM_ZXING_AT_LEAST(2, 0)
  options.setTryInvert(false);
  options.setTextMode(ZXing::TextMode::Plain);
#endif
  const auto maximum = static_cast<size_t>(wanted.maximumCount);
  return collected([&](cam_codes &found) {
    const uint32_t kinds = wanted.kinds & cam_codes_readable();
    const uint32_t lonely = kinds & kLonely, stacked = kinds & kStacked;
    const uint32_t fields = kinds & kMatrix & ~lonely, bars = kinds & ~kMatrix & ~stacked;
    if (fields != 0) {
      options.setFormats(formats(fields));
      append(picture, options, found);
    }
    if (lonely != 0) appendOneByOne(picture, options, lonely, most, maximum, found);
    if ((lonely & CAM_CODE_PDF417) && wanted.triesHarder && wanted.triesRotated && wanted.isBinary)
      appendFromStarts(picture, options, maximum, found);
    if (bars != 0) appendBars(picture, options, bars, wanted.triesRotated != 0, maximum, found);
    if (stacked != 0) appendOneByOne(picture, options, stacked, 1, maximum, found);
  });
}

cam_codes *cam_codes_read_default(cam_luma picture, uint32_t kinds) {
  Options options;
  options.setFormats(formats(kinds));
  return collected([&](cam_codes &found) { append(picture, options, found); });
}

size_t cam_codes_count(const cam_codes *codes) { return codes->codes.size(); }

const cam_code *cam_codes_at(const cam_codes *codes, size_t index) { return &codes->codes[index]; }

int cam_codes_finders(const cam_codes *codes) { return codes->finders; }

void cam_codes_free(cam_codes *codes) { delete codes; }
