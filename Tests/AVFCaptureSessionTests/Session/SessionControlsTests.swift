import AVFoundation
import CaptureDeviceTesting
import CaptureStage
import FoundationExtras
import Linux
import SimulatedDevices
import Testing
import Waiting

@Suite("AVCaptureSlider and AVCaptureIndexPicker")
struct CaptureControlTests {
  @Test func `a slider goes where people move it, within its range, and runs its action`() {
    let slider = AVCaptureSlider("Warmth", symbolName: "thermometer", in: 0...10)
    let queue = DispatchQueue(label: "action")
    let moves = Monitor<[Float]>([])
    slider.setActionQueue(queue) { value in
      dispatchPrecondition(condition: .onQueue(queue))
      moves.withLock { $0.append(value) }
    }
    #expect(slider.value == 0)
    for value: Float in [4.5, 4.5, 99, -.infinity, -3] { slider.move(to: value) }
    #expect(moves.wait { $0.count == 3 })
    #expect(moves.withLock { $0 } == [4.5, 10, 0])
    slider.value = 7
    #expect(slider.face.kind == .slider(range: 0...10, values: nil, value: 7))
    queue.sync {}
    #expect(moves.withLock { $0.count } == 3, "the program's own change is no action")
  }

  @Test func `an action may keep what is not sendable`() {
    final class Count { var moves = 0 }
    let count = Count()
    let queue = DispatchQueue(label: "action")
    let slider = AVCaptureSlider("Warmth", symbolName: "thermometer", in: 0...10)
    slider.setActionQueue(queue) { _ in count.moves += 1 }
    let picker = AVCaptureIndexPicker("Look", symbolName: "camera.filters", localizedIndexTitles: ["a", "b"])
    picker.setActionQueue(queue) { _ in count.moves += 1 }
    slider.move(to: 3)
    #expect(queue.sync { count.moves } == 1)
    picker.move(to: 1)
    #expect(queue.sync { count.moves } == 2)
  }

