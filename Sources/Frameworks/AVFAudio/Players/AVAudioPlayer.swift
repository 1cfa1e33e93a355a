public import Foundation
internal import FoundationExtras
internal import Linux

/// What happens to a player.
///
/// Called on the main queue. Apple: `AVAudioPlayerDelegate`.
public protocol AVAudioPlayerDelegate: AnyObject {
  /// The audio has been played to its end, as often as was asked for; not called after ``AVAudioPlayer/stop()``.
  ///
  /// Apple: `AVAudioPlayerDelegate.audioPlayerDidFinishPlaying(_:successfully:)`.
  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
  /// The audio could not be decoded.
  ///
  /// Apple: `AVAudioPlayerDelegate.audioPlayerDecodeErrorDidOccur(_:error:)`.
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
  /// Does nothing: the method is optional.
  public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
  /// Does nothing: the method is optional.
  public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}

/// Plays a file, or audio in memory.
///
/// It plays on the machine's default output, several players at a time; without a sound card in silence, at the same pace. On a simulated
/// machine whose clock is moved by hand it plays at that clock's pace. Thread-safe.
///
/// Apple: `AVAudioPlayer`.
open class AVAudioPlayer: NSObject, @unchecked Sendable {  // Safe: locked state.
  private struct State {
    weak var delegate: (any AVAudioPlayerDelegate)?
    var loops = 0
  }

  private let file: AVAudioFile
  private let voice: PlayerVoice
  private let state = Locked(State())
  private let meters = TakenLevels()
  /// The file of audio in memory, which goes with the player.
  private let kept: TemporaryFile?

  /// The file; `nil` of audio in memory.
  ///
  /// Apple: `AVAudioPlayer.url`.
  public let url: URL?
  /// The audio in memory; `nil` of a file.
  ///
  /// Apple: `AVAudioPlayer.data`.
  public let data: Data?

  /// A player of a file.
  ///
  /// - Throws: An error with a sentence for what is not there, or holds no audio.
  ///
  /// Apple: `AVAudioPlayer.init(contentsOf:)`.
  public init(contentsOf url: URL) throws {
    file = try AVAudioFile(forReading: url)
    (self.url, data, kept) = (url, nil, nil)
    voice = PlayerVoice(file)
    super.init()
    begin()
  }

