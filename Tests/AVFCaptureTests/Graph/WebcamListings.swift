import AVFCapture
import CaptureDevice
import CoreVideo
import Foundation
import FoundationExtras

/// The format lists of real cameras, as `v4l2-ctl --list-formats-ext` printed them for their owners, and what each preset
/// must make of them.
///
/// A camera begins with `*`, its name and where the list was published. Then come its formats: the kernel's code, and sizes
/// with the highest of their rates (`?` where the driver tells none and the backend assumes 30). Last, behind `>`, the
/// presets. Formats that nothing here reads are left out as the backend does.
enum WebcamListings {
  static let text = """
    * Logitech C920 (046d:082d), github.com/Motion-Project/motion/issues/86
    YUYV 640x480@30 160x90@30 160x120@30 176x144@30 320x180@30 320x240@30 352x288@30 432x240@30 640x360@30 800x448@30
    YUYV 800x600@24 864x480@24 960x720@15 1024x576@15 1280x720@10 1600x896@7.5 1920x1080@5 2304x1296@2 2304x1536@2
    MJPG 640x480@30 160x90@30 160x120@30 176x144@30 320x180@30 320x240@30 352x288@30 432x240@30 640x360@30 800x448@30
    MJPG 800x600@30 864x480@30 960x720@30 1024x576@30 1280x720@30 1600x896@30 1920x1080@30
    > high=MJPG 1920x1080, photo=MJPG 1920x1080, 4k=none, 1080=MJPG 1920x1080, 720=MJPG 1280x720, vga=YUYV 640x480
    > cif=YUYV 352x288, medium=YUYV 640x360, low=YUYV 176x144, 540=none

    * MacroSilicon HDMI grabber (534d:2109), github.com/PrawnMan/HdmiPi-Streaming
    MJPG 1920x1080@30 1600x1200@30 1360x768@30 1280x1024@30 1280x960@50 1280x720@60 1024x768@60 800x600@60 720x576@60
    MJPG 720x480@60 640x480@60
    YUYV 1920x1080@5 1600x1200@5 1360x768@8 1280x1024@8 1280x960@8 1280x720@10 1024x768@10 800x600@20 720x576@25
    YUYV 720x480@30 640x480@30
    > high=MJPG 1920x1080, photo=MJPG 1920x1080, 1080=MJPG 1920x1080, 720=MJPG 1280x720, vga=YUYV 640x480, cif=none
    > medium=YUYV 640x480, low=YUYV 640x480

    * VXIS USB 3 HDMI grabber, github.com/maximus64/vxis-capture-fw-mod
    MJPG 1920x1080@60 640x480@60 800x600@60 1024x768@60 1280x720@60 1280x960@60 1280x1024@60 1360x768@60 1440x900@60
    YUYV 1920x1080@60 640x480@60 800x600@60 1024x768@60 1280x720@60 1280x960@60 1280x1024@60 1360x768@60 1440x900@60
    > high=YUYV 1920x1080, photo=YUYV 1920x1080, 1080=YUYV 1920x1080, 720=YUYV 1280x720, vga=YUYV 640x480, 4k=none

    * Elgato Cam Link 4K with a UHD signal, github.com/pikvm/ustreamer/issues/97
    NV12 3840x2160@30
    YU12 3840x2160@30
    > high=NV12 3840x2160, photo=NV12 3840x2160, 4k=NV12 3840x2160, 1080=none, vga=none, low=NV12 3840x2160

    * Elgato Cam Link 4K with a 1080p25 signal, github.com/xkahn/camlink/issues/2
    YUYV 1920x1080@25
    NV12 1920x1080@25
    YU12 1920x1080@25
    > high=NV12 1920x1080, photo=NV12 1920x1080, 1080=NV12 1920x1080, 720=none, medium=NV12 1920x1080

    * Kodak PixPro 4KVR360, github.com/knorth55/eus_vive/pull/20
    MJPG 3840x2160@5 2880x2880@5 2048x2048@5 1440x1440@15 1920x1080@15 1280x720@30 640x360@30
    > high=MJPG 1280x720, photo=MJPG 3840x2160, 4k=MJPG 3840x2160, 1080=MJPG 1920x1080, 720=MJPG 1280x720, vga=none
    > medium=MJPG 640x360, low=MJPG 640x360

    * Surface Laptop 3's infrared camera, github.com/linux-surface/linux-surface/issues/428
    GREY 480x480@60
    > high=GREY 480x480, photo=GREY 480x480, vga=none, medium=GREY 480x480

    * Withrobot oCam-1MGN, github.com/pikvm/ustreamer/issues/170
    GREY 1280x960@30 1280x720@30 640x480@100 320x240@180
    > high=GREY 1280x960, photo=GREY 1280x960, 720=GREY 1280x720, vga=GREY 640x480, medium=GREY 640x480, low=GREY 320x240

    * Arducam AR0234, github.com/ros-drivers/usb_cam/issues/350
    Y16 1920x1200@? 1920x1080@? 1280x720@?
    > high=Y16 1920x1080, photo=Y16 1920x1200, 1080=Y16 1920x1080, 720=Y16 1280x720, low=Y16 1280x720

    * A laptop's camera beside an infrared one, github.com/EmixamPP/linux-enable-ir-emitter/issues/11 (raw sizes cut off)
    MJPG 1280x720@30 320x180@30 320x240@30 352x288@30 424x240@30 640x360@30 640x480@30 848x480@30 960x540@30
    YUYV 1280x720@10 320x180@30
    > high=MJPG 1280x720, photo=MJPG 1280x720, 720=MJPG 1280x720, 540=MJPG 960x540, cif=MJPG 352x288, 1080=none

    * Logitech BRIO on a USB 2 cable, github.com/soyersoyer/cameractrls/issues/48 (compressed sizes)
    MJPG 1920x1080@30 1600x896@30 1280x720@30 1024x576@30 960x540@30 848x480@30 800x600@30 800x448@30 640x480@30
    MJPG 640x360@30 480x270@30 424x240@30 352x288@30 320x240@30 320x180@30 176x144@30 160x120@30
    > high=MJPG 1920x1080, photo=MJPG 1920x1080, 4k=none, 720=MJPG 1280x720, 540=MJPG 960x540, medium=MJPG 640x360
    > low=MJPG 176x144
    """

