// A USB webcam made of software: descriptors, controls and motion JPEG frames, given to the kernel through the virtual host
// controller that it has for USB over a network (vhci_hcd), so that the kernel's own uvcvideo driver finds it, as it finds one
// on a cable.
//
// Usage: usb-webcam SERIAL FRAME.jpg [FRAME.jpg...]
//        usb-webcam SERIAL STREAM.h264 WIDTHxHEIGHT
//        usb-webcam SERIAL --depth WIDTHxHEIGHT FRAME.jpg [FRAME.jpg...]
// Each picture is one frame size; its width and height are read from its start-of-frame marker. Of a stream with start codes,
// which begins with a key frame, each frame is one access unit, over and over; such a webcam has no other format. A depth camera
// has a second function beside that of the pictures, with depth maps (see paint_map). It streams at 30 or 15 frames a
// second, says "plugged" on standard output once the host has configured it, and is unplugged by ending the process.
//
// Not a gadget on dummy_hcd: that bus carries no isochronous transfers, which usb_f_uvc wants, and gadgetfs loses a control
// request when the next one overtakes its data.
// Sources: USB Device Class Definition for Video Devices 1.1; Documentation/usb/usbip_protocol.rst of the kernel.
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/usb/ch9.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define CONTROLLER "/sys/devices/platform/vhci_hcd.0/attach"
enum { PORTS = 8, PACKET = 512 };
enum { HEADER = 2, MOST_FRAMES = 4, MOST_UNITS = 64, INTERVAL_30 = 333333, INTERVAL_15 = 666666 };
enum { CAMERA = 1, PROCESSING = 2, OUTPUT = 3 };
enum { SET_CUR = 0x01, GET_CUR = 0x81, GET_MIN, GET_MAX, GET_RES, GET_LEN, GET_INFO, GET_DEF };

static void stop(const char *what) {
  fprintf(stderr, "usb-webcam: %s: %s\n", what, strerror(errno));
  exit(1);
}

// ---- Frames

struct frame {
  uint8_t *payload;  // A header, then the picture.
  size_t size;
  int width, height;
};
static struct frame frames[MOST_FRAMES];
static int frame_count;

// A payload with a file's bytes; `size` becomes their number.
static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) stop(path);
  fseek(file, 0, SEEK_END);
  *size = ftell(file);
  rewind(file);
  uint8_t *payload = calloc(1, *size + 2);
  if (!payload || fread(payload + 2, 1, *size, file) != *size) stop(path);
  fclose(file);
  return payload;
}

static void load(const char *path) {
  struct frame *frame = &frames[frame_count++];
  size_t size;
  frame->payload = read_file(path, &size);
  frame->size = size + 2;
  const uint8_t *bytes = frame->payload + 2;
  for (size_t at = 2; at + 9 < size && bytes[at] == 0xFF; at += 2 + (bytes[at + 2] << 8 | bytes[at + 3])) {
    if (bytes[at + 1] >= 0xC0 && bytes[at + 1] <= 0xC2) {
      frame->height = bytes[at + 5] << 8 | bytes[at + 6];
      frame->width = bytes[at + 7] << 8 | bytes[at + 8];
      return;
    }
  }
  fprintf(stderr, "usb-webcam: %s is no JPEG picture.\n", path);
  exit(1);
}

// The access units of a stream of H.264; none for a webcam that sends JPEG.
static struct frame units[MOST_UNITS];
static int unit_count;

static void add_unit(const uint8_t *bytes, size_t size) {
  if (unit_count == MOST_UNITS) {
    fprintf(stderr, "usb-webcam: the stream has more than %d access units.\n", MOST_UNITS);
    exit(1);
  }
  struct frame *unit = &units[unit_count++];
  unit->size = size + 2;
  unit->payload = calloc(1, unit->size);
  if (!unit->payload) stop("calloc");
  memcpy(unit->payload + 2, bytes, size);
  if (unit->size > frames[0].size) frames[0].size = unit->size;
}

