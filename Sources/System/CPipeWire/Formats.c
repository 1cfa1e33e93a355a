#include <spa/param/video/format-utils.h>
#include <spa/pod/iter.h>

#include "Functions.h"

enum { MOST_SIZES = 64, MOST_ENCODINGS = 16 };

static const struct {
  uint32_t encoding, pixels;
} pixel_encodings[] = {
  {CAM_VIDEO_NV12, SPA_VIDEO_FORMAT_NV12},   {CAM_VIDEO_I420, SPA_VIDEO_FORMAT_I420},
  {CAM_VIDEO_YV12, SPA_VIDEO_FORMAT_YV12},   {CAM_VIDEO_YUY2, SPA_VIDEO_FORMAT_YUY2},
  {CAM_VIDEO_UYVY, SPA_VIDEO_FORMAT_UYVY},   {CAM_VIDEO_GRAY8, SPA_VIDEO_FORMAT_GRAY8},
  {CAM_VIDEO_GRAY16, SPA_VIDEO_FORMAT_GRAY16_LE}, {CAM_VIDEO_RGB, SPA_VIDEO_FORMAT_RGB},
  {CAM_VIDEO_BGRX, SPA_VIDEO_FORMAT_BGRx},   {CAM_VIDEO_BGRA, SPA_VIDEO_FORMAT_BGRA},
};

bool cam_encoding_pixels(uint32_t encoding, uint32_t *pixels) {
  for (size_t index = 0; index < sizeof pixel_encodings / sizeof *pixel_encodings; index++) {
    if (pixel_encodings[index].encoding != encoding) continue;
    *pixels = pixel_encodings[index].pixels;
    return true;
  }
  return false;
}

uint32_t cam_encoding_subtype(uint32_t encoding) {
  return encoding == CAM_VIDEO_MJPG   ? SPA_MEDIA_SUBTYPE_mjpg
         : encoding == CAM_VIDEO_H264 ? SPA_MEDIA_SUBTYPE_h264
                                      : SPA_MEDIA_SUBTYPE_raw;
}

/// The values of a property, each of so many bytes, and how they are meant; their number is 0 where it is not there or of another type.
static const void *values(
  const struct spa_pod *param, uint32_t key, uint32_t type, uint32_t size, uint32_t *count, uint32_t *choice)
{
  *count = 0;
  *choice = SPA_CHOICE_None;
  const struct spa_pod_prop *found = spa_pod_find_prop(param, NULL, key);
  if (!found) return NULL;
  // Another program has written it: a choice may be too short to be one, and of values of any size.
  if (found->value.type == SPA_TYPE_Choice && found->value.size < sizeof(struct spa_pod_choice_body)) return NULL;
  struct spa_pod *list = spa_pod_get_values(&found->value, count, choice);
  if (list->type != type || list->size != size) *count = 0;
  const void *first = SPA_POD_BODY(list);
  return first;
}

static uint32_t read_encodings(const struct spa_pod *param, uint32_t subtype, uint32_t *encodings) {
  if (subtype == SPA_MEDIA_SUBTYPE_mjpg || subtype == SPA_MEDIA_SUBTYPE_h264) {
    encodings[0] = subtype == SPA_MEDIA_SUBTYPE_mjpg ? CAM_VIDEO_MJPG : CAM_VIDEO_H264;
    return 1;
  }
  encodings[0] = CAM_VIDEO_OTHER;
  if (subtype != SPA_MEDIA_SUBTYPE_raw) return 1;
  uint32_t count, choice, found = 0;
  const uint32_t *pixels = values(param, SPA_FORMAT_VIDEO_format, SPA_TYPE_Id, sizeof *pixels, &count, &choice);
  // The first of several is the usual one, which comes again.
  for (uint32_t index = choice == SPA_CHOICE_Enum && count > 1 ? 1 : 0; index < count && found < MOST_ENCODINGS; index++) {
    uint32_t encoding = CAM_VIDEO_OTHER;
    for (size_t known = 0; known < sizeof pixel_encodings / sizeof *pixel_encodings; known++)
      if (pixel_encodings[known].pixels == pixels[index]) encoding = pixel_encodings[known].encoding;
    encodings[found++] = encoding;
  }
  return found;
}

