import Glibc
import Linux
import PipeWireDevices
import Testing

@Suite("Memory of PipeWire's buffers")
struct BufferMemoryTests {
  private typealias Make = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32

  private let page = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// Memory of so many bytes, all of them 7.
  private func file(_ size: Int, isSealed: Bool = false) throws -> Descriptor {
    let symbol = try #require(dlsym(nil, "memfd_create"))
    let make = unsafeBitCast(symbol, to: Make.self)  // Safe because that is how C declares it.
    // C: MFD_ALLOW_SEALING, F_ADD_SEALS, F_SEAL_SHRINK.
    let (allowsSealing, addSeals, sealShrink): (UInt32, Int32, Int32) = (2, 1033, 2)
    let file = Descriptor(adopting: make("buffer", allowsSealing))
    let bytes = [UInt8](repeating: 7, count: size)
    let count = write(file.number, bytes, size)
    let sealed = isSealed ? fcntl(file.number, addSeals, sealShrink) : 0
    try #require(count == size && sealed == 0)
    return file
  }

  @Test(arguments: [true, false])
  func `a block that is longer than its memory is refused`(_ isSealed: Bool) throws {
    let file = try file(page, isSealed: isSealed)
    let whole = BufferMemory([BufferBlock(descriptor: file.number, offset: 8, size: page - 8)])
    #expect(whole.blocks.map(\.count) == [page - 8])
    #expect(BufferMemory([BufferBlock(descriptor: file.number, offset: 0, size: page + 1)]).blocks.isEmpty)
    #expect(BufferMemory([BufferBlock(descriptor: file.number, offset: page, size: 1)]).blocks.isEmpty)
    #expect(
      BufferMemory([
        BufferBlock(descriptor: file.number, offset: 0, size: 8),
        BufferBlock(descriptor: file.number, offset: 0, size: 2 * page),
      ]).blocks.isEmpty)
  }

  @Test func `memory that its source cuts short has no picture, and ends no process`() throws {
    let file = try file(2 * page)
    let memory = BufferMemory([BufferBlock(descriptor: file.number, offset: page, size: page)])
    try #require(memory.fetch())
    #expect(memory.blocks[0].allSatisfy { $0 == 7 })
    try #require(pwrite(file.number, [9], 1, off_t(page)) == 1)
    #expect(memory.fetch() && memory.blocks[0][0] == 9)
    try #require(ftruncate(file.number, off_t(page)) == 0)
    #expect(memory.blocks[0][0] == 9 && !memory.fetch())
  }

  @Test func `a file that its source calls memory of another device is a file`() throws {
    let empty = try file(0)
    #expect(
      BufferMemory([BufferBlock(descriptor: empty.number, offset: 0, size: page, isDMA: true)]).blocks.isEmpty
    )
    let file = try file(page)
    let block = BufferBlock(descriptor: file.number, offset: 0, size: page, isDMA: true)
    let memory = BufferMemory([block])
    #expect(!block.isDMA && memory.fetch())
    try #require(ftruncate(file.number, 0) == 0)
    #expect(memory.blocks[0].allSatisfy { $0 == 7 } && !memory.fetch())
  }

  @Test func `memory that stays as long as it is is shown as it is`() throws {
    let file = try file(page, isSealed: true)
    let memory = BufferMemory([BufferBlock(descriptor: file.number, offset: 16, size: 64)])
    try #require(pwrite(file.number, [9], 1, 16) == 1)
    #expect(memory.blocks[0][0] == 9 && memory.blocks[0][1] == 7 && memory.fetch())
  }
}
