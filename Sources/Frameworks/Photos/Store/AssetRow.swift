internal import Foundation

/// The catalogue's row of an asset.
package struct AssetRow: Sendable, Hashable {
  /// The state of an asset: whole, unfinished, or missing.
  package enum State: Int, Sendable {
    /// It is whole.
    case whole = 0
    /// Its processing is not finished yet.
    case unfinished = 1
    /// Its file has vanished.
    case missing = 2
  }

  /// Further properties of an asset, as bits.
  package struct Marks: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// The front camera took it.
    package static let front = Marks(rawValue: 1)
    package static let animated = Marks(rawValue: 2)
    package static let longExposure = Marks(rawValue: 4)
    package static let raw = Marks(rawValue: 8)
    package static let adjusted = Marks(rawValue: 16)
  }

  /// The key in the catalogue; 0 before it is there.
  package var key = 0
  package var uuid: UUID
  package var mediaType = PHAssetMediaType.unknown
  package var subtypes: PHAssetMediaSubtype = []
  package var width = 0
  package var height = 0
  package var duration = 0.0
  /// Seconds since 2001, as are the other times.
  package var created: Double?
  package var modified: Double?
  package var added: Double
  package var isFavorite = false
  package var isHidden = false
  package var burst: String?
  package var burstTypes: PHAssetBurstSelectionType = []
  package var isBurstKey = false
  package var location: Location?
  package var marks: Marks = []
  package var state = State.whole
  /// The revision that brought it.
  package var inserted = 0

  /// The location of an asset, as the catalogue keeps it.
  package struct Location: Sendable, Hashable {
    package var latitude: Double
    package var longitude: Double
    package var altitude: Double
    /// Metres; below zero when unknown.
    package var accuracy: Double
    package var time: Double
  }

  /// Describes nothing yet, under a new name.
  ///
  /// - Parameter date: When it comes into the library.
  package init(added date: Date) {
    uuid = .random()
    added = date.timeIntervalSinceReferenceDate
  }

  /// The condition of an asset whose file is there, or was when the folder was last read.
  static let isPresent = "state != \(State.missing.rawValue)"

  static let columns =
    "id, uuid, media_type, media_subtypes, width, height, duration, created, modified, added, is_favorite, is_hidden, "
    + "burst, burst_types, is_burst_key, latitude, longitude, altitude, accuracy, located, marks, state, inserted"

  init(_ row: Statement) {
    key = row.integer(0)
    uuid = row.uuid(1) ?? UUID(uuid: noIdentifier)
    mediaType = PHAssetMediaType(rawValue: row.integer(2)) ?? .unknown
    subtypes = PHAssetMediaSubtype(rawValue: row.bits(3))
    // Whatever a damaged or foreign catalogue says, it can be multiplied and shown.
    func within(_ value: Double?, _ limit: Double) -> Double? {
      value.flatMap { abs($0) <= limit ? $0 : nil }
    }
    width = min(max(row.integer(4), 0), 1 << 20)
    height = min(max(row.integer(5), 0), 1 << 20)
    duration = max(0, within(row.real(6), 1e9) ?? 0)
    created = within(row.optionalReal(7), 1e11)
    modified = within(row.optionalReal(8), 1e11)
    added = within(row.real(9), 1e11) ?? 0
    isFavorite = row.integer(10) != 0
    isHidden = row.integer(11) != 0
    burst = row.text(12)
    burstTypes = PHAssetBurstSelectionType(rawValue: row.bits(13))
    isBurstKey = row.integer(14) != 0
    if let latitude = within(row.optionalReal(15), 90), let longitude = within(row.real(16), 180) {
      location = Location(
        latitude: latitude, longitude: longitude, altitude: within(row.real(17), 1e9) ?? 0,
        accuracy: within(row.real(18), 1e9) ?? -1, time: within(row.real(19), 1e11) ?? 0)
    }
    marks = Marks(rawValue: row.integer(20))
    state = State(rawValue: row.integer(21)) ?? .whole
    inserted = row.integer(22)
  }

  /// Binds all columns but the key, in their order, from 1 on.
  func bind(_ statement: Statement) {
    statement.bind(uuid, 1)
    statement.bind(mediaType, 2)
    statement.bind(subtypes, 3)
    statement.bind(width, 4)
    statement.bind(height, 5)
    statement.bind(duration, 6)
    if let created { statement.bind(created, 7) }
    if let modified { statement.bind(modified, 8) }
    statement.bind(added, 9)
    statement.bind(isFavorite ? 1 : 0, 10)
    statement.bind(isHidden ? 1 : 0, 11)
    if let burst { statement.bind(burst, 12) }
    statement.bind(burstTypes, 13)
    statement.bind(isBurstKey ? 1 : 0, 14)
    if let location {
      statement.bind(location.latitude, 15)
      statement.bind(location.longitude, 16)
      statement.bind(location.altitude, 17)
      statement.bind(location.accuracy, 18)
      statement.bind(location.time, 19)
    }
    statement.bind(marks, 20)
    statement.bind(state, 21)
    statement.bind(inserted, 22)
  }
}

extension UUID {
  /// A new name of sixteen random bytes.
  ///
  /// Foundation's initialiser opens a file for each, which takes longer than keeping the asset.
  static func random() -> UUID {
    var generator = SystemRandomNumberGenerator()
    var bytes: UInt128 = generator.next()
    // Version 4 and variant 1 of RFC 9562, in the bytes 6 and 8.
    bytes = bytes & ~(0xF0 << 48) | 0x40 << 48
    bytes = bytes & ~(0xC0 << 64) | 0x80 << 64
    return withUnsafeBytes(of: bytes.littleEndian) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

private let noIdentifier: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
