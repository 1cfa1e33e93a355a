#include "CImageCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

struct encode_error {
  struct jpeg_error_mgr base;
  jmp_buf exit;
  char *message;
};

static void leave(j_common_ptr info) {
  struct encode_error *error = (struct encode_error *)info->err;
  char text[JMSG_LENGTH_MAX];
  info->err->format_message(info, text);
  snprintf(error->message, CAM_MESSAGE_SIZE, "%s", text);
  longjmp(error->exit, 1);
}

static void stay_silent(j_common_ptr info, int level) {
  (void)info;
  (void)level;
}

// MARK: destination

// jpeg_mem_dest copies once more at the end and starts at 4 KiB; this one starts near the expected size.
struct growing {
  struct jpeg_destination_mgr base;
  uint8_t *bytes;
  size_t capacity, count;
};

static void begin(j_compress_ptr info) {
  struct growing *to = (struct growing *)info->dest;
  to->base.next_output_byte = to->bytes;
  to->base.free_in_buffer = to->capacity;
}

static boolean grow(j_compress_ptr info) {
  struct growing *to = (struct growing *)info->dest;
  size_t larger = to->capacity * 2;
  uint8_t *bytes = realloc(to->bytes, larger);
  if (!bytes) {
    // Code 0 formats as a generic text; the message is set here instead.
    struct encode_error *error = (struct encode_error *)info->err;
    snprintf(error->message, CAM_MESSAGE_SIZE, "there is no memory for %zu bytes", larger);
    longjmp(error->exit, 1);
  }
  to->base.next_output_byte = bytes + to->capacity;
  to->base.free_in_buffer = larger - to->capacity;
  to->bytes = bytes;
  to->capacity = larger;
  return TRUE;
}

static void end(j_compress_ptr info) {
  struct growing *to = (struct growing *)info->dest;
  to->count = to->capacity - to->base.free_in_buffer;
}

// MARK: rows

static void split_pairs(const uint8_t *pairs, uint8_t *first, uint8_t *second, int count) {
  int x = 0;
#if defined(__SSE2__)
  const __m128i low = _mm_set1_epi16(0x00FF);
  for (; x + 16 <= count; x += 16) {
    __m128i a = _mm_loadu_si128((const __m128i *)(pairs + 2 * x));
    __m128i b = _mm_loadu_si128((const __m128i *)(pairs + 2 * x + 16));
    _mm_storeu_si128(
      (__m128i *)(first + x), _mm_packus_epi16(_mm_and_si128(a, low), _mm_and_si128(b, low)));
    _mm_storeu_si128(
      (__m128i *)(second + x), _mm_packus_epi16(_mm_srli_epi16(a, 8), _mm_srli_epi16(b, 8)));
  }
#elif defined(__ARM_NEON)
  for (; x + 16 <= count; x += 16) {
    uint8x16x2_t both = vld2q_u8(pairs + 2 * x);
    vst1q_u8(first + x, both.val[0]);
    vst1q_u8(second + x, both.val[1]);
  }
#endif
  for (; x < count; x++) {
    first[x] = pairs[2 * x];
    second[x] = pairs[2 * x + 1];
  }
}

