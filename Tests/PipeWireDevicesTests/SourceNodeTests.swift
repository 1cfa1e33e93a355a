import CaptureDevice
import CoreVideo
import Foundation
import Linux
import SeededNumbers
import StreamParts
import Testing

import PipeWireDevices

@Suite("Nodes of PipeWire")
struct SourceNodeTests {
  /// Lists what a test says.
  private final class Kernel: CaptureDeviceProvider {
    let name = "v4l2"
    let paths: Set<String>

    init(_ paths: Set<String>) {
      self.paths = paths
    }

    func devices() -> [any CaptureDeviceDriver] { [] }
    func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {}
    func lists(node path: String) -> Bool { paths.contains(path) }
    func access(for media: MediaKind) -> DeviceAccess { .granted }
    func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
      completion(.granted)
    }
  }

  private static let yuyv = NodeFormat(
    encoding: 4, size: FrameSize(width: 640, height: 480),
    durations: [FrameDuration(1, 30), FrameDuration(1, 15)])

  private static func node(_ id: UInt32, _ properties: [String: String]) -> SourceNode {
    SourceNode(
      id: id,
      properties: properties.merging(["media.role": "Camera", "node.name": "node-\(id)"]) { old, _ in old },
      formats: [yuyv])
  }

  private static func list(_ nodes: [SourceNode], beside company: [any CaptureDeviceProvider] = [])
    -> PipeWireDeviceList
  {
    let list = PipeWireDeviceList(.server(PipeWireServer([:])), includesOwn: false)
    list.noteCompany(company)
    list.take(PipeWireWatch.Sources(nodes: nodes, isManaged: true, isConnected: true))
    return list
  }

  @Test(arguments: [["api.v4l2.path": "/dev/video7"], ["object.path": "v4l2:/dev/video7"]])
  func `a camera that the kernel's backend lists is left out, with the reason`(_ properties: [String: String])
  {
    let node = Self.node(5, properties.merging(["node.description": "Webcam"]) { old, _ in old })
    let alone = Self.list([node])
    #expect(alone.devices.map(\.facts.name) == ["Webcam"] && alone.leftOut.isEmpty)
    let beside = Self.list([node], beside: [Kernel(["/dev/video7"])])
    #expect(beside.devices.isEmpty)
    #expect(
      beside.leftOut == [
        "Webcam of PipeWire is the camera at /dev/video7, which is listed once, as the kernel's."
      ])
    // One that the kernel's backend cannot use is not lost.
    #expect(Self.list([node], beside: [Kernel(["/dev/video0"])]).devices.count == 1)
  }

  @Test(arguments: [["api.libcamera.path": "/base/imx708"], ["object.path": "libcamera:/base/imx708"]])
  func `a camera that libcamera's backend lists is left out, with the reason`(_ properties: [String: String])
  {
    let node = Self.node(5, properties.merging(["node.description": "imx708"]) { old, _ in old })
    let beside = Self.list([node], beside: [Kernel(["libcamera:/base/imx708"])])
    #expect(beside.devices.isEmpty)
    #expect(
      beside.leftOut == [
        "imx708 of PipeWire is a camera of libcamera, which is listed once, as libcamera's."
      ])
    #expect(Self.list([node], beside: [Kernel(["libcamera:/base/imx219"])]).devices.count == 1)
  }

  @Test func `a camera is known by the place of its device too`() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("nodes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    for folder in ["dev/v4l/by-path", "sys/dev/char", "sys/devices/cam/video3"] {
      try FileManager.default.createDirectory(
        at: root.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    try Data().write(to: root.appendingPathComponent("dev/video2"))
    try FileManager.default.createSymbolicLink(
      atPath: root.path + "/dev/v4l/by-path/pci-0-usb-1-video-index0", withDestinationPath: "../../video2")
    try FileManager.default.createSymbolicLink(
      atPath: root.path + "/sys/dev/char/81:3", withDestinationPath: "../../devices/cam/video3")
    var node = Self.node(5, [:])
    node.device = ["device.bus-path": "pci-0-usb-1"]
    #expect(node.kernelNodes(root: root.path) == ["/dev/video2"])
    node.properties["device.devids"] = "[ \(81 << 8 | 3) ]"
    #expect(node.kernelNodes(root: root.path) == ["/dev/video3"])
    // A camera may have several; the node's own counts.
    node.properties["api.v4l2.path"] = "/dev/video9"
    #expect(node.kernelNodes(root: root.path) == ["/dev/video9"])
  }

  @Test func `a camera that comes to PipeWire in two ways is listed once`() {
    let list = Self.list([
      Self.node(3, ["api.v4l2.path": "/dev/video7", "node.description": "Webcam"]),
      Self.node(4, ["object.path": "v4l2:/dev/video7", "node.description": "Other"]),
    ])
    #expect(list.devices.map(\.facts.name) == ["Webcam"])
    #expect(
      list.leftOut == ["Other of PipeWire is the camera at /dev/video7, which is listed once, as Webcam."])
  }

  @Test func `sources that are no cameras, and this program's own, are passed over`() {
    var screen = Self.node(1, [:])
    screen.properties["media.role"] = "Screen"
    let own = Self.node(2, ["application.process.id": "\(getpid())"])
    let libcamera = SourceNode(
      id: 3,
      properties: ["device.api": "libcamera", "node.name": "lib", "api.libcamera.location": "front"],
      formats: [Self.yuyv])
    let list = Self.list([screen, own, libcamera])
    #expect(list.devices.map(\.facts.uniqueID) == ["pipewire-lib"])
    #expect(
      list.devices.first?.facts.position == .front && list.devices.first?.facts.kind == .wideAngleCamera)
  }

  @Test func `two cameras of one name have identifiers of their own`() {
    let list = Self.list([
      Self.node(1, ["node.name": "twin", "object.serial": "40"]),
      Self.node(2, ["node.name": "twin", "object.serial": "41"]),
    ])
    #expect(list.devices.map(\.facts.uniqueID) == ["pipewire-twin", "pipewire-twin-41"])
  }

  @Test func `a camera stays the same object until something of it changes`() throws {
    let list = Self.list([Self.node(1, [:])])
    let first = try #require(list.devices.first)
    var node = Self.node(1, ["node.state": "running"])
    list.take(PipeWireWatch.Sources(nodes: [node], isManaged: true, isConnected: true))
    #expect(list.devices.first === first)
    node.formats.append(NodeFormat(encoding: 1, size: FrameSize(width: 64, height: 48), durations: []))
    list.take(PipeWireWatch.Sources(nodes: [node], isManaged: true, isConnected: true))
    let second = try #require(list.devices.first)
    #expect(second !== first)
    #expect(second.facts.formats.map(\.size.width) == [64, 640])
    let error = #expect(throws: CaptureDeviceError.self) {
      try first.openStream(
        StreamConfiguration(format: first.facts.formats[0], frameDuration: FrameDuration(1, 30)))
    }
    #expect(error?.code == .disconnected)
  }

  @Test func `formats are told in the library's terms`() throws {
    let size = FrameSize(width: 320, height: 240)
    let encodings: [(UInt32, FrameEncoding?)] = [
      (1, .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)),
      (2, .pixels(kCVPixelFormatType_420YpCbCr8Planar)),
      (4, .pixels(kCVPixelFormatType_422YpCbCr8_yuvs)), (5, .pixels(kCVPixelFormatType_422YpCbCr8)),
      (6, .pixels(kCVPixelFormatType_OneComponent8)), (8, .pixels(kCVPixelFormatType_24RGB)),
      (10, .pixels(kCVPixelFormatType_32BGRA)), (11, .motionJPEG), (12, .h264), (0, nil),
    ]
    for (encoding, expected) in encodings {
      let format = NodeFormat(encoding: encoding, size: size, durations: [])
      #expect(format.streamFormat?.encoding == expected)
    }
    let range = NodeFormat(
      encoding: 1, size: size, durations: [FrameDuration(1, 10), FrameDuration(1, 60)], isRange: true)
    #expect(range.streamFormat?.frameDurations == [FrameDuration(1, 60)...FrameDuration(1, 10)])
    #expect(
      Self.yuyv.streamFormat?.frameDurations.map(\.lowerBound) == [
        FrameDuration(1, 30), FrameDuration(1, 15),
      ])
    let silent = NodeFormat(encoding: 1, size: size, durations: [])
    #expect(silent.streamFormat?.frameDurations == [NodeFormat.usualDuration...NodeFormat.usualDuration])
    var node = Self.node(1, [:])
    node.formats = [NodeFormat(encoding: 12, size: size, durations: []), silent]
    // What has to be decoded comes before what has not, which is preferred.
    let read = try #require(silent.streamFormat?.encoding)
    #expect(node.facts(uniqueID: "x")?.formats.map(\.encoding) == [.h264, read])
  }

  @Test func `sizes that no sensor has are passed over`() {
    let sizes = [
      FrameSize(width: 640, height: 480), FrameSize(width: Int(UInt32.max), height: Int(UInt32.max)),
      FrameSize(width: Int(Int32.max), height: Int(Int32.max)), FrameSize(width: 0, height: 480),
    ]
    let formats = sizes.map { NodeFormat(encoding: 1, size: $0, durations: []) }
    #expect(NodeFormat.streamFormats(formats).map(\.size) == [sizes[0]])
    #expect(
      NodeFormat.format(
        of: StreamFormat(size: sizes[2], encoding: .motionJPEG, frameDurations: []), among: formats) == nil)
  }

  @Test func `pictures have the range and the matrix that their source says, and V4L2's usual ones else`() {
    var format = NodeFormat(encoding: 1, size: FrameSize(width: 2, height: 2), durations: [])
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
    defer { bytes.deallocate() }
    var check = MotionJPEGCheck()
    func place() -> PlacedPicture? {
      PictureLayout(format).place([PicturePart(offset: 0, size: 64, stride: 0)], in: [bytes], &check)
    }
    guard case .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, _, _, .rec601)? = place() else {
      Issue.record("A source that says nothing has not V4L2's usual colours.")
      return
    }
    (format.isFullRange, format.matrix) = (true, .rec709)
    guard case .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, _, _, .rec709)? = place() else {
      Issue.record("What a source says of its colours is lost.")
      return
    }
    let wide = [UInt32(1), 2, 3, 4].map { encoding -> FrameEncoding? in
      var format = format
      format.encoding = encoding
      return format.streamFormat?.encoding
    }
    #expect(
      wide == [
        .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
        .pixels(kCVPixelFormatType_420YpCbCr8PlanarFullRange),
        .pixels(kCVPixelFormatType_420YpCbCr8PlanarFullRange),
        .pixels(kCVPixelFormatType_422YpCbCr8FullRange),
      ])
    format.encoding = 6
    guard case .pixels(kCVPixelFormatType_OneComponent8, _, _, nil)? = place() else {
      Issue.record("Grey has a matrix.")
      return
    }
  }

  @Test func `streams of the portal's cameras are linked by the session manager, of which it shows no sign`()
    throws
  {
    let portal = CameraPortal(address: "unix:path=/nowhere", file: "/nowhere/camera-access")
    let list = PipeWireDeviceList(.portal(portal), includesOwn: false)
    list.take(PipeWireWatch.Sources(nodes: [Self.node(5, [:])], isManaged: false, isConnected: true))
    #expect(try #require(list.devices.first).isManaged && list.isManaged)
  }

  @Test func `a camera stays when the session manager ends, and knows when one comes`() throws {
    let list = Self.list([Self.node(5, [:])])
    let camera = try #require(list.devices.first)
    #expect(camera.isManaged)
    for isManaged in [false, true] {
      list.take(PipeWireWatch.Sources(nodes: [Self.node(5, [:])], isManaged: isManaged, isConnected: true))
      #expect(list.devices.first === camera && camera.isManaged == isManaged && list.isManaged == isManaged)
    }
  }

  @Test func `an observer hears changes after the one before it was let go`() {
    let list = Self.list([])
    let heard = Locked<[String]>([])
    var former: (any AnyObject & Sendable)? = list.observe { heard.withLock { $0.append("former") } }
    let present = list.observe { heard.withLock { $0.append("present") } }
    withExtendedLifetime(former) {}
    former = nil
    list.take(PipeWireWatch.Sources(nodes: [Self.node(5, [:])], isManaged: true, isConnected: true))
    #expect(heard.withLock { $0 } == ["present"])
    withExtendedLifetime(present) {}
  }

  @Test func `what a source says of its pictures is believed as far as its memory reaches`() {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 16)
    defer { bytes.deallocate() }
    let size = FrameSize(width: 64, height: 48)
    var check = MotionJPEGCheck()
    var places = 0
    var random = SeededGenerator(usual: 17)
    for encoding in UInt32(0)...12 {
      let layout = PictureLayout(NodeFormat(encoding: encoding, size: size, durations: []))
      for _ in 0..<500 {
        let parts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
          PicturePart(
            offset: Int.random(in: 0...300, using: &random), size: Int.random(in: 0...8500, using: &random),
            stride: [0, 64, 128, Int.random(in: -64...4096, using: &random)].randomElement(using: &random)
              ?? 0)
        }
        let blocks = (0..<Int.random(in: 0...4, using: &random)).map { _ in
          UnsafeMutableRawBufferPointer(rebasing: bytes[..<Int.random(in: 4000...8192, using: &random)])
        }
        guard let place = layout.place(parts, in: blocks, &check) else { continue }
        places += 1
        switch place {
        case .pixels(_, _, let planes, _):
          #expect(
            planes.allSatisfy {
              $0.offset >= 0 && $0.end <= blocks[$0.block].count && $0.bytesPerRow >= $0.rowBytes
            })
        case .jpeg(let range, _): #expect(range.upperBound <= blocks[0].count)
        }
      }
    }
    let layout = PictureLayout(NodeFormat(encoding: 1, size: size, durations: []))
    let whole = PicturePart(offset: 16, size: 64 * 72, stride: 64)
    let place = layout.place([whole], in: [bytes], &check)
    guard case .pixels(_, size, let planes, .rec601)? = place else {
      Issue.record("A whole picture has no place.")
      return
    }
    #expect(planes.map(\.offset) == [16, 16 + 64 * 48] && planes.map(\.height) == [48, 24])
    #expect(layout.place([PicturePart(offset: 16, size: 64 * 71, stride: 64)], in: [bytes], &check) == nil)
    #expect(places > 0)
  }
}
