import CaptureDevice
import Foundation
import Testing

import OpenNIDevices

@Suite("What is said of OpenNI on a machine")
struct DiagnosisTests {
  /// A USB with one device, whose node this user may write to or not.
  private func withBus(
    vendor: String, product: String, name: String = "", isWritable: Bool = true, isKernelCamera: Bool = false,
    _ body: (DepthCameraBus) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let device = folder.appendingPathComponent("devices/1-2")
    let nodes = folder.appendingPathComponent("nodes/001")
    try FileManager.default.createDirectory(at: device, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: nodes, withIntermediateDirectories: true)
    for (file, text) in [
      "idVendor": vendor, "idProduct": product, "product": name, "busnum": "1", "devnum": "7",
    ] {
      try Data("\(text)\n".utf8).write(to: device.appendingPathComponent(file))
    }
    if isWritable { try Data().write(to: nodes.appendingPathComponent("007")) }
    if isKernelCamera {
      try FileManager.default.createDirectory(
        at: device.appendingPathComponent("1-2:1.0/video4linux/video0"), withIntermediateDirectories: true)
    }
    try body(
      DepthCameraBus(
        folder: folder.appendingPathComponent("devices").path,
        nodes: folder.appendingPathComponent("nodes").path))
  }

  private func findings(_ bus: DepthCameraBus, _ library: ScriptedSensors = ScriptedSensors([]))
    -> [BackendFinding]
  {
    OpenNIDiagnosis(library: library, bus: bus, identity: nil).findings
  }

  @Test func `a machine without the library and without depth cameras gets a note`() throws {
    try withBus(vendor: "046d", product: "0825") { bus in
      let found = findings(bus, ScriptedSensors([], obstacle: "not found"))
      #expect(found.map(\.weight) == [.note])
      #expect(found[0].sentence.contains("libopenni2-0"))
    }
  }

  @Test func `one with a depth camera and without the library is in trouble`() throws {
    try withBus(vendor: "1d27", product: "0601") { bus in
      #expect(findings(bus, ScriptedSensors([], obstacle: "not found")).map(\.weight) == [.trouble])
    }
  }

  @Test(arguments: [
    ("1d27", "0600", true, "does not find it"), ("1d27", "0600", false, "may not write to it"),
    ("2bc5", "0401", true, "its maker's driver"), ("045e", "02ae", true, "no driver for it on Linux"),
  ])
  func `a depth camera that is plugged in and not found is named, with the reason`(
    _ vendor: String, _ product: String, _ isWritable: Bool, _ words: String
  ) throws {
    try withBus(vendor: vendor, product: product, name: "Sensor", isWritable: isWritable) { bus in
      let found = findings(bus).dropFirst()
      #expect(found.count == 1)
      #expect(found.first?.sentence.contains(words) == true)
      #expect(found.first?.sentence.hasPrefix("Sensor (\(vendor):\(product)) is plugged in") == true)
      #expect(found.first?.weight == (vendor == "1d27" ? .trouble : .note))
      let provider = OpenNIDeviceProvider(ScriptedSensors([]), bus)
      #expect(provider.absences.map(\.message) == found.map(\.sentence))
    }
  }

  @Test func `cameras that the kernel drives, mice, and those that OpenNI lists are not missed`() throws {
    try withBus(vendor: "2bc5", product: "0670", isKernelCamera: true) { #expect(findings($0).count == 1) }
    try withBus(vendor: "045e", product: "0040") { #expect(findings($0).count == 1) }
    try withBus(vendor: "1d27", product: "0601") { bus in
      #expect(findings(bus, ScriptedSensors()).count == 1)
    }
  }

  @Test
  func `the machine's own answer is one sentence at least, and never names the driver that makes frames up`()
  {
    let found = OpenNIDiagnosis.current.findings
    #expect(
      !found.isEmpty && found.allSatisfy { !$0.sentence.contains("Dummy") && $0.sentence.hasSuffix(".") })
  }
}
