/// An error of publishing events.
package struct PublishingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason and what to do; of an address the second half of a sentence, else a whole one.
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
