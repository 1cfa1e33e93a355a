#include "CImageCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "jpeg_chroma.h"

// A progressive file may hold any number of scans, each a pass over the whole picture; encoders write about ten.
#define MOST_SCANS 200

// What libjpeg may hold beside the caller's memory: the coefficients of a picture in several scans.
#define MOST_MEMORY (512l << 20)

struct decode_error {
  struct jpeg_error_mgr base;
  jmp_buf exit;
  char *message;
  int damage;
};

static void leave(j_common_ptr info) {
  struct decode_error *error = (struct decode_error *)info->err;
  char text[JMSG_LENGTH_MAX];
  info->err->format_message(info, text);
  snprintf(error->message, CAM_MESSAGE_SIZE, "%s", text);
  longjmp(error->exit, 1);
}

// Cameras leave fill bytes between segments, and that harms nothing; every other warning is lost picture.
static void note_damage(j_common_ptr info, int level) {
  struct decode_error *error = (struct decode_error *)info->err;
  if (level >= 0) return;
  int code = info->err->msg_code;
  if (code == JWRN_EXTRANEOUS_DATA || code == JWRN_JFIF_MAJOR || code == JWRN_ADOBE_XFORM) return;
  if (error->damage == 0) {
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    snprintf(error->message, CAM_MESSAGE_SIZE, "%s", text);
  }
  error->damage++;
}

static void limit_scans(j_common_ptr info) {
  if (!info->is_decompressor) return;
  if (((j_decompress_ptr)info)->input_scan_number > MOST_SCANS) {
    struct decode_error *error = (struct decode_error *)info->err;
    snprintf(error->message, CAM_MESSAGE_SIZE, "it has more than %d scans", MOST_SCANS);
    longjmp(error->exit, 1);
  }
}

static void prepare(
  struct jpeg_decompress_struct *info, struct decode_error *error, struct jpeg_progress_mgr *progress,
  char *message) {
  memset(info, 0, sizeof *info);
  memset(error, 0, sizeof *error);
  memset(progress, 0, sizeof *progress);
  info->err = jpeg_std_error(&error->base);
  error->base.error_exit = leave;
  error->base.emit_message = note_damage;
  error->message = message;
  progress->progress_monitor = limit_scans;
}

static int sampling(const struct jpeg_decompress_struct *info, int *chroma_x, int *chroma_y) {
  *chroma_x = *chroma_y = 1;
  if (info->num_components != 3) return 1;
  const jpeg_component_info *parts = info->comp_info;
  if (parts[1].h_samp_factor != parts[2].h_samp_factor || parts[1].v_samp_factor != parts[2].v_samp_factor) return 0;
  if (parts[0].h_samp_factor % parts[1].h_samp_factor || parts[0].v_samp_factor % parts[1].v_samp_factor) return 0;
  *chroma_x = parts[0].h_samp_factor / parts[1].h_samp_factor;
  *chroma_y = parts[0].v_samp_factor / parts[1].v_samp_factor;
  return 1;
}

int cam_jpeg_read_header(const uint8_t *bytes, size_t size, cam_jpeg_header *header, char *message) {
  struct jpeg_decompress_struct info;
  struct decode_error error;
  struct jpeg_progress_mgr progress;
  prepare(&info, &error, &progress, message);
  if (setjmp(error.exit)) {
    jpeg_destroy_decompress(&info);
    return 1;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, bytes, size);
  jpeg_read_header(&info, TRUE);
  header->width = (int)info.image_width;
  header->height = (int)info.image_height;
  header->components = info.num_components;
  sampling(&info, &header->chroma_x, &header->chroma_y);
  header->is_progressive = info.progressive_mode;
  header->is_rgb = info.jpeg_color_space == JCS_RGB;
  header->coefficient_bytes = 0;
  for (int part = 0; jpeg_has_multiple_scans(&info) && part < info.num_components; part++) {
    header->coefficient_bytes +=
      (size_t)info.comp_info[part].width_in_blocks * info.comp_info[part].height_in_blocks * sizeof(JBLOCK);
  }
  jpeg_destroy_decompress(&info);
  return 0;
}

// MARK: rows out

