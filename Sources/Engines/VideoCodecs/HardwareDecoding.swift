internal import CFFmpeg
internal import Foundation
internal import Linux

/// The hardware of this machine that may decode live pictures, as far as it has not failed yet.
///
/// What cannot be opened, or brings no pictures, is not tried again while the process lives. `OBSCURA_DECODERS` names what is tried: `vaapi` by
/// default, also `v4l2`, or `none`. V4L2 has to be asked for: a driver that takes no data holds its stream up. Thread-safe.
enum HardwareDecoding {
  private static let refused = Locked<Set<String>>([])
  /// The words of `OBSCURA_DECODERS`; `nil` where it is not set, or empty.
  static let asked = ProcessInfo.processInfo.environment["OBSCURA_DECODERS"].flatMap { $0.isEmpty ? nil : $0 }
  private static let wanted = places(asked: asked)

  private static var known: [(word: String, place: cam_decoding)] {
    [("vaapi", cam_decoding_vaapi), ("v4l2", cam_decoding_v4l2)]
  }

  /// What the words of `OBSCURA_DECODERS` ask for, in the order in which it is tried.
  static func places(asked words: String?) -> [cam_decoding] {
    let words = list(words)
    return known.filter { words.contains($0.word) }.map(\.place)
  }

  /// Those of the words that ask for nothing that is known, neither hardware nor `none` of it.
  static func unknown(in words: String?) -> [String] {
    list(words).filter { word in word != "none" && !known.contains { $0.word == word } }
  }

  private static func list(_ words: String?) -> [String] {
    (words ?? "vaapi").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Where pictures of a codec may be decoded, in the order in which that is tried.
  static func places(for codec: String) -> [cam_decoding] {
    refused.withLock { refused in wanted.filter { !refused.contains(key($0, codec)) } }
  }

  /// The places that are tried in this process, whether or not they work.
  static var all: [cam_decoding] { wanted }

  /// Leaves out a place from now on.
  static func giveUp(_ place: cam_decoding, for codec: String) {
    refused.withLock { _ = $0.insert(key(place, codec)) }
  }

  private static func key(_ place: cam_decoding, _ codec: String) -> String { "\(place.rawValue) \(codec)" }
}
