package import Linux

/// A connection to a broker that is used once: the functions that publishing calls, and what it hears.
///
/// All but ``wake()`` are called by one thread.
package protocol BrokerLink: Sendable {
  /// Opens the connection and greets the broker, whose answer comes with a ``step(until:)``; may block for the network.
  /// - Throws: ``PublishingError``: why it cannot be opened.
  func connect() throws(PublishingError)
  /// Sends a message that the broker is to acknowledge.
  ///
  /// - Parameter isKept: Whether the broker keeps it for those who come later.
  /// - Returns: The number by which it will be acknowledged; its acknowledgement may be there already.
  /// - Throws: ``PublishingError`` when the connection is lost.
  func publish(_ payload: [UInt8], to topic: String, isKept: Bool) throws(PublishingError) -> Int32
  /// Moves bytes; blocks until something was heard, ``wake()`` was called since the last step, or the moment has come.
  /// - Throws: ``PublishingError`` when the connection is lost, or the broker refuses it.
  func step(until moment: MonotonicInstant) throws(PublishingError) -> [BrokerReport]
  /// Says goodbye, so that the broker publishes no last will.
  func disconnect()
  /// Ends a step that blocks, or the next one; on any thread.
  func wake()
}

/// A word of a broker.
package enum BrokerReport: Sendable, Hashable {
  /// It takes messages.
  case welcome
  /// It has the message of that number.
  case acknowledged(Int32)
}
