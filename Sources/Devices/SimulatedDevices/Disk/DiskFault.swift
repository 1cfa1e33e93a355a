internal import Foundation
internal import Linux

/// A fault of a ``SimulatedDisk``.
///
/// Calls are counted from 1 in the order in which the program makes them; reading is not counted.
public enum DiskFault: Sendable, Hashable {
  /// The process ends before its call of this number, without cleaning up: as if it was killed there.
  case dies(at: Int)
  /// The power fails before the call of this number.
  ///
  /// Of what was not brought to the disk each write is there, lost or torn, and names of files are as they were some calls ago, as
  /// `seed` chooses; then the process ends. Other processes' files are left alone.
  case losesPower(at: Int, seed: UInt64)
  /// The disk has no room after so many bytes were written.
  case isFull(after: Int)
  /// A call of this kind, the one of this number among them, fails with a number of `errno`, such as `EIO`.
  case fails(DiskOperation, at: Int, errno: Int32)
  /// Each call takes so long.
  case isSlow(Duration)

  /// The fault in words for the environment of a child process: `dies:12`, `power:12:7`, `full:4096`, `fails:sync:2:5`, `slow:2000`
  /// (milliseconds).
  package var text: String {
    switch self {
    case .dies(let number): "dies:\(number)"
    case .losesPower(let number, let seed): "power:\(number):\(seed)"
    case .isFull(let bytes): "full:\(bytes)"
    case .fails(let operation, let number, let errno): "fails:\(operation.rawValue):\(number):\(errno)"
    case .isSlow(let duration): "slow:\(Int(duration / .milliseconds(1)))"
    }
  }

  /// The fault of a text that ``text`` made; `nil` for another.
  package init?(_ text: String) {
    let words = text.split(separator: ":").map(String.init)
    func number(_ index: Int) -> Int? { index < words.count ? Int(words[index]) : nil }
    switch words.first {
    case "dies":
      guard let call = number(1) else { return nil }
      self = .dies(at: call)
    case "power":
      guard words.count == 3, let call = number(1), let seed = UInt64(words[2]) else { return nil }
      self = .losesPower(at: call, seed: seed)
    case "full":
      guard let bytes = number(1) else { return nil }
      self = .isFull(after: bytes)
    case "fails":
      guard words.count == 4, let operation = DiskOperation(rawValue: words[1]), let call = number(2),
        let errno = Int32(words[3])
      else { return nil }
      self = .fails(operation, at: call, errno: errno)
    case "slow":
      guard let milliseconds = number(1) else { return nil }
      self = .isSlow(.milliseconds(milliseconds))
    default: return nil
    }
  }
}

/// A kind of call that changes files.
public enum DiskOperation: String, Sendable, Hashable, CaseIterable {
  /// A file is opened for writing, or made.
  case open
  /// Bytes are written.
  case write
  /// A file's bytes, or a folder's names, are brought to the disk.
  case sync
  /// A file is cut or lengthened.
  case truncate
  /// A file gets a name, or a second one.
  case link
  /// A file gets another name.
  case rename
  /// A name is removed.
  case remove
  /// A folder is made.
  case makeFolder
  /// A file's permissions or times are set.
  case attributes
  /// A file that was written is closed; a failure here loses what was not brought to the disk.
  case close

  init(_ call: DiskCall) {
    self =
      switch call {
      case .open: .open
      case .write, .writeAt: .write
      case .sync, .syncBytes: .sync
      case .truncate: .truncate
      case .name, .link: .link
      case .rename: .rename
      case .unlink, .removeFolder: .remove
      case .makeFolder: .makeFolder
      case .permissions, .touch: .attributes
      case .close: .close
      case .announced(let call):
        switch call.kind {
        case .open: .open
        case .write: .write
        case .sync: .sync
        case .truncate: .truncate
        case .unlink: .remove
        }
      }
  }
}
