// A USB webcam made of software: descriptors, controls and motion JPEG frames, given to the kernel through gadgetfs on a
// USB controller in memory (dummy_hcd), so that the kernel's own uvcvideo driver finds it, as it finds one on a cable.
//
// Usage: usb-webcam SERIAL FRAME.jpg [FRAME.jpg…]
// Each picture is one frame size; its width and height are read from its start-of-frame marker. It streams at 30 frames a
// second, says "plugged" on standard output once the host has configured it, and is unplugged by ending the process.
//
// Not the kernel's own gadget (usb_f_uvc): that streams isochronously, which dummy_hcd does not carry. This streams in bulk.
// Sources: USB Device Class Definition for Video Devices 1.1; linux/usb/gadgetfs.h.
#include <errno.h>
#include <fcntl.h>
#include <linux/usb/ch9.h>
#include <linux/usb/gadgetfs.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define FOLDER "/dev/gadget"
#define CONTROLLER FOLDER "/dummy_udc"
#define ENDPOINT FOLDER "/ep1in-bulk"
enum { MOST_FRAMES = 4, INTERVAL_30 = 333333, INTERVAL_15 = 666666 };
enum { CAMERA = 1, PROCESSING = 2, OUTPUT = 3 };
enum { SET_CUR = 0x01, GET_CUR = 0x81, GET_MIN, GET_MAX, GET_RES, GET_LEN, GET_INFO, GET_DEF };

static void stop(const char *what) {
  fprintf(stderr, "usb-webcam: %s: %s\n", what, strerror(errno));
  exit(1);
}

// ---- Frames

struct frame {
  uint8_t *payload;  // A header of two bytes, then the picture.
  size_t size;
  int width, height;
};
static struct frame frames[MOST_FRAMES];
static int frame_count;

