import Foundation
import VirtualCameras

/// The state of the camera screen.
package struct CameraState: Sendable, Equatable {
  package var mode = CameraMode.photo
  package var availability = Availability.starting
  /// The folder for photos and videos, where nothing can be written in it.
  package var lockedFolder: String?
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
  /// The seconds for which the camera shall be held still, while the shutter is open for long.
  package var exposureLeft: Int?
  /// Whether the screen is the flash of a photo now: then the window is white.
  package var isScreenFlash = false
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
  package var effects = EffectsState()
  package var figures = PreviewFigures()
  /// The picture's width by its height as it is shown.
  package var aspect = 4.0 / 3.0
  /// The part of the picture that a photo would have, in fractions of the picture as it is shown.
  package var crop = PhotoAspect.whole

  /// The screen before the camera is known.
  package init() {}

  /// The folder for photos and videos that is in the way of this mode.
  package var folderInTheWay: String? { mode == .scan ? nil : lockedFolder }

  /// Whether the depth screen has a camera that measures none.
  package var lacksDepth: Bool { mode == .depth && camera?.measuresDepth == false }

  /// Whether pictures of this mode can have a filter.
  package var hasFilters: Bool { mode == .video || mode == .photo && abilities.givesPixels }

  /// The small picture that is shown: a photo has one before it is stored.
  package var shownThumbnail: Thumbnail? { newThumbnail ?? lastPhoto?.thumbnail }
}

/// The appearance of the shutter button; it follows the photo output's readiness for the next press.
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

/// The point that the user wants sharp and well exposed, in fractions of the picture as it is shown.
package struct Aim: Sendable, Equatable {
  package var x: Double
  package var y: Double
  /// Whether the camera still moves its lens or its exposure.
  package var isAdjusting: Bool
}

/// A photo or video that is kept.
package struct StoredPhoto: Sendable, Equatable {
  package var place: MediaPlace
  /// A small picture of it, upright.
  package var thumbnail: Thumbnail

  /// The file, for what is not in the library.
  package var url: URL? { place.url }
}

/// The numbers about the frames that the overlay shows.
package struct PreviewFigures: Sendable, Equatable {
  package var framesPerSecond = 0.0
  /// Frames that were late for the screen and were left out.
  package var late = 0
  /// Milliseconds from the exposure of the newest frame to its picture.
  package var latencyMilliseconds = 0.0
  package var width = 0
  package var height = 0
}
