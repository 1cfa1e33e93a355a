import AVFoundation
import DepthMaps
import Foundation
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  /// A wall of one colour at 2 m, before it a code at 0.8 m in the middle.
  private func room() throws -> Workshop {
    var scene = Scene.blank
    scene.devices = Scene.builtIn.devices
    scene.background.depth = 2
    scene.layers = [
      SceneLayer(try .code(.qr, "card"), center: CGPoint(x: 0.5, y: 0.5), width: 0.4, depth: 0.8)
    ]
    return try Workshop(scene)
  }

  @Test func `smoothing is off while points are shown, and its value comes back after`() async throws {
    let shop = try room()
    defer { shop.end() }
    try await shop.start()
    shop.model.setMode(.depth)
    let output = shop.model.engine.depthOutput
    func isFiltered() async -> Bool {
      await shop.advance(0)
      return output.isFilteringEnabled
    }
    #expect(await isFiltered() && shop.state.depth.smooths)
    shop.model.showCloud(true)
    #expect(await !isFiltered() && !shop.state.depth.smooths)
    // The switch rests meanwhile.
    shop.model.setDepthSmoothing(false)
    shop.model.showCloud(false)
    #expect(await isFiltered() && shop.state.depth.smooths)
    shop.model.setDepthSmoothing(false)
    #expect(await !isFiltered())
    shop.model.showCloud(true)
    shop.model.showCloud(false)
    #expect(await !isFiltered() && !shop.state.depth.smooths)
  }

  @Test func `points have the picture's colours, and sway until they are touched`() async throws {
    let shop = try room()
    defer { shop.end() }
    try await shop.start()
    let pictures = Guarded<[Thumbnail]>([])
    shop.model.setCloudHandler { picture in pictures.change { $0.append(picture) } }
    shop.model.setCloudSize(width: 320, height: 240)
    shop.model.setMode(.depth)
    shop.model.showCloud(true)
    #expect(shop.state.depth.sways)
    #expect(await shop.run { _ in pictures.change { $0.count } > 12 })
    let (picture, pose) = (try #require(pictures.change { $0.last }), shop.model.engine.cloud.pose)
    #expect(picture.width == 320 && picture.height == 240)
    #expect(pose.yaw != 0)
    let colors = picture.bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    // Black and white of the code, and where no point is the stage's colour.
    let greens = colors.filter { $0 != CloudDrawing.background }.map { $0 >> 8 & 0xFF }
    #expect(greens.filter { $0 < 60 }.count > 500 && greens.filter { $0 > 190 }.count > 500)
    shop.model.turnCloud(across: 0.1, down: 0)
    #expect(!shop.state.depth.sways)
    let touched = shop.model.engine.cloud.pose
    #expect(touched.yaw > pose.yaw)
    await shop.advance(0.5)
    #expect(shop.model.engine.cloud.pose == touched)
    shop.model.moveCloud(across: 0.1, down: 0.1)
    shop.model.zoomCloud(by: 2)
    shop.model.rollCloud(by: 0.5)
    #expect(shop.model.engine.cloud.pose.zoom == 2 && shop.model.engine.cloud.pose.roll == 0.5)
    shop.model.putCloudBack()
    #expect(shop.model.engine.cloud.pose == CloudPose())
    shop.model.setSwaying(true)
    let before = pictures.change { $0.count }
    #expect(await shop.run { _ in pictures.change { $0.count } > before + 10 })
    #expect(shop.model.engine.cloud.pose.yaw != 0)
  }

  @Test func `hands change nothing while the map is shown`() async throws {
    let shop = try room()
    defer { shop.end() }
    try await shop.start()
    shop.model.setMode(.depth)
    shop.model.turnCloud(across: 1, down: 1)
    #expect(shop.model.engine.cloud.pose == CloudPose())
    shop.model.setDepthMix(2)
    #expect(shop.state.depth.mix == 1)
    shop.model.setDepthMix(-1)
    #expect(shop.state.depth.mix == 0)
  }

  @Test func `the legend has the nearest and the farthest distance`() async throws {
    let shop = try room()
    defer { shop.end() }
    try await shop.start()
    shop.model.setMode(.depth)
    #expect(
      await shop.run { state in
        abs((state.depth.nearest ?? 0) - 0.8) < 0.02 && abs((state.depth.farthest ?? 0) - 2) < 0.05
      }, "\(shop.state.depth)")
  }

  @Test func `the shutter saves the map as grey with 16 bits, and the points with their colours, unmirrored`()
    async throws
  {
    var scene = Scene.blank
    scene.devices = Scene.builtIn.devices
    scene.background.depth = 2
    // The sensor lies on its side: what is low for it is at one side of the upright picture, and a mirror shows it at the other.
    scene.layers = [
      SceneLayer(try .code(.qr, "card"), center: CGPoint(x: 0.5, y: 0.8), width: 0.2, depth: 0.8)
    ]
    let shop = try Workshop(scene)
    defer { shop.end() }
    try await shop.start()
    shop.model.setMode(.depth)
    #expect(await shop.run { $0.depth.metres != nil })
    let geometry = shop.model.preview.plannedGeometry
    try #require(geometry.isMirrored && [90, 270].contains(geometry.rotationAngle))
    let isLeft = geometry.rotationAngle == 90
    shop.model.pointDepth(x: isLeft ? 0.8 : 0.2, y: 0.5)
    #expect(await shop.run { ($0.depth.metres ?? 9) < 1 }, "the screen is a mirror")
    shop.model.pressShutter()
    #expect(await shop.run { _ in !shop.notices.isEmpty })
    guard case .depthSaved(let path) = shop.notices.last else {
      Issue.record("\(shop.notices)")
      return
    }
    let png = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(path.contains("/DEPTH_") && Array(png[24..<26]) == [16, 0])
    let image = try #require(
      CGImageSourceCreateWithData(png as CFData, nil).flatMap { CGImageSourceCreateImageAtIndex($0, 0, nil) })
    let pixels = try #require(image.dataProvider?.data as Data?)
    func millimetres(_ x: Double) -> UInt16 {
      let place = image.height / 2 * image.bytesPerRow + Int(x * Double(image.width)) * 2
      let bytes = (UInt16(pixels[pixels.startIndex + place]), UInt16(pixels[pixels.startIndex + place + 1]))
      return image.byteOrderInfo == .order16Little ? bytes.0 | bytes.1 << 8 : bytes.0 << 8 | bytes.1
    }
    let (near, far) = isLeft ? (0.2, 0.8) : (0.8, 0.2)
    #expect(abs(Int(millimetres(near)) - 800) < 20 && abs(Int(millimetres(far)) - 2000) < 40)
    shop.model.showCloud(true)
    let pictures = Guarded(0)
    shop.model.setCloudHandler { _ in pictures.change { $0 += 1 } }
    #expect(await shop.run { _ in pictures.change { $0 } > 0 })
    shop.model.pressShutter()
    #expect(await shop.run { _ in shop.notices.count == 2 })
    guard case .depthSaved(let cloud) = shop.notices.last else {
      Issue.record("\(shop.notices)")
      return
    }
    #expect(cloud.hasSuffix(".ply"))
    let file = try Data(contentsOf: URL(fileURLWithPath: cloud))
    let end = try #require(file.range(of: Data("end_header\n".utf8)))
    var nearLeft = 0, nearRight = 0
    file[end.upperBound...].withUnsafeBytes { bytes in
      for place in stride(from: 0, to: bytes.count - 14, by: 15) {
        let x = bytes.loadUnaligned(fromByteOffset: place, as: Float.self)
        let z = bytes.loadUnaligned(fromByteOffset: place + 8, as: Float.self)
        if z > -1 { if x < 0 { nearLeft += 1 } else { nearRight += 1 } }
      }
    }
    #expect(isLeft ? nearLeft > 1000 && nearRight == 0 : nearRight > 1000 && nearLeft == 0)
    // Neither is a photo.
    #expect(shop.model.photoFolder.all().isEmpty)
  }

  @Test func `with a camera that measures no depth the screen says so`() async throws {
    var scene = Scene.blank
    scene.devices = Scene.builtIn.devices.filter { $0.facts.kind == .wideAngleCamera }
    let shop = try Workshop(scene)
    defer { shop.end() }
    try await shop.start()
    #expect(!shop.state.lacksDepth)
    shop.model.setMode(.depth)
    #expect(await shop.run { $0.lacksDepth })
    shop.model.pressShutter()
    #expect(await shop.run { _ in shop.notices.contains(.depthNotSaved(reason: "")) })
    shop.model.setMode(.photo)
    #expect(!shop.state.lacksDepth)
  }

  @Test func `a click on the depth screen aims until something else is before the camera`() async throws {
    var scene = Scene.blank
    scene.devices = Scene.builtIn.devices
    let shop = try Workshop(scene)
    defer { shop.end() }
    try await shop.start()
    shop.model.setMode(.depth)
    #expect(await shop.run { $0.depth.metres != nil && $0.camera?.measuresDepth == true })
    try #require(shop.state.abilities.canExposeAtPoint)
    shop.model.aim(x: 0.25, y: 0.25)
    #expect(await shop.run { $0.aim?.isAdjusting == false })
    let device = try #require(shop.camera)
    #expect(device.isSubjectAreaChangeMonitoringEnabled)
    let point = device.exposurePointOfInterest
    #expect(point != CGPoint(x: 0.5, y: 0.5))
    shop.time.advance(by: 60)
    #expect(shop.state.aim != nil)
    NotificationCenter.default.post(name: AVCaptureDevice.subjectAreaDidChangeNotification, object: device)
    #expect(await shop.run { $0.aim == nil })
    #expect(await shop.run { _ in device.exposurePointOfInterest == CGPoint(x: 0.5, y: 0.5) })
    #expect(!device.isSubjectAreaChangeMonitoringEnabled)
  }
}