  @Test func `a slider with steps or values has no others`() {
    let steps = AVCaptureSlider("Tenths", symbolName: "ruler", in: 0...1, step: 0.1)
    steps.move(to: 0.3)
    #expect(steps.value == 3 * Float(0.1))
    #expect(
      steps.face.kind == .slider(range: 0...1, values: (0...10).map { Float($0) * 0.1 }, value: steps.value))
    let values = AVCaptureSlider("ISO", symbolName: "camera.aperture", values: [400, 100, 200])
    #expect(values.value == 100)
    values.move(to: 320)
    #expect(values.value == 400)
    let mistakes = ProgrammingMistake.collect {
      values.value = 300
      values.value = 800
      _ = AVCaptureSlider("Empty", symbolName: "", in: 1...1)
      _ = AVCaptureSlider("Still", symbolName: "", in: 0...1, step: 0)
      _ = AVCaptureSlider("None", symbolName: "", values: [])
    }
    #expect(mistakes.count == 5)
    #expect(values.value == 400)
  }

  @Test(arguments: [
    (Float(40), "%@%%", "40%"), (60, "%@ fps", "60 fps"), (1.25, nil, "1.25"), (2, "%d", "2"),
    (0.333, "%@ %@", "0.33"),
  ])
  func `a slider's value reads as its format says`(value: Float, format: String?, text: String) {
    let slider = AVCaptureSlider("Value", symbolName: "", in: 0...100)
    slider.value = value
    slider.localizedValueFormat = format
    #expect(slider.face.valueText == text)
  }

  @Test func `a picker goes to the index that people choose`() {
    let picker = AVCaptureIndexPicker(
      "Filter", symbolName: "camera.filters", localizedIndexTitles: ["A", "B", "C"])
    let chosen = Monitor<[Int]>([])
    let queue = DispatchQueue(label: "action")
    picker.setActionQueue(queue) { index in chosen.withLock { $0.append(index) } }
    for value: Float in [1, 1, 7, -2] { picker.move(to: value) }
    #expect(chosen.wait(for: [1, 2, 0]))
    picker.isEnabled = false
    picker.move(to: 1)
    #expect(picker.selectedIndex == 0)
    #expect(!picker.face.isEnabled)
    #expect(ProgrammingMistake.collect { picker.selectedIndex = 3 }.count == 1)
    let squares = AVCaptureIndexPicker("Squares", symbolName: "", numberOfIndexes: 3) { "\($0 * $0)" }
    #expect(squares.localizedIndexTitles == ["0", "1", "4"])
    #expect(
      AVCaptureIndexPicker("Plain", symbolName: "", numberOfIndexes: 2).face.kind
        == .picker(titles: ["1", "2"], index: 0))
  }

  @Test func `a host reads what a control is called, and marks the values that deserve it`() {
    let slider = AVCaptureSlider("Warmth", symbolName: "thermometer", in: 0...10)
    slider.prominentValues = [0, 5]
    slider.accessibilityIdentifier = "warmth"
    #expect(slider.localizedTitle == "Warmth" && slider.symbolName == "thermometer")
    #expect(slider.accessibilityIdentifier == "warmth")
    #expect(slider.face.prominentValues == slider.prominentValues && slider.face.prominentValues == [0, 5])
    let picker = AVCaptureIndexPicker("Look", symbolName: "camera.filters", numberOfIndexes: 3)
    picker.accessibilityIdentifier = "look"
    #expect(picker.localizedTitle == "Look" && picker.face.title == "Look")
    #expect(picker.symbolName == "camera.filters" && picker.face.symbolName == "camera.filters")
    #expect(picker.numberOfIndexes == 3 && picker.accessibilityIdentifier == "look")
  }

  @Test func `a host sees a change that the program makes`() {
    let slider = AVCaptureSlider("Warmth", symbolName: "thermometer", in: 0...10)
    let faces = Locked<[CaptureControlFace]>([])
    let observation = slider.observe(\.face, options: .new) { _, change in
      if let face = change.newValue { faces.withLock { $0.append(face) } }
    }
    slider.value = 3
    slider.isEnabled = false
    #expect(faces.withLock { $0.map(\.valueText) } == ["3", "3"])
    #expect(faces.withLock { $0.map(\.isEnabled) } == [true, false])
    observation.invalidate()
  }
}

extension DeviceSuites {
  @Suite("AVCaptureSession.controls")
  final class SessionControlsTests {
    private let shown = Locked<[[String]]>([])

    deinit {
      CaptureControlHost.install(nil)
    }

    private func install(_ count: Int = 3) -> CaptureControlHost {
      let host = CaptureControlHost(maxControlsCount: count) { [shown] controls in
        shown.withLock { $0.append(controls.map(\.face.title)) }
      }
      CaptureControlHost.install(host)
      return host
    }

    private func slider(_ title: String) -> AVCaptureSlider {
      AVCaptureSlider(title, symbolName: "circle", in: 0...1)
    }

    @Test func `without a host nothing is supported`() {
      let session = AVCaptureSession()
      #expect(!session.supportsControls)
      #expect(session.maxControlsCount == 0)
      #expect(!session.canAddControl(slider("A")))
      #expect(ProgrammingMistake.collect { session.addControl(slider("A")) }.count == 1)
      #expect(session.controls.isEmpty)
    }

    @Test func `a session has as many as the host shows, and each once`() {
      let host = install(2)
      let session = AVCaptureSession(), other = AVCaptureSession()
      let first = slider("A"), second = slider("B")
      #expect(session.supportsControls && session.maxControlsCount == 2)
      session.addControl(first)
      #expect(!session.canAddControl(first) && !other.canAddControl(first))
      session.addControl(second)
      #expect(!session.canAddControl(slider("C")), "the host shows two")
      #expect(session.controls == [first, second])
      session.removeControl(first)
      #expect(session.controls == [second])
      #expect(other.canAddControl(first))
      withExtendedLifetime(host) {}
    }