static inline uint8_t clamp(int value) {
  return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

// What has to be added to every luma, in 1/64: the video range's offset and the rounding half.
static inline int luma_constant(const cam_jpeg_conversion *by) {
  return 32 - ((by->luma_offset * by->luma_scale) >> 8);
}

// Chroma of one row to JFIF's, and what it adds to the luma above it, in 1/64, with the constant included.
static void convert_chroma(
  const cam_jpeg_conversion *by, uint8_t *restrict cb, uint8_t *restrict cr, int16_t *restrict to_luma,
  int count) {
  const int half = 1 << 13, constant = luma_constant(by);
  int x = 0;
#if defined(__SSE2__)
  const __m128i middle = _mm_set1_epi16(128), zero = _mm_setzero_si128(), round = _mm_set1_epi32(half);
  const __m128i to_y = _mm_set1_epi32((by->luma_from_cr << 16) | (by->luma_from_cb & 0xFFFF));
  const __m128i to_b = _mm_set1_epi32((by->cb_from_cr << 16) | (by->cb_from_cb & 0xFFFF));
  const __m128i to_r = _mm_set1_epi32((by->cr_from_cr << 16) | (by->cr_from_cb & 0xFFFF));
  const __m128i add = _mm_set1_epi16((short)constant);
  for (; x + 8 <= count; x += 8) {
    __m128i b = _mm_sub_epi16(_mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(cb + x)), zero), middle);
    __m128i r = _mm_sub_epi16(_mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(cr + x)), zero), middle);
    __m128i low = _mm_unpacklo_epi16(b, r), high = _mm_unpackhi_epi16(b, r);
    __m128i y = _mm_packs_epi32(
      _mm_srai_epi32(_mm_madd_epi16(low, to_y), 8), _mm_srai_epi32(_mm_madd_epi16(high, to_y), 8));
    _mm_storeu_si128((__m128i *)(to_luma + x), _mm_add_epi16(y, add));
    b = _mm_packs_epi32(
      _mm_srai_epi32(_mm_add_epi32(_mm_madd_epi16(low, to_b), round), 14),
      _mm_srai_epi32(_mm_add_epi32(_mm_madd_epi16(high, to_b), round), 14));
    r = _mm_packs_epi32(
      _mm_srai_epi32(_mm_add_epi32(_mm_madd_epi16(low, to_r), round), 14),
      _mm_srai_epi32(_mm_add_epi32(_mm_madd_epi16(high, to_r), round), 14));
    b = _mm_add_epi16(b, middle);
    r = _mm_add_epi16(r, middle);
    _mm_storel_epi64((__m128i *)(cb + x), _mm_packus_epi16(b, b));
    _mm_storel_epi64((__m128i *)(cr + x), _mm_packus_epi16(r, r));
  }
#endif
  for (; x < count; x++) {
    int b = cb[x] - 128, r = cr[x] - 128;
    to_luma[x] = (int16_t)(((b * by->luma_from_cb + r * by->luma_from_cr) >> 8) + constant);
    cb[x] = clamp(((b * by->cb_from_cb + r * by->cb_from_cr + half) >> 14) + 128);
    cr[x] = clamp(((b * by->cr_from_cb + r * by->cr_from_cr + half) >> 14) + 128);
  }
}

// Luma of one row to JFIF's: scaled, with what its chroma adds.
static void convert_luma(
  const cam_jpeg_conversion *by, const uint8_t *restrict from, const int16_t *restrict to_luma, int chroma_x,
  uint8_t *restrict to, int count) {
  const int scale = by->luma_scale;
  int x = 0;
#if defined(__SSE2__)
  const __m128i factor = _mm_set1_epi16((short)scale), zero = _mm_setzero_si128();
  for (; chroma_x == 2 && x + 16 <= count; x += 16) {
    __m128i y = _mm_loadu_si128((const __m128i *)(from + x));
    __m128i add = _mm_loadu_si128((const __m128i *)(to_luma + x / 2));
    // A byte in the upper half of 16 bits is 256 times itself, so that the upper half of the product is in 1/64.
    __m128i low = _mm_add_epi16(_mm_mulhi_epu16(_mm_unpacklo_epi8(zero, y), factor), _mm_unpacklo_epi16(add, add));
    __m128i high = _mm_add_epi16(_mm_mulhi_epu16(_mm_unpackhi_epi8(zero, y), factor), _mm_unpackhi_epi16(add, add));
    _mm_storeu_si128(
      (__m128i *)(to + x), _mm_packus_epi16(_mm_srai_epi16(low, 6), _mm_srai_epi16(high, 6)));
  }
#endif
  for (; x < count; x++) to[x] = clamp((((from[x] * scale) >> 8) + to_luma[x / chroma_x]) >> 6);
}

static void extend(uint8_t *row, int count, int padded) {
  if (padded > count) memset(row + count, row[count - 1], (size_t)(padded - count));
}

