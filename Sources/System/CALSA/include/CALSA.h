#ifndef CALSA_H
#define CALSA_H

// What this project calls of the ALSA library, in words that Swift can import: its own header brings types that clash with
// the C library's. Functions return 0 or more, or C's errno below zero; none prints.

#include <stdint.h>

/// An open PCM device: snd_pcm_t.
typedef struct cam_alsa_pcm cam_alsa_pcm;

/// The sample formats that are read, in the order of preference.
enum { CAM_ALSA_S16, CAM_ALSA_S32, CAM_ALSA_S24, CAM_ALSA_S24_3, CAM_ALSA_FORMATS };

/// What a sound card and one of its PCM devices state about themselves; texts end with zero.
typedef struct {
  char card_id[32];
  char card_driver[32];
  char card_name[96];
  char device_id[80];
  char device_name[96];
} cam_alsa_facts;

/// How a device shall run; what was granted afterwards.
typedef struct {
  int format;
  unsigned rate;
  unsigned channels;
  unsigned long chunk_frames;
  unsigned long buffer_frames;
} cam_alsa_setup;

/// What ended a wait.
enum { CAM_ALSA_WOKEN = 1, CAM_ALSA_READY = 2 };

int cam_alsa_describe(int card, int device, cam_alsa_facts *facts);
/// The number of the card that the configuration calls the default one.
int cam_alsa_default_card(void);
/// 1 when a card's capture switch is on, 0 when it is off, below zero when it has none.
int cam_alsa_capture_switch(int card);
/// How loud a card plays, 0 to 1000 of its mixer's range, 0 while it is muted; below zero when it has no such control.
int cam_alsa_playback_volume(int card);

int cam_alsa_open(const char *name, cam_alsa_pcm **pcm);
/// Opens a device to play; what is opened by `cam_alsa_open` captures.
int cam_alsa_open_playback(const char *name, cam_alsa_pcm **pcm);
void cam_alsa_close(cam_alsa_pcm *pcm);
/// Whether a program and not the kernel stands behind the device.
int cam_alsa_is_served(cam_alsa_pcm *pcm);
/// Which of the formats the device has, bit by bit, and between how many channels.
int cam_alsa_abilities(cam_alsa_pcm *pcm, unsigned *formats, unsigned *least_channels, unsigned *most_channels);
/// 1 when the device has exactly that, in any of the formats.
int cam_alsa_can(cam_alsa_pcm *pcm, unsigned rate, unsigned channels);
int cam_alsa_configure(cam_alsa_pcm *pcm, cam_alsa_setup *setup);

int cam_alsa_start(cam_alsa_pcm *pcm);
int cam_alsa_stop(cam_alsa_pcm *pcm);
/// Makes a device that was stopped, overrun or asleep ready to be started.
int cam_alsa_prepare(cam_alsa_pcm *pcm);
/// Sleeps until a chunk can be read or written, `wake` can be read, or the time is over; errors of the device are those of its state.
int cam_alsa_wait(cam_alsa_pcm *pcm, int wake, int milliseconds);
/// How many frames can be read now, and when the last of them was taken: CLOCK_MONOTONIC, or 0 where the device has no stamps.
int cam_alsa_position(cam_alsa_pcm *pcm, long *frames, int64_t *nanoseconds);
long cam_alsa_read(cam_alsa_pcm *pcm, void *memory, unsigned long frames);
/// Writes to a device that plays; how many frames it took.
long cam_alsa_write(cam_alsa_pcm *pcm, const void *memory, unsigned long frames);
/// How many frames are heard before what is written next.
long cam_alsa_delay(cam_alsa_pcm *pcm);

#endif
