import AVFoundation
import CFrameRings
import Foundation
import Linux
import Testing
import Waiting

import VirtualCameras

@Suite("Frames in memory that programs read")
struct SharedFrameRingTests {
  @Test func `two readers see the pixels of a frame that was drawn once`() throws {
    let stage = try RingStage()
    let readers = [try stage.reader(), try stage.reader()]
    var drawn = 0
    try stage.draw(201, width: 5, height: 3, atNanoseconds: 1_234_567_890_123) { drawn += 1 }
    #expect(drawn == 1)
    for reader in readers {
      let frame = try #require(reader.next())
      #expect((frame.width, frame.height) == (5, 3) && frame.stride >= 20)
      #expect(frame.pixel_format == kCVPixelFormatType_32BGRA)
      #expect(frame.time == 1_234_567_890_123 && frame.sequence == 1 && frame.missed == 0)
      #expect(frame.bytes.allSatisfy { $0 == 201 } && reader.isValid(frame))
    }
  }

  @Test func `nothing is drawn while no program reads`() throws {
    let stage = try RingStage()
    #expect(!stage.ring.isRead)
    let isDrawn = try stage.draw(1) { Issue.record("It was drawn.") }
    #expect(!isDrawn)
    let reader = try stage.reader()
    #expect(stage.ring.isRead)
    #expect(try stage.draw(2))
    #expect(reader.next()?.sequence == 1)
  }

