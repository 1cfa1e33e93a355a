#include "CLibcamera.h"

#include <linux/dma-buf.h>
#include <sys/ioctl.h>

void cam_libcamera_dma_read(int descriptor, int begins) {
  struct dma_buf_sync sync = {.flags = DMA_BUF_SYNC_READ | (begins ? DMA_BUF_SYNC_START : DMA_BUF_SYNC_END)};
  ioctl(descriptor, DMA_BUF_IOCTL_SYNC, &sync);
}
