// The library, what is called of it, and the one thread that calls it.

#include "COpenNI.h"

#include <CLibraries.h>
#include <stddef.h>

// What follows is declared as OniCAPI.h and its neighbours of OpenNI 2.2.0 have it, as far as it is used; handles are opaque there, too.

typedef struct {
  int sensor;
  int count;
  cam_openni_mode *modes;
} sensor_t;

typedef struct {
  int major, minor, maintenance, build;
} version_t;

typedef struct {
  void (*connected)(const cam_openni_info *, void *);
  void (*disconnected)(const cam_openni_info *, void *);
  void (*changed)(const cam_openni_info *, int, void *);
} callbacks_t;

enum { kInterface = 2002, kSerialNumber = 3, kRegistration = 5, kHorizontalView = 1, kVideoMode = 3, kMirroring = 7 };
enum { kDepthToColor = 1, kStateError = 1, kStateNotReady = 2 };

_Static_assert(sizeof(cam_openni_mode) == 16, "OniVideoMode");
_Static_assert(sizeof(cam_openni_info) == 772, "OniDeviceInfo");
_Static_assert(sizeof(void *) != 8 || sizeof(cam_openni_frame) == 80, "OniFrame");
_Static_assert(sizeof(void *) != 8 || offsetof(cam_openni_frame, mode) == 44, "OniFrame");

// One line for each function: result, name without `oni`, parameters.
#define FUNCTIONS(X)                                                           \
  X(int, Initialize, (int))                                                    \
  X(version_t, GetVersion, (void))                                             \
  X(const char *, GetExtendedError, (void))                                    \
  X(int, GetDeviceList, (cam_openni_info **, int *))                           \
  X(int, ReleaseDeviceList, (cam_openni_info *))                               \
  X(int, RegisterDeviceCallbacks, (callbacks_t *, void *, void **))            \
  X(int, WaitForAnyStream, (void **, int, int *, int))                         \
  X(int, StreamRegisterNewFrameCallback, (void *, void (*)(void *, void *), void *, void **)) \
  X(int, DeviceOpen, (const char *, void **))                                  \
  X(int, DeviceClose, (void *))                                                \
  X(const sensor_t *, DeviceGetSensorInfo, (void *, int))                      \
  X(int, DeviceCreateStream, (void *, int, void **))                           \
  X(int, DeviceSetProperty, (void *, int, const void *, int))                  \
  X(int, DeviceGetProperty, (void *, int, void *, int *))                      \
  X(int, DeviceIsImageRegistrationModeSupported, (void *, int))                \
  X(void, StreamDestroy, (void *))                                             \
  X(int, StreamStart, (void *))                                                \
  X(void, StreamStop, (void *))                                                \
  X(int, StreamReadFrame, (void *, cam_openni_frame **))                       \
  X(int, StreamSetProperty, (void *, int, const void *, int))                  \
  X(int, StreamGetProperty, (void *, int, void *, int *))                      \
  X(void, FrameRelease, (cam_openni_frame *))

#define PREFIX "oni"

/// Its functions, once it is open.
extern struct cam_openni_library {
  FUNCTIONS(CAM_FUNCTION_FIELD)
} cam_openni_library;

// Every call of the library looks for the calling thread among those that ever called, and signals each of them: one that has ended
// crashes it. So one thread, which never ends, makes all calls; others hand them over, each with a struct of what it takes and gives.
typedef void (*call_t)(void *arguments);

void cam_openni_hand(call_t call, void *arguments);
/// Keeps what the library says of a status that is none of success, before the next call replaces it; on the one thread. Returns the status.
int cam_openni_note(int status);

// A call of the library: the fields of its struct, which is `in`, and the expression that makes it on the one thread.
#define CALL(name, fields, expression)       \
  typedef struct {                           \
    fields;                                  \
  } name##_job;                              \
  static void name##_call(void *arguments) { \
    name##_job *in = arguments;              \
    expression;                              \
  }
// Makes a call whose struct is `arguments`.
#define HAND(name, arguments) cam_openni_hand(name##_call, arguments)
#define FIELDS(...) __VA_ARGS__
