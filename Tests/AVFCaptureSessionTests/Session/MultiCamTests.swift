import AVFoundation
import CaptureDevice
import CaptureStage
import Linux
import SimulatedDevices
import Testing

/// A model whose formats are changed.
private func changed(
  _ model: SimulatedDeviceModel, _ change: (inout StreamFormat) -> Void
) -> SimulatedDeviceModel {
  var model = model
  for index in model.facts.formats.indices { change(&model.facts.formats[index]) }
  return model
}

extension DeviceSuites {
  @Suite("AVCaptureMultiCamSession")
  struct MultiCamTests {
    /// Several cameras in one session, each with an output of its own.
    private struct Pair {
      let session = AVCaptureMultiCamSession()
      let inputs: [AVCaptureDeviceInput]
      let counters: [FrameCounter]
      let outputs: [AVCaptureVideoDataOutput]

      init(_ stage: SessionStage, _ models: [SimulatedDeviceModel]) throws {
        inputs = try models.map { model in
          let device = try stage.camera(model)
          // Devices are the process's, and keep what the tests before have set.
          try device.lockForConfiguration()
          device.activeFormat = device.formats[device.formats.count - 2]
          device.activeVideoMinFrameDuration = .invalid
          device.activeVideoMaxFrameDuration = .invalid
          device.unlockForConfiguration()
          return try AVCaptureDeviceInput(device: device)
        }
        counters = models.map { _ in FrameCounter() }
        outputs = models.map { _ in AVCaptureVideoDataOutput() }
        session.beginConfiguration()
        for (index, input) in inputs.enumerated() {
          session.addInputWithNoConnections(input)
          session.addOutputWithNoConnections(outputs[index])
          let connection = AVCaptureConnection(inputPorts: [input.ports[0]], output: outputs[index])
          #expect(session.canAddConnection(connection))
          session.addConnection(connection)
          counters[index].watch(outputs[index])
        }
        session.commitConfiguration()
      }
    }

