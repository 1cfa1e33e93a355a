import AVFoundation
import Foundation
import SimulatedDevices
import Testing
import VirtualCameras

@testable import CameraModel

extension Screens {
  private static func offering(_ change: (inout Settings) -> Void = { _ in }) -> Settings {
    var settings = Settings()
    settings.offersVirtualCamera = true
    change(&settings)
    return settings
  }

  @Test func `other programs see the picture in the size that they chose, not mirrored, with black bars`()
    async throws
  {
    let shop = try Workshop(settings: Self.offering())
    defer { shop.end() }
    let shown = Guarded<(columns: [Double], size: CGSize)>(([], .zero))
    shop.preview.setPlace(CGSize(width: 160, height: 120))
    shop.preview.setHandler { picture in
      shown.change { $0 = (picture.picture.columns, picture.frameSize) }
    }
    try await shop.start()
    let front = try #require(shop.state.cameras.first { $0.side == .front })
    shop.model.choose(front.id)
    #expect(await shop.run { $0.camera?.id == front.id })
    #expect(await shop.run { $0.virtualCamera == .offered })
    shop.virtualCamera.report(.watched(width: 640, height: 360))
    #expect(await shop.run { $0.virtualCamera == .watched })
    #expect(await shop.run { _ in shop.virtualCamera.count > 2 })
    let picture = try #require(shop.virtualCamera.newest)
    #expect(CVPixelBufferGetWidth(picture) == 640 && CVPixelBufferGetHeight(picture) == 360)
    #expect(CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)

    let columns = picture.lumaColumns
    #expect(columns.first == 16 && columns.last == 16)
    let lit = columns.indices.filter { columns[$0] > 20 }
    let (first, last) = (try #require(lit.first), try #require(lit.last))
    // As high as the size, in the shape of the preview, in the middle.
    shown.change { $0.columns = [] }
    #expect(await shop.run { _ in shown.change { !$0.columns.isEmpty } })
    let (mirrored, frame) = shown.change { $0 }
    let width = 360 * frame.width / frame.height
    #expect(abs(Double(last - first + 1) - width) <= 6 && abs(first + last - 639) <= 4)
    // The preview is a mirror.
    func distance(_ preview: [Double]) -> Double {
      zip(preview.indices, preview).reduce(0) { sum, next in
        let place = first + next.0 * (last - first) / max(1, preview.count - 1)
        return sum + abs(columns[place] - (16 + next.1 * 219 / 255))
      } / Double(preview.count)
    }
    #expect(distance(mirrored.reversed()) < distance(mirrored) / 2)
  }

  @Test func `the virtual camera has the filter of the preview, and other sizes when they are wanted`()
    async throws
  {
    var scene = Scene.builtIn
    scene.devices = [.webcam]
    let shop = try Workshop(scene, settings: Self.offering { $0.filter = .mono })
    defer { shop.end() }
    try await shop.start()
    shop.virtualCamera.report(.watched(width: 320, height: 180))
    #expect(await shop.run { _ in shop.virtualCamera.count > 0 })
    #expect(try #require(shop.virtualCamera.newest).mostChroma < 3)
    while shop.model.settings.value.filter != .none { shop.model.nextFilter() }
    shop.virtualCamera.report(.watched(width: 640, height: 360))
    #expect(
      await shop.run { _ in
        shop.virtualCamera.newest.map { CVPixelBufferGetWidth($0) } == 640
      })
    #expect(try #require(shop.virtualCamera.newest).mostChroma > 20)
  }

