internal import CFFmpeg
internal import Linux

/// The hardware of this machine that may decode live pictures, as far as it has not failed yet.
///
/// What cannot be opened, or brings no pictures, is not tried again while the process lives. Thread-safe.
enum HardwareDecoding {
  private static let refused = Locked<Set<String>>([])

  /// Where pictures of a codec may be decoded, in the order in which that is tried.
  static func places(for codec: String) -> [cam_decoding] {
    refused.withLock { refused in
      [cam_decoding_vaapi, cam_decoding_v4l2].filter { !refused.contains(key($0, codec)) }
    }
  }

  /// Leaves out a place from now on.
  static func giveUp(_ place: cam_decoding, for codec: String) {
    refused.withLock { _ = $0.insert(key(place, codec)) }
  }

  private static func key(_ place: cam_decoding, _ codec: String) -> String { "\(place.rawValue) \(codec)" }
}
