// Thin façade over LiteRT's C interface for PeopleFinding.
//
// Why Swift cannot call it directly: the library is no Debian package. It is opened with `dlopen` where the machine has it, so
// that nothing links against it. Beside that stands the loop that fills a model's input.
#ifndef CLiteRT_h
#define CLiteRT_h

#include <stddef.h>
#include <stdint.h>

/// An opened library with its environment.
typedef struct cam_runtime cam_runtime;

/// A model ready to run, with its input and outputs: one caller at a time.
typedef struct cam_model cam_model;

/// The version of the library that the declarations in CLiteRT.c were taken from.
const char *cam_runtime_version(void);

/// Opens the library at `path`; NULL with a reason. Never closed: the library keeps threads and state of its own.
cam_runtime *cam_runtime_open(const char *path, char *reason, size_t reasonSize);

/// Loads a model and makes memory for its tensors; NULL with a reason. Only for one input and up to eight outputs of float.
cam_model *cam_model_open(cam_runtime *runtime, const char *path, int threads, char *reason, size_t reasonSize);

void cam_model_close(cam_model *model);

/// The size of the model's RGB input, in pixels.
int cam_model_width(const cam_model *model);
int cam_model_height(const cam_model *model);

int cam_model_output_count(const cam_model *model);

/// How many numbers output `index` has.
size_t cam_model_output_size(const cam_model *model, int index);

/// Output `index` as the last run left it; valid until the next.
const float *cam_model_output(const cam_model *model, int index);

/// Blackens the input: `black` in all of it.
void cam_model_clear(cam_model *model, float black);

/// Puts a BGRA picture into the input at (x, y), level 0 as `black` and 255 as 1. The picture must lie inside.
void cam_model_put(cam_model *model, const uint8_t *bgra, ptrdiff_t stride, int x, int y, int width, int height,
                   float black);

/// Fills the whole input from a BGRA picture, level 0 as `black` and 255 as 1, between pixels linear; black beyond the picture.
///
/// - map: a place (u, v) of the input is (map[0] u + map[1] v + map[2], map[3] u + map[4] v + map[5]) in the picture, both from the
///   top left corner of the first pixel.
void cam_model_fill(cam_model *model, const uint8_t *bgra, ptrdiff_t stride, int width, int height, const float *map,
                    float black);

/// Runs the model on its input; 0 or the library's status.
int cam_model_run(cam_model *model);

#endif
