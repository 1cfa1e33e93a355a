#include "CLiteRT.h"

#include <CLibraries.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What follows is declared as litert/c of LiteRT 2.2.0 has it, as far as it is used; handles are opaque there, too.

enum { kMaximumRank = 8, kFloat32 = 1, kAcceleratorCPU = 1, kMinimumSeverityTag = 25, kAnyInt = 2, kSilent = 4 };

typedef struct {
  unsigned int rank : 7;
  unsigned int has_strides : 1;
  int32_t dimensions[kMaximumRank];
  uint32_t strides[kMaximumRank];
} layout_t;

typedef struct {
  int element_type;
  layout_t layout;
} tensor_type_t;

typedef struct {
  int type;
  union {
    int64_t int_value;
    double real_value;
    const void *pointer;
  };
} any_t;

typedef struct {
  int tag;
  any_t value;
} environment_option_t;

_Static_assert(sizeof(layout_t) == 68, "LiteRtLayout");
_Static_assert(sizeof(tensor_type_t) == 72, "LiteRtRankedTensorType");
_Static_assert(sizeof(void *) != 8 || sizeof(environment_option_t) == 24, "LiteRtEnvOption");

// One line for each function: result, name without `LiteRt`, parameters.
#define FUNCTIONS(X)                                                                                     \
  X(int, CreateEnvironment, (int, const environment_option_t *, void **))                                \
  X(int, CreateOptions, (void **))                                                                       \
  X(void, DestroyOptions, (void *))                                                                      \
  X(int, SetOptionsHardwareAccelerators, (void *, int))                                                  \
  X(int, CreateOpaqueOptions, (const char *, void *, void (*)(void *), void **))                         \
  X(int, AddOpaqueOptions, (void *, void *))                                                             \
  X(int, CreateModelFromFile, (void *, const char *, void **))                                           \
  X(void, DestroyModel, (void *))                                                                        \
  X(int, GetModelSubgraph, (void *, size_t, void **))                                                    \
  X(int, GetNumSubgraphInputs, (void *, size_t *))                                                       \
  X(int, GetSubgraphInput, (void *, size_t, void **))                                                    \
  X(int, GetNumSubgraphOutputs, (void *, size_t *))                                                      \
  X(int, GetSubgraphOutput, (void *, size_t, void **))                                                   \
  X(int, GetRankedTensorType, (void *, tensor_type_t *))                                                 \
  X(int, CreateCompiledModel, (void *, void *, void *, void **))                                         \
  X(void, DestroyCompiledModel, (void *))                                                                \
  X(int, RunCompiledModel, (void *, size_t, size_t, void **, size_t, void **))                           \
  X(int, CreateTensorBufferFromHostMemory, (const tensor_type_t *, void *, size_t, void (*)(void *), void **)) \
  X(void, DestroyTensorBuffer, (void *))

#define PREFIX "LiteRt"

struct cam_runtime {
  FUNCTIONS(CAM_FUNCTION_FIELD)
  void *environment;
};

enum { kMaximumOutputs = 8 };

typedef struct {
  float *numbers;
  size_t count;
  void *buffer;
} tensor_t;

struct cam_model {
  const cam_runtime *runtime;
  void *model, *compiled;
  tensor_t input, outputs[kMaximumOutputs];
  int width, height, outputCount;
};

const char *cam_runtime_version(void) { return "2.2.0"; }

cam_runtime *cam_runtime_open(const char *path, char *reason, size_t reasonSize) {
  cam_runtime *runtime = calloc(1, sizeof *runtime);
  if (runtime == NULL) {
    snprintf(reason, reasonSize, "out of memory");
    return NULL;
  }
  const char *const files[] = {path, NULL}, *const names[] = {FUNCTIONS(CAM_FUNCTION_NAME) NULL};
  if (cam_library_open(files, names, runtime, reason, reasonSize)) {
    // Without this it prints a line about every model on the standard error.
    environment_option_t quiet = {.tag = kMinimumSeverityTag, .value = {.type = kAnyInt, .int_value = kSilent}};
    int status = runtime->CreateEnvironment(1, &quiet, &runtime->environment);
    if (status == 0) return runtime;
    snprintf(reason, reasonSize, "it does not start (status %d)", status);
  }
  free(runtime);
  return NULL;
}

