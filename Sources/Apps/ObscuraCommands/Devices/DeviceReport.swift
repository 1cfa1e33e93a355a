internal import AVFCapture
internal import AVFoundation
internal import CaptureDevice
internal import Foundation

/// The JSON object of `obscura devices --json` for one device.
///
/// Keys may be added without a new ``version``; none changes its meaning or goes.
struct DeviceReport: Encodable, Sendable {
  struct Format: Encodable, Sendable {
    var width: Int32
    var height: Int32
    /// The four letters of the pixel format or codec.
    var encoding: String
    var minimumRate: Double
    var maximumRate: Double
    var stillWidth: Int32
    var stillHeight: Int32
    /// The size of photos with `--largest`.
    var largestStillWidth: Int32
    var largestStillHeight: Int32
    /// Degrees across; 0 where unknown.
    var fieldOfView: Float = 0
    var maximumZoom: Double = 1
    /// Up to which zoom a frame shows no more than the sensor has.
    var sharpZoom: Double = 1
    var exposureSeconds: Range?
    var iso: Range?
    var hasHDR = false
    var hasWideColor = false
    var supportsMultiCam = false
    var stabilizationModes: [String] = []
    /// The frames that are kept for photos of the past; 0 where none can be.
    var keptFrames = 0
    /// The most memory that they take here, in bytes; 0 where the camera itself keeps them.
    var keptBytes = 0
    /// The formats of depth maps meanwhile; empty where depth cannot be measured.
    var depthFormats: [Depth] = []
  }

  /// A way to measure distances.
  struct Depth: Encodable, Sendable, Hashable {
    var width: Int32
    var height: Int32
    /// The four letters of the pixel format: `hdep` and `fdep` are depth, `hdis` and `fdis` disparity.
    var encoding: String
    var minimumRate: Double
    var maximumRate: Double
  }

  struct Audio: Encodable, Sendable {
    /// Samples of one channel in a second.
    var rate: Double
    var channels: UInt32
    /// Bits of one sample.
    var bits: UInt32
  }

  var schema = "obscura.device"
  var version = 1
  var index: Int
  var id: String
  var name: String
  var kind: String
  var position: String
  var type: String
  var formats: [Format]
  /// Formats of the device that nothing here reads.
  var unreadableFormats: [String]
  /// The formats of a microphone, the default first; empty for a camera.
  var soundFormats: [Audio]
  var exposureModes: [String]
  /// `nil` for a microphone.
  var controls: Controls?
  /// Every control of the driver; `nil` without `--controls`.
  var driverControls: [DriverControlReport]?

  init(_ device: AVCaptureDevice, index: Int) {
    self.index = index
    id = device.uniqueID
    name = device.localizedName
    kind = device.hasMediaType(.video) ? "camera" : "microphone"
    position =
      switch device.position {
      case .back: "back"
      case .front: "front"
      default: "unspecified"
      }
    type = device.deviceType.rawValue
    formats = device.hasMediaType(.video) ? device.formats.map { Format($0, of: device.facts) } : []
    unreadableFormats = device.facts.unreadableFormats
    soundFormats =
      device.hasMediaType(.video)
      ? [] : device.formats.compactMap { $0.formatDescription.audioStreamBasicDescription }.map(Audio.init)
    let modes: [(AVCaptureDevice.ExposureMode, String)] = [
      (.locked, "locked"), (.autoExpose, "auto"), (.continuousAutoExposure, "continuous"),
      (.custom, "custom"),
    ]
    exposureModes = modes.filter { device.isExposureModeSupported($0.0) }.map(\.1)
    controls = device.hasMediaType(.video) ? Controls(device.facts) : nil
  }

  /// The same for people.
  var lines: [String] {
    var lines = ["\(index): \(name)", "   id \(id), \(position) \(kind), \(type)"]
    if let driverControls {
      let none = driverControls.isEmpty ? ["   its driver has no controls of its own"] : []
      return lines + none + driverControls.map { "   \($0.text)" }
    }
    lines += controls?.lines(exposureModes: exposureModes).map { "   \($0)" } ?? []
    lines += formats.map { "   \($0.text)" }
    lines += depthLines.map { "   \($0)" }
    lines += unreadableFormats.map { "   \($0.trimmingCharacters(in: .whitespaces)): cannot be read here" }
    lines += soundFormats.map { "   \($0.text)" }
    return lines
  }
}

