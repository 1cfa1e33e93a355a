internal import CFFmpeg
internal import CoreMedia
internal import MediaFiles

/// Facts of one stream: those of its description, or else of its first packets, which are kept for the library to look at.
///
/// Used by one thread.
final class RTPFacts {
  private static let mostBytes = 8 << 20
  /// Packets after which it is left at what is known.
  private static let mostMade = 32
  /// Pictures, or their length in nanoseconds, that show how many there are in a second.
  private static let enoughMade = 16
  private static let enoughLength: Int64 = 2_000_000_000
  /// Packets after which a sound is left at what is known.
  private static let mostSounds = 8
  /// More than any medium has tracks.
  private static let tracksOfMedium = 16

  let description: SessionDescription.Medium
  /// What it consists of; grows while packets come.
  private(set) var tracks: [NetworkInput.Track] = []
  private(set) var units: [(Int64, Int64)] = []
  /// Whether all is known.
  private(set) var isWhole = false
  private let number: Int
  private var bytes: [UInt8] = []
  private var sizes: [UInt16] = []
  private var isKeeping = true
  private var made = 0
  private var next = 1
  private var times: (first: Int64, last: Int64)?
  private var hasSeenRate = false

  /// - Parameter number: The stream's, among those that are read.
  init(_ description: SessionDescription.Medium, number: Int) {
    self.description = description
    self.number = number
    look()
  }

  /// The number of the first of its tracks.
  var firstIndex: Int { number * Self.tracksOfMedium }

  /// Keeps a packet that is read.
  func note(_ packet: UnsafeRawBufferPointer) {
    guard isKeeping, let size = UInt16(exactly: packet.count), bytes.count < Self.mostBytes else { return }
    bytes += packet
    sizes.append(size)
  }

  /// Looks at what was kept, once enough is there for another try.
  ///
  /// - Parameter time: When a packet that was made is shown, in units of its track.
  func noteMade(_ time: Int64?) {
    guard isKeeping else { return }
    made += 1
    if let time { times = (min(times?.first ?? time, time), max(times?.last ?? time, time)) }
    guard made >= next || showsRate && !hasSeenRate else { return }
    next = max(next, made * 2)
    look()
  }

  /// Whether enough pictures came to tell their rate.
  private var showsRate: Bool { made >= Self.enoughMade || made > 1 && length >= Self.enoughLength }

  /// For how long it has been read, in nanoseconds.
  var length: Int64 {
    guard let times, let unit = units.first, unit.1 > 0 else { return 0 }
    let (product, overflows) = (times.last - times.first).multipliedReportingOverflow(
      by: unit.0 * 1_000_000_000)
    return overflows ? .max : product / unit.1
  }

  /// Leaves it at what is known.
  func close() {
    (isKeeping, bytes, sizes) = (false, [], [])
  }

  private func look() {
    guard !isWhole else { return }
    hasSeenRate = showsRate
    var status: Int32 = 0
    if let movie = cam_rtp_look(description.text, bytes, sizes, Int32(sizes.count), &status) {
      (tracks, units) = NetworkInput.tracks(of: movie, from: firstIndex) { [self] in rate($0) }
      cam_movie_close(movie)
    }
    isWhole =
      made >= Self.mostMade || bytes.count >= Self.mostBytes || !tracks.isEmpty && tracks.allSatisfy(isKnown)
  }

  /// Whether all of a track is known that ever will be.
  private func isKnown(_ track: NetworkInput.Track) -> Bool {
    guard track.isVideo else { return track.format != nil || made >= Self.mostSounds }
    // What has no name here is not read.
    guard CodecNames.videoCode(track.codec) != nil else { return true }
    let size = track.format.map { CMVideoFormatDescriptionGetDimensions($0) }
    return (size?.width ?? 0) > 0 && (track.rate > 0 || showsRate)
  }

  /// The rate of a track: the description's, that of its parameter sets, or that of the pictures that came.
  private func rate(_ told: Double) -> Double {
    if description.rate > 0 { return description.rate }
    // Some encoders write the unit of their clock.
    if told >= 1, told <= 240 { return told }
    guard showsRate, length > 0 else { return 0 }
    return Double(made - 1) * 1e9 / Double(length)
  }
}
