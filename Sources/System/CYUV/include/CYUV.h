#ifndef CYUV_h
#define CYUV_h

#include <stddef.h>
#include <stdint.h>

// The few calls of libyuv that serve, and our own measured loops beside them. libyuv's headers stay out of the module
// map, so that its two hundred functions do not become part of ours.

// MARK: - libyuv

// Wrapped because libyuv's RotationMode enum and one function per element size would otherwise leak into Swift.
// Copies `width` × `height` elements of `elementBytes` (1, 2, 4) turned clockwise by 90 or 270 degrees.
// A negative source stride with the pointer at the last row flips the source upside down first.
int cam_libyuv_rotate(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                      int width, int height, int elementBytes, int degrees);

// Wrapped for the same reason: one entry for elements of 1, 2 and 4 bytes. Swaps left and right.
int cam_libyuv_mirror(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                      int width, int height, int elementBytes);

// Wrapped because libyuv takes the shuffle as an anonymous pointer: reorders the four bytes of each pixel.
void cam_libyuv_shuffle(const uint8_t *source, uint8_t *target, const uint8_t order[4], int width);

// Wrapped because the names of libyuv's RAW (R,G,B in memory) and RGB24 (B,G,R) mislead.
void cam_libyuv_bgra_to_rgb24(const uint8_t *source, uint8_t *target, int width);
void cam_libyuv_rgb24_to_bgra(const uint8_t *source, uint8_t *target, int width);

// MARK: - Measured loops

/// Turns 16-bit elements (chroma pairs) by 90 or 270 degrees clockwise. libyuv has only plain C for these.
void cam_rotate_16(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride, int width,
                   int height, int degrees);

/// Y'CbCr to R'G'B' in 16-bit fixed point: luma times `lumaGain` / 65536 lands in 1/64 levels.
typedef struct {
  uint16_t lumaGain;   // levels × 64 × 65536 / 257 per level of luma
  int16_t lumaOffset;  // 1/64 levels, rounding included
  int16_t cbToBlue, cbToGreen, crToGreen, crToRed;  // 1/8192
} cam_yuv_to_rgb;

/// R'G'B' to Y'CbCr: coefficients in 1/32768, offsets in levels.
typedef struct {
  int16_t luma[3], cb[3], cr[3];  // red, green, blue
  int32_t lumaOffset;
} cam_rgb_to_yuv;

/// Y'CbCr to Y'CbCr of another range or matrix, in the fixed point of `cam_yuv_to_rgb`.
typedef struct {
  uint16_t lumaGain;
  int16_t lumaOffset;
  int16_t cbToLuma, crToLuma, cbToCb, crToCb, cbToCr, crToCr;
} cam_yuv_to_yuv;

/// One row of luma and half-width interleaved chroma to four-byte pixels; `order` names what lies in bytes 0…3:
/// 0 blue, 1 green, 2 red, 3 alpha (255). libyuv's own is wrong by up to 15 levels of blue for BT.709.
void cam_yuv_row_to_rgb(const uint8_t *luma, const uint8_t *chroma, uint8_t *target, int width,
                        const cam_yuv_to_rgb *matrix, const uint8_t order[4]);

/// One row of BGRA to luma. libyuv knows only BT.601 in this direction.
void cam_rgb_row_to_luma(const uint8_t *bgra, uint8_t *luma, int width, const cam_rgb_to_yuv *matrix);

/// Two rows of BGRA (the same one twice for 4:2:2 or a last odd row) to one row of interleaved chroma.
void cam_rgb_rows_to_chroma(const uint8_t *upper, const uint8_t *lower, uint8_t *chroma, int width,
                            const cam_rgb_to_yuv *matrix);

/// One row of luma to another range or matrix; `chroma` is the old one and read only when the matrix changes.
void cam_yuv_row_to_luma(const uint8_t *luma, const uint8_t *chroma, uint8_t *target, int width,
                         const cam_yuv_to_yuv *matrix);

/// One row of `pairs` interleaved chroma pairs to another range or matrix.
void cam_yuv_row_to_chroma(const uint8_t *chroma, uint8_t *target, int pairs, const cam_yuv_to_yuv *matrix);

/// Takes a row of packed 4:2:2 apart; `lumaFirst` for `yuvs`, not for `2vuy`. Writes (width + 1) / 2 chroma pairs.
/// Not libyuv's YUY2ToNV12, which in version 1857 (Debian 12) writes wrong chroma where width % 32 > 16.
void cam_yuv_unpack_422(const uint8_t *source, uint8_t *luma, uint8_t *chroma, int width, int lumaFirst);

/// Puts a row of packed 4:2:2 together; the last luma is written twice when `width` is odd.
void cam_yuv_pack_422(const uint8_t *luma, const uint8_t *chroma, uint8_t *target, int width, int lumaFirst);

/// 10 bits in the upper end of 16 to 8, rounded.
void cam_yuv_narrow(const uint16_t *source, uint8_t *target, int count);

/// 8 bits to 10 in the upper end of 16.
void cam_yuv_widen(const uint8_t *source, uint16_t *target, int count);

/// Two planes of chroma to interleaved pairs, and back.
void cam_yuv_interleave(const uint8_t *cb, const uint8_t *cr, uint8_t *target, int pairs);
void cam_yuv_split(const uint8_t *source, uint8_t *cb, uint8_t *cr, int pairs);

/// The mean of two rows, halves rounded up.
void cam_yuv_average(const uint8_t *upper, const uint8_t *lower, uint8_t *target, int count);

/// One output sample of a separable filter: source samples `first` … `first + count - 1`, weights at `offset`.
typedef struct {
  int32_t first, count, offset;
} cam_filter_tap;

/// Filters rows `firstRow` … `lastRow - 1` of a picture of interleaved 8-bit channels (1, 2 or 4). Column weights sum to
/// 16384, row weights to 256. Column taps come in fours, the last ones of weight 0; `scratch` holds
/// `(sourceWidth + 4) * channels` values, so that such taps may lie past the row.
void cam_scale_rows_8(const uint8_t *source, ptrdiff_t sourceStride, int sourceWidth, uint8_t *target,
                      ptrdiff_t targetStride, int targetWidth, int firstRow, int lastRow, int channels,
                      const cam_filter_tap *columns, const uint16_t *columnWeights, const cam_filter_tap *rows,
                      const uint16_t *rowWeights, uint16_t *scratch);

/// The same for 16-bit samples.
void cam_scale_rows_16(const uint16_t *source, ptrdiff_t sourceStride, int sourceWidth, uint16_t *target,
                       ptrdiff_t targetStride, int targetWidth, int firstRow, int lastRow, int channels,
                       const cam_filter_tap *columns, const uint16_t *columnWeights, const cam_filter_tap *rows,
                       const uint16_t *rowWeights, uint32_t *scratch);

#endif
