#ifndef cam_jpeg_h
#define cam_jpeg_h

#include <stddef.h>
#include <stdint.h>

/// How the samples that are handed in or out lie in memory.
typedef enum {
  CAM_JPEG_GRAY,
  /// Luma, Cb and Cr apart, or Cb and Cr taking turns: see `chroma_step`.
  CAM_JPEG_YCBCR,
  CAM_JPEG_RGB,
  CAM_JPEG_RGBA,
  CAM_JPEG_BGRA,
  CAM_JPEG_ARGB
} cam_jpeg_layout;

/// From the YCbCr of a buffer to that of JFIF (BT.601, full range), in 1/16384; each below 2.
typedef struct {
  /// Taken off luma before it is scaled: 16 for video range.
  int luma_offset;
  int luma_scale;
  /// What the centred chroma adds to luma.
  int luma_from_cb, luma_from_cr;
  int cb_from_cb, cb_from_cr, cr_from_cb, cr_from_cr;
} cam_jpeg_conversion;

typedef struct {
  int width, height;
  cam_jpeg_layout layout;
  /// Luma, Cb, Cr; or only the first one for packed layouts.
  const uint8_t *planes[3];
  size_t strides[3];
  /// Bytes from one Cb to the next: 1 planar, 2 interleaved.
  int chroma_step;
  /// By how much chroma is smaller along x and y, 1 or 2, in the picture and in the file.
  int chroma_x, chroma_y;
  /// NULL when the samples are JFIF's already.
  const cam_jpeg_conversion *convert;
} cam_jpeg_picture;

typedef struct {
  /// 1…100, libjpeg's scale.
  int quality;
  int progressive;
  /// Huffman tables made for this picture; a second pass over its coefficients.
  int optimize;
  /// Dots per inch in the JFIF header; 0 for none given.
  int dots_per_inch;
  int write_jfif;
  /// Bodies of marker segments in the order they are written; each at most 65533 bytes.
  int marker_count;
  const int *markers;
  const uint8_t *const *marker_bytes;
  const size_t *marker_sizes;
} cam_jpeg_options;

/// Compresses a picture; `*out` is malloc'ed and the caller's.
/// Why C: libjpeg's error exit is a longjmp, and its raw-data feed wants rows gathered by MCU.
int cam_jpeg_encode(
  const cam_jpeg_picture *picture, const cam_jpeg_options *options, uint8_t **out, size_t *out_size,
  char *message);

typedef struct {
  int width, height;
  /// 1 gray, 3 YCbCr or RGB, 4 CMYK.
  int components;
  /// Sampling factors of luma relative to chroma; 1 and 1 for gray.
  int chroma_x, chroma_y;
  int is_progressive;
  /// Whether the file holds RGB without a YCbCr transform.
  int is_rgb;
  /// What decoding keeps of a picture that comes in several scans; 0 of others.
  size_t coefficient_bytes;
} cam_jpeg_header;

/// Reads sizes and sampling without decoding. Why C: longjmp on broken headers.
int cam_jpeg_read_header(const uint8_t *bytes, size_t size, cam_jpeg_header *header, char *message);

typedef struct {
  cam_jpeg_layout layout;
  /// Size of the memory handed in, which must be the file's size divided by `scale_denominator`, rounded up; or smaller by at
  /// most `surplus` in each direction, for 4:2:0, 4:2:2 and gray files at full size: what is beyond is left out.
  int width, height;
  int surplus;
  uint8_t *planes[3];
  size_t strides[3];
  int chroma_step;
  /// 1, 2, 4 or 8.
  int scale_denominator;
  /// Whether any damage is an error; otherwise what could be decoded is delivered.
  int strict;
  /// What the colours of a CMYK file are; NULL for those of no particular ink.
  const uint8_t *profile;
  size_t profile_size;
} cam_jpeg_target;

/// Decodes into memory of the caller: 4:2:0 YCbCr, gray, or packed pixels with alpha 255.
/// Why C: longjmp, and the raw-data path gathers rows by MCU.
/// `*damage` counts what was wrong but not fatal.
int cam_jpeg_decode(
  const uint8_t *bytes, size_t size, const cam_jpeg_target *target, int *damage, char *message);

typedef enum {
  /// Every code of the picture means something, there are as many as it needs, and none is left over.
  CAM_JPEG_WHOLE,
  /// The same, but that a few bytes lie between the last code and the end, which some encoders leave there.
  CAM_JPEG_LEFT_OVER,
  CAM_JPEG_BROKEN,
  /// Not baseline with one scan; `cam_jpeg_decode` is the judge of those.
  CAM_JPEG_OTHER_KIND
} cam_jpeg_verdict;

/// Reads the codes of a baseline picture without decoding it, and finds what decoders let pass. `*length` is where it ends,
/// without padding, when it is whole. Cost: half to three quarters of decoding it.
cam_jpeg_verdict cam_jpeg_check(const uint8_t *bytes, size_t size, size_t *length, char *message);

#define CAM_JPEG_STANDARD_TABLES_SIZE 420

/// Writes a segment of the standard's Huffman tables (ISO/IEC 10918-1, K.3), which motion JPEG leaves out.
size_t cam_jpeg_standard_tables(uint8_t *segment);

#endif
