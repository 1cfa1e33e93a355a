#include "CFrameRings.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

int cam_ring_memory(const char *name, size_t size, int *descriptor, void **memory) {
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL;
  int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return errno;
  // Pages that are not there when they are written to would end the process.
  int error;
  do error = posix_fallocate(file, 0, (off_t)size);
  while (error == EINTR);
  void *mapped = MAP_FAILED;
  if (!error) {
    mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED || fcntl(file, F_ADD_SEALS, seals) != 0) error = errno;
  }
  if (error) {
    if (mapped != MAP_FAILED) munmap(mapped, size);
    close(file);
    return error;
  }
  *descriptor = file;
  *memory = mapped;
  return 0;
}

static int new_socket(void) {
  return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/// 0 when the name was freed of a socket that no process listens to.
static int free_name(const struct sockaddr_un *address) {
  struct stat status;
  if (lstat(address->sun_path, &status) != 0) return errno == ENOENT ? 0 : errno;
  if (!S_ISSOCK(status.st_mode)) return ENOTSOCK;
  int probe = new_socket();
  if (probe < 0) return errno;
  int error = connect(probe, (const struct sockaddr *)address, sizeof *address) == 0 ? 0 : errno;
  close(probe);
  // Of another kind, or with a full queue, it is listened to as well.
  if (error == 0 || error == EPROTOTYPE || error == EAGAIN) return EADDRINUSE;
  if (error == ECONNREFUSED) return unlink(address->sun_path) == 0 || errno == ENOENT ? 0 : errno;
  return error == ENOENT ? 0 : error;
}

/// Waits until no other program makes a socket of this name: the lock's descriptor, or an error below zero.
static int lock_name(const char *lock) {
  for (;;) {
    struct stat held, named;
    int file = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    if (file < 0) return -errno;
    int error = 0;
    while (!error && flock(file, LOCK_EX) != 0)
      if (errno != EINTR) error = errno;
    if (!error && fstat(file, &held) != 0) error = errno;
    if (error) {
      close(file);
      return -error;
    }
    // One that another program has removed meanwhile holds off none that come.
    if (stat(lock, &named) == 0 && named.st_dev == held.st_dev && named.st_ino == held.st_ino) return file;
    close(file);
  }
}

/// Binds the socket to its name and listens; to be called by one program at a time.
static int take_name(int opened, const struct sockaddr_un *address, cam_ring_place *place) {
  struct stat status;
  if (bind(opened, (const struct sockaddr *)address, sizeof *address) != 0) {
    int error = errno == EADDRINUSE ? free_name(address) : errno;
    if (error) return error;
    if (bind(opened, (const struct sockaddr *)address, sizeof *address) != 0) return errno;
  }
  if (listen(opened, 128) != 0 || lstat(address->sun_path, &status) != 0) {
    int error = errno;
    unlink(address->sun_path);
    return error;
  }
  *place = (cam_ring_place){.device = status.st_dev, .number = status.st_ino};
  return 0;
}

int cam_ring_listen(const char *path, int *listener, cam_ring_place *place) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char lock[sizeof address.sun_path + sizeof ".lock"];
  if (strlen(path) >= sizeof address.sun_path) return ENAMETOOLONG;
  memcpy(address.sun_path, path, strlen(path));
  snprintf(lock, sizeof lock, "%s.lock", path);
  int opened = new_socket();
  if (opened < 0) return errno;
  // A socket that is bound and does not listen yet looks like one that a killed program has left.
  int held = lock_name(lock);
  int error = held < 0 ? -held : 0;
  // The file gets the socket's own permissions.
  if (!error && fchmod(opened, S_IRUSR | S_IWUSR) != 0) error = errno;
  if (!error) error = take_name(opened, &address, place);
  if (held >= 0) {
    unlink(lock);
    close(held);
  }
  if (error) {
    close(opened);
    return error;
  }
  *listener = opened;
  return 0;
}

void cam_ring_remove(const char *path, cam_ring_place place) {
  struct stat status;
  if (lstat(path, &status) == 0 && status.st_dev == place.device && status.st_ino == place.number) unlink(path);
}

int cam_ring_spare(void) { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

int cam_ring_accept(int listener, int *spare) {
  const int flags = SOCK_CLOEXEC | SOCK_NONBLOCK;
  // Another thread may have taken its number when it was given up.
  if (*spare < 0) *spare = cam_ring_spare();
  int reader = accept4(listener, NULL, NULL, flags);
  if (reader >= 0) {
    // The kernel makes the least of it: news of frames that are gone is of no use.
    const int least = 1;
    setsockopt(reader, SOL_SOCKET, SO_SNDBUF, &least, sizeof least);
    return reader;
  }
  int error = errno;
  if ((error == EMFILE || error == ENFILE) && *spare >= 0) {
    // A connection that is not taken would be reported again and again.
    close(*spare);
    reader = accept4(listener, NULL, NULL, flags);
    error = reader >= 0 ? ECONNABORTED : errno;
    if (reader >= 0) close(reader);
    *spare = cam_ring_spare();
  }
  return -error;
}

int cam_ring_send(int reader, const void *message, size_t size, int descriptor) {
  union {
    struct cmsghdr header;
    unsigned char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {.iov_base = (void *)message, .iov_len = size};
  struct msghdr parts = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    memset(&control, 0, sizeof control);
    parts.msg_control = &control;
    parts.msg_controllen = sizeof control;
    struct cmsghdr *beside = CMSG_FIRSTHDR(&parts);
    beside->cmsg_level = SOL_SOCKET;
    beside->cmsg_type = SCM_RIGHTS;
    beside->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(beside), &descriptor, sizeof descriptor);
  }
  while (sendmsg(reader, &parts, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
    if (errno != EINTR) return errno;
  return 0;
}

static uint64_t *counter(void *memory, uint32_t slot) {
  return (uint64_t *)((unsigned char *)memory + OBSCURA_RING_COUNTER_STEP * ((size_t)slot + 1));
}

void cam_ring_begin(void *memory, uint32_t slot, uint64_t sequence, int64_t time) {
  __atomic_store_n(counter(memory, slot), 2 * sequence - 1, __ATOMIC_RELAXED);
  // No byte of the frame is written before.
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_store_n(counter(memory, slot) + 1, (uint64_t)time, __ATOMIC_RELAXED);
}

void cam_ring_end(void *memory, uint32_t slot, uint64_t sequence) {
  __atomic_store_n(counter(memory, slot), 2 * sequence, __ATOMIC_RELEASE);
  // A reader whose queue is full when it is told afterwards sees the frame when it has emptied that.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void cam_ring_retire(void *memory) { __atomic_store_n((uint64_t *)memory, 1, __ATOMIC_RELEASE); }
