/// The abilities of the camera in use, which decide the controls that are shown.
package struct CameraAbilities: Sendable, Equatable {
  /// The factors that zoom may have, as they are shown: 1 is the main lens.
  package var zoom: ClosedRange<Double> = 1...1
  /// The factors that have a button of their own.
  package var zoomPresets: [Double] = []
  package var flashModes: [FlashChoice] = []
  package var canFocusAtPoint = false
  package var canExposeAtPoint = false
  /// Stops that the exposure can be made darker or brighter; none when the camera cannot.
  package var bias: ClosedRange<Double>?
  package var hasTorch = false
  package var supportsZeroShutterLag = false
  package var supportsResponsiveCapture = false
  package var supportsFastCapture = false
  package var supportsDeferredProcessing = false
  package var supportsLivePhotos = false
  package var supportsDepthInPhotos = false
  /// The pixel format of the camera's raw pictures; `nil` where it hands none on.
  package var rawFormat: UInt32?
  /// Whether raw pictures can be chosen: the camera hands them on, or is of several lenses, whose main one takes them.
  package var offersRaw = false
  package var photoFormats: [PhotoFormat] = [.jpeg]
  /// Whether photos come as pixels where that is asked for, which filters need.
  package var givesPixels = false

  /// A camera that can do nothing special.
  package init() {}
}

/// The user's choice of the flash.
package enum FlashChoice: String, Sendable, Hashable, CaseIterable, Codable {
  case off, auto, on
}

/// The seconds that the shutter waits after the press.
package enum TimerChoice: Int, Sendable, Hashable, CaseIterable, Codable {
  case off = 0
  case three = 3
  case ten = 10
}

/// The file format of a photo.
package enum PhotoFormat: String, Sendable, Hashable, CaseIterable, Codable {
  case jpeg, heic
  /// Without loss, and large.
  case png

  /// The extension of a file's name.
  package var suffix: String { self == .jpeg ? "jpg" : rawValue }

  /// The type of its files.
  var typeIdentifier: String { "public.\(rawValue)" }
}

/// The priority between a photo's speed and its quality.
package enum PhotoQuality: String, Sendable, Hashable, CaseIterable, Codable {
  case speed, balanced, quality
}
