import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Foundation
import Linux
import PipeWireDevices
import PipeWireStage
import Testing

/// A PipeWire with one camera.
private final class CameraStage: Sendable {
  let pipewire: PrivatePipeWire
  let source: PaintedSource

  init() throws {
    pipewire = try PrivatePipeWire()
    try pipewire.start()
    source = try PaintedSource(pipewire)
    let provider = self.provider
    let changes = ListChanges(provider)
    // A node is there a moment after it is offered.
    if provider.devices().isEmpty { try #require(changes.wait(for: "+pipewire-painted")) }
    provider.observeDevices(nil)
  }

  var provider: PipeWireDeviceProvider {
    PipeWireDeviceProvider(PipeWireServer(pipewire.environment), includesOwn: true)
  }
}

@Suite("Cameras of PipeWire", .serialized, .enabled(if: PrivatePipeWire.isInstalled))
struct PipeWireDeviceTests {
  private static let stage = Result { try CameraStage() }

  @Test(arguments: DeviceConformanceSuite(makeProvider: { try stage.get().provider }).checks)
  func `cameras of PipeWire keep the contract of devices`(_ check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }

  @Test func `a node is a camera with its name and its formats, the largest last`() throws {
    let camera = try #require(try Self.stage.get().provider.devices().first)
    #expect(camera.facts.name == "Painted" && camera.facts.uniqueID == "pipewire-painted")
    #expect(camera.facts.kind == .externalCamera && camera.facts.media == [.video])
    #expect(camera.facts.formats.map(\.size) == PaintedSource.sizes)
    for format in camera.facts.formats {
      #expect(format.encoding == .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
      #expect(format.frameDurations == [FrameDuration(1, 30)...FrameDuration(1, 30)])
    }
  }

  @Test func `frames are what the source painted, and those that a client holds stay so`() throws {
    let camera = try #require(try Self.stage.get().provider.devices().first)
    let format = try #require(camera.facts.formats.last)
    // More than the source has buffers: the rest are copies.
    let stream = try camera.openStream(
      StreamConfiguration(format: format, frameDuration: FrameDuration(1, 30), bufferCount: 24))
    let kept = Monitor<[(shade: UInt8, picture: CVPixelBuffer)]>([])
    try stream.start { event in
      guard case .frame(let frame) = event, case .pixels(let picture) = frame.picture else { return }
      kept.withLock { if $0.count < 24 { $0.append((picture.shade, picture)) } }
    }
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 60_000_000_000)
    let all = kept.wait(until: deadline, for: { $0.count == 24 }, then: { $0 }) ?? []
    stream.stop()
    try #require(all.count == 24)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.shade != $1.shade })
    #expect(all.allSatisfy { $0.picture.shade == $0.shade && $0.picture.isGrey })
    #expect(Set(all.map { $0.picture.firstByte }).count == 24)
  }

