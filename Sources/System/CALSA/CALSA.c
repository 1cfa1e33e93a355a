#include "CALSA.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const snd_pcm_format_t formats[CAM_ALSA_FORMATS] = {
    SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S24_3LE};

static snd_pcm_t *real(cam_alsa_pcm *pcm) { return (snd_pcm_t *)pcm; }

// The library prints its errors unless a handler takes them; for this thread only, the rest is the program's own.
static void quiet(const char *file, int line, const char *function, int error, const char *format, va_list arguments) {
  (void)file, (void)line, (void)function, (void)error, (void)format, (void)arguments;
}

static void copy(char *target, size_t size, const char *text) { snprintf(target, size, "%s", text ? text : ""); }

int cam_alsa_describe(int card, int device, cam_alsa_facts *facts) {
  memset(facts, 0, sizeof *facts);
  char name[32];
  snprintf(name, sizeof name, "hw:%d", card);
  snd_ctl_t *control = NULL;
  snd_local_error_handler_t old = snd_lib_error_set_local(quiet);
  int error = snd_ctl_open(&control, name, SND_CTL_NONBLOCK);
  snd_lib_error_set_local(old);
  if (error < 0) return error;
  snd_ctl_card_info_t *about = NULL;
  snd_pcm_info_t *pcm = NULL;
  if ((error = snd_ctl_card_info_malloc(&about)) == 0 && (error = snd_ctl_card_info(control, about)) == 0) {
    copy(facts->card_id, sizeof facts->card_id, snd_ctl_card_info_get_id(about));
    copy(facts->card_driver, sizeof facts->card_driver, snd_ctl_card_info_get_driver(about));
    copy(facts->card_name, sizeof facts->card_name, snd_ctl_card_info_get_name(about));
    if ((error = snd_pcm_info_malloc(&pcm)) == 0) {
      snd_pcm_info_set_device(pcm, (unsigned)device);
      snd_pcm_info_set_subdevice(pcm, 0);
      snd_pcm_info_set_stream(pcm, SND_PCM_STREAM_CAPTURE);
      if ((error = snd_ctl_pcm_info(control, pcm)) == 0) {
        copy(facts->device_id, sizeof facts->device_id, snd_pcm_info_get_id(pcm));
        copy(facts->device_name, sizeof facts->device_name, snd_pcm_info_get_name(pcm));
      }
    }
  }
  if (pcm) snd_pcm_info_free(pcm);
  if (about) snd_ctl_card_info_free(about);
  snd_ctl_close(control);
  return error;
}

int cam_alsa_default_card(void) {
  snd_local_error_handler_t old = snd_lib_error_set_local(quiet);
  snd_config_t *tree = NULL, *entry = NULL;
  long number = -ENOENT;
  // A copy of the tree of our own: the shared one may be updated by other threads.
  if (snd_config_update_ref(&tree) >= 0) {
    if (snd_config_search(tree, "defaults.pcm.card", &entry) == 0 && snd_config_get_integer(entry, &number) < 0) {
      const char *text = NULL;
      number = snd_config_get_string(entry, &text) == 0 && text ? snd_card_get_index(text) : -ENOENT;
    }
    snd_config_unref(tree);
  }
  snd_lib_error_set_local(old);
  return (int)number;
}

// A card's mixer, and room for one of its controls.
typedef struct {
  snd_ctl_t *control;
  snd_ctl_elem_info_t *info;
  snd_ctl_elem_value_t *value;
} mixer;

static void close_mixer(mixer *mixer) {
  if (mixer->value) snd_ctl_elem_value_free(mixer->value);
  if (mixer->info) snd_ctl_elem_info_free(mixer->info);
  if (mixer->control) snd_ctl_close(mixer->control);
}

