#ifndef cam_png_h
#define cam_png_h

#include <stddef.h>
#include <stdint.h>

typedef struct {
  int width, height;
  /// As stored: 1, 2, 4, 8 or 16.
  int bit_depth;
  int is_gray;
  int is_palette;
  /// Whether the file has an alpha channel or a transparent colour.
  int has_alpha;
  int is_interlaced;
  /// Pixels per metre along x, 0 when the file says nothing.
  uint32_t pixels_per_metre;
  /// Whether an sRGB chunk is there.
  int is_srgb;
  /// malloc'ed copies of the iCCP profile and the eXIf block, NULL when absent; the caller's.
  uint8_t *profile;
  size_t profile_size;
  uint8_t *exif;
  size_t exif_size;
} cam_png_header;

/// Reads sizes, profile and metadata without decoding pixels.
/// Why C: libpng reports errors by longjmp.
int cam_png_read_header(const uint8_t *bytes, size_t size, cam_png_header *header, char *message);

/// Decodes into rows of red, green, blue, alpha (straight), of 1 byte each or of 2 in native order.
/// Why C: libpng reports errors by longjmp.
int cam_png_decode(
  const uint8_t *bytes, size_t size, int width, int height, int bytes_per_component, uint8_t *pixels,
  size_t stride, char *message);

/// Decodes into rows of red, green, blue, alpha (premultiplied) of 1 byte each, `factor` times smaller along each edge,
/// rounded up: means of what each pixel stands for. Takes memory for one row unless the file is interlaced.
/// Why C: libpng reports errors by longjmp.
int cam_png_decode_smaller(
  const uint8_t *bytes, size_t size, int width, int height, int factor, uint8_t *pixels, size_t stride,
  char *message);

typedef struct {
  int width, height;
  /// 1 or 2; two-byte numbers are native.
  int bytes_per_component;
  /// 1 gray, 3 RGB, 4 RGB with straight alpha.
  int components;
  /// Whether the rows of three components have a fourth, unused one.
  int skips_fourth;
  const uint8_t *pixels;
  size_t stride;
  /// NULL for none.
  const uint8_t *profile;
  size_t profile_size;
  const char *profile_name;
  int is_srgb;
  const uint8_t *exif;
  size_t exif_size;
  uint32_t pixels_per_metre;
  /// zlib's level, 1…9.
  int effort;
} cam_png_picture;

/// Writes a file; `*out` is malloc'ed and the caller's.
/// Why C: libpng reports errors by longjmp.
int cam_png_encode(const cam_png_picture *picture, uint8_t **out, size_t *out_size, char *message);

#endif
