// The fine detail of another camera's picture; a part of Loops.h.

/// The pixels around that two scales of the spline look at.
#define DETAIL_REACH 6

static void move(const fusion_plane *plane, int x, int y, int mx, int my, int rows, const fusion_plane *target) {
  int16_t block[FUSION_BLOCK];
  predict(plane, x, y, mx, my, rows, block);
  int width = (target->width - x) * target->step, height = target->height - y;
  write_rows((field){block, 16}, target, x, y, width < 16 ? width : 16, height < rows ? height : rows);
}

static void transfer(const fusion_plane *picture, const fusion_plane *detail, const fusion_plane *target, int x, int y,
                     int width, int height, const int16_t *cells, int columns, int rows, int tall, int16_t *room) {
  int step = picture->step, samples = width * step;
  ptrdiff_t stride = FUSION_DEVELOP_STRIDE, size = stride * (FUSION_DEVELOP_HEIGHT + 2 * REACH);
  field own = {room, stride}, difference = {room + size, stride}, between = {room + 2 * size, stride};
  field once = {room + 3 * size, stride}, twice = {room + 4 * size, stride};
  read_field(picture, x, y, width, height, own);
  read_field(detail, x, y, width, height, difference);
  // The filter is linear: the difference of both details is the detail of the difference.
  int around = REACH - DETAIL_REACH;
  for (int row = around; row < height + 2 * REACH - around; row++) {
    int16_t *line = difference.base + row * stride;
    const int16_t *mine = own.base + row * stride;
    for (int i = 0; i < (width + 2 * REACH) * step; i += 16) write16(line + i, minus(read16(line + i), read16(mine + i)));
  }
  smooth(difference, between, once, step, width, height, 1, around);
  smooth(once, between, twice, step, width, height, 2, around + 2);
  for (int row = 0; row < height; row++) {
    int16_t shares[FUSION_DEVELOP_WIDTH + 16];
    read_cells(cells, columns, rows, tall, x * step, y + row, samples, shares);
    ptrdiff_t start = (row + REACH) * stride + REACH * step;
    for (int i = 0; i < samples; i += 16) {
      lanes fine = minus(read16(difference.base + start + i), read16(twice.base + start + i));
      // Not over itself: later rows no longer read this one.
      write16(own.base + row * stride + i, plus(read16(own.base + start + i), times(fine, read16(shares + i))));
    }
  }
  write_rows(own, target, x, y, samples, height);
}
