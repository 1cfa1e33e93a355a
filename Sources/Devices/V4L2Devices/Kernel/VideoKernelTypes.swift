/// A call to the kernel, for errors and for tests that force one.
package enum VideoCall: String, Sendable, Hashable, CaseIterable {
  case listNodes, watchNodes, open, identity, pixelFormat, frameSizes, frameDurations, setLayout, tryLayout
  case frameDuration, setFrameDuration, requestBuffers, addBuffers, mapBuffer, exportBuffer, enqueue, dequeue,
    streamOn,
    streamOff, wait
  case control, nextControl, menuEntry, value, setValue, text, setText, subscribe, takeEvent
}

/// A call that the kernel refused.
package struct KernelRefusal: Error, Sendable, Hashable {
  /// The refused call.
  package var call: VideoCall
  /// C's `errno`.
  package var errno: Int32

  /// A refusal of `call`.
  package init(_ call: VideoCall, _ errno: Int32) {
    self.call = call
    self.errno = errno
  }
}

/// A device node.
package struct VideoNode: Sendable, Hashable {
  /// As in `/dev/video0`.
  package var path: String
  /// Differs when the node was made anew: of its inode and device numbers.
  package var identity: UInt64

  /// A node at `path`.
  package init(path: String, identity: UInt64) {
    self.path = path
    self.identity = identity
  }

  /// The last part of the path: `video0`.
  package var name: String { String(path.split(separator: "/").last ?? "") }
}

/// An open node: C's file descriptor.
package struct VideoHandle: Sendable, Hashable {
  /// C's file descriptor.
  package var descriptor: Int32

  /// Wraps a descriptor that is open.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }
}

/// The identity and the abilities that a device reports.
///
/// C: `v4l2_capability`.
package struct VideoIdentity: Sendable, Hashable {
  package var driver: String
  /// The device's name; cut after 31 bytes by the kernel.
  package var card: String
  package var bus: String
  /// Whether this node captures single-planar video.
  package var captures: Bool
  /// Whether this node streams through mapped buffers.
  package var streams: Bool
  /// Whether formats follow from a media graph that must be set up first.
  package var needsMediaGraph: Bool
  /// Whether it captures through the kernel's interface for pictures in several planes, and only so.
  package var capturesInPlanes: Bool

  /// An identity.
  package init(
    driver: String, card: String, bus: String, captures: Bool = true, streams: Bool = true,
    needsMediaGraph: Bool = false, capturesInPlanes: Bool = false
  ) {
    self.driver = driver
    self.card = card
    self.bus = bus
    self.captures = captures
    self.streams = streams
    self.needsMediaGraph = needsMediaGraph
    self.capturesInPlanes = capturesInPlanes
  }
}

/// A pixel format of the kernel's, by its four characters.
///
/// C: `V4L2_PIX_FMT_…`.
package struct VideoPixelFormat: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The first character in the lowest byte.
  package var rawValue: UInt32

  /// The format of that number.
  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  private init(_ characters: StaticString) {
    rawValue = characters.withUTF8Buffer { bytes in
      bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
  }

  /// C: `V4L2_PIX_FMT_YUYV`.
  package static let yuyv = VideoPixelFormat("YUYV")
  /// C: `V4L2_PIX_FMT_UYVY`.
  package static let uyvy = VideoPixelFormat("UYVY")
  /// C: `V4L2_PIX_FMT_NV12`.
  package static let nv12 = VideoPixelFormat("NV12")
  /// C: `V4L2_PIX_FMT_NV21`: as NV12 with the red difference first.
  package static let nv21 = VideoPixelFormat("NV21")
  /// C: `V4L2_PIX_FMT_YUV420`: three planes, blue before red difference.
  package static let yuv420 = VideoPixelFormat("YU12")
  /// C: `V4L2_PIX_FMT_YVU420`: three planes, red before blue difference.
  package static let yvu420 = VideoPixelFormat("YV12")
  /// C: `V4L2_PIX_FMT_GREY`.
  package static let grey = VideoPixelFormat("GREY")
  /// C: `V4L2_PIX_FMT_Y16`.
  package static let y16 = VideoPixelFormat("Y16 ")
  /// C: `V4L2_PIX_FMT_RGB24`: red, green, blue.
  package static let rgb24 = VideoPixelFormat("RGB3")
  /// C: `V4L2_PIX_FMT_BGR32`: blue, green, red, and a byte without a meaning.
  package static let bgr32 = VideoPixelFormat("BGR4")
  /// C: `V4L2_PIX_FMT_ABGR32`: blue, green, red, alpha.
  package static let abgr32 = VideoPixelFormat("AR24")
  /// C: `V4L2_PIX_FMT_XBGR32`: blue, green, red, and a byte without a meaning.
  package static let xbgr32 = VideoPixelFormat("XR24")
  /// C: `V4L2_PIX_FMT_Z16`: distances.
  package static let z16 = VideoPixelFormat("Z16 ")
  /// C: `V4L2_PIX_FMT_H264`: access units with start codes.
  ///
  /// Its sister `V4L2_PIX_FMT_H264_NO_SC` ("AVC1"), without start codes, is listed as unreadable: the kernel's documentation does
  /// not say where a unit then ends (a length of 4 bytes, of 2, or one unit a buffer) nor where the parameter sets are, and no
  /// camera's driver in the kernel sends it that could be asked.
  package static let h264 = VideoPixelFormat("H264")
  /// C: `V4L2_PIX_FMT_HEVC`: access units with start codes.
  package static let hevc = VideoPixelFormat("HEVC")
  /// C: `V4L2_PIX_FMT_MJPEG`.
  package static let mjpeg = VideoPixelFormat("MJPG")
  /// C: `V4L2_PIX_FMT_JPEG`.
  package static let jpeg = VideoPixelFormat("JPEG")

  /// Its four characters.
  package var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (8 * $0)) & 0x7F }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// One value, or the values from a smallest to a largest.
