internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux

/// How the tracks of an item are put together.
extension AVPlayerItem {
  /// How the video tracks become one picture; `nil` (the default) shows the first one as it is.
  ///
  /// Copied when it is set; may be set while the item plays, which shows the frame of the present time anew. One that does not fit the
  /// asset makes the item fail with `AVError.invalidVideoComposition`. Each frame is rendered ahead of its time.
  /// A composition without a frame duration above zero, a size or instructions is a programming mistake, and is not set.
  ///
  /// Apple: `AVPlayerItem.videoComposition`.
  public var videoComposition: AVVideoComposition? {
    get { state.withLock { $0.composition } }
    set {
      if let newValue, !newValue.isAcceptable(for: "AVPlayerItem.videoComposition") { return }
      let copy = newValue.map { AVVideoComposition($0.state.withLock { $0 }) }
      guard let core else {
        let old = state.withLock { state in
          defer { state.composition = copy }
          return state.composition
        }
        return withExtendedLifetime(old) {}
      }
      core.change {
        edit(core) { $0.composition = copy }
        core.compositionChanged(self)
      }
    }
  }

  /// How loud the audio tracks are; `nil` (the default) leaves all as loud as they are.
  ///
  /// Copied when it is set; may be set while the item plays.
  ///
  /// Apple: `AVPlayerItem.audioMix`.
  public var audioMix: AVAudioMix? {
    get { state.withLock { $0.mix } }
    set {
      let copy = newValue.map { AVAudioMix(copying: $0) }
      let old = state.withLock { state in
        defer { state.mix = copy }
        return state.mix
      }
      withExtendedLifetime(old) {}
      audioChanged()
    }
  }
}
