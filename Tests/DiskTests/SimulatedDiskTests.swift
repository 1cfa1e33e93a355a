import Foundation
import Linux
import SimulatedDevices
import Testing

/// A disk that a test puts in the place of the machine's.
@Suite("Simulated disks", .serialized)
struct SimulatedDiskTests {
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("full-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func write(_ count: Int, _ file: URL) -> SystemError? {
    do throws(SystemError) {
      try AtomicFile.write([UInt8](repeating: 7, count: count), to: file.path)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a full disk keeps the old file, says why, and takes files once there is room`() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("a.bin")
      try Data([1, 2, 3]).write(to: file)
      let disk = SimulatedDisk.install(.isFull(after: 1000), in: folder)
      defer { disk.uninstall() }
      #expect(write(2000, file)?.reason == .diskFull)
      #expect(disk.hasFailed && disk.writtenBytes == 1000)
      #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
      disk.setFault(nil)
      #expect(write(2000, file) == nil)
      #expect(try Data(contentsOf: file).count == 2000)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.bin"])
    }
  }

  @Test(arguments: [DiskOperation.open, .write, .sync, .rename])
  func `a refused call leaves the old file, and its number is counted by its kind`(operation: DiskOperation)
    throws
  {
    try withFolder { folder in
      let file = folder.appendingPathComponent("a.bin")
      try Data([1, 2, 3]).write(to: file)
      let disk = SimulatedDisk.install(.fails(operation, at: 1, errno: EIO), in: folder)
      defer { disk.uninstall() }
      #expect(write(2000, file) != nil)
      #expect(disk.operations.contains(operation))
      #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
      #expect(write(2000, file) == nil)
    }
  }

  @Test func `other folders are another disk's`() throws {
    try withFolder { folder in
      try withFolder { other in
        let disk = SimulatedDisk.install(.isFull(after: 0), in: folder)
        defer { disk.uninstall() }
        #expect(write(10, other.appendingPathComponent("a.bin")) == nil)
        #expect(disk.operations.isEmpty)
        #expect(write(10, folder.appendingPathComponent("a.bin"))?.reason == .diskFull)
      }
    }
  }

  @Test(arguments: [
    DiskFault.dies(at: 3), .losesPower(at: 4, seed: 9), .isFull(after: 77), .fails(.sync, at: 2, errno: 5),
    .isSlow(.milliseconds(20)), .losesPower(at: 4, seed: .max), .fails(.open, at: 1, errno: -1),
  ])
  func `a fault is the same after its way to another process`(fault: DiskFault) {
    #expect(DiskFault(fault.text) == fault)
    #expect(DiskFault("nothing") == nil)
  }

  @Test(arguments: ["power:4:-9", "power:4", "fails:sync:2:4294967296", "fails:sync:2", "dies:x"])
  func `a text that no fault has is none`(text: String) {
    #expect(DiskFault(text) == nil)
  }
}