  @Test func `nothing is drawn while no program watches, and thirty pictures a second at most`() async throws
  {
    let shop = try Workshop(Scene(devices: [.webcam]), settings: Self.offering())
    defer { shop.end() }
    try await shop.start()
    #expect(await shop.run { $0.virtualCamera == .offered })
    for _ in 0..<5 { await shop.advance(1.0 / 30) }
    #expect(shop.virtualCamera.count == 0)
    shop.virtualCamera.report(.watched(width: 320, height: 180))
    #expect(await shop.run { _ in shop.virtualCamera.count > 5 })
    let times = shop.virtualCamera.shared.change { $0.times }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 && ($1 - $0).seconds > 0.024 })
    shop.virtualCamera.report(.unwatched)
    #expect(await shop.run { $0.virtualCamera == .offered })
    let count = shop.virtualCamera.count
    for _ in 0..<5 { await shop.advance(1.0 / 30) }
    // One may have been under way.
    #expect(shop.virtualCamera.count <= count + 1)
  }

  @Test func `without PipeWire it is said once, and the virtual camera comes when PipeWire does`()
    async throws
  {
    let shop = try Workshop(Scene(devices: [.webcam]), settings: Self.offering())
    defer { shop.end() }
    shop.virtualCamera.shared.change { $0.problem = .noServer }
    try await shop.start()
    #expect(await shop.run { $0.virtualCamera == .failed(.noServer) })
    shop.time.advance(by: 5)
    #expect(await shop.run { _ in shop.virtualCamera.shared.change { $0.offers } == 2 })
    await shop.advance(0.1)
    #expect(shop.notices == [.virtualCameraFailed(.noServer)])
    shop.virtualCamera.shared.change { $0.problem = nil }
    shop.time.advance(by: 5)
    #expect(await shop.run { $0.virtualCamera == .offered })

    // PipeWire ends, and what it reports of the old camera after that is no news.
    let old = shop.virtualCamera.shared.change { $0.report }
    shop.virtualCamera.report(.lost(.noServer))
    #expect(await shop.run { $0.virtualCamera == .failed(.noServer) })
    #expect(!shop.virtualCamera.isOffered)
    shop.time.advance(by: 5)
    #expect(await shop.run { $0.virtualCamera == .offered })
    old?(.watched(width: 320, height: 180))
    await shop.advance(0.1)
    #expect(shop.state.virtualCamera == .offered)
    #expect(shop.notices.count == 2)
  }

  @Test func `the virtual camera comes and goes while a film is recorded, through a switch of the camera`()
    async throws
  {
    let shop = try Workshop(settings: Self.offering { $0.mode = .video })
    defer { shop.end() }
    try await shop.start()
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .recording })
    await shop.advance(0.5)
    shop.virtualCamera.report(.watched(width: 320, height: 180))
    #expect(await shop.run { _ in shop.virtualCamera.count > 2 })
    shop.model.switchCamera()
    let count = shop.virtualCamera.count
    #expect(await shop.run { _ in shop.virtualCamera.count > count + 3 })
    shop.model.changeSettings { $0.offersVirtualCamera = false }
    #expect(await shop.run { $0.virtualCamera == .off })
    #expect(!shop.virtualCamera.isOffered)
    await shop.advance(0.5)
    shop.model.changeSettings { $0.offersVirtualCamera = true }
    #expect(await shop.run { $0.virtualCamera == .offered })
    await shop.advance(0.5)
    #expect(shop.state.recording.phase == .recording)
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .idle && $0.lastPhoto != nil })
    let film = AVURLAsset(url: try #require(shop.state.lastPhoto?.url))
    #expect(try await film.load(.duration).seconds > 1.5)
    #expect(shop.notices.isEmpty)
    shop.model.stop()
    #expect(!shop.virtualCamera.isOffered)
  }

  @Test func `a machine without PipeWire is told from one that refuses`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("no-pipewire-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let old = ProcessInfo.processInfo.environment["PIPEWIRE_RUNTIME_DIR"]
    setenv("PIPEWIRE_RUNTIME_DIR", folder.path, 1)
    defer {
      if let old {
        setenv("PIPEWIRE_RUNTIME_DIR", old, 1)
      } else {
        unsetenv("PIPEWIRE_RUNTIME_DIR")
      }
    }
    #expect(throws: VirtualCameraProblem.noServer) {
      _ = try PipeWireCamera { _ in }
    }
  }
}
