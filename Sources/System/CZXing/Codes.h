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
    std::string text;
  };
  std::vector<cam_code> codes;
  /// Places that look like the squares in the corners of QR codes; 0 where nobody looked.
  int finders = 0;
  std::vector<std::unique_ptr<Payload>> payloads;
};

/// Reads a QR code of `side` modules a side, one byte each, 0 for dark, and appends it to `codes`; false when it is none.
///
/// Its squares must be whole. The corners are left at zero.
bool readField(const uint8_t *modules, int side, cam_codes &codes);

#endif
