internal import CFFmpeg
internal import CoreMedia
internal import MediaFiles

/// What is known of one stream: of its description, or else of its first packets, which are kept for the library to look at.
///
/// Used by one thread.
final class RTPFacts {
  private static let mostBytes = 8 << 20
  /// Pictures after which it is left at what is known.
  private static let mostMade = 32
  private static let unit: Int64 = 16

  let description: SessionDescription.Medium
  /// What it consists of; grows while packets come.
  private(set) var tracks: [NetworkInput.Track] = []
  private(set) var units: [(Int64, Int64)] = []
  /// Whether all is known.
  private(set) var isWhole = false
  private let number: Int
  private let joins: Bool
  private var bytes: [UInt8] = []
  private var sizes: [UInt16] = []
  private var isKeeping = true
  private var made = 0
  private var next = 1
  private var times: (first: Int64, last: Int64)?

  /// - Parameters:
  ///   - number: The stream's, among those that are read.
  ///   - joins: Whether its packets are joined to pictures.
  init(_ description: SessionDescription.Medium, number: Int, joins: Bool) {
    self.description = description
    self.number = number
    self.joins = joins
    look()
  }

  /// The number of the first of its tracks.
  var firstIndex: Int { number * Int(Self.unit) }

  /// Keeps a packet that is read.
  func note(_ packet: UnsafeRawBufferPointer) {
    guard isKeeping, let size = UInt16(exactly: packet.count), bytes.count < Self.mostBytes else { return }
    bytes += packet
    sizes.append(size)
  }

  /// Looks at what was kept, once enough is there for another try.
  func noteMade(_ time: Int64?) {
    guard isKeeping else { return }
    made += 1
    if let time { times = (min(times?.first ?? time, time), max(times?.last ?? time, time)) }
    guard made >= next else { return }
    next = made * 2
    look()
  }

  /// For how long it has been read, in nanoseconds.
  var length: Int64 {
    guard let times, let unit = units.first, unit.1 > 0 else { return 0 }
    let (product, overflows) = (times.last - times.first).multipliedReportingOverflow(by: unit.0 * 1_000_000_000)
    return overflows ? .max : product / unit.1
  }

  /// Leaves it at what is known.
  func close() {
    (isKeeping, bytes, sizes) = (false, [], [])
  }

  private func look() {
    var status: Int32 = 0
    guard let movie = cam_rtp_look(description.text, bytes, sizes, Int32(sizes.count), &status) else { return }
    defer { cam_movie_close(movie) }
    (tracks, units) = NetworkInput.tracks(of: movie, from: firstIndex) { [self] in rate($0) }
    let isRateKnown = description.rate > 0 || !description.isVideo || made >= Self.mostMade / 2 || tracks.allSatisfy { $0.rate > 0 }
    isWhole =
      made >= Self.mostMade || bytes.count >= Self.mostBytes || !tracks.isEmpty && isRateKnown && tracks.allSatisfy(isKnown)
  }

  /// Whether a track's format is known, or never will be.
  private func isKnown(_ track: NetworkInput.Track) -> Bool {
    guard let format = track.format else { return track.codec != "none" }
    guard track.isVideo else { return true }
    let size = CMVideoFormatDescriptionGetDimensions(format)
    return size.width > 0 && size.height > 0
  }

  /// The rate of a track: the library's, the description's, or that of the pictures that came.
  private func rate(_ rate: Double) -> Double {
    if rate > 0 { return rate }
    if description.rate > 0 { return description.rate }
    guard made >= Self.mostMade / 2, length > 0 else { return 0 }
    return Double(made - 1) * 1e9 / Double(length)
  }
}
