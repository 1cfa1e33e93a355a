#include <alsa/asoundlib.h>
#include <errno.h>
#include <stdarg.h>

#include "CALSA.h"

// A device that takes nothing for so long is not going to.
enum { TIMEOUT_MS = 2000, LATENCY_US = 50000 };

static void quiet(const char *file, int line, const char *function, int error, const char *format, va_list arguments) {
  (void)file, (void)line, (void)function, (void)error, (void)format, (void)arguments;
}

static int write_all(snd_pcm_t *pcm, const int16_t *samples, unsigned long frames, unsigned channels) {
  while (frames > 0) {
    snd_pcm_sframes_t written = snd_pcm_writei(pcm, samples, frames);
    if (written == -EAGAIN) {
      int ready = snd_pcm_wait(pcm, TIMEOUT_MS);
      if (ready == 0) return -ETIMEDOUT;
      if (ready < 0 && (ready = snd_pcm_recover(pcm, ready, 1)) < 0) return ready;
      continue;
    }
    if (written < 0) {
      int error = snd_pcm_recover(pcm, (int)written, 1);
      if (error < 0) return error;
      continue;
    }
    samples += (unsigned long)written * channels;
    frames -= (unsigned long)written;
  }
  return 0;
}

int cam_alsa_play(const char *name, const int16_t *samples, unsigned long frames, unsigned rate, unsigned channels) {
  snd_pcm_t *pcm = NULL;
  snd_local_error_handler_t old = snd_lib_error_set_local(quiet);
  int error = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
  if (error >= 0) {
    error = snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, channels, rate, 1, LATENCY_US);
    if (error >= 0) error = write_all(pcm, samples, frames, channels);
    // What is in the device's buffer is at most the latency; draining ends by itself where the device runs, and only there.
    if (error >= 0) {
      if (snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED) snd_pcm_start(pcm);
      for (int waits = 0; waits < 10 && snd_pcm_drain(pcm) == -EAGAIN; waits++) snd_pcm_wait(pcm, TIMEOUT_MS / 10);
    }
    snd_pcm_close(pcm);
  }
  snd_lib_error_set_local(old);
  return error;
}
