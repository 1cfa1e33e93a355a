internal import Linux

/// The content of a timed metadata group; thread-safe.
final class TimedContent: Sendable {
  private let content: Locked<AVTimedMetadataGroup.Content>

  init(_ content: sending AVTimedMetadataGroup.Content) {
    self.content = Locked(content)
  }

  var value: AVTimedMetadataGroup.Content { content.withLock { $0 } }

  /// Changes it; what was there leaves after the lock is left, because it may be a client's.
  func change(_ body: (inout AVTimedMetadataGroup.Content) -> Void) {
    let old = content.withLock { content in
      let old = content
      body(&content)
      return old
    }
    withExtendedLifetime(old) {}
  }
}
