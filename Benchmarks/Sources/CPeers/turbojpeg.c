#include "CPeers.h"

#include <stdlib.h>
#include <turbojpeg.h>

struct peer_turbojpeg {
  tjhandle handle;
  unsigned char *bytes;
  unsigned long capacity;
};

peer_turbojpeg *peer_turbojpeg_create(void) {
  peer_turbojpeg *peer = calloc(1, sizeof *peer);
  if (peer)
    peer->handle = tjInitCompress();
  return peer;
}

void peer_turbojpeg_destroy(peer_turbojpeg *peer) {
  if (!peer)
    return;
  tjDestroy(peer->handle);
  tjFree(peer->bytes);
  free(peer);
}

size_t peer_turbojpeg_compress(peer_turbojpeg *peer, const uint8_t *y, const uint8_t *u, const uint8_t *v, int width,
                               int height, int quality) {
  const unsigned char *planes[3] = {y, u, v};
  if (!peer->bytes) {
    peer->capacity = tjBufSize(width, height, TJSAMP_420);
    peer->bytes = tjAlloc((int)peer->capacity);
  }
  unsigned long size = peer->capacity;
  if (tjCompressFromYUVPlanes(peer->handle, planes, width, NULL, height, TJSAMP_420, &peer->bytes, &size, quality,
                              TJFLAG_NOREALLOC))
    return 0;
  return size;
}
