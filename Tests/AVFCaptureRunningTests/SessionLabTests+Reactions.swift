import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import Testing

extension DeviceSuites.SessionLabTests {
  @Test func `each reaction is drawn over a driver's pictures, begins and ends, and two go on side by side`()
    throws
  {
    CaptureDeviceProviders.install(nil)
    let camera = try #require(AVCaptureDevice(uniqueID: "platform:vivid-000"))
    let session = AVCaptureSession()
    session.sessionPreset = .low
    session.addInput(try AVCaptureDeviceInput(device: camera))
    let output = AVCaptureVideoDataOutput()
    let counter = FrameCounter()
    counter.watch(output)
    session.addOutput(output)
    let changes = ReactionChanges(camera)
    session.startRunning()
    defer { session.stopRunning() }
    #expect(changes.wait(0).isEmpty && camera.canPerformReactionEffects)
    let types = camera.availableReactionTypes.sorted { $0.rawValue < $1.rawValue }
    #expect(types.count == 8)
    for (index, type) in types.enumerated() {
      camera.performEffect(for: type)
      let seen = changes.wait(2 * index + 2)
      try #require(seen.count == 2 * index + 2, "\(type.rawValue): \(seen.count), \(counter.frames) frames")
      let (began, ended) = (seen[2 * index], seen[2 * index + 1])
      #expect(began.new.map(\.reactionType) == [type] && ended.new.isEmpty)
      let state = try #require(ended.old.first)
      #expect((3..<8).contains((state.endTime - state.startTime).seconds), "\(type.rawValue)")
    }
    camera.performEffect(for: .lasers)
    #expect(changes.wait(17).last?.new.count == 1)
    camera.performEffect(for: .thumbsUp)
    #expect(changes.wait(18).last?.new.map(\.reactionType) == [.lasers, .thumbsUp])
    #expect(changes.wait(20).dropFirst(18).map(\.new.count) == [1, 0])
  }
}
