import AVFoundation
import VirtualCameras

/// A report of the capture engine to the model.
enum CaptureEvent: Sendable {
  case availability(Availability)
  case cameras([CameraChoice])
  case microphones([MicrophoneChoice])
  case camera(CameraChoice?, CameraAbilities)
  case zoom(Double)
  case photoExposed
  /// A photo in the dark whose shutter is open for long; seconds until it is there at the earliest.
  case longExposure(seconds: Double)
  case longExposureEnded
  /// The screen is the flash of a photo, from before its exposure until it is over.
  case screenFlash(isLit: Bool)
  case thumbnail(Thumbnail)
  case photoStored(StoredPhoto)
  case keptAsFile(String)
  case photoFailed(String)
  case photoNotStored(String)
  case photoEnded
  case recording(RecordingState.Phase)
  case recordingFigures(seconds: Double, bytes: Int64, level: Double?, free: Int64?, missed: Int)
  case movieStored(StoredPhoto)
  case movieFailed(String)
  case movieEnded(String)
  /// A time-lapse has ended that lacks so many pictures.
  case picturesMissed(Int)
  case lookFailed(name: String, LookProblem)
  /// A place is aimed at; `isWatched` where the camera says when something else is there.
  case aimed(isWatched: Bool)
  case subjectAreaChanged
  case codes([FoundCode])
  case depth(DepthReading)
  case depthSaved(URL)
  /// The reason is the system's; empty where nothing was measured.
  case depthNotSaved(String)
  case controls([ControlItem])
  case controlFailed(String)
  case virtualCamera(VirtualCameraState)
  case effects(EffectsState)
  case effectNotKept(String)
}

/// The distances of one depth map in metres, and whether it completes a nod.
struct DepthReading: Sendable {
  var metres: Double?
  var nearest: Double?
  var farthest: Double?
  var isNod: Bool
}