static void load_stream(const char *path, const char *dimensions) {
  size_t size, begin = 0;
  const uint8_t *bytes = read_file(path, &size) + 2;
  int has_slice = 0;
  frame_count = 1;
  if (sscanf(dimensions, "%dx%d", &frames[0].width, &frames[0].height) != 2) {
    fprintf(stderr, "usb-webcam: %s is no size.\n", dimensions);
    exit(2);
  }
  for (size_t at = 0; at + 4 < size; at++) {
    if (bytes[at] || bytes[at + 1] || bytes[at + 2] != 1) continue;
    int type = bytes[at + 3] & 31;
    int is_slice = type == 1 || type == 5;
    // A slice begins a picture when its first macroblock is number 0, which is one bit that is set.
    int begins = is_slice ? bytes[at + 4] >> 7 : type >= 6 && type <= 9;
    if (has_slice && begins) {
      size_t end = at && !bytes[at - 1] ? at - 1 : at;
      add_unit(bytes + begin, end - begin);
      begin = end;
      has_slice = 0;
    }
    has_slice |= is_slice;
  }
  if (has_slice) add_unit(bytes + begin, size - begin);
  if (!unit_count) {
    fprintf(stderr, "usb-webcam: %s is no stream of H.264.\n", path);
    exit(1);
  }
}

// The maps of a depth camera: two bytes for each point, in millimetres; none for a webcam.
static struct frame map;
static int map_number;

static void make_map(const char *dimensions) {
  if (sscanf(dimensions, "%dx%d", &map.width, &map.height) != 2) {
    fprintf(stderr, "usb-webcam: %s is no size.\n", dimensions);
    exit(2);
  }
  map.size = HEADER + 2 * map.width * map.height;
  map.payload = calloc(1, map.size);
  if (!map.payload) stop("calloc");
}

// A slope that moves away by a millimetre with each map; on every eighth diagonal nothing is known.
static void paint_map(void) {
  for (int y = 0; y < map.height; y++) {
    for (int x = 0; x < map.width; x++) {
      int distance = (x + y) % 8 ? 500 + 8 * x + 4 * y + map_number : 0;
      uint8_t *point = map.payload + HEADER + 2 * (y * map.width + x);
      point[0] = distance;
      point[1] = distance >> 8;
    }
  }
  map_number = (map_number + 1) % 10000;
}

// ---- Descriptors

static uint8_t text[4096];  // The configuration, with all that belongs to it.
static size_t length;

static void put(int count, ...) {
  va_list bytes;
  va_start(bytes, count);
  for (int i = 0; i < count; i++) text[length++] = va_arg(bytes, int);
  va_end(bytes);
}
static void put16(unsigned value) { put(2, value & 255, value >> 8 & 255); }
static void put32(unsigned value) {
  put16(value & 65535);
  put16(value >> 16);
}
static void set16(size_t at, unsigned value) {
  text[at] = value & 255;
  text[at + 1] = value >> 8;
}

// A function of the device: an interface for its controls, and one for its stream.
static void put_function(int interface) {
  put(8, 8, USB_DT_INTERFACE_ASSOCIATION, interface, 2, 0x0E, 3, 0, 2);
  put(9, 9, USB_DT_INTERFACE, interface, 0, 0, 0x0E, 1, 0, 2);
}

// The header of its controls, whose descriptors take `size` bytes.
static void put_controls(int interface, int size) {
  put(3, 13, 0x24, 0x01);
  put16(0x0110);
  put16(13 + size);
  put32(48000000);
  put(2, 1, interface + 1);
}

// A camera's lens and sensor, with no focal lengths, and three bytes of controls.
static void put_camera(int exposure, int focus, int privacy) {
  put(4, 18, 0x24, 0x02, CAMERA);
  put16(0x0201);
  put(9, 0, 0, 0, 0, 0, 0, 0, 0, 3);
  put(3, exposure, focus, privacy);
}

static void put_output(int source) {
  put(4, 9, 0x24, 0x03, OUTPUT);
  put16(0x0101);
  put(3, 0, source, 0);
}

// The interface of its stream, and the header of that; returns where the header begins.
static size_t put_stream(int interface, int endpoint) {
  put(9, 9, USB_DT_INTERFACE, interface + 1, 0, 1, 0x0E, 2, 0, 0);
  size_t header = length;
  put(6, 14, 0x24, 0x01, 1, 0, 0);
  put(8, 0x80 | endpoint, 0, OUTPUT, 0, 0, 0, 1, 0);
  return header;
}