static int tensor_open(const cam_runtime *runtime, void *handle, tensor_t *tensor, tensor_type_t *type) {
  int status = runtime->GetRankedTensorType(handle, type);
  if (status != 0) return status;
  if (type->element_type != kFloat32 || type->layout.rank > kMaximumRank) return -1;
  size_t count = 1;
  for (unsigned int axis = 0; axis < type->layout.rank; axis++) {
    if (type->layout.dimensions[axis] <= 0) return -1;
    count *= (size_t)type->layout.dimensions[axis];
  }
  // Kernels read whole vectors beyond the last number.
  size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
  tensor->numbers = aligned_alloc(64, bytes + 256);
  if (tensor->numbers == NULL) return -1;
  memset(tensor->numbers, 0, bytes + 256);
  tensor->count = count;
  return runtime->CreateTensorBufferFromHostMemory(type, tensor->numbers, count * sizeof(float), NULL, &tensor->buffer);
}

static void tensor_close(const cam_runtime *runtime, tensor_t *tensor) {
  if (tensor->buffer != NULL) runtime->DestroyTensorBuffer(tensor->buffer);
  free(tensor->numbers);
}

/// Options for the processor alone, with so many threads.
static int make_options(const cam_runtime *runtime, int threads, void **options) {
  int status = runtime->CreateOptions(options);
  if (status != 0) return status;
  status = runtime->SetOptionsHardwareAccelerators(*options, kAcceleratorCPU);
  if (status != 0) return status;
  char *text = malloc(48);
  if (text == NULL) return -1;
  snprintf(text, 48, "num_threads = %d\n", threads);
  void *processor = NULL;
  status = runtime->CreateOpaqueOptions("xnnpack", text, free, &processor);
  if (status != 0) {
    free(text);
    return status;
  }
  return runtime->AddOpaqueOptions(*options, processor);
}

static int model_open(cam_model *model, const char *path, int threads) {
  const cam_runtime *runtime = model->runtime;
  int status = runtime->CreateModelFromFile(runtime->environment, path, &model->model);
  if (status != 0) return status;
  void *graph = NULL, *handle = NULL, *options = NULL;
  size_t inputs = 0, outputs = 0;
  if ((status = runtime->GetModelSubgraph(model->model, 0, &graph)) != 0) return status;
  if ((status = runtime->GetNumSubgraphInputs(graph, &inputs)) != 0) return status;
  if ((status = runtime->GetNumSubgraphOutputs(graph, &outputs)) != 0) return status;
  if (inputs != 1 || outputs < 1 || outputs > kMaximumOutputs) return -1;
  tensor_type_t type;
  if ((status = runtime->GetSubgraphInput(graph, 0, &handle)) != 0) return status;
  if ((status = tensor_open(runtime, handle, &model->input, &type)) != 0) return status;
  if (type.layout.rank != 4 || type.layout.dimensions[3] != 3 || type.layout.dimensions[0] != 1) return -1;
  model->height = type.layout.dimensions[1];
  model->width = type.layout.dimensions[2];
  for (size_t index = 0; index < outputs; index++) {
    if ((status = runtime->GetSubgraphOutput(graph, index, &handle)) != 0) return status;
    if ((status = tensor_open(runtime, handle, &model->outputs[index], &type)) != 0) return status;
    model->outputCount = (int)index + 1;
  }
  status = make_options(runtime, threads, &options);
  if (status == 0)
    status = runtime->CreateCompiledModel(runtime->environment, model->model, options, &model->compiled);
  if (options != NULL) runtime->DestroyOptions(options);
  return status;
}

