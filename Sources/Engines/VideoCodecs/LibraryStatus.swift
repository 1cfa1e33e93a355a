internal import CFFmpeg

/// Texts and results of the C functions.
enum LibraryStatus {
  /// Room for a reason.
  static let textSize = 256

  /// Runs `body` with room for a reason, and returns both.
  static func withReason<Value>(
    _ body: (UnsafeMutablePointer<CChar>, Int) -> Value
  ) -> (value: Value, reason: String) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: textSize) { room in
      room.initialize(repeating: 0)
      guard let base = room.baseAddress else { preconditionFailure("a buffer of \(textSize) has an address") }
      let value = body(base, textSize)
      return (value, String(cString: base))
    }
  }

  /// The meaning of a result below zero.
  static func text(_ status: Int32) -> String {
    withReason { cam_describe(status, $0, $1) }.reason
  }
}
