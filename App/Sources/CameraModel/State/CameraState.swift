import Foundation

/// What the camera screen shows.
public struct CameraState: Sendable, Equatable {
  public var mode = CameraMode.photo
  public var availability = Availability.starting
  public var cameras: [CameraChoice] = []
  public var camera: CameraChoice?
  public var abilities = CameraAbilities()
  /// The zoom factor as it is shown.
  public var zoom = 1.0
  public var flash = FlashChoice.off
  public var timer = TimerChoice.off
  /// The seconds until the shutter, while it counts down.
  public var countdown: Int?
  public var shutter = ShutterLook.disabled
  /// Photos that were pressed and are not stored yet.
  public var photosUnderWay = 0
  /// Photos of the burst while the shutter is held.
  public var burst: Int?
  /// The newest photo.
  public var lastPhoto: StoredPhoto?
  public var recording = RecordingState()
  public var aim: Aim?
  public var bias = 0.0
  public var scan = ScanState()
  public var depth = DepthState()
  public var figures = Figures()
  /// The picture's width by its height as it is shown.
  public var aspect = 4.0 / 3.0

  /// The screen before the camera is known.
  public init() {}
}

/// How the shutter button looks; it follows what the photo output says of the next press.
public enum ShutterLook: Sendable, Equatable {
  /// Nothing can be taken: no picture comes.
  case disabled
  case ready
  /// Not now, but in a moment: it looks as if it were ready, and a press waits.
  case momentarilyBusy
  /// A photo is being exposed.
  case exposing
  /// A photo is being made, and the next must wait.
  case processing
}

/// Where the user wants the picture sharp and rightly exposed; fractions of the picture as it is shown.
public struct Aim: Sendable, Equatable {
  public var x: Double
  public var y: Double
  /// Whether the camera still moves its lens or its exposure.
  public var isAdjusting: Bool
}

/// A photo in its folder.
public struct StoredPhoto: Sendable, Equatable {
  public var url: URL
  /// A small picture of it, upright.
  public var thumbnail: Thumbnail
}

/// What the overlay tells of the frames.
public struct Figures: Sendable, Equatable {
  public var framesPerSecond = 0.0
  /// Frames that were late for the screen and were left out.
  public var late = 0
  /// Milliseconds from the exposure of the newest frame to its picture.
  public var latencyMilliseconds = 0.0
  public var width = 0
  public var height = 0
}
