#include "CImageCodecs.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libheif/heif.h>

// A picture beyond this many pixels along an edge is no camera's.
#define LONGEST_EDGE 32768

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void load_plugins(void) { heif_init(NULL); }

static int failed(struct heif_error error, char *message) {
  if (error.code == heif_error_Ok) return 0;
  snprintf(message, CAM_MESSAGE_SIZE, "%s", error.message ? error.message : "the codec gave no reason");
  return 1;
}

// MARK: writing

struct collected {
  uint8_t *bytes;
  size_t count;
};

static struct heif_error collect(struct heif_context *context, const void *bytes, size_t count, void *user) {
  (void)context;
  struct collected *to = user;
  struct heif_error result = {heif_error_Ok, heif_suberror_Unspecified, "fine"};
  to->bytes = malloc(count ? count : 1);
  if (!to->bytes) {
    result.code = heif_error_Memory_allocation_error;
    result.message = "there is no memory for the compressed picture";
    return result;
  }
  memcpy(to->bytes, bytes, count);
  to->count = count;
  return result;
}

static void copy_plane(
  struct heif_image *image, enum heif_channel channel, const uint8_t *from, size_t from_stride, int step, int width,
  int height) {
  int stride = 0;
  uint8_t *to = heif_image_get_plane(image, channel, &stride);
  for (int y = 0; y < height; y++) {
    const uint8_t *source = from + (size_t)y * from_stride;
    uint8_t *row = to + (size_t)y * (size_t)stride;
    if (step == 1) memcpy(row, source, (size_t)width);
    else
      for (int x = 0; x < width; x++) row[x] = source[2 * x];
  }
}

static int make_image(const cam_heif_picture *picture, struct heif_image **out, char *message) {
  const int width = picture->width, height = picture->height;
  const int half_width = (width + 1) / 2, half_height = (height + 1) / 2;
  const int has_chroma = picture->planes[1] != NULL;
  struct heif_image *image = NULL;
  if (failed(
        heif_image_create(
          width, height, has_chroma ? heif_colorspace_YCbCr : heif_colorspace_monochrome,
          has_chroma ? heif_chroma_420 : heif_chroma_monochrome, &image),
        message)) {
    return 1;
  }
  int bad = failed(heif_image_add_plane(image, heif_channel_Y, width, height, 8), message);
  if (!bad && has_chroma) {
    bad = failed(heif_image_add_plane(image, heif_channel_Cb, half_width, half_height, 8), message)
      || failed(heif_image_add_plane(image, heif_channel_Cr, half_width, half_height, 8), message);
  }
  if (!bad && picture->alpha) {
    bad = failed(heif_image_add_plane(image, heif_channel_Alpha, width, height, 8), message);
  }
  if (bad) {
    heif_image_release(image);
    return 1;
  }
  copy_plane(image, heif_channel_Y, picture->planes[0], picture->strides[0], 1, width, height);
  if (has_chroma) {
    const int step = picture->chroma_step;
    copy_plane(image, heif_channel_Cb, picture->planes[1], picture->strides[1], step, half_width, half_height);
    copy_plane(image, heif_channel_Cr, picture->planes[2], picture->strides[2], step, half_width, half_height);
  }
  if (picture->alpha) {
    copy_plane(image, heif_channel_Alpha, picture->alpha, picture->alpha_stride, 1, width, height);
  }
  struct heif_color_profile_nclx *colors = heif_nclx_color_profile_alloc();
  if (colors) {
    heif_nclx_color_profile_set_color_primaries(colors, (uint16_t)picture->primaries);
    heif_nclx_color_profile_set_transfer_characteristics(colors, (uint16_t)picture->transfer);
    heif_nclx_color_profile_set_matrix_coefficients(colors, (uint16_t)picture->matrix);
    colors->full_range_flag = (uint8_t)(picture->is_full_range != 0);
    bad = failed(heif_image_set_nclx_color_profile(image, colors), message);
    heif_nclx_color_profile_free(colors);
  }
  if (!bad && picture->profile) {
    bad = failed(
      heif_image_set_raw_color_profile(image, "prof", picture->profile, picture->profile_size), message);
  }
  if (bad) {
    heif_image_release(image);
    return 1;
  }
  *out = image;
  return 0;
}

static int add_image(
  struct heif_context *context, struct heif_encoder *encoder, const cam_heif_picture *picture, int orientation,
  struct heif_image_handle **handle, char *message) {
  struct heif_image *image = NULL;
  if (make_image(picture, &image, message)) return 1;
  struct heif_encoding_options *how = heif_encoding_options_alloc();
  how->image_orientation = (enum heif_orientation)orientation;
  how->save_two_colr_boxes_when_ICC_and_nclx_available = 1;
  // Old versions of macOS refuse nclx; without it every reader guesses the matrix, which is worse.
  how->macOS_compatibility_workaround_no_nclx_profile = 0;
  int bad = failed(heif_context_encode_image(context, image, encoder, how, handle), message);
  heif_encoding_options_free(how);
  heif_image_release(image);
  return bad;
}