  @Test func `pictures that the source took before the start are not delivered`() throws {
    let pipewire = try PrivatePipeWire()
    try pipewire.start()
    let provider = PipeWireDeviceProvider(PipeWireServer(pipewire.environment), includesOwn: true)
    let changes = ListChanges(provider)
    let source = try PaintedSource(pipewire, stale: 5)
    #expect(changes.wait(for: "+pipewire-painted"))
    let camera = try #require(provider.devices().first)
    let format = try #require(camera.facts.formats.first)
    let stream = try camera.openStream(
      StreamConfiguration(format: format, frameDuration: FrameDuration(1, 30)))
    let seen = Monitor<[(number: UInt32, time: MonotonicInstant, shade: UInt8)]>([])
    let start = MonotonicInstant.now
    try stream.start { event in
      guard case .frame(let frame) = event, case .pixels(let picture) = frame.picture else { return }
      seen.withLock { $0.append((frame.sequence, frame.timestamp, picture.shade)) }
    }
    let frames =
      seen.wait(
        until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0.count >= 3 }, then: { $0 }) ?? []
    stream.stop()
    #expect(frames.first?.number == 0 && frames.allSatisfy { $0.time >= start && $0.shade >= 22 })
    source.close()
  }

  @Test func `a camera that goes ends its stream, and is the same camera when it comes again`() throws {
    let pipewire = try PrivatePipeWire()
    try pipewire.start()
    let provider = PipeWireDeviceProvider(PipeWireServer(pipewire.environment), includesOwn: true)
    let changes = ListChanges(provider)
    let source = try PaintedSource(pipewire)
    #expect(changes.wait(for: "+pipewire-painted"))
    let camera = try #require(provider.devices().first)
    let failure = try failureOfStream(camera) { source.close() }
    #expect(failure?.code == .disconnected)
    #expect(changes.wait(for: "-pipewire-painted"))
    #expect(provider.devices().isEmpty)
    let error = #expect(throws: CaptureDeviceError.self) {
      try camera.openStream(
        StreamConfiguration(
          format: try #require(camera.facts.formats.first), frameDuration: FrameDuration(1, 30)))
    }
    #expect(error?.code == .disconnected)
    let again = try PaintedSource(pipewire)
    #expect(changes.wait(for: "+pipewire-painted", times: 2))
    #expect(provider.devices().first?.facts == camera.facts)
    again.close()
  }

  @Test
  func
    `a PipeWire that is killed ends its streams and devices, and brings them back when it is started again`()
    throws
  {
    let pipewire = try PrivatePipeWire()
    try pipewire.start()
    let provider = PipeWireDeviceProvider(PipeWireServer(pipewire.environment), includesOwn: true)
    let changes = ListChanges(provider)
    let source = try PaintedSource(pipewire)
    #expect(changes.wait(for: "+pipewire-painted"))
    let camera = try #require(provider.devices().first)
    let failure = try failureOfStream(camera) { pipewire.kill() }
    #expect(failure?.code == .mediaServicesReset)
    #expect(failure?.message == "Painted is gone, because PipeWire has ended; it comes back with PipeWire.")
    #expect(changes.wait(for: "-pipewire-painted"))
    #expect(provider.devices().isEmpty)
    let lost = source.problems.wait(
      until: .now.advanced(byNanoseconds: 30_000_000_000), for: { !$0.isEmpty }, then: { $0 })
    #expect(lost?.first == .noServer)
    try pipewire.start()
    let again = try PaintedSource(pipewire)
    #expect(changes.wait(for: "+pipewire-painted", times: 2))
    again.close()
  }

  @Test func `without PipeWire there is no camera and no trouble, and its cameras come when it does`() throws
  {
    let pipewire = try PrivatePipeWire()
    let provider = PipeWireDeviceProvider(PipeWireServer(pipewire.environment), includesOwn: true)
    #expect(provider.devices().isEmpty && provider.absences.isEmpty)
    #expect(provider.access(for: .video) == .granted)
    let obstacle = try #require(provider.diagnose().obstacle)
    #expect(obstacle.contains("systemctl --user start pipewire"))
    let changes = ListChanges(provider)
    #expect(provider.devices().isEmpty)
    try pipewire.start()
    let source = try PaintedSource(pipewire)
    #expect(changes.wait(for: "+pipewire-painted"))
    #expect(provider.diagnose().obstacle == nil && provider.diagnose().cameras == ["Painted"])
    source.close()
  }

  @Test func `cameras that this program offers itself are not listed`() throws {
    let stage = try Self.stage.get()
    let provider = PipeWireDeviceProvider(PipeWireServer(stage.pipewire.environment))
    #expect(stage.provider.devices().count == 1)
    #expect(provider.devices().isEmpty)
  }

  /// The error with which a running stream ends after `end`; `nil` where it does not.
  private func failureOfStream(_ camera: any CaptureDeviceDriver, after end: () -> Void) throws
    -> CaptureDeviceError?
  {
    let stream = try camera.openStream(
      StreamConfiguration(
        format: try #require(camera.facts.formats.first), frameDuration: FrameDuration(1, 30)))
    let seen = Monitor<(frames: Int, failure: CaptureDeviceError?)>((0, nil))
    try stream.start { event in
      switch event {
      case .frame: seen.withLock { $0.frames += 1 }
      case .failed(let error): seen.withLock { $0.failure = error }
      default: break
      }
    }
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    #expect(seen.wait(until: deadline, for: { $0.frames >= 3 }, then: { _ in true }) == true)
    end()
    let failure = seen.wait(until: deadline, for: { $0.failure != nil }, then: { $0.failure }) ?? nil
    stream.stop()
    return failure
  }
}

extension CVPixelBuffer {
  /// The first pixel's luma.
  fileprivate var shade: UInt8 {
    CVPixelBufferLockBaseAddress(self, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
    return CVPixelBufferGetBaseAddressOfPlane(self, 0)?.load(as: UInt8.self) ?? 0
  }

  /// Where its first pixel is.
  fileprivate var firstByte: Int {
    CVPixelBufferLockBaseAddress(self, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
    return CVPixelBufferGetBaseAddressOfPlane(self, 0).map { Int(bitPattern: $0) } ?? 0
  }

  /// Whether all pixels have the first one's luma, and no colour.
  fileprivate var isGrey: Bool {
    CVPixelBufferLockBaseAddress(self, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
    return (0..<2).allSatisfy { plane in
      guard let base = CVPixelBufferGetBaseAddressOfPlane(self, plane) else { return false }
      let stride = CVPixelBufferGetBytesPerRowOfPlane(self, plane)
      let width = CVPixelBufferGetWidthOfPlane(self, plane) * (plane + 1)
      return (0..<CVPixelBufferGetHeightOfPlane(self, plane)).allSatisfy { row in
        UnsafeRawBufferPointer(start: base + row * stride, count: width).allSatisfy {
          $0 == (plane == 0 ? shade : 128)
        }
      }
    }
  }
}
