public import CoreMedia

/// One access unit of H.264 or HEVC: a picture that says how it differs from those before it, or one that stands for itself.
///
/// Immutable and thread-safe.
public final class CodedPicture: Sendable {
  /// The NAL units of the picture, each behind its length as four bytes, the highest first; in one piece.
  ///
  /// Parameter sets are not among them, they are in ``format``. Device memory, which goes back with the last reference.
  public let data: CMBlockBuffer
  /// Size and parameter sets (`avcC`, `hvcC`) of the stream, and which of the two codecs it is; the same object as the picture's before unless they changed.
  public let format: CMVideoFormatDescription
  /// Whether decoding can begin here: the picture and all that are shown after it need none before it.
  public let isKeyFrame: Bool
  /// Whether other pictures may build on this one, so that they cannot be decoded without it.
  public let isReference: Bool

  /// An access unit in `data`, whose NAL units have lengths as `format` says.
  public init(data: CMBlockBuffer, format: CMVideoFormatDescription, isKeyFrame: Bool, isReference: Bool) {
    self.data = data
    self.format = format
    self.isKeyFrame = isKeyFrame
    self.isReference = isReference
  }
}

/// Tracks which pictures of a coded stream can be decoded: those whose references are all there.
///
/// Begins with a key frame, and again after every loss of a picture that others build on. Each place where pictures may be
/// lost has its own.
package struct CodedChain: Sendable {
  /// The number of the last picture that was kept, or that no other builds on; `nil` while a key frame is waited for.
  private var last: UInt32?

  /// A chain that waits for a key frame.
  package init() {}

  /// Whether a key frame is waited for.
  package var isBroken: Bool { last == nil }

  /// Whether the picture with that number can be decoded after those that were kept; a gap in the numbers is a loss.
  package mutating func accepts(isKeyFrame: Bool, _ sequence: UInt32) -> Bool {
    guard isKeyFrame || last.map({ $0 &+ 1 == sequence }) ?? false else {
      last = nil
      return false
    }
    last = sequence
    return true
  }

  /// Notes that a picture, which could have been decoded, is lost after all.
  package mutating func lose(isReference: Bool) {
    if isReference { last = nil }
  }

  /// Waits for a key frame again.
  package mutating func breakOff() { last = nil }
}
