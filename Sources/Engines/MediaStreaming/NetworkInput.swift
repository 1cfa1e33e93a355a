internal import CFFmpeg
package import CoreMedia
internal import MediaFiles

/// A stream of the network that is read: RTSP, and HTTP, RTMP and SRT as far as FFmpeg has them.
///
/// Opening and reading block, and end within a tenth of a second once `isOver` answers `true`. Not thread-safe.
package final class NetworkInput {
  /// A video or audio stream.
  package struct Track: Sendable {
    /// Its number, as packets have it.
    package let index: Int
    /// What the packets are of; `nil` for codecs that have no name here.
    package let format: CMFormatDescription?
    /// FFmpeg's name of the codec.
    package let codec: String
    /// Whether it is video; else audio.
    package let isVideo: Bool
    /// Pictures in a second, where the stream says it; else 0.
    package let rate: Double
    /// The parameter sets that came beside the stream, each behind a start code; empty for none.
    package let parameterSets: [UInt8]
  }

  /// A packet: a picture, or some audio.
  package final class Packet {
    /// The number of its track.
    package let track: Int
    /// When it is shown, in nanoseconds of the stream's own time; `nil` where it does not say.
    package let time: Int64?
    /// When the sender sent it by its own clock, in nanoseconds since 1970; `nil` while it has not said what its clock shows.
    package let sent: Int64?
    /// Whether data before it, or of it, was lost on the way.
    package let isBroken: Bool
    /// The data, as long as the packet lives: of H.264 and HEVC with start codes.
    package let bytes: UnsafeRawBufferPointer
    private let packet: OpaquePointer

    /// - Parameters:
    ///   - units: Those of the times of all streams.
    ///   - first: The number of the first of them.
    fileprivate init(
      _ packet: OpaquePointer, _ units: [(Int64, Int64)], from first: Int = 0, isBroken: Bool
    ) {
      self.packet = packet
      self.isBroken = isBroken
      let facts = cam_packet_look(packet)
      let unit = units.indices.contains(Int(facts.stream)) ? units[Int(facts.stream)] : (0, 1)
      track = first + Int(facts.stream)
      let time = facts.presentation == cam_no_time ? facts.decoding : facts.presentation
      self.time = time == cam_no_time ? nil : Self.nanoseconds(time, unit)
      let sent = cam_packet_sent(packet)
      self.sent = sent == cam_no_time ? nil : sent &* 1000
      bytes = UnsafeRawBufferPointer(start: facts.data, count: facts.size)
    }

    private static func nanoseconds(_ time: Int64, _ unit: (Int64, Int64)) -> Int64 {
      let (product, overflows) = time.multipliedReportingOverflow(by: unit.0)
      guard !overflows, unit.1 > 0 else { return 0 }
      let (seconds, rest) = product.quotientAndRemainder(dividingBy: unit.1)
      return seconds &* 1_000_000_000 &+ rest &* 1_000_000_000 / unit.1
    }

    deinit { cam_packet_free(packet) }
  }

  /// The reader.
  private enum Way {
    case library(movie: OpaquePointer, units: [(Int64, Int64)])
    case rtsp(RTSPInput)
  }

  /// The tracks, video and audio.
  package let tracks: [Track]
  private let way: Way
  /// Held as long as FFmpeg may ask.
  private let wait: NetworkWait

  /// Connects, and reads until it is known what comes.
  ///
  /// - Parameters:
  ///   - address: With name and password where the stream wants them.
  ///   - options: FFmpeg's options of the protocol and the format.
  ///   - isOver: Whether the wait is to end; asked on the calling thread, often.
  /// - Throws: ``NetworkProblem``.
  package init(
    _ address: String, options: [String: String], isOver: @escaping @Sendable () -> Bool
  ) throws(NetworkProblem) {
    let wait = NetworkWait(isOver)
    let text = ProtocolOptions.text(options)
    var status: Int32 = 0
    let opened = cam_network_open(address, text, NetworkWait.callback, wait.context, &status)
    guard let opened else {
      throw isOver() ? NetworkProblem(.over, "the wait was ended") : NetworkProblem(status: status)
    }
    self.wait = wait
    let (tracks, units) = Self.tracks(of: opened)
    self.tracks = tracks
    way = .library(movie: opened, units: units)
  }

  /// Connects by RTSP, and reads until it is known what comes.
  ///
  /// - Parameter isOver: Whether the wait is to end; asked on the calling thread, often.
  /// - Throws: ``NetworkProblem``.
  package init(_ source: RTSPSource, isOver: @escaping @Sendable () -> Bool) throws(NetworkProblem) {
    let input = try RTSPInput(source, isOver: isOver)
    wait = NetworkWait(isOver)
    tracks = input.tracks
    way = .rtsp(input)
  }

  /// The tracks of an open `cam_movie`, numbered from `first` on, and the units of the times of all its streams.
  static func tracks(
    of movie: OpaquePointer, from first: Int = 0, rate: (Double) -> Double = { $0 }
  ) -> (tracks: [Track], units: [(Int64, Int64)]) {
    let streams = (0..<cam_movie_stream_count(movie)).map { cam_movie_stream(movie, $0) }
    let tracks = streams.enumerated().compactMap { index, stream -> Track? in
      guard stream.media == cam_media_video || stream.media == cam_media_audio else { return nil }
      return Track(
        index: first + index, format: StreamFormats.format(ofOpen: movie, index: index),
        codec: String(cString: stream.codec), isVideo: stream.media == cam_media_video,
        rate: rate(stream.frame_rate),
        parameterSets: stream.extradata.map {
          Array(UnsafeBufferPointer(start: $0, count: stream.extradata_size))
        } ?? [])
    }
    return (tracks, streams.map { (Int64($0.time_numerator), Int64($0.time_denominator)) })
  }

  deinit {
    if case .library(let movie, _) = way { cam_movie_close(movie) }
  }

  /// The next packet of any track; `nil` for one whose data were lost as a whole.
  ///
  /// - Throws: ``NetworkProblem``: `ended` where the sender has ended the stream, `over`.
  package func next() throws(NetworkProblem) -> Packet? {
    switch way {
    case .library(let movie, let units): return try next(movie, units)
    case .rtsp(let input):
      let made = try input.next()
      return Packet(
        made.packet, made.medium.facts.units, from: made.medium.facts.firstIndex, isBroken: made.isBroken)
    }
  }

  private func next(_ movie: OpaquePointer, _ units: [(Int64, Int64)]) throws(NetworkProblem) -> Packet? {
    var packet: OpaquePointer?
    var isBroken = false
    let status = cam_network_read(movie, &packet, &isBroken)
    if status == cam_again { return nil }
    guard status == 0, let packet else {
      if wait.isOver() { throw NetworkProblem(.over, "the wait was ended") }
      throw status == cam_end
        ? NetworkProblem(.ended, "it has ended its stream") : NetworkProblem(status: status)
    }
    return Packet(packet, units, isBroken: isBroken)
  }
}
