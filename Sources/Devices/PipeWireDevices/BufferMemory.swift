internal import CPipeWire
internal import Glibc
internal import Linux

/// The memory of one buffer, as this process sees it; unmapped with the last reference.
package final class BufferMemory: @unchecked Sendable {
  // Safe because only the source writes, or `fetch()` in its stead, while no client holds a picture in it.

  /// Memory that its source can cut short: read, not mapped, for to look at a mapping without a file behind it ends a process.
  private struct File {
    var descriptor: Descriptor
    var offset: Int
    var bytes: UnsafeMutableRawBufferPointer
  }

  /// The blocks' bytes; empty where not all of them can be had.
  package let blocks: [UnsafeMutableRawBufferPointer]
  private let mappings: [UnsafeMutableRawBufferPointer]
  private let files: [File]
  /// What was allocated here.
  private let own: [UnsafeMutableRawBufferPointer]
  /// The blocks that are memory of another device.
  private let shared: [Descriptor]
  /// Whether the first of these is all there is.
  private let isExportable: Bool

  convenience init(_ told: cam_video_memory) {
    let list = withUnsafeBytes(of: told.blocks) { Array($0.bindMemory(to: cam_video_block.self)) }
    self.init(list.prefix(Int(told.count)).map { BufferBlock($0) })
  }

  /// The memory of these blocks.
  package init(_ told: [BufferBlock]) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    var blocks: [UnsafeMutableRawBufferPointer] = []
    var mappings: [UnsafeMutableRawBufferPointer] = []
    var files: [File] = []
    var shared: [Descriptor] = []
    for block in told {
      if let file = Self.file(of: block) {
        files.append(file)
        blocks.append(file.bytes)
        continue
      }
      let place = block.address.map { Int(bitPattern: $0) } ?? block.offset
      let skipped = place % page
      let size = block.size + skipped
      guard block.size > 0, Self.reaches(block), let bytes = Self.mapped(block, place - skipped, size)
      else { break }
      mappings.append(bytes)
      blocks.append(UnsafeMutableRawBufferPointer(rebasing: bytes[skipped...]))
      if block.isDMA, let descriptor = Self.copy(block.descriptor) { shared.append(descriptor) }
    }
    self.blocks = blocks.count == told.count ? blocks : []
    self.mappings = mappings
    self.files = files
    own = files.map(\.bytes)
    self.shared = shared
    isExportable = told.count == 1 && shared.count == 1 && told[0].offset == 0
  }

  /// The same bytes in memory of their own; `nil` without memory.
  init?(copying other: BufferMemory) {
    var blocks: [UnsafeMutableRawBufferPointer] = []
    for block in other.blocks {
      guard let copy = Self.allocated(block.count) else {
        for block in blocks { free(block.baseAddress) }
        return nil
      }
      copy.copyMemory(from: UnsafeRawBufferPointer(block))
      blocks.append(copy)
    }
    self.blocks = blocks
    own = blocks
    (mappings, files, shared, isExportable) = ([], [], [], false)
  }

  deinit {
    for mapping in mappings { munmap(mapping.baseAddress, mapping.count) }
    for block in own { free(block.baseAddress) }
  }

  private static func allocated(_ size: Int) -> UnsafeMutableRawBufferPointer? {
    malloc(max(size, 1)).map { UnsafeMutableRawBufferPointer(start: $0, count: size) }
  }

  private static func copy(_ descriptor: Int32) -> Descriptor? {
    let number = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    return number >= 0 ? Descriptor(adopting: number) : nil
  }

  /// Whether a block is no longer than its memory, for good; of another device's the kernel sees to that, and PipeWire of what it has mapped.
  private static func reaches(_ block: BufferBlock) -> Bool {
    block.address != nil || block.isDMA
      || cam_file_reaches(block.descriptor, UInt64(block.offset + block.size)) == 2
  }

  /// The file of a block that another program can cut short; `nil` for all others.
  private static func file(of block: BufferBlock) -> File? {
    guard block.address == nil, !block.isDMA, block.size > 0,
      cam_file_reaches(block.descriptor, UInt64(block.offset + block.size)) == 1,
      let descriptor = copy(block.descriptor), let bytes = allocated(block.size)
    else { return nil }
    return File(descriptor: descriptor, offset: block.offset, bytes: bytes)
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
    _ block: BufferBlock, _ start: Int, _ size: Int
  ) -> UnsafeMutableRawBufferPointer? {
    if block.address != nil {
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

  /// Brings the newest bytes of memory that is not mapped; whether all are there.
  ///
  /// Cost: nothing for what is mapped, else a copy.
  package func fetch() -> Bool {
    files.allSatisfy { file in
      var done = 0
      while done < file.bytes.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: file.bytes[done...])
        let count = pread(file.descriptor.number, rest.baseAddress, rest.count, off_t(file.offset + done))
        if count > 0 { done += count } else if count == 0 || errno != EINTR { return false }
      }
      return true
    }
  }

  /// Before its bytes are read: what another device wrote may still be in its caches.
  func beginReading() { for block in shared { cam_dma_sync(block.number, 1) } }

  /// After its bytes were read.
  func endReading() { for block in shared { cam_dma_sync(block.number, 0) } }

  /// A descriptor of the memory for other devices; `nil` where no device's driver knows it.
  func exported() -> Descriptor? { isExportable ? Self.copy(shared[0].number) : nil }
}
