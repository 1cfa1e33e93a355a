internal import Dispatch
internal import FoundationExtras
internal import Linux

extension AVAssetWriterInput {
  /// Whether the writer can hold another sample, however far the other inputs are.
  package var hasRoom: Bool { state.withLock { $0.hasRoom } }

  /// Notifies observers, and the client's block, of changed readiness.
  func announce() {
    let change = state.withLock { state -> (Bool, Bool)? in
      let isReady = state.isReady(self)
      guard isReady != state.wasReady else { return nil }
      defer { state.wasReady = isReady }
      return (state.wasReady, isReady)
    }
    guard let (old, new) = change else { return }
    observerTable.changed(\AVAssetWriterInput.isReadyForMoreMediaData, of: self, from: old, to: new)
    if new { requestIfReady() }
  }

  func requestIfReady() {
    let (request, track) = state.withLock {
      state -> ((queue: DispatchQueue, block: @Sendable () -> Void)?, WriterTrack?) in
      guard state.isReady(self), !state.isRequesting, let request = state.request else { return (nil, nil) }
      state.isRequesting = true
      return (request, state.track)
    }
    guard let request else { return }
    request.queue.async {
      request.block()
      self.state.withLock { if $0.track === track { $0.isRequesting = false } }
      self.requestIfReady()
    }
  }
}
