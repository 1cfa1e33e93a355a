/// The visibility of a value in a message to all who read the log.
///
/// A private value is written as `<private>`, unless the lines go to a terminal, or `OBSCURA_LOG_PRIVATE=1`. Without a word about it numbers
/// and truth values are public, all else is private. Apple: `OSLogPrivacy`.
public struct OSLogPrivacy: Sendable, Equatable {
  /// The text that is written in place of a private value.
  ///
  /// Apple: `OSLogPrivacy.Mask`.
  public enum Mask: Sendable, Equatable {
    /// A number that is the same for equal values in one run of the program.
    case hash
    /// Nothing of it.
    case none
  }

  private enum Kind: Equatable {
    case automatic, open, hidden, sensitive
  }

  private let kind: Kind
  private let mask: Mask

  /// Seen by everyone.
  public static var `public`: OSLogPrivacy { OSLogPrivacy(kind: .open, mask: .none) }
  /// Private.
  public static var `private`: OSLogPrivacy { OSLogPrivacy(kind: .hidden, mask: .none) }
  /// Private, wherever the lines go.
  public static var sensitive: OSLogPrivacy { OSLogPrivacy(kind: .sensitive, mask: .none) }
  /// By the type of the value.
  public static var auto: OSLogPrivacy { OSLogPrivacy(kind: .automatic, mask: .none) }

  /// Private, with something in its place.
  public static func `private`(mask: Mask) -> OSLogPrivacy {
    OSLogPrivacy(kind: .hidden, mask: mask)
  }

  /// Private wherever the lines go, with something in its place.
  public static func sensitive(mask: Mask) -> OSLogPrivacy {
    OSLogPrivacy(kind: .sensitive, mask: mask)
  }

  /// By the type of the value, with something in the place of a private one.
  public static func auto(mask: Mask) -> OSLogPrivacy {
    OSLogPrivacy(kind: .automatic, mask: mask)
  }

  /// The text, or what stands in its place.
  func shown(_ text: String, isPublic: Bool, _ writer: LogWriter) -> String {
    switch kind {
    case .open: return text
    case .automatic where isPublic || writer.showsPrivate: return text
    case .hidden where writer.showsPrivate: return text
    default:
      let word = kind == .sensitive ? "sensitive" : "private"
      return mask == .hash
        ? "<mask.hash: \(String(UInt(bitPattern: text.hashValue), radix: 16))>" : "<\(word)>"
    }
  }
}
