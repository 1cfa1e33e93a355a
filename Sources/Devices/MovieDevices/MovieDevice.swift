public import CaptureDevice
public import CoreMedia
internal import CoreVideo
internal import Foundation
internal import GraphicsCore
internal import Linux
internal import MediaFiles
internal import PixelTransforms

/// A movie as a camera, or its audio as a microphone.
///
/// Frames have square pixels and come as often as the movie's, on average.
///
/// Thread-safe.
public final class MovieDevice: CaptureDeviceDriver {
  /// The facts of the device: one format, the movie's own, upright; or audio at 48 kHz.
  public let facts: DeviceFacts
  /// The clock on which the movie plays.
  public let clock: CMClock
  let film: LoopedMovie
  /// The turn of the movie's pictures.
  let turn: QuarterTurn
  let isMirrored: Bool
  private let isOpen = Locked(false)

  private init(
    _ film: LoopedMovie, _ clock: CMClock, _ facts: DeviceFacts, turn: QuarterTurn = .none,
    isMirrored: Bool = false
  ) {
    self.film = film
    self.clock = clock
    self.facts = facts
    self.turn = turn
    self.isMirrored = isMirrored
  }

  /// The movie's camera; `nil` without pictures.
  static func camera(_ film: LoopedMovie, _ clock: CMClock) -> MovieDevice? {
    guard let track = film.pictures, let format = track.format else { return nil }
    let matrix = track.transform
    let isMirrored = matrix.a * matrix.d - matrix.b * matrix.c < 0
    let angle = atan2(Double(matrix.b), Double(isMirrored ? -matrix.a : matrix.a)) * 180 / .pi
    let turn = QuarterTurn(degrees: Int((angle / 90).rounded()) * 90) ?? .none
    let coded = CMVideoFormatDescriptionGetDimensions(format)
    // As cameras do, it sends square pixels, as many as the movie has where its own are square.
    func even(_ side: CGFloat, _ coded: Int32) -> Int {
      let whole = side.rounded()
      return whole == CGFloat(coded) ? Int(coded) : Int(min(max(whole / 2, 1), 8192).rounded()) * 2
    }
    guard coded.width > 0, coded.height > 0 else { return nil }
    let (width, height) = (even(track.size.width, coded.width), even(track.size.height, coded.height))
    let size =
      turn.isTransposing ? FrameSize(width: height, height: width) : FrameSize(width: width, height: height)
    let duration = Self.frameDuration(rate: track.rate)
    let facts = DeviceFacts(
      uniqueID: "movie-camera-\(film.path)", modelID: "Movie", name: film.name, manufacturer: "Obscura",
      kind: .externalCamera, position: .unspecified, media: [.video],
      formats: [
        StreamFormat(
          size: size, encoding: .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange),
          frameDurations: [duration...duration])
      ])
    return MovieDevice(film, clock, facts, turn: turn, isMirrored: isMirrored)
  }

  /// How long a frame is shown, exactly at the rates that movies have: also of those with a frame in minutes.
  private static func frameDuration(rate: Double) -> FrameDuration {
    guard rate.isFinite, rate >= 1.0 / 3600, rate <= 1000 else { return FrameDuration(1, 30) }
    return rate < 1
      ? FrameDuration(Int32((1000 / rate).rounded()), 1000)
      : FrameDuration(1000, Int32((rate * 1000).rounded()))
  }

  /// The movie's microphone; `nil` without audio.
  static func microphone(_ film: LoopedMovie, _ clock: CMClock) -> MovieDevice? {
    guard film.audio != nil else { return nil }
    return MovieDevice(
      film, clock,
      DeviceFacts(
        uniqueID: "movie-microphone-\(film.path)", modelID: "Movie", name: "\(film.name), audio",
        manufacturer: "Obscura", kind: .externalMicrophone, position: .unspecified, media: [.audio],
        formats: []))
  }

  /// Opens the camera or microphone.
  ///
  /// - Throws: `formatUnsupported` for another format than the movie's, `deviceBusy` while a stream is open.
  public func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError) -> any CaptureStream
  {
    var granted = configuration
    if facts.media == [.audio] {
      guard facts.audioFormats.contains(configuration.audio) else {
        throw CaptureDeviceError(
          .formatUnsupported,
          "\(facts.name) does not send \(configuration.audio.channels) channels at \(configuration.audio.rate) Hz; choose one of its formats."
        )
      }
    } else {
      guard let format = facts.formats.first(where: { $0 == configuration.format }),
        configuration.size == format.size, configuration.depth == nil
      else {
        throw CaptureDeviceError(
          .formatUnsupported,
          "\(facts.name) does not send \(configuration.size); a movie has one format, \(facts.formats[0].size)."
        )
      }
      guard configuration.depth == nil else {
        throw CaptureDeviceError(
          .formatUnsupported, "\(facts.name) is a movie and measures no depth; ask for none.")
      }
      granted.frameDuration = format.frameDurations[0].lowerBound
      granted.bufferCount = min(max(configuration.bufferCount, 2), 32)
    }
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = true }
      return isOpen
    }
    guard !wasOpen else {
      throw CaptureDeviceError(
        .deviceBusy, "\(facts.name) is in use by another client; close it there and try again.")
    }
    return MovieStream(self, granted)
  }

  /// The moment that the device's clock shows.
  var now: MonotonicInstant {
    MonotonicInstant(
      nanoseconds: clock.time.convertScale(1_000_000_000, method: .roundHalfAwayFromZero).value)
  }

  func streamClosed() { isOpen.withLock { $0 = false } }
}
