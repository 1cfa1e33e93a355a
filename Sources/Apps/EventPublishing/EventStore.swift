internal import Foundation
internal import Glibc
internal import Linux

/// The events of a folder that wait for a broker: a file for each, so that a kill loses none.
///
/// Thread-safe; blocks for the disk.
final class EventStore: Sendable {
  private let folder: String
  /// Held for as long as the store lives, so that two processes do not send the same events.
  private let hold: Locked<Descriptor?>

  private static let fileExtension = ".event"

  /// Opens the folder, which is made with those above it where it is missing.
  /// - Throws: ``PublishingError`` where it cannot be used, or another process uses it.
  init(_ folder: String) throws(PublishingError) {
    self.folder = folder
    do {
      try Disk.makeFolders(folder, 0o700)
    } catch {
      throw Self.unusable(folder, Self.reason(error))
    }
    let number = Disk.open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw Self.unusable(folder, SystemError.last("write there").explanation) }
    hold = Locked(Descriptor(adopting: number))
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
      throw PublishingError(
        "Another obscura publishes under that topic; end it, or give this one a topic of its own.")
    }
  }

  /// Lets another publisher have the folder.
  func release() {
    let descriptor = hold.withLock { hold in
      defer { hold = nil }
      return hold
    }
    withExtendedLifetime(descriptor) {}
  }

  private static func unusable(_ folder: String, _ reason: String) -> PublishingError {
    PublishingError(
      "The events cannot be kept in \(folder): \(reason); set XDG_STATE_HOME to a folder that can be written."
    )
  }

  private static func reason(_ error: SystemError) -> String {
    switch error.reason {
    case .alreadyExists: "a part of that path is no folder"
    default: error.explanation
    }
  }

  /// The events that wait there from earlier runs, in order.
  ///
  /// A file that is no event is removed.
  func events() -> [StoredEvent] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(Self.fileExtension) }.sorted().compactMap { name in
      let path = "\(folder)/\(name)"
      guard let number = UInt64(name.dropLast(Self.fileExtension.count), radix: 16),
        let bytes = FileManager.default.contents(atPath: path),
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
      else {
        Disk.unlink(path)
        return nil
      }
      return StoredEvent(
        number: number, subject: String(decoding: bytes[..<end], as: UTF8.self),
        payload: Array(bytes[bytes.index(after: end)...]))
    }
  }

  /// Keeps an event.
  /// - Throws: `SystemError`, such as that of a full disk.
  func keep(_ event: StoredEvent) throws(SystemError) {
    try AtomicFile.write(
      Array(event.subject.utf8) + [UInt8(ascii: "\n")] + event.payload, to: path(event.number))
  }

  /// Forgets events that the broker has, or that are dropped.
  ///
  /// One that comes back after a power cut is sent twice, under the same name.
  func forget(_ numbers: [UInt64]) {
    for number in numbers { Disk.unlink(path(number)) }
  }

  private func path(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return "\(folder)/\(String(repeating: "0", count: 16 - digits.count))\(digits)\(Self.fileExtension)"
  }
}
