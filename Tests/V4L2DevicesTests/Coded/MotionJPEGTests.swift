import CameraFrames
import AVFCapture
import CaptureDevice
import CaptureDeviceTesting
import CoreMedia
import CoreVideo
import Dispatch
import Foundation
import FoundationExtras
import ImageIO
import Linux
import PhotoProcessing
import SeededNumbers
import StillCodecs
import Testing
import V4L2Devices
import Waiting

@Suite("V4L2: motion JPEG")
struct MotionJPEGTests {
  private final class Route: DeliveryRoute {
    var isEnded: Bool { false }
  }

  /// A camera whose frames go to a client as those of a session do: checked, decoded off the reader thread, in order.
  private final class Stage: Sendable {
    struct Tally {
      var shown: [UInt32] = []
      var lost: [UInt32] = []
      var corrupt: [UInt32] = []
      var decided: Int { shown.count + lost.count }
      /// By the stream's number, the picture that the camera meant.
      var meant: [UInt32: [UInt8]] = [:]
      var lossReasons: Set<LostSample.Reason> = []
    }

    let kernel: ScriptedKernel
    let stream: any CaptureStream
    let delivery = DeliveryQueue<CapturedFrame, Route>(policy: .keepAll)
    let tally = Monitor(Tally())
    let sent = Locked(0)
    let queue = DispatchQueue(label: "test.motion-jpeg")

    init() throws {
      kernel = ScriptedKernel([.plain(.mjpeg, CameraJPEG.width, CameraJPEG.height)])
      stream = try kernel.camera().open(.motionJPEG)
      let tally = tally
      delivery.setClient(
        .init(
          queue: queue,
          deliver: { call in
            let frame = call.sample
            guard case .pixels(let pixels) = frame.picture else { return .unwanted }
            let bytes = MotionJPEGTests.bytes(pixels)
            return call.begin {
              tally.withLock { tally in
                tally.shown.append(frame.sequence)
                if tally.meant[frame.sequence] != bytes { tally.corrupt.append(frame.sequence) }
              }
            }
          },
          lose: { lost, _ in
            tally.withLock { tally in
              tally.lost.append(lost.sequence)
              tally.lossReasons.insert(lost.reason)
            }
          }))
      let decoder = FrameDecoder()
      let (delivery, route) = (delivery, Route())
      try stream.start { event in
        switch event {
        case .frame(let frame):
          delivery.offer(frame, over: route) { frame throws(LostSample.Reason) in
            var frame = frame
            do { frame.picture = .pixels(try decoder.open(frame)) } catch { throw .discontinuity }
            return frame
          }
        case .dropped(let drop): delivery.offer(drop, over: route)
        default: break
        }
      }
    }

    /// Sends a frame and waits until it is shown or lost; false when neither happens.
    func send(_ exposure: ScriptedKernel.Exposure, meaning picture: [UInt8]) -> Bool {
      let number = sent.withLock { sent in
        defer { sent += 1 }
        return sent
      }
      tally.withLock { $0.meant = [UInt32(number): picture] }
      kernel.expose("/dev/video0", exposure)
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      return tally.wait(until: deadline, for: { $0.decided == number + 1 }, then: { _ in }) != nil
    }
  }

