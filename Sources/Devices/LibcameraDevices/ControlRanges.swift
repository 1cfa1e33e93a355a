internal import CaptureDevice

/// The controls that a camera takes in one configuration, by what the rest of the library calls them.
struct ControlRanges: Sendable, Hashable {
  private let ranges: [LibraryControl: ControlRange]

  init(_ ranges: [ControlRange]) {
    self.ranges = Dictionary(ranges.map { ($0.control, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(_ control: LibraryControl) -> ControlRange? { ranges[control] }

  func has(_ control: LibraryControl) -> Bool { ranges[control] != nil }

  /// The numbers that a control takes; `nil` for a control that it lacks.
  func numbers(_ control: LibraryControl) -> ClosedRange<Double>? {
    guard let range = ranges[control], let least = range.least.first, let greatest = range.greatest.first,
      least <= greatest
    else { return nil }
    return least...greatest
  }

  /// Whether a menu has an entry; of those whose entries the library does not list, whether it lies between them.
  func takes(_ control: LibraryControl, _ value: Double) -> Bool {
    guard let range = ranges[control] else { return false }
    return range.values.isEmpty ? numbers(control)?.contains(value) ?? false : range.values.contains(value)
  }

  // MARK: In the library's words

  /// Nanoseconds that one exposure may take.
  var exposureNanoseconds: ClosedRange<Int64>? {
    guard let range = numbers(.exposureTime), range.upperBound >= 1 else { return nil }
    let nanoseconds = { (microseconds: Double) in Int64(max(microseconds, 1) * 1000) }
    return nanoseconds(range.lowerBound)...nanoseconds(range.upperBound)
  }

  /// The gain that stands for ISO 100.
  static let isoOfGain: Float = 100

  /// The sensor's analogue gain as ISO: 100 for a gain of 1.
  var iso: ClosedRange<Float>? {
    guard let range = numbers(.analogueGain), range.upperBound > 0 else { return nil }
    return Float(max(range.lowerBound, 0.01)) * Self.isoOfGain...Float(range.upperBound) * Self.isoOfGain
  }

  /// The durations of a frame; `nil` where the camera does not take them.
  var frameDurations: ClosedRange<FrameDuration>? {
    guard let range = numbers(.frameDurationLimits), range.lowerBound >= 1, range.upperBound < 1e9
    else { return nil }
    return FrameDuration(microseconds: range.lowerBound)...FrameDuration(microseconds: range.upperBound)
  }

  /// The greatest part of the sensor that pictures can show, in its pixels.
  var wholeCrop: CropRectangle? { ranges[.scalerCrop].flatMap { CropRectangle($0.greatest) } }

  /// How far pictures can be zoomed; 1 where they cannot.
  var maxZoom: Double {
    guard let whole = wholeCrop, let least = ranges[.scalerCrop].flatMap({ CropRectangle($0.least) }),
      least.width > 0, least.height > 0
    else { return 1 }
    return max(min(whole.width / least.width, whole.height / least.height, Self.greatestZoom), 1)
  }

  /// More shows a handful of the sensor's pixels.
  private static let greatestZoom = 16.0

  /// The controls that can be changed.
  var capabilities: CameraCapabilities {
    var all = CameraCapabilities()
    if has(.aeEnable) {
      all.exposureModes = [.locked, .auto, .continuousAuto]
      if exposureNanoseconds != nil, iso != nil { all.exposureModes.insert(.custom) }
    }
    if let bias = numbers(.exposureValue) {
      all.exposureBias = Float(bias.lowerBound)...Float(bias.upperBound)
    }
    if has(.awbEnable) {
      all.whiteBalanceModes = [.locked, .auto, .continuousAuto]
      if let gains = numbers(.colourGains), gains.upperBound > 1 {
        all.whiteBalanceGains = 1...Float(gains.upperBound)
      }
    }
    for (mode, value) in [(FocusMode.locked, AFMode.manual), (.auto, .auto), (.continuousAuto, .continuous)]
    where takes(.afMode, value.rawValue) {
      all.focusModes.insert(mode)
    }
    if !all.focusModes.isEmpty {
      all.focusSystem = all.focusModes == [.locked] ? .none : .contrastDetection
      all.hasLensPosition =
        all.focusModes.contains(.locked)
        && (numbers(.lensPosition).map { $0.upperBound > $0.lowerBound } ?? false)
      all.hasFocusRange = [AFRange.normal, .near, .everywhere].allSatisfy { takes(.afRange, $0.rawValue) }
      all.hasSmoothFocus = takes(.afSpeed, 0) && takes(.afSpeed, 1)
      all.hasFocusPoint = has(.afWindows) && takes(.afMetering, 1) && wholeCrop != nil
    }
    return all
  }
}

/// libcamera's numbers of its modes of focus.
enum AFMode: Double {
  case manual = 0
  case auto = 1
  case continuous = 2
}

/// libcamera's numbers of the distances that are searched.
enum AFRange: Double {
  case normal = 0
  case near = 1
  case everywhere = 2
}

/// A rectangle in the sensor's pixels.
struct CropRectangle: Sendable, Hashable {
  var left: Double
  var top: Double
  var width: Double
  var height: Double

  init(left: Double, top: Double, width: Double, height: Double) {
    (self.left, self.top, self.width, self.height) = (left, top, width, height)
  }

  /// `nil` for what is no rectangle.
  init?(_ numbers: [Double]) {
    guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
    self.init(left: numbers[0], top: numbers[1], width: numbers[2], height: numbers[3])
  }

  var numbers: [Double] { [left, top, width, height] }

  /// The largest part of it in the shape of `size`, in its middle, `zoom` times smaller.
  func part(shapedAs size: FrameSize, zoom: Double) -> CropRectangle {
    let shape = Double(size.width) / Double(max(size.height, 1))
    let (fullWidth, fullHeight) =
      width / height > shape ? (height * shape, height) : (width, width / shape)
    let (partWidth, partHeight) = ((fullWidth / zoom).rounded(), (fullHeight / zoom).rounded())
    return CropRectangle(
      left: left + ((width - partWidth) / 2).rounded(.down),
      top: top + ((height - partHeight) / 2).rounded(.down), width: partWidth, height: partHeight)
  }
}

extension FrameDuration {
  /// The duration of so many microseconds; of one that is a whole number of frames a second but for the rounding, just that.
  init(microseconds: Double) {
    let rate = (1e6 / microseconds).rounded()
    if rate >= 1, abs(1e6 / rate - microseconds) < 1 {
      self.init(1, Int32(rate))
    } else {
      self.init(Int32(microseconds.rounded()), 1_000_000)
    }
  }

  /// The nearest microsecond.
  var microseconds: Double { (Double(nanoseconds) / 1000).rounded() }
}
