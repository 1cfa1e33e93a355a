import VirtualCameras

/// A short message to the user that disappears by itself.
package enum Notice: Sendable, Equatable {
  case photoFailed(reason: String)
  case notStored(reason: String)
  /// The library did not take it; it is kept as a plain file.
  case keptAsFile(reason: String)
  case movieFailed(reason: String)
  /// The movie ended by itself, and is whole; the reason says why.
  case movieEnded(reason: String)
  /// A time-lapse has ended, and lacks pictures that the camera did not have in time.
  case picturesMissed(count: Int)
  case copied
  /// A depth map or its points are in a file.
  case depthSaved(path: String)
  /// The reason is the system's; empty where nothing was measured.
  case depthNotSaved(reason: String)
  /// A filter of the user's was added.
  case lookAdded(name: String)
  case lookFailed(name: String, LookProblem)
  case cameraFailed(reason: String)
  case effectNotKept(reason: String)
  case settingsNotStored(reason: String)
  case virtualCameraFailed(VirtualCameraProblem)
  case joinedNetwork(name: String)
  case deleted(count: Int)
  case addedToAlbum(title: String, count: Int)
  case albumRemoved(title: String)
  case libraryFailed(reason: String)
  case notJoined(name: String, reason: String)
}
