// Draws codes of every kind for tests, by the writing half of ZXing-C++.
#ifndef CodeDrawing_h
#define CodeDrawing_h

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Draws a code as one byte a module, 0 for dark, with its quiet zone; free it with `free`.
///
/// `format` is the library's name, such as "QRCode" or "EAN-13"; `isBinary` puts the bytes into the symbol as they are, as
/// far as the kind can. A row of bars is one pixel high or more. NULL when the library cannot draw it.
uint8_t *code_draw(const char *format, const uint8_t *bytes, size_t byteCount, int isBinary, int *width, int *height);

#ifdef __cplusplus
}
#endif
#endif