// A size; `has_bytes` where the format says how many bytes a frame takes.
static void put_frame(int kind, int index, const struct frame *frame, int has_bytes) {
  size_t size = frame->size - HEADER;
  put(5, 26 + 8, 0x24, kind, index, 0);
  put16(frame->width);
  put16(frame->height);
  put32(size * 8 * 15);
  put32(size * 8 * 30);
  if (has_bytes) put32(size);
  put32(INTERVAL_30);
  put(1, 2);
  if (!has_bytes) put32(0);
  put32(INTERVAL_30);
  put32(INTERVAL_15);
}

// The end of a stream that begins at `header`.
static void put_stream_end(size_t header, int endpoint) {
  put(6, 6, 0x24, 0x0D, 1, 1, 4);
  set16(header + 4, length - header);
  put(4, 7, USB_DT_ENDPOINT, 0x80 | endpoint, USB_ENDPOINT_XFER_BULK);
  put16(PACKET);
  put(1, 0);
}

static void put_pictures(void) {
  put_function(0);
  // The camera, the processing of its pictures, the way out.
  put_controls(0, 18 + 12 + 9);
  // Exposure mode, priority and time; focus; zoom; automatic focus; privacy.
  put_camera(1 << 1 | 1 << 2 | 1 << 3 | 1 << 5, 1 << 1, 1 << 1 | 1 << 2);
  put(5, 12, 0x24, 0x05, PROCESSING, CAMERA);
  put16(0);
  // Brightness, colour temperature; backlight, gain, mains frequency, automatic colour temperature.
  put(5, 2, 1 << 0 | 1 << 6, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4, 0, 0);
  put_output(PROCESSING);
  // One format, some sizes.
  size_t header = put_stream(0, 1);
  if (unit_count) {
    // A format that is known by its number, whose frames have no size of their own.
    put(5, 28, 0x24, 0x10, 1, frame_count);
    put(16, 'H', '2', '6', '4', 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71);
    put(7, 0, 1, 0, 0, 0, 0, 1);
  } else {
    put(11, 11, 0x24, 0x06, 1, frame_count, 1, 1, 0, 0, 0, 0);
  }
  for (int i = 0; i < frame_count; i++) put_frame(unit_count ? 0x11 : 0x07, i + 1, &frames[i], !unit_count);
  put_stream_end(header, 1);
}

static void put_depth(void) {
  put_function(2);
  put_controls(2, 18 + 9);
  put_camera(0, 0, 0);
  put_output(CAMERA);
  size_t header = put_stream(2, 2);
  // An uncompressed format that is known by its number: the one of Intel's depth cameras, 16 bits a point.
  put(5, 27, 0x24, 0x04, 1, 1);
  put(16, 'I', 'N', 'V', 'Z', 0x90, 0x2D, 0x58, 0x4A, 0x92, 0x0B, 0x77, 0x3F, 0x1F, 0x2C, 0x55, 0x6B);
  put(6, 16, 1, 0, 0, 0, 0);
  put_frame(0x05, 1, &map, 1);
  put_stream_end(header, 2);
}

static void put_configuration(void) {
  size_t start = length;
  put(4, 9, USB_DT_CONFIG, 0, 0);
  put(5, map.size ? 4 : 2, 1, 0, USB_CONFIG_ATT_ONE | USB_CONFIG_ATT_SELFPOWER, 1);
  put_pictures();
  if (map.size) put_depth();
  set16(start + 2, length - start);
}

// The device itself: USB 2.0, several functions, made by nobody in particular.
static const uint8_t device[] = {18, USB_DT_DEVICE, 0x00, 0x02, 0xEF, 2,    1, 64, 0x6B, 0x1D, 0x02, 0x01, 0x00, 0x01, 1, 2, 3, 1};

static const char *serial;

