#include "CImageCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

// An unpacked profile above this is no photograph's.
#define LARGEST_CHUNK (8u << 20)

struct reading {
  const uint8_t *bytes;
  size_t size, position;
};

struct writing {
  uint8_t *bytes;
  size_t capacity, count;
};

static void fail(png_structp png, png_const_charp text) {
  char *message = png_get_error_ptr(png);
  snprintf(message, CAM_MESSAGE_SIZE, "%s", text);
  png_longjmp(png, 1);
}

static void stay_silent(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void take(png_structp png, png_bytep to, size_t count) {
  struct reading *from = png_get_io_ptr(png);
  if (count > from->size - from->position) png_error(png, "it ends before its picture does");
  memcpy(to, from->bytes + from->position, count);
  from->position += count;
}

static void give(png_structp png, png_bytep from, size_t count) {
  struct writing *to = png_get_io_ptr(png);
  if (to->count + count > to->capacity) {
    size_t capacity = (to->count + count) * 2;
    uint8_t *bytes = realloc(to->bytes, capacity);
    if (!bytes) png_error(png, "there is no memory for the compressed picture");
    to->bytes = bytes;
    to->capacity = capacity;
  }
  memcpy(to->bytes + to->count, from, count);
  to->count += count;
}

static void give_no_more(png_structp png) { (void)png; }

static uint8_t *copy(const void *bytes, size_t count) {
  uint8_t *memory = malloc(count ? count : 1);
  if (memory) memcpy(memory, bytes, count);
  return memory;
}

static png_structp open_reading(struct reading *from, png_infop *info, char *message) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, message, fail, stay_silent);
  if (!png) return NULL;
  *info = png_create_info_struct(png);
  if (!*info) {
    png_destroy_read_struct(&png, NULL, NULL);
    return NULL;
  }
  png_set_read_fn(png, from, take);
  png_set_user_limits(png, 1 << 18, 1 << 18);
  png_set_chunk_malloc_max(png, LARGEST_CHUNK);
  png_set_chunk_cache_max(png, 64);
  // Sixty-four chunks of unpacked text would be half a gigabyte that is not asked for.
  static const png_byte unused[] = "tEXt\0zTXt\0iTXt\0sPLT\0pCAL\0hIST";
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, unused, 6);
  return png;
}

int cam_png_read_header(const uint8_t *bytes, size_t size, cam_png_header *header, char *message) {
  struct reading from = {bytes, size, 0};
  png_infop info = NULL;
  memset(header, 0, sizeof *header);
  png_structp png = open_reading(&from, &info, message);
  if (!png) {
    snprintf(message, CAM_MESSAGE_SIZE, "there is no memory for the decoder");
    return 1;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    free(header->profile);
    free(header->exif);
    header->profile = header->exif = NULL;
    return 1;
  }
  png_read_info(png, info);
  header->width = (int)png_get_image_width(png, info);
  header->height = (int)png_get_image_height(png, info);
  header->bit_depth = png_get_bit_depth(png, info);
  int type = png_get_color_type(png, info);
  header->is_gray = !(type & PNG_COLOR_MASK_COLOR);
  header->is_palette = type == PNG_COLOR_TYPE_PALETTE;
  header->has_alpha = (type & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, info, PNG_INFO_tRNS);
  header->is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
  png_uint_32 x = 0, y = 0;
  int unit = 0;
  if (png_get_pHYs(png, info, &x, &y, &unit) && unit == PNG_RESOLUTION_METER) header->pixels_per_metre = x;
  header->is_srgb = png_get_valid(png, info, PNG_INFO_sRGB) != 0;
  png_charp name;
  png_bytep profile;
  png_uint_32 count = 0;
  int method;
  if (png_get_iCCP(png, info, &name, &method, &profile, &count)) {
    header->profile = copy(profile, count);
    header->profile_size = count;
  }
  png_bytep exif;
  if (png_get_eXIf_1(png, info, &count, &exif)) {
    header->exif = copy(exif, count);
    header->exif_size = count;
  }
  png_destroy_read_struct(&png, &info, NULL);
  return 0;
}

// Reads the head and asks for rows of red, green, blue, alpha.
static void begin_rows(png_structp png, png_infop info, int width, int height, int bytes_per_component) {
  png_read_info(png, info);
  if ((int)png_get_image_width(png, info) != width || (int)png_get_image_height(png, info) != height) {
    png_error(png, "its size is not the announced one");
  }
  png_set_expand(png);
  png_set_gray_to_rgb(png);
  if (bytes_per_component == 1) png_set_scale_16(png);
  else {
    png_set_expand_16(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    png_set_swap(png);
#endif
  }
  png_set_add_alpha(png, 0xFFFF, PNG_FILLER_AFTER);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != 4u * (size_t)bytes_per_component * (size_t)width) {
    png_error(png, "its rows are not as long as announced");
  }
}

int cam_png_decode(
  const uint8_t *bytes, size_t size, int width, int height, int bytes_per_component, uint8_t *pixels,
  size_t stride, char *message) {
  struct reading from = {bytes, size, 0};
  png_infop info = NULL;
  png_structp png = open_reading(&from, &info, message);
  png_bytep *volatile rows = NULL;
  if (!png) {
    snprintf(message, CAM_MESSAGE_SIZE, "there is no memory for the decoder");
    return 1;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    free(rows);
    return 1;
  }
  begin_rows(png, info, width, height, bytes_per_component);
  rows = malloc((size_t)height * sizeof *rows);
  if (!rows) png_error(png, "there is no memory for its rows");
  for (int y = 0; y < height; y++) rows[y] = pixels + (size_t)y * stride;
  png_read_image(png, rows);
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  free(rows);
  return 0;
}

