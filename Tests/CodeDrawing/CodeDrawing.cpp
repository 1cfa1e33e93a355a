#define ZX_USE_UTF8 1

#include <ZXing/BarcodeFormat.h>
#include <ZXing/BitMatrix.h>
#include <ZXing/CharacterSet.h>
#include <ZXing/MultiFormatWriter.h>

#include <cstdlib>
#include <string>

#include "CodeDrawing.h"

uint8_t *code_draw(const char *format, const uint8_t *bytes, size_t byteCount, int isBinary, int *width, int *height) {
  try {
    ZXing::MultiFormatWriter writer(ZXing::BarcodeFormatFromString(format));
    writer.setMargin(4);
    ZXing::BitMatrix bits;
    if (isBinary) {
      writer.setEncoding(ZXing::CharacterSet::BINARY);
      std::wstring text;
      for (size_t index = 0; index < byteCount; index++) text.push_back(static_cast<wchar_t>(bytes[index]));
      bits = writer.encode(text, 0, 0);
    } else {
      for (size_t index = 0; index < byteCount; index++)
        if (bytes[index] >= 0x80) writer.setEncoding(ZXing::CharacterSet::UTF8);
      bits = writer.encode(std::string(reinterpret_cast<const char *>(bytes), byteCount), 0, 0);
    }
    *width = bits.width();
    *height = bits.height();
    auto *modules = static_cast<uint8_t *>(std::malloc(static_cast<size_t>(bits.width()) * bits.height()));
    if (!modules) return nullptr;
    for (int y = 0; y < bits.height(); y++)
      for (int x = 0; x < bits.width(); x++) modules[y * bits.width() + x] = bits.get(x, y) ? 0 : 255;
    return modules;
  } catch (...) {
    return nullptr;
  }
}
