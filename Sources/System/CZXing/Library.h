// The library as all readers here use it. Inside this module only.
#ifndef Library_h
#define Library_h

#define ZX_USE_UTF8 1

#if __has_include(<ZXing/Version.h>)
#include <ZXing/Version.h>
#else
#include <ZXing/ZXVersion.h>
#endif
#include <ZXing/ReadBarcode.h>

#include "Codes.h"

#define CAM_ZXING_AT_LEAST(major, minor) \
  (ZXING_VERSION_MAJOR > (major) || (ZXING_VERSION_MAJOR == (major) && ZXING_VERSION_MINOR >= (minor)))

using ZXing::BarcodeFormat;
#if CAM_ZXING_AT_LEAST(2, 2)
using Options = ZXing::ReaderOptions;
#else
using Options = ZXing::DecodeHints;
#endif

/// The library's names of kinds.
ZXing::BarcodeFormats formats(uint32_t kinds);

/// All kinds that this version of the library reads.
uint32_t allKinds();

ZXing::ImageView viewOf(const cam_luma &picture);

/// What the library read, its payload kept by `found`; of kind 0 when it is none of ours.
cam_code codeOf(const ZXing::Result &result, cam_codes &found);

#endif
