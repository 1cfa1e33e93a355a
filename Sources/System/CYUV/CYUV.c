#include "CYUV.h"

#include <libyuv.h>

static int rotateBlock(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                       int width, int height, int elementBytes, int degrees) {
  enum RotationMode mode = (enum RotationMode)degrees;
  switch (elementBytes) {
    case 1:
      return RotatePlane(source, (int)sourceStride, target, (int)targetStride, width, height, mode);
    case 2:
      cam_rotate_16(source, sourceStride, target, targetStride, width, height, degrees);
      return 0;
    case 4:
      return ARGBRotate(source, (int)sourceStride, target, (int)targetStride, width, height, mode);
    default:
      return -1;
  }
}

int cam_libyuv_rotate(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                      int width, int height, int elementBytes, int degrees) {
  // Each source column becomes a target row in a page of its own; more than this many at once would miss the
  // translation buffer at every store. Measured at 4032x3024: a third of the time.
  const int block = 64;
  for (int x = 0; x < width; x += block) {
    const int count = width - x < block ? width - x : block;
    const int row = degrees == 90 ? x : width - x - count;
    const int result = rotateBlock(source + (ptrdiff_t)x * elementBytes, sourceStride, target + row * targetStride,
                                   targetStride, count, height, elementBytes, degrees);
    if (result != 0) return result;
  }
  return 0;
}

int cam_libyuv_mirror(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                      int width, int height, int elementBytes) {
  switch (elementBytes) {
    case 1:
      MirrorPlane(source, (int)sourceStride, target, (int)targetStride, width, height);
      return 0;
    case 2:
      MirrorUVPlane(source, (int)sourceStride, target, (int)targetStride, width, height);
      return 0;
    case 4:
      return ARGBMirror(source, (int)sourceStride, target, (int)targetStride, width, height);
    default:
      return -1;
  }
}

void cam_libyuv_shuffle(const uint8_t *source, uint8_t *target, const uint8_t order[4], int width) {
  uint8_t shuffle[16];
  for (int i = 0; i < 16; i++) shuffle[i] = (uint8_t)((i & ~3) + order[i & 3]);
  ARGBShuffle(source, width * 4, target, width * 4, shuffle, width, 1);
}

void cam_libyuv_bgra_to_rgb24(const uint8_t *source, uint8_t *target, int width) {
  ARGBToRAW(source, width * 4, target, width * 3, width, 1);
}

void cam_libyuv_rgb24_to_bgra(const uint8_t *source, uint8_t *target, int width) {
  RAWToARGB(source, width * 3, target, width * 4, width, 1);
}
