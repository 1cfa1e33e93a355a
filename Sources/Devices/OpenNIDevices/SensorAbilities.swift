internal import CaptureDevice
internal import CoreVideo

/// The abilities of a depth camera, as its driver states them.
struct SensorAbilities: Sendable, Hashable {
  /// The modes of pictures that are read here.
  let color: [SensorMode]
  /// The modes of distances that are read here.
  let depth: [SensorMode]
  /// Whether the device can lay distances upon colours.
  let canRegister: Bool
  /// The horizontal fields of view in degrees; `nil` where they are unknown.
  let colorView: Double?
  let depthView: Double?

  /// - Parameters:
  ///   - color: All modes of pictures, those that nothing here reads among them.
  ///   - depth: All modes of distances, likewise.
  init(color: [SensorMode], depth: [SensorMode], canRegister: Bool, colorView: Double?, depthView: Double?) {
    self.color = color.filter { $0.isPlausible && SensorPixels.color($0.pixelFormat) != nil }
    self.depth = depth.filter { $0.isPlausible && SensorPixels.depth($0.pixelFormat) != nil }
    self.canRegister = canRegister
    self.colorView = colorView
    self.depthView = depthView
  }

  /// The lens of the pictures; `nil` where that would be taken for the lens of maps that have another, unknown one.
  var lens: LensFacts? {
    let maps = formats.flatMap(\.depthFormats)
    guard maps.allSatisfy({ $0.isAligned || $0.lens != nil }) else { return nil }
    return colorView.map { LensFacts(fieldOfView: $0) }
  }

  /// The formats of pictures, the largest last, each with all that can be measured beside it.
  var formats: [StreamFormat] {
    var found: [StreamFormat] = []
    for size in Self.sizes(color) {
      let modes = color.filter { $0.size == size }
      let numbers = Set(modes.map(\.pixelFormat)).compactMap { number in
        SensorPixels.color(number).map { (number, $0) }
      }
      for (number, pixels) in numbers.sorted(by: { $0.1.preference < $1.1.preference }) {
        var format = StreamFormat(
          size: size, encoding: .pixels(pixels.format),
          frameDurations: Self.durations(modes.filter { $0.pixelFormat == number }))
        format.depthFormats = depthFormats(beside: size)
        found.append(format)
      }
    }
    return found
  }

  /// Each size of maps as 32-bit and as 16-bit metres: the sensor's whole numbers become either.
  private func depthFormats(beside size: FrameSize) -> [DepthStreamFormat] {
    Self.sizes(depth).flatMap { own in
      // Maps are laid upon pictures of their own shape.
      let isAligned = canRegister && own.width * size.height == own.height * size.width
      return [kCVPixelFormatType_DepthFloat32, kCVPixelFormatType_DepthFloat16].map { pixelFormat in
        var format = DepthStreamFormat(
          size: own, pixelFormat: pixelFormat,
          frameDurations: Self.durations(depth.filter { $0.size == own }),
          isAligned: isAligned)
        if !isAligned { format.lens = depthView.map { LensFacts(fieldOfView: $0) } }
        return format
      }
    }
  }

  /// The mode of pictures that a stream of this configuration runs in; `nil` for a format that the camera lacks.
  func colorMode(_ configuration: StreamConfiguration) -> SensorMode? {
    guard case .pixels(let wanted) = configuration.format.encoding else { return nil }
    let fitting = color.filter {
      $0.size == configuration.size && SensorPixels.color($0.pixelFormat)?.format == wanted
    }
    return Self.nearest(fitting, to: configuration.frameDuration)
  }

  /// The mode of maps that a stream of this configuration runs in: no faster than was asked, where there is a choice.
  func depthMode(_ configuration: DepthConfiguration) -> SensorMode? {
    let fitting = depth.filter { $0.size == configuration.format.size }
    let slow = fitting.filter { $0.duration >= configuration.frameDuration }
    // Millimetres come before what is finer and reaches less far.
    return Self.nearest(slow.isEmpty ? fitting : slow, to: configuration.frameDuration)
  }

  private static func nearest(_ modes: [SensorMode], to duration: FrameDuration) -> SensorMode? {
    modes.min { one, other in
      let distances = [one, other].map { abs($0.duration.nanoseconds - duration.nanoseconds) }
      return (distances[0], one.pixelFormat) < (distances[1], other.pixelFormat)
    }
  }

  private static func sizes(_ modes: [SensorMode]) -> [FrameSize] {
    Set(modes.map(\.size)).sorted { ($0.width * $0.height, $0.width) < ($1.width * $1.height, $1.width) }
  }

  private static func durations(_ modes: [SensorMode]) -> [ClosedRange<FrameDuration>] {
    Set(modes.map(\.rate)).sorted(by: >).map { FrameDuration(1, Int32($0)) }.map { $0...$0 }
  }
}

extension SensorMode {
  /// The time that a frame takes.
  var duration: FrameDuration { FrameDuration(1, Int32(rate)) }

  /// Whether the numbers can be those of a sensor: a damaged file may state any.
  fileprivate var isPlausible: Bool {
    (1...8192).contains(size.width) && (1...8192).contains(size.height) && (1...1000).contains(rate)
  }
}
