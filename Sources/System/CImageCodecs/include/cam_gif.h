#ifndef cam_gif_h
#define cam_gif_h

#include <stddef.h>
#include <stdint.h>

/// A GIF file that is being written.
typedef struct cam_gif cam_gif;

/// Begins a file of pictures of one size. `loops`: how often it plays after the first time; 0 is for ever, negative is never.
/// Why C: giflib writes through a function pointer.
cam_gif *cam_gif_begin(int width, int height, int loops, char *message);

/// Adds a picture of red, green, blue, alpha (straight) rows, shown for so many hundredths of a second: at most 255 colours of its own,
/// the errors of which are spread over neighbours; where alpha is below one half nothing is shown.
int cam_gif_add(cam_gif *gif, const uint8_t *pixels, size_t stride, int hundredths, char *message);

/// Ends the file and frees `gif`; `*out` is malloc'ed and the caller's. Without `out` it is thrown away.
int cam_gif_end(cam_gif *gif, uint8_t **out, size_t *out_size, char *message);

#endif
