import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import DepthMaps
import FoundationExtras
import Linux
import Testing
import Waiting

extension DeviceSuites {
  @Suite("AVCaptureDepthDataOutput") struct DepthDataOutput {
    private static let mark = DispatchSpecificKey<Bool>()
    private static let ramp: [Float] = (1...12).map { Float($0) / 4 }

    @Test func `begins with Apple's defaults`() {
      let output = AVCaptureDepthDataOutput()
      #expect(output.isFilteringEnabled)
      #expect(output.alwaysDiscardsLateDepthData)
      #expect(output.delegate == nil)
      #expect(output.delegateCallbackQueue == nil)
      #expect(output.connections.isEmpty)
    }

    @Test func `hands maps on in the device's own memory`() throws {
      let stage = try DepthStage()
      try stage.choose(kCVPixelFormatType_DepthFloat32)
      stage.output.isFilteringEnabled = false
      stage.session.startRunning()
      let sent = try stage.camera.send(Self.ramp)
      stage.settle()
      try #require(stage.delegate.maps.withLock { $0.count } == 1)
      let depth = try #require(stage.delegate.maps.withLock { $0.first })
      #expect(depth.depthDataMap === sent)
      #expect(!depth.isDepthDataFiltered)
      #expect(depth.depthDataAccuracy == .absolute)
      #expect(depth.cameraCalibrationData == nil)
      #expect(try depth.numbers.values == Self.ramp)
      #expect(
        stage.delegate.times.withLock { $0 } == [CMTime(value: 1_000_000_000, timescale: 1_000_000_000)])
    }

    @Test func `calls its delegate on the queue that it names`() throws {
      let stage = try DepthStage()
      #expect(stage.output.delegateCallbackQueue === stage.queue)
      let other = DispatchQueue(label: "other depth")
      other.setSpecific(key: Self.mark, value: true)
      stage.output.setDelegate(stage.delegate, callbackQueue: other)
      #expect(stage.output.delegateCallbackQueue === other)
      let isThere = Locked(false)
      stage.delegate.visit.withLock { visit in
        visit = {
          let isMarked = DispatchQueue.getSpecific(key: Self.mark) == true
          isThere.withLock { $0 = isMarked }
        }
      }
      try stage.choose(kCVPixelFormatType_DepthFloat32)
      stage.session.startRunning()
      _ = try stage.deliver(Self.ramp)
      #expect(isThere.withLock { $0 })
      stage.output.setDelegate(nil, callbackQueue: nil)
      #expect(stage.output.delegateCallbackQueue == nil)
    }

    @Test(arguments: DepthFormat.pixelFormats)
    func `makes of a sensor's millimetres what the client chose`(format: OSType) throws {
      let stage = try DepthStage()
      try stage.choose(format)
      stage.output.isFilteringEnabled = false
      stage.session.startRunning()
      var metres = Self.ramp
      metres[5] = .nan
      let depth = try stage.deliver(metres, units: true)
      #expect(depth.depthDataType == format)
      let map = try depth.numbers
      for (index, expected) in metres.enumerated() {
        let value = map.metres(x: index % 4, y: index / 4)
        #expect(abs(value - expected) < 0.002 * expected || value.isNaN && expected.isNaN)
      }
    }

    @Test func `fills holes and smooths unless asked not to, from the next map on`() throws {
      let stage = try DepthStage()
      try stage.choose(kCVPixelFormatType_DepthFloat32)
      stage.session.startRunning()
      var holed = [Float](repeating: 2, count: 12)
      holed[6] = .nan
      let filtered = try stage.deliver(holed)
      #expect(filtered.isDepthDataFiltered)
      #expect(filtered.depthDataQuality == .high)
      #expect(try filtered.numbers.values == [Float](repeating: 2, count: 12))
      let nearer = try stage.deliver([Float](repeating: 1.95, count: 12))
      // What was only filled has no past.
      #expect(try nearer.numbers.values.enumerated().allSatisfy { abs($1 - ($0 == 6 ? 1.95 : 1.98)) < 1e-5 })
      stage.output.isFilteringEnabled = false
      let raw = try stage.deliver(holed)
      #expect(!raw.isDepthDataFiltered)
      #expect(try raw.numbers.values[6].isNaN)
    }

    @Test func `shows a filtered map's quality by what was measured`() throws {
      let stage = try DepthStage()
      stage.session.startRunning()
      try stage.choose(kCVPixelFormatType_DepthFloat32)
      let poor = try stage.deliver([1] + [Float](repeating: .nan, count: 11))
      #expect(poor.depthDataQuality == .low)
      #expect(try poor.numbers.values == [Float](repeating: 1, count: 12))
    }

    @Test func `turns and mirrors maps as its connection says, with the camera`() throws {
      let lens = LensFacts(
        focalLength: 4, focalLengthIn35mmFilm: 26, aperture: 1.8, fieldOfView: 70, model: "")
      let stage = try DepthStage(lens: lens)
      try stage.choose(kCVPixelFormatType_DepthFloat32)
      stage.output.isFilteringEnabled = false
      let connection = try #require(stage.output.connection(with: .depthData))
      #expect(connection.isVideoOrientationSupported)
      #expect(connection.isVideoMirroringSupported)
      #expect(!connection.isVideoStabilizationSupported)
      #expect(connection.videoRotationAngle == 0)
      connection.videoRotationAngle = 90
      connection.isVideoMirrored = true
      stage.session.startRunning()
      let depth = try stage.deliver(Self.ramp)
      let map = try depth.numbers
      let sent = DepthMap(width: 4, height: 3, quantity: .depth, values: Self.ramp)
      #expect(map.values == sent.turned(quarters: 1, isMirrored: true).values)
      #expect((map.width, map.height) == (3, 4))
      let camera = try #require(depth.cameraCalibrationData)
      #expect(camera.intrinsicMatrixReferenceDimensions == CGSize(width: 48, height: 64))
    }

