import AVFoundation
import Foundation
import SimulatedDevices
import Testing

@testable import CameraModel

extension Screens {
  /// The workshop in video mode, with the pace chosen.
  private func shop(_ scene: Scene, _ pace: VideoPace) async throws -> Workshop {
    let shop = try Workshop(scene)
    try await shop.start()
    shop.model.setMode(.video)
    while shop.model.settings.value.pace != pace { shop.model.nextPace() }
    await shop.advance(0.2)
    return shop
  }

  /// The same, with a video that has begun.
  private func filming(_ scene: Scene, _ pace: VideoPace) async throws -> Workshop {
    let shop = try await shop(scene, pace)
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .recording })
    return shop
  }

  /// Ends the video, and opens its file.
  private func film(of shop: Workshop) async throws -> AVURLAsset {
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .idle && $0.lastPhoto != nil })
    let thumbnail = try #require(shop.state.lastPhoto?.thumbnail)
    #expect(max(thumbnail.width, thumbnail.height) == 256)
    return AVURLAsset(url: try #require(shop.state.lastPhoto?.url))
  }

  private func pictures(of asset: AVURLAsset) async throws -> Double {
    try await asset.load(.duration).seconds * Double(TimeLapseTimes.rate)
  }

  /// The pictures that there would be if the program were killed now; waits for `least`, as its encoder may still have some.
  private func picturesAfterCrash(_ shop: Workshop, least: Double) async throws -> Double {
    let url = try #require(shop.model.photoFolder.all().first)
    var count = 0.0
    // The file cannot be read before its first fragment.
    var problem: (any Error)?
    for _ in 0..<200 where count < least {
      try await Task.sleep(for: .milliseconds(20))
      let left = shop.root.appendingPathComponent("left-\(UUID().uuidString).mov")
      try FileManager.default.copyItem(at: url, to: left)
      do {
        count = try await pictures(of: AVURLAsset(url: left))
        problem = nil
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    return count
  }

  @Test func `a time-lapse has a picture for each interval, at thirty a second and without sound`()
    async throws
  {
    let shop = try await filming(.builtIn, .half)
    defer { shop.end() }
    for _ in 0..<10 { await shop.advance(0.5) }
    shop.model.nextPace()
    #expect(shop.model.settings.value.pace == .half, "a film keeps its pace")
    shop.time.advance(by: CameraModel.movieStep)
    await shop.advance(0.1)
    #expect(abs(shop.state.recording.seconds * 30 - 11) <= 1 && shop.state.recording.level == nil)
    #expect(try await picturesAfterCrash(shop, least: 8) >= 8)
    let asset = try await film(of: shop)
    #expect(abs(try await pictures(of: asset) - 11) <= 1)
    #expect(try await asset.loadTracks(withMediaType: .audio).isEmpty)
    let marks = try await asset.load(.metadata).filter {
      "\($0.key ?? "" as NSString)" == "com.apple.photos.captureMode"
    }
    #expect(marks.map(\.stringValue) == ["Time-lapse"])
    #expect(shop.notices.isEmpty)
  }

  @Test func `a time-lapse keeps its schedule while the machine is asleep, and says what it missed`()
    async throws
  {
    let shop = try await shop(.builtIn, .half)
    defer { shop.end() }
    let asleep = Guarded<Int64>(0)
    shop.model.engine.asleep = { asleep.change { $0 } }
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .recording })
    for _ in 0..<4 { await shop.advance(0.5) }
    // An hour and a quarter of a second: the next picture is in the middle of its slot.
    asleep.change { $0 = 3_600_250_000_000 }
    for _ in 0..<4 { await shop.advance(0.5) }
    shop.time.advance(by: CameraModel.movieStep)
    await shop.advance(0.1)
    let missed = shop.state.recording.missed
    #expect((7199...7200).contains(missed))
    #expect(abs(try await pictures(of: film(of: shop)) - 9) <= 1)
    #expect(shop.notices == [.picturesMissed(count: missed)])
    #expect(await shop.run { $0.recording.missed == 0 })
  }

  @Test func `a time-lapse takes nothing while it is paused`() async throws {
    let shop = try await filming(.builtIn, .one)
    defer { shop.end() }
    for _ in 0..<3 { await shop.advance(1) }
    shop.model.togglePause()
    #expect(await shop.run { $0.recording.phase == .paused })
    for _ in 0..<5 { await shop.advance(1) }
    shop.model.togglePause()
    #expect(await shop.run { $0.recording.phase == .recording })
    for _ in 0..<2 { await shop.advance(1) }
    #expect(abs(try await pictures(of: film(of: shop)) - 6) <= 1)
  }

  @Test func `a time-lapse goes on through all cameras in the size and turn that it began with`() async throws
  {
    let shop = try await filming(.builtIn, .half)
    defer { shop.end() }
    let first = shop.state.camera
    repeat {
      await shop.advance(1)
      let before = shop.state.camera
      shop.model.switchCamera()
      #expect(await shop.run { $0.camera != before && $0.availability.isRunning })
    } while shop.state.camera != first
    let asset = try await film(of: shop)
    let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
    let shown = CGRect(origin: .zero, size: track.naturalSize).applying(track.preferredTransform)
    #expect(shown.height > shown.width, "phones are held upright")
    let count = Double(shop.state.cameras.count)
    #expect(try await pictures(of: asset) >= count * 2)
  }

  @Test func `a time-lapse waits for a camera that was pulled out, and goes on`() async throws {
    let shop = try await filming(Scene(devices: [.webcam]), .half)
    defer { shop.end() }
    await shop.advance(1.1)
    let webcam = try #require(shop.provider.device("simulated.webcam"))
    webcam.unplug()
    #expect(await shop.run { !$0.availability.isRunning })
    #expect(shop.state.recording.phase == .recording)
    webcam.plugIn()
    #expect(await shop.run { $0.availability.isRunning })
    await shop.advance(1.1)
    #expect(abs(try await pictures(of: film(of: shop)) - 6) <= 1)
  }

  @Test func `a time-lapse that was never begun says so, and the next one is whole`() async throws {
    let shop = try await shop(.builtIn, .two)
    defer { shop.end() }
    shop.model.pressShutter()
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .idle })
    shop.model.pressShutter()
    #expect(await shop.run { $0.recording.phase == .recording })
    await shop.advance(2.2)
    #expect(abs(try await pictures(of: film(of: shop)) - 2) <= 1)
  }
}