int cam_heif_encode(
  const cam_heif_picture *picture, const cam_heif_options *options, uint8_t **out, size_t *out_size,
  char *message) {
  pthread_once(&once, load_plugins);
  struct heif_context *context = heif_context_alloc();
  struct heif_encoder *encoder = NULL;
  struct heif_image_handle *main_handle = NULL, *thumbnail_handle = NULL;
  struct collected result = {NULL, 0};
  int bad = context == NULL;
  if (bad) {
    snprintf(message, CAM_MESSAGE_SIZE, "there is no memory for the encoder");
    return 1;
  }
  bad = failed(heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder), message);
  if (!bad) {
    char threads[16];
    snprintf(threads, sizeof threads, "%d", options->threads);
    heif_encoder_set_logging_level(encoder, 0);
    bad = failed(heif_encoder_set_lossy_quality(encoder, options->quality), message)
      || (options->lossless && failed(heif_encoder_set_lossless(encoder, 1), message))
      || failed(heif_encoder_set_parameter(encoder, "preset", "ultrafast"), message)
      || failed(heif_encoder_set_parameter(encoder, "x265:pools", threads), message);
  }
  if (!bad) bad = add_image(context, encoder, picture, options->orientation, &main_handle, message);
  if (!bad && options->thumbnail) {
    bad = add_image(context, encoder, options->thumbnail, options->orientation, &thumbnail_handle, message);
    if (!bad) bad = failed(heif_context_assign_thumbnail(context, main_handle, thumbnail_handle), message);
  }
  if (!bad && options->exif) {
    bad = failed(
      heif_context_add_exif_metadata(context, main_handle, options->exif, (int)options->exif_size), message);
  }
  if (!bad && options->xmp) {
    bad = failed(
      heif_context_add_XMP_metadata(context, main_handle, options->xmp, (int)options->xmp_size), message);
  }
  if (!bad) {
    struct heif_writer writer = {1, collect};
    bad = failed(heif_context_write(context, &writer, &result), message);
  }
  if (thumbnail_handle) heif_image_handle_release(thumbnail_handle);
  if (main_handle) heif_image_handle_release(main_handle);
  if (encoder) heif_encoder_release(encoder);
  heif_context_free(context);
  if (bad) {
    free(result.bytes);
    return 1;
  }
  *out = result.bytes;
  *out_size = result.count;
  return 0;
}

// MARK: reading

struct cam_heif_file {
  struct heif_context *context;
  struct heif_image_handle *primary;
  heif_item_id exif, xmp;
};

int cam_heif_open(const uint8_t *bytes, size_t size, cam_heif_file **out, char *message) {
  pthread_once(&once, load_plugins);
  cam_heif_file *file = calloc(1, sizeof *file);
  if (file) file->context = heif_context_alloc();
  if (!file || !file->context) {
    free(file);
    snprintf(message, CAM_MESSAGE_SIZE, "there is no memory for the decoder");
    return 1;
  }
  heif_context_set_maximum_image_size_limit(file->context, LONGEST_EDGE);
  if (failed(heif_context_read_from_memory_without_copy(file->context, bytes, size, NULL), message)
      || failed(heif_context_get_primary_image_handle(file->context, &file->primary), message)) {
    cam_heif_close(file);
    return 1;
  }
  heif_item_id blocks[16];
  int count = heif_image_handle_get_list_of_metadata_block_IDs(file->primary, NULL, blocks, 16);
  for (int index = 0; index < count; index++) {
    const char *type = heif_image_handle_get_metadata_type(file->primary, blocks[index]);
    const char *content = heif_image_handle_get_metadata_content_type(file->primary, blocks[index]);
    if (type && !file->exif && strcmp(type, "Exif") == 0) file->exif = blocks[index];
    if (type && content && !file->xmp && strcmp(type, "mime") == 0
        && strcmp(content, "application/rdf+xml") == 0) {
      file->xmp = blocks[index];
    }
  }
  *out = file;
  return 0;
}

void cam_heif_close(cam_heif_file *file) {
  if (!file) return;
  if (file->primary) heif_image_handle_release(file->primary);
  heif_context_free(file->context);
  free(file);
}

void cam_heif_read_header(cam_heif_file *file, cam_heif_header *header) {
  memset(header, 0, sizeof *header);
  header->width = heif_image_handle_get_ispe_width(file->primary);
  header->height = heif_image_handle_get_ispe_height(file->primary);
  header->bit_depth = heif_image_handle_get_luma_bits_per_pixel(file->primary);
  header->has_alpha = heif_image_handle_has_alpha_channel(file->primary);
  header->is_alpha_premultiplied = heif_image_handle_is_premultiplied_alpha(file->primary);
  header->has_thumbnail = heif_image_handle_get_number_of_thumbnails(file->primary) > 0;
  header->primaries = header->transfer = header->matrix = header->is_full_range = -1;
  struct heif_color_profile_nclx *colors = NULL;
  if (heif_image_handle_get_nclx_color_profile(file->primary, &colors).code == heif_error_Ok && colors) {
    header->primaries = colors->color_primaries;
    header->transfer = colors->transfer_characteristics;
    header->matrix = colors->matrix_coefficients;
    header->is_full_range = colors->full_range_flag;
    heif_nclx_color_profile_free(colors);
  }
  header->profile_size = heif_image_handle_get_raw_color_profile_size(file->primary);
  if (file->exif) header->exif_size = heif_image_handle_get_metadata_size(file->primary, file->exif);
  if (file->xmp) header->xmp_size = heif_image_handle_get_metadata_size(file->primary, file->xmp);
}

