internal import CoreMedia
public import Foundation
internal import Linux

/// A track of an item: whether it is played.
///
/// Thread-safe. Apple: `AVPlayerItemTrack`.
open class AVPlayerItemTrack: NSObject, @unchecked Sendable {  // Safe because what changes is under a lock.
  private let track: AVAssetTrack
  private let enabled: Locked<Bool>

  init(_ track: AVAssetTrack) {
    self.track = track
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
    set { enabled.withLock { $0 = newValue } }
  }
}
