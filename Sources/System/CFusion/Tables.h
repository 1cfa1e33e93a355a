// The filters and windows, made once.
#ifndef FUSION_TABLES_H
#define FUSION_TABLES_H
#include <stdint.h>

typedef struct {
  int16_t taps[64][6];       // 1/32768
  float gain[64];            // sum of the squares
  int16_t window[16][256];  // by corners; 1/32768
} fusion_tables;

extern fusion_tables fusion_constants;

typedef struct {
  void (*halve)(const fusion_plane *, const fusion_plane *, int, int);
  void (*narrow)(const fusion_plane *, const fusion_plane *, int, int);
  void (*read_tile)(const fusion_plane *, int, int, fusion_tile *);
  void (*compare)(const fusion_tile *, const fusion_plane *, int, int, int, int, fusion_residual *);
  void (*search)(const fusion_plane *, const fusion_plane *, int, int, int, int, int, int, fusion_match *);
  int64_t (*plane_sad)(const fusion_plane *, const fusion_plane *, int, int, int, int64_t *);
  void (*begin)(const fusion_plane *, int, int, int, fusion_sum *);
  void (*block_means)(const fusion_sum *, uint8_t[16]);
  void (*add)(const fusion_plane *, int, int, const fusion_motion *, int, int, const float[16], const fusion_law *,
              const int16_t *, int16_t *, fusion_sum *);
  void (*finish)(const fusion_sum *, int, const fusion_plane *, int, int);
  void (*develop)(const fusion_plane *, const fusion_plane *, int, int, int, int, const fusion_development *, const int16_t *,
                  int, int, int, const fusion_tone *, int16_t *);
  void (*move)(const fusion_plane *, int, int, int, int, int, const fusion_plane *);
  void (*transfer)(const fusion_plane *, const fusion_plane *, const fusion_plane *, int, int, int, int, const int16_t *, int,
                   int, int, int16_t *);
} fusion_loops;

extern const fusion_loops fusion_plain_loops;
#if defined(__x86_64__)
extern const fusion_loops fusion_wide_loops;
#endif
#endif