// Feeds libjpeg rows of MCUs. Luma goes in place when it needs neither padding nor conversion; chroma is split or
// copied into buffers of one MCU row.
static void feed_raw(j_compress_ptr info, const cam_jpeg_picture *picture, uint8_t *scratch) {
  const int is_gray = picture->layout == CAM_JPEG_GRAY;
  const int width = picture->width, height = picture->height;
  const int chroma_x = picture->chroma_x, chroma_y = picture->chroma_y;
  const int mcu_width = 8 * chroma_x, mcu_height = 8 * chroma_y;
  const int padded = (width + mcu_width - 1) / mcu_width * mcu_width;
  const int chroma_width = (width + chroma_x - 1) / chroma_x;
  const int chroma_height = (height + chroma_y - 1) / chroma_y;
  const int chroma_padded = padded / chroma_x;
  const int copies_luma = picture->convert != NULL || padded != width;

  uint8_t *luma = scratch;
  uint8_t *cb = luma + (size_t)padded * mcu_height;
  uint8_t *cr = cb + (size_t)chroma_padded * 8;
  int16_t *to_luma = (int16_t *)(((uintptr_t)(cr + (size_t)chroma_padded * 8) + 15) & ~(uintptr_t)15);

  JSAMPROW rows[3][16];
  JSAMPARRAY planes[3] = {rows[0], rows[1], rows[2]};
  for (int top = 0; top < height; top += mcu_height) {
    for (int line = 0; line < 8 && !is_gray; line++) {
      int y = top / chroma_y + line;
      rows[1][line] = cb + (size_t)line * chroma_padded;
      rows[2][line] = cr + (size_t)line * chroma_padded;
      if (y >= chroma_height) {
        rows[1][line] = rows[1][line - 1];
        rows[2][line] = rows[2][line - 1];
        continue;
      }
      const uint8_t *from = picture->planes[1] + (size_t)y * picture->strides[1];
      if (picture->chroma_step == 2) {
        if (picture->planes[2] > picture->planes[1]) split_pairs(from, rows[1][line], rows[2][line], chroma_width);
        else split_pairs(from - 1, rows[2][line], rows[1][line], chroma_width);
      } else if (picture->convert || chroma_padded != chroma_width) {
        memcpy(rows[1][line], from, (size_t)chroma_width);
        memcpy(rows[2][line], picture->planes[2] + (size_t)y * picture->strides[2], (size_t)chroma_width);
      } else {
        rows[1][line] = (JSAMPROW)from;
        rows[2][line] = (JSAMPROW)(picture->planes[2] + (size_t)y * picture->strides[2]);
      }
      if (picture->convert) {
        convert_chroma(
          picture->convert, rows[1][line], rows[2][line], to_luma + (size_t)line * chroma_width, chroma_width);
      }
      if (chroma_padded != chroma_width) {
        extend(rows[1][line], chroma_width, chroma_padded);
        extend(rows[2][line], chroma_width, chroma_padded);
      }
    }
    for (int line = 0; line < mcu_height; line++) {
      int y = top + line;
      if (y >= height) {
        rows[0][line] = rows[0][line - 1];
        continue;
      }
      const uint8_t *from = picture->planes[0] + (size_t)y * picture->strides[0];
      if (!copies_luma) {
        rows[0][line] = (JSAMPROW)from;
        continue;
      }
      rows[0][line] = luma + (size_t)line * padded;
      if (picture->convert && !is_gray) {
        const int16_t *add = to_luma + (size_t)(line / chroma_y) * chroma_width;
        convert_luma(picture->convert, from, add, chroma_x, rows[0][line], width);
      } else if (picture->convert) {
        const int scale = picture->convert->luma_scale, add = luma_constant(picture->convert);
        for (int x = 0; x < width; x++) rows[0][line][x] = clamp((((from[x] * scale) >> 8) + add) >> 6);
      } else {
        memcpy(rows[0][line], from, (size_t)width);
      }
      extend(rows[0][line], width, padded);
    }
    jpeg_write_raw_data(info, planes, (JDIMENSION)mcu_height);
  }
}

static void feed_packed(j_compress_ptr info, const cam_jpeg_picture *picture) {
  for (int y = 0; y < picture->height; y++) {
    JSAMPROW row = (JSAMPROW)(picture->planes[0] + (size_t)y * picture->strides[0]);
    jpeg_write_scanlines(info, &row, 1);
  }
}