static int open_mixer(int card, mixer *mixer) {
  char name[32];
  snprintf(name, sizeof name, "hw:%d", card);
  memset(mixer, 0, sizeof *mixer);
  snd_local_error_handler_t old = snd_lib_error_set_local(quiet);
  int error = snd_ctl_open(&mixer->control, name, SND_CTL_NONBLOCK);
  snd_lib_error_set_local(old);
  if (error < 0) return error;
  if ((error = snd_ctl_elem_info_malloc(&mixer->info)) < 0 || (error = snd_ctl_elem_value_malloc(&mixer->value)) < 0)
    close_mixer(mixer);
  return error;
}

// The number of channels of the control of that name, whose values can be read then; 0 where there is none of the type.
static unsigned read_control(mixer *mixer, const char *name, snd_ctl_elem_type_t type) {
  snd_ctl_elem_info_clear(mixer->info);
  snd_ctl_elem_info_set_interface(mixer->info, SND_CTL_ELEM_IFACE_MIXER);
  snd_ctl_elem_info_set_name(mixer->info, name);
  if (snd_ctl_elem_info(mixer->control, mixer->info) < 0 || snd_ctl_elem_info_get_type(mixer->info) != type) return 0;
  snd_ctl_elem_value_clear(mixer->value);
  snd_ctl_elem_value_set_interface(mixer->value, SND_CTL_ELEM_IFACE_MIXER);
  snd_ctl_elem_value_set_name(mixer->value, name);
  return snd_ctl_elem_read(mixer->control, mixer->value) < 0 ? 0 : snd_ctl_elem_info_get_count(mixer->info);
}

// 1 when a switch is on for any channel, 0 when it is off, below zero when there is none.
static int read_switch(mixer *mixer, const char *name) {
  unsigned channels = read_control(mixer, name, SND_CTL_ELEM_TYPE_BOOLEAN);
  if (channels == 0) return -ENOENT;
  for (unsigned channel = 0; channel < channels; channel++)
    if (snd_ctl_elem_value_get_boolean(mixer->value, channel)) return 1;
  return 0;
}

int cam_alsa_capture_switch(int card) {
  static const char *const names[] = {
      "Capture Switch", "Mic Capture Switch", "Internal Mic Capture Switch", "Headset Mic Capture Switch"};
  mixer mixer;
  int error = open_mixer(card, &mixer);
  if (error < 0) return error;
  int found = -ENOENT;
  // One switch that is on lets sound in; several are of several inputs.
  for (size_t i = 0; i < sizeof names / sizeof *names && found != 1; i++) {
    int is_on = read_switch(&mixer, names[i]);
    if (is_on >= 0) found = is_on;
  }
  close_mixer(&mixer);
  return found;
}

int cam_alsa_playback_volume(int card) {
  static const char *const names[] = {"Master", "PCM", "Speaker", "Headphone"};
  mixer mixer;
  int error = open_mixer(card, &mixer);
  if (error < 0) return error;
  int found = -ENOENT;
  for (size_t i = 0; i < sizeof names / sizeof *names && found < 0; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s Playback Switch", names[i]);
    int is_on = read_switch(&mixer, name);
    snprintf(name, sizeof name, "%s Playback Volume", names[i]);
    unsigned channels = read_control(&mixer, name, SND_CTL_ELEM_TYPE_INTEGER);
    if (channels == 0) continue;
    long least = snd_ctl_elem_info_get_min(mixer.info), most = snd_ctl_elem_info_get_max(mixer.info), loudest = least;
    for (unsigned channel = 0; channel < channels; channel++) {
      long level = snd_ctl_elem_value_get_integer(mixer.value, channel);
      if (level > loudest) loudest = level;
    }
    if (most > least) found = is_on == 0 ? 0 : (int)((loudest - least) * 1000 / (most - least));
  }
  close_mixer(&mixer);
  return found;
}

int cam_alsa_open(const char *name, cam_alsa_pcm **pcm) {
  snd_pcm_t *opened = NULL;
  snd_local_error_handler_t old = snd_lib_error_set_local(quiet);
  int error = snd_pcm_open(&opened, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK);
  snd_lib_error_set_local(old);
  *pcm = (cam_alsa_pcm *)opened;
  return error;
}

