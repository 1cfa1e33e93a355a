package import CaptureDevice
internal import Linux
internal import StreamParts

/// A camera of PipeWire's.
///
/// Other programs may watch it too; in this process one client has it. Thread-safe.
package final class PipeWireDevice: CaptureDeviceDriver {
  package let facts: DeviceFacts
  package let node: SourceNode
  /// The way to the server that has it.
  package let reach: PipeWireReach
  /// Whether a session manager links streams that begin now.
  package var isManaged: Bool { state.withLock { $0.isManaged } }
  private let state: Locked<State>

  private struct State {
    var isManaged: Bool
    var isOpen = false
    var end: CaptureDeviceError?
    weak var reading: PipeWireReading?
  }

  package init(_ node: SourceNode, _ facts: DeviceFacts, _ reach: PipeWireReach, isManaged: Bool) {
    self.node = node
    self.facts = facts
    self.reach = reach
    state = Locked(State(isManaged: isManaged))
  }

  /// Notes whether a session manager runs, which may come and go while the camera stays.
  func noteManaged(_ isManaged: Bool) { state.withLock { $0.isManaged = isManaged } }

  package func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError)
    -> any CaptureStream
  {
    guard facts.formats.contains(configuration.format), configuration.size == configuration.format.size,
      configuration.depth == nil, configuration.bufferCount > 0,
      let format = NodeFormat.format(of: configuration.format, among: node.formats)
    else {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(facts.name) does not send \(configuration.size) as asked; choose one of its formats.")
    }
    var granted = configuration
    granted.frameDuration = configuration.format.nearest(configuration.frameDuration)
    granted.bufferCount = min(configuration.bufferCount, PipeWireReading.mostBuffers)
    let (end, wasOpen) = state.withLock { state in
      defer { if state.end == nil { state.isOpen = true } }
      return (state.end, state.isOpen)
    }
    if let end { throw end }
    guard !wasOpen else {
      throw CaptureDeviceError(
        .deviceBusy, "\(facts.name) is in use by another client; close it there and try again.")
    }
    return PipeWireStream(self, granted, format)
  }

  package func streamClosed() { state.withLock { $0.isOpen = false } }

  /// Notes the run that is to end with the camera; ends it at once where that is gone.
  func note(_ reading: PipeWireReading) {
    let end = state.withLock { state in
      state.reading = reading
      return state.end
    }
    if let end { reading.end(end) }
  }

  /// The camera is gone: its stream ends, and it cannot be opened again.
  package func lose(_ error: CaptureDeviceError) {
    let reading = state.withLock { state in
      state.end = state.end ?? error
      return state.reading
    }
    reading?.end(error)
  }
}
