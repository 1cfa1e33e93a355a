import AVFoundation

import Foundation
import FoundationExtras
import Linux
import Testing

@Suite("Disks that can be unplugged")
struct ExternalStorageTests {
  /// Files as the kernel and udev lay them out, of a stick, a card and a disk that is built in.
  private final class Machine {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("disks-\(UUID().uuidString)")
    let stick: URL

    init() throws {
      stick = root.appendingPathComponent("media/My Stick")
      try folder("media/My Stick")
      try folder("devices/pci/usb1/host2/block/sdb/sdb1")
      try folder("devices/pci/ata1/host0/block/sda/sda1")
      try folder("devices/platform/mmc_host/mmc0/block/mmcblk0/mmcblk0p1")
      try folder("class")
      try folder("disk/by-uuid")
      try folder("disk/by-label")
      try "0\n".write(
        to: root.appendingPathComponent("devices/pci/ata1/host0/block/sda/removable"), atomically: true,
        encoding: .utf8)
      try link("class/sda1", "../devices/pci/ata1/host0/block/sda/sda1")
      try link("class/sdb1", "../devices/pci/usb1/host2/block/sdb/sdb1")
      try link("class/mmcblk0p1", "../devices/platform/mmc_host/mmc0/block/mmcblk0/mmcblk0p1")
      try link("disk/by-uuid/3F6A-1B2C", "../../sdb1")
      try link("disk/by-uuid/0b7c6f4e-52a1-4f0e-9a43-7c1d2e3f4a5b", "../../mmcblk0p1")
      try link("disk/by-label/My\\x20Stick", "../../sdb1")
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    private func folder(_ name: String) throws {
      try FileManager.default.createDirectory(
        at: root.appendingPathComponent(name), withIntermediateDirectories: true)
    }

    private func link(_ name: String, _ target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: root.appendingPathComponent(name).path, withDestinationPath: target)
    }

    /// The kernel's list of mounts, with these lines.
    func mount(_ lines: [String]) throws {
      let text = (["25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw"] + lines).joined(separator: "\n")
      try text.write(to: root.appendingPathComponent("mountinfo"), atomically: true, encoding: .utf8)
    }

    func stickLine(_ fileSystem: String = "exfat", _ options: String = "rw,nosuid") -> String {
      let place = stick.path.replacingOccurrences(of: " ", with: "\\040")
      return "90 25 8:17 / \(place) \(options) shared:44 - \(fileSystem) /dev/sdb1 rw"
    }

    static let cardLine = "91 25 179:1 / /media/card rw shared:45 - ext4 /dev/mmcblk0p1 rw"

    var disks: MountedDisks {
      MountedDisks(
        mounts: root.appendingPathComponent("mountinfo").path,
        blocks: root.appendingPathComponent("class").path, links: root.appendingPathComponent("disk").path)
    }
  }

  @Test func `are found with their names, in the order in which they were mounted`() throws {
    let machine = try Machine()
    try machine.mount([machine.stickLine(), Machine.cardLine, machine.stickLine()])
    let found = AVExternalStorageDeviceDiscoverySession(machine.disks).externalStorageDevices
    #expect(found.map(\.displayName) == ["My Stick", "card"])
    #expect(found.map(\.uuid) == [nil, UUID(uuidString: "0b7c6f4e-52a1-4f0e-9a43-7c1d2e3f4a5b")])
    let stick = try #require(found.first)
    #expect(stick.isConnected && !stick.isNotRecommendedForCaptureUse)
    #expect(stick.totalSize > 0 && stick.freeSize > 0 && stick.freeSize <= stick.totalSize)
    for (system, options) in [("vfat", "rw"), ("exfat", "ro,nosuid")] {
      try machine.mount([machine.stickLine(system, options)])
      let other = AVExternalStorageDeviceDiscoverySession(machine.disks).externalStorageDevices
      #expect(other.map(\.isNotRecommendedForCaptureUse) == [true])
    }
    #expect(AVExternalStorageDeviceDiscoverySession.isSupported)
    #expect(AVExternalStorageDeviceDiscoverySession.shared === AVExternalStorageDeviceDiscoverySession.shared)
  }

  @Test func `are told of when they come and go, and stay the same while they are there`() throws {
    let machine = try Machine()
    try machine.mount([machine.stickLine()])
    let session = AVExternalStorageDeviceDiscoverySession(machine.disks)
    let stick = try #require(session.externalStorageDevices.first)
    let lists = Locked<[Int]>([])
    let losses = Locked<[Bool]>([])
    let observations = [
      session.observe(\.externalStorageDevices, options: .new) { _, change in
        lists.withLock { $0.append(change.newValue?.count ?? -1) }
      },
      stick.observe(\.isConnected, options: .new) { _, change in
        losses.withLock { $0.append(change.newValue ?? true) }
      },
    ]
    try machine.mount([machine.stickLine(), Machine.cardLine])
    session.look()
    session.look()
    #expect(session.externalStorageDevices.first === stick)
    try machine.mount([Machine.cardLine])
    session.look()
    #expect(lists.withLock { $0 } == [2, 1] && losses.withLock { $0 } == [false])
    #expect(!stick.isConnected && stick.freeSize == 0)
    let error = #expect(throws: AVError.self) { try stick.nextAvailableURLs(withPathExtensions: ["mov"]) }
    #expect(error?.code == .deviceNotConnected)
    observations.forEach { $0.invalidate() }
  }

  @Test func `give names as cameras do, which no file of any kind has`() throws {
    let machine = try Machine()
    try machine.mount([machine.stickLine()])
    let stick = try #require(
      AVExternalStorageDeviceDiscoverySession(machine.disks).externalStorageDevices.first)
    let first = try stick.nextAvailableURLs(withPathExtensions: ["HEIC", ".mov"])
    #expect(first.map(\.lastPathComponent) == ["IMG_0001.HEIC", "IMG_0001.mov"])
    let folder = try #require(first.first).deletingLastPathComponent()
    #expect(folder.path.hasSuffix("My Stick/DCIM/100OBSCU"))
    #expect(
      try stick.nextAvailableURLs(withPathExtensions: ["mov"]).first?.lastPathComponent == "IMG_0001.mov")
    try Data().write(to: folder.appendingPathComponent("img_0041.jpg"))
    #expect(
      try stick.nextAvailableURLs(withPathExtensions: ["mov"]).first?.lastPathComponent == "IMG_0042.mov")
    try Data().write(to: folder.appendingPathComponent("IMG_9999.jpg"))
    let next = try #require(try stick.nextAvailableURLs(withPathExtensions: ["mov"]).first)
    #expect(next.path.hasSuffix("DCIM/101OBSCU/IMG_0001.mov"))
  }

  @Test func `may be used without asking`() async {
    #expect(AVExternalStorageDevice.authorizationStatus == .authorized)
    let isGranted = await withCheckedContinuation { continuation in
      AVExternalStorageDevice.requestAccess { continuation.resume(returning: $0) }
    }
    #expect(isGranted)
  }
}
