internal import CaptureDevice
internal import CoreMedia
internal import StreamParts

/// Reads the H.264 pictures in a node's buffers, in the order in which they come.
///
/// Each is copied: the bytes are rearranged, and other programs read the buffer, too.
struct CodedBuffers {
  /// The result of reading a buffer.
  enum Outcome {
    case picture(CodedPicture)
    case lost(DropReason)
    /// The buffer held parameter sets and no picture.
    case noFrame
  }

  private var frames = CodedFrames()

  /// Reads a filled buffer.
  ///
  /// - Parameters:
  ///   - bytes: Of the buffer; copied.
  ///   - hasRoom: Whether clients may hold one more picture.
  ///   - ended: Called once the picture's last reference has gone; not at all for another outcome.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer, isBroken: Bool, _ sequence: UInt32, hasRoom: Bool,
    ended: @escaping @Sendable () -> Void
  ) -> Outcome {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 64, alignment: 16)
    memory.copyMemory(from: bytes)
    let outcome = frames.take(
      memory, used: bytes.count, isBroken: isBroken || bytes.isEmpty, sequence, hasRoom: hasRoom)
    switch outcome {
    case .picture(let unit):
      let own = UnsafeMutableRawBufferPointer(rebasing: memory[unit.range])
      let address = UInt(bitPattern: memory.baseAddress)
      let data = CMBlockBuffer(wrapping: own) {
        UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
        ended()
      }
      return .picture(
        CodedPicture(
          data: data, format: unit.format, isKeyFrame: unit.isKeyFrame, isReference: unit.isReference))
    case .lost(let reason):
      memory.deallocate()
      return .lost(reason)
    case .noFrame:
      memory.deallocate()
      return .noFrame
    }
  }
}
