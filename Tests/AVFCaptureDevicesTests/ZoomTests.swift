import AVFoundation
import CaptureDevice
import CaptureStage
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Zoom")
  struct Zoom {
    @Test
    func `a factor in the format's range is set at once and reported once`() throws {
      let stage = try ControlStage()
      let device = stage.device
      stage.session.startRunning()
      stage.camera.streamFrame()
      let reported = ObservedValues(device, \.videoZoomFactor)
      let most = device.activeFormat.videoMaxZoomFactor
      #expect(device.videoZoomFactor == 1 && device.minAvailableVideoZoomFactor == 1)
      #expect(device.maxAvailableVideoZoomFactor == most && most > 1)
      #expect(device.activeFormat.videoZoomFactorUpscaleThreshold == 2)
      try stage.configure { device in
        device.videoZoomFactor = 2.5
        #expect(device.videoZoomFactor == 2.5)
        #expect(stage.mistakes { $0.videoZoomFactor = 0.5 } == 1)
        #expect(stage.mistakes { $0.videoZoomFactor = most + 0.1 } == 1)
        #expect(stage.mistakes { $0.videoZoomFactor = .nan } == 1)
      }
      #expect(stage.mistakes { $0.videoZoomFactor = 2 } == 1)
      for _ in 0..<3 { stage.camera.streamFrame() }
      #expect(device.videoZoomFactor == 2.5 && reported.values == [2.5])
    }

    @Test
    func `depth is there at every zoom factor, and people are offered those that look good`() throws {
      let size = FrameSize(width: 320, height: 240)
      let rig = try CaptureRig(.camera(uniqueID: "zoom.depth", sizes: [size], depthSizes: [size]))
      let format = rig.device.activeFormat
      let most = format.videoMaxZoomFactor
      #expect(format.supportedVideoZoomRangesForDepthDataDelivery == [1...most])
      #expect(format.supportedVideoZoomFactorsForDepthDataDelivery.isEmpty)
      #expect(!format.zoomFactorsOutsideOfVideoZoomRangesForDepthDeliverySupported)
      #expect(format.videoMinZoomFactorForDepthDataDelivery == 1)
      #expect(format.videoMaxZoomFactorForDepthDataDelivery == most)
      let offered = try #require(format.systemRecommendedVideoZoomRange)
      #expect(offered.lowerBound == 1 && offered.upperBound <= most && offered.upperBound > 1)
      #expect(format.systemRecommendedExposureBiasRange == -2...2)
      let plain = try CaptureRig(.camera(uniqueID: "zoom.plain", sizes: [size])).device.activeFormat
      #expect(plain.supportedVideoZoomRangesForDepthDataDelivery.isEmpty)
      #expect(plain.videoMaxZoomFactorForDepthDataDelivery == 1)
    }

    @Test
    func `a ramp is seen frame by frame and ends where it is cancelled`() throws {
      let stage = try ControlStage()
      let device = stage.device
      stage.session.startRunning()
      stage.camera.streamFrame()
      let factors = ObservedValues(device, \.videoZoomFactor),
        ramping = ObservedValues(device, \.isRampingVideoZoom)
      try stage.configure { device in
        device.cancelVideoZoomRamp()
        #expect(stage.camera.applied.isEmpty)
        device.ramp(toVideoZoomFactor: 4, withRate: -2)
        #expect(device.isRampingVideoZoom)
        #expect(stage.camera.applied == [.zoomRamp(to: 4, rate: 2)])
        #expect(stage.mistakes { $0.ramp(toVideoZoomFactor: 99, withRate: 1) } == 1)
        #expect(stage.mistakes { $0.ramp(toVideoZoomFactor: 2, withRate: .nan) } == 1)
      }
      stage.camera.streamFrame()
      stage.camera.streamFrame()
      for factor: CGFloat in [1.5, 2] {
        stage.camera.measure { $0.zoom = Double(factor) }
        stage.camera.streamFrame()
        #expect(device.videoZoomFactor == factor)
      }
      try stage.configure { device in
        stage.camera.forget()
        device.cancelVideoZoomRamp()
        device.ramp(toVideoZoomFactor: 4, withRate: 0)
        #expect(stage.camera.applied == [.endZoomRamp, .endZoomRamp])
      }
      stage.camera.streamFrame()
      stage.camera.streamFrame()
      #expect(!device.isRampingVideoZoom && device.videoZoomFactor == 2)
      #expect(factors.wait(2) == [1.5, 2] && ramping.wait(2) == [true, false])
    }

    @Test
    func `a virtual camera says where it switches and what people call its factors`() throws {
      let stage = try ControlStage(lenses: 2) {
        $0.switchOverZooms = [2]
        $0.displayZoomMultiplier = 0.5
      }
      #expect(stage.device.virtualDeviceSwitchOverVideoZoomFactors == [2])
      #expect(stage.device.displayVideoZoomFactorMultiplier == 0.5)
      let plain = try ControlStage()
      #expect(plain.device.virtualDeviceSwitchOverVideoZoomFactors.isEmpty)
      #expect(plain.device.displayVideoZoomFactorMultiplier == 1)
    }
  }
}