  private static func bytes(_ buffer: CVPixelBuffer) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, plane) in buffer.planes.enumerated() {
      let count = index == 0 ? plane.width : 2 * plane.width
      for row in 0..<plane.height { bytes += plane.row(row).prefix(count) }
    }
    return bytes
  }

  private struct Source {
    var frame: [UInt8]
    var picture: [UInt8]

    init(_ number: Int) throws {
      frame = try CameraJPEG.frame(number)
      picture = MotionJPEGTests.bytes(try JPEGDecoder.decode(Data(frame), isStrict: true))
    }
  }

  /// The number of mutated frames; also under AddressSanitizer, as CONTRIBUTING.md says.
  private static let mutations =
    ProcessInfo.processInfo.environment["OBSCURA_MUTATIONS"].flatMap(Int.init) ?? 10_000

  @Test func `of thousands of frames with faults none is shown corrupt, and every one is counted`() throws {
    let sources = try (0..<12).map(Source.init)
    let stage = try Stage()
    var dice = SeededGenerator(seed: 2026)
    var expectedShown = 0
    for number in 0..<Self.mutations {
      let source = sources[Int.random(in: 0..<sources.count, using: &dice)]
      var exposure = ScriptedKernel.Exposure(bytes: source.frame)
      switch number % 19 {
      case 16:
        // In between, whole frames, padded as cameras do: what was wrong before does them no harm.
        exposure.bytes = source.frame + Array(repeating: 0, count: Int.random(in: 0..<2000, using: &dice))
        expectedShown += 1
      case 17: exposure.isBroken = true
      case 18: exposure.usedBytes = [0, source.frame.count / 2, 10_000_000].randomElement(using: &dice)
      case let kind:
        let other = sources[Int.random(in: 0..<sources.count, using: &dice)]
        exposure.bytes = CameraJPEG.damage(
          source.frame, CameraJPEG.Fault.allCases[kind], other: other.frame, &dice)
      }
      try #require(stage.send(exposure, meaning: source.picture), "frame \(number) got lost without a word")
    }
    stage.stream.stop()
    let tally = stage.tally.withLock { $0 }
    #expect(tally.corrupt.isEmpty)
    #expect(tally.shown.count >= expectedShown)
    // A changed end marker or an unused code is no lost picture; of the others nothing is seen.
    #expect(tally.shown.count <= expectedShown + Self.mutations / 8 + 1)
    #expect((tally.shown + tally.lost).sorted() == (0..<UInt32(Self.mutations)).map { $0 })
    #expect(tally.lossReasons == [.discontinuity])
    // A frame counts as delivered when its callback has returned.
    stage.queue.sync {}
    let statistics = stage.delivery.statistics
    #expect(statistics.captured == statistics.delivered + statistics.dropped)
    #expect(statistics.captured == Self.mutations && statistics.delivered == tally.shown.count)
  }

  @Test func `bits and bytes at random never crash, and each frame is counted`() throws {
    let sources = try (0..<4).map(Source.init)
    let stage = try Stage()
    var dice = SeededGenerator(seed: 7)
    for number in 0..<Self.mutations {
      let source = sources[number % sources.count]
      var bytes = source.frame
      for _ in 0..<Int.random(in: 1...6, using: &dice) {
        let at = Int.random(in: 0..<bytes.count, using: &dice)
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &dice)
        case 1: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        case 2: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...20, using: &dice)))
        default: bytes.insert(contentsOf: [0xFF, UInt8.random(in: 0xC0...0xFE, using: &dice)], at: at)
        }
        if bytes.isEmpty { break }
      }
      try #require(stage.send(.init(bytes: bytes), meaning: source.picture))
    }
    stage.stream.stop()
    let tally = stage.tally.withLock { $0 }
    #expect((tally.shown + tally.lost).sorted() == (0..<UInt32(Self.mutations)).map { $0 })
  }

  // MARK: Habits of cameras that are no damage

  private func opened(
    _ decoder: FrameDecoder, _ bytes: [UInt8], height: Int = CameraJPEG.height, isIntact: Bool = false
  ) -> [UInt8]? {
    var bytes = bytes
    let size = FrameSize(width: CameraJPEG.width, height: height)
    return bytes.withUnsafeMutableBytes { memory in
      let frame = CapturedFrame(
        content: FrameContent(
          .jpeg(CMBlockBuffer(wrapping: memory, release: {}), size), isIntact: isIntact),
        timestamp: MonotonicInstant(nanoseconds: 0), sequence: 0, conditions: .unknown, inFlight: nil)
      return (try? decoder.open(frame)).map(Self.bytes)
    }
  }

  @Test func `words that are filled up, missing tables and a missing end are no damage`() throws {
    let sources = try (0..<4).map(Source.init)
    let decoder = FrameDecoder()
    for source in sources {
      let picture = Array(source.frame.dropLast(2))
      for tail: [UInt8] in [
        [0xFF, 0xD9], [0, 0, 0, 0xFF, 0xD9], [0xFF, 0xFF, 0xFF, 0xD9], [0x5A, 0xFF, 0xD9], [0],
      ] {
        #expect(opened(decoder, picture + tail) == source.picture, "\(tail)")
      }
    }
  }

  @Test func `bytes left over are damage, unless the camera has always left them`() throws {
    let source = try Source(0)
    let odd = source.frame.dropLast(2) + [1, 2, 3, 4, 5, 0xFF, 0xD9]
    let habitual = FrameDecoder()
    let shown = (0..<8).map { _ in opened(habitual, Array(odd)) != nil }
    #expect(shown == [false, false, false, false, false, true, true, true])
    let correct = FrameDecoder()
    #expect(opened(correct, source.frame) == source.picture)
    #expect((0..<8).allSatisfy { _ in opened(correct, Array(odd)) == nil })
    #expect(opened(FrameDecoder(forgivesLeftOvers: true), Array(odd)) == source.picture)
  }

  @Test func `what the network carried whole is judged by the decoder alone`() throws {
    let source = try Source(0)
    let odd = source.frame.dropLast(2) + [1, 2, 3, 4, 5, 0xFF, 0xD9]
    let decoder = FrameDecoder()
    #expect(opened(decoder, Array(odd)) == nil)
    #expect(opened(decoder, Array(odd), isIntact: true) == source.picture)
    let half = source.frame.prefix(source.frame.count / 2) + [0xFF, 0xD9]
    #expect(opened(decoder, Array(half), isIntact: true) == nil)
  }

  @Test(arguments: 0..<4) func `rows beyond the format's height are left out`(_ number: Int) throws {
    let source = try Source(number)
    // As a format of 1080 rows beside an encoder that writes 1088.
    let height = CameraJPEG.height - 8
    let shown = try #require(opened(FrameDecoder(), source.frame, height: height))
    let luma = CameraJPEG.width * height
    #expect(shown.count == luma * 3 / 2)
    #expect(shown.prefix(luma) == source.picture.prefix(luma))
    #expect(
      shown.dropFirst(luma) == source.picture.dropFirst(CameraJPEG.width * CameraJPEG.height).prefix(luma / 2)
    )
    #expect(opened(FrameDecoder(), source.frame, height: CameraJPEG.height - 16) == nil)
    #expect(opened(FrameDecoder(), source.frame, height: CameraJPEG.height + 8) == nil)
  }

  // MARK: The camera's own file

  private func photo(
    _ bytes: [UInt8], _ prioritization: PhotoPrioritization,
    orientation: CGImagePropertyOrientation = .up, height: Int = CameraJPEG.height
  ) throws -> Data {
    var bytes = bytes
    return try bytes.withUnsafeMutableBytes { memory in
      let size = FrameSize(width: CameraJPEG.width, height: height)
      let frame = CapturedFrame(
        picture: .jpeg(CMBlockBuffer(wrapping: memory, release: {}), size),
        timestamp: MonotonicInstant(nanoseconds: 0), sequence: 0)
      let request = PhotoProcessingRequest(
        uniqueID: 1, encoding: .jpeg(quality: nil), orientation: orientation, prioritization: prioritization,
        camera: PhotoCamera(make: "Obscura", model: "Webcam"))
      return try #require(
        try PhotoProcessor().process([frame], for: request).file)
    }
  }

  @Test func `a photo of a picture with more rows than its format has the format's`() throws {
    let file = try photo(Source(1).frame, .speed, height: CameraJPEG.height - 8)
    let size = try #require(JPEGSegments.size(of: file))
    #expect(size == (CameraJPEG.width, CameraJPEG.height - 8))
  }

  private func codes(_ file: Data) -> Data? {
    JPEGSegments(file).first { $0.marker == 0xDA }.map { Data(file[$0.body.upperBound...]) }
  }

  @Test(arguments: 0..<4)
  func `a photo at speed is the camera's own picture, bit for bit, with EXIF put in`(_ number: Int) throws {
    let frame = try CameraJPEG.frame(number)
    let file = try photo(frame + Array(repeating: 0, count: 100), .speed, orientation: .leftMirrored)
    #expect(codes(file) == codes(Data(frame)))
    let segments = Array(JPEGSegments(file))
    let exif = try #require(segments.first { $0.marker == 0xE1 })
    #expect(file[exif.body].starts(with: Data("Exif\0\0".utf8)))
    #expect(try StillFacts(file).orientation == 5)
    // Readers outside of video need the tables that motion JPEG leaves out.
    #expect(segments.contains { $0.marker == 0xC4 })
    #expect(Self.bytes(try JPEGDecoder.decode(file, isStrict: true)) == (try Source(number)).picture)
  }
}
