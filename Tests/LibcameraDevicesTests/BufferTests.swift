import CaptureDevice
import LibcameraDevices
import Linux
import Testing

@Suite("Buffers of libcamera's cameras")
struct BufferTests {
  /// Keeps the first frames of a stream as its client may, and counts those that are missing for want of a buffer.
  private final class Keeper: Sendable {
    struct Kept: Sendable {
      var frames: [CapturedFrame] = []
      var missing = 0
      var later = 0
    }

    let most: Int
    private let kept = Monitor(Kept())

    init(_ most: Int) {
      self.most = most
    }

    var receive: @Sendable (StreamEvent) -> Void {
      { [kept, most] event in
        kept.withLock { kept in
          switch event {
          case .frame(let frame):
            if kept.frames.count < most, kept.missing == 0 {
              kept.frames.append(frame)
            } else {
              kept.later += 1
            }
          case .dropped(let drop): if drop.reason == .outOfBuffers { kept.missing += 1 }
          default: break
          }
        }
      }
    }

    /// What was kept once it satisfies `condition`; `nil` when it does not within half a minute.
    func wait(_ condition: (Kept) -> Bool) -> Kept? {
      kept.wait(until: .now.advanced(byNanoseconds: 30_000_000_000), for: condition, then: { $0 })
    }

    func forget() {
      let former = kept.withLock { kept in
        defer { kept.frames = [] }
        return kept.frames
      }
      withExtendedLifetime(former) {}
    }
  }

  private func device(_ camera: ScriptedCamera) throws -> any CaptureDeviceDriver {
    try #require(LibcameraDeviceProvider(ScriptedLibrary([camera]), noNodes).devices().first)
  }

  private func shade(_ frame: CapturedFrame) -> UInt8? { CameraLog.note(frame)?.shade }

  @Test(arguments: [2, 3, 4, 100])
  func `clients hold as many frames as they asked for, however few buffers the camera grants`(_ granted: Int)
    throws
  {
    var script = CameraScript()
    script.mostGranted = granted
    let stream = try device(ScriptedCamera(script)).openPhotos(buffers: 4)
    #expect(stream.configuration.bufferCount == 4)
    let keeper = Keeper(4)
    try stream.start(keeper.receive)
    let held = try #require(keeper.wait { $0.missing >= 3 }).frames
    #expect(held.map(\.sequence) == [0, 1, 2, 3])
    #expect(held.map(shade) == [1, 2, 3, 4], "no frame is written over while it is held")
    withExtendedLifetime(held) {}
  }

  @Test func `copies that clients let go of make room for others`() throws {
    var script = CameraScript()
    script.mostGranted = 3
    let stream = try device(ScriptedCamera(script)).openPhotos(buffers: 4)
    let keeper = Keeper(4)
    try stream.start(keeper.receive)
    #expect(keeper.wait { $0.missing >= 1 }?.frames.count == 4)
    keeper.forget()
    #expect(keeper.wait { $0.later >= 5 } != nil)
    stream.stop()
  }

  @Test func `one buffer is too few for a stream`() throws {
    var script = CameraScript()
    script.mostGranted = 1
    let camera = ScriptedCamera(script)
    let device = try device(camera)
    let error = #expect(throws: CaptureDeviceError.self) { try device.openPhotos() }
    #expect(error?.code == .formatUnsupported && !camera.isOpen)
  }

  @Test(arguments: [PictureCode("NV12"), PictureCode("XR24")])
  func `memory that ends within a picture's last row is refused, and one that ends with it is not`(
    _ code: PictureCode
  ) throws {
    var script = CameraScript()
    script.code = code
    script.missingBytes = 1
    let short = ScriptedCamera(script)
    let device = try device(short)
    let error = #expect(throws: CaptureDeviceError.self) { try device.openPhotos() }
    #expect(error?.code == .formatUnsupported && !short.isOpen)
    script.missingBytes = 0
    let stream = try self.device(ScriptedCamera(script)).openPhotos()
    let log = CameraLog()
    try stream.start(log.receive)
    #expect(log.wait { !$0.frames.isEmpty }?.drops.isEmpty == true)
    stream.stop()
  }

  @Test func `memory that cannot be mapped is an error of the opening, not a stream without pictures`() throws
  {
    var script = CameraScript()
    script.hasMemory = false
    let camera = ScriptedCamera(script)
    let device = try device(camera)
    let error = #expect(throws: CaptureDeviceError.self) { try device.openPhotos(buffers: 4) }
    #expect(error?.code == .outOfMemory && !camera.isOpen)
    #expect(camera.opened.suffix(3).map { $0.first?.buffers } == [7, 5, 4], "fewer are tried first")
  }
}