// 4:2:0, 4:2:2 and gray at full size: the decoder's own planes, without a detour over 4:4:4.
static void read_planes(
  j_decompress_ptr info, const cam_jpeg_target *to, int chroma_y, uint8_t *scratch) {
  const int is_gray = info->num_components == 1;
  const int lines = info->max_v_samp_factor * 8;
  const int luma_lines = lines;
  const int chroma_lines = is_gray ? 0 : lines / chroma_y;
  const int padded = (int)info->comp_info[0].width_in_blocks * 8;
  const int chroma_padded = is_gray ? 0 : (int)info->comp_info[1].width_in_blocks * 8;
  const int in_place = to->strides[0] >= (size_t)padded;
  uint8_t *luma = scratch;
  uint8_t *cb = luma + (size_t)padded * luma_lines;
  uint8_t *cr = cb + (size_t)chroma_padded * chroma_lines;

  JSAMPROW rows[3][32];
  JSAMPARRAY planes[3] = {rows[0], rows[1], rows[2]};
  for (int top = 0; top < to->height; top += lines) {
    for (int line = 0; line < luma_lines; line++) {
      // The last row of a plane may end with the plane, without room for the padding.
      int fits = in_place && top + line < to->height - 1;
      rows[0][line] =
        fits ? to->planes[0] + (size_t)(top + line) * to->strides[0] : luma + (size_t)line * padded;
    }
    for (int line = 0; line < chroma_lines; line++) {
      rows[1][line] = cb + (size_t)line * chroma_padded;
      rows[2][line] = cr + (size_t)line * chroma_padded;
    }
    if (jpeg_read_raw_data(info, planes, (JDIMENSION)lines) == 0) return;
    for (int line = 0; line < luma_lines && top + line < to->height; line++) {
      uint8_t *row = to->planes[0] + (size_t)(top + line) * to->strides[0];
      if (rows[0][line] != row) memcpy(row, rows[0][line], (size_t)to->width);
    }
    if (to->layout == CAM_JPEG_GRAY) continue;
    for (int line = 0; line < lines / 2; line++) {
      int y = top / 2 + line;
      if (y >= (to->height + 1) / 2) break;
      if (is_gray) {
        write_neutral_chroma(to, y);
      } else if (chroma_y == 2) {
        write_chroma(to, y, rows[1][line], rows[2][line]);
      } else {
        int below = top + 2 * line + 1 < to->height ? 2 * line + 1 : 2 * line;
        int count = (to->width + 1) / 2;
        average(rows[1][2 * line], rows[1][below], count);
        average(rows[2][2 * line], rows[2][below], count);
        write_chroma(to, y, rows[1][2 * line], rows[2][2 * line]);
      }
    }
  }
}

// Every other sampling, and scaled pictures: 4:4:4 rows averaged two by two.
static void read_triples(j_decompress_ptr info, const cam_jpeg_target *to, uint8_t *scratch) {
  const int width = to->width;
  const int triple = info->output_components;
  uint8_t *two = scratch;
  uint8_t *cb = two + 2 * (size_t)width * triple;
  uint8_t *cr = cb + width;
  for (int y = 0; y < to->height; y += 2) {
    int count = 0;
    for (; count < 2 && y + count < to->height; count++) {
      JSAMPROW row = two + (size_t)count * width * triple;
      jpeg_read_scanlines(info, &row, 1);
      uint8_t *luma = to->planes[0] + (size_t)(y + count) * to->strides[0];
      for (int x = 0; x < width; x++) luma[x] = row[(size_t)x * triple];
    }
    if (to->layout == CAM_JPEG_GRAY) continue;
    const uint8_t *above = two, *below = count == 2 ? two + (size_t)width * triple : two;
    for (int x = 0; x < width; x += 2) {
      int right = x + 1 < width ? x + 1 : x;
      for (int part = 1; part < 3; part++) {
        int sum = above[x * triple + part] + above[right * triple + part] + below[x * triple + part]
          + below[right * triple + part];
        (part == 1 ? cb : cr)[x / 2] = (uint8_t)((sum + 2) >> 2);
      }
    }
    write_chroma(to, y / 2, cb, cr);
  }
}