int cam_alsa_open_playback(const char *name, cam_alsa_pcm **pcm) {
  snd_pcm_t *opened = NULL;
  snd_local_error_handler_t old = snd_lib_error_set_local(quiet);
  int error = snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
  snd_lib_error_set_local(old);
  *pcm = (cam_alsa_pcm *)opened;
  return error;
}

void cam_alsa_close(cam_alsa_pcm *pcm) { snd_pcm_close(real(pcm)); }

int cam_alsa_is_served(cam_alsa_pcm *pcm) { return snd_pcm_type(real(pcm)) == SND_PCM_TYPE_IOPLUG; }

// Everything that the device can do with samples side by side.
static int any(snd_pcm_t *pcm, snd_pcm_hw_params_t **parameters) {
  int error = snd_pcm_hw_params_malloc(parameters);
  if (error < 0) return error;
  error = snd_pcm_hw_params_any(pcm, *parameters);
  if (error >= 0) error = snd_pcm_hw_params_set_access(pcm, *parameters, SND_PCM_ACCESS_RW_INTERLEAVED);
  if (error < 0) {
    snd_pcm_hw_params_free(*parameters);
    *parameters = NULL;
  }
  return error;
}

int cam_alsa_abilities(cam_alsa_pcm *pcm, unsigned *found, unsigned *least, unsigned *most) {
  snd_pcm_hw_params_t *parameters = NULL;
  int error = any(real(pcm), &parameters);
  if (error < 0) return error;
  *found = 0;
  for (int format = 0; format < CAM_ALSA_FORMATS; format++) {
    if (snd_pcm_hw_params_test_format(real(pcm), parameters, formats[format]) == 0) *found |= 1u << format;
  }
  error = snd_pcm_hw_params_get_channels_min(parameters, least);
  if (error >= 0) error = snd_pcm_hw_params_get_channels_max(parameters, most);
  snd_pcm_hw_params_free(parameters);
  return error < 0 ? error : 0;
}

int cam_alsa_can(cam_alsa_pcm *pcm, unsigned rate, unsigned channels) {
  snd_pcm_hw_params_t *parameters = NULL;
  int can = 0;
  for (int format = 0; format < CAM_ALSA_FORMATS && !can; format++) {
    if (any(real(pcm), &parameters) < 0) return 0;
    can = snd_pcm_hw_params_set_format(real(pcm), parameters, formats[format]) == 0 &&
          snd_pcm_hw_params_set_channels(real(pcm), parameters, channels) == 0 &&
          snd_pcm_hw_params_test_rate(real(pcm), parameters, rate, 0) == 0;
    snd_pcm_hw_params_free(parameters);
  }
  return can;
}

static int set_hardware(snd_pcm_t *pcm, cam_alsa_setup *setup) {
  snd_pcm_hw_params_t *parameters = NULL;
  int error = any(pcm, &parameters);
  if (error < 0) return error;
  int chosen = -1;
  for (int format = 0; format < CAM_ALSA_FORMATS && chosen < 0; format++) {
    if (snd_pcm_hw_params_set_format(pcm, parameters, formats[format]) == 0) chosen = format;
  }
  error = chosen < 0 ? -EINVAL : 0;
  if (error >= 0) error = snd_pcm_hw_params_set_channels_near(pcm, parameters, &setup->channels);
  if (error >= 0) error = snd_pcm_hw_params_set_rate_near(pcm, parameters, &setup->rate, NULL);
  snd_pcm_uframes_t period = setup->chunk_frames, buffer = setup->buffer_frames;
  if (error >= 0) error = snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, NULL);
  if (error >= 0) error = snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer);
  if (error >= 0) error = snd_pcm_hw_params(pcm, parameters);
  snd_pcm_hw_params_free(parameters);
  if (error < 0) return error;
  setup->format = chosen;
  setup->buffer_frames = buffer;
  return 0;
}

