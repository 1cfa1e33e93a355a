internal import Foundation

/// What the catalogue knows of an asset.
package struct AssetRow: Sendable, Hashable {
  /// How whole an asset is.
  package enum State: Int, Sendable {
    /// It is whole.
    case whole = 0
    /// Its processing is not finished yet.
    case unfinished = 1
    /// Its file has vanished.
    case missing = 2
  }

  /// What else is known of an asset, as bits.
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
  package var mediaType = 0
  package var subtypes = 0
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
  package var burstTypes = 0
  package var isBurstKey = false
  package var location: Location?
  package var marks: Marks = []
  package var state = State.whole
  /// The revision that brought it.
  package var inserted = 0

  /// Where it was taken.
  package struct Location: Sendable, Hashable {
    package var latitude: Double
    package var longitude: Double
    package var altitude: Double
    /// Metres; below zero when unknown.
    package var accuracy: Double
    package var time: Double
  }

  /// Describes nothing yet, under a new name.
  package init() {
    uuid = .random()
    added = Date().timeIntervalSinceReferenceDate
  }

  static let columns =
    "id, uuid, media_type, media_subtypes, width, height, duration, created, modified, added, is_favorite, is_hidden, "
    + "burst, burst_types, is_burst_key, latitude, longitude, altitude, accuracy, located, marks, state, inserted"

  init(_ row: Statement) {
    key = row.integer(0)
    uuid = row.uuid(1) ?? UUID(uuid: noIdentifier)
    mediaType = row.integer(2)
    subtypes = row.integer(3)
    width = row.integer(4)
    height = row.integer(5)
    duration = row.real(6)
    created = row.optionalReal(7)
    modified = row.optionalReal(8)
    added = row.real(9)
    isFavorite = row.integer(10) != 0
    isHidden = row.integer(11) != 0
    burst = row.text(12)
    burstTypes = row.integer(13)
    isBurstKey = row.integer(14) != 0
    if let latitude = row.optionalReal(15) {
      location = Location(
        latitude: latitude, longitude: row.real(16), altitude: row.real(17), accuracy: row.real(18),
        time: row.real(19))
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
    statement.bind(marks.rawValue, 20)
    statement.bind(state.rawValue, 21)
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
