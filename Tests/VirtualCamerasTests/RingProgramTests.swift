import Foundation
import Testing
import VirtualCameras
import Waiting

@Suite("Programs in other languages that read a ring")
struct RingProgramTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let example = root.appendingPathComponent("Examples/FrameRing")

  /// Has a program read three frames, one after the other, and keep the last one's picture.
  private func read(_ stage: RingStage, _ words: [String], picture: URL) throws {
    let program = try ReadingProgram(words)
    guard stage.readers.wait(for: 1) else {
      Issue.record("The program has not connected.")
      return
    }
    for number in 1...3 {
      try stage.draw(UInt8(70 + number), width: 5, height: 3, atNanoseconds: Int64(number) * 1_500_000_000)
      #expect(program.line() == "\(number): 5x3 at \(Double(number) * 1.5)00 s, 0 missed")
    }
    #expect(program.exitStatus() == 0)
    let expected = Data("P6\n5 3\n255\n".utf8) + Data(repeating: 73, count: 45)
    #expect(try Data(contentsOf: picture) == expected)
    #expect(stage.readers.wait(for: 0))
  }

  @Test(.enabled(if: ReadingProgram.isInstalled("cc")))
  func `a program in C reads with the one header`() throws {
    let stage = try RingStage()
    let program = stage.folder.appendingPathComponent("frame_ring").path
    let compiler = try ReadingProgram([
      "cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I",
      Self.root.appendingPathComponent("Sources/System/CFrameRings/include").path,
      Self.example.appendingPathComponent("frame_ring.c").path, "-o", program,
    ])
    try #require(compiler.exitStatus() == 0)
    let picture = stage.folder.appendingPathComponent("c.ppm")
    try read(stage, [program, stage.path, "3", picture.path], picture: picture)
  }

  @Test(.enabled(if: ReadingProgram.isInstalled("c++")))
  func `the header is C++, too`() throws {
    let stage = try RingStage()
    let source = stage.folder.appendingPathComponent("a.cpp")
    try Data(
      "#include <obscura_ring.h>\nint main() { obscura_ring ring; return obscura_ring_connect(&ring, \"\") == 0; }\n"
        .utf8
    )
    .write(to: source)
    let compiler = try ReadingProgram([
      "c++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "-I",
      Self.root.appendingPathComponent("Sources/System/CFrameRings/include").path, source.path,
    ])
    #expect(compiler.exitStatus() == 0)
  }

  @Test(.enabled(if: ReadingProgram.isInstalled("python3")))
  func `a program in Python reads with the one file`() throws {
    let stage = try RingStage()
    let picture = stage.folder.appendingPathComponent("python.ppm")
    try read(
      stage,
      [
        "python3", Self.example.appendingPathComponent("obscura_ring.py").path, stage.path, "--count", "3",
        "--save",
        picture.path, "--timeout", "30",
      ], picture: picture)
  }

  @Test(.enabled(if: ReadingProgram.isInstalled("python3")), arguments: [2, 4, 16])
  func `a program in Python that comes late gets the newest frame`(_ slotCount: Int) throws {
    let stage = try RingStage(slotCount: slotCount)
    let script = """
      import sys
      sys.path.insert(0, sys.argv[2])
      import obscura_ring
      ring = obscura_ring.Ring(sys.argv[1])
      print(ring.next(30).sequence, flush=True)
      sys.stdin.readline()
      frame = ring.next(0)
      print(frame.sequence, frame.missed, frame.time, frame.pixels[0], frame.is_valid(), flush=True)
      try:
          print(ring.next(0).sequence)
      except TimeoutError as error:
          print(error, flush=True)
      """
    let program = try ReadingProgram(["python3", "-c", script, stage.path, Self.example.path])
    #expect(stage.readers.wait(for: 1))
    try stage.draw(1)
    try #require(program.line() == "1")
    for number in 2...15 { try stage.draw(UInt8(number), atNanoseconds: Int64(number) * 10) }
    program.proceed()
    #expect(program.line() == "15 13 150 15 True")
    #expect(program.line() == "No frame came in time.")
    #expect(program.exitStatus() == 0)
  }

  @Test(.enabled(if: ReadingProgram.isInstalled("python3")))
  func `a program in Python that has no file left for a memory ends with that, at each call`() throws {
    let stage = try RingStage()
    let script = """
      import os, resource, sys
      sys.path.insert(0, sys.argv[2])
      import obscura_ring
      ring = obscura_ring.Ring(sys.argv[1])
      ring.next(30)
      free = os.dup(0)
      os.close(free)
      resource.setrlimit(resource.RLIMIT_NOFILE, (free, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
      print("limited", flush=True)
      for _ in range(2):
          try:
              print(ring.next(30), flush=True)
          except obscura_ring.ProtocolError as error:
              print(error, flush=True)
      """
    let program = try ReadingProgram(["python3", "-c", script, stage.path, Self.example.path])
    #expect(stage.readers.wait(for: 1))
    try stage.draw(1)
    #expect(program.line() == "limited")
    try stage.draw(2, width: 4, height: 8)
    for _ in 1...2 {
      #expect(
        program.line() == "The ring's memory did not come along; this process may have too many files open.")
    }
    #expect(program.exitStatus() == 0)
  }

  @Test(.enabled(if: ReadingProgram.isInstalled("python3")))
  func `a program in Python sees that a frame was overwritten, and the end of the ring`() throws {
    let stage = try RingStage(slotCount: 2)
    let script = """
      import sys
      sys.path.insert(0, sys.argv[2])
      import obscura_ring
      ring = obscura_ring.Ring(sys.argv[1])
      first = ring.next(30)
      print(first.is_valid(), first.copy() == bytes([1]) * 60, flush=True)
      second, had = first, 0
      while second.sequence < 4:
          second = ring.next(30)
          had += 1 + second.missed
      print(first.is_valid(), first.copy(), second.generation - first.generation, had, flush=True)
      turned = ring.next(30)
      print(turned.width, turned.height, turned.generation - second.generation, second.pixels[0], flush=True)
      print(list(ring), flush=True)
      """
    let program = try ReadingProgram(["python3", "-c", script, stage.path, Self.example.path])
    #expect(stage.readers.wait(for: 1))
    try stage.draw(1, width: 5, height: 3)
    #expect(program.line() == "True True")
    for value in 2...4 { try stage.draw(UInt8(value), width: 5, height: 3) }
    #expect(program.line() == "False None 0 3")
    try stage.draw(5, width: 3, height: 5)
    #expect(program.line() == "3 5 1 4")
    stage.ring.close()
    #expect(program.line() == "[]")
    #expect(program.exitStatus() == 0)
  }
}
