/// The quality of a conversion, and with it its cost.
///
/// Apple: `AVAudioQuality`.
public enum AVAudioQuality: Int, Sendable {
  /// The cheapest.
  case min = 0
  /// Cheap.
  case low = 0x20
  /// As is usual.
  case medium = 0x40
  /// Good.
  case high = 0x60
  /// The best.
  case max = 0x7F
}
