#include <libavutil/md5.h>
#include <libavutil/mem.h>
#include <libavutil/sha.h>

#include "CFFmpeg.h"

bool cam_sha1(const void *bytes, size_t size, uint8_t *digest) {
  struct AVSHA *sha = av_sha_alloc();
  if (!sha) return false;
  av_sha_init(sha, 160);
  av_sha_update(sha, bytes, size);
  av_sha_final(sha, digest);
  av_free(sha);
  return true;
}

void cam_md5(const void *bytes, size_t size, uint8_t *digest) { av_md5_sum(digest, bytes, size); }
