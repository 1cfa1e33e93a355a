#ifndef COPENNI_H
#define COPENNI_H

// What this project calls of OpenNI 2's C interface, in words that Swift can import. The library is opened with `dlopen` when it is first
// needed, and stays open: its threads live as long as the process. Functions return the library's status, 0 for success, unless they say
// otherwise. The structs are laid out as the library has them.

#include <stdint.h>

/// One way in which a sensor sends frames: OniVideoMode.
typedef struct {
  int pixel_format;
  int width;
  int height;
  int rate;
} cam_openni_mode;

/// A device as the library lists it: OniDeviceInfo.
typedef struct {
  char uri[256];
  char vendor[256];
  char name[256];
  uint16_t usb_vendor;
  uint16_t usb_product;
} cam_openni_info;

/// A frame in the library's memory: OniFrame.
typedef struct {
  int size;
  void *bytes;
  int sensor;
  uint64_t microseconds;
  int index;
  int width;
  int height;
  cam_openni_mode mode;
  int is_cropped;
  int left;
  int top;
  int stride;
} cam_openni_frame;

/// OniSensorType.
enum { cam_openni_infrared = 1, cam_openni_color = 2, cam_openni_depth = 3 };
/// OniPixelFormat, as far as it is read here.
enum {
  cam_openni_depth_1_mm = 100,
  cam_openni_depth_100_um = 101,
  cam_openni_rgb = 200,
  cam_openni_uyvy = 201,
  cam_openni_gray = 202,
  cam_openni_yuyv = 205
};
/// OniStatus of a wait in which nothing came.
enum { cam_openni_timed_out = 102 };

/// Why the library cannot be used, a phrase; NULL when it can. The first call opens and initializes it, which loads its drivers and
/// takes some milliseconds, or what the drivers take to look at the USB.
const char *cam_openni_obstacle(void);
/// The library's file, as the system found it; NULL without the library.
const char *cam_openni_path(void);
/// The library's version, packed in decimals: 2.2.0 is 20200.
int cam_openni_version(void);
/// What the library says of the calling thread's last failure; not NULL, valid until its next.
const char *cam_openni_last_error(void);

/// The devices there are, at most `count`; returns how many there are, or a negative number when the library fails.
int cam_openni_devices(cam_openni_info *devices, int count);
/// Calls `report` on a thread of the library's when a device has come (1) or gone (0), for good; once for each process.
int cam_openni_watch(void (*report)(const char *uri, int has_come));

int cam_openni_open(const char *uri, void **device);
void cam_openni_close(void *device);
/// The serial number, with room for 256 bytes; empty where it has none.
void cam_openni_serial(void *device, char *text);
/// The modes of a sensor, at most `count`; returns how many there are, 0 for a device without the sensor.
int cam_openni_modes(void *device, int sensor, cam_openni_mode *modes, int count);
int cam_openni_can_register(void *device);
/// Lays depth upon colours or not; returns 1 where the device says afterwards that it does, else 0.
int cam_openni_register(void *device, int is_on);

int cam_openni_stream(void *device, int sensor, void **stream);
void cam_openni_destroy(void *stream);
int cam_openni_mode_of(void *stream, cam_openni_mode *mode);
int cam_openni_set_mode(void *stream, cam_openni_mode mode);
/// Switches mirroring off where it can be; returns 1 where frames are mirrored all the same.
int cam_openni_stop_mirroring(void *stream);
/// The horizontal field of view in radians; 0 where it is unknown.
float cam_openni_field_of_view(void *stream);
int cam_openni_start(void *stream);
void cam_openni_stop(void *stream);
/// Waits for a frame of any of `count` streams; `index` becomes the stream's.
int cam_openni_wait(void **streams, int count, int *index, int milliseconds);
/// The newest frame of a stream, which goes back with `cam_openni_release`.
int cam_openni_read(void *stream, cam_openni_frame **frame);
void cam_openni_release(cam_openni_frame *frame);

#endif
