#include "Support.h"

struct cam_resampler {
  SwrContext *context;
};

static enum AVSampleFormat sample_format(cam_samples samples, bool is_planar) {
  enum AVSampleFormat format = cam_sample_format(samples);
  return is_planar ? av_get_planar_sample_fmt(format) : format;
}

static int open_context(cam_resampler *resampler, const cam_resampler_settings *settings) {
  AVChannelLayout source, out;
  // Without a known arrangement nothing is mixed but by the matrix.
  if (settings->matrix != NULL) {
    source = (AVChannelLayout){.order = AV_CHANNEL_ORDER_UNSPEC, .nb_channels = settings->source_channels};
    out = (AVChannelLayout){.order = AV_CHANNEL_ORDER_UNSPEC, .nb_channels = settings->channels};
  } else {
    av_channel_layout_default(&source, settings->source_channels);
    av_channel_layout_default(&out, settings->channels);
  }
  int error = swr_alloc_set_opts2(&resampler->context, &out, sample_format(settings->samples, settings->is_planar),
                                  settings->rate, &source,
                                  sample_format(settings->source_samples, settings->source_is_planar),
                                  settings->source_rate, 0, NULL);
  if (error < 0) return error;
  av_opt_set_int(resampler->context, "filter_size", settings->filter_size, 0);
  // Else channels that are mixed become too loud where samples are floating-point numbers.
  av_opt_set_double(resampler->context, "rematrix_maxval", 1.0, 0);
  if (settings->dithers) av_opt_set_int(resampler->context, "dither_method", SWR_DITHER_TRIANGULAR, 0);
  if (settings->matrix != NULL) {
    error = swr_set_matrix(resampler->context, settings->matrix, settings->source_channels);
    if (error < 0) return error;
  }
  return swr_init(resampler->context);
}

cam_resampler *cam_resampler_open(const cam_resampler_settings *settings, char *reason, size_t reason_size) {
  cam_quiet();
  cam_forget_messages();
  cam_resampler *resampler = av_mallocz(sizeof *resampler);
  if (resampler == NULL) return NULL;
  int error = open_context(resampler, settings);
  if (error >= 0) return resampler;
  cam_reason(error, reason, reason_size);
  cam_resampler_close(resampler);
  return NULL;
}

void cam_resampler_close(cam_resampler *resampler) {
  if (resampler == NULL) return;
  swr_free(&resampler->context);
  av_free(resampler);
}

int cam_resampler_convert(cam_resampler *resampler, void *const *out, int room, const void *const *source,
                          int frames) {
  return swr_convert(resampler->context, (uint8_t **)out, room, (const uint8_t **)source, frames);
}

int cam_resampler_insert_silence(cam_resampler *resampler, int frames) {
  return swr_inject_silence(resampler->context, frames);
}

int cam_resampler_drop(cam_resampler *resampler, int frames) { return swr_drop_output(resampler->context, frames); }

int cam_resampler_reset(cam_resampler *resampler) {
  swr_close(resampler->context);
  return swr_init(resampler->context);
}
