#include "CImageCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

// An unpacked profile or text above this is no photograph's.
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
  if (png_get_rowbytes(png, info) > stride || png_get_channels(png, info) != 4) {
    png_error(png, "its rows are longer than announced");
  }
  rows = malloc((size_t)height * sizeof *rows);
  if (!rows) png_error(png, "there is no memory for its rows");
  for (int y = 0; y < height; y++) rows[y] = pixels + (size_t)y * stride;
  png_read_image(png, rows);
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
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
