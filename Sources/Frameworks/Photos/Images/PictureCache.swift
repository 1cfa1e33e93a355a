internal import Foundation
internal import GraphicsCore
internal import Linux

/// Pictures that were made before they are asked for; the oldest go when there are too many bytes.
///
/// Thread-safe.
final class PictureCache: Sendable {
  struct Key: Hashable, Sendable {
    var uuid: UUID
    var modified: Double
    var version: Int
    var width: Double
    var height: Double
    var mode: Int
    var resize: Int
    var cropX: Double
    var cropY: Double
    var cropWidth: Double
    var cropHeight: Double
  }

  private static let mostBytes = 96 << 20

  private struct State {
    var images: [Key: CGImage] = [:]
    var order: [Key] = []
    var bytes = 0
    /// What is still wanted.
    var wanted: Set<Key> = []
  }

  private let state = Locked(State())

  subscript(key: Key) -> CGImage? { state.withLock { $0.images[key] } }

  /// Notes that a picture will be wanted; false when it is known already.
  func want(_ key: Key) -> Bool { state.withLock { $0.wanted.insert(key).inserted } }

  func isWanted(_ key: Key) -> Bool { state.withLock { $0.wanted.contains(key) } }

  /// Keeps a picture that is still wanted.
  func keep(_ image: CGImage, for key: Key) {
    let gone = state.withLock { state -> [CGImage] in
      guard state.wanted.contains(key), state.images[key] == nil else { return [] }
      state.images[key] = image
      state.order.append(key)
      state.bytes += image.bytesPerRow * image.height
      var gone: [CGImage] = []
      while state.bytes > Self.mostBytes, !state.order.isEmpty {
        if let old = state.images.removeValue(forKey: state.order.removeFirst()) {
          state.bytes -= old.bytesPerRow * old.height
          gone.append(old)
        }
      }
      return gone
    }
    withExtendedLifetime(gone) {}
  }

  /// Forgets pictures; all of them without keys.
  func forget(_ keys: [Key]?) {
    let gone = state.withLock { state -> [CGImage] in
      let keys = keys ?? Array(state.wanted)
      var gone: [CGImage] = []
      for key in keys {
        state.wanted.remove(key)
        guard let image = state.images.removeValue(forKey: key) else { continue }
        state.bytes -= image.bytesPerRow * image.height
        gone.append(image)
      }
      let left = state.images
      state.order.removeAll { left[$0] == nil }
      return gone
    }
    withExtendedLifetime(gone) {}
  }
}
