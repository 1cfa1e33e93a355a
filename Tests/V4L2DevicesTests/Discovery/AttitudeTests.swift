import CaptureDevice
import Foundation
import Linux
import Testing
import V4L2Devices

@Suite("How the machine is held")
struct AttitudeTests {
  /// A folder like the kernel's with one industrial I/O device.
  private func root(_ files: [String: String]) throws -> URL {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("iio-\(UUID().uuidString)")
    for (name, text) in files {
      let file = root.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("\(text)\n".utf8).write(to: file)
    }
    return root
  }

  private func device(_ x: Int, _ y: Int, _ z: Int, number: Int = 0, _ more: [String: String] = [:])
    -> [String: String]
  {
    let folder = "iio:device\(number)"
    var files = ["in_accel_x_raw": "\(x)", "in_accel_y_raw": "\(y)", "in_accel_z_raw": "\(z)"]
    files.merge(more) { $1 }
    return Dictionary(uniqueKeysWithValues: files.map { ("\(folder)/\($0)", $1) })
  }

  @Test func `gravity is raw plus offset times scale, turned by the mount matrix`() throws {
    let root = try root(
      device(
        100, -200, 300,
        ["in_accel_scale": "0.01", "in_accel_z_scale": "0.02", "in_accel_offset": "10"]))
    defer { try? FileManager.default.removeItem(at: root) }
    let gravity = try #require(Accelerometer(root: root.path)?.gravity())
    #expect(abs(gravity.x - 1.1) < 1e-9 && abs(gravity.y + 1.9) < 1e-9 && abs(gravity.z - 6.2) < 1e-9)

    let turned = try self.root(device(1, 2, 3, ["in_mount_matrix": "0, -1, 0; 1, 0, 0; 0, 0, 1"]))
    defer { try? FileManager.default.removeItem(at: turned) }
    #expect(Accelerometer(root: turned.path)?.gravity() == GravityVector(x: -2, y: 1, z: 3))
  }

  @Test func `machines without an accelerometer have none, and the keyboard's is not the screen's`() throws {
    #expect(Accelerometer(root: "/nonexistent") == nil)
    let light = try root(["iio:device0/in_illuminance_raw": "5"])
    defer { try? FileManager.default.removeItem(at: light) }
    #expect(Accelerometer(root: light.path) == nil)
    let convertible = try root(
      device(1, 0, 0, ["label": "accel-base"]).merging(
        device(0, -1, 0, number: 1, ["label": "accel-display"])
      ) { $1 })
    defer { try? FileManager.default.removeItem(at: convertible) }
    #expect(Accelerometer(root: convertible.path)?.gravity() == GravityVector(x: 0, y: -1, z: 0))
  }

  @Test func `a driver that stops answering says nothing`() throws {
    let root = try root(device(0, -1, 0))
    let accelerometer = try #require(Accelerometer(root: root.path))
    try FileManager.default.removeItem(at: root)
    #expect(accelerometer.gravity() == nil)
  }

  @Test func `each side has its turn`() {
    let machine = DeviceAttitude()
    let sides: [(GravityVector, Int)] = [
      (GravityVector(x: 9.8, y: 0.5, z: 1), 90), (GravityVector(x: 0, y: 9.8, z: 0), 180),
      (GravityVector(x: -9.8, y: 0, z: 2), 270), (GravityVector(x: 0.3, y: -9.8, z: 0), 0),
    ]
    for (gravity, turn) in sides {
      machine.feel(gravity)
      #expect(machine.turn == turn)
    }
  }

  @Test func `at the border it stays as it was, and lying flat, too`() {
    func gravity(_ degrees: Double, z: Double = 0) -> GravityVector {
      GravityVector(x: sin(degrees * .pi / 180), y: -cos(degrees * .pi / 180), z: z)
    }
    let machine = DeviceAttitude()
    for degrees in [44.0, 46, 59] {
      machine.feel(gravity(degrees))
      #expect(machine.turn == 0)
    }
    machine.feel(gravity(61))
    #expect(machine.turn == 90)
    for degrees in [46.0, 44, 31] {
      machine.feel(gravity(degrees))
      #expect(machine.turn == 90)
    }
    machine.feel(gravity(0, z: -3))
    #expect(machine.turn == 90, "it lies nearly flat")
    machine.feel(GravityVector(x: 0, y: 0, z: 0))
    #expect(machine.turn == 90)
    machine.feel(gravity(29))
    #expect(machine.turn == 0)
    machine.feel(gravity(-61))
    #expect(machine.turn == 270)
  }

  @Test func `an accelerometer is followed while it is observed, and asked otherwise`() {
    let gravity = Locked(GravityVector(x: 0, y: -1, z: 0))
    let machine = DeviceAttitude { gravity.withLock { $0 } }
    #expect(machine.turn == 0)
    gravity.withLock { $0 = GravityVector(x: 1, y: 0, z: 0) }
    #expect(machine.turn == 90)
    let reported = Monitor<[Int]>([])
    var observation: (any AnyObject & Sendable)? = machine.observe { turn in
      reported.withLock { $0.append(turn) }
    }
    gravity.withLock { $0 = GravityVector(x: 0, y: 1, z: 0) }
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    #expect(reported.wait(until: deadline, for: { $0 == [180] }, then: { _ in true }) == true)
    withExtendedLifetime(observation) {}
    observation = nil
    machine.hold(turnedBy: 0)
    #expect(reported.withLock { $0 } == [180], "it is no longer observed")
  }
}
