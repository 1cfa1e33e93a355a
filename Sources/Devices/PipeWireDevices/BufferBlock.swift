internal import CPipeWire

/// One block of a buffer's memory, as its source says it.
package struct BufferBlock {
  /// The memory's; below 0 for memory that PipeWire has mapped itself.
  package var descriptor: Int32
  /// Where the block begins in it.
  package var offset: Int
  package var size: Int
  /// Whether it is memory of another device, as the kernel has it.
  package let isDMA: Bool
  /// Where PipeWire has mapped it; `nil` where it has not.
  var address: UnsafeMutableRawPointer?

  /// A block of memory that has a descriptor.
  ///
  /// - Parameter isDMA: Whether its source calls it another device's; that is believed where the kernel says so, too.
  package init(descriptor: Int32, offset: Int, size: Int, isDMA: Bool = false) {
    self.descriptor = descriptor
    self.offset = offset
    self.size = size
    self.isDMA = isDMA && cam_is_dma(descriptor) != 0
  }

  /// A block as the C module tells it.
  init(_ told: cam_video_block) {
    self.init(
      descriptor: told.descriptor, offset: Int(told.offset), size: Int(told.size), isDMA: told.is_dma != 0)
    address = told.bytes.map { UnsafeMutableRawPointer($0) }
  }
}