static void fill_cmyk_row(j_decompress_ptr info, const uint8_t *from, uint8_t *to, int width, int red) {
  const cam_color *color = info->client_data;
  if (color) {
    cam_color_convert(color, from, to, (size_t)width);
    for (int x = 0; x < width; x++) to[4 * x + 3] = 255;
    return;
  }
  const int is_inverted = info->saw_Adobe_marker;
  for (int x = 0; x < width; x++) {
    int c = from[4 * x], m = from[4 * x + 1], y = from[4 * x + 2], k = from[4 * x + 3];
    if (!is_inverted) {
      c = 255 - c;
      m = 255 - m;
      y = 255 - y;
      k = 255 - k;
    }
    to[4 * x + red] = (uint8_t)((c * k + 127) / 255);
    to[4 * x + 1] = (uint8_t)((m * k + 127) / 255);
    to[4 * x + 2 - red] = (uint8_t)((y * k + 127) / 255);
    to[4 * x + 3] = 255;
  }
}

static void read_packed(j_decompress_ptr info, const cam_jpeg_target *to, uint8_t *scratch) {
  for (int y = 0; y < to->height; y++) {
    uint8_t *row = to->planes[0] + (size_t)y * to->strides[0];
    if (info->out_color_space == JCS_CMYK) {
      JSAMPROW into = scratch;
      jpeg_read_scanlines(info, &into, 1);
      fill_cmyk_row(info, scratch, row, to->width, to->layout == CAM_JPEG_RGBA ? 0 : 2);
    } else {
      JSAMPROW into = row;
      jpeg_read_scanlines(info, &into, 1);
    }
  }
}

// RGB and CMYK files into YCbCr: through packed pixels, two rows at a time.
static void read_packed_as_planes(j_decompress_ptr info, const cam_jpeg_target *to, uint8_t *scratch) {
  const int width = to->width;
  uint8_t *two = scratch, *row = two + 8 * (size_t)width, *cb = row + 4 * (size_t)width, *cr = cb + width;
  for (int y = 0; y < to->height; y += 2) {
    int count = 0;
    for (; count < 2 && y + count < to->height; count++) {
      uint8_t *pixels = two + (size_t)count * 4 * width;
      JSAMPROW into = info->out_color_space == JCS_CMYK ? row : pixels;
      jpeg_read_scanlines(info, &into, 1);
      if (info->out_color_space == JCS_CMYK) fill_cmyk_row(info, row, pixels, width, 0);
      uint8_t *luma = to->planes[0] + (size_t)(y + count) * to->strides[0];
      for (int x = 0; x < width; x++) {
        const uint8_t *p = pixels + 4 * x;
        luma[x] = (uint8_t)((19595 * p[0] + 38470 * p[1] + 7471 * p[2] + 32768) >> 16);
      }
    }
    if (to->layout == CAM_JPEG_GRAY) continue;
    const uint8_t *below = count == 2 ? two + 4 * (size_t)width : two;
    for (int x = 0; x < width; x += 2) {
      int right = x + 1 < width ? x + 1 : x, sum[3];
      for (int part = 0; part < 3; part++) {
        sum[part] = two[4 * x + part] + two[4 * right + part] + below[4 * x + part] + below[4 * right + part];
      }
      int b = (-11059 * sum[0] - 21709 * sum[1] + 32768 * sum[2] + (1 << 17)) >> 18;
      int r = (32768 * sum[0] - 27439 * sum[1] - 5329 * sum[2] + (1 << 17)) >> 18;
      cb[x / 2] = (uint8_t)(b + 128 > 255 ? 255 : b + 128);
      cr[x / 2] = (uint8_t)(r + 128 > 255 ? 255 : r + 128);
    }
    write_chroma(to, y / 2, cb, cr);
  }
}

static J_COLOR_SPACE packed_space(cam_jpeg_layout layout) {
  switch (layout) {
    case CAM_JPEG_RGB: return JCS_EXT_RGB;
    case CAM_JPEG_RGBA: return JCS_EXT_RGBA;
    case CAM_JPEG_BGRA: return JCS_EXT_BGRA;
    case CAM_JPEG_ARGB: return JCS_EXT_ARGB;
    default: return JCS_UNKNOWN;
  }
}

