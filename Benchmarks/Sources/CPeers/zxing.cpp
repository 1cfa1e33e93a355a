#define ZX_USE_UTF8 1
#include <ZXing/ReadBarcode.h>

extern "C" {
#include "CPeers.h"
}

int peer_zxing_count(const uint8_t *luma, ptrdiff_t stride, int width, int height) {
  using ZXing::BarcodeFormat;
  try {
#if __has_include(<ZXing/ReaderOptions.h>)
    ZXing::ReaderOptions options;
#else
    ZXing::DecodeHints options;
#endif
    options.setFormats(BarcodeFormat::QRCode | BarcodeFormat::EAN13 | BarcodeFormat::Code128);
    ZXing::ImageView picture(luma, width, height, ZXing::ImageFormat::Lum, static_cast<int>(stride));
    return static_cast<int>(ZXing::ReadBarcodes(picture, options).size());
  } catch (...) {
    return -1;
  }
}
