#ifndef CVideo4Linux_h
#define CVideo4Linux_h

// A thin face over <linux/videodev2.h>. Its structs and constants are used as they are; here stands only what Swift
// cannot reach: the variadic ioctl(2), requests made by the _IOR and _IOWR macros, and packed structs.

#include <linux/media.h>
#include <linux/videodev2.h>
#include <stdint.h>

// ioctl(2), which is variadic and so closed to Swift; interrupted calls are made again. Returns 0 or the errno.
int cam_v4l2_ioctl(int descriptor, unsigned long request, void *argument);

// open(2), which is variadic. Never blocks, and closes on exec. Returns the descriptor or minus the errno.
int cam_v4l2_open(const char *path);

// VIDIOC_S_PARM, whose argument holds a union of capture and output. Returns 0 or the errno.
int cam_v4l2_set_interval(int descriptor, uint32_t *numerator, uint32_t *denominator);

// VIDIOC_G_PARM, for the same reason. EOPNOTSUPP when the driver has no frame duration. Returns 0 or the errno.
int cam_v4l2_get_interval(int descriptor, uint32_t *numerator, uint32_t *denominator);

// VIDIOC_QUERYMENU, whose struct is packed and so not imported. `name` has room for 33 bytes. Returns 0 or the errno.
int cam_v4l2_query_menu(int descriptor, uint32_t control, uint32_t index, int64_t *value, char *name);

// VIDIOC_G_EXT_CTRLS and VIDIOC_S_EXT_CTRLS of one control, whose struct is packed: for integers of 64 bits, and for
// texts that end with a zero within `size` bytes. Return 0 or the errno.
int cam_v4l2_get_wide(int descriptor, uint32_t identifier, int64_t *value);
int cam_v4l2_set_wide(int descriptor, uint32_t identifier, int64_t value);
int cam_v4l2_get_text(int descriptor, uint32_t identifier, char *text, uint32_t size);
int cam_v4l2_set_text(int descriptor, uint32_t identifier, char *text, uint32_t size);

// VIDIOC_SUBSCRIBE_EVENT for the changes of one control. Returns 0 or the errno.
int cam_v4l2_subscribe_control(int descriptor, uint32_t identifier);

// VIDIOC_DQEVENT, whose struct holds a union; what it was does not matter here. Returns 0 or the errno.
int cam_v4l2_take_event(int descriptor);

// MEDIA_IOC_G_TOPOLOGY, whose structs are packed. An entity, and a flow of pictures from one entity to another.
struct cam_media_entity {
  uint32_t identifier;
  uint32_t function;
};
struct cam_media_flow {
  uint32_t source;
  uint32_t sink;
};

// The graph behind an open media device: at most `*entity_count` entities and `*flow_count` flows; the counts become what
// was written. `*node` becomes the entity behind the video node of these device numbers, 0 where there is none. Returns 0
// or the errno; ENOSPC for a graph that is larger.
int cam_media_graph(
    int descriptor, uint32_t major, uint32_t minor, uint32_t *node, struct cam_media_entity *entities,
    uint32_t *entity_count, struct cam_media_flow *flows, uint32_t *flow_count);

// Functions of entities, which are sums of macros.
static const uint32_t cam_media_ENT_F_IO_V4L = MEDIA_ENT_F_IO_V4L;
static const uint32_t cam_media_ENT_F_CAM_SENSOR = MEDIA_ENT_F_CAM_SENSOR;
static const uint32_t cam_media_ENT_F_TUNER = MEDIA_ENT_F_TUNER;
static const uint32_t cam_media_ENT_F_ATV_DECODER = MEDIA_ENT_F_ATV_DECODER;
static const uint32_t cam_media_ENT_F_DV_DECODER = MEDIA_ENT_F_DV_DECODER;

