import CaptureDevice
import Linux
import V4L2Devices

/// A camera of the ``ScriptedKernel``: its identity, formats and controls.
struct KernelCamera: Sendable {
  struct Mode: Sendable {
    var format: VideoPixelFormat
    var sizes: [VideoRange<VideoSize>]
    var durations: [VideoRange<VideoFraction>]
  }

  var identity: VideoIdentity
  var placement = DevicePlacement()
  var graph: MediaGraph?
  /// Whether the kernel has a media device for it.
  var hasMediaDevice = false
  var modes: [Mode]
  var isFullRange = false
  /// Whether the driver leaves the range open.
  var isRangeAssumed = false
  /// Ranges, menus and values of its controls.
  var controls: [VideoControl: VideoControlDescription] = [:]
  var menus: [VideoControl: [Int64: VideoMenuEntry]] = [:]
  var values: [VideoControl: Int64] = [:]
  var texts: [VideoControl: String] = [:]
  /// The effect of setting a control on the others, as with a real camera.
  var sideEffect: @Sendable (ScriptedKernel.Device, VideoControl, Int64) -> Void = { _, _, _ in }
  /// The most buffers that the driver gives.
  var mostBuffers = 32
  /// Whether its driver gives buffers beside those that it streams with.
  var addsBuffers = true
  /// Whether the driver sends pictures by itself, at its frame duration, instead of on ``ScriptedKernel/expose(_:_:)``.
  var isAutomatic = false
  /// Whether the frame duration can change while it streams.
  var changesDurationLive = false

  /// A webcam with two sizes in YUYV and MJPEG, at 30 and 15 frames a second.
  static func webcam(_ name: String = "Webcam", serial: String = "A1", port: String = "1-2") -> KernelCamera {
    let durations: [VideoRange<VideoFraction>] = [.one(VideoFraction(1, 30)), .one(VideoFraction(1, 15))]
    let sizes: [VideoRange<VideoSize>] = [.one(VideoSize(32, 16)), .one(VideoSize(64, 48))]
    return KernelCamera(
      identity: VideoIdentity(driver: "uvcvideo", card: name, bus: "usb-0000:00:14.0-2"),
      placement: DevicePlacement(
        usb: USBPlacement(
          port: port, vendor: 0x046d, product: 0x0825, serial: serial, manufacturer: "Logitech",
          productName: "\(name) Pro 9000")),
      modes: [
        Mode(format: .yuyv, sizes: sizes, durations: durations),
        Mode(format: .mjpeg, sizes: sizes, durations: durations),
      ])
  }

  /// A camera with one format at one size and rate.
  static func plain(_ format: VideoPixelFormat, _ width: Int = 32, _ height: Int = 16) -> KernelCamera {
    KernelCamera(
      identity: VideoIdentity(driver: "vivid", card: "Plain", bus: "platform:vivid-000"),
      modes: [
        Mode(
          format: format, sizes: [.one(VideoSize(width, height))], durations: [.one(VideoFraction(1, 30))])
      ])
  }

  /// A camera of two functions, as a RealSense: a depth sensor (`/dev/video0` where they are the first), and one in colour.
  static func depthCamera(
    _ change: (inout KernelCamera, inout KernelCamera) -> Void = { _, _ in }
  ) -> [KernelCamera] {
    var depth = KernelCamera.webcam("Depth Camera")
    depth.modes = [
      Mode(
        format: .z16, sizes: [.one(VideoSize(32, 24)), .one(VideoSize(16, 8))],
        durations: [.one(VideoFraction(1, 30)), .one(VideoFraction(1, 15))])
    ]
    var colour = KernelCamera.webcam("Depth Camera")
    colour.placement.usb?.interface = 3
    change(&depth, &colour)
    return [depth, colour]
  }

  /// The bytes of one picture row, and of a picture.
  static func bytes(_ format: VideoPixelFormat, _ size: VideoSize) -> (stride: Int, picture: Int) {
    switch format {
    case .yuyv, .uyvy, .y16, .z16: (size.width * 2, size.width * 2 * size.height)
    case .bgr32, .abgr32, .xbgr32: (size.width * 4, size.width * 4 * size.height)
    case .rgb24: (size.width * 3, size.width * 3 * size.height)
    case .nv12, .nv21, .yuv420, .yvu420:
      // Strides are rounded up to whole pairs.
      ((size.width + 1) / 2 * 2, (size.width + 1) / 2 * 2 * (size.height + (size.height + 1) / 2))
    case .mjpeg, .jpeg: (0, max(512, size.width * size.height))
    default: mosaicBytes(format, size)
    }
  }

  private static func mosaicBytes(_ format: VideoPixelFormat, _ size: VideoSize) -> (Int, Int) {
    let bits = format.mosaic.map { $0.isPacked || $0.bits == 8 ? $0.bits : 16 } ?? 8
    return (size.width * bits / 8, size.width * bits / 8 * size.height)
  }
}
