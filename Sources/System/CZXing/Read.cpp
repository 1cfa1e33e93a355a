#define ZX_USE_UTF8 1

#if __has_include(<ZXing/Version.h>)
#include <ZXing/Version.h>
#else
#include <ZXing/ZXVersion.h>
#endif
#include <ZXing/ReadBarcode.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "Codes.h"

#define CAM_ZXING_AT_LEAST(major, minor) \
  (ZXING_VERSION_MAJOR > (major) || (ZXING_VERSION_MAJOR == (major) && ZXING_VERSION_MINOR >= (minor)))

namespace {

using ZXing::BarcodeFormat;
#if CAM_ZXING_AT_LEAST(2, 2)
using Options = ZXing::ReaderOptions;
#else
using Options = ZXing::DecodeHints;
#endif

struct Pair {
  uint32_t kind;
  BarcodeFormat format;
};

const Pair pairs[] = {
    {CAM_CODE_QR, BarcodeFormat::QRCode},
#if CAM_ZXING_AT_LEAST(2, 0)
    // 1.4 takes lines for valid that are not: some pictures end the process by an assertion, or give nonsense without it.
    {CAM_CODE_MICRO_QR, BarcodeFormat::MicroQRCode},
#endif
    {CAM_CODE_AZTEC, BarcodeFormat::Aztec},
    {CAM_CODE_DATA_MATRIX, BarcodeFormat::DataMatrix},
    {CAM_CODE_PDF417, BarcodeFormat::PDF417},
    {CAM_CODE_EAN13, BarcodeFormat::EAN13},
    {CAM_CODE_EAN8, BarcodeFormat::EAN8},
    {CAM_CODE_UPCA, BarcodeFormat::UPCA},
    {CAM_CODE_UPCE, BarcodeFormat::UPCE},
    {CAM_CODE_CODE39, BarcodeFormat::Code39},
    {CAM_CODE_CODE93, BarcodeFormat::Code93},
    {CAM_CODE_CODE128, BarcodeFormat::Code128},
    {CAM_CODE_ITF, BarcodeFormat::ITF},
    {CAM_CODE_CODABAR, BarcodeFormat::Codabar},
    {CAM_CODE_DATABAR, BarcodeFormat::DataBar},
#if CAM_ZXING_AT_LEAST(3, 0)
    {CAM_CODE_DATABAR_EXPANDED, BarcodeFormat::DataBarExp},
    {CAM_CODE_DATABAR_LIMITED, BarcodeFormat::DataBarLtd},
#else
    {CAM_CODE_DATABAR_EXPANDED, BarcodeFormat::DataBarExpanded},
#if CAM_ZXING_AT_LEAST(2, 3)
    {CAM_CODE_DATABAR_LIMITED, BarcodeFormat::DataBarLimited},
#endif
#endif
#if CAM_ZXING_AT_LEAST(3, 1)
    {CAM_CODE_MICRO_PDF417, BarcodeFormat::MicroPDF417},
#endif
};

ZXing::BarcodeFormats formats(uint32_t kinds) {
#if CAM_ZXING_AT_LEAST(3, 0)
  std::vector<BarcodeFormat> chosen;
  for (const auto &pair : pairs)
    if (kinds & pair.kind) chosen.push_back(pair.format);
  return ZXing::BarcodeFormats(std::move(chosen));
#else
  ZXing::BarcodeFormats chosen;
  for (const auto &pair : pairs)
    if (kinds & pair.kind) chosen |= pair.format;
  return chosen;
#endif
}

/// 0 for what is none of ours.
uint32_t kindOf(BarcodeFormat format) {
  for (const auto &pair : pairs)
    if (pair.format == format) return pair.kind;
#if CAM_ZXING_AT_LEAST(3, 0)
  // Variants come back where their family was asked for. What is narrower than a family stands before it.
  for (const auto &pair : pairs)
    if (pair.kind != CAM_CODE_QR && format <= pair.format) return pair.kind;
  if (format <= BarcodeFormat::QRCode) return CAM_CODE_QR;
#endif
  return 0;
}

/// What the symbol itself says, beside its payload.
void appendSymbol(const ZXing::Result &result, cam_code &code, cam_codes::Payload &payload) {
#if !CAM_ZXING_AT_LEAST(2, 0)
  // Nothing has taken its place yet: later versions keep the codewords to themselves.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const auto &codewords = result.rawBytes();
#pragma GCC diagnostic pop
  payload.codewords.assign(codewords.begin(), codewords.end());
  if (!payload.codewords.empty()) code.codewords = payload.codewords.data();
  code.codewordCount = payload.codewords.size();
#endif
  const std::string level = result.ecLevel();
  if (code.kind == CAM_CODE_QR && level.size() == 1) code.correctionLevel = level[0];
}

/// Appends what the library reads in `picture`.
void append(const cam_luma &picture, const Options &options, cam_codes &found) {
  const ZXing::ImageView view(picture.pixels, picture.width, picture.height, ZXing::ImageFormat::Lum,
                              static_cast<int>(picture.stride));
  for (const auto &result : ZXing::ReadBarcodes(view, options)) {
    const uint32_t kind = result.isValid() ? kindOf(result.format()) : 0;
    if (kind == 0) continue;
    auto payload = std::make_unique<cam_codes::Payload>();
    payload->bytes.assign(result.bytes().begin(), result.bytes().end());
    cam_code code = {};
    code.kind = kind;
    for (int index = 0; index < 4; index++) {
      code.corners[2 * index] = static_cast<float>(result.position()[index].x);
      code.corners[2 * index + 1] = static_cast<float>(result.position()[index].y);
    }
    code.bytes = payload->bytes.data();
    code.byteCount = payload->bytes.size();
    const auto type = result.contentType();
    if (type != ZXing::ContentType::Binary && type != ZXing::ContentType::UnknownECI) {
      payload->text = result.text();
      code.text = payload->text.data();
      code.textCount = payload->text.size();
    }
    if (type == ZXing::ContentType::Binary && !result.hasECI() &&
        std::find(payload->bytes.begin(), payload->bytes.end(), 0) == payload->bytes.end()) {
      // The library takes every control code for a sign of binary data. Whether it is text is for the caller to check.
      payload->text.assign(payload->bytes.begin(), payload->bytes.end());
      code.text = payload->text.data();
      code.textCount = payload->text.size();
    }
    code.isMirrored = result.isMirrored();
    code.mask = -1;
    appendSymbol(result, code, *payload);
    found.payloads.push_back(std::move(payload));
    found.codes.push_back(code);
  }
}

cam_codes *read(const cam_luma &picture, const Options &options) {
  // No exception may cross into Swift.
  try {
    auto found = std::make_unique<cam_codes>();
    append(picture, options, *found);
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

uint32_t cam_codes_readable(void) {
  uint32_t kinds = 0;
  for (const auto &pair : pairs) kinds |= pair.kind;
  return kinds;
}

#define CAM_TEXT_OF(value) #value
#define CAM_TEXT(value) CAM_TEXT_OF(value)
const char *cam_codes_version(void) {
  return CAM_TEXT(ZXING_VERSION_MAJOR) "." CAM_TEXT(ZXING_VERSION_MINOR) "." CAM_TEXT(ZXING_VERSION_PATCH);
}

cam_codes *cam_codes_read(cam_luma picture, cam_code_options wanted) {
  Options options;
  options.setFormats(formats(wanted.kinds));
  options.setTryHarder(wanted.triesHarder != 0);
  options.setTryRotate(wanted.triesRotated != 0);
  options.setTryDownscale(false);
  options.setBinarizer(wanted.isBinary ? ZXing::Binarizer::BoolCast : ZXing::Binarizer::LocalAverage);
  options.setMaxNumberOfSymbols(static_cast<uint8_t>(wanted.maximumCount));
#if CAM_ZXING_AT_LEAST(2, 0)
  options.setTryInvert(false);
  options.setTextMode(ZXing::TextMode::Plain);
#endif
  return read(picture, options);
}

cam_codes *cam_codes_read_default(cam_luma picture, uint32_t kinds) {
  Options options;
  options.setFormats(formats(kinds));
  return read(picture, options);
}

size_t cam_codes_count(const cam_codes *codes) { return codes->codes.size(); }

const cam_code *cam_codes_at(const cam_codes *codes, size_t index) { return &codes->codes[index]; }

int cam_codes_finders(const cam_codes *codes) { return codes->finders; }

void cam_codes_free(cam_codes *codes) { delete codes; }
