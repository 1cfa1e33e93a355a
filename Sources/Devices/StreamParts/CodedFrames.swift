package import CaptureDevice

/// Sorts the H.264 or HEVC pictures of one run into those that can be decoded and those that are lost.
///
/// A picture builds on those before it. After a loss (a buffer that the driver marked broken or skipped, bytes that are no access
/// unit, no buffer left) every picture up to the next key frame is lost as well, as a discontinuity: a decoder would show
/// garbage, or fail. A stream whose parameter sets got lost before the first key frame, of a camera that sends them once,
/// must be started anew.
package struct CodedFrames: Sendable {
  /// The result of reading a buffer; only a picture's buffer is still needed.
  package enum Outcome: Sendable {
    case picture(AccessUnits.Unit)
    case lost(DropReason)
    /// The buffer held parameter sets and no picture.
    case noFrame
  }

  /// A key frame that has not come after so many pictures was lost itself.
  private static let timeout = 30

  private var units: AccessUnits
  private var chain = CodedChain()
  private var isKeyFrameDue = true
  /// So many pictures to wait before a key frame is asked for again.
  private var pause = 0

  /// For a stream that has just been started.
  package init(_ codec: CodedSyntax = .h264) {
    units = AccessUnits(codec)
  }

  /// Notes parameter sets that come beside the stream, each behind a start code.
  package mutating func note(parameterSets: [UInt8]) {
    var bytes = parameterSets
    bytes.withUnsafeMutableBytes { _ = units.read($0, used: $0.count) }
  }

  /// Reads a filled buffer, in which the picture's bytes are rearranged.
  ///
  /// - Parameter hasRoom: Whether clients may hold one more buffer.
  package mutating func take(
    _ memory: UnsafeMutableRawBufferPointer, used: Int, isBroken: Bool, _ sequence: UInt32, hasRoom: Bool
  ) -> Outcome {
    pause = max(pause - 1, 0)
    switch isBroken ? .broken : units.read(memory, used: used) {
    case .picture(let unit):
      guard chain.accepts(isKeyFrame: unit.isKeyFrame, sequence) else {
        isKeyFrameDue = true
        return .lost(hasRoom ? .discontinuity : .outOfBuffers)
      }
      pause = 0
      if hasRoom { return .picture(unit) }
      chain.lose(isReference: unit.isReference)
      if chain.isBroken { isKeyFrameDue = true }
      return .lost(.outOfBuffers)
    case .parameterSets:
      return .noFrame
    case .broken:
      chain.breakOff()
      isKeyFrameDue = true
      return .lost(.discontinuity)
    }
  }

  /// Waits for a key frame: pictures were passed over.
  package mutating func breakOff() { chain.breakOff() }

  /// Whether the driver shall be asked for a key frame now: at the start, once for each loss, and again when none comes.
  package mutating func takeKeyFrameRequest() -> Bool {
    defer { isKeyFrameDue = false }
    guard isKeyFrameDue, pause == 0 else { return false }
    pause = Self.timeout
    return true
  }
}
