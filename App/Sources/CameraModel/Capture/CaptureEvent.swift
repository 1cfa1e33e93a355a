import AVFoundation

/// What the camera reports to the model.
enum CaptureEvent: Sendable {
  case availability(Availability)
  case cameras([CameraChoice])
  case microphones([MicrophoneChoice])
  case camera(CameraChoice?, CameraAbilities)
  case zoom(Double)
  case photoExposed
  case thumbnail(Thumbnail)
  case photoStored(StoredPhoto)
  case keptAsFile(String)
  case photoFailed(String)
  case photoNotStored(String)
  case photoEnded
  case recording(RecordingState.Phase)
  case recordingFigures(seconds: Double, bytes: Int64, level: Double?, free: Int64?)
  case movieStored(StoredPhoto)
  case movieFailed(String)
  case movieEnded(String)
  case aimed
  case codes([FoundCode])
  case depth(DepthReading)
  case controls([ControlItem])
  case controlFailed(String)
  case virtualCamera(VirtualCameraState)
}

/// What one depth map says.
struct DepthReading: Sendable {
  var metres: Double?
  var nearest: Double?
  var farthest: Double?
  var isNod: Bool
}
