import CFrameRings
import Dispatch
import Foundation
import Linux
import Testing
import VirtualCameras
import Waiting

@Suite("The socket of a ring")
struct SharedFrameSocketTests {
  @Test func `this user's programs alone may connect, and it goes with the ring`() throws {
    let stage = try RingStage()
    var status = stat()
    #expect(lstat(stage.path, &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFSOCK && status.st_mode & 0o777 == 0o600)
    stage.ring.close()
    #expect(lstat(stage.path, &status) == -1)
  }

  @Test func `a socket that a program listens to is refused, and goes on`() throws {
    let stage = try RingStage()
    let reader = try stage.reader()
    let problem = #expect(throws: SharedFrameProblem.self) { try SharedFrameRing(path: stage.path) }
    #expect(problem == .socketInUse(path: stage.path))
    try stage.draw(1)
    #expect(reader.next()?.sequence == 1)
    #expect(try RingReader(stage.path).ring.socket >= 0)
  }

  @Test func `a socket that a killed program has left is replaced`() throws {
    let stage = try RingStage()
    let path = stage.folder.appendingPathComponent("left").path
    #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
    let ring = try SharedFrameRing(path: path)
    #expect(try RingReader(path).ring.socket >= 0)
    ring.close()
  }

  @Test func `of programs that begin at once where a killed one has left its socket, one alone listens`()
    throws
  {
    let stage = try RingStage()
    let path = stage.folder.appendingPathComponent("left").path
    for _ in 1...500 {
      try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
      let answers = Locked<[Int32]>([])
      let listeners = Locked<[Descriptor]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        var (number, place): (Int32, cam_ring_place) = (-1, cam_ring_place())
        let error = cam_ring_listen(path, &number, &place)
        answers.withLock { $0.append(error) }
        if error == 0 {
          let listener = Descriptor(adopting: number)
          listeners.withLock { $0.append(listener) }
        }
      }
      #expect(answers.withLock { $0.sorted() } == [0, EADDRINUSE, EADDRINUSE, EADDRINUSE])
      #expect(try RingReader(path).ring.socket >= 0)
      #expect(!FileManager.default.fileExists(atPath: path + ".lock"))
      try #require(unlink(path) == 0)
    }
  }

  @Test func `a connection that cannot be taken is tried again after a pause, until the ring stops`() throws {
    // There is always something to be taken of it, and it never can be.
    let listener = Descriptor(adopting: open("/dev/null", O_RDONLY))
    let (stop, readers) = (try WakeUp(), SharedFrameReaders())
    let pauses = Monitor<Int?>(nil)
    Thread.detachNewThread {
      var count = 0
      readers.serve(
        listener, until: stop,
        pausing: {
          count += 1
          if count == 3 { stop.signal() }
        }, { readers in Issue.record("\(readers) read.") })
      pauses.withLock { $0 = count }
    }
    #expect(pauses.wait(for: 3))
    stop.signal()
  }

  @Test func `the descriptor that is kept for connections beyond the limit is opened anew when it was lost`()
    throws
  {
    let stage = try RingStage()
    let path = stage.folder.appendingPathComponent("other").path
    var (number, place): (Int32, cam_ring_place) = (-1, cam_ring_place())
    try #require(cam_ring_listen(path, &number, &place) == 0)
    let listener = Descriptor(adopting: number)
    var spare: Int32 = -1
    #expect(cam_ring_accept(listener.number, &spare) == -EAGAIN)
    #expect(spare >= 0)
    let kept = Descriptor(adopting: spare)
    #expect(fcntl(kept.number, F_GETFD) == FD_CLOEXEC)
  }

  @Test func `what is no socket is refused, and stays`() throws {
    let stage = try RingStage()
    let file = stage.folder.appendingPathComponent("file")
    try Data("mine".utf8).write(to: file)
    let problem = #expect(throws: SharedFrameProblem.self) { try SharedFrameRing(path: file.path) }
    #expect(problem == .notASocket(path: file.path))
    #expect(try Data(contentsOf: file) == Data("mine".utf8))
  }

  @Test func `a name that cannot be is refused in a sentence`() throws {
    let stage = try RingStage()
    let long = "/tmp/" + String(repeating: "n", count: 103)
    let problem = #expect(throws: SharedFrameProblem.self) { try SharedFrameRing(path: long) }
    #expect(problem == .nameTooLong(path: long))
    let nowhere = #expect(throws: SharedFrameProblem.self) {
      try SharedFrameRing(path: stage.folder.path + "/none/ring")
    }
    #expect(nowhere?.description.contains("its folder does not exist") == true)
  }

  @Test func `what has taken the socket's name meanwhile is not removed`() throws {
    let stage = try RingStage()
    try FileManager.default.removeItem(atPath: stage.path)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: stage.path))
    stage.ring.close()
    #expect(FileManager.default.contents(atPath: stage.path) == Data("mine".utf8))
  }
}
