#include "Library.h"

#include <algorithm>

namespace {

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

}  // namespace

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

uint32_t allKinds() {
  uint32_t kinds = 0;
  for (const auto &pair : pairs) kinds |= pair.kind;
  return kinds;
}

ZXing::ImageView viewOf(const cam_luma &picture) {
  return {picture.pixels, picture.width, picture.height, ZXing::ImageFormat::Lum, static_cast<int>(picture.stride)};
}

cam_code codeOf(const ZXing::Result &result, cam_codes &found) {
  cam_code code = {};
  code.kind = result.isValid() ? kindOf(result.format()) : 0;
  if (code.kind == 0) return code;
  auto payload = std::make_unique<cam_codes::Payload>();
  payload->bytes.assign(result.bytes().begin(), result.bytes().end());
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
  return code;
}
