internal import CaptureDevice
internal import CoreMedia
internal import Linux

/// The H.264 of one run of a stream: what of it is handed over, and what cannot be decoded.
///
/// A frame builds on those before it. After a loss (a buffer that the driver marked broken or skipped, bytes that are no access
/// unit, no buffer left) every frame up to the next key frame is a loss as well, as a discontinuity: a decoder would show
/// garbage, or fail. Drivers that make key frames on demand are asked for one at the start and after a loss; with others the
/// next one comes when it comes, mostly within some seconds. A stream whose parameter sets got lost before the first key frame,
/// of a camera that sends them once, must be started anew.
struct CodedFrames {
  enum Outcome {
    case picture(CodedPicture)
    case lost(DropReason)
    /// The buffer held parameter sets and no frame.
    case noFrame
  }

  private let ring: BufferRing
  private let makesKeyFrames: Bool
  private var units = AccessUnits()
  private var chain = CodedChain()
  /// So many frames to wait before a key frame is asked for again.
  private var pause = 0

  /// A key frame that has not come by then was lost itself.
  private static let timeout = 30

  /// For the buffers of a ring that has just been started.
  init(_ ring: BufferRing) {
    self.ring = ring
    // A driver that cannot say is one that cannot do it.
    let control = (try? ring.kernel.control(ring.handle, .forceKeyFrame)) ?? nil
    makesKeyFrames = control?.isWritable == true
  }

  /// Takes a filled buffer; it goes back when it holds nothing to hand over, else with the picture.
  ///
  /// - Parameter hasRoom: Whether clients may hold one more buffer.
  mutating func take(_ buffer: FilledBuffer, _ sequence: UInt32, hasRoom: Bool) -> Outcome {
    pause = max(pause - 1, 0)
    let memory = ring.memory(buffer.index)
    switch buffer.isBroken ? .broken : units.read(memory.bytes, used: buffer.usedBytes) {
    case .picture(let unit):
      let picture = picture(unit, in: memory, buffer.index)
      guard chain.accepts(picture, sequence) else {
        askForKeyFrame()
        return .lost(hasRoom ? .discontinuity : .outOfBuffers)
      }
      pause = 0
      if hasRoom { return .picture(picture) }
      chain.lose(picture)
      if chain.isBroken { askForKeyFrame() }
      return .lost(.outOfBuffers)
    case .parameterSets:
      ring.giveBack(buffer.index)
      return .noFrame
    case .broken:
      ring.giveBack(buffer.index)
      breakOff()
      askForKeyFrame()
      return .lost(.discontinuity)
    }
  }

  /// Waits for a key frame: frames were passed over.
  mutating func breakOff() { chain.breakOff() }

  /// Asks for a key frame, once for each loss and again when none comes.
  mutating func askForKeyFrame() {
    guard makesKeyFrames, pause == 0 else { return }
    pause = Self.timeout
    // A driver that does not want to now makes the next one in its own time.
    try? ring.kernel.setValue(ring.handle, of: .forceKeyFrame, .button, to: 1)
  }

  private func picture(_ unit: AccessUnits.Unit, in memory: MappedMemory, _ index: Int) -> CodedPicture {
    let bytes = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[unit.range])
    let data = CMBlockBuffer(wrapping: bytes) { [weak ring] in
      ring?.giveBack(index)
      withExtendedLifetime(memory) {}
    }
    return CodedPicture(
      data: data, format: unit.format, isKeyFrame: unit.isKeyFrame, isReference: unit.isReference)
  }
}
