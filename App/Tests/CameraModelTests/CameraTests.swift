import AVFoundation
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  @Test func `a camera of three lenses begins with the main one, and has a button for each`() async throws {
    let shop = try Workshop()
    defer { shop.end() }
    try await shop.start()
    #expect(shop.state.camera?.name == "Back Triple Camera")
    #expect(shop.state.abilities.zoomPresets == [0.5, 1, 2])
    #expect(shop.state.zoom == 1 && shop.camera?.videoZoomFactor == 2)
  }

  @Test func `zoom goes to the camera, and not beyond what it has`() async throws {
    let shop = try Workshop()
    defer { shop.end() }
    try await shop.start()
    shop.model.zoom(to: 3)
    await shop.advance(0.1)
    #expect(shop.camera?.videoZoomFactor == 6)
    shop.model.zoom(by: 1000)
    await shop.advance(0.1)
    #expect(shop.state.zoom == shop.state.abilities.zoom.upperBound)
  }

  @Test func `a tap aims the camera there, and its mark goes after a while`() async throws {
    let shop = try Workshop()
    defer { shop.end() }
    try await shop.start()
    await shop.advance(0.2)
    shop.model.aim(x: 0.25, y: 0.75)
    #expect(shop.state.aim?.isAdjusting == true)
    #expect(await shop.run { $0.aim?.isAdjusting == false })
    // The sensor stands on its side: what is shown below lies to its right.
    let point = try #require(shop.camera?.exposurePointOfInterest)
    #expect(abs(point.x - 0.75) < 0.01 && abs(point.y - 0.75) < 0.01)
    shop.time.advance(by: CameraModel.aimStays + 0.1)
    #expect(shop.state.aim == nil)
  }

  @Test func `the bias slider makes pictures brighter within its range`() async throws {
    let shop = try Workshop()
    defer { shop.end() }
    try await shop.start()
    shop.model.setBias(1.5)
    await shop.advance(0.1)
    #expect(shop.camera?.exposureTargetBias == 1.5)
    shop.model.setBias(50)
    #expect(shop.state.bias == shop.state.abilities.bias?.upperBound)
  }

  @Test func `switching goes through all cameras without a moment when none runs`() async throws {
    let shop = try Workshop()
    defer { shop.end() }
    try await shop.start()
    var gaps = 0
    shop.model.state.observe { if !$0.availability.isRunning { gaps += 1 } }
    let first = shop.state.camera
    for _ in 0..<4 {
      let now = shop.state.camera
      shop.model.switchCamera()
      #expect(await shop.run { $0.camera != now })
    }
    #expect(shop.state.camera == first && gaps == 0)
  }

  @Test func `pictures of the preview go on after a switch`() async throws {
    let shop = try Workshop()
    defer { shop.end() }
    let count = Guarded(0)
    shop.preview.setPlace(CGSize(width: 400, height: 300))
    shop.preview.setHandler { _ in count.change { $0 += 1 } }
    try await shop.start()
    #expect(await shop.run { _ in count.change { $0 } > 3 })
    let before = count.change { $0 }
    shop.model.switchCamera()
    #expect(await shop.run { _ in count.change { $0 } > before + 3 })
  }

  @Test func `an unplugged camera is said, and goes on when it is plugged in again`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    try await shop.start()
    let webcam = try #require(shop.provider.device("simulated.webcam"))
    webcam.unplug()
    #expect(await shop.run { $0.availability == .unplugged(camera: "Webcam") })
    #expect(shop.state.shutter == .disabled)
    webcam.plugIn()
    #expect(await shop.run { $0.availability.isRunning })
  }

  @Test func `without a camera the screen says so, and begins when one is plugged in`() async throws {
    let shop = try Workshop(Scene(faults: [SceneFault(.plug, at: 1)], devices: [.webcam]))
    defer { shop.end() }
    shop.model.start()
    #expect(await shop.run { $0.availability == .none })
    #expect(await shop.run { $0.availability.isRunning })
  }

  @Test func `a user who denies the camera reads that`() async throws {
    let shop = try Workshop(access: .denied)
    defer { shop.end() }
    shop.model.start()
    #expect(await shop.run { $0.availability == .denied })
    shop.time.advance(by: 2)
    await shop.advance(0.1)
    #expect(shop.state.availability == .denied)
  }

  @Test func `a camera that is allowed after it was denied starts by itself`() async throws {
    let shop = try Workshop(Scene(devices: [.webcam]), access: .denied)
    defer { shop.end() }
    shop.model.start()
    #expect(await shop.run { $0.availability == .denied })
    SimulatedDevices.install(scene: Scene(devices: [.webcam]), clock: shop.clock, access: .granted)
    // A look may come before the new cameras are known; the next one finds them.
    let isRunning = await shop.run { state in
      shop.time.advance(by: 2)
      return state.availability.isRunning
    }
    #expect(isRunning)
  }

  @Test func `a user who is asked and allows the camera sees it`() async throws {
    let shop = try Workshop(access: .undetermined)
    defer { shop.end() }
    try await shop.start()
    #expect(shop.state.camera != nil)
  }

  @Test func `a camera that another program has is named, and taken when it is free`() async throws {
    let shop = try Workshop(Scene(faults: [SceneFault(.busy(seconds: 2), at: 0)], devices: [.webcam]))
    defer { shop.end() }
    shop.model.start()
    #expect(await shop.run { $0.availability == .busy(camera: "Webcam") })
    await shop.advance(3)
    shop.time.advance(by: 2)
    #expect(await shop.run { $0.availability.isRunning })
  }

  @Test func `a covered camera is said, and goes on when it is opened`() async throws {
    let shop = try Workshop(Scene(faults: [SceneFault(.privacy(seconds: 1), at: 0.5)]))
    defer { shop.end() }
    try await shop.start()
    #expect(await shop.run { $0.availability == .covered })
    #expect(await shop.run { $0.availability.isRunning })
  }
}