int cam_jpeg_decode(
  const uint8_t *bytes, size_t size, const cam_jpeg_target *target, int *damage, char *message) {
  struct jpeg_decompress_struct info;
  struct decode_error error;
  struct jpeg_progress_mgr progress;
  uint8_t *volatile scratch = NULL;
  cam_color *volatile color = NULL;
  prepare(&info, &error, &progress, message);
  if (setjmp(error.exit)) {
    jpeg_destroy_decompress(&info);
    free(scratch);
    cam_color_close(color);
    return 1;
  }
  jpeg_create_decompress(&info);
  info.mem->max_memory_to_use = MOST_MEMORY;
  info.progress = &progress;
  jpeg_mem_src(&info, bytes, size);
  jpeg_read_header(&info, TRUE);
  info.dct_method = JDCT_ISLOW;
  info.scale_num = 1;
  info.scale_denom = (unsigned int)target->scale_denominator;

  const int to_planes = target->layout == CAM_JPEG_YCBCR || target->layout == CAM_JPEG_GRAY;
  const int is_ycc = info.jpeg_color_space == JCS_YCbCr || info.jpeg_color_space == JCS_GRAYSCALE;
  const int is_cmyk = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
  int chroma_x = 1, chroma_y = 1;
  const int is_regular = sampling(&info, &chroma_x, &chroma_y);
  const int is_gray = info.num_components == 1;
  const int whole = target->scale_denominator == 1;
  const int direct = to_planes && is_ycc && whole
    && ((is_gray && info.comp_info[0].v_samp_factor == 1 && info.comp_info[0].h_samp_factor == 1)
        || (is_regular && chroma_x == 2 && (chroma_y == 1 || chroma_y == 2) && info.num_components == 3
            && info.max_v_samp_factor <= 4 && info.comp_info[0].h_samp_factor == info.max_h_samp_factor
            && info.comp_info[0].v_samp_factor == info.max_v_samp_factor
            && (info.max_v_samp_factor % 2 == 0 || chroma_y == 1)));

  if (is_cmyk) {
    info.out_color_space = JCS_CMYK;
    if (target->profile) {
      color = cam_color_open(
        target->profile, target->profile_size, info.saw_Adobe_marker ? CAM_COLOR_CMYK_INVERTED : CAM_COLOR_CMYK,
        target->layout == CAM_JPEG_BGRA);
    }
    info.client_data = color;
  }
  else if (to_planes && is_ycc) info.out_color_space = is_gray ? JCS_GRAYSCALE : JCS_YCbCr;
  else if (to_planes) info.out_color_space = JCS_EXT_RGBA;
  else info.out_color_space = packed_space(target->layout);
  info.raw_data_out = direct ? TRUE : FALSE;
  // Smooth chroma is what viewers expect of packed pixels; 4:2:0 out of other samplings averages it away again.
  info.do_fancy_upsampling = to_planes ? FALSE : TRUE;

  jpeg_calc_output_dimensions(&info);
  const int surplus = direct ? target->surplus : 0;
  const int right = (int)info.output_width - target->width, below = (int)info.output_height - target->height;
  if (right < 0 || right > surplus || below < 0 || below > surplus) {
    snprintf(
      message, CAM_MESSAGE_SIZE, "it is %u by %u pixels, not %d by %d", info.output_width, info.output_height,
      target->width, target->height);
    longjmp(error.exit, 1);
  }
  // Enough for every reader above: 32 padded rows of each plane, or a few rows of four bytes a pixel.
  size_t padded = (size_t)info.image_width + 64;
  scratch = malloc(padded * 32 * 3);
  if (!scratch) {
    snprintf(message, CAM_MESSAGE_SIZE, "there is no memory for a row of blocks");
    longjmp(error.exit, 1);
  }
  jpeg_start_decompress(&info);
  if (direct) read_planes(&info, target, is_gray ? 1 : chroma_y, scratch);
  else if (to_planes && is_ycc && is_gray && target->layout == CAM_JPEG_YCBCR) {
    for (int y = 0; y < target->height; y++) {
      JSAMPROW row = target->planes[0] + (size_t)y * target->strides[0];
      jpeg_read_scanlines(&info, &row, 1);
      if (y % 2 == 0) write_neutral_chroma(target, y / 2);
    }
  } else if (to_planes && is_ycc) read_triples(&info, target, scratch);
  else if (to_planes) read_packed_as_planes(&info, target, scratch);
  else read_packed(&info, target, scratch);
  // Rows that are not wanted need not be decoded.
  if (info.output_scanline >= info.output_height) jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  free(scratch);
  cam_color_close(color);
  *damage = error.damage;
  return error.damage > 0 && target->strict ? 1 : 0;
}
