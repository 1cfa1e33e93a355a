internal import Foundation

/// The newest finished movies of a recording, as far as a limit goes: `--keep 10m`, `--keep 20G`.
///
/// Only files of this run count, and the newest always stays.
struct KeptMovies {
  /// A limit of all finished movies together.
  enum Limit: Equatable {
    case seconds(Double)
    case bytes(Int64)

    /// Reads `30s`, `10m`, `2h`, `500M` or `20G`; `nil` for anything else.
    init?(_ text: String) {
      guard let unit = text.last, let number = Arguments.Bounds.decimal(text.dropLast()), number > 0,
        number <= 1e9
      else { return nil }
      switch unit {
      case "s": self = .seconds(number)
      case "m": self = .seconds(number * 60)
      case "h": self = .seconds(number * 3600)
      case "M": self = .bytes(Int64(number * 1e6))
      case "G": self = .bytes(Int64(number * 1e9))
      default: return nil
      }
    }
  }

  private let limit: Limit
  private var movies: [(url: URL, seconds: Double, bytes: Int64)] = []

  init(_ limit: Limit) {
    self.limit = limit
  }

  /// Takes a finished movie.
  ///
  /// - Returns: The oldest ones, which are too many now, for the caller to remove.
  mutating func add(_ url: URL, seconds: Double, bytes: Int64) -> [URL] {
    movies.append((url, seconds, bytes))
    var old: [URL] = []
    while movies.count > 1, isTooMuch { old.append(movies.removeFirst().url) }
    return old
  }

  private var isTooMuch: Bool {
    switch limit {
    case .seconds(let most): movies.reduce(0) { $0 + $1.seconds } > most
    case .bytes(let most): movies.reduce(0) { $0 + $1.bytes } > most
    }
  }
}
