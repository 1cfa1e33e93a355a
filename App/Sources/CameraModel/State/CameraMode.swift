/// The use of the camera screen: photos, videos, codes or depth.
package enum CameraMode: String, Sendable, Hashable, CaseIterable, Codable {
  case photo, video, scan, depth
}

/// The camera's availability: whether pictures come, and why not.
package enum Availability: Sendable, Equatable {
  /// The camera is being started.
  case starting
  case running
  /// There is no camera.
  case none
  /// The user, or the system, does not let this program use cameras.
  case denied
  /// Another program has the camera of this name.
  case busy(camera: String)
  /// The camera of this name was pulled out.
  case unplugged(camera: String)
  /// The camera is covered or switched off by its own switch.
  case covered
  /// The machine is too hot.
  case hot
  /// The camera failed; the reason is a sentence of the library.
  case failed(reason: String)

  /// Whether the user sees a live picture.
  package var isRunning: Bool { self == .running }
}

/// A microphone to choose.
package struct MicrophoneChoice: Sendable, Hashable, Identifiable {
  package var id: String
  package var name: String
}

/// A camera to choose.
package struct CameraChoice: Sendable, Hashable, Identifiable {
  /// The direction that a camera faces.
  package enum Side: Sendable, Hashable { case front, back, unknown }

  package var id: String
  package var name: String
  package var side: Side
  package var measuresDepth: Bool
}
