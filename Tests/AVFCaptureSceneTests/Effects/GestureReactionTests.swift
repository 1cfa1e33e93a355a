import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import PeopleFinding
import SimulatedDevices
import Testing

private let hasHands = [.faces, .hands, .segmentation].allSatisfy {
  ModelFolder.current.obstacle(to: $0) == nil
}

extension DeviceSuites {
  /// Tests of reactions that hands ask for.
  @Suite(.enabled(if: hasHands, "there are no models here; run scripts/setup --models"))
  struct GestureReactionTests {
    /// A camera, and before it a person who shows a sign after one second, and lets it go two seconds later.
    private func rig(_ pose: PersonPose) throws -> CaptureRig {
      let person = ScenePerson(
        PersonLook(seed: 3), poses: [.init(at: 1, pose), .init(at: 3, .armsDown)], isIdle: false)
      var layer = SceneLayer(.person(person), center: CGPoint(x: 0.5, y: 0.77), depth: 0.9)
      layer.height = 1.36
      let scene = Scene(
        isStamped: false, isNoisy: false,
        background: SceneBackground(.color(red: 0.6, green: 0.65, blue: 0.6)),
        layers: [layer])
      return try CaptureRig(
        .camera(sizes: [FrameSize(width: 960, height: 540)], sensorRotation: 0), scene: scene)
    }

    /// The reactions that a person's pose has started four seconds later, with the times of their starts after the pose's.
    private func reactions(to pose: PersonPose, gestures: Bool) throws -> [(AVCaptureReactionType, Double)] {
      let rig = try rig(pose)
      defer { SimulatedDevices.setVideoEffects(nil) }
      var choices = VideoEffectChoices.standard
      choices[.gestures].isOn = gestures
      SimulatedDevices.setVideoEffects(choices)
      #expect(AVCaptureDevice.reactionEffectGesturesEnabled == gestures)
      let output = AVCaptureVideoDataOutput()
      let delegate = RecordingVideoDelegate()
      delegate.keepsBuffers.withLock { $0 = false }
      output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "gestures"))
      rig.session.addOutput(output)
      let began = Locked<[AVCaptureReactionEffectState]>([])
      let observation = rig.device.observe(\.reactionEffectsInProgress, options: [.old, .new]) { _, change in
        let old = change.oldValue ?? []
        began.withLock { $0 += (change.newValue ?? []).filter { state in !old.contains { $0 === state } } }
      }
      defer { observation.invalidate() }
      rig.session.startRunning()
      let start = Locked<CMTime?>(nil)
      delegate.visit.set { sample in start.withLock { $0 = $0 ?? sample.presentationTimeStamp } }
      for _ in 0..<120 { rig.advance(frames: 1) }
      let first = try #require(start.withLock { $0 })
      return began.withLock { $0 }.map { ($0.reactionType, ($0.startTime - first).seconds - 1) }
    }

    @Test
    func `a sign that is held starts its reaction where the hand is, once`() throws {
      let found = try reactions(to: .thumbsUp, gestures: true)
      #expect(found.map(\.0) == [.thumbsUp])
      // 0.3 s to raise the hand, 0.8 s to hold it.
      #expect(found.allSatisfy { (0.8..<1.6).contains($0.1) }, "\(found)")
    }

    @Test
    func `nothing comes of signs where the person has not switched them on`() throws {
      #expect(try reactions(to: .heart, gestures: false).isEmpty)
    }
  }
}
