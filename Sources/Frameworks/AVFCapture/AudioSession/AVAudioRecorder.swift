public import AVFAudio
public import Foundation
internal import AVFCore
internal import CoreMedia
internal import Dispatch
internal import FoundationExtras
internal import Linux

/// What happens to a recorder.
///
/// Called on the main queue. Apple: `AVAudioRecorderDelegate`.
public protocol AVAudioRecorderDelegate: AnyObject {
  /// The recording has ended and its file is complete; `flag` is `false` when it ended by itself: the microphone is gone, or the disk took no
  /// more. What was recorded before is in the file.
  ///
  /// Apple: `AVAudioRecorderDelegate.audioRecorderDidFinishRecording(_:successfully:)`.
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
  /// The audio could not be coded or written; the end of the recording follows.
  ///
  /// Apple: `AVAudioRecorderDelegate.audioRecorderEncodeErrorDidOccur(_:error:)`.
  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
  /// Does nothing: the method is optional.
  public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}
  /// Does nothing: the method is optional.
  public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}

/// Records the microphone into a file.
///
/// It is the microphone that the audio session prefers. The file is `.m4a`, `.mp4` or `.mov` with AAC, Opus or linear PCM, or `.wav` or
/// `.caf` with linear PCM; one that is there gives way when recording begins. What was recorded is in it at every moment, also when the
/// process is killed. Thread-safe; beginning and ending block for the device and the disk.
///
/// Apple: `AVAudioRecorder`.
open class AVAudioRecorder: NSObject, @unchecked Sendable {  // Safe: locked state, and a queue.
  /// The file.
  ///
  /// Apple: `AVAudioRecorder.url`.
  public let url: URL
  /// The coding of the audio.
  ///
  /// Apple: `AVAudioRecorder.format`.
  public let format: AVAudioFormat
  /// The coding as a settings dictionary.
  ///
  /// Apple: `AVAudioRecorder.settings`.
  public let settings: [String: Any]
  private let take: RecorderTake

  /// A recorder of a file that need not be there.
  ///
  /// - Throws: An error with a sentence for settings that lack the format, the rate or the channels, or do not go with the file's extension.
  ///
  /// Apple: `AVAudioRecorder.init(url:settings:)`.
  public init(url: URL, settings: [String: Any]) throws {
    let checked = try RecorderTake.checked(url, settings)
    (self.url, format, self.settings) = (url, checked, settings)
    take = RecorderTake(url, settings, checked)
    super.init()
    begin()
  }

  /// A recorder of a file that need not be there.
  ///
  /// - Throws: An error with a sentence for a format that does not go with the file's extension.
  ///
  /// Apple: `AVAudioRecorder.init(url:format:)`.
  public init(url: URL, format: AVAudioFormat) throws {
    let checked = try RecorderTake.checked(url, format.settings)
    (self.url, self.format, settings) = (url, checked, format.settings)
    take = RecorderTake(url, settings, checked)
    super.init()
    begin()
  }

  private func begin() {
    take.onEnd = { [weak self] error, isWhole in self?.ended(error, isWhole) }
  }

  deinit {
    take.end()
  }

  private let follower = Locked(WeakDelegate())
  private struct WeakDelegate {
    weak var delegate: (any AVAudioRecorderDelegate)?
  }

  /// What is called when something happens; not retained.
  ///
  /// Apple: `AVAudioRecorder.delegate`.
  open var delegate: (any AVAudioRecorderDelegate)? {
    get { follower.withLock { $0.delegate } }
    set { follower.withLock { $0.delegate = newValue } }
  }

  private func ended(_ error: (any Error)?, _ isWhole: Bool) {
    let hold = InFlight.hold()
    let failure = error.map { $0 as NSError }
    DispatchQueue.main.async { [self] in
      InFlight.run(under: hold) {
        let delegate = follower.withLock { $0.delegate }
        if let failure { delegate?.audioRecorderEncodeErrorDidOccur(self, error: failure) }
        delegate?.audioRecorderDidFinishRecording(self, successfully: isWhole)
      }
    }
  }

  // MARK: Recording

  /// Makes the file, so that ``record()`` begins sooner; whether that went well.
  ///
  /// Apple: `AVAudioRecorder.prepareToRecord()`.
  @discardableResult
  open func prepareToRecord() -> Bool { take.prepare() }

  /// Records, or goes on after a pause; whether that went well.
  ///
  /// Apple: `AVAudioRecorder.record()`.
  @discardableResult
  open func record() -> Bool { take.record(at: nil, for: nil) }

  /// Records from a time of ``deviceCurrentTime`` on.
  ///
  /// Apple: `AVAudioRecorder.record(atTime:)`.
  @discardableResult
  open func record(atTime time: TimeInterval) -> Bool { take.record(at: time, for: nil) }

  /// Records so many seconds, and ends.
  ///
  /// Apple: `AVAudioRecorder.record(forDuration:)`.
  @discardableResult
  open func record(forDuration duration: TimeInterval) -> Bool { take.record(at: nil, for: duration) }

  /// Records so many seconds from a time of ``deviceCurrentTime`` on, and ends.
  ///
  /// Apple: `AVAudioRecorder.record(atTime:forDuration:)`.
  @discardableResult
  open func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool {
    take.record(at: time, for: duration)
  }

  /// Stands still, until it records on.
  ///
  /// Apple: `AVAudioRecorder.pause()`.
  open func pause() { take.pause() }

  /// Ends, and completes the file; the delegate is called.
  ///
  /// Apple: `AVAudioRecorder.stop()`.
  open func stop() { take.stop() }

  /// Removes the file of a recording that has ended; whether that went well.
  ///
  /// Apple: `AVAudioRecorder.deleteRecording()`.
  @discardableResult
  open func deleteRecording() -> Bool {
    guard !take.isOpen else { return false }
    return Disk.unlink(url.path)
  }

  /// Whether it records.
  ///
  /// Apple: `AVAudioRecorder.isRecording`.
  open var isRecording: Bool { take.isRecording }

  /// Seconds that were recorded; 0 after the end.
  ///
  /// Apple: `AVAudioRecorder.currentTime`.
  open var currentTime: TimeInterval { take.seconds }

  /// The time of the machine's clock, in seconds.
  ///
  /// Apple: `AVAudioRecorder.deviceCurrentTime`.
  open var deviceCurrentTime: TimeInterval { MachineClock.current.time.seconds }

  // MARK: Levels

  private let meters = TakenLevels()

  /// Whether levels are measured.
  ///
  /// Apple: `AVAudioRecorder.isMeteringEnabled`.
  open var isMeteringEnabled: Bool {
    get { meters.isOn }
    set { meters.isOn = newValue }
  }

  /// Takes over the levels of what is recorded, for ``averagePower(forChannel:)`` and ``peakPower(forChannel:)``.
  ///
  /// Apple: `AVAudioRecorder.updateMeters()`.
  open func updateMeters() { meters.take(take.levels) }

  /// The mean level of a channel, in decibels of full scale: 0 at most, -160 for silence.
  ///
  /// Apple: `AVAudioRecorder.averagePower(forChannel:)`.
  open func averagePower(forChannel channelNumber: Int) -> Float { meters.level(of: channelNumber).average }

  /// The highest level of a channel, in decibels of full scale.
  ///
  /// Apple: `AVAudioRecorder.peakPower(forChannel:)`.
  open func peakPower(forChannel channelNumber: Int) -> Float { meters.level(of: channelNumber).peak }
}
