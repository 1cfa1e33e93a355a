internal import Glibc

/// An open file descriptor, closed when the last reference goes.
package final class Descriptor: Sendable {
  /// The kernel's number; valid as long as this object lives.
  package let number: Int32

  /// Takes over `number`.
  package init(adopting number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }
}
