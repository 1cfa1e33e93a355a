import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import CodeReading
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Metadata output")
  struct MetadataOutputTests {
    private let middle = CGPoint(x: 0.5, y: 0.5)

    @Test func `nothing can be found before there is a camera, then every code the library reads`() throws {
      let alone = AVCaptureMetadataOutput()
      #expect(alone.availableMetadataObjectTypes.isEmpty)
      #expect(alone.metadataObjectTypes.isEmpty)
      #expect(alone.rectOfInterest == CGRect(x: 0, y: 0, width: 1, height: 1))
      let stage = try CodeStage([])
      let types = stage.output.availableMetadataObjectTypes
      for type: AVMetadataObject.ObjectType in [
        .qr, .aztec, .dataMatrix, .pdf417, .ean13, .ean8, .upce, .code39, .code39Mod43, .code93,
        .code128, .interleaved2of5, .itf14, .codabar, .gs1DataBar, .gs1DataBarExpanded,
      ] {
        #expect(types.contains(type))
      }
      #expect(types.contains(.microQR) == CodeKind.readable.contains(.microQR))
      #expect(types.contains(.gs1DataBarLimited) == CodeKind.readable.contains(.dataBarLimited))
      #expect(Set(types).count == types.count)
      stage.rig.session.removeOutput(stage.output)
      #expect(stage.output.availableMetadataObjectTypes.isEmpty)
    }

    @Test func `availableMetadataObjectTypes is key-value observable`() throws {
      let stage = try CodeStage([])
      let counts = Monitor<[Int]>([])
      let observation = stage.output.observe(\.availableMetadataObjectTypes, options: [.old, .new]) {
        _, change in
        counts.withLock { $0 += [change.oldValue?.count ?? -1, change.newValue?.count ?? -1] }
      }
      let all = stage.output.availableMetadataObjectTypes.count
      stage.rig.session.removeOutput(stage.output)
      stage.rig.session.addOutput(stage.output)
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      #expect(counts.wait(until: deadline, for: { $0.count >= 4 }, then: { $0 }) == [all, 0, 0, all])
      withExtendedLifetime(observation) {}
    }

    @Test func `a camera's metadata comes through a port of its own`() throws {
      let stage = try CodeStage([])
      let connection = try #require(stage.output.connection(with: .metadataObject))
      #expect(stage.output.connection(with: .video) == nil)
      #expect(stage.rig.input.ports.map(\.mediaType) == [.video, .metadataObject])
      #expect(connection.inputPorts.first?.formatDescription == nil)
      #expect(!connection.isVideoMirroringSupported && !connection.isVideoOrientationSupported)
      #expect(connection.output === stage.output)
    }

    @Test func `a type that is not available is a mistake without effect`() throws {
      let alone = AVCaptureMetadataOutput()
      #expect(ProgrammingMistake.collect { alone.metadataObjectTypes = [.qr] }.count == 1)
      #expect(alone.metadataObjectTypes.isEmpty)
      let stage = try CodeStage([])
      stage.output.metadataObjectTypes = [.qr]
      #expect(
        ProgrammingMistake.collect {
          stage.output.metadataObjectTypes = [.aztec, .init(rawValue: "catBody")]
        }.count == 1)
      #expect(stage.output.metadataObjectTypes == [.qr])
      #expect(
        ProgrammingMistake.collect {
          stage.output.rectOfInterest = CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1)
        }.count == 1)
      #expect(
        ProgrammingMistake.collect {
          stage.output.setMetadataObjectsDelegate(stage.listener, queue: nil)
        }.count == 1)
    }

    @Test func `a code in view is reported with the first frame, at its place and time`() throws {
      let stage = try CodeStage([CodeStage.code("hello", at: CGPoint(x: 0.25, y: 0.5))])
      let data = AVCaptureVideoDataOutput()
      let recorder = RecordingVideoDelegate()
      data.setSampleBufferDelegate(recorder, queue: DispatchQueue(label: "frames"))
      stage.rig.session.addOutput(data)
      stage.output.metadataObjectTypes = [.qr]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      let code = try #require(stage.listener.last.first)
      #expect(stage.listener.isOnQueue.withLock { $0 })
      #expect(code.type == .qr)
      #expect(code.stringValue == "hello")
      #expect(code.payload == Data("hello".utf8))
      #expect(code.time == recorder.samples.withLock { $0.first?.buffer.presentationTimeStamp })
      #expect(!code.duration.isValid)
      let half = CGSize(width: 0.08, height: 0.08 * 480 / 360)
      let expected = CGRect(
        x: 0.25 - half.width, y: 0.5 - half.height, width: 2 * half.width, height: 2 * half.height)
      #expect(isNear(code.bounds, expected, 1.5 / 360))
      let corners = [
        CGPoint(x: expected.minX, y: expected.minY), CGPoint(x: expected.minX, y: expected.maxY),
        CGPoint(x: expected.maxX, y: expected.maxY), CGPoint(x: expected.maxX, y: expected.minY),
      ]
      for (corner, place) in zip(code.corners, corners) { #expect(isNear(corner, place, 1.5 / 360)) }
      #expect(code.corners.count == 4)
    }

    @Test func `a QR code describes its symbol, and a synchronizer gets it with its frame`() throws {
      let stage = try CodeStage([CodeStage.code("together", at: middle)])
      let video = AVCaptureVideoDataOutput()
      stage.rig.session.addOutput(video)
      stage.output.metadataObjectTypes = [.qr]
      let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [video, stage.output])
      let collections = SynchronizedCollections()
      synchronizer.setDelegate(collections, queue: DispatchQueue(label: "synchronized"))
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      let collection = try #require(try collections.wait(for: 1).first)
      let found = try #require(
        collection.synchronizedData(for: stage.output) as? AVCaptureSynchronizedMetadataObjectData)
      #expect(found.timestamp == collection[video]?.timestamp && found.metadataObjects.count == 1)
      let code = try #require(found.metadataObjects.first as? AVMetadataMachineReadableCodeObject)
      #expect(code.stringValue == "together" && code.time == found.timestamp)
      let symbol = try #require(code.descriptor as? CIQRCodeDescriptor)
      #expect(symbol.symbolVersion == 1 && symbol.maskPattern < 8)
      // Four bits of mode, eight of length, then the text.
      let bytes = [UInt8](symbol.errorCorrectedPayload)
      #expect(bytes[0] == 0x40 && Int(bytes[1] >> 4) == "together".utf8.count)
    }

    @Test func `Aztec and Data Matrix codes describe their symbols`() throws {
      func descriptor(_ kind: SceneCodeKind) throws -> CIBarcodeDescriptor? {
        let stage = try CodeStage([SceneLayer(try .code(kind, "ticket 17"), center: middle, width: 0.3)])
        stage.output.metadataObjectTypes = [.aztec, .dataMatrix]
        stage.rig.session.startRunning()
        stage.rig.advance(frames: 1)
        #expect(stage.listener.texts.last == ["ticket 17"])
        return stage.listener.last.first?.descriptor
      }
      let aztec = try #require(try descriptor(.aztec) as? CIAztecCodeDescriptor)
      #expect(aztec.isCompact && aztec.layerCount == 1 && aztec.dataCodewordCount > 8)
      let matrix = try #require(try descriptor(.dataMatrix) as? CIDataMatrixCodeDescriptor)
      // Up to eight codewords fit into a square of 14 modules; the first one says that three letters share two.
      #expect(matrix.rowCount == 14 && matrix.columnCount == 14 && matrix.eccVersion == .v200)
      #expect(matrix.errorCorrectedPayload.count == 8 && matrix.errorCorrectedPayload.first == 239)
    }

    @Test(arguments: [90.0, 180, 270])
    func `the first corner is the code's own top left, however it lies`(angle: Double) throws {
      let stage = try CodeStage([CodeStage.code("turned", at: middle, angle: angle)])
      stage.output.metadataObjectTypes = [.qr]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      let code = try #require(stage.listener.last.first)
      let box = code.bounds
      let around = [
        CGPoint(x: box.minX, y: box.minY), CGPoint(x: box.minX, y: box.maxY),
        CGPoint(x: box.maxX, y: box.maxY), CGPoint(x: box.maxX, y: box.minY),
      ]
      // A quarter turn clockwise takes the top left to the top right, one step back in counterclockwise order.
      let steps = Int(angle / 90)
      for (index, corner) in code.corners.enumerated() {
        #expect(isNear(corner, around[(index - steps + 4) % 4], 2.0 / 360))
      }
    }

    @Test func `the delegate hears every frame with codes, and once that there are none any more`() throws {
      var layer = try CodeStage.code("soon gone", at: middle)
      layer.to = 0.15
      let stage = try CodeStage([layer])
      stage.output.metadataObjectTypes = [.qr]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 20)
      let texts = stage.listener.texts
      #expect(texts.count { $0 == ["soon gone"] } >= 4)
      #expect(texts.last == [])
      #expect(texts.count { $0.isEmpty } == 1)
      let statistics = stage.output.statistics
      #expect(statistics.captured == statistics.delivered + statistics.dropped + statistics.pending)
      #expect(statistics.captured == statistics.delivered)
      #expect(statistics.captured >= 20)
    }

    @Test func `nothing is reported of a view without codes, and nothing is searched without types`() throws {
      let stage = try CodeStage([])
      stage.output.metadataObjectTypes = [.qr]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 3)
      #expect(stage.listener.texts.isEmpty)
      #expect(stage.output.statistics.delivered >= 3)
      stage.output.metadataObjectTypes = []
      let searched = stage.output.statistics.delivered
      stage.rig.advance(frames: 3)
      #expect(stage.output.statistics.delivered == searched)
      #expect(stage.output.statistics.unwanted >= 3)
    }

    /// Apple: the available types depend on the port that the output's connection leads from, and can be observed.
    @Test func `observers hear when types can be found, and when none can any more`() throws {
      let output = AVCaptureMetadataOutput()
      let counts = Monitor<[Int]>([])
      let observation = output.observe(\.availableMetadataObjectTypes, options: [.old, .new]) {
        output, change in
        #expect(output.availableMetadataObjectTypes == change.newValue)
        counts.withLock { $0 += [change.oldValue?.count ?? -1, change.newValue?.count ?? -1] }
      }
      let stage = SessionStage()
      stage.session.addOutput(output)
      let (input, _) = try stage.addCamera()
      let all = output.availableMetadataObjectTypes.count
      #expect(all > 0 && counts.wait(for: [0, all]))
      stage.session.removeInput(input)
      #expect(counts.wait(for: [0, all, all, 0]))
      observation.invalidate()
    }

    // MARK: The region

    /// Apple: metadata objects whose bounds do not intersect the rectangle are not returned.
    @Test(arguments: [
      CGRect(x: 0, y: 0, width: 1, height: 1), CGRect(x: 0, y: 0, width: 0.5, height: 1),
      CGRect(x: 0.5, y: 0, width: 0.5, height: 0.5), CGRect(x: 0, y: 0.5, width: 1, height: 0.5),
      CGRect(x: 0.35, y: 0.35, width: 0.3, height: 0.3), CGRect(x: -1, y: -1, width: 1.5, height: 1.5),
      CGRect(x: 2, y: 2, width: 1, height: 1), CGRect(x: 0.25, y: 0, width: 0.5, height: 1),
      CGRect(x: 0.3, y: 0.2, width: 0.4, height: 0.1), CGRect(x: 0.24, y: 0.74, width: 0.02, height: 0.02),
    ])
    func `exactly what intersects the region is reported`(region: CGRect) throws {
      let places = [0.25, 0.75].flatMap { y in [0.25, 0.75].map { x in CGPoint(x: x, y: y) } }
      let layers = try places.map { try CodeStage.code("\($0.x) \($0.y)", at: $0) }
      let stage = try CodeStage(layers)
      stage.output.metadataObjectTypes = [.qr]
      stage.output.rectOfInterest = region
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 2)
      let half = CGSize(width: 0.08, height: 0.08 * 480 / 360)
      let touching = places.filter { place in
        region.intersects(
          CGRect(
            x: place.x - half.width, y: place.y - half.height, width: 2 * half.width, height: 2 * half.height)
        )
      }
      let reported = stage.listener.texts.last ?? []
      #expect(reported == touching.map { "\($0.x) \($0.y)" }.sorted())
    }

    @Test func `a new region takes effect with the next frame`() throws {
      let stage = try CodeStage([
        CodeStage.code("left", at: CGPoint(x: 0.25, y: 0.5)),
        CodeStage.code("right", at: CGPoint(x: 0.75, y: 0.5)),
      ])
      stage.output.metadataObjectTypes = [.qr]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      #expect(stage.listener.texts.last == ["left", "right"])
      stage.output.rectOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 1)
      stage.rig.advance(frames: 1)
      #expect(stage.listener.texts.last == ["left"])
    }

    // MARK: Clients

    @Test func `a slow delegate gets the newest frame, and what is skipped is counted`() throws {
      let stage = try CodeStage([CodeStage.code("busy", at: middle)])
      let gate = DispatchSemaphore(value: 0)
      let entered = DispatchSemaphore(value: 0)
      stage.listener.inside.set {
        entered.signal()
        gate.wait()
      }
      stage.output.metadataObjectTypes = [.qr]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1, waitingForClients: false)
      #expect(entered.wait(timeout: .now() + 60) == .success)
      for _ in 0..<8 { stage.rig.advance(frames: 1, waitingForClients: false) }
      stage.listener.inside.set(nil)
      gate.signal()
      gate.signal()
      stage.rig.advance(frames: 1)
      let statistics = stage.output.statistics
      #expect(statistics.late >= 1)
      #expect(statistics.captured == statistics.delivered + statistics.dropped + statistics.pending)
      let times = stage.listener.calls.withLock { calls in calls.compactMap { $0.first?.time.seconds } }
      #expect(times == times.sorted())
      #expect(Set(times).count == times.count)
    }

    @Test func `the former delegate hears nothing any more`() throws {
      let stage = try CodeStage([CodeStage.code("who", at: middle)])
      stage.output.metadataObjectTypes = [.qr]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      let next = CodeListener()
      stage.output.setMetadataObjectsDelegate(next, queue: next.queue)
      let heard = stage.listener.texts.count
      stage.rig.advance(frames: 2)
      #expect(stage.listener.texts.count == heard)
      #expect(next.texts.count >= 2)
      #expect(stage.output.metadataObjectsDelegate === next)
      #expect(stage.output.metadataObjectsCallbackQueue === next.queue)
      stage.output.setMetadataObjectsDelegate(nil, queue: nil)
      stage.rig.advance(frames: 2)
      #expect(stage.output.metadataObjectsDelegate == nil)
    }

    @Test func `a switched-off connection or port brings nothing, and the data output goes on`() throws {
      let stage = try CodeStage([CodeStage.code("switch", at: middle)])
      let data = AVCaptureVideoDataOutput()
      let recorder = RecordingVideoDelegate()
      recorder.keepsBuffers.withLock { $0 = false }
      data.setSampleBufferDelegate(recorder, queue: DispatchQueue(label: "frames"))
      stage.rig.session.addOutput(data)
      stage.output.metadataObjectTypes = [.qr]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      let connection = try #require(stage.output.connection(with: .metadataObject))
      connection.isEnabled = false
      let heard = stage.listener.texts.count
      let frames = recorder.count.withLock { $0 }
      stage.rig.advance(frames: 3)
      #expect(stage.listener.texts.count == heard)
      #expect(recorder.count.withLock { $0 } >= frames + 3)
      connection.isEnabled = true
      connection.inputPorts.first?.isEnabled = false
      stage.rig.advance(frames: 3)
      #expect(stage.listener.texts.count == heard)
      connection.inputPorts.first?.isEnabled = true
      stage.rig.advance(frames: 3)
      #expect(stage.listener.texts.count > heard)
    }

    @Test func `codes in JPEG frames are found, too`() throws {
      let stage = try CodeStage([CodeStage.code("motion", at: middle)], encodings: [.motionJPEG])
      stage.output.metadataObjectTypes = [.qr]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 2)
      #expect(stage.listener.texts.last == ["motion"])
    }

    @Test func `a delegate may stop the session and change everything`() throws {
      let stage = try CodeStage([CodeStage.code("stop", at: middle)])
      stage.output.metadataObjectTypes = [.qr]
      let session = stage.rig.session
      let output = stage.output
      stage.listener.inside.set {
        output.rectOfInterest = CGRect(x: 0, y: 0, width: 0.9, height: 0.9)
        output.metadataObjectTypes = [.qr, .aztec]
        session.stopRunning()
      }
      session.startRunning()
      stage.rig.advance(frames: 2)
      #expect(stage.listener.texts.first == ["stop"])
      #expect(!session.isRunning)
    }
  }
}

func isNear(_ left: CGPoint, _ right: CGPoint, _ tolerance: CGFloat) -> Bool {
  abs(left.x - right.x) <= tolerance && abs(left.y - right.y) <= tolerance
}

func isNear(_ left: CGRect, _ right: CGRect, _ tolerance: CGFloat) -> Bool {
  isNear(left.origin, right.origin, tolerance)
    && isNear(CGPoint(x: left.maxX, y: left.maxY), CGPoint(x: right.maxX, y: right.maxY), tolerance)
}
