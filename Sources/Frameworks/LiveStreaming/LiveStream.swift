public import AVFoundation
internal import CoreMedia
internal import Dispatch
public import Foundation
internal import Linux
internal import VideoCodecs

/// Sends what a capture session sees and hears to a media server: by RTSP (RECORD), RTMP or SRT.
///
/// ```swift
/// let stream = try LiveStream(to: URL(string: "rtmp://server/live")!, settings: settings) { print($0) }
/// stream.add(to: session)
/// stream.start()
/// ```
///
/// Pictures are coded as they come, without frames that wait in the encoder, and sent on a thread of the stream's own: the camera waits for
/// no network. Where that is slower than the pictures, whole groups of pictures are dropped and counted; where the server is away, the stream
/// connects again after half a second, and then after pauses that grow to ten, and begins with a key frame. Works beside all other
/// outputs of the session. Thread-safe.
///
/// Pictures are turned as the camera is held, for no protocol says so; the size is that of the first, and what comes in another shape is
/// fitted into it.
///
/// - Note: Apple's frameworks have nothing like it.
public final class LiveStream: NSObject, Sendable {
  /// The output that the stream's pictures come from.
  public let videoOutput = AVCaptureVideoDataOutput()
  /// The output that its audio comes from.
  public let audioOutput = AVCaptureAudioDataOutput()

  private let encoders: StreamEncoders
  private let queue = StreamQueue()
  private let upright = UprightPictures()
  private let isLevel: Bool
  private let sender: StreamSender
  private let report: @Sendable (Report) -> Void
  private let work = DispatchQueue(label: "obscura.live-stream", qos: .userInteractive)
  private let phase = Locked(Phase.idle)

  private enum Phase {
    case idle, running, over
  }

  /// A stream to an address, which nothing is sent to before ``start()``.
  ///
  /// - Parameters:
  ///   - address: `rtsp://…`, `rtsps://…`, `rtmp://…`, `rtmps://…` or `srt://…`, without a password.
  ///   - settings: How it is coded, and the server's secret.
  ///   - report: What happens to it, on a thread of the stream's own; must not wait.
  /// - Throws: ``LiveStreamError``.
  public convenience init(
    to address: URL, settings: Settings = Settings(), report: @escaping @Sendable (Report) -> Void = { _ in }
  ) throws(LiveStreamError) {
    self.init(try StreamAddress(address, settings), settings, report)
  }

  /// A stream into an open descriptor, such as a pipe to another program; it stays the caller's.
  ///
  /// What the reader is too slow for is dropped as of a network; when it hangs up, the stream ends. A program that does so ignores
  /// `SIGPIPE`.
  ///
  /// - Parameters:
  ///   - descriptor: Open for writing.
  ///   - container: How picture and sound lie in the bytes.
  ///   - settings: How it is coded.
  ///   - report: What happens to it, on a thread of the stream's own; must not wait.
  public convenience init(
    toDescriptor descriptor: Int32, container: Container, settings: Settings = Settings(),
    report: @escaping @Sendable (Report) -> Void = { _ in }
  ) {
    self.init(StreamAddress(descriptor: descriptor, container), settings, report)
  }

  private init(
    _ place: StreamAddress, _ settings: Settings, _ report: @escaping @Sendable (Report) -> Void
  ) {
    let (encoders, queue, audio) = (StreamEncoders(settings), queue, audioOutput)
    self.encoders = encoders
    self.report = report
    isLevel = settings.isLevel
    sender = StreamSender(
      place, encoders, queue, hasAudio: { audio.connections.contains { $0.isActive } }, report: report)
    super.init()
    videoOutput.setSampleBufferDelegate(self, queue: work)
    audioOutput.setSampleBufferDelegate(self, queue: work)
  }

  deinit {
    phase.withLock { $0 = .over }
    sender.stop()
  }

  /// Adds the stream's outputs to a session, as far as it takes them; the audio's only where it has a microphone.
  public func add(to session: AVCaptureSession) {
    if session.canAddOutput(videoOutput) { session.addOutput(videoOutput) }
    if isLevel, let connection = videoOutput.connection(with: .video) { _ = upright.turn(connection) }
    let hasMicrophone = session.inputs.contains { input in
      input.ports.contains { $0.mediaType == .audio }
    }
    if hasMicrophone, session.canAddOutput(audioOutput) { session.addOutput(audioOutput) }
  }

  /// Begins to connect and to send; only the first call does anything.
  public func start() {
    let begins = phase.withLock { phase in
      defer { if phase == .idle { phase = .running } }
      return phase == .idle
    }
    guard begins else { return }
    let thread = try? ReaderThread(name: "obscura-stream") { [sender] in sender.run() }
    if thread == nil {
      report(.failed("The stream cannot start: there is no thread left; close programs and try again."))
    }
  }

  /// Ends the stream for good; what waits is not sent.
  ///
  /// Waits until the other side was told of the end, for a second at most.
  public func stop() {
    let wasRunning = phase.withLock { phase in
      defer { phase = .over }
      return phase == .running
    }
    sender.stop()
    if wasRunning { sender.waitForEnd() }
  }

  /// What was sent so far.
  public var statistics: Statistics { sender.statistics }

  private var isRunning: Bool { phase.withLock { $0 == .running } }

  private func fail(_ error: CodecError) {
    let isNews = phase.withLock { phase in
      defer { phase = .over }
      return phase == .running
    }
    guard isNews else { return }
    sender.stop()
    report(.failed(error.description))
  }
}

extension LiveStream: AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCaptureAudioDataOutputSampleBufferDelegate
{
  /// Codes a picture or a chunk of audio.
  ///
  /// Called by the stream's outputs.
  public func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard isRunning else { return }
    do throws(CodecError) {
      if output === audioOutput {
        for sample in try encoders.encode(audio: sampleBuffer) { queue.put(sample, track: 1) }
        return
      }
      // Of a machine that is being turned, or a camera that was changed, the next one is upright.
      guard !isLevel || upright.turn(connection) else { return }
      let isKnown = encoders.formats.withLock { $0.video != nil }
      guard queue.isOpen || !isKnown else { return queue.drop() }
      for sample in try encoders.encode(picture: sampleBuffer, isKeyFrame: queue.needsKeyFrame) {
        queue.put(sample, track: 0)
      }
    } catch {
      // A picture of another time is left out; without an encoder there is no stream.
      if error.reason != .unsuitable { fail(error) }
    }
  }

  /// Counts a picture for which there was no time.
  ///
  /// Called by the stream's outputs.
  public func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    if isRunning, output === videoOutput { queue.noteLate() }
  }
}