  /// One camera of the text.
  struct Camera: Sendable {
    var name: String
    var formats: [(code: String, format: StreamFormat)] = []
    var expected: [(preset: AVCaptureSession.Preset, choice: String)] = []
  }

  enum Mistake: Error {
    case line(String)
  }

  private static let encodings: [String: FrameEncoding] = [
    "YUYV": .pixels(kCVPixelFormatType_422YpCbCr8_yuvs), "MJPG": .motionJPEG,
    "NV12": .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange),
    "YU12": .pixels(kCVPixelFormatType_420YpCbCr8Planar), "GREY": .pixels(kCVPixelFormatType_OneComponent8),
    "Y16": .pixels(kCVPixelFormatType_OneComponent16),
  ]

  private static let presets: [String: AVCaptureSession.Preset] = [
    "high": .high, "medium": .medium, "low": .low, "photo": .photo, "4k": .hd4K3840x2160,
    "1080": .hd1920x1080,
    "720": .hd1280x720, "540": .iFrame960x540, "vga": .vga640x480, "cif": .cif352x288,
  ]

  static func cameras() throws -> [Camera] {
    var cameras: [Camera] = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch words[0] {
      case "*": cameras.append(Camera(name: words.dropFirst().joined(separator: " ")))
      case ">": cameras[cameras.count - 1].expected += try expected(String(line.dropFirst(2)))
      default: cameras[cameras.count - 1].formats += try words.dropFirst().map { try format(words[0], $0) }
      }
    }
    return cameras
  }

  private static func format(_ code: String, _ word: String) throws -> (String, StreamFormat) {
    let parts = word.split(whereSeparator: { "x@".contains($0) }).map(String.init)
    guard parts.count == 3, let encoding = encodings[code], let width = Int(parts[0]),
      let height = Int(parts[1]),
      let rate = parts[2] == "?" ? 30 : Double(parts[2])
    else { throw Mistake.line(word) }
    let duration = FrameDuration(2, Int32(2 * rate))
    return (
      code,
      StreamFormat(
        size: FrameSize(width: width, height: height), encoding: encoding,
        frameDurations: [duration...duration])
    )
  }

  private static func expected(_ line: String) throws -> [(AVCaptureSession.Preset, String)] {
    try line.components(separatedBy: ", ").map { entry in
      let parts = entry.components(separatedBy: "=")
      guard parts.count == 2, let preset = presets[parts[0]] else { throw Mistake.line(entry) }
      return (preset, parts[1])
    }
  }
}