    @Test
    func `two cameras run at once, each at its own rate, on one clock`() throws {
      let stage = SessionStage()
      #expect(AVCaptureMultiCamSession.isMultiCamSupported)
      let pair = try Pair(stage, [SessionStage.back, SessionStage.front])
      let front = try stage.camera(SessionStage.front)
      try front.lockForConfiguration()
      front.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15)
      front.unlockForConfiguration()
      pair.session.startRunning()
      #expect(pair.session.isRunning)
      stage.pass(milliseconds: 2000)
      pair.session.stopRunning()
      let (back, slow) = (pair.counters[0].times, pair.counters[1].times)
      #expect(abs(back.count - 60) <= 1 && abs(slow.count - 30) <= 1)
      #expect(pair.counters[0].sizes == ["96×72"] && pair.counters[1].sizes == ["80×60"])
      // Every other frame of the quick one begins when one of the slow one does.
      let quick = Set(back.map { Int(($0.seconds * 1000).rounded()) })
      #expect(
        slow.allSatisfy { time in quick.contains { abs($0 - Int((time.seconds * 1000).rounded())) <= 17 } })
      #expect(pair.session.synchronizationClock === front.clock)
    }

    @Test
    func `a camera whose connection is switched off stops, and the other does not notice`() throws {
      let stage = SessionStage()
      let pair = try Pair(stage, [SessionStage.back, SessionStage.front])
      pair.session.startRunning()
      stage.pass(milliseconds: 500)
      let cost = pair.session.hardwareCost
      pair.outputs[1].connection(with: .video)?.isEnabled = false
      #expect(pair.session.hardwareCost < cost)
      let (back, front) = (pair.counters[0].frames, pair.counters[1].frames)
      stage.pass(milliseconds: 500)
      #expect(pair.counters[1].frames == front)
      #expect(abs(pair.counters[0].frames - back - 15) <= 1)
      pair.inputs[1].ports[0].isEnabled = false
      pair.outputs[1].connection(with: .video)?.isEnabled = true
      stage.pass(milliseconds: 100)
      #expect(pair.counters[1].frames == front)
      pair.inputs[1].ports[0].isEnabled = true
      stage.pass(milliseconds: 500)
      #expect(pair.counters[1].frames > front + 10)
      pair.session.stopRunning()
      let times = pair.counters[0].times
      #expect(zip(times, times.dropFirst()).allSatisfy { ($1 - $0).seconds < 0.034 }, "no gap in the other")
    }

    @Test
    func `an ordinary session takes one camera, this one several and no preset`() throws {
      let stage = SessionStage()
      let inputs = try [SessionStage.back, SessionStage.front].map {
        try AVCaptureDeviceInput(device: stage.camera($0))
      }
      stage.session.addInput(inputs[0])
      #expect(!stage.session.canAddInput(inputs[1]))
      stage.session.removeInput(inputs[0])
      let session = AVCaptureMultiCamSession()
      #expect(session.sessionPreset == .inputPriority)
      #expect(!session.canSetSessionPreset(.high) && session.canSetSessionPreset(.inputPriority))
      let rules = ProgrammingMistake.collect { session.sessionPreset = .photo }
      #expect(rules.count == 1 && session.sessionPreset == .inputPriority)
      session.addInput(inputs[0])
      #expect(session.canAddInput(inputs[1]))
      session.addInput(inputs[1])
      #expect(session.inputs.count == 2)
      let photos = [AVCapturePhotoOutput(), AVCapturePhotoOutput()]
      photos.forEach(session.addOutput)
      #expect(session.outputs.count == 2)
    }

    /// In which order two cameras and two data outputs are added.
    enum AddingOrder: CaseIterable, Sendable { case inputsFirst, outputsFirst, inTurn, crossed }

    @Test(arguments: AddingOrder.allCases)
    func `connections that the session makes give each data output a camera of its own`(
      order: AddingOrder
    ) throws {
      let stage = SessionStage()
      let session = AVCaptureMultiCamSession()
      let cameras = try [SessionStage.back, SessionStage.front].map { try stage.camera($0) }
      let inputs = try cameras.map { try AVCaptureDeviceInput(device: $0) }
      let outputs = [AVCaptureVideoDataOutput(), AVCaptureVideoDataOutput()]
      let counters = [FrameCounter(), FrameCounter()]
      for (counter, output) in zip(counters, outputs) { counter.watch(output) }
      switch order {
      case .inputsFirst:
        inputs.forEach(session.addInput)
        outputs.forEach(session.addOutput)
      case .outputsFirst:
        outputs.forEach(session.addOutput)
        inputs.forEach(session.addInput)
      case .inTurn:
        for (input, output) in zip(inputs, outputs) {
          session.addInput(input)
          session.addOutput(output)
        }
      case .crossed:
        session.addInput(inputs[0])
        outputs.forEach(session.addOutput)
        #expect(outputs[1].connections.isEmpty)
        session.addInput(inputs[1])
      }
      #expect(outputs.map { $0.connection(with: .video)?.inputPorts.first?.input } == inputs)
      session.startRunning()
      #expect(session.isRunning)
      stage.pass(frames: 6)
      session.stopRunning()
      #expect(counters[0].frames > 0 && counters[1].frames > 0)
      #expect(counters[0].sizes.isDisjoint(with: counters[1].sizes))
    }

    @Test
    func `one camera feeds outputs of several types, and one of each`() throws {
      let stage = SessionStage()
      let session = AVCaptureMultiCamSession()
      let inputs = try [SessionStage.back, SessionStage.front].map {
        try AVCaptureDeviceInput(device: stage.camera($0))
      }
      session.addInput(inputs[0])
      let (video, photos, metadata) = (
        AVCaptureVideoDataOutput(), AVCapturePhotoOutput(), AVCaptureMetadataOutput()
      )
      for output in [video, photos, metadata] as [AVCaptureOutput] { session.addOutput(output) }
      let layers = [
        AVCaptureVideoPreviewLayer(session: session), AVCaptureVideoPreviewLayer(session: session),
      ]
      #expect([video, photos].allSatisfy { $0.connection(with: .video)?.isActive == true })
      #expect(metadata.connections.count == 1 && layers.allSatisfy { $0.connection != nil })
      let second = AVCaptureVideoDataOutput()
      session.addOutput(second)
      #expect(second.connections.isEmpty)
      let connection = AVCaptureConnection(inputPorts: [inputs[0].ports[0]], output: second)
      #expect(!session.canAddConnection(connection))
      let rules = ProgrammingMistake.collect { session.addConnection(connection) }
      #expect(rules.count == 1 && second.connections.isEmpty)
      session.addInput(inputs[1])
      #expect(second.connection(with: .video)?.inputPorts.first?.input === inputs[1])
      #expect(photos.connections.count == 1)
    }

    @Test
    func `a configuration that is too dear does not start, and says why`() throws {
      let large = FrameSize(width: 4000, height: 3000)
      let models = [
        SimulatedDeviceModel.camera(uniqueID: "large.back", sizes: [large]),
        SimulatedDeviceModel.camera(uniqueID: "large.front", position: .front, sizes: [large]),
      ]
      let stage = SessionStage(devices: models)
      let pair = try Pair(stage, models)
      let news = SessionNews(pair.session)
      #expect(pair.session.hardwareCost > 1)
      pair.session.startRunning()
      #expect(news.wait(for: "error"))
      #expect(news.lastError?.code == .sessionHardwareCostOverage)
      #expect(!pair.session.isRunning)
      for input in pair.inputs { input.videoMinFrameDurationOverride = CMTime(value: 1, timescale: 5) }
      #expect(pair.session.hardwareCost < 1)
      #expect(abs(pair.session.hardwareCost - 2 * 12_000_000 * 5 / 500_000_000) < 0.001)
    }

    @Test
    func `the override limits the rate, and goes when the input is added again`() throws {
      let stage = SessionStage()
      let pair = try Pair(stage, [SessionStage.back, SessionStage.front])
      pair.inputs[0].videoMinFrameDurationOverride = CMTime(value: 1, timescale: 10)
      pair.session.startRunning()
      stage.pass(milliseconds: 1000)
      #expect(abs(pair.counters[0].frames - 10) <= 1 && pair.counters[1].frames >= 29)
      pair.session.stopRunning()
      pair.session.removeInput(pair.inputs[0])
      pair.session.addInput(pair.inputs[0])
      #expect(!pair.inputs[0].videoMinFrameDurationOverride.isValid)
      let rules = ProgrammingMistake.collect {
        pair.inputs[0].videoMinFrameDurationOverride = CMTime(value: -1, timescale: 10)
      }
      #expect(rules.count == 1)
    }

    @Test
    func `a format that must be alone is refused beside another camera`() throws {
      let alone = changed(SessionStage.front) {
        $0.supportsMultiCam = $0.encoding == SessionStage.front.facts.formats[0].encoding
      }
      let stage = SessionStage(devices: [SessionStage.back, alone])
      let front = try stage.camera(alone)
      #expect(front.formats.map(\.isMultiCamSupported) == [true, false])
      let pair = try Pair(stage, [SessionStage.back, alone])
      #expect(front.activeFormat === front.formats[0])
      let news = SessionNews(pair.session)
      try front.lockForConfiguration()
      front.activeFormat = front.formats[1]
      front.unlockForConfiguration()
      pair.session.startRunning()
      #expect(news.wait(for: "error"))
      #expect(news.lastError?.code == .unsupportedDeviceActiveFormat)
      #expect(news.lastError?.device === front)
      // Alone it may.
      pair.outputs[0].connection(with: .video)?.isEnabled = false
      pair.session.startRunning()
      #expect(pair.session.isRunning)
      pair.session.stopRunning()
      pair.session.removeInput(pair.inputs[1])
      #expect(!pair.session.canAddInput(pair.inputs[1]))
    }

    @Test
    func `the sets follow what is plugged in, and keep virtual cameras from their own`() throws {
      let stage = SessionStage(devices: SimulatedDeviceModel.builtIn)
      let search = AVCaptureDevice.DiscoverySession(
        deviceTypes: [
          .builtInWideAngleCamera, .builtInUltraWideCamera, .builtInTelephotoCamera, .builtInDualWideCamera,
          .builtInTripleCamera, .builtInTrueDepthCamera,
        ], mediaType: .video, position: .unspecified)
      let sets = search.supportedMultiCamDeviceSets
      let wide = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
      let triple = try #require(AVCaptureDevice.default(.builtInTripleCamera, for: .video, position: .back))
      let front = try #require(
        AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front))
      #expect(sets.contains { $0.contains(wide) && $0.contains(front) })
      #expect(sets.contains { $0.contains(triple) && $0.contains(front) })
      #expect(!sets.contains { $0.contains(triple) && $0.contains(wide) })
      #expect(sets.allSatisfy { $0.count > 1 })
      let session = AVCaptureMultiCamSession()
      session.addInput(try AVCaptureDeviceInput(device: triple))
      #expect(!session.canAddInput(try AVCaptureDeviceInput(device: wide)))
      #expect(session.canAddInput(try AVCaptureDeviceInput(device: front)))
      withExtendedLifetime(stage) {}
    }

    @Test
    func `observers hear when a set falls apart`() throws {
      let stage = SessionStage()
      let search = AVCaptureDevice.DiscoverySession(
        deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: .unspecified)
      #expect(search.supportedMultiCamDeviceSets.count == 1)
      let heard = Monitor<Int?>(nil)
      let observation = search.observe(\.supportedMultiCamDeviceSets, options: .new) { _, change in
        heard.withLock { $0 = change.newValue?.count }
      }
      try stage.simulated(SessionStage.front).unplug()
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      let count: Int? = heard.wait(until: deadline, for: { $0 != nil }, then: { $0 }) ?? nil
      #expect(count == 0)
      #expect(!AVCaptureMultiCamSession.isMultiCamSupported)
      observation.invalidate()
    }

    @Test
    func `costs grow with size, rate and work, and plain sessions have one with several video data outputs`()
      throws
    {
      let stage = SessionStage(devices: [SessionStage.back, SessionStage.front, .webcam])
      let pair = try Pair(stage, [SessionStage.back])
      let one = (pair.session.hardwareCost, pair.session.systemPressureCost)
      #expect(one.0 > 0 && one.1 > 0)
      pair.outputs[0].connection(with: .video)?.videoRotationAngle = 90
      #expect(pair.session.systemPressureCost > one.1 && pair.session.hardwareCost == one.0)
      let two = try Pair(stage, [SessionStage.back, .webcam])
      #expect(two.session.hardwareCost > one.0 && two.session.systemPressureCost > 10 * one.1)
      #expect(AVCaptureMultiCamSession().hardwareCost == 0)
      #expect(AVCaptureMultiCamSession().systemPressureCost == 0)
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.camera()))
      #expect(stage.session.hardwareCost == 0)
      // Apple: a session with one camera computes a cost only when it has several video data outputs.
      stage.session.addOutput(AVCaptureVideoDataOutput())
      stage.session.addOutput(AVCapturePhotoOutput())
      #expect(stage.session.hardwareCost == 0)
      stage.session.addOutput(AVCaptureVideoDataOutput())
      #expect(stage.session.hardwareCost > 0 && stage.session.hardwareCost <= 1)
    }

    @Test
    func `one camera and a microphone are unplugged, each by itself`() throws {
      let stage = SessionStage(devices: [SessionStage.back, SessionStage.front, .stageMicrophone])
      let pair = try Pair(stage, [SessionStage.back, SessionStage.front])
      let audio = AVCaptureAudioDataOutput()
      let counter = AudioCounter()
      counter.watch(audio)
      pair.session.addInput(try AVCaptureDeviceInput(device: stage.camera(.stageMicrophone)))
      pair.session.addOutput(audio)
      let news = SessionNews(pair.session)
      pair.session.startRunning()
      stage.pass(milliseconds: 200)
      #expect(!counter.stretches.isEmpty)
      try stage.simulated(.stageMicrophone).unplug()
      #expect(news.wait(for: "error"))
      let frames = pair.counters.map(\.frames)
      stage.pass(milliseconds: 200)
      #expect(pair.session.isRunning && zip(pair.counters, frames).allSatisfy { $0.frames > $1 + 3 })
      try stage.simulated(SessionStage.front).unplug()
      #expect(news.wait(for: "error", count: 2))
      let back = pair.counters[0].frames
      stage.pass(milliseconds: 200)
      #expect(pair.session.isRunning && pair.counters[0].frames > back + 3)
      try stage.simulated(SessionStage.back).unplug()
      #expect(news.wait(for: "stopped"))
      #expect(news.lastError?.code == .deviceWasDisconnected && !pair.session.isRunning)
    }
  }
}