    @Test func `controls are on show while the session runs and has a delegate`() throws {
      let stage = SessionStage()
      try stage.addCamera()
      let host = install()
      let delegate = ControlsDelegate()
      let queue = DispatchQueue(label: "controls")
      stage.session.addControl(slider("A"))
      stage.session.startRunning()
      #expect(host.controls.isEmpty, "no delegate would hear of them")
      stage.session.setControlsDelegate(delegate, queue: queue)
      #expect(stage.session.controlsDelegate === delegate)
      #expect(stage.session.controlsDelegateCallbackQueue === queue)
      stage.session.addControl(slider("B"))
      #expect(host.controls.map(\.face.title) == ["A", "B"])
      host.setFullscreen(true)
      host.setFullscreen(false)
      stage.session.stopRunning()
      stage.clock.settle()
      #expect(host.controls.isEmpty)
      queue.sync {}
      #expect(delegate.news.withLock { $0 } == ["active", "enter", "exit", "inactive"])
      #expect(shown.withLock { $0 } == [["A"], ["A", "B"], []])
    }

    @Test func `another host takes over, and without one the controls are inactive`() throws {
      let stage = SessionStage()
      try stage.addCamera()
      let first = install()
      let delegate = ControlsDelegate()
      let queue = DispatchQueue(label: "controls")
      stage.session.setControlsDelegate(delegate, queue: queue)
      stage.session.addControl(slider("A"))
      stage.session.startRunning()
      first.setFullscreen(true)
      let second = install()
      #expect(first.controls.isEmpty)
      #expect(second.controls.map(\.face.title) == ["A"])
      CaptureControlHost.install(nil)
      #expect(second.controls.isEmpty)
      queue.sync {}
      #expect(delegate.news.withLock { $0 } == ["active", "enter", "exit", "inactive"])
      stage.session.stopRunning()
    }

    @Test func `the zoom slider moves the camera, and follows it`() async throws {
      let stage = SessionStage()
      let device = try stage.camera()
      let factors = Monitor<[CGFloat]>([])
      let slider = AVCaptureSystemZoomSlider(device: device) { factor in
        MainActor.assertIsolated()
        factors.withLock { $0.append(factor) }
      }
      slider.move(to: 3)
      #expect(device.videoZoomFactor == 3)
      slider.move(to: 1e9)
      #expect(device.videoZoomFactor == device.maxAvailableVideoZoomFactor)
      stage.clock.settle()
      #expect(factors.now.count == 2)
      let changes = Locked(0)
      let observation = slider.observe(\.face) { _, _ in changes.withLock { $0 += 1 } }
      try device.lockForConfiguration()
      device.videoZoomFactor = 2
      device.unlockForConfiguration()
      #expect(changes.withLock { $0 } > 0)
      guard case .slider(_, _, let value) = slider.face.kind else { return #expect(Bool(false)) }
      #expect(value == 2)
      observation.invalidate()
    }

    @Test func `the exposure slider moves the camera's bias`() throws {
      let stage = SessionStage()
      let device = try stage.camera()
      let slider = AVCaptureSystemExposureBiasSlider(device: device)
      slider.move(to: 1.5)
      #expect(device.exposureTargetBias == 1.5)
      #expect(slider.face.valueText == "+1.5")
      slider.move(to: -99)
      #expect(device.exposureTargetBias == device.minExposureTargetBias)
      let biases = Monitor<[Float]>([])
      let noting = AVCaptureSystemExposureBiasSlider(device: device) { bias in
        biases.withLock { $0.append(bias) }
      }
      noting.move(to: 1)
      stage.clock.settle()
      #expect(biases.now == [1])
      let plain = AVCaptureSystemZoomSlider(device: device)
      plain.move(to: 2)
      #expect(device.videoZoomFactor == 2)
    }
  }
}

private final class ControlsDelegate: AVCaptureSessionControlsDelegate {
  let news = Locked<[String]>([])

  func sessionControlsDidBecomeActive(_ session: AVCaptureSession) { news.withLock { $0.append("active") } }

  func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession) {
    news.withLock { $0.append("enter") }
  }

  func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession) {
    news.withLock { $0.append("exit") }
  }

  func sessionControlsDidBecomeInactive(_ session: AVCaptureSession) {
    news.withLock { $0.append("inactive") }
  }
}
