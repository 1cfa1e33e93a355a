internal import CFFmpeg
package import CoreMedia
internal import Foundation
internal import MediaFiles

/// A connection on which coded media is sent: RTSP (by RECORD), RTMP, SRT, or what else FFmpeg can write to.
///
/// Opening and sending block, and end within a tenth of a second once `isOver` answers `true`. Not thread-safe.
package final class NetworkOutput {
  private let sender: OpaquePointer
  private let wait: NetworkWait

  /// Connects, and says what will come.
  ///
  /// - Parameters:
  ///   - address: With name and password where the other side wants them.
  ///   - container: FFmpeg's name of the format: `rtsp`, `flv`, `mpegts`.
  ///   - options: FFmpeg's options of the protocol and the format.
  ///   - formats: Of H.264, HEVC, AAC or Opus, in the order of ``send(_:track:at:)``'s tracks.
  ///   - isOver: Whether the wait is to end; asked on the calling thread, often.
  /// - Throws: ``NetworkProblem``.
  package init(
    _ address: String, container: String, options: [String: String], formats: [CMFormatDescription],
    isOver: @escaping @Sendable () -> Bool
  ) throws(NetworkProblem) {
    let wait = NetworkWait(isOver)
    let text = ProtocolOptions.text(options)
    var status: Int32 = 0
    let opened = Self.withStreams(formats[...], []) { streams in
      cam_sender_open(
        address, container, text, streams, Int32(streams.count), NetworkWait.callback, wait.context, &status)
    }
    guard let opened else {
      throw isOver() ? NetworkProblem(.over, "the wait was ended") : NetworkProblem(status: status)
    }
    sender = opened
    self.wait = wait
  }

  /// Whether FFmpeg checks the certificate of a server over TLS when it is asked to.
  ///
  /// Its writer of RTSP opens its connection without the options of TLS, up to the versions that have them itself.
  package static func checksCertificates(container: String) -> Bool {
    cam_sender_checks_certificates(container)
  }

  /// FFmpeg's descriptions of the formats, whose bytes live as long as `body` runs.
  private static func withStreams(
    _ formats: ArraySlice<CMFormatDescription>, _ made: [cam_sent_stream],
    _ body: ([cam_sent_stream]) -> OpaquePointer?
  ) -> OpaquePointer? {
    guard let format = formats.first else { return body(made) }
    var stream = cam_sent_stream()
    var extra = CodecNames.extradata(of: format)
    var name = CodecNames.video(CMFormatDescriptionGetMediaSubType(format)) ?? ""
    if CMFormatDescriptionGetMediaType(format) == kCMMediaType_Video {
      let size = CMVideoFormatDescriptionGetDimensions(format)
      (stream.width, stream.height) = (size.width, size.height)
    } else if let basic = format.audioStreamBasicDescription {
      name = basic.mFormatID == kAudioFormatOpus ? "opus" : "aac"
      stream.rate = Int32(basic.mSampleRate)
      stream.channels = Int32(basic.mChannelsPerFrame)
      stream.frame_size = Int32(basic.mFramesPerPacket)
      let cookie = format.magicCookie ?? Data()
      extra = name == "aac" ? AudioCookie.decoderConfiguration(cookie) ?? cookie : cookie
    }
    return name.withCString { name in
      extra.withUnsafeBytes { bytes in
        stream.codec = name
        stream.extradata = bytes.bindMemory(to: UInt8.self).baseAddress
        stream.extradata_size = bytes.count
        return withStreams(formats.dropFirst(), made + [stream], body)
      }
    }
  }

  /// Sends a sample.
  ///
  /// - Parameters:
  ///   - track: Its place among the formats.
  ///   - start: The moment that counts as zero.
  /// - Throws: ``NetworkProblem``: the connection is over.
  package func send(_ sample: CMSampleBuffer, track: Int, at start: CMTime) throws(NetworkProblem) {
    guard let data = sample.dataBuffer else { return }
    func microseconds(_ time: CMTime) -> Int64 {
      (time - start).convertScale(1_000_000, method: .default).value
    }
    let presentation = microseconds(sample.presentationTimeStamp)
    let decoding = sample.decodeTimeStamp.isNumeric ? microseconds(sample.decodeTimeStamp) : presentation
    let write: (UnsafeRawBufferPointer) -> Int32 = { [sender] bytes in
      cam_sender_write(
        sender, Int32(track), bytes.baseAddress, bytes.count, presentation, decoding, sample.isKeyFrame())
    }
    let status =
      (try? data.isContiguous
        ? data.withContiguousStorage(write) : data.dataBytes().withUnsafeBytes(write)) ?? 0
    guard status < 0 else { return }
    throw wait.isOver()
      ? NetworkProblem(.over, "the wait was ended") : NetworkProblem(.ended, "the connection was lost")
  }

  /// Tells the other side of the end; nothing may be sent afterwards.
  package func finish() { isFinished = true }
  private var isFinished = false

  deinit { cam_sender_close(sender, isFinished) }
}