  /// A player of a file, whose type is found by its content.
  ///
  /// Apple: `AVAudioPlayer.init(contentsOf:fileTypeHint:)`.
  public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
    try self.init(contentsOf: url)
  }

  /// A player of audio in memory: the content of a file.
  ///
  /// - Throws: An error with a sentence for what holds no audio.
  ///
  /// Apple: `AVAudioPlayer.init(data:)`.
  public init(data: Data) throws {
    let kept = try TemporaryFile(data)
    file = try AVAudioFile(forReading: kept.url)
    (url, self.data, self.kept) = (nil, data, kept)
    voice = PlayerVoice(file)
    super.init()
    begin()
  }

  /// A player of audio in memory, whose type is found by its content.
  ///
  /// Apple: `AVAudioPlayer.init(data:fileTypeHint:)`.
  public convenience init(data: Data, fileTypeHint utiString: String?) throws {
    try self.init(data: data)
  }

  private func begin() {
    voice.onEnd = { [weak self] in self?.ended() }
  }

  deinit {
    voice.stop()
  }

  private func ended() {
    let hold = InFlight.hold()
    DispatchQueue.main.async { [self] in
      InFlight.run(under: hold) {
        state.withLock { $0.delegate }?.audioPlayerDidFinishPlaying(self, successfully: true)
      }
    }
  }

  /// Who is told what happens; not retained.
  ///
  /// Apple: `AVAudioPlayer.delegate`.
  open weak var delegate: (any AVAudioPlayerDelegate)? {
    get { state.withLock { $0.delegate } }
    set { state.withLock { $0.delegate = newValue } }
  }

  // MARK: Playing

  /// Makes ready, so that ``play()`` is heard sooner; whether that went well.
  ///
  /// Apple: `AVAudioPlayer.prepareToPlay()`.
  @discardableResult
  open func prepareToPlay() -> Bool { true }

  /// Plays from where it is, or from the beginning after its end; whether that went well.
  ///
  /// Apple: `AVAudioPlayer.play()`.
  @discardableResult
  open func play() -> Bool { voice.play(at: nil) }

  /// Plays from a time of ``deviceCurrentTime`` on.
  ///
  /// Apple: `AVAudioPlayer.play(atTime:)`.
  @discardableResult
  open func play(atTime time: TimeInterval) -> Bool { voice.play(at: time) }

  /// Stands still where it is.
  ///
  /// Apple: `AVAudioPlayer.pause()`.
  open func pause() { voice.pause() }

  /// Ends, where it is: ``currentTime`` stays.
  ///
  /// Apple: `AVAudioPlayer.stop()`.
  open func stop() { voice.pause() }

  /// Whether it plays.
  ///
  /// Apple: `AVAudioPlayer.isPlaying`.
  open var isPlaying: Bool { voice.isPlaying }

  /// How often it begins again at its end: 0 plays once, below zero for ever.
  ///
  /// Apple: `AVAudioPlayer.numberOfLoops`.
  open var numberOfLoops: Int {
    get { voice.loops }
    set { voice.loops = newValue }
  }

  /// Where it is, in seconds from the beginning; where it will play after it was set.
  ///
  /// Apple: `AVAudioPlayer.currentTime`.
  open var currentTime: TimeInterval {
    get { voice.time }
    set { voice.time = newValue }
  }

  /// How long it is, in seconds.
  ///
  /// Apple: `AVAudioPlayer.duration`.
  open var duration: TimeInterval { Double(file.length) / file.processingFormat.sampleRate }

  /// The time of the output, in seconds, which goes on all the time.
  ///
  /// Apple: `AVAudioPlayer.deviceCurrentTime`.
  open var deviceCurrentTime: TimeInterval { PlayerVoice.deviceTime }

  // MARK: Sound

  /// How loud it is, 0 to 1.
  ///
  /// Apple: `AVAudioPlayer.volume`.
  open var volume: Float {
    get { voice.volume }
    set { voice.setVolume(newValue, fadingFor: 0) }
  }

  /// Changes how loud it is, evenly over some seconds.
  ///
  /// Apple: `AVAudioPlayer.setVolume(_:fadeDuration:)`.
  open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
    voice.setVolume(volume, fadingFor: duration)
  }

  /// Where it is heard, from -1 on the left to 1 on the right.
  ///
  /// Apple: `AVAudioPlayer.pan`.
  open var pan: Float {
    get { voice.pan }
    set { voice.pan = max(-1, min(1, newValue)) }
  }

  /// Whether ``rate`` counts; set before it plays.
  ///
  /// Apple: `AVAudioPlayer.enableRate`.
  open var enableRate: Bool {
    get { voice.hasRate }
    set { voice.hasRate = newValue }
  }

  /// How fast it plays, 0.5 to 2, at the same pitch; where ``enableRate`` is set.
  ///
  /// Apple: `AVAudioPlayer.rate`.
  open var rate: Float {
    get { voice.rate }
    set { voice.rate = max(0.5, min(2, newValue)) }
  }

  /// The number of channels.
  ///
  /// Apple: `AVAudioPlayer.numberOfChannels`.
  open var numberOfChannels: Int { Int(file.processingFormat.channelCount) }

  /// The coding of the audio.
  ///
  /// Apple: `AVAudioPlayer.format`.
  open var format: AVAudioFormat { file.fileFormat }

  /// The coding of the audio as a settings dictionary.
  ///
  /// Apple: `AVAudioPlayer.settings`.
  open var settings: [String: Any] { file.fileFormat.settings }

  // MARK: Levels

  /// Whether levels are measured.
  ///
  /// Apple: `AVAudioPlayer.isMeteringEnabled`.
  open var isMeteringEnabled: Bool {
    get { meters.isOn }
    set { meters.isOn = newValue }
  }

  /// Takes over the levels of what is heard, for ``averagePower(forChannel:)`` and ``peakPower(forChannel:)``.
  ///
  /// Apple: `AVAudioPlayer.updateMeters()`.
  open func updateMeters() { meters.take(voice.levels) }

  /// The mean level of a channel, in decibels of full scale: 0 at most, -160 for silence.
  ///
  /// Apple: `AVAudioPlayer.averagePower(forChannel:)`.
  open func averagePower(forChannel channelNumber: Int) -> Float { meters.level(of: channelNumber).average }

  /// The highest level of a channel, in decibels of full scale.
  ///
  /// Apple: `AVAudioPlayer.peakPower(forChannel:)`.
  open func peakPower(forChannel channelNumber: Int) -> Float { meters.level(of: channelNumber).peak }
}
