// Reads frames of a ring and prints a line for each: of 'obscura serve --ring SOCKET'.
//
//   cc frame_ring.c -o frame_ring     (with -I and the folder of obscura_ring.h where that is not installed)
//   ./frame_ring SOCKET [COUNT [FILE.ppm]]
//
// With OpenCV a frame is cv::Mat(frame.height, frame.width, CV_8UC4, (void *)frame.pixels, frame.stride), without a copy.
#include <obscura_ring.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/// Writes the colours of a frame, row by row.
static int save(const struct obscura_frame *frame, const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file) return 0;
  fprintf(file, "P6\n%" PRIu32 " %" PRIu32 "\n255\n", frame->width, frame->height);
  for (uint32_t y = 0; y < frame->height; y++)
    for (uint32_t x = 0; x < frame->width; x++) {
      const unsigned char *pixel = frame->pixels + (size_t)y * frame->stride + 4 * (size_t)x;
      fputc(pixel[2], file);
      fputc(pixel[1], file);
      fputc(pixel[0], file);
    }
  return fclose(file) == 0;
}

int main(int count, char **words) {
  if (count < 2 || count > 4) {
    fprintf(stderr, "usage: frame_ring SOCKET [COUNT [FILE.ppm]]\n");
    return 2;
  }
  long wanted = count > 2 ? atol(words[2]) : 1;
  struct obscura_ring ring;
  struct obscura_frame frame;
  int result = obscura_ring_connect(&ring, words[1]);
  while (result == 0 && wanted > 0) {
    result = obscura_ring_next(&ring, &frame, 30000);
    if (result == 0) result = -ETIMEDOUT;
    if (result < 0) break;
    result = 0;
    if (count > 3 && !save(&frame, words[3])) result = -errno;
    // What was read of a frame counts only if the frame lay there all the while.
    if (!obscura_ring_is_valid(&ring, &frame)) continue;
    printf("%" PRIu64 ": %" PRIu32 "x%" PRIu32 " at %.3f s, %" PRIu64 " missed\n", frame.sequence, frame.width, frame.height,
           (double)frame.time / 1e9, frame.missed);
    fflush(stdout);
    wanted--;
  }
  if (result < 0) fprintf(stderr, "frame_ring: %s cannot be read: %s\n", words[1], strerror(-result));
  obscura_ring_close(&ring);
  return result < 0;
}
