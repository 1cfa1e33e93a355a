import Foundation
import FoundationExtras
import Linux
import Testing
import Waiting

/// A folder with the kernel's files of one thermal zone.
private final class FakeZone: Sendable {
  let root = FileManager.default.temporaryDirectory.appendingPathComponent("zone-\(UUID().uuidString)")

  init(celsius: Double) throws {
    let zone = root.appendingPathComponent("sys/class/thermal/thermal_zone0")
    try FileManager.default.createDirectory(at: zone, withIntermediateDirectories: true)
    for (index, trip) in [("passive", 70), ("passive", 85), ("critical", 100)].enumerated() {
      try Data("\(trip.0)\n".utf8).write(to: zone.appendingPathComponent("trip_point_\(index)_type"))
      try Data("\(trip.1 * 1000)\n".utf8).write(to: zone.appendingPathComponent("trip_point_\(index)_temp"))
    }
    try heat(to: celsius)
  }

  deinit {
    // Only a temporary folder is left behind when it fails.
    try? FileManager.default.removeItem(at: root)
  }

  func heat(to celsius: Double) throws {
    try Data("\(Int(celsius * 1000))\n".utf8).write(
      to: root.appendingPathComponent("sys/class/thermal/thermal_zone0/temp"), options: .atomic)
  }
}

@Suite("ProcessInfo.thermalState")
struct ThermalStateTests {
  @Test(arguments: [
    (40.0, ProcessInfo.ThermalState.nominal), (72, .fair), (86, .serious), (96, .critical), (99, .critical),
  ])
  func `the state follows the zone's limits`(celsius: Double, state: ProcessInfo.ThermalState) throws {
    let zone = try FakeZone(celsius: celsius)
    #expect(ThermalWatch(root: zone.root.path) {}.current == state)
  }

  @Test func `a change is reported without being asked for, once`() throws {
    let zone = try FakeZone(celsius: 40)
    let (reports, hand) = (Monitor(0), HandMovedTime())
    let watch = ThermalWatch(root: zone.root.path, time: hand.time) { reports.withLock { $0 += 1 } }
    #expect(watch.current == .nominal)
    try zone.heat(to: 90)
    hand.advance(seconds: 0.9)
    #expect(watch.current == .nominal)
    hand.advance(seconds: 0.1)
    #expect(reports.wait { $0 == 1 })
    #expect(watch.current == .serious)
    watch.refresh()
    #expect(reports.withLock { $0 } == 1)
  }

  @Test func `the first reading is no change`() throws {
    let zone = try FakeZone(celsius: 90)
    let reports = Locked(0)
    let watch = ThermalWatch(root: zone.root.path, time: .machine) { reports.withLock { $0 += 1 } }
    #expect(watch.current == .serious)
    watch.refresh()
    #expect(reports.withLock { $0 } == 0)
  }

  @Test func `a machine without zones is nominal, however busy it is`() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("busy-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(
      at: root.appendingPathComponent("proc/pressure"), withIntermediateDirectories: true)
    try Data("some avg10=95.00 avg60=1.00 avg300=2.00 total=77\n".utf8).write(
      to: root.appendingPathComponent("proc/pressure/cpu"))
    #expect(ThermalWatch(root: root.path) {}.current == .nominal)
  }

  @Test func `this machine has a state`() {
    #expect((0...3).contains(ProcessInfo.processInfo.thermalState.rawValue))
    #expect(
      ProcessInfo.thermalStateDidChangeNotification.rawValue
        == "NSProcessInfoThermalStateDidChangeNotification")
  }
}
