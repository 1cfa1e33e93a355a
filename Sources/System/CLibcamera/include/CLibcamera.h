#ifndef CLIBCAMERA_H
#define CLIBCAMERA_H

// What this project calls of libcamera, in words that Swift can import: its interface is C++ and changes from version to version, so this
// is compiled against the one that a machine has, with the package's trait LibcameraDevices alone. Without the trait the functions are
// not there; the structs are. Functions that return an int return 0, or an errno of the library's.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a stream is for: StreamRole.
enum { cam_role_view = 0, cam_role_still = 1, cam_role_raw = 2, cam_role_count = 3 };

/// Where a camera is: properties::Location.
enum { cam_location_unknown = 0, cam_location_front = 1, cam_location_back = 2, cam_location_external = 3 };

/// The controls and metadata that are read and set here; libcamera's own numbers differ between versions.
enum {
  cam_control_ae_enable,
  cam_control_ae_locked,
  cam_control_ae_state,
  cam_control_ae_metering,
  cam_control_ae_constraint,
  cam_control_ae_exposure_mode,
  cam_control_exposure_value,
  cam_control_exposure_time,
  cam_control_analogue_gain,
  cam_control_digital_gain,
  cam_control_lux,
  cam_control_awb_enable,
  cam_control_awb_mode,
  cam_control_awb_locked,
  cam_control_awb_state,
  cam_control_colour_gains,
  cam_control_colour_temperature,
  cam_control_brightness,
  cam_control_contrast,
  cam_control_saturation,
  cam_control_sharpness,
  cam_control_noise_reduction,
  cam_control_scaler_crop,
  cam_control_frame_duration,
  cam_control_frame_duration_limits,
  cam_control_sensor_temperature,
  cam_control_sensor_timestamp,
  cam_control_black_levels,
  cam_control_focus_measure,
  cam_control_af_mode,
  cam_control_af_range,
  cam_control_af_speed,
  cam_control_af_metering,
  cam_control_af_windows,
  cam_control_af_trigger,
  cam_control_lens_position,
  cam_control_af_state,
  cam_control_count
};

/// A control's value: Booleans are 0 and 1, rectangles left, top, width and height.
typedef struct {
  uint32_t control;
  uint32_t count;
  double numbers[4];
} cam_libcamera_value;

/// What a camera takes for a control: ControlInfo.
typedef struct {
  uint32_t control;
  /// Of the numbers below; 4 for a rectangle.
  uint32_t count;
  double least[4];
  double greatest[4];
  /// 0 of them where the library does not say.
  double usual[4];
  uint32_t usual_count;
  /// The values of a menu; none where all between the least and the greatest count.
  uint32_t value_count;
  double values[16];
} cam_libcamera_range;

/// One stream of a configuration: StreamConfiguration.
typedef struct {
  uint32_t role;
  /// Of drm_fourcc.h; 0 asks for what the library proposes.
  uint32_t fourcc;
  uint64_t modifier;
  uint32_t width;
  uint32_t height;
  /// From one row to the next; 0 where the library does not say.
  uint32_t stride;
  uint32_t buffers;
  /// 601, 709 or 2020 where the library says the matrix of its colours; else 0.
  uint32_t matrix;
  uint32_t is_full_range;
} cam_libcamera_stream;

/// The facts of a camera.
typedef struct {
  char id[256];
  char model[128];
  uint32_t location;
  /// Degrees that its pictures must turn counter-clockwise to stand upright; those that the library does not turn by itself.
  uint32_t rotation;
  uint32_t sensor_width;
  uint32_t sensor_height;
} cam_libcamera_camera_facts;

/// One plane of a buffer: FrameBuffer::Plane.
typedef struct {
  int descriptor;
  uint32_t offset;
  uint32_t length;
} cam_libcamera_plane;

/// A buffer of a request that is over: FrameMetadata.
typedef struct {
  uint32_t role;
  uint32_t index;
  uint32_t is_whole;
  uint32_t number;
  uint64_t time;
  uint32_t used;
} cam_libcamera_filled;