// Requests, which the _IOR family of macros makes and Swift cannot expand.
static const unsigned long cam_v4l2_VIDIOC_QUERYCAP = VIDIOC_QUERYCAP;
static const unsigned long cam_v4l2_VIDIOC_ENUM_FMT = VIDIOC_ENUM_FMT;
static const unsigned long cam_v4l2_VIDIOC_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long cam_v4l2_VIDIOC_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long cam_v4l2_VIDIOC_S_FMT = VIDIOC_S_FMT;
static const unsigned long cam_v4l2_VIDIOC_G_FMT = VIDIOC_G_FMT;
static const unsigned long cam_v4l2_VIDIOC_TRY_FMT = VIDIOC_TRY_FMT;
static const unsigned long cam_v4l2_VIDIOC_REQBUFS = VIDIOC_REQBUFS;
static const unsigned long cam_v4l2_VIDIOC_CREATE_BUFS = VIDIOC_CREATE_BUFS;
static const unsigned long cam_v4l2_VIDIOC_QUERYBUF = VIDIOC_QUERYBUF;
static const unsigned long cam_v4l2_VIDIOC_EXPBUF = VIDIOC_EXPBUF;
static const unsigned long cam_v4l2_VIDIOC_QBUF = VIDIOC_QBUF;
static const unsigned long cam_v4l2_VIDIOC_DQBUF = VIDIOC_DQBUF;
static const unsigned long cam_v4l2_VIDIOC_STREAMON = VIDIOC_STREAMON;
static const unsigned long cam_v4l2_VIDIOC_STREAMOFF = VIDIOC_STREAMOFF;
static const unsigned long cam_v4l2_VIDIOC_QUERY_EXT_CTRL = VIDIOC_QUERY_EXT_CTRL;
static const unsigned long cam_v4l2_VIDIOC_G_CTRL = VIDIOC_G_CTRL;
static const unsigned long cam_v4l2_VIDIOC_S_CTRL = VIDIOC_S_CTRL;

// Control identifiers, which are sums of macros with casts.
static const uint32_t cam_v4l2_CID_EXPOSURE_AUTO = V4L2_CID_EXPOSURE_AUTO;
static const uint32_t cam_v4l2_CID_EXPOSURE_ABSOLUTE = V4L2_CID_EXPOSURE_ABSOLUTE;
static const uint32_t cam_v4l2_CID_AUTO_EXPOSURE_BIAS = V4L2_CID_AUTO_EXPOSURE_BIAS;
static const uint32_t cam_v4l2_CID_ISO_SENSITIVITY = V4L2_CID_ISO_SENSITIVITY;
static const uint32_t cam_v4l2_CID_ISO_SENSITIVITY_AUTO = V4L2_CID_ISO_SENSITIVITY_AUTO;
static const uint32_t cam_v4l2_CID_AUTOGAIN = V4L2_CID_AUTOGAIN;
static const uint32_t cam_v4l2_CID_GAIN = V4L2_CID_GAIN;
static const uint32_t cam_v4l2_CID_AUTO_WHITE_BALANCE = V4L2_CID_AUTO_WHITE_BALANCE;
static const uint32_t cam_v4l2_CID_DO_WHITE_BALANCE = V4L2_CID_DO_WHITE_BALANCE;
static const uint32_t cam_v4l2_CID_WHITE_BALANCE_TEMPERATURE = V4L2_CID_WHITE_BALANCE_TEMPERATURE;
static const uint32_t cam_v4l2_CID_FOCUS_AUTO = V4L2_CID_FOCUS_AUTO;
static const uint32_t cam_v4l2_CID_FOCUS_ABSOLUTE = V4L2_CID_FOCUS_ABSOLUTE;
static const uint32_t cam_v4l2_CID_AUTO_FOCUS_START = V4L2_CID_AUTO_FOCUS_START;
static const uint32_t cam_v4l2_CID_AUTO_FOCUS_STOP = V4L2_CID_AUTO_FOCUS_STOP;
static const uint32_t cam_v4l2_CID_AUTO_FOCUS_STATUS = V4L2_CID_AUTO_FOCUS_STATUS;
static const uint32_t cam_v4l2_CID_AUTO_FOCUS_RANGE = V4L2_CID_AUTO_FOCUS_RANGE;
static const uint32_t cam_v4l2_CID_ZOOM_ABSOLUTE = V4L2_CID_ZOOM_ABSOLUTE;
static const uint32_t cam_v4l2_CID_PRIVACY = V4L2_CID_PRIVACY;
static const uint32_t cam_v4l2_CID_3A_LOCK = V4L2_CID_3A_LOCK;
static const uint32_t cam_v4l2_CID_WIDE_DYNAMIC_RANGE = V4L2_CID_WIDE_DYNAMIC_RANGE;
static const uint32_t cam_v4l2_CID_IMAGE_STABILIZATION = V4L2_CID_IMAGE_STABILIZATION;
static const uint32_t cam_v4l2_CID_MPEG_VIDEO_FORCE_KEY_FRAME = V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME;
static const uint32_t cam_v4l2_CID_FLASH_LED_MODE = V4L2_CID_FLASH_LED_MODE;
static const uint32_t cam_v4l2_CID_FLASH_TORCH_INTENSITY = V4L2_CID_FLASH_TORCH_INTENSITY;
static const uint32_t cam_v4l2_CID_CAMERA_ORIENTATION = V4L2_CID_CAMERA_ORIENTATION;
static const uint32_t cam_v4l2_CID_CAMERA_SENSOR_ROTATION = V4L2_CID_CAMERA_SENSOR_ROTATION;

#endif
