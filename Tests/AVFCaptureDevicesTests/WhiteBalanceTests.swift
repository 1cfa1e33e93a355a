import AVFoundation
import CaptureDevice
import CaptureStage
import Testing

extension DeviceSuites {
  @Suite("White balance")
  struct WhiteBalance {
    typealias Gains = AVCaptureDevice.WhiteBalanceGains

    private func list(_ gains: Gains) -> [Float] { [gains.redGain, gains.greenGain, gains.blueGain] }

    @Test
    func `modes are those of the camera, read as set, and reported once`() throws {
      let stage = try ControlStage { $0.whiteBalanceModes = [.locked, .continuousAuto] }
      let device = stage.device
      #expect(device.whiteBalanceMode == .continuousAutoWhiteBalance)
      #expect(
        device.isWhiteBalanceModeSupported(.locked) && !device.isWhiteBalanceModeSupported(.autoWhiteBalance))
      let reported = ObservedValues(device, \.whiteBalanceMode)
      try stage.configure { device in
        device.whiteBalanceMode = .locked
        #expect(device.whiteBalanceMode == .locked && reported.values == [.locked])
        #expect(stage.mistakes { $0.whiteBalanceMode = .autoWhiteBalance } == 1)
      }
      #expect(
        [AVCaptureDevice.WhiteBalanceMode.locked, .autoWhiteBalance, .continuousAutoWhiteBalance].map(
          \.rawValue)
          == [0, 1, 2])
    }

    @Test
    func `gains in range are set with the least made 1, and the handler has the first frame's time`() throws {
      let stage = try ControlStage()
      let device = stage.device, done = Completions()
      #expect(device.maxWhiteBalanceGain == 4 && device.isLockingWhiteBalanceWithCustomDeviceGainsSupported)
      stage.session.startRunning()
      stage.camera.streamFrame()
      let reported = ObservedValues(device, \.deviceWhiteBalanceGains)
      try stage.configure { device in
        device.setWhiteBalanceModeLocked(
          with: Gains(redGain: 2, greenGain: 2, blueGain: 4), completionHandler: done.handler())
        #expect(device.whiteBalanceMode == .locked)
        for wrong in [
          Gains(redGain: 0.2, greenGain: 1, blueGain: 1), Gains(redGain: 1, greenGain: 4.1, blueGain: 1),
          Gains(redGain: -1, greenGain: 1, blueGain: 1), Gains(redGain: 1, greenGain: .nan, blueGain: 1),
          Gains(),
        ] {
          #expect(stage.mistakes { $0.setWhiteBalanceModeLocked(with: wrong) } == 1)
        }
      }
      stage.camera.streamFrame()
      let first = stage.camera.streamFrame()
      #expect(done.wait().map(\.1) == [first])
      #expect(list(device.deviceWhiteBalanceGains) == [1, 1, 2])
      #expect(reported.wait().map(list) == [[1, 1, 2]])
    }

    /// Apple: gains are normalized to the least of the three, as 2, 2, 4 to 1, 1, 2; then they must lie between 1 and
    /// maxWhiteBalanceGain.
    @Test
    func `gains are normalized before they are checked`() throws {
      let stage = try ControlStage()
      try stage.configure { device in
        device.setWhiteBalanceModeLocked(with: Gains(redGain: 2, greenGain: 8, blueGain: 4))
        device.setWhiteBalanceModeLocked(with: Gains(redGain: 0.5, greenGain: 0.5, blueGain: 1))
        #expect(
          stage.camera.applied == [
            .whiteBalanceGains(.init(red: 1, green: 4, blue: 2)),
            .whiteBalanceGains(.init(red: 1, green: 1, blue: 2)),
          ])
      }
    }

    @Test
    func `the present gains can be locked without being known`() throws {
      let stage = try ControlStage { $0.whiteBalanceGains = nil }
      #expect(!stage.device.isLockingWhiteBalanceWithCustomDeviceGainsSupported)
      #expect(stage.device.maxWhiteBalanceGain == 1)
      try stage.configure { device in
        device.setWhiteBalanceModeLocked(with: AVCaptureDevice.currentWhiteBalanceGains)
        #expect(stage.camera.applied == [.whiteBalanceMode(.locked)])
        #expect(
          stage.mistakes {
            $0.setWhiteBalanceModeLocked(with: Gains(redGain: 1, greenGain: 1, blueGain: 1))
          } == 1)
      }
    }

    @Test
    func `what the camera measures is the latest frame's`() throws {
      let stage = try ControlStage()
      let adjusting = ObservedValues(stage.device, \.isAdjustingWhiteBalance)
      let grey = ObservedValues(stage.device, \.grayWorldDeviceWhiteBalanceGains)
      stage.session.startRunning()
      stage.camera.streamFrame()
      #expect(
        list(stage.device.grayWorldDeviceWhiteBalanceGains) == list(stage.device.deviceWhiteBalanceGains))
      stage.camera.measure {
        $0.isAdjustingWhiteBalance = true
        $0.greyWorldGains = .init(red: 2, green: 1, blue: 1.5)
      }
      stage.camera.streamFrame()
      #expect(stage.device.isAdjustingWhiteBalance && adjusting.wait() == [true])
      #expect(list(stage.device.grayWorldDeviceWhiteBalanceGains) == [2, 1, 1.5])
      #expect(grey.wait().map(list) == [[2, 1, 1.5]])
    }

    @Test
    func `temperatures and tints come back from the gains they gave`() throws {
      let stage = try ControlStage { $0.whiteBalanceGains = 1...30 }
      let device = stage.device
      for temperature in stride(from: Float(3000), through: 12_000, by: 500) {
        for tint: Float in [-30, -10, 0, 10, 30] {
          let gains = device.deviceWhiteBalanceGains(
            for: AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(temperature: temperature, tint: tint))
          #expect(list(gains).min() == 1)
          let back = device.temperatureAndTintValues(for: gains)
          #expect(abs(back.temperature / temperature - 1) < 1e-3, "\(temperature) K, \(tint)")
          #expect(abs(back.tint - tint) < 0.1, "\(temperature) K, \(tint)")
        }
      }
    }

    @Test
    func `chromaticities come back from the gains they gave, and known lights are known`() throws {
      let stage = try ControlStage { $0.whiteBalanceGains = 1...20 }
      let device = stage.device
      // CIE 15: illuminants A, D50, D65, with their correlated colour temperatures.
      for (x, y, temperature) in [
        (Float(0.44758), Float(0.40745), Float(2856)), (0.34567, 0.35850, 5003), (0.31272, 0.32903, 6504),
      ] {
        let light = AVCaptureDevice.WhiteBalanceChromaticityValues(x: x, y: y)
        let gains = device.deviceWhiteBalanceGains(for: light)
        let back = device.chromaticityValues(for: gains)
        #expect(abs(back.x - x) < 1e-5 && abs(back.y - y) < 1e-5)
        #expect(abs(device.temperatureAndTintValues(for: gains).temperature / temperature - 1) < 0.005)
      }
      // The sensor's white is the screen's, so D65 needs no gain.
      let white = device.deviceWhiteBalanceGains(
        for: AVCaptureDevice.WhiteBalanceChromaticityValues(x: 0.31272, y: 0.32903))
      #expect(list(white).allSatisfy { abs($0 - 1) < 2e-3 })
      // Warm light is short of blue, a greener one has green to spare.
      let warm = device.deviceWhiteBalanceGains(
        for: AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(temperature: 3000, tint: 0))
      #expect(warm.blueGain > warm.greenGain && warm.greenGain > warm.redGain)
      let green = device.deviceWhiteBalanceGains(
        for: AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(temperature: 6504, tint: 60))
      #expect(green.greenGain == 1 && green.redGain > 1.05 && green.blueGain > 1.05)
    }

    @Test
    func `impossible values are mistakes, improbable ones give gains to be checked`() throws {
      let stage = try ControlStage()
      let device = stage.device
      let hot = device.deviceWhiteBalanceGains(
        for: AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(temperature: 1000, tint: 0))
      #expect(hot.blueGain > device.maxWhiteBalanceGain && hot.blueGain.isFinite)
      #expect(
        stage.mistakes {
          _ = $0.deviceWhiteBalanceGains(for: AVCaptureDevice.WhiteBalanceChromaticityValues(x: 1.2, y: 0.3))
        } == 1)
      #expect(stage.mistakes { _ = $0.chromaticityValues(for: hot) } == 1)
      #expect(stage.mistakes { _ = $0.temperatureAndTintValues(for: Gains()) } == 1)
    }
  }
}