    @Test func `reports every map that is lost, with its type and size and no distance`() throws {
      let stage = try DepthStage()
      try stage.choose(kCVPixelFormatType_DisparityFloat16)
      stage.session.startRunning()
      try stage.camera.lose(.outOfBuffers)
      try stage.camera.lose(.discontinuity)
      stage.settle()
      try #require(stage.delegate.drops.withLock { $0.count } == 2)
      let drops = stage.delegate.drops.withLock { $0 }
      #expect(drops.map(\.1) == [.outOfBuffers, .discontinuity])
      // Who hears of many losses must not become late by that: nothing is made for each.
      #expect(drops.first?.0 === drops.last?.0)
      let shell = try #require(drops.first?.0)
      #expect(shell.depthDataType == kCVPixelFormatType_DisparityFloat16)
      #expect(try shell.numbers.width == 4)
      #expect(try shell.numbers.knownShare == 0)
      #expect(shell.depthDataQuality == .low)
      let statistics = stage.output.statistics
      #expect(statistics.captured == 2 && statistics.dropped == 2 && statistics.pending == 0)
    }

    @Test func `drops what comes while the delegate is busy`() throws {
      let stage = try DepthStage()
      stage.session.startRunning()
      let (isBusy, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      stage.delegate.visit.withLock { visit in
        visit = {
          isBusy.signal()
          mayGo.wait()
        }
      }
      let metres = [Float](repeating: 1, count: 48)
      try stage.camera.send(metres)
      isBusy.wait()
      for _ in 0..<5 { try stage.camera.send(metres) }
      stage.delegate.visit.withLock { $0 = nil }
      mayGo.signal()
      stage.settle()
      let statistics = stage.output.statistics
      #expect(statistics.captured == 6)
      #expect(statistics.captured == statistics.delivered + statistics.dropped)
      #expect(stage.delegate.drops.withLock { $0.map(\.1) }.allSatisfy { $0 == .lateData })
      #expect(stage.delegate.drops.withLock { $0.count } == statistics.late)
      #expect(statistics.late >= 1)
    }

    @Test func `gets maps and no frames, and other outputs no maps`() throws {
      let stage = try DepthStage()
      let video = AVCaptureVideoDataOutput()
      let counter = FrameCounter()
      counter.watch(video)
      stage.session.addOutput(video)
      stage.session.startRunning()
      try stage.camera.sendFrame()
      stage.settle()
      try #require(counter.frames == 1)
      _ = try stage.deliver([Float](repeating: 1, count: 48))
      try stage.camera.sendFrame()
      stage.settle()
      try #require(counter.frames == 2)
      #expect(stage.output.statistics.captured == 1)
      #expect(video.statistics.captured == 2)
    }

    @Test func `measures only while depth is wanted`() throws {
      let stage = try DepthStage()
      let video = AVCaptureVideoDataOutput()
      stage.session.addOutput(video)
      stage.session.startRunning()
      #expect(stage.camera.configuration?.depth != nil)
      let connection = try #require(stage.output.connection(with: .depthData))
      connection.isEnabled = false
      #expect(stage.camera.configuration != nil)
      #expect(stage.camera.configuration?.depth == nil)
      connection.isEnabled = true
      #expect(stage.camera.configuration?.depth != nil)
      stage.session.removeOutput(stage.output)
      #expect(stage.camera.configuration?.depth == nil)
    }

    @Test func `goes without frames, too`() throws {
      let stage = try DepthStage()
      stage.session.startRunning()
      _ = try stage.deliver([Float](repeating: 1, count: 48))
      #expect(stage.output.connections.map(\.isActive) == [true])
    }

    @Test func `is reported by its connection where the active format measures nothing`() throws {
      let stage = try DepthStage()
      stage.session.addOutput(AVCaptureVideoDataOutput())
      try stage.device.lockForConfiguration()
      stage.device.activeFormat = stage.device.formats[2]
      stage.device.unlockForConfiguration()
      #expect(stage.device.activeFormat.supportedDepthDataFormats.isEmpty)
      #expect(stage.device.activeDepthDataFormat == nil)
      #expect(!stage.device.activeDepthDataMinFrameDuration.isValid)
      let connection = try #require(stage.output.connection(with: .depthData))
      #expect(!connection.isActive)
      stage.session.startRunning()
      #expect(stage.session.isRunning)
      #expect(stage.camera.configuration?.depth == nil)
    }

    @Test func `ends with the session's error when the camera goes`() throws {
      let stage = try DepthStage()
      let news = SessionNews(stage.session)
      stage.session.startRunning()
      try stage.camera.fail()
      #expect(news.wait(for: "error"))
      #expect(news.lastError?.code == .deviceWasDisconnected)
    }
  }
}
