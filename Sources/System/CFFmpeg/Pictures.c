#include <string.h>

#include "Support.h"

/// Whether samples of each colour, or of grey alone, lie in a plane of their own in an order that is read here.
static bool is_planar(const AVPixFmtDescriptor *descriptor) {
  if (descriptor == NULL || (descriptor->flags & (AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_HWACCEL)) != 0) return false;
  if (descriptor->comp[0].depth < 8 || descriptor->comp[0].depth > 16) return false;
  if (descriptor->nb_components == 1) return (descriptor->flags & (AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_FLOAT)) == 0;
  return (descriptor->flags & AV_PIX_FMT_FLAG_PLANAR) != 0 && (descriptor->flags & AV_PIX_FMT_FLAG_FLOAT) == 0 &&
         descriptor->nb_components >= 3 && descriptor->comp[0].plane + descriptor->comp[1].plane + descriptor->comp[2].plane == 3 &&
         descriptor->log2_chroma_w <= 1 && descriptor->log2_chroma_h <= 1;
}

static bool is_rgb(const AVPixFmtDescriptor *descriptor) {
  return descriptor != NULL && (descriptor->flags & AV_PIX_FMT_FLAG_RGB) != 0;
}

cam_frame_facts cam_frame_look(const cam_frame *opaque) {
  const AVFrame *frame = (const AVFrame *)opaque;
  const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(frame->format);
  cam_frame_facts facts = {
      .picture = {.width = frame->width, .height = frame->height},
      .presentation = frame->best_effort_timestamp == AV_NOPTS_VALUE ? cam_no_time : frame->best_effort_timestamp,
      .duration = frame->pkt_duration,
      .colors = {.primaries = frame->color_primaries,
                 .transfer = frame->color_trc,
                 .matrix = frame->colorspace,
                 .is_full_range = frame->color_range == AVCOL_RANGE_JPEG || is_rgb(descriptor)},
      .aspect_width = frame->sample_aspect_ratio.num,
      .aspect_height = frame->sample_aspect_ratio.den,
      .depth = descriptor == NULL ? 0 : descriptor->comp[0].depth,
      .can_be_biplanar = is_planar(descriptor),
  };
  for (int plane = 0; plane < 3; plane++) {
    facts.picture.planes[plane] = frame->data[plane];
    facts.picture.strides[plane] = frame->linesize[plane];
  }
  switch (frame->format) {
    case AV_PIX_FMT_YUVJ420P: facts.colors.is_full_range = true;  // fall through
    case AV_PIX_FMT_YUV420P: facts.picture.pixels = cam_pixels_yuv420; break;
    case AV_PIX_FMT_NV12: facts.picture.pixels = cam_pixels_nv12; break;
    case AV_PIX_FMT_P010LE: facts.picture.pixels = cam_pixels_p010; break;
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ444P: facts.colors.is_full_range = true; break;
    default: break;
  }
  return facts;
}

void cam_frame_free(cam_frame *opaque) {
  AVFrame *frame = (AVFrame *)opaque;
  av_frame_free(&frame);
}

static inline unsigned sample_at(const uint8_t *row, int column, bool is_wide) {
  return is_wide ? ((const uint16_t *)row)[column] : row[column];
}

static inline void put_sample(uint8_t *row, int column, unsigned value, int depth, bool is_deep) {
  if (is_deep) {
    ((uint16_t *)row)[column] = (uint16_t)(value << (16 - depth));
  } else {
    row[column] = (uint8_t)(value >> (depth - 8));
  }
}

static inline unsigned rounded_within(float value, int depth) {
  float highest = (float)((1 << depth) - 1);
  return (unsigned)(value < 0 ? 0 : value > highest ? highest : value + 0.5f);
}