int cam_heif_read_profile(cam_heif_file *file, uint8_t *to, char *message) {
  return failed(heif_image_handle_get_raw_color_profile(file->primary, to), message);
}

int cam_heif_read_exif(cam_heif_file *file, uint8_t *to, char *message) {
  return failed(heif_image_handle_get_metadata(file->primary, file->exif, to), message);
}

int cam_heif_read_xmp(cam_heif_file *file, uint8_t *to, char *message) {
  return failed(heif_image_handle_get_metadata(file->primary, file->xmp, to), message);
}

struct cam_heif_pixels {
  struct heif_image *image;
  int is_packed;
};

int cam_heif_decode(
  cam_heif_file *file, int thumbnail, cam_heif_layout layout, cam_heif_pixels **out, char *message) {
  static const enum heif_colorspace spaces[3] = {
    heif_colorspace_YCbCr, heif_colorspace_RGB, heif_colorspace_monochrome};
  static const enum heif_chroma chromas[3] = {
    heif_chroma_420, heif_chroma_interleaved_RGBA, heif_chroma_monochrome};
  struct heif_image_handle *handle = file->primary, *small = NULL;
  if (thumbnail) {
    heif_item_id id;
    if (heif_image_handle_get_list_of_thumbnail_IDs(file->primary, &id, 1) != 1) {
      snprintf(message, CAM_MESSAGE_SIZE, "it has no thumbnail");
      return 1;
    }
    if (failed(heif_image_handle_get_thumbnail(file->primary, id, &small), message)) return 1;
    handle = small;
  }
  cam_heif_pixels *pixels = calloc(1, sizeof *pixels);
  struct heif_decoding_options *how = heif_decoding_options_alloc();
  int bad = pixels == NULL || how == NULL;
  if (bad) snprintf(message, CAM_MESSAGE_SIZE, "there is no memory for the decoder");
  if (!bad) {
    how->ignore_transformations = 1;
    how->convert_hdr_to_8bit = 1;
    pixels->is_packed = layout == CAM_HEIF_RGBA;
    bad = failed(
      heif_decode_image(
        // "Undefined" means RGB of 4:4:4 to libheif 1.15, not "as coded".
        handle, &pixels->image, spaces[layout], chromas[layout], how),
      message);
  }
  if (!bad && layout == CAM_HEIF_420) {
    enum heif_chroma chroma = heif_image_get_chroma_format(pixels->image);
    if (chroma != heif_chroma_420 && chroma != heif_chroma_monochrome) {
      bad = 2;
      snprintf(message, CAM_MESSAGE_SIZE, "its chroma cannot be made 4:2:0");
    }
  }
  if (how) heif_decoding_options_free(how);
  if (small) heif_image_handle_release(small);
  if (bad) {
    cam_heif_release(pixels);
    return bad;
  }
  *out = pixels;
  return 0;
}

void cam_heif_release(cam_heif_pixels *pixels) {
  if (!pixels) return;
  if (pixels->image) heif_image_release(pixels->image);
  free(pixels);
}

void cam_heif_get_planes(cam_heif_pixels *pixels, cam_heif_planes *planes) {
  static const enum heif_channel channels[3] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
  memset(planes, 0, sizeof *planes);
  int stride = 0;
  planes->primaries = planes->transfer = planes->matrix = planes->is_full_range = -1;
  struct heif_color_profile_nclx *colors = NULL;
  if (heif_image_get_nclx_color_profile(pixels->image, &colors).code == heif_error_Ok && colors) {
    planes->primaries = colors->color_primaries;
    planes->transfer = colors->transfer_characteristics;
    planes->matrix = colors->matrix_coefficients;
    planes->is_full_range = colors->full_range_flag;
    heif_nclx_color_profile_free(colors);
  }
  if (pixels->is_packed) {
    planes->width = heif_image_get_width(pixels->image, heif_channel_interleaved);
    planes->height = heif_image_get_height(pixels->image, heif_channel_interleaved);
    planes->planes[0] = heif_image_get_plane_readonly(pixels->image, heif_channel_interleaved, &stride);
    planes->strides[0] = (size_t)stride;
    return;
  }
  planes->width = heif_image_get_width(pixels->image, heif_channel_Y);
  planes->height = heif_image_get_height(pixels->image, heif_channel_Y);
  planes->has_chroma = heif_image_get_chroma_format(pixels->image) == heif_chroma_420;
  for (int index = 0; index < (planes->has_chroma ? 3 : 1); index++) {
    planes->planes[index] = heif_image_get_plane_readonly(pixels->image, channels[index], &stride);
    planes->strides[index] = (size_t)stride;
  }
}