static J_COLOR_SPACE color_space(cam_jpeg_layout layout) {
  switch (layout) {
    case CAM_JPEG_GRAY: return JCS_GRAYSCALE;
    case CAM_JPEG_YCBCR: return JCS_YCbCr;
    case CAM_JPEG_RGB: return JCS_EXT_RGB;
    case CAM_JPEG_RGBA: return JCS_EXT_RGBX;
    case CAM_JPEG_BGRA: return JCS_EXT_BGRX;
    case CAM_JPEG_ARGB: return JCS_EXT_XRGB;
  }
  return JCS_UNKNOWN;
}

int cam_jpeg_encode(
  const cam_jpeg_picture *picture, const cam_jpeg_options *options, uint8_t **out, size_t *out_size,
  char *message) {
  struct jpeg_compress_struct info;
  struct encode_error error;
  struct growing destination;
  uint8_t *volatile scratch = NULL;
  memset(&info, 0, sizeof info);
  memset(&destination, 0, sizeof destination);
  destination.base.init_destination = begin;
  destination.base.empty_output_buffer = grow;
  destination.base.term_destination = end;
  destination.capacity = (size_t)picture->width * (size_t)picture->height / 4 + 65536;
  destination.bytes = malloc(destination.capacity);
  if (!destination.bytes) {
    snprintf(message, CAM_MESSAGE_SIZE, "there is no memory for the compressed picture");
    return 1;
  }
  info.err = jpeg_std_error(&error.base);
  error.base.error_exit = leave;
  error.base.emit_message = stay_silent;
  error.message = message;
  if (setjmp(error.exit)) {
    jpeg_destroy_compress(&info);
    free(scratch);
    free(destination.bytes);
    return 1;
  }
  // A fresh handle for every picture: libjpeg-turbo 2.1.5 writes corrupt baseline files from one that was
  // progressive before.
  jpeg_create_compress(&info);
  info.dest = &destination.base;
  info.image_width = (JDIMENSION)picture->width;
  info.image_height = (JDIMENSION)picture->height;
  info.in_color_space = color_space(picture->layout);
  info.input_components = picture->layout == CAM_JPEG_GRAY ? 1
    : picture->layout == CAM_JPEG_YCBCR || picture->layout == CAM_JPEG_RGB ? 3
                                                                          : 4;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, options->quality, TRUE);
  info.dct_method = JDCT_ISLOW;
  info.optimize_coding = options->optimize ? TRUE : FALSE;
  if (options->progressive) jpeg_simple_progression(&info);
  info.write_JFIF_header = options->write_jfif ? TRUE : FALSE;
  info.write_Adobe_marker = FALSE;
  if (options->dots_per_inch > 0) {
    info.density_unit = 1;
    info.X_density = info.Y_density = (UINT16)options->dots_per_inch;
  }
  if (info.num_components == 3) {
    info.comp_info[0].h_samp_factor = picture->chroma_x;
    info.comp_info[0].v_samp_factor = picture->chroma_y;
    for (int index = 1; index < 3; index++) {
      info.comp_info[index].h_samp_factor = 1;
      info.comp_info[index].v_samp_factor = 1;
    }
  }
  const int is_raw = picture->layout == CAM_JPEG_YCBCR || picture->layout == CAM_JPEG_GRAY;
  info.raw_data_in = is_raw ? TRUE : FALSE;
  if (is_raw) {
    // The longest row of MCUs: 16 luma lines, twice 8 chroma lines, and 8 lines of sums, each padded by an MCU.
    size_t padded = (size_t)picture->width + 32;
    scratch = malloc(padded * 16 + padded * 8 * 2 + padded * 8 * sizeof(int16_t) + 64);
    if (!scratch) {
      snprintf(message, CAM_MESSAGE_SIZE, "there is no memory for a row of blocks");
      longjmp(error.exit, 1);
    }
  }
  jpeg_start_compress(&info, TRUE);
  for (int index = 0; index < options->marker_count; index++) {
    jpeg_write_marker(
      &info, options->markers[index], options->marker_bytes[index], (unsigned int)options->marker_sizes[index]);
  }
  if (is_raw) feed_raw(&info, picture, scratch);
  else feed_packed(&info, picture);
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  free(scratch);
  *out = destination.bytes;
  *out_size = destination.count;
  return 0;
}