extension DeviceReport {
  /// The formats of depth maps, one line for each size.
  private var depthLines: [String] {
    var sizes: [(depth: Depth, encodings: [String])] = []
    for depth in formats.flatMap(\.depthFormats) {
      guard
        let index = sizes.firstIndex(where: {
          $0.depth.width == depth.width && $0.depth.height == depth.height
        })
      else {
        sizes.append((depth, [depth.encoding]))
        continue
      }
      if !sizes[index].encodings.contains(depth.encoding) { sizes[index].encodings.append(depth.encoding) }
    }
    return sizes.map { size in
      let rates = Format.rates(size.depth.minimumRate, size.depth.maximumRate)
      return
        "depth \(size.depth.width)×\(size.depth.height) at \(rates)/s as \(size.encodings.joined(separator: ", "))"
    }
  }
}

extension DeviceReport.Depth {
  init(_ format: AVCaptureDevice.Format) {
    let size = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
    let rates = format.videoSupportedFrameRateRanges
    self.init(
      width: size.width, height: size.height,
      encoding: DeviceReport.Format.letters(CMFormatDescriptionGetMediaSubType(format.formatDescription)),
      minimumRate: rates.map(\.minFrameRate).min() ?? 0, maximumRate: rates.map(\.maxFrameRate).max() ?? 0)
  }
}

extension DeviceReport.Audio {
  init(_ format: AudioStreamBasicDescription) {
    self.init(
      rate: format.mSampleRate, channels: format.mChannelsPerFrame, bits: format.mBitsPerChannel)
  }

  var text: String {
    "\(Int(rate)) Hz, \(channels == 1 ? "1 channel" : "\(channels) channels"), \(bits) bits"
  }
}

extension DeviceReport.Format {
  init(_ format: AVCaptureDevice.Format, of device: DeviceFacts) {
    let size = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
    let usual = format.highResolutionStillImageDimensions
    let still = usual.width > 0 ? usual : size
    let largest = format.supportedMaxPhotoDimensions.last ?? size
    let rates = format.videoSupportedFrameRateRanges
    self.init(
      width: size.width, height: size.height,
      encoding: Self.letters(CMFormatDescriptionGetMediaSubType(format.formatDescription)),
      minimumRate: rates.map(\.minFrameRate).min() ?? 0, maximumRate: rates.map(\.maxFrameRate).max() ?? 0,
      stillWidth: still.width, stillHeight: still.height, largestStillWidth: largest.width,
      largestStillHeight: largest.height)
    fieldOfView = format.videoFieldOfView
    guard let facts = format.streamFormat else { return }
    maximumZoom = facts.maxZoom
    sharpZoom = facts.zoomUpscaleThreshold
    exposureSeconds = DeviceReport.Controls.exposure(facts)
    iso = DeviceReport.Range(facts.iso)
    hasHDR = facts.supportsHDR
    hasWideColor = facts.supportsP3
    supportsMultiCam = facts.supportsMultiCam
    if let history = HistoryPlan(usualFor: facts, of: device) {
      keptFrames = history.frames
      keptBytes = history.frames * history.frameBytes
    }
    depthFormats = format.supportedDepthDataFormats.map(DeviceReport.Depth.init)
    stabilizationModes = StabilizationMode.allCases.filter(facts.stabilizationModes.contains).map { "\($0)" }
  }

  fileprivate static func letters(_ code: FourCharCode) -> String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return String(code) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func rate(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(format: "%.2f", value)
  }

  fileprivate static func rates(_ minimum: Double, _ maximum: Double) -> String {
    minimum == maximum ? rate(maximum) : "\(rate(minimum))–\(rate(maximum))"
  }

  var text: String {
    let rates = Self.rates(minimumRate, maximumRate)
    let usual = stillWidth == width && stillHeight == height ? "" : ", stills \(stillWidth)×\(stillHeight)"
    let isUsual = largestStillWidth == stillWidth && largestStillHeight == stillHeight
    let still = usual + (isUsual ? "" : ", largest stills \(largestStillWidth)×\(largestStillHeight)")
    let zoom = maximumZoom > 1 ? ", zoom to \(Self.rate(maximumZoom))" : ""
    let kept =
      keptFrames == 0
      ? ""
      : ", keeps \(keptFrames) frames"
        + (keptBytes > 0 ? " in \(Self.rate((Double(keptBytes) / 100_000).rounded(.up) / 10)) MB" : "")
    let others = supportsMultiCam ? ", beside other cameras" : ""
    return "\(encoding) \(width)×\(height) at \(rates)/s\(still)\(zoom)\(kept)\(others)"
  }
}
