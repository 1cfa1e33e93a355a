/// The interval between the pictures of a video: live, or a time-lapse's.
package enum VideoPace: Double, Sendable, Hashable, CaseIterable, Codable {
  /// As often as the camera has one, with audio.
  case live = 0
  /// Twice a second.
  case half = 0.5
  case one = 1
  case two = 2
  case five = 5
  case ten = 10
  case thirty = 30

  /// Seconds from picture to picture of a time-lapse; 0 for a video that is not one.
  package var seconds: Double { rawValue }
}
