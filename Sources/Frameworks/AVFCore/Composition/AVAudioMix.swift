public import CoreMedia
public import Foundation
internal import Linux
public import MediaToolbox

/// A mix of an asset's audio tracks: the volume of each, and how its scaled edits sound.
///
/// Thread-safe. Apple: `AVAudioMix`.
open class AVAudioMix: NSObject, @unchecked Sendable {  // Safe because what changes is under a lock.
  let parameters = Locked<[AVAudioMixInputParameters]>([])

  /// A mix in which all tracks are as loud as they are.
  public override init() {}

  /// A copy of a mix as it is now.
  init(copying other: AVAudioMix) {
    let copies = other.inputParameters.map { AVAudioMixInputParameters($0.state.withLock { $0 }) }
    parameters.withLock { $0 = copies }
  }

  /// One for each track that is not as loud as it is.
  ///
  /// Apple: `AVAudioMix.inputParameters`.
  open var inputParameters: [AVAudioMixInputParameters] { parameters.withLock { $0 } }
}

/// A mix of audio tracks that can be changed.
///
/// Apple: `AVMutableAudioMix`.
open class AVMutableAudioMix: AVAudioMix, @unchecked Sendable {  // Safe because what changes is under a lock.
  /// One for each track that is not as loud as it is.
  ///
  /// Apple: `AVMutableAudioMix.inputParameters`.
  open override var inputParameters: [AVAudioMixInputParameters] {
    get { super.inputParameters }
    set {
      let old = parameters.withLock { parameters in
        defer { parameters = newValue }
        return parameters
      }
      withExtendedLifetime(old) {}
    }
  }
}

/// The parameters of a track in an audio mix: its volume with time.
///
/// Thread-safe. Apple: `AVAudioMixInputParameters`.
open class AVAudioMixInputParameters: NSObject, @unchecked Sendable {
  // Safe because what changes is under a lock.

  struct State: Sendable {
    var trackID = kCMPersistentTrackID_Invalid
    var volumes = RampList<Float>()
    var pitch: AVAudioTimePitchAlgorithm?
    var tap: MTAudioProcessingTap?
  }

  let state: Locked<State>

  init(_ state: State) {
    self.state = Locked(state)
  }

  /// The track.
  ///
  /// Apple: `AVAudioMixInputParameters.trackID`.
  open var trackID: CMPersistentTrackID { state.withLock { $0.trackID } }

  /// How the pitch of scaled edits of the track is kept; `nil` (the default) is as the player's item, the export or the reader's output
  /// says.
  ///
  /// Apple: `AVAudioMixInputParameters.audioTimePitchAlgorithm`.
  open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? { state.withLock { $0.pitch } }

  /// What sees and changes the track's audio on its way to the mix; `nil` (the default) for nothing.
  ///
  /// Apple: `AVAudioMixInputParameters.audioTapProcessor`.
  open var audioTapProcessor: MTAudioProcessingTap? { state.withLock { $0.tap } }

  /// The volume at a time, and what it changes to.
  ///
  /// - Returns: Whether there is one.
  ///
  /// Apple: `AVAudioMixInputParameters.getVolumeRamp(for:startVolume:endVolume:timeRange:)`.
  open func getVolumeRamp(
    for time: CMTime, startVolume: UnsafeMutablePointer<Float>?, endVolume: UnsafeMutablePointer<Float>?,
    timeRange: UnsafeMutablePointer<CMTimeRange>?
  ) -> Bool {
    guard let ramp = state.withLock({ $0.volumes.ramp(at: time) }) else { return false }
    startVolume?.pointee = ramp.start
    endVolume?.pointee = ramp.end
    timeRange?.pointee = ramp.range
    return true
  }
}

/// The parameters of a track in an audio mix that can be changed.
///
/// Apple: `AVMutableAudioMixInputParameters`.
open class AVMutableAudioMixInputParameters: AVAudioMixInputParameters, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// Parameters of no track yet.
  public init() {
    super.init(State())
  }

  /// Parameters of a track.
  ///
  /// Apple: `AVMutableAudioMixInputParameters.init(track:)`.
  public convenience init(track: AVAssetTrack?) {
    self.init()
    if let track { trackID = track.trackID }
  }

  /// The track.
  ///
  /// Apple: `AVMutableAudioMixInputParameters.trackID`.
  open override var trackID: CMPersistentTrackID {
    get { super.trackID }
    set { state.withLock { $0.trackID = newValue } }
  }

  /// How the pitch of scaled edits of the track is kept; `nil` (the default) is as the player's item, the export or the reader's output
  /// says.
  ///
  /// Another value than those of ``AVAudioTimePitchAlgorithm`` is a programming mistake, and is not set.
  ///
  /// - Note: Unlike AVFoundation, a player at another rate than 1 changes the tempo of all tracks together, by
  ///   `AVPlayerItem.audioTimePitchAlgorithm`.
  ///
  /// Apple: `AVMutableAudioMixInputParameters.audioTimePitchAlgorithm`.
  open override var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? {
    get { super.audioTimePitchAlgorithm }
    set {
      if let newValue, !newValue.isKnown(for: "AVMutableAudioMixInputParameters.audioTimePitchAlgorithm") {
        return
      }
      state.withLock { $0.pitch = newValue }
    }
  }

  /// What sees and changes the track's audio on its way to the mix; `nil` (the default) for nothing.
  ///
  /// What it writes is what is heard and written. It gets audio as 32-bit floating point, a buffer for each channel, at the rate and in the
  /// channels of the mix: of a player 48 kHz, of other readers what their settings say. A player asks for it up to half a second
  /// before it is heard. Read when a mix is set (`AVPlayerItem.audioMix`) and when reading starts.
  ///
  /// Apple: `AVMutableAudioMixInputParameters.audioTapProcessor`.
  open override var audioTapProcessor: MTAudioProcessingTap? {
    get { super.audioTapProcessor }
    set {
      let old = state.withLock { state in
        defer { state.tap = newValue }
        return state.tap
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Sets the volume from a time on, from 0 to 1.
  ///
  /// Apple: `AVMutableAudioMixInputParameters.setVolume(_:at:)`.
  open func setVolume(_ volume: Float, at time: CMTime) {
    state.withLock { $0.volumes.set(volume, at: time) }
  }

  /// Changes the volume steadily in a range of time.
  ///
  /// Apple: `AVMutableAudioMixInputParameters.setVolumeRamp(fromStartVolume:toEndVolume:timeRange:)`.
  open func setVolumeRamp(
    fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange
  ) {
    state.withLock {
      $0.volumes.add(RampList.Ramp(start: startVolume, end: endVolume, range: timeRange))
    }
  }
}
