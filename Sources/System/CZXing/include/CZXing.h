// Thin façade over ZXing-C++ for CodeReading.
//
// Why Swift cannot call it directly: it is C++ with exceptions, and its interface changed between 1.4 (Debian 12), 2.x and
// 3.x. Beside it stand the loops over luma that prepare harder attempts.
#ifndef CZXing_h
#define CZXing_h

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// MARK: - Reading

/// Kinds of codes, one bit each.
typedef enum {
  CAM_CODE_QR = 1 << 0,
  CAM_CODE_MICRO_QR = 1 << 1,
  CAM_CODE_AZTEC = 1 << 2,
  CAM_CODE_DATA_MATRIX = 1 << 3,
  CAM_CODE_PDF417 = 1 << 4,
  CAM_CODE_MICRO_PDF417 = 1 << 5,
  CAM_CODE_EAN13 = 1 << 6,
  CAM_CODE_EAN8 = 1 << 7,
  CAM_CODE_UPCA = 1 << 8,
  CAM_CODE_UPCE = 1 << 9,
  CAM_CODE_CODE39 = 1 << 10,
  CAM_CODE_CODE93 = 1 << 11,
  CAM_CODE_CODE128 = 1 << 12,
  CAM_CODE_ITF = 1 << 13,
  CAM_CODE_CODABAR = 1 << 14,
  CAM_CODE_DATABAR = 1 << 15,
  CAM_CODE_DATABAR_EXPANDED = 1 << 16,
  CAM_CODE_DATABAR_LIMITED = 1 << 17,
} cam_code_kind;

/// Luma of a picture, one byte a pixel; rows may lie apart, so that a part of a picture is read without a copy.
typedef struct {
  const uint8_t *pixels;
  ptrdiff_t stride;
  int width, height;
} cam_luma;

/// How hard to look.
typedef struct {
  /// Bits of `cam_code_kind`.
  uint32_t kinds;
  /// More scan lines, slower.
  int triesHarder;
  /// Also a quarter turn; matrix codes with finder patterns are found in every direction anyway.
  int triesRotated;
  /// The picture is 0 and 255, as `cam_luma_binarize` makes it: it is not binarized again.
  int isBinary;
  /// At most this many codes, 1 to 255.
  int maximumCount;
} cam_code_options;

/// One code. What it points to belongs to the `cam_codes` that it came from.
typedef struct {
  uint32_t kind;
  /// x and y of the code's own top left, top right, bottom right and bottom left corner, in pixels.
  float corners[8];
  /// The payload as the symbol holds it.
  const uint8_t *bytes;
  size_t byteCount;
  /// The payload as UTF-8, not checked; NULL where it is no text.
  const char *text;
  size_t textCount;
  /// Whether the symbol appears as in a mirror.
  int isMirrored;
  /// What the symbol holds after its errors were corrected, as its modules have it, with padding; NULL where the library does not
  /// say: of rows of bars and PDF417, and of all with versions from 2.0 on.
  const uint8_t *codewords;
  size_t codewordCount;
  /// How much of a QR code may be lost, 'L', 'M', 'Q' or 'H'; 0 where the library does not say.
  char correctionLevel;
  /// Modules a side of a QR code that `cam_fields_read` found, and the number of its mask; 0 and -1 of others.
  int side, mask;
} cam_code;

typedef struct cam_codes cam_codes;

/// The kinds that this library reads.
uint32_t cam_codes_readable(void);

/// The library's version, such as "1.4.0".
const char *cam_codes_version(void);

/// Reads codes; NULL when there is not enough memory, or the library refused the picture.
cam_codes *cam_codes_read(cam_luma picture, cam_code_options options);
size_t cam_codes_count(const cam_codes *codes);
const cam_code *cam_codes_at(const cam_codes *codes, size_t index);
void cam_codes_free(cam_codes *codes);

/// Reads as the library does by itself, inversion and smaller copies included: what ours is measured against.
cam_codes *cam_codes_read_default(cam_luma picture, uint32_t kinds);

// MARK: - QR codes

/// How QR codes are looked for.
typedef struct {
  /// Light on dark ground.
  int isInverted;
  /// Also as if on something crumpled: takes longer only where there is a code almost for certain, and it is not read.
  int isCrumpled;
  /// Squares in the corners of codes are no wider than so many pixels.
  int widest;
  /// At most this many codes.
  int maximumCount;
} cam_field_options;

/// Reads QR codes; NULL when there is not enough memory, or the library refused what was seen.
///
/// They are found and sampled here and decoded by the library. The squares in their corners are looked for in `binary`, which
/// `cam_luma_binarize` made of `gray`; modules are read between the pixels of `gray`, each against those around it.
cam_codes *cam_fields_read(cam_luma gray, cam_luma binary, cam_field_options options);

/// How many places `cam_fields_read` found that look like the squares in the corners of QR codes.
int cam_codes_finders(const cam_codes *codes);

// MARK: - Drawing

/// Draws a code without its quiet zone: one byte a module, 1 for dark; free it with `free`.
///
/// `kind` is one bit of `cam_code_kind`. A row of bars may be one module high. NULL when that kind cannot hold the text, or the
/// library does not draw it.
uint8_t *cam_code_draw(uint32_t kind, const char *text, size_t textCount, int *width, int *height);

/// Draws a code of bytes, as `cam_code_draw` does of text.
///
/// `level` is how much of the code may be lost, 0 to 8, or -1 for what is usual: of QR codes 2, 4, 6 and 8 are L, M, Q and H; of
/// Aztec codes each stands for an eighth of the code; of PDF417 it is the level of the standard.
uint8_t *cam_code_draw_bytes(uint32_t kind, const uint8_t *bytes, size_t count, int level, int *width, int *height);

// MARK: - Luma

/// Averages squares of `factor` × `factor` pixels; the target has floor(width / factor) × floor(height / factor).
void cam_luma_shrink(cam_luma source, int factor, uint8_t *target, ptrdiff_t targetStride);

/// Twice the width and height, between pixels linear; 0 when out of memory.
int cam_luma_enlarge(cam_luma source, uint8_t *target, ptrdiff_t targetStride);

/// Dark for light; the target may be the source.
void cam_luma_invert(cam_luma source, uint8_t *target, ptrdiff_t targetStride);

/// The mean of 3 × 3 pixels, against noise; the outermost pixels are copied.
void cam_luma_smooth(cam_luma source, uint8_t *target, ptrdiff_t targetStride);

/// How dark is separated from light.
typedef enum {
  /// A level for each 8 × 8 pixels, from 40 × 40 around them; as the library does by itself.
  CAM_THRESHOLD_NEIGHBOURHOOD,
  /// One for the whole picture, Otsu's.
  CAM_THRESHOLD_WHOLE,
  /// The mean of (2 · radius + 1)² pixels around each.
  CAM_THRESHOLD_MEAN,
} cam_threshold;

/// 0 for dark and 255 for light; 0 when out of memory.
int cam_luma_binarize(cam_luma source, cam_threshold threshold, int radius, uint8_t *target, ptrdiff_t targetStride);

/// Pixels pushed away from the mean of their (2 · radius + 1)² neighbours, against blur; 0 when out of memory.
int cam_luma_sharpen(cam_luma source, int radius, float amount, uint8_t *target, ptrdiff_t targetStride);

#ifdef __cplusplus
}
#endif
#endif