static void load(const char *path) {
  struct frame *frame = &frames[frame_count++];
  FILE *file = fopen(path, "rb");
  if (!file) stop(path);
  fseek(file, 0, SEEK_END);
  size_t size = ftell(file);
  rewind(file);
  frame->size = size + 2;
  // A transfer ends with a short packet; one that fills its last packet would need an empty one, which a write cannot send.
  if (frame->size % 512 == 0) frame->size += 1;
  frame->payload = calloc(1, frame->size);
  if (!frame->payload || fread(frame->payload + 2, 1, size, file) != size) stop(path);
  fclose(file);
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

// ---- Descriptors

static uint8_t text[4096];
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

static void put_configuration(int packet) {
  size_t start = length;
  put(4, 9, USB_DT_CONFIG, 0, 0);
  put(5, 2, 1, 0, USB_CONFIG_ATT_ONE | USB_CONFIG_ATT_SELFPOWER, 1);
  put(8, 8, USB_DT_INTERFACE_ASSOCIATION, 0, 2, 0x0E, 3, 0, 2);
  put(9, 9, USB_DT_INTERFACE, 0, 0, 0, 0x0E, 1, 0, 2);
  // The control interface: its header, the camera, the processing of its pictures, the way out.
  put(3, 13, 0x24, 0x01);
  put16(0x0110);
  put16(13 + 18 + 12 + 9);
  put32(48000000);
  put(2, 1, 1);
  put(4, 18, 0x24, 0x02, CAMERA);
  put16(0x0201);
  put(9, 0, 0, 0, 0, 0, 0, 0, 0, 3);
  // Exposure mode, priority and time; focus; zoom; automatic focus; privacy.
  put(3, 1 << 1 | 1 << 2 | 1 << 3 | 1 << 5, 1 << 1, 1 << 1 | 1 << 2);
  put(5, 12, 0x24, 0x05, PROCESSING, CAMERA);
  put16(0);
  // Brightness, colour temperature; backlight, gain, mains frequency, automatic colour temperature.
  put(5, 2, 1 << 0 | 1 << 6, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4, 0, 0);
  put(4, 9, 0x24, 0x03, OUTPUT);
  put16(0x0101);
  put(3, 0, PROCESSING, 0);
  // The stream: one format, some sizes.
  put(9, 9, USB_DT_INTERFACE, 1, 0, 1, 0x0E, 2, 0, 0);
  size_t header = length;
  put(6, 14, 0x24, 0x01, 1, 0, 0);
  put(8, 0x81, 0, OUTPUT, 0, 0, 0, 1, 0);
  put(11, 11, 0x24, 0x06, 1, frame_count, 1, 1, 0, 0, 0, 0);
  for (int i = 0; i < frame_count; i++) {
    put(5, 26 + 8, 0x24, 0x07, i + 1, 0);
    put16(frames[i].width);
    put16(frames[i].height);
    put32(frames[i].size * 8 * 15);
    put32(frames[i].size * 8 * 30);
    put32(frames[i].size);
    put32(INTERVAL_30);
    put(1, 2);
    put32(INTERVAL_30);
    put32(INTERVAL_15);
  }
  put(6, 6, 0x24, 0x0D, 1, 1, 4);
  set16(header + 4, length - header);
  put(4, 7, USB_DT_ENDPOINT, 0x81, USB_ENDPOINT_XFER_BULK);
  put16(packet);
  put(1, 0);
  set16(start + 2, length - start);
}

static void put_device(void) {
  put(2, USB_DT_DEVICE_SIZE, USB_DT_DEVICE);
  put16(0x0200);
  put(4, 0xEF, 2, 1, 64);
  put16(0x1D6B);
  put16(0x0102);
  put16(0x0100);
  put(4, 1, 2, 3, 1);
}

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

// ---- The stream

enum { PROBE_SIZE = 34 };
static uint8_t probe[PROBE_SIZE], committed[PROBE_SIZE];
static atomic_int streaming_frame;  // Counted from 1; 0 before the host has committed to a format.
static atomic_uint streaming_interval;
static pthread_t feeder;

static void settle(uint8_t *wish) {
  int index = wish[3] >= 1 && wish[3] <= frame_count ? wish[3] : 1;
  uint32_t interval = wish[4] | wish[5] << 8 | wish[6] << 16 | (uint32_t)wish[7] << 24;
  memset(wish + 8, 0, PROBE_SIZE - 8);
  wish[2] = 1;
  wish[3] = index;
  little(wish + 4, interval > (INTERVAL_30 + INTERVAL_15) / 2 ? INTERVAL_15 : INTERVAL_30, 4);
  little(wish + 18, frames[index - 1].size, 4);
  // One payload carries a whole frame.
  little(wish + 22, frames[index - 1].size + 512, 4);
  little(wish + 26, 48000000, 4);
}

static void nothing(int number) { (void)number; }

static void *feed(void *argument) {
  int endpoint = *(int *)argument;
  uint8_t parity = 0;
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  while (1) {
    int index = atomic_load(&streaming_frame);
    next.tv_nsec += atomic_load(&streaming_interval) * 100;
    if (next.tv_nsec >= 1000000000) {
      next.tv_nsec -= 1000000000;
      next.tv_sec += 1;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    if (!index) continue;
    struct frame *frame = &frames[index - 1];
    frame->payload[0] = 2;
    frame->payload[1] = 0x80 | 0x02 | parity;
    parity ^= 1;
    // Blocks while nobody reads. A new commitment interrupts it, so that a stream begins with a whole frame.
    if (write(endpoint, frame->payload, frame->size) < 0 && errno != EINTR) {
      if (errno == ESHUTDOWN || errno == ENODEV || errno == EBADF) return NULL;
      fprintf(stderr, "usb-webcam: a frame was not taken: %s\n", strerror(errno));
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    // Time that was spent blocked is not made up for.
    if (now.tv_sec > next.tv_sec + 1) next = now;
  }
}

static void start_endpoint(void) {
  static int endpoint = -1;
  if (endpoint >= 0) return;
  endpoint = open(ENDPOINT, O_RDWR);
  if (endpoint < 0) stop(ENDPOINT);
  uint8_t wish[4 + 2 * 7] = {1, 0, 0, 0};
  memcpy(wish + 4, (uint8_t[]){7, USB_DT_ENDPOINT, 0x81, USB_ENDPOINT_XFER_BULK, 64, 0, 0}, 7);
  memcpy(wish + 11, (uint8_t[]){7, USB_DT_ENDPOINT, 0x81, USB_ENDPOINT_XFER_BULK, 0, 2, 0}, 7);
  if (write(endpoint, wish, sizeof wish) < 0) stop("configure " ENDPOINT);
  if (pthread_create(&feeder, NULL, feed, &endpoint)) stop("start a thread");
  printf("plugged\n");
  fflush(stdout);
}

// ---- Requests of the host

// What to answer to a request that asks for data; -1 for none.
static int answer(const struct usb_ctrlrequest *request, uint8_t *data) {
  int value = request->wValue, index = request->wIndex;
  if (request->bRequestType == USB_DIR_IN && request->bRequest == USB_REQ_GET_DESCRIPTOR)
    return value >> 8 == USB_DT_STRING ? string_descriptor(value & 255, data) : -1;
  if (request->bRequestType == (USB_DIR_IN | USB_RECIP_INTERFACE) && request->bRequest == USB_REQ_GET_INTERFACE)
    return little(data, 0, 1);
  if (request->bRequestType != (USB_DIR_IN | USB_TYPE_CLASS | USB_RECIP_INTERFACE)) return -1;
  if ((index & 255) == 0) {
    const struct control *control = find(index >> 8, value >> 8);
    return control ? answer_control(control, request->bRequest, data) : -1;
  }
  int selector = value >> 8;
  if (selector != 1 && selector != 2) return -1;
  if (request->bRequest == GET_LEN) return little(data, PROBE_SIZE, 2);
  if (request->bRequest == GET_INFO) return little(data, 3, 1);
  memcpy(data, selector == 2 ? committed : probe, PROBE_SIZE);
  if (request->bRequest == GET_MIN || request->bRequest == GET_MAX || request->bRequest == GET_DEF) {
    memset(data, 0, PROBE_SIZE);
    data[3] = request->bRequest == GET_MAX ? frame_count : 1;
    settle(data);
  }
  return PROBE_SIZE;
}

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
  uint8_t *state = selector == 2 ? committed : probe;
  memcpy(state, data, count < PROBE_SIZE ? count : PROBE_SIZE);
  settle(state);
  if (selector == 2) {
    atomic_store(&streaming_interval, state[4] | state[5] << 8 | state[6] << 16);
    atomic_store(&streaming_frame, state[3]);
    pthread_kill(feeder, SIGUSR1);
  }
}

// Reads or writes the data of a request. gadgetfs refuses once when the host's next request has come meanwhile.
static ssize_t transfer(int device, uint8_t *data, size_t count, int isAnswer) {
  ssize_t result;
  do {
    result = isAnswer ? write(device, data, count) : read(device, data, count);
  } while (result < 0 && (errno == EIDRM || errno == EINTR));
  return result;
}

static void handle(int device, const struct usb_ctrlrequest *request) {
  uint8_t data[256];
  if (request->bRequestType & USB_DIR_IN) {
    int count = answer(request, data);
    if (count > request->wLength) count = request->wLength;
    // Reading where the host reads is a stall: no answer.
    if (count < 0) transfer(device, data, 0, 0);
    else if (transfer(device, data, count, 1) < 0) perror("usb-webcam: answer");
    return;
  }
  if (request->bRequestType == USB_DIR_OUT && request->bRequest == USB_REQ_SET_CONFIGURATION) start_endpoint();
  ssize_t count = transfer(device, data, request->wLength, 0);
  if (count < 0) {
    perror("usb-webcam: take");
    // What was lost of a commitment is known: hosts commit to what the probe has settled.
    if ((request->wIndex & 255) == 1 && request->wValue >> 8 == 2 && request->bRequest == SET_CUR) {
      memcpy(data, probe, PROBE_SIZE);
      count = PROBE_SIZE;
    }
  }
  if (count > 0 && request->bRequest == SET_CUR) take(request, data, count);
}

int main(int argc, char **argv) {
  if (argc < 3 || argc > 2 + MOST_FRAMES) {
    fprintf(stderr, "usage: usb-webcam SERIAL FRAME.jpg [FRAME.jpg...], at most %d frames\n", MOST_FRAMES);
    return 2;
  }
  serial = argv[1];
  for (int i = 2; i < argc; i++) load(argv[i]);
  atomic_store(&streaming_interval, INTERVAL_30);
  settle(probe);
  settle(committed);
  struct sigaction interrupt = {.sa_handler = nothing};
  sigaction(SIGUSR1, &interrupt, NULL);

  // The host's next request must not overtake the data of the last.
  struct sched_param priority = {.sched_priority = 50};
  if (sched_setscheduler(0, SCHED_FIFO, &priority)) perror("usb-webcam: real-time priority");
  mlockall(MCL_CURRENT | MCL_FUTURE);

  int device = open(CONTROLLER, O_RDWR);
  if (device < 0) stop(CONTROLLER);
  put32(0);
  put_configuration(64);
  put_configuration(512);
  put_device();
  if (write(device, text, length) != (ssize_t)length) stop("describe the device");
  while (1) {
    struct usb_gadgetfs_event events[4];
    ssize_t count = read(device, events, sizeof events);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) stop("read events");
    for (size_t i = 0; i < count / sizeof *events; i++)
      if (events[i].type == GADGETFS_SETUP) handle(device, &events[i].u.setup);
  }
}
