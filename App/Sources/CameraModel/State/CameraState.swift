import Foundation

/// What the camera screen shows.
package struct CameraState: Sendable, Equatable {
  package var mode = CameraMode.photo
  package var availability = Availability.starting
  package var cameras: [CameraChoice] = []
  package var camera: CameraChoice?
  /// The microphones; known once ``CameraModel/readMicrophones()`` has asked for them.
  package var microphones: [MicrophoneChoice] = []
  package var abilities = CameraAbilities()
  /// The zoom factor as it is shown.
  package var zoom = 1.0
  package var flash = FlashChoice.off
  package var timer = TimerChoice.off
  /// The seconds until the shutter, while it counts down.
  package var countdown: Int?
  package var shutter = ShutterLook.disabled
  /// Photos that were pressed and are not stored yet.
  package var photosUnderWay = 0
  /// Photos of the burst while the shutter is held.
  package var burst: Int?
  /// The newest photo.
  package var lastPhoto: StoredPhoto?
  /// The small picture of a photo that is being stored.
  package var newThumbnail: Thumbnail?
  package var recording = RecordingState()
  package var aim: Aim?
  package var bias = 0.0
  package var scan = ScanState()
  package var depth = DepthState()
  package var virtualCamera = VirtualCameraState.off
  package var figures = Figures()
  /// The picture's width by its height as it is shown.
  package var aspect = 4.0 / 3.0
  /// The part of the picture that a photo would have, in fractions of the picture as it is shown.
  package var crop = PhotoAspect.whole

  /// The screen before the camera is known.
  package init() {}

  /// Whether pictures of this mode can have a filter.
  package var hasFilters: Bool { mode == .video || mode == .photo && abilities.givesPixels }

  /// The small picture that is shown: a photo has one before it is stored.
  package var shownThumbnail: Thumbnail? { newThumbnail ?? lastPhoto?.thumbnail }
}

/// How the shutter button looks; it follows what the photo output says of the next press.
package enum ShutterLook: Sendable, Equatable {
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
package struct Aim: Sendable, Equatable {
  package var x: Double
  package var y: Double
  /// Whether the camera still moves its lens or its exposure.
  package var isAdjusting: Bool
}

/// A photo or film that is kept.
package struct StoredPhoto: Sendable, Equatable {
  package var place: MediaPlace
  /// A small picture of it, upright.
  package var thumbnail: Thumbnail

  /// The file, for what is not in the library.
  package var url: URL? { place.url }
}

/// What the overlay shows of the frames.
package struct Figures: Sendable, Equatable {
  package var framesPerSecond = 0.0
  /// Frames that were late for the screen and were left out.
  package var late = 0
  /// Milliseconds from the exposure of the newest frame to its picture.
  package var latencyMilliseconds = 0.0
  package var width = 0
  package var height = 0
}