static int string_descriptor(int index, uint8_t *answer) {
  const char *strings[] = {0, "Obscura", "Obscura Lab Webcam", serial};
  if (index == 0) {
    memcpy(answer, (uint8_t[]){4, USB_DT_STRING, 0x09, 0x04}, 4);
    return 4;
  }
  if (index > 3) return -1;
  int count = strlen(strings[index]);
  answer[0] = 2 + 2 * count;
  answer[1] = USB_DT_STRING;
  for (int i = 0; i < count; i++) {
    answer[2 + 2 * i] = strings[index][i];
    answer[3 + 2 * i] = 0;
  }
  return answer[0];
}

// ---- Controls

struct control {
  uint8_t entity, selector, size;
  int32_t minimum, maximum, step, standard, present;
};
static struct control controls[] = {
    // The modes of exposure are bits; the step tells which there are: manual, and with the aperture left alone.
    {CAMERA, 0x02, 1, 1, 8, 1 | 8, 8, 8},
    {CAMERA, 0x03, 1, 0, 1, 1, 0, 0},
    {CAMERA, 0x04, 4, 3, 2047, 1, 250, 312},
    {CAMERA, 0x06, 2, 0, 250, 5, 0, 0},
    {CAMERA, 0x08, 1, 0, 1, 1, 1, 1},
    {CAMERA, 0x0B, 2, 100, 500, 1, 100, 100},
    {CAMERA, 0x11, 1, 0, 1, 1, 0, 0},
    {PROCESSING, 0x01, 2, 0, 1, 1, 0, 0},
    {PROCESSING, 0x02, 2, 0, 255, 1, 128, 128},
    {PROCESSING, 0x04, 2, 0, 255, 1, 0, 64},
    {PROCESSING, 0x05, 1, 0, 2, 1, 2, 2},
    {PROCESSING, 0x0A, 2, 2000, 6500, 10, 4000, 5000},
    {PROCESSING, 0x0B, 1, 0, 1, 1, 1, 1},
};

static struct control *find(int entity, int selector) {
  for (size_t i = 0; i < sizeof controls / sizeof *controls; i++)
    if (controls[i].entity == entity && controls[i].selector == selector) return &controls[i];
  return NULL;
}

static int little(uint8_t *answer, uint32_t value, int size) {
  for (int i = 0; i < size; i++) answer[i] = value >> 8 * i;
  return size;
}

static int answer_control(const struct control *control, int request, uint8_t *answer) {
  switch (request) {
    case GET_CUR: return little(answer, control->present, control->size);
    case GET_MIN: return little(answer, control->minimum, control->size);
    case GET_MAX: return little(answer, control->maximum, control->size);
    case GET_RES: return little(answer, control->step, control->size);
    case GET_DEF: return little(answer, control->standard, control->size);
    case GET_LEN: return little(answer, control->size, 2);
    // It can be read and set.
    case GET_INFO: return little(answer, 3, 1);
    default: return -1;
  }
}

// ---- Streams

enum { PROBE_SIZE = 34, MOST_WAITING = 64 };
static struct stream {
  // What it may be asked for.
  const struct frame *frames;
  int frame_count;
  uint8_t probe[PROBE_SIZE], committed[PROBE_SIZE];
  const struct frame *streamed;  // NULL before the host has committed to a format.
  const struct frame *current;   // The frame on its way.
  size_t sent;                   // How much of it is sent.
  int is_sending;                // Whether one is on its way.
  uint8_t parity;
  uint32_t interval;
  int timer;
  // The host's requests for frames, oldest first.
  struct waiting {
    uint32_t number;
    size_t room;
  } waiting[MOST_WAITING];
  int waiting_count;
} streams[2];  // The pictures, and the maps of a depth camera; endpoints 1 and 2, interfaces 1 and 3.
static int stream_count;
static int next_unit;

static void settle(const struct stream *stream, uint8_t *wish) {
  int index = wish[3] >= 1 && wish[3] <= stream->frame_count ? wish[3] : 1;
  size_t size = stream->frames[index - 1].size;
  uint32_t wanted = wish[4] | wish[5] << 8 | wish[6] << 16 | (uint32_t)wish[7] << 24;
  memset(wish + 8, 0, PROBE_SIZE - 8);
  wish[2] = 1;
  wish[3] = index;
  little(wish + 4, wanted > (INTERVAL_30 + INTERVAL_15) / 2 ? INTERVAL_15 : INTERVAL_30, 4);
  little(wish + 18, size - HEADER, 4);
  // One payload carries a whole frame.
  little(wish + 22, size + PACKET, 4);
  little(wish + 26, 48000000, 4);
}

