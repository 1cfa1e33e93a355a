#include "CBusProxy.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "Messages.h"

#define MOST_PAIRS 32
#define MOST_DESCRIPTORS 8

/// A program and the daemon.
struct pair {
  int program, daemon;
  // What the daemon has sent and is not passed on, with the descriptors that came with it.
  uint8_t bytes[65536];
  size_t count;
  int descriptors[MOST_DESCRIPTORS];
  int descriptor_count;
};

struct bus_proxy {
  pthread_t thread;
  pthread_mutex_t mutex;
  int listener, wake[2];
  char bus[108];
  struct pair pairs[MOST_PAIRS];
  int pair_count;
  // Under the mutex.
  int count, trapped;
  enum bus_proxy_fault fault;
};

static int socket_at(const char *path, struct sockaddr_un *address) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  snprintf(address->sun_path, sizeof address->sun_path, "%s", path);
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

/// Sends all of it, the descriptors with the first byte, and closes these here; 0 when the other end is gone.
static int pass(int to, const uint8_t *bytes, size_t count, int *descriptors, int *descriptor_count) {
  while (count > 0) {
    union {
      char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
      struct cmsghdr header;
    } control;
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (*descriptor_count > 0) {
      size_t size = (size_t)*descriptor_count * sizeof(int);
      message.msg_control = control.bytes;
      message.msg_controllen = CMSG_SPACE(size);
      struct cmsghdr *header = CMSG_FIRSTHDR(&message);
      *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(size)};
      memcpy(CMSG_DATA(header), descriptors, size);
    }
    ssize_t sent = sendmsg(to, &message, MSG_NOSIGNAL);
    for (int i = 0; i < *descriptor_count; i++) close(descriptors[i]);
    *descriptor_count = 0;
    if (sent <= 0) return 0;
    bytes += sent;
    count -= (size_t)sent;
  }
  return 1;
}

/// Reads what has come; 0 when the other end is gone.
static size_t take(int from, uint8_t *bytes, size_t room, int *descriptors, int *descriptor_count) {
  union {
    char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
    struct cmsghdr header;
  } control;
  struct iovec part = {bytes, room};
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t count = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
  if (count <= 0) return 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_type != SCM_RIGHTS) continue;
    int came[MOST_DESCRIPTORS];
    size_t size = header->cmsg_len - CMSG_LEN(0);
    memcpy(came, CMSG_DATA(header), size);
    for (size_t i = 0; i < size / sizeof(int); i++) {
      if (*descriptor_count < MOST_DESCRIPTORS) descriptors[(*descriptor_count)++] = came[i];
      else close(came[i]);
    }
  }
  return (size_t)count;
}

static enum bus_proxy_fault next_fault(bus_proxy *proxy) {
  pthread_mutex_lock(&proxy->mutex);
  enum bus_proxy_fault fault = ++proxy->count == proxy->trapped ? proxy->fault : BUS_PROXY_NONE;
  pthread_mutex_unlock(&proxy->mutex);
  return fault;
}

static void drop_descriptors(struct pair *pair) {
  for (int i = 0; i < pair->descriptor_count; i++) close(pair->descriptors[i]);
  pair->descriptor_count = 0;
}

/// Passes on one line or message of the daemon's; 0 when the connection ends.
static int pass_unit(bus_proxy *proxy, struct pair *pair, size_t length, int is_message) {
  uint8_t error[1024];
  const uint8_t *bytes = pair->bytes;
  size_t passed = length;
  int goes_on = 1;
  switch (is_message ? next_fault(proxy) : BUS_PROXY_NONE) {
    case BUS_PROXY_NONE: break;
    case BUS_PROXY_HANG_UP: return 0;
    case BUS_PROXY_CUT:
      passed = length / 2;
      goes_on = 0;
      break;
    case BUS_PROXY_GARBAGE: memset(pair->bytes + 1, 0xA5, length < 24 ? length - 1 : 23); break;
    case BUS_PROXY_ERROR: {
      size_t made = bus_error_for(pair->bytes, length, error, sizeof error);
      if (made > 0) {
        bytes = error;
        passed = made;
        drop_descriptors(pair);
      }
    }
  }
  if (!pass(pair->program, bytes, passed, pair->descriptors, &pair->descriptor_count)) return 0;
  memmove(pair->bytes, pair->bytes + length, pair->count - length);
  pair->count -= length;
  return goes_on;
}