static int set_software(snd_pcm_t *pcm, const cam_alsa_setup *setup) {
  snd_pcm_sw_params_t *parameters = NULL;
  int error = snd_pcm_sw_params_malloc(&parameters);
  if (error < 0) return error;
  error = snd_pcm_sw_params_current(pcm, parameters);
  if (error >= 0) error = snd_pcm_sw_params_set_avail_min(pcm, parameters, setup->chunk_frames);
  // Only an explicit start starts.
  if (error >= 0) error = snd_pcm_sw_params_set_start_threshold(pcm, parameters, setup->buffer_frames + 1);
  if (error >= 0) error = snd_pcm_sw_params_set_stop_threshold(pcm, parameters, setup->buffer_frames);
  if (error >= 0) error = snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE);
  if (error >= 0) error = snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC);
  if (error >= 0) error = snd_pcm_sw_params(pcm, parameters);
  snd_pcm_sw_params_free(parameters);
  return error;
}

int cam_alsa_configure(cam_alsa_pcm *pcm, cam_alsa_setup *setup) {
  snd_local_error_handler_t old = snd_lib_error_set_local(quiet);
  int error = set_hardware(real(pcm), setup);
  if (error >= 0) error = set_software(real(pcm), setup);
  snd_lib_error_set_local(old);
  return error;
}

int cam_alsa_start(cam_alsa_pcm *pcm) { return snd_pcm_start(real(pcm)); }

int cam_alsa_stop(cam_alsa_pcm *pcm) { return snd_pcm_drop(real(pcm)); }

int cam_alsa_prepare(cam_alsa_pcm *pcm) { return snd_pcm_prepare(real(pcm)); }

// What the device's state says is wrong; 0 for nothing.
static int trouble(snd_pcm_t *pcm) {
  switch (snd_pcm_state(pcm)) {
    case SND_PCM_STATE_DISCONNECTED: return -ENODEV;
    case SND_PCM_STATE_XRUN: return -EPIPE;
    case SND_PCM_STATE_SUSPENDED: return -ESTRPIPE;
    default: return 0;
  }
}

int cam_alsa_wait(cam_alsa_pcm *pcm, int wake, int milliseconds) {
  int count = snd_pcm_poll_descriptors_count(real(pcm));
  if (count < 0) return count;
  struct pollfd descriptors[count + 1];
  count = snd_pcm_poll_descriptors(real(pcm), descriptors, (unsigned)count);
  if (count < 0) return count;
  descriptors[count].fd = wake;
  descriptors[count].events = POLLIN;
  descriptors[count].revents = 0;
  if (poll(descriptors, (nfds_t)count + 1, milliseconds) < 0) return errno == EINTR ? 0 : -errno;
  if (descriptors[count].revents) return CAM_ALSA_WOKEN;
  unsigned short events = 0;
  int error = snd_pcm_poll_descriptors_revents(real(pcm), descriptors, (unsigned)count, &events);
  if (error < 0) return error;
  if (events & (POLLERR | POLLHUP | POLLNVAL)) {
    int failure = trouble(real(pcm));
    return failure ? failure : -EIO;
  }
  return events & (POLLIN | POLLOUT) ? CAM_ALSA_READY : 0;
}

int cam_alsa_position(cam_alsa_pcm *pcm, long *frames, int64_t *nanoseconds) {
  snd_pcm_uframes_t available = 0;
  snd_htimestamp_t stamp = {0, 0};
  int error = snd_pcm_htimestamp(real(pcm), &available, &stamp);
  if (error < 0) return error;
  // Devices without stamps of their own leave it at zero.
  *frames = (long)available;
  *nanoseconds = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
  return trouble(real(pcm));
}

long cam_alsa_read(cam_alsa_pcm *pcm, void *memory, unsigned long frames) {
  return snd_pcm_readi(real(pcm), memory, frames);
}

long cam_alsa_write(cam_alsa_pcm *pcm, const void *memory, unsigned long frames) {
  return snd_pcm_writei(real(pcm), memory, frames);
}

long cam_alsa_delay(cam_alsa_pcm *pcm) {
  snd_pcm_sframes_t frames = 0;
  int error = snd_pcm_delay(real(pcm), &frames);
  return error < 0 ? error : frames;
}
