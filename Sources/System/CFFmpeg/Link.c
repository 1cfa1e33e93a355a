#include <string.h>

#include "Support.h"

struct cam_link {
  AVIOContext *context;
  cam_is_over is_over;
  void *waiting;
  // While it says farewell: how often the library may still ask whether to go on, which it does ten times a second while it waits.
  bool is_leaving;
  int asks_left;
};

enum { farewell_asks = 8 };

static int should_end(void *opaque) {
  struct cam_link *link = opaque;
  if (!link->is_leaving) return link->is_over(link->waiting);
  return link->asks_left == 0 || link->asks_left-- == 0;
}

cam_link *cam_link_open(const char *address, const char *options, bool waits, cam_is_over is_over, void *waiting,
                        int *error) {
  cam_quiet();
  cam_forget_messages();
  cam_link *link = av_mallocz(sizeof *link);
  if (link == NULL) {
    *error = AVERROR(ENOMEM);
    return NULL;
  }
  *link = (struct cam_link){.is_over = is_over, .waiting = waiting};
  AVIOInterruptCB interrupt = {should_end, link};
  AVDictionary *asked = NULL;
  *error = av_dict_parse_string(&asked, options, "=", ":", 0);
  if (*error >= 0) {
    *error = avio_open2(&link->context, address, AVIO_FLAG_READ_WRITE | (waits ? 0 : AVIO_FLAG_NONBLOCK), &interrupt, &asked);
  }
  av_dict_free(&asked);
  if (*error >= 0) {
    *error = 0;
    return link;
  }
  av_free(link);
  *error = cam_reason_not_open(*error, true);
  return NULL;
}

int cam_link_read(cam_link *link, void *bytes, size_t size, size_t *count) {
  *count = 0;
  int read = avio_read_partial(link->context, bytes, (int)FFMIN(size, INT32_MAX));
  if (read <= 0) return read == 0 ? cam_end : cam_status(read);
  *count = (size_t)read;
  return 0;
}

int cam_link_write(cam_link *link, const void *bytes, size_t size) {
  avio_write(link->context, bytes, (int)FFMIN(size, INT32_MAX));
  avio_flush(link->context);
  return link->context->error < 0 ? link->context->error : 0;
}

void cam_link_close(cam_link *link, const void *farewell, size_t size) {
  if (link == NULL) return;
  link->is_leaving = true;
  link->asks_left = farewell_asks;
  if (size > 0 && link->context->error >= 0) cam_link_write(link, farewell, size);
  avio_closep(&link->context);
  av_free(link);
}
