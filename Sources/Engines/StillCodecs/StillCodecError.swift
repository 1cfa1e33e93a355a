/// An error of reading or writing a picture.
public struct StillCodecError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a failure; later versions may add kinds.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String { case damaged, unsupported, tooLarge, unsuitable, codecFailed }
    private let value: Value

    /// The bytes are no picture, or end or break before it does.
    public static let damaged = Code(value: .damaged)
    /// A true picture of a kind that is not read or written here.
    public static let unsupported = Code(value: .unsupported)
    /// The picture claims more pixels than a file of its length may, or takes more memory than a decoding may.
    public static let tooLarge = Code(value: .tooLarge)
    /// The pixel buffer's format or size does not fit what was asked.
    public static let unsuitable = Code(value: .unsuitable)
    /// The codec gave up for want of memory or for reasons of its own.
    public static let codecFailed = Code(value: .codecFailed)

    /// The code's name.
    public var description: String { value.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: what failed, why, what to do.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Depth or a matte whose numbers do not fit what is said of them.
  package static let unsuitableDepth = StillCodecError(
    .unsuitable, "The depth or matte cannot be written: its data do not fit their description.")

  /// A file of another kind.
  package static let noPicture = StillCodecError(
    .unsupported, "The file cannot be read: it is no JPEG, HEIC, PNG, GIF or DNG picture.")

  /// A developed picture that is to become a raw file.
  package static let notOfSensor = StillCodecError(
    .unsuitable,
    "The picture cannot be written as DNG: its numbers are no sensor's any more; name another type.")
}
