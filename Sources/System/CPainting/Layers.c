// Layers that are painted already: read between their pixels, blurred, and laid over each other.

#include "Vectors.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF

void painting_pack(const void *colors, void *pixels, long count) {
  const f4 *from = colors;
  b4 *to = pixels;
  for (long index = 0; index < count; index += 1) to[index] = bytes(from[index] * 255 + 0.5f);
}

void painting_unpack(const void *pixels, const float *tones, void *colors, long count) {
  const b4 *from = pixels;
  f4 *to = colors;
  const float scale = 1.0f / 255;
  if (tones) {
    for (long index = 0; index < count; index += 1) {
      b4 pixel = from[index];
      to[index] = (f4){tones[pixel.x], tones[256 + pixel.y], tones[512 + pixel.z], (float)pixel.w} * scale;
    }
  } else {
    for (long index = 0; index < count; index += 1) to[index] = __builtin_convertvector(from[index], f4) * scale;
  }
}

// MARK: Between pixels

INLINE long held_column(const struct painting_columns *columns, long index) {
  long place = columns->first + index;
  return place < 0 ? 0 : place >= columns->limit ? columns->limit - 1 : place;
}

INLINE double held_place(double place, double last) { return place < 0 ? 0 : place > last ? last : place; }

/// Where pixels lie on pixels nothing is between them.
static void copy_row(
    const struct painting_columns *columns, long start, const f4 *upper, long row_length, f4 *result) {
  for (long index = 0; index < columns->count; index += 1) {
    long place = start + held_column(columns, index);
    if (place >= 0 && place < row_length && columns->first + index >= 0) {
      long inside = columns->limit - (columns->first + index), room = row_length - place;
      long run = columns->count - index;
      run = inside < run ? inside : run;
      run = room < run ? room : run;
      if (run > 1) {
        memcpy(result + index, upper + place, (size_t)run * sizeof(f4));
        index += run - 1;
        continue;
      }
    }
    result[index] = upper[place < 0 ? 0 : place >= row_length ? row_length - 1 : place];
  }
}

void painting_sample(
    const struct painting_columns *columns, double start, double step, const void *upper, const void *lower, float fy,
    long row_length, void *result) {
  const f4 *above = upper, *below = lower;
  f4 *to = result;
  long last = row_length - 1;
  if (step == 1 && fy == 0 && start == (double)(long)start) {
    copy_row(columns, (long)start, above, row_length, to);
    return;
  }
  for (long index = 0; index < columns->count; index += 1) {
    double x = held_place(start + (double)held_column(columns, index) * step, (double)last);
    long left = (long)x;
    float fx = (float)(x - (double)left);
    long right = left < last ? left + 1 : last;
    if (fx == 0 && fy == 0) {
      to[index] = above[left];
    } else {
      f4 high = above[left] + (above[right] - above[left]) * fx;
      f4 low = below[left] + (below[right] - below[left]) * fx;
      to[index] = high + (low - high) * fy;
    }
  }
}

INLINE f4 raster_pixel(const struct painting_raster *raster, long x, long y) {
  long column = x - raster->left, row = y - raster->top;
  if (column < 0 || row < 0 || column >= raster->width || row >= raster->height) return (f4)0;
  b4 pixel = ((const b4 *)raster->pixels)[row * raster->width + column];
  const float *tones = raster->tones;
  if (!tones) return __builtin_convertvector(pixel, f4) * (1.0f / 255);
  return (f4){tones[pixel.x], tones[256 + pixel.y], tones[512 + pixel.z], (float)pixel.w} * (1.0f / 255);
}

void painting_sample_bent(
    const struct painting_columns *columns, const struct painting_bend *bend, const struct painting_raster *raster,
    void *result) {
  f4 *to = result;
  double half = bend->half_width, dy = bend->dy;
  long last_column = raster->canvas_width - 1, last_row = raster->canvas_height - 1;
  for (long index = 0; index < columns->count; index += 1) {
    double dx = ((double)held_column(columns, index) + 0.5 - half) / bend->crop;
    double radius = (dx * dx + dy * dy) / (half * half);
    double factor = (1 + bend->bending * radius) / bend->corner * bend->scale;
    double x = held_place(dx * factor + bend->canvas_width / 2 - 0.5, (double)last_column);
    double y = held_place(dy * factor + bend->canvas_height / 2 - 0.5, (double)last_row);
    long left = (long)x, top = (long)y;
    float fx = (float)(x - (double)left), fy = (float)(y - (double)top);
    long right = left < last_column ? left + 1 : last_column, bottom = top < last_row ? top + 1 : last_row;
    f4 above = raster_pixel(raster, left, top) * (1 - fx) + raster_pixel(raster, right, top) * fx;
    f4 below = raster_pixel(raster, left, bottom) * (1 - fx) + raster_pixel(raster, right, bottom) * fx;
    to[index] = above + (below - above) * fy;
  }
}

void painting_lay_black(const void *colors, void *over, long count) {
  const f4 *from = colors;
  f4 *to = over;
  for (long index = 0; index < count; index += 1) {
    float alpha = from[index].w;
    if (alpha > 0) to[index] = to[index] * (1 - alpha) + (f4){0, 0, 0, alpha};
  }
}

void painting_lay(const void *colors, void *over, long count) {
  const f4 *from = colors;
  f4 *to = over;
  for (long index = 0; index < count; index += 1) {
    float alpha = from[index].w;
    if (alpha >= 0.9999f) {
      to[index] = from[index];
    } else if (alpha > 0) {
      to[index] = from[index] + to[index] * (1 - alpha);
    }
  }
}

// MARK: Blur

void painting_blur(const void *source, long count, long whole, float part, float scale, void *target, long step) {
  const f4 *first = source, *entering = first + 2 * whole + 1, *last = first + 2 * whole + 2;
  f4 *to = target, sum = 0;
  for (long index = 1; index < 1 + 2 * whole; index += 1) sum += first[index];
  for (long index = 0; index < count; index += 1) {
    sum += entering[index];
    *to = (sum + (first[index] + last[index]) * part) * scale;
    to += step;
    sum -= first[index + 1];
  }
}

void painting_add(void *sums, const void *colors, long count) {
  f4 *to = sums;
  const f4 *from = colors;
  for (long index = 0; index < count; index += 1) to[index] += from[index];
}

void painting_subtract(void *sums, const void *colors, long count) {
  f4 *to = sums;
  const f4 *from = colors;
  for (long index = 0; index < count; index += 1) to[index] -= from[index];
}

void painting_blur_rows(
    void *sums, const void *entering, const void *above, const void *below, float part, float scale, void *result,
    long count) {
  f4 *sum = sums, *to = result;
  const f4 *in = entering, *high = above, *low = below;
  for (long index = 0; index < count; index += 1) {
    sum[index] += in[index];
    to[index] = (sum[index] + (high[index] + low[index]) * part) * scale;
  }
}