/// A request that is over.
typedef struct {
  uint64_t cookie;
  uint32_t is_cancelled;
  uint32_t buffer_count;
  cam_libcamera_filled buffers[cam_role_count];
  uint32_t value_count;
  cam_libcamera_value values[cam_control_count];
  /// When the sensor began to be exposed, on CLOCK_BOOTTIME or CLOCK_MONOTONIC; 0 where it is not told.
  int64_t sensor_time;
} cam_libcamera_completion;

typedef struct cam_libcamera_camera cam_libcamera_camera;
typedef struct cam_libcamera_session cam_libcamera_session;

/// The library's version; a text that stays.
const char *cam_libcamera_version(void);
/// Starts the library's one CameraManager, which lives as long as the process; later calls do nothing. `changed` is called on a thread of
/// the library's, which must not wait for a camera, when one came or went.
int cam_libcamera_start(void (*changed)(void));
/// The cameras there are, each retained, at most `room`; returns how many. Before the start there are none.
size_t cam_libcamera_cameras(cam_libcamera_camera **cameras, size_t room);
void cam_libcamera_camera_release(cam_libcamera_camera *camera);
/// Whether both are the same object of the library's, which a camera that was pulled out and plugged in is not.
int cam_libcamera_camera_equals(const cam_libcamera_camera *left, const cam_libcamera_camera *right);

void cam_libcamera_camera_read(cam_libcamera_camera *camera, cam_libcamera_camera_facts *facts);
/// The numbers of the kernel's devices that are part of it, of the `asked` ones; returns how many of them, written over `numbers`.
size_t cam_libcamera_camera_nodes(cam_libcamera_camera *camera, uint64_t *numbers, size_t asked);
/// The formats that a role is offered, most wanted first: each with a size that it can have; at most `room`; returns how many.
size_t cam_libcamera_camera_formats(cam_libcamera_camera *camera, uint32_t role, cam_libcamera_stream *formats, size_t room);
/// Asks whether streams of these roles can run beside each other; writes what they would be. EINVAL where not.
int cam_libcamera_camera_check(cam_libcamera_camera *camera, cam_libcamera_stream *streams, size_t count);

/// Takes the camera for this process, configures it and allocates buffers; writes what was granted.
///
/// `completed` is called on a thread of the library's, once for each request that was queued, cancelled ones too.
cam_libcamera_session *cam_libcamera_camera_open(cam_libcamera_camera *camera, cam_libcamera_stream *streams, size_t count,
                                    void (*completed)(void *context, const cam_libcamera_completion *completion), void *context, int *error);
/// The controls that the camera takes in this configuration, at most `room`; returns how many.
size_t cam_libcamera_session_ranges(cam_libcamera_session *session, cam_libcamera_range *ranges, size_t room);
/// The planes of a buffer, whose descriptors stay the library's; returns how many.
size_t cam_libcamera_session_planes(cam_libcamera_session *session, uint32_t role, uint32_t index, cam_libcamera_plane *planes, size_t room);
int cam_libcamera_session_start(cam_libcamera_session *session, const cam_libcamera_value *values, size_t count);
/// Queues a request with a buffer of each role, or none where its index is negative.
int cam_libcamera_session_queue(cam_libcamera_session *session, uint64_t cookie, const int32_t indices[cam_role_count], const cam_libcamera_value *values,
                      size_t count);
/// Stops; requests that were queued are over when it returns.
void cam_libcamera_session_stop(cam_libcamera_session *session);
/// Gives the camera and the buffers back; of a session that is stopped.
void cam_libcamera_session_close(cam_libcamera_session *session);

/// Tells the kernel that a DMA buffer is being read, or is no longer; does nothing for other memory.
void cam_libcamera_dma_read(int descriptor, int begins);

#ifdef __cplusplus
}
#endif

#endif