static uint32_t read_sizes(const struct spa_pod *param, cam_picture_size *sizes) {
  static const cam_picture_size usual[] = {{320, 240},  {640, 360},   {640, 480},   {800, 600},
                                           {1280, 720}, {1920, 1080}, {2560, 1440}, {3840, 2160}};
  uint32_t count, choice, found = 0;
  const struct spa_rectangle *list =
    values(param, SPA_FORMAT_VIDEO_size, SPA_TYPE_Rectangle, sizeof *list, &count, &choice);
  if (count == 0) return 0;
  if ((choice == SPA_CHOICE_Range || choice == SPA_CHOICE_Step) && count >= 3) {
    struct spa_rectangle least = list[1], most = list[2];
    for (size_t index = 0; index < sizeof usual / sizeof *usual; index++) {
      cam_picture_size size = usual[index];
      if (size.width < least.width || size.height < least.height || size.width > most.width || size.height > most.height)
        continue;
      if (choice == SPA_CHOICE_Step && count >= 4 && list[3].width > 0 && list[3].height > 0 &&
          ((size.width - least.width) % list[3].width != 0 || (size.height - least.height) % list[3].height != 0))
        continue;
      sizes[found++] = size;
    }
    if (found == 0 || sizes[found - 1].width != most.width || sizes[found - 1].height != most.height)
      sizes[found++] = (cam_picture_size){most.width, most.height};
    return found;
  }
  for (uint32_t index = choice == SPA_CHOICE_Enum && count > 1 ? 1 : 0; index < count && found < MOST_SIZES; index++)
    sizes[found++] = (cam_picture_size){list[index].width, list[index].height};
  return found;
}

static void read_rates(const struct spa_pod *param, cam_video_format *format) {
  uint32_t count, choice;
  const struct spa_fraction *list =
    values(param, SPA_FORMAT_VIDEO_framerate, SPA_TYPE_Fraction, sizeof *list, &count, &choice);
  format->rate_count = 0;
  format->is_rate_range = (choice == SPA_CHOICE_Range || choice == SPA_CHOICE_Step) && count >= 3;
  if (format->is_rate_range) count = 3;
  uint32_t first = count > 1 && choice != SPA_CHOICE_None ? 1 : 0;
  for (uint32_t index = first; index < count && format->rate_count < CAM_MOST_RATES; index++) {
    // A source of no fixed rate says 0.
    if (list[index].num == 0 || list[index].denom == 0) continue;
    format->rates[format->rate_count++] = (cam_video_rate){list[index].num, list[index].denom};
  }
  if (format->rate_count < 2) format->is_rate_range = 0;
}

static uint32_t first_value(const struct spa_pod *param, uint32_t key) {
  uint32_t count, choice;
  const uint32_t *list = values(param, key, SPA_TYPE_Id, sizeof *list, &count, &choice);
  return count > 0 ? list[0] : 0;
}

static void read_colors(const struct spa_pod *param, cam_video_format *format) {
  format->is_full_range = first_value(param, SPA_FORMAT_VIDEO_colorRange) == SPA_VIDEO_COLOR_RANGE_0_255;
  switch (first_value(param, SPA_FORMAT_VIDEO_colorMatrix)) {
    case SPA_VIDEO_COLOR_MATRIX_BT601: format->matrix = 601; break;
    case SPA_VIDEO_COLOR_MATRIX_BT709: format->matrix = 709; break;
    case SPA_VIDEO_COLOR_MATRIX_BT2020: format->matrix = 2020; break;
    default: format->matrix = 0;
  }
}

void cam_formats_tell(const cam_pipewire_watcher *watcher, uint32_t id, const struct spa_pod *param) {
  uint32_t type, subtype;
  if (spa_format_parse(param, &type, &subtype) < 0 || type != SPA_MEDIA_TYPE_video) return;
  const struct spa_pod_prop *modifier = spa_pod_find_prop(param, NULL, SPA_FORMAT_VIDEO_modifier);
  // Memory that only a graphics card reads.
  if (modifier && (modifier->flags & SPA_POD_PROP_FLAG_MANDATORY)) return;
  uint32_t encodings[MOST_ENCODINGS];
  cam_picture_size sizes[MOST_SIZES];
  uint32_t encoding_count = read_encodings(param, subtype, encodings), size_count = read_sizes(param, sizes);
  cam_video_format format = {0};
  read_rates(param, &format);
  read_colors(param, &format);
  for (uint32_t encoding = 0; encoding < encoding_count; encoding++) {
    for (uint32_t size = 0; size < size_count; size++) {
      format.encoding = encodings[encoding];
      format.size = sizes[size];
      watcher->format(watcher->context, id, &format);
    }
  }
}