///
/// C: discrete, stepwise and continuous enumerations.
package enum VideoRange<Value: Sendable & Hashable>: Sendable, Hashable {
  case one(Value)
  /// `step` is one unit for a continuous range.
  case steps(from: Value, through: Value, by: Value)
}

/// A picture's size in pixels.
package struct VideoSize: Sendable, Hashable {
  package var width: Int
  package var height: Int

  /// A size.
  package init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }
}

/// A fraction of a second.
///
/// C: `v4l2_fract`.
package struct VideoFraction: Sendable, Hashable {
  package var numerator: UInt32
  package var denominator: UInt32

  /// A fraction.
  package init(_ numerator: UInt32, _ denominator: UInt32) {
    self.numerator = numerator
    self.denominator = denominator
  }
}

/// The layout of pictures in a buffer.
///
/// C: `v4l2_pix_format`.
package struct VideoLayout: Sendable, Hashable {
  package var size: VideoSize
  package var format: VideoPixelFormat
  /// Zero when asking: the driver chooses.
  package var strideBytes: Int
  /// The most bytes that a picture takes; zero when asking.
  package var pictureBytes: Int
  /// Whether both fields of a picture lie in one buffer, line by line.
  package var isWholePicture: Bool
  /// Whether luma takes all 256 values instead of 16 to 235.
  package var isFullRange: Bool
  /// Whether the driver has left open which of the two it is, so that ``isFullRange`` is V4L2's rule for its colours.
  package var isRangeAssumed: Bool
  package var matrix: VideoMatrix

  /// A layout to ask for, or one that was granted.
  package init(
    size: VideoSize, format: VideoPixelFormat, strideBytes: Int = 0, pictureBytes: Int = 0,
    isWholePicture: Bool = true, isFullRange: Bool = false, isRangeAssumed: Bool = false,
    matrix: VideoMatrix = .rec601
  ) {
    self.size = size
    self.format = format
    self.strideBytes = strideBytes
    self.pictureBytes = pictureBytes
    self.isWholePicture = isWholePicture
    self.isFullRange = isFullRange
    self.isRangeAssumed = isRangeAssumed
    self.matrix = matrix
  }
}

/// The matrix from red, green and blue to luma and chroma.
///
/// C: `v4l2_ycbcr_encoding`.
package enum VideoMatrix: Sendable, Hashable {
  case rec601, rec709, rec2020
}

/// A buffer that the driver has filled.
///
/// C: `v4l2_buffer`.
package struct FilledBuffer: Sendable, Hashable {
  package var index: Int
  package var usedBytes: Int
  package var sequence: UInt32
  /// `CLOCK_MONOTONIC`; `nil` when the driver stamps with another clock.
  package var monotonicNanoseconds: Int64?
  /// Whether the driver calls the picture broken.
  ///
  /// C: `V4L2_BUF_FLAG_ERROR`.
  package var isBroken: Bool

  /// A filled buffer.
  package init(
    index: Int, usedBytes: Int, sequence: UInt32, monotonicNanoseconds: Int64?, isBroken: Bool = false
  ) {
    self.index = index
    self.usedBytes = usedBytes
    self.sequence = sequence
    self.monotonicNanoseconds = monotonicNanoseconds
    self.isBroken = isBroken
  }
}

/// The reasons why a wait ended; empty at a timeout.
package struct VideoReadiness: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  /// A set by its bits.
  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// A buffer is filled.
  package static let filled = VideoReadiness(rawValue: 1)
  /// The device is gone or in error, or has no buffer to fill.
  package static let failed = VideoReadiness(rawValue: 2)
  /// The signal was given; it is taken back.
  package static let woken = VideoReadiness(rawValue: 4)
  /// A control that was subscribed to has changed.
  package static let changed = VideoReadiness(rawValue: 8)
}
