#include "CImageCodecs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

/// Colours of a picture; the last index is where nothing is shown.
enum { colors = 255, nothing = 255 };

struct cam_gif {
  GifFileType *file;
  int width, height;
  uint8_t *bytes;
  size_t count, capacity;
};

static int give(GifFileType *file, const GifByteType *from, int count) {
  cam_gif *gif = file->UserData;
  if (gif->count + (size_t)count > gif->capacity) {
    size_t capacity = (gif->count + (size_t)count) * 2;
    uint8_t *bytes = realloc(gif->bytes, capacity);
    if (!bytes) return 0;
    gif->bytes = bytes;
    gif->capacity = capacity;
  }
  memcpy(gif->bytes + gif->count, from, (size_t)count);
  gif->count += (size_t)count;
  return count;
}

static int fail(char *message, int code) {
  const char *text = GifErrorString(code);
  snprintf(message, CAM_MESSAGE_SIZE, "%s", text ? text : "there is no memory for it");
  return -1;
}

cam_gif *cam_gif_begin(int width, int height, int loops, char *message) {
  cam_gif *gif = calloc(1, sizeof(cam_gif));
  if (!gif) {
    fail(message, 0);
    return NULL;
  }
  gif->width = width;
  gif->height = height;
  int code = 0;
  gif->file = EGifOpen(gif, give, &code);
  if (!gif->file) {
    fail(message, code);
    free(gif);
    return NULL;
  }
  EGifSetGifVersion(gif->file, true);
  bool is_begun = EGifPutScreenDesc(gif->file, width, height, 8, 0, NULL) == GIF_OK;
  if (is_begun && loops >= 0) {
    uint8_t block[] = {1, (uint8_t)(loops & 0xff), (uint8_t)(loops >> 8)};
    is_begun = EGifPutExtensionLeader(gif->file, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
               EGifPutExtensionBlock(gif->file, 11, "NETSCAPE2.0") == GIF_OK &&
               EGifPutExtensionBlock(gif->file, 3, block) == GIF_OK && EGifPutExtensionTrailer(gif->file) == GIF_OK;
  }
  if (!is_begun) {
    fail(message, gif->file->Error);
    cam_gif_end(gif, NULL, NULL, message);
    return NULL;
  }
  return gif;
}

/// The index of the nearest colour, which is looked up once for each of 32 × 32 × 32 boxes of colours.
static int nearest(const ColorMapObject *map, int16_t *known, int r, int g, int b) {
  int box = (r >> 3) << 10 | (g >> 3) << 5 | b >> 3;
  if (known[box] >= 0) return known[box];
  int best = 0, least = 1 << 30;
  for (int index = 0; index < colors; index += 1) {
    GifColorType color = map->Colors[index];
    int dr = r - color.Red, dg = g - color.Green, db = b - color.Blue, distance = 2 * dr * dr + 4 * dg * dg + db * db;
    if (distance < least) {
      least = distance;
      best = index;
    }
  }
  known[box] = (int16_t)best;
  return best;
}

static int held(int value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

/// Picks a picture's colours of those of its places that show something; whether there was memory for it.
static bool choose(const cam_gif *gif, const uint8_t *pixels, size_t stride, ColorMapObject *map, bool *is_whole) {
  size_t count = (size_t)gif->width * (size_t)gif->height;
  GifByteType *planes = malloc(4 * count);
  if (!planes) return false;
  GifByteType *red = planes, *green = red + count, *blue = green + count, *indices = blue + count;
  *is_whole = true;
  size_t place = 0;
  for (int row = 0; row < gif->height; row += 1) {
    const uint8_t *from = pixels + (size_t)row * stride;
    for (int column = 0; column < gif->width; column += 1, from += 4) {
      bool shows = from[3] >= 128;
      *is_whole = *is_whole && shows;
      red[place] = shows ? from[0] : 0;
      green[place] = shows ? from[1] : 0;
      blue[place] = shows ? from[2] : 0;
      place += 1;
    }
  }
  int used = colors;
  bool is_chosen = GifQuantizeBuffer((unsigned)gif->width, (unsigned)gif->height, &used, red, green, blue, indices,
                                     map->Colors) == GIF_OK;
  if (is_chosen) {
    // giflib knows five bits of a colour; what stands for several is their mean.
    long sums[256][4] = {{0}};
    for (size_t place = 0; place < count; place += 1) {
      long *sum = sums[indices[place]];
      sum[0] += red[place], sum[1] += green[place], sum[2] += blue[place], sum[3] += 1;
    }
    for (int index = 0; index < used; index += 1) {
      const long *sum = sums[index];
      if (sum[3] == 0) continue;
      long half = sum[3] / 2;
      map->Colors[index] = (GifColorType){
          (GifByteType)((sum[0] + half) / sum[3]), (GifByteType)((sum[1] + half) / sum[3]),
          (GifByteType)((sum[2] + half) / sum[3])};
    }
  }
  for (int index = used; index <= nothing; index += 1) map->Colors[index] = map->Colors[0];
  free(planes);
  return is_chosen;
}

/// Writes a picture's rows in the colours of a map, and spreads the error of each place over those to its right and below (Floyd and
/// Steinberg).
static bool write_rows(const cam_gif *gif, const uint8_t *pixels, size_t stride, const ColorMapObject *map) {
  int width = gif->width;
  int16_t *known = malloc(32768 * sizeof(int16_t));
  int *errors = calloc(2 * 3 * (size_t)(width + 2), sizeof(int));
  GifByteType *line = malloc((size_t)width);
  bool is_written = known && errors && line;
  if (is_written) memset(known, 0xff, 32768 * sizeof(int16_t));
  for (int row = 0; is_written && row < gif->height; row += 1) {
    int *own = errors + (row & 1) * 3 * (width + 2), *below = errors + (1 - (row & 1)) * 3 * (width + 2);
    memset(below, 0, 3 * (size_t)(width + 2) * sizeof(int));
    const uint8_t *from = pixels + (size_t)row * stride;
    for (int column = 0; column < width; column += 1, from += 4) {
      if (from[3] < 128) {
        line[column] = nothing;
        continue;
      }
      int wanted[3];
      for (int part = 0; part < 3; part += 1) wanted[part] = held(from[part] + own[3 * (column + 1) + part] / 16);
      int index = nearest(map, known, wanted[0], wanted[1], wanted[2]);
      line[column] = (GifByteType)index;
      GifColorType color = map->Colors[index];
      int error[3] = {wanted[0] - color.Red, wanted[1] - color.Green, wanted[2] - color.Blue};
      for (int part = 0; part < 3; part += 1) {
        own[3 * (column + 2) + part] += 7 * error[part];
        below[3 * column + part] += 3 * error[part];
        below[3 * (column + 1) + part] += 5 * error[part];
        below[3 * (column + 2) + part] += error[part];
      }
    }
    is_written = EGifPutLine(gif->file, line, width) == GIF_OK;
  }
  free(known);
  free(errors);
  free(line);
  return is_written;
}

int cam_gif_add(cam_gif *gif, const uint8_t *pixels, size_t stride, int hundredths, char *message) {
  ColorMapObject *map = GifMakeMapObject(256, NULL);
  if (!map) return fail(message, 0);
  bool is_whole = true;
  bool is_added = choose(gif, pixels, stride, map, &is_whole);
  if (is_added) {
    GraphicsControlBlock control = {
        .DisposalMode = is_whole ? DISPOSE_DO_NOT : DISPOSE_BACKGROUND,
        .DelayTime = hundredths,
        .TransparentColor = is_whole ? NO_TRANSPARENT_COLOR : nothing,
    };
    GifByteType extension[4];
    EGifGCBToExtension(&control, extension);
    is_added = EGifPutExtension(gif->file, GRAPHICS_EXT_FUNC_CODE, 4, extension) == GIF_OK &&
               EGifPutImageDesc(gif->file, 0, 0, gif->width, gif->height, false, map) == GIF_OK &&
               write_rows(gif, pixels, stride, map);
  }
  GifFreeMapObject(map);
  return is_added ? 0 : fail(message, gif->file->Error);
}

int cam_gif_end(cam_gif *gif, uint8_t **out, size_t *out_size, char *message) {
  int code = 0;
  bool is_ended = EGifCloseFile(gif->file, &code) == GIF_OK;
  if (is_ended && out) {
    *out = gif->bytes;
    *out_size = gif->count;
  } else {
    free(gif->bytes);
  }
  free(gif);
  return is_ended || !out ? 0 : fail(message, code);
}