static int pass_from_daemon(bus_proxy *proxy, struct pair *pair) {
  size_t came = take(
    pair->daemon, pair->bytes + pair->count, sizeof pair->bytes - pair->count, pair->descriptors, &pair->descriptor_count);
  pair->count += came;
  if (came == 0) return 0;
  while (1) {
    int is_message;
    size_t length = bus_unit_length(pair->bytes, pair->count, &is_message);
    if (length == 0) return pair->count < sizeof pair->bytes;
    if (!pass_unit(proxy, pair, length, is_message)) return 0;
  }
}

static int pass_from_program(struct pair *pair) {
  uint8_t bytes[65536];
  int descriptors[MOST_DESCRIPTORS], count = 0;
  size_t came = take(pair->program, bytes, sizeof bytes, descriptors, &count);
  return came > 0 && pass(pair->daemon, bytes, came, descriptors, &count);
}

static void end_pair(struct pair *pair) {
  close(pair->program);
  close(pair->daemon);
  drop_descriptors(pair);
}

static void begin_pair(bus_proxy *proxy) {
  int program = accept4(proxy->listener, NULL, NULL, SOCK_CLOEXEC);
  if (program < 0) return;
  struct sockaddr_un address;
  int daemon = socket_at(proxy->bus, &address);
  if (proxy->pair_count == MOST_PAIRS || daemon < 0 || connect(daemon, (struct sockaddr *)&address, sizeof address) != 0) {
    close(program);
    if (daemon >= 0) close(daemon);
    return;
  }
  struct pair *pair = &proxy->pairs[proxy->pair_count++];
  pair->program = program;
  pair->daemon = daemon;
  pair->count = 0;
  pair->descriptor_count = 0;
}

static void *run(void *argument) {
  bus_proxy *proxy = argument;
  while (1) {
    struct pollfd watched[2 + 2 * MOST_PAIRS] = {
      {.fd = proxy->wake[0], .events = POLLIN}, {.fd = proxy->listener, .events = POLLIN}};
    int pairs = proxy->pair_count;
    for (int i = 0; i < pairs; i++) {
      watched[2 + 2 * i] = (struct pollfd){.fd = proxy->pairs[i].program, .events = POLLIN};
      watched[3 + 2 * i] = (struct pollfd){.fd = proxy->pairs[i].daemon, .events = POLLIN};
    }
    poll(watched, (nfds_t)(2 + 2 * pairs), -1);
    if (watched[0].revents) return NULL;
    // From the last on, whose place another may take.
    for (int i = pairs - 1; i >= 0; i--) {
      struct pair *pair = &proxy->pairs[i];
      if ((watched[2 + 2 * i].revents && !pass_from_program(pair)) ||
          (watched[3 + 2 * i].revents && !pass_from_daemon(proxy, pair))) {
        end_pair(pair);
        proxy->pair_count--;
        if (i < proxy->pair_count) *pair = proxy->pairs[proxy->pair_count];
      }
    }
    if (watched[1].revents) begin_pair(proxy);
  }
}

bus_proxy *bus_proxy_start(const char *path, const char *bus) {
  bus_proxy *proxy = calloc(1, sizeof *proxy);
  if (!proxy) return NULL;
  pthread_mutex_init(&proxy->mutex, NULL);
  snprintf(proxy->bus, sizeof proxy->bus, "%s", bus);
  struct sockaddr_un address;
  proxy->listener = socket_at(path, &address);
  proxy->wake[0] = proxy->wake[1] = -1;
  if (proxy->listener < 0 || bind(proxy->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
      listen(proxy->listener, MOST_PAIRS) != 0 || pipe(proxy->wake) != 0 ||
      pthread_create(&proxy->thread, NULL, run, proxy) != 0) {
    if (proxy->listener >= 0) close(proxy->listener);
    for (int i = 0; i < 2; i++) {
      if (proxy->wake[i] >= 0) close(proxy->wake[i]);
    }
    free(proxy);
    return NULL;
  }
  return proxy;
}

void bus_proxy_trap(bus_proxy *proxy, int number, enum bus_proxy_fault fault) {
  pthread_mutex_lock(&proxy->mutex);
  proxy->count = 0;
  proxy->trapped = number;
  proxy->fault = fault;
  pthread_mutex_unlock(&proxy->mutex);
}

int bus_proxy_count(bus_proxy *proxy) {
  pthread_mutex_lock(&proxy->mutex);
  int count = proxy->count;
  pthread_mutex_unlock(&proxy->mutex);
  return count;
}

void bus_proxy_stop(bus_proxy *proxy) {
  char byte = 0;
  if (write(proxy->wake[1], &byte, 1) == 1) pthread_join(proxy->thread, NULL);
  for (int i = 0; i < proxy->pair_count; i++) end_pair(&proxy->pairs[i]);
  close(proxy->listener);
  close(proxy->wake[0]);
  close(proxy->wake[1]);
  free(proxy);
}
