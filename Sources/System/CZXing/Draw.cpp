// Codes as modules; see CZXing.h.
#define ZX_USE_UTF8 1

#include <ZXing/BarcodeFormat.h>
#include <ZXing/BitMatrix.h>
#include <ZXing/CharacterSet.h>
#include <ZXing/MultiFormatWriter.h>

#include <cstdlib>
#include <string>

#include "CZXing.h"

namespace {

using ZXing::BarcodeFormat;

BarcodeFormat formatOf(uint32_t kind) {
  switch (kind) {
    case CAM_CODE_AZTEC: return BarcodeFormat::Aztec;
    case CAM_CODE_DATA_MATRIX: return BarcodeFormat::DataMatrix;
    case CAM_CODE_PDF417: return BarcodeFormat::PDF417;
    case CAM_CODE_EAN13: return BarcodeFormat::EAN13;
    case CAM_CODE_EAN8: return BarcodeFormat::EAN8;
    case CAM_CODE_UPCE: return BarcodeFormat::UPCE;
    case CAM_CODE_CODE39: return BarcodeFormat::Code39;
    case CAM_CODE_CODE93: return BarcodeFormat::Code93;
    case CAM_CODE_CODE128: return BarcodeFormat::Code128;
    case CAM_CODE_ITF: return BarcodeFormat::ITF;
    case CAM_CODE_CODABAR: return BarcodeFormat::Codabar;
    case CAM_CODE_QR: return BarcodeFormat::QRCode;
    default: return BarcodeFormat::None;
  }
}

uint8_t *modulesOf(const ZXing::BitMatrix &bits, int *width, int *height) {
  const size_t count = static_cast<size_t>(bits.width()) * static_cast<size_t>(bits.height());
  auto *modules = static_cast<uint8_t *>(std::malloc(count));
  if (!modules) return nullptr;
  for (int y = 0; y < bits.height(); y++)
    for (int x = 0; x < bits.width(); x++)
      modules[static_cast<size_t>(y) * static_cast<size_t>(bits.width()) + static_cast<size_t>(x)] = bits.get(x, y);
  *width = bits.width();
  *height = bits.height();
  return modules;
}

}  // namespace

uint8_t *cam_code_draw(uint32_t kind, const char *text, size_t textCount, int *width, int *height) {
  try {
    const BarcodeFormat format = formatOf(kind);
    if (format == BarcodeFormat::None) return nullptr;
    ZXing::MultiFormatWriter writer(format);
    writer.setMargin(0);
    for (size_t index = 0; index < textCount; index++)
      if (static_cast<unsigned char>(text[index]) >= 0x80) writer.setEncoding(ZXing::CharacterSet::UTF8);
    return modulesOf(writer.encode(std::string(text, textCount), 0, 0), width, height);
  } catch (...) {
    // The writers refuse what their code cannot hold by exceptions of many types.
    return nullptr;
  }
}

uint8_t *cam_code_draw_bytes(uint32_t kind, const uint8_t *bytes, size_t count, int level, int *width, int *height) {
  try {
    const BarcodeFormat format = formatOf(kind);
    if (format == BarcodeFormat::None) return nullptr;
    ZXing::MultiFormatWriter writer(format);
    writer.setMargin(0);
    if (level >= 0) writer.setEccLevel(level);
    // Latin-1 gives each byte the character of its number, and needs no mark in the code.
    writer.setEncoding(ZXing::CharacterSet::ISO8859_1);
    std::wstring characters;
    for (size_t index = 0; index < count; index++) characters.push_back(static_cast<wchar_t>(bytes[index]));
    return modulesOf(writer.encode(characters, 0, 0), width, height);
  } catch (...) {
    return nullptr;
  }
}
