// What was read. Inside this module only.
#ifndef Codes_h
#define Codes_h

#include <memory>
#include <string>
#include <vector>

#include "CZXing.h"

struct cam_codes {
  struct Payload {
    std::vector<uint8_t> bytes;
    std::vector<uint8_t> codewords;
    std::string text;
  };
  std::vector<cam_code> codes;
  /// Places that look like the squares in the corners of QR codes; 0 where none was looked for.
  int finders = 0;
  std::vector<std::unique_ptr<Payload>> payloads;
};

/// Reads a QR code of `side` modules a side, one byte each, 0 for dark, and appends it to `codes`; false when it is none.
///
/// Its squares must be whole. The corners are left at zero.
bool readField(const uint8_t *modules, int side, cam_codes &codes);

/// The mask of a QR code of `side` modules a side, one byte each, 0 for dark; -1 where its format cannot be read.
///
/// - isTransposed: the code is seen as in a mirror, its rows in place of its columns.
int maskOf(const uint8_t *modules, int side, bool isTransposed);

#endif
