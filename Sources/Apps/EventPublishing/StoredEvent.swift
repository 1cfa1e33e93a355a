/// An event that waits until the broker has it.
package struct StoredEvent: Sendable, Hashable {
  /// Its place in the order.
  package let number: UInt64
  /// The word below the topic.
  package let subject: String
  package let payload: [UInt8]
}