static void set_timer(struct stream *stream, uint32_t interval) {
  struct timespec period = {.tv_sec = interval / 10000000, .tv_nsec = interval % 10000000 * 100};
  if (stream->interval != interval) timerfd_settime(stream->timer, 0, &(struct itimerspec){period, period}, NULL);
  stream->interval = interval;
}

static void add_stream(const struct frame *frames, int frame_count) {
  struct stream *stream = &streams[stream_count++];
  stream->frames = frames;
  stream->frame_count = frame_count;
  stream->timer = timerfd_create(CLOCK_MONOTONIC, 0);
  if (stream->timer < 0) stop("timerfd_create");
  settle(stream, stream->probe);
  settle(stream, stream->committed);
  set_timer(stream, INTERVAL_30);
}

// The stream of an interface; NULL for one of controls.
static struct stream *stream_of(int interface) {
  int index = interface / 2;
  return interface % 2 && index < stream_count ? &streams[index] : NULL;
}

// ---- USB over a socket

enum { SUBMIT = 1, UNLINK = 2, SUBMITTED = 3, UNLINKED = 4 };
struct message {
  uint32_t command, number, device, is_input, endpoint;
  // Of a submission: flags, length, first frame, packets, interval; of its answer: status, length, first frame, packets, errors.
  uint32_t fields[5];
  struct usb_ctrlrequest request;
};
_Static_assert(sizeof(struct message) == 48, "the protocol's header");

static int host;  // The socket.

static void get_all(void *bytes, size_t count) {
  while (count) {
    ssize_t part = read(host, bytes, count);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) stop("read");
    // The host controller is gone.
    if (part == 0) exit(0);
    bytes = (uint8_t *)bytes + part;
    count -= part;
  }
}

static void put_all(const void *bytes, size_t count) {
  while (count) {
    ssize_t part = write(host, bytes, count);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0 && errno == EPIPE) exit(0);
    if (part < 0) stop("write");
    bytes = (const uint8_t *)bytes + part;
    count -= part;
  }
}

// Answers a submission with a status (0 or an errno below zero) and, where it was an input, with data.
static void complete(uint32_t number, int status, size_t count, const uint8_t *data, int is_input) {
  struct message answer = {htobe32(SUBMITTED), htobe32(number), 0, 0, 0, {htobe32(status), htobe32(count)}, {0}};
  put_all(&answer, sizeof answer);
  if (is_input) put_all(data, count);
}

static void forget(struct stream *stream, int index) {
  struct waiting *at = stream->waiting + index;
  memmove(at, at + 1, (--stream->waiting_count - index) * sizeof *at);
}

// Whether a request was waiting that waits no more.
static int withdraw(uint32_t number) {
  for (struct stream *stream = streams; stream < streams + stream_count; stream++) {
    for (int i = 0; i < stream->waiting_count; i++) {
      if (stream->waiting[i].number != number) continue;
      forget(stream, i);
      return 1;
    }
  }
  return 0;
}

static void unlink_request(const struct message *message) {
  int status = withdraw(be32toh(message->fields[0])) ? -ECONNRESET : 0;
  struct message answer = {htobe32(UNLINKED), message->number, 0, 0, 0, {htobe32(status)}, {0}};
  put_all(&answer, sizeof answer);
}

// Sends as much of the frame on its way as the host has asked for. A transfer that does not fill its room ends the frame.
static void send_frame(struct stream *stream) {
  while (stream->is_sending && stream->waiting_count) {
    struct waiting first = stream->waiting[0];
    size_t count = stream->current->size - stream->sent;
    if (count > first.room) count = first.room;
    stream->is_sending = count == first.room;
    complete(first.number, 0, count, stream->current->payload + stream->sent, 1);
    forget(stream, 0);
    stream->sent += count;
  }
}