static void add_row(const uint8_t *row, int width, int factor, uint32_t *sums) {
  for (int x = 0; x < width; x++, row += 4) {
    uint32_t *sum = sums + 4 * (x / factor), alpha = row[3];
    sum[0] += row[0] * alpha;
    sum[1] += row[1] * alpha;
    sum[2] += row[2] * alpha;
    sum[3] += alpha;
  }
}

// `rows` is how many were added; the last pixel of a row may stand for fewer columns than `factor`.
static void give_row(const uint32_t *sums, int width, int factor, int rows, uint8_t *to) {
  for (int left = 0; left < width; left += factor, sums += 4, to += 4) {
    uint32_t count = (uint32_t)(rows * (width - left < factor ? width - left : factor));
    for (int part = 0; part < 3; part++) to[part] = (uint8_t)((2 * sums[part] + 255 * count) / (510 * count));
    to[3] = (uint8_t)((2 * sums[3] + count) / (2 * count));
  }
}

int cam_png_decode_smaller(
  const uint8_t *bytes, size_t size, int width, int height, int factor, uint8_t *pixels, size_t stride,
  char *message) {
  struct reading from = {bytes, size, 0};
  png_infop info = NULL;
  png_structp png = open_reading(&from, &info, message);
  uint8_t *volatile memory = NULL;
  png_bytep *volatile rows = NULL;
  if (!png) {
    snprintf(message, CAM_MESSAGE_SIZE, "there is no memory for the decoder");
    return 1;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    free(memory);
    free(rows);
    return 1;
  }
  begin_rows(png, info, width, height, 1);
  const size_t row_size = 4 * (size_t)width, small_size = (size_t)((width + factor - 1) / factor) * 4 * sizeof(uint32_t);
  const int is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
  // The passes of an interlaced picture need all of it: in the result itself when that has its size.
  const int in_place = is_interlaced && factor == 1;
  memory = malloc(small_size + (is_interlaced ? in_place ? 0 : row_size * (size_t)height : row_size));
  if (is_interlaced) rows = malloc((size_t)height * sizeof *rows);
  if (!memory || (is_interlaced && !rows)) png_error(png, "there is no memory for its rows");
  uint32_t *sums = (uint32_t *)memory;
  uint8_t *whole = in_place ? pixels : memory + small_size;
  const size_t whole_stride = in_place ? stride : row_size;
  if (is_interlaced) {
    for (int y = 0; y < height; y++) rows[y] = whole + (size_t)y * whole_stride;
    png_read_image(png, rows);
  }
  for (int top = 0; top < height; top += factor, pixels += stride) {
    int count = height - top < factor ? height - top : factor;
    memset(sums, 0, small_size);
    for (int y = top; y < top + count; y++) {
      uint8_t *row = is_interlaced ? rows[y] : whole;
      if (!is_interlaced) png_read_row(png, row, NULL);
      add_row(row, width, factor, sums);
    }
    give_row(sums, width, factor, count, pixels);
  }
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  free(memory);
  free(rows);
  return 0;
}

int cam_png_encode(const cam_png_picture *picture, uint8_t **out, size_t *out_size, char *message) {
  struct writing to = {NULL, 0, 0};
  png_infop info = NULL;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, message, fail, stay_silent);
  if (png) info = png_create_info_struct(png);
  to.capacity = (size_t)picture->width * (size_t)picture->height + 65536;
  to.bytes = malloc(to.capacity);
  if (!png || !info || !to.bytes) {
    snprintf(message, CAM_MESSAGE_SIZE, "there is no memory for the compressed picture");
    png_destroy_write_struct(&png, &info);
    free(to.bytes);
    return 1;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    free(to.bytes);
    return 1;
  }
  png_set_write_fn(png, &to, give, give_no_more);
  png_set_user_limits(png, 1 << 18, 1 << 18);
  png_set_compression_level(png, picture->effort);
  int type = picture->components == 1 ? PNG_COLOR_TYPE_GRAY
    : picture->components == 3        ? PNG_COLOR_TYPE_RGB
                                      : PNG_COLOR_TYPE_RGB_ALPHA;
  png_set_IHDR(
    png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8 * picture->bytes_per_component, type,
    PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (picture->is_srgb) png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  else if (picture->profile) {
    png_set_iCCP(
      png, info, picture->profile_name, PNG_COMPRESSION_TYPE_BASE, picture->profile,
      (png_uint_32)picture->profile_size);
  }
  if (picture->pixels_per_metre) {
    png_set_pHYs(png, info, picture->pixels_per_metre, picture->pixels_per_metre, PNG_RESOLUTION_METER);
  }
  png_write_info(png, info);
  // png_set_eXIf_1 puts the block behind the picture, where some readers do not look.
  if (picture->exif) png_write_chunk(png, (png_const_bytep) "eXIf", picture->exif, picture->exif_size);
  if (picture->skips_fourth) png_set_filler(png, 0, PNG_FILLER_AFTER);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (picture->bytes_per_component == 2) png_set_swap(png);
#endif
  for (int y = 0; y < picture->height; y++) {
    png_write_row(png, (png_const_bytep)(picture->pixels + (size_t)y * picture->stride));
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  *out = to.bytes;
  *out_size = to.count;
  return 0;
}