/// Red, green and blue as luma and chroma of full range, by the matrix that pictures of this size have where none is named.
static void write_rgb(const AVFrame *frame, const AVPixFmtDescriptor *descriptor, uint8_t *luma, int luma_stride,
                      uint8_t *chroma, int chroma_stride, bool is_deep) {
  const int depth = descriptor->comp[0].depth;
  const bool is_wide = depth > 8;
  const float red = frame->height >= 720 ? 0.2126f : 0.299f, blue = frame->height >= 720 ? 0.0722f : 0.114f;
  const float middle = (float)(1 << (depth - 1));
  for (int top = 0; top < frame->height; top += 2) {
    for (int left = 0; left < frame->width; left += 2) {
      float sums[3] = {0, 0, 0};
      int count = 0;
      for (int y = top; y < FFMIN(top + 2, frame->height); y++) {
        for (int x = left; x < FFMIN(left + 2, frame->width); x++) {
          float color[3];
          for (int index = 0; index < 3; index++) {
            const int plane = descriptor->comp[index].plane;
            const uint8_t *row = frame->data[plane] + (ptrdiff_t)y * frame->linesize[plane];
            color[index] = (float)sample_at(row, x, is_wide);
            sums[index] += color[index];
          }
          float light = red * color[0] + (1 - red - blue) * color[1] + blue * color[2];
          put_sample(luma + (ptrdiff_t)y * luma_stride, x, rounded_within(light, depth), depth, is_deep);
          count += 1;
        }
      }
      float light = red * sums[0] + (1 - red - blue) * sums[1] + blue * sums[2];
      float differences[2] = {(sums[2] - light) / (2 * (1 - blue)), (sums[0] - light) / (2 * (1 - red))};
      for (int channel = 0; channel < 2; channel++) {
        unsigned value = rounded_within(differences[channel] / (float)count + middle, depth);
        put_sample(chroma + (ptrdiff_t)(top / 2) * chroma_stride, left + channel, value, depth, is_deep);
      }
    }
  }
}

void cam_frame_write_biplanar(const cam_frame *opaque, uint8_t *luma, int luma_stride, uint8_t *chroma,
                              int chroma_stride, bool is_deep) {
  const AVFrame *frame = (const AVFrame *)opaque;
  const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(frame->format);
  if (!is_planar(descriptor)) return;
  if (is_rgb(descriptor)) {
    write_rgb(frame, descriptor, luma, luma_stride, chroma, chroma_stride, is_deep);
    return;
  }
  const int depth = descriptor->comp[0].depth;
  const bool is_wide = depth > 8;
  for (int y = 0; y < frame->height; y++) {
    const uint8_t *source = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
    uint8_t *target = luma + (ptrdiff_t)y * luma_stride;
    if (!is_wide && !is_deep) {
      memcpy(target, source, (size_t)frame->width);
    } else {
      for (int x = 0; x < frame->width; x++) put_sample(target, x, sample_at(source, x, is_wide), depth, is_deep);
    }
  }
  const int across = descriptor->log2_chroma_w == 0 ? 2 : 1, down = descriptor->log2_chroma_h == 0 ? 2 : 1;
  const int columns = AV_CEIL_RSHIFT(frame->width, descriptor->log2_chroma_w);
  const int rows = AV_CEIL_RSHIFT(frame->height, descriptor->log2_chroma_h);
  for (int y = 0; y < (frame->height + 1) / 2; y++) {
    uint8_t *target = chroma + (ptrdiff_t)y * chroma_stride;
    for (int x = 0; x < (frame->width + 1) / 2; x++) {
      for (int channel = 0; channel < 2; channel++) {
        if (descriptor->nb_components == 1) {
          put_sample(target, 2 * x + channel, 1u << (depth - 1), depth, is_deep);
          continue;
        }
        unsigned sum = 0;
        for (int j = 0; j < down; j++) {
          const uint8_t *row = frame->data[1 + channel] +
                               (ptrdiff_t)FFMIN(y * down + j, rows - 1) * frame->linesize[1 + channel];
          for (int i = 0; i < across; i++) sum += sample_at(row, FFMIN(x * across + i, columns - 1), is_wide);
        }
        unsigned count = (unsigned)(across * down);
        put_sample(target, 2 * x + channel, (sum + count / 2) / count, depth, is_deep);
      }
    }
  }
}