static void begin_frame(struct stream *stream) {
  // A frame that the host has not taken in time is one frame less, as with a camera on a cable.
  if (!stream->streamed || stream->is_sending || !stream->waiting_count) return;
  stream->current = stream->streamed;
  if (stream->current == &map) {
    paint_map();
  } else if (unit_count) {
    stream->current = &units[next_unit];
    next_unit = (next_unit + 1) % unit_count;
  }
  stream->current->payload[0] = HEADER;
  stream->current->payload[1] = 0x80 | 0x02 | stream->parity;
  stream->parity ^= 1;
  stream->sent = 0;
  stream->is_sending = 1;
}

// ---- Requests of the host

// What to answer to a request that asks for data; -1 for none.
static int answer(const struct usb_ctrlrequest *request, uint8_t *data) {
  int value = request->wValue, index = request->wIndex;
  if (request->bRequestType == USB_DIR_IN && request->bRequest == USB_REQ_GET_DESCRIPTOR) {
    switch (value >> 8) {
      case USB_DT_DEVICE: memcpy(data, device, sizeof device); return sizeof device;
      case USB_DT_CONFIG: memcpy(data, text, length); return length;
      case USB_DT_STRING: return string_descriptor(value & 255, data);
      default: return -1;
    }
  }
  if ((request->bRequestType & ~USB_RECIP_MASK) == USB_DIR_IN && request->bRequest == USB_REQ_GET_STATUS)
    return little(data, request->bRequestType == USB_DIR_IN ? 1 << USB_DEVICE_SELF_POWERED : 0, 2);
  if (request->bRequestType == (USB_DIR_IN | USB_RECIP_INTERFACE) && request->bRequest == USB_REQ_GET_INTERFACE)
    return little(data, 0, 1);
  if (request->bRequestType != (USB_DIR_IN | USB_TYPE_CLASS | USB_RECIP_INTERFACE)) return -1;
  if ((index & 255) == 0) {
    const struct control *control = find(index >> 8, value >> 8);
    return control ? answer_control(control, request->bRequest, data) : -1;
  }
  const struct stream *stream = stream_of(index & 255);
  int selector = value >> 8;
  if (!stream || (selector != 1 && selector != 2)) return -1;
  if (request->bRequest == GET_LEN) return little(data, PROBE_SIZE, 2);
  if (request->bRequest == GET_INFO) return little(data, 3, 1);
  memcpy(data, selector == 2 ? stream->committed : stream->probe, PROBE_SIZE);
  if (request->bRequest == GET_MIN || request->bRequest == GET_MAX || request->bRequest == GET_DEF) {
    memset(data, 0, PROBE_SIZE);
    data[3] = request->bRequest == GET_MAX ? stream->frame_count : 1;
    settle(stream, data);
  }
  return PROBE_SIZE;
}

// Takes the data of a request that sets something.
static void take(const struct usb_ctrlrequest *request, const uint8_t *data, int count) {
  int selector = request->wValue >> 8;
  if ((request->wIndex & 255) == 0) {
    struct control *control = find(request->wIndex >> 8, selector);
    if (!control) return;
    uint32_t value = 0;
    for (int i = 0; i < count && i < 4; i++) value |= (uint32_t)data[i] << 8 * i;
    control->present = value;
    return;
  }
  struct stream *stream = stream_of(request->wIndex & 255);
  if (!stream) return;
  uint8_t *state = selector == 2 ? stream->committed : stream->probe;
  memcpy(state, data, count < PROBE_SIZE ? count : PROBE_SIZE);
  settle(stream, state);
  if (selector == 2) {
    set_timer(stream, state[4] | state[5] << 8 | state[6] << 16);
    stream->streamed = &stream->frames[state[3] - 1];
    // A stream begins with a whole frame, which of H.264 is a key frame.
    stream->is_sending = 0;
    next_unit = 0;
  }
}