cam_model *cam_model_open(cam_runtime *runtime, const char *path, int threads, char *reason, size_t reasonSize) {
  cam_model *model = calloc(1, sizeof *model);
  if (model == NULL) {
    snprintf(reason, reasonSize, "out of memory");
    return NULL;
  }
  model->runtime = runtime;
  int status = model_open(model, path, threads);
  if (status == 0) return model;
  if (status < 0)
    snprintf(reason, reasonSize, "it is no model of one picture");
  else
    snprintf(reason, reasonSize, "LiteRT refuses it (status %d)", status);
  cam_model_close(model);
  return NULL;
}

void cam_model_close(cam_model *model) {
  if (model == NULL) return;
  if (model->compiled != NULL) model->runtime->DestroyCompiledModel(model->compiled);
  tensor_close(model->runtime, &model->input);
  for (int index = 0; index < kMaximumOutputs; index++) tensor_close(model->runtime, &model->outputs[index]);
  if (model->model != NULL) model->runtime->DestroyModel(model->model);
  free(model);
}

int cam_model_width(const cam_model *model) { return model->width; }

int cam_model_height(const cam_model *model) { return model->height; }

int cam_model_output_count(const cam_model *model) { return model->outputCount; }

size_t cam_model_output_size(const cam_model *model, int index) { return model->outputs[index].count; }

const float *cam_model_output(const cam_model *model, int index) { return model->outputs[index].numbers; }

void cam_model_clear(cam_model *model, float black) {
  for (size_t index = 0; index < model->input.count; index++) model->input.numbers[index] = black;
}

void cam_model_put(cam_model *model, const uint8_t *bgra, ptrdiff_t stride, int x, int y, int width, int height,
                   float black) {
  const float step = (1 - black) / 255;
  for (int row = 0; row < height; row++) {
    const uint8_t *source = bgra + row * stride;
    float *target = model->input.numbers + ((size_t)(y + row) * (size_t)model->width + (size_t)x) * 3;
    for (int column = 0; column < width; column++, source += 4, target += 3) {
      target[0] = black + step * source[2];
      target[1] = black + step * source[1];
      target[2] = black + step * source[0];
    }
  }
}

void cam_model_fill(cam_model *model, const uint8_t *bgra, ptrdiff_t stride, int width, int height, const float *map,
                    float black) {
  const float step = (1 - black) / 255;
  float *target = model->input.numbers;
  for (int row = 0; row < model->height; row++) {
    for (int column = 0; column < model->width; column++, target += 3) {
      const float u = (float)column + 0.5f, v = (float)row + 0.5f;
      // From corners to middles of pixels.
      const float x = map[0] * u + map[1] * v + map[2] - 0.5f, y = map[3] * u + map[4] * v + map[5] - 0.5f;
      // Written so that what is no number is beyond the picture, too.
      if (!(x >= -0.5f && y >= -0.5f && x <= (float)width - 0.5f && y <= (float)height - 0.5f)) {
        target[0] = target[1] = target[2] = black;
        continue;
      }
      const int left = x < 0 ? 0 : (int)x, top = y < 0 ? 0 : (int)y;
      const int right = left + 1 < width ? left + 1 : left, bottom = top + 1 < height ? top + 1 : top;
      const float across = x < 0 ? 0 : x - (float)left, down = y < 0 ? 0 : y - (float)top;
      const uint8_t *upper = bgra + top * stride, *lower = bgra + bottom * stride;
      for (int channel = 0; channel < 3; channel++) {
        const float above = (float)upper[4 * left + channel] * (1 - across) + (float)upper[4 * right + channel] * across;
        const float below = (float)lower[4 * left + channel] * (1 - across) + (float)lower[4 * right + channel] * across;
        target[2 - channel] = black + step * (above * (1 - down) + below * down);
      }
    }
  }
}

int cam_model_run(cam_model *model) {
  void *buffers[kMaximumOutputs];
  for (int index = 0; index < model->outputCount; index++) buffers[index] = model->outputs[index].buffer;
  return model->runtime->RunCompiledModel(model->compiled, 0, 1, &model->input.buffer, (size_t)model->outputCount,
                                          buffers);
}
