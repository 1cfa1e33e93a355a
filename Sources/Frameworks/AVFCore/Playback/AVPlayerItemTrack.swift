internal import CoreMedia
public import Foundation
internal import Linux

/// A track of an item: whether it is played.
///
/// Thread-safe. Apple: `AVPlayerItemTrack`.
open class AVPlayerItemTrack: NSObject, @unchecked Sendable {  // Safe because what changes is under a lock.
  private let track: AVAssetTrack
  private let enabled: Locked<Bool>

  private let changed: @Sendable () -> Void

  init(_ track: AVAssetTrack, changed: @escaping @Sendable () -> Void) {
    self.track = track
    self.changed = changed
    enabled = Locked(track.isEnabled)
  }

  /// The asset's track.
  ///
  /// Apple: `AVPlayerItemTrack.assetTrack`.
  open var assetTrack: AVAssetTrack? { track }

  /// Whether it is heard; at first what the file says.
  ///
  /// Of pictures it changes nothing.
  ///
  /// Apple: `AVPlayerItemTrack.isEnabled`.
  open var isEnabled: Bool {
    get { enabled.withLock { $0 } }
    set {
      let isNew = enabled.withLock { enabled in
        defer { enabled = newValue }
        return enabled != newValue
      }
      if isNew { changed() }
    }
  }
}