static void control_request(uint32_t number, struct usb_ctrlrequest request, const uint8_t *taken, size_t count) {
  request.wValue = le16toh(request.wValue);
  request.wIndex = le16toh(request.wIndex);
  request.wLength = le16toh(request.wLength);
  if (request.bRequestType & USB_DIR_IN) {
    static uint8_t data[sizeof text];
    int size = answer(&request, data);
    // No answer is a stall.
    if (size < 0) return complete(number, -EPIPE, 0, NULL, 1);
    if (size > request.wLength) size = request.wLength;
    return complete(number, 0, size, data, 1);
  }
  if (request.bRequestType == (USB_TYPE_CLASS | USB_RECIP_INTERFACE) && request.bRequest == SET_CUR)
    take(&request, taken, count);
  complete(number, 0, count, NULL, 0);
  if (request.bRequestType == USB_DIR_OUT && request.bRequest == USB_REQ_SET_CONFIGURATION) {
    printf("plugged\n");
    fflush(stdout);
  }
}

static void handle(void) {
  struct message message;
  get_all(&message, sizeof message);
  uint32_t number = be32toh(message.number);
  if (be32toh(message.command) == UNLINK) return unlink_request(&message);
  size_t count = be32toh(message.fields[1]);
  uint8_t taken[4096];
  if (!message.is_input) {
    if (count > sizeof taken) {
      fprintf(stderr, "usb-webcam: the host sends %zu bytes at once.\n", count);
      exit(1);
    }
    get_all(taken, count);
  }
  if (message.endpoint == 0) return control_request(number, message.request, taken, count);
  uint32_t index = be32toh(message.endpoint) - 1;
  struct stream *stream = message.is_input && index < (uint32_t)stream_count ? &streams[index] : NULL;
  if (!stream || stream->waiting_count == MOST_WAITING) return complete(number, -EPIPE, 0, NULL, message.is_input != 0);
  stream->waiting[stream->waiting_count++] = (struct waiting){number, count};
}

// Gives one end of a socket to the host controller, and keeps the other.
static void plug(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) stop("socketpair");
  int file = open(CONTROLLER, O_WRONLY);
  if (file < 0) stop(CONTROLLER);
  // The first ports are for high speed; one whose webcam was pulled a moment ago is not free yet.
  for (int port = 0; port < PORTS; port++) {
    char line[64];
    int size = snprintf(line, sizeof line, "%d %d 1 %d", port, ends[1], USB_SPEED_HIGH);
    if (write(file, line, size) == size) {
      close(file);
      close(ends[1]);
      host = ends[0];
      return;
    }
    if (errno != EBUSY && errno != EINVAL) break;
  }
  stop("plug into " CONTROLLER);
}

int main(int argc, char **argv) {
  // How many words stand before the pictures.
  int first = argc > 3 && !strcmp(argv[2], "--depth") ? 4 : 2;
  if (argc <= first || argc > first + MOST_FRAMES) {
    fprintf(stderr, "usage: usb-webcam SERIAL FRAME.jpg [FRAME.jpg...], at most %d frames\n", MOST_FRAMES);
    fprintf(stderr, "       usb-webcam SERIAL STREAM.h264 WIDTHxHEIGHT\n");
    fprintf(stderr, "       usb-webcam SERIAL --depth WIDTHxHEIGHT FRAME.jpg [FRAME.jpg...]\n");
    return 2;
  }
  serial = argv[1];
  size_t name = strlen(argv[2]);
  if (first == 2 && argc == 4 && name > 5 && !strcmp(argv[2] + name - 5, ".h264")) {
    load_stream(argv[2], argv[3]);
  } else {
    for (int i = first; i < argc; i++) load(argv[i]);
  }
  add_stream(frames, frame_count);
  if (first == 4) {
    make_map(argv[3]);
    add_stream(&map, 1);
  }
  put_configuration();
  signal(SIGPIPE, SIG_IGN);
  plug();
  struct pollfd events[3] = {{.fd = host, .events = POLLIN}};
  for (int i = 0; i < stream_count; i++) events[i + 1] = (struct pollfd){.fd = streams[i].timer, .events = POLLIN};
  while (1) {
    if (poll(events, 1 + stream_count, -1) < 0 && errno != EINTR) stop("poll");
    for (int i = 0; i < stream_count; i++) {
      uint64_t ticks;
      if (events[i + 1].revents && read(streams[i].timer, &ticks, sizeof ticks) > 0) begin_frame(&streams[i]);
    }
    if (events[0].revents) handle();
    for (int i = 0; i < stream_count; i++) send_frame(&streams[i]);
  }
}
