import Foundation
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  @Test func `the depth screen takes a camera that measures depth and says how far the pointed place is`()
    async throws
  {
    var scene = Scene.blank
    scene.devices = Scene.builtIn.devices
    scene.background.depth = 2
    let shop = try Workshop(scene)
    defer { shop.end() }
    try await shop.start()
    let maps = Guarded(0)
    shop.model.setDepthHandler { map in maps.change { $0 += map.width > 0 ? 1 : 0 } }
    shop.model.setMode(.depth)
    shop.model.pointDepth(x: 0.5, y: 0.5)
    #expect(await shop.run { $0.depth.metres != nil })
    #expect(abs((shop.state.depth.metres ?? 0) - 2) < 0.2)
    #expect(shop.state.camera?.measuresDepth == true && maps.change { $0 } > 0)
    shop.model.setMode(.photo)
    #expect(await shop.run { $0.shutter == .ready })
  }

  @Test func `a nod turns the page`() async throws {
    var scene = Scene(devices: Scene.builtIn.devices)
    scene.layers = [
      SceneLayer(.nod(near: 0.4, far: 0.55, period: 1), center: CGPoint(x: 0.5, y: 0.5), width: 0.6)
    ]
    let shop = try Workshop(scene)
    defer { shop.end() }
    let folder = shop.model.photoFolder
    for second in 0..<3 {
      _ = try folder.store(Data([1]), suffix: "jpg", date: Date(timeIntervalSince1970: Double(second) * 60))
    }
    try await shop.start()
    shop.model.setMode(.depth)
    shop.model.showPages(true)
    #expect(shop.state.depth.page == 0)
    #expect(await shop.run { $0.depth.page == 2 }, "\(shop.state.depth)")
    #expect(shop.state.depth.nods >= 2)
  }
}

@Suite struct NodTests {
  private func nods(_ metres: [Float], rate: Double = 30) -> Int {
    var detector = NodDetector()
    return metres.enumerated().filter { detector.take($0.element, at: Double($0.offset) / rate) }.count
  }

  @Test func `a head that comes nearer and goes back has nodded once`() {
    let nod = [Float](repeating: 0.5, count: 10) + [0.47, 0.43, 0.4, 0.4, 0.43, 0.47, 0.5, 0.5]
    #expect(nods(nod) == 1)
    #expect(nods(nod + nod) == 2)
  }

  @Test func `noise, and a head that comes to stay, are no nods`() {
    #expect(nods((0..<90).map { 0.5 + Float($0 % 3) * 0.01 }) == 0)
    #expect(nods([Float](repeating: 0.5, count: 10) + [Float](repeating: 0.35, count: 60)) == 0)
  }
}
