internal import CPipeWire
internal import Glibc
internal import Linux

/// The memory of one buffer, as this process sees it; unmapped with the last reference.
final class BufferMemory: @unchecked Sendable {
  // Safe because only the source writes, while no client holds a picture in it.

  /// The blocks' bytes; empty where they cannot be mapped.
  let blocks: [UnsafeMutableRawBufferPointer]
  private let mappings: [UnsafeMutableRawBufferPointer]
  /// The first block, where that is memory of another device.
  private let shared: Descriptor?
  private let isCopy: Bool

  init(_ told: cam_video_memory) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    var blocks: [UnsafeMutableRawBufferPointer] = []
    var mappings: [UnsafeMutableRawBufferPointer] = []
    var shared: Descriptor?
    let list = withUnsafeBytes(of: told.blocks) { Array($0.bindMemory(to: cam_video_block.self)) }
    for block in list.prefix(Int(told.count)) {
      let place = block.bytes.map { Int(bitPattern: $0) } ?? Int(block.offset)
      let skipped = place % page
      let size = Int(block.size) + skipped
      guard size > skipped, let bytes = Self.mapped(block, place - skipped, size)
      else {
        blocks = []
        break
      }
      mappings.append(bytes)
      blocks.append(UnsafeMutableRawBufferPointer(rebasing: bytes[skipped...]))
      if block.is_dma != 0, told.count == 1, block.offset == 0 {
        let number = fcntl(block.descriptor, F_DUPFD_CLOEXEC, 3)
        if number >= 0 { shared = Descriptor(adopting: number) }
      }
    }
    self.blocks = blocks
    self.mappings = mappings
    self.shared = shared
    isCopy = false
  }

  /// The same bytes in memory of their own; `nil` without memory.
  init?(copying other: BufferMemory) {
    var blocks: [UnsafeMutableRawBufferPointer] = []
    for block in other.blocks {
      guard let memory = malloc(max(block.count, 1)) else {
        for block in blocks { free(block.baseAddress) }
        return nil
      }
      let copy = UnsafeMutableRawBufferPointer(start: memory, count: block.count)
      copy.copyMemory(from: UnsafeRawBufferPointer(block))
      blocks.append(copy)
    }
    self.blocks = blocks
    mappings = []
    shared = nil
    isCopy = true
  }

  deinit {
    for mapping in mappings { munmap(mapping.baseAddress, mapping.count) }
    if isCopy { for block in blocks { free(block.baseAddress) } }
  }

  private static func map(
    _ descriptor: Int32, _ offset: Int, _ size: Int, _ rights: Int32
  ) -> UnsafeMutableRawBufferPointer? {
    let address = mmap(nil, size, rights, MAP_SHARED, descriptor, off_t(offset))
    guard let address, address != MAP_FAILED else { return nil }
    return UnsafeMutableRawBufferPointer(start: address, count: size)
  }

  /// The memory of a block from the beginning of a page on, which stays when PipeWire's own mapping goes.
  private static func mapped(
    _ block: cam_video_block, _ start: Int, _ size: Int
  ) -> UnsafeMutableRawBufferPointer? {
    if block.bytes != nil {
      let again = cam_map_again(UnsafeMutableRawPointer(bitPattern: start), size)
      return again.map { UnsafeMutableRawBufferPointer(start: $0, count: size) }
    }
    // Some sources let nothing be written.
    return map(block.descriptor, start, size, PROT_READ | PROT_WRITE)
      ?? map(block.descriptor, start, size, PROT_READ)
  }

  /// Makes its bytes this process's own, where they are: their source may write to the buffer again.
  ///
  /// Without memory for that they stay the source's. Cost: a copy.
  func detach() {
    for mapping in mappings { _ = cam_map_copy(mapping.baseAddress, mapping.count) }
  }

  /// Before its bytes are read: what another device wrote may still be in its caches.
  func beginReading() { if let shared { cam_dma_sync(shared.number, 1) } }

  /// After its bytes were read.
  func endReading() { if let shared { cam_dma_sync(shared.number, 0) } }

  /// A descriptor of the memory for other devices; `nil` where no device's driver knows it.
  func exported() -> Descriptor? {
    guard let shared else { return nil }
    let number = fcntl(shared.number, F_DUPFD_CLOEXEC, 3)
    return number >= 0 ? Descriptor(adopting: number) : nil
  }
}
