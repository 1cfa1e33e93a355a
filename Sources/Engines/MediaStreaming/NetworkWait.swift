/// What FFmpeg asks while it waits for the network: whether the wait is to end.
///
/// Lives as long as the connection, which holds its address.
final class NetworkWait {
  let isOver: @Sendable () -> Bool

  init(_ isOver: @escaping @Sendable () -> Bool) { self.isOver = isOver }

  /// The wait as FFmpeg's context of ``callback``; not retained.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Answers whether the wait of `context` is to end.
  static let callback: @convention(c) (UnsafeMutableRawPointer?) -> Bool = { context in
    guard let context else { return true }
    return Unmanaged<NetworkWait>.fromOpaque(context).takeUnretainedValue().isOver()
  }
}