  @Test func `a frame is seen to be overwritten from the first byte on`() throws {
    let stage = try RingStage(slotCount: 2)
    let reader = try stage.reader()
    try stage.draw(1)
    let first = try #require(reader.next())
    try stage.draw(2) { #expect(reader.isValid(first)) }
    let second = try #require(reader.next())
    #expect(reader.isValid(first) && first.bytes.allSatisfy { $0 == 1 })
    try stage.draw(3) { #expect(!reader.isValid(first) && reader.isValid(second)) }
    #expect(!reader.isValid(first) && reader.isValid(second))
    let third = try #require(reader.next())
    #expect(third.bytes.allSatisfy { $0 == 3 } && third.pixels == first.pixels)
  }

  @Test func `a frame that could not be drawn is none`() throws {
    let stage = try RingStage()
    let reader = try stage.reader()
    try stage.draw(1)
    let isDrawn = try stage.ring.draw(width: 8, height: 4, at: .zero) { _ in false }
    #expect(!isDrawn)
    try stage.draw(2)
    let frame = try #require(reader.next())
    #expect(frame.sequence == 2 && frame.bytes.allSatisfy { $0 == 2 })
  }

  @Test func `a reader that takes nothing misses frames, which are counted, and holds up none`() throws {
    let stage = try RingStage()
    let (slow, quick) = (try stage.reader(), try stage.reader())
    try stage.draw(0)
    #expect(slow.next()?.sequence == 1)
    for number in 2...500 {
      try stage.draw(UInt8(number % 256))
      #expect(quick.next()?.sequence == UInt64(number))
    }
    #expect(stage.ring.untoldFrames > 0)
    // What it was told of was overwritten long ago; what lies there it finds without being told.
    let newest = try #require(slow.nextAtHand())
    #expect(newest.sequence == 500 && newest.missed == 498 && newest.bytes.allSatisfy { $0 == 244 })
    #expect(slow.nextAtHand() == nil && slow.result == 0)
    try stage.draw(7)
    for reader in [slow, quick] {
      let frame = try #require(reader.next())
      #expect(frame.sequence == 501 && frame.missed == 0 && frame.bytes.allSatisfy { $0 == 7 })
    }
  }

  @Test(arguments: [2, 4, 16, 64])
  func `a reader that comes late gets the newest frame, however many lie before it`(_ slotCount: Int) throws {
    let stage = try RingStage(slotCount: slotCount)
    let reader = try stage.reader()
    try stage.draw(1)
    #expect(reader.next()?.sequence == 1)
    for number in 2...15 { try stage.draw(UInt8(number), atNanoseconds: Int64(number) * 10) }
    let frame = try #require(reader.nextAtHand())
    #expect(frame.sequence == 15 && frame.missed == 13 && frame.time == 150)
    #expect(frame.bytes.allSatisfy { $0 == 15 } && reader.isValid(frame))
    #expect(reader.nextAtHand() == nil && reader.result == 0)
  }

  @Test func `a reader that is late when the size changes gets no frame of the size before`() throws {
    let stage = try RingStage(slotCount: 64)
    let reader = try stage.reader()
    try stage.draw(1)
    #expect(reader.next()?.sequence == 1)
    for number in 2...40 { try stage.draw(UInt8(number)) }
    try stage.draw(41, width: 4, height: 8)
    // The new memory is sent once the reader's queue has room.
    if let frame = reader.nextAtHand() { #expect(frame.width == 4) }
    try stage.draw(42, width: 4, height: 8)
    let frame = try #require(reader.next())
    #expect((frame.width, frame.sequence) == (4, 42) && frame.bytes.allSatisfy { $0 == 42 })
  }

  @Test func `a program that connects gets the frames that follow, and none of before`() throws {
    let stage = try RingStage()
    let first = try stage.reader()
    try stage.draw(1)
    let second = try stage.reader()
    #expect(second.nextAtHand() == nil && second.result == 0)
    try stage.draw(2)
    let frame = try #require(second.next())
    #expect(frame.sequence == 2 && frame.missed == 0)
    #expect(first.next()?.sequence == 2)
  }

  @Test func `frames of another size lie in another memory`() throws {
    let stage = try RingStage()
    let reader = try stage.reader()
    try stage.draw(1)
    let upright = try #require(reader.next())
    try stage.draw(2, width: 4, height: 8)
    let turned = try #require(reader.next())
    #expect((turned.width, turned.height, turned.sequence) == (4, 8, 2) && turned.missed == 0)
    #expect(turned.generation == upright.generation + 1 && turned.bytes.allSatisfy { $0 == 2 })
    #expect(!reader.isValid(upright) && reader.isValid(turned))
    // Who comes later has that memory at once.
    let later = try stage.reader()
    try stage.draw(3, width: 4, height: 8)
    #expect(later.next()?.generation == turned.generation)
    #expect(reader.next()?.sequence == 3)
  }

  @Test func `a reader cannot write`() throws {
    let stage = try RingStage()
    let reader = try stage.reader()
    try stage.draw(1)
    #expect(reader.next() != nil)
    let answer = mprotect(reader.ring.memory, Int(reader.ring.layout.memory_size), PROT_READ | PROT_WRITE)
    let reason = errno
    #expect(answer == -1 && reason == EACCES)
  }

  @Test func `readers that hang up a hundred times leave nothing behind`() throws {
    let stage = try RingStage()
    for number in 1...100 {
      let reader = try stage.reader()
      try stage.draw(UInt8(number))
      // Every other one leaves without having read its messages.
      if number % 2 == 0 { #expect(reader.next()?.sequence == UInt64(number)) }
      reader.close()
      #expect(stage.readers.wait(for: 0))
    }
    let left = try stage.holdings()
    // The listening socket.
    #expect(left.memory == 0 && left.sockets == 1)
    stage.ring.close()
    #expect(try stage.holdings().sockets == 0)
  }

  @Test func `a reader that sends anything is hung up on, and the others stay`() throws {
    let stage = try RingStage()
    let (polite, loud) = (try stage.reader(), try stage.reader())
    #expect(send(loud.ring.socket, [1, 2, 3] as [UInt8], 3, Int32(MSG_NOSIGNAL)) == 3)
    #expect(stage.readers.wait(for: 1))
    #expect(loud.next() == nil && loud.result == -EPIPE)
    try stage.draw(1)
    #expect(polite.next()?.sequence == 1)
  }

  @Test func `a reader that has hung up, and has not been let go yet, has not left its messages`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ring-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (reported, isOver) = (Monitor(0), Monitor(false))
    let ring = try SharedFrameRing(path: folder.appendingPathComponent("ring").path) { readers in
      reported.withLock { $0 += 1 }
      // No reader is let go meanwhile.
      if readers > 0 { #expect(isOver.wait(for: true)) }
    }
    let reader = try RingReader(ring.path)
    #expect(reported.wait(for: 1))
    reader.close()
    let isDrawn = try ring.draw(width: 8, height: 4, at: .zero) { _ in true }
    #expect(isDrawn && ring.isRead && ring.untoldFrames == 0)
    isOver.withLock { $0 = true }
    #expect(reported.wait(for: 2))
    ring.close()
  }

  @Test func `a ring that is closed hangs up, and draws nothing`() throws {
    let stage = try RingStage()
    let reader = try stage.reader()
    stage.ring.close()
    #expect(reader.next() == nil && reader.result == -EPIPE)
    #expect(!stage.ring.isRead)
    let isDrawn = try stage.draw(1)
    #expect(!isDrawn)
  }

  @Test func `frames that find no room are a problem in one sentence`() throws {
    let stage = try RingStage()
    let reader = try stage.reader()
    let problem = #expect(throws: SharedFrameProblem.self) { try stage.draw(1, width: 100_000, height: 3) }
    #expect(problem?.description.hasPrefix("Frames of 100000×3 cannot be offered, because ") == true)
    try stage.draw(2)
    #expect(reader.next()?.sequence == 1)
  }
}
