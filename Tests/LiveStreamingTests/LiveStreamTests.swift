import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import CoreMedia
import Foundation
import Linux
import LiveStreaming
import MediaFiles
import MediaStreaming
import SimulatedDevices
import Testing
import VideoCodecs
import Waiting

/// A media server of this process: it takes one stream of RTMP at a time.
private final class MediaServer: Sendable {
  struct Log: Sendable {
    var videoFrames = 0
    var audioPackets = 0
    var size = CMVideoDimensions(width: 0, height: 0)
    var connections = 0
    var firstIsKey: [Bool] = []
  }

  let port: UInt16
  private let log = Monitor(Log())
  private let isOver = Monitor(false)

  init() throws {
    port = try FreePort.find()
  }

  var address: URL {
    get throws { try #require(URL(string: "rtmp://127.0.0.1:\(port)/live")) }
  }

  /// Takes a stream until it is hung up on.
  func serve(key: String) {
    isOver.withLock { $0 = false }
    Thread.detachNewThread { [self] in
      while !isOver.withLock({ $0 }) {
        guard
          let input = try? NetworkInput(
            "rtmp://127.0.0.1:\(port)/live/\(key)",
            options: ["listen": "1", "timeout": "20", "fpsprobesize": "0", "analyzeduration": "500000"],
            isOver: { [isOver] in isOver.withLock { $0 } })
        else {
          // Its port is not free yet; the end of the test ends the wait.
          _ = isOver.wait(until: .now.advanced(byNanoseconds: 20_000_000), for: { $0 }, then: { _ in })
          continue
        }
        log.withLock { $0.connections += 1 }
        var isFirst = true
        while !isOver.withLock({ $0 }), let packet = try? input.next() {
          guard let track = input.tracks.first(where: { $0.index == packet.track }) else { continue }
          log.withLock { log in
            guard track.isVideo else {
              log.audioPackets += 1
              return
            }
            log.videoFrames += 1
            log.size = track.format.map(CMVideoFormatDescriptionGetDimensions) ?? log.size
            // An IDR picture, perhaps behind parameter sets.
            if isFirst { log.firstIsKey.append(packet.bytes.contains(0x65) || packet.bytes.contains(0x25)) }
            isFirst = false
          }
        }
      }
    }
  }

  func hangUp() { isOver.withLock { $0 = true } }

  func wait(_ condition: (Log) -> Bool) -> Bool {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 40_000_000_000)
    return log.wait(until: deadline, for: condition, then: { _ in true }) ?? false
  }

  var now: Log { log.withLock { $0 } }
}

/// A port that nothing listens at.
private enum FreePort {
  static func find() throws -> UInt16 {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, size) == 0 && getsockname(number, $0, &size) == 0
      }
    }
    try #require(isBound)
    return UInt16(bigEndian: place.sin_port)
  }
}

extension DeviceSuites {
  @Suite("Streams to a media server")
  struct LiveStreams {
    private func session(_ preset: AVCaptureSession.Preset = .vga640x480) throws -> AVCaptureSession {
      SimulatedDevices.install()
      let session = AVCaptureSession()
      session.sessionPreset = preset
      session.addInput(try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .video))))
      session.addInput(try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .audio))))
      return session
    }

    @Test func `picture and sound arrive, and again after the server was away, begun by a key frame`() throws
    {
      let server = try MediaServer()
      defer { server.hangUp() }
      server.serve(key: "s3cret")
      let session = try session()
      defer {
        session.stopRunning()
        SimulatedDevices.uninstall()
      }
      let reports = Monitor<[LiveStream.Report]>([])
      var settings = LiveStream.Settings()
      settings.secret = "s3cret"
      settings.bitRate = 400_000
      let stream = try LiveStream(to: server.address, settings: settings) { report in
        reports.withLock { $0.append(report) }
      }
      stream.add(to: session)
      session.startRunning()
      stream.start()
      #expect(server.wait { $0.videoFrames >= 20 && $0.audioPackets >= 10 })
      #expect(server.now.size.width == 480 && server.now.size.height == 640)
      server.hangUp()
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 40_000_000_000)
      let isLost =
        reports.wait(
          until: deadline,
          for: { $0.contains { if case .disconnected = $0 { true } else { false } } }, then: { _ in true })
        ?? false
      #expect(isLost)
      let frames = server.now.videoFrames
      server.serve(key: "s3cret")
      #expect(server.wait { $0.connections >= 2 && $0.videoFrames >= frames + 20 })
      #expect(server.now.firstIsKey.allSatisfy { $0 })
      stream.stop()
      let sent = stream.statistics
      #expect(sent.connections >= 2 && sent.frames >= 40 && sent.droppedFrames > 0 && sent.bytes > 0)
      #expect(!"\(reports.withLock { $0 })".contains("s3cret"))
    }

    @Test func `a server that is not there is said, and the camera goes on`() throws {
      let session = try session()
      defer {
        session.stopRunning()
        SimulatedDevices.uninstall()
      }
      let reports = Monitor<[LiveStream.Report]>([])
      let address = try #require(URL(string: "rtmp://127.0.0.1:\(FreePort.find())/live"))
      let stream = try LiveStream(to: address) { report in reports.withLock { $0.append(report) } }
      stream.add(to: session)
      session.startRunning()
      stream.start()
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 40_000_000_000)
      let some = reports.wait(until: deadline, for: { $0.count >= 2 }, then: { $0 }) ?? []
      #expect(
        some.allSatisfy {
          if case .disconnected(let reason, _) = $0 { reason == "nothing listens there" } else { false }
        }, "\(some)")
      #expect(session.isRunning)
      stream.stop()
    }

    @Test func `pictures that there was no time to code are counted apart`() throws {
      let session = try session()
      defer { SimulatedDevices.uninstall() }
      let address = try #require(URL(string: "rtmp://127.0.0.1:\(FreePort.find())/live"))
      let stream = try LiveStream(to: address)
      stream.add(to: session)
      stream.start()
      let video = try #require(stream.videoOutput.connection(with: .video))
      let audio = try #require(stream.audioOutput.connection(with: .audio))
      let sample = try CMSampleBuffer(
        dataBuffer: nil, formatDescription: nil, numSamples: 0, sampleTimings: [], sampleSizes: [])
      for _ in 0..<2 { stream.captureOutput(stream.videoOutput, didDrop: sample, from: video) }
      stream.captureOutput(stream.audioOutput, didDrop: sample, from: audio)
      #expect(stream.statistics.lateFrames == 2 && stream.statistics.droppedFrames == 0)
      stream.stop()
    }

    @Test(arguments: LiveStream.Container.allCases)
    func `a descriptor gets a stream that other programs read, and that stands upright`(
      _ container: LiveStream.Container
    ) throws {
      let video = try piped(container)
      let size = try CMVideoFormatDescriptionGetDimensions(#require(video.format))
      #expect(size.width == 480 && size.height == 640)
    }

    @Test func `a stream whose pictures are not turned keeps the sensor's shape`() throws {
      var settings = LiveStream.Settings()
      settings.isLevel = false
      let size = try CMVideoFormatDescriptionGetDimensions(#require(piped(.mkv, settings).format))
      #expect(size.width == 640 && size.height == 480)
    }

    /// The video of a stream with sound that a phone's camera sent into a file.
    private func piped(
      _ container: LiveStream.Container, _ settings: LiveStream.Settings = LiveStream.Settings()
    ) throws -> MovieFile.Track {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).bin")
        .path
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
      try #require(descriptor >= 0)
      defer {
        close(descriptor)
        unlink(path)
      }
      let session = try session()
      defer { SimulatedDevices.uninstall() }
      let stream = LiveStream(toDescriptor: descriptor, container: container, settings: settings)
      stream.add(to: session)
      // Each frame that the session delivers may be the one after which enough were sent.
      let (changes, counter, output) = (Changes(), FrameCounter(), AVCaptureVideoDataOutput())
      counter.onFrame = { changes.note() }
      counter.watch(output)
      session.addOutput(output)
      session.startRunning()
      stream.start()
      #expect(changes.wait { stream.statistics.frames >= 20 })
      session.stopRunning()
      stream.stop()
      let movie = try MovieFile(path: path)
      #expect(Set(movie.tracks.map(\.mediaType)) == [kCMMediaType_Video, kCMMediaType_Audio])
      let video = try #require(movie.tracks.first { $0.mediaType == kCMMediaType_Video })
      let reader = try TrackReader(path: path, track: video)
      var count = 0
      while try reader.next() != nil { count += 1 }
      #expect(count >= 20)
      return video
    }

    @Test(arguments: [
      "ftp://server/live", "rtmp:///live", "rtmp://me:s3cret@server/live", "file:///tmp/a.flv",
    ])
    func `an address that nothing can be sent to is refused, and no sentence holds a secret`(_ text: String)
      throws
    {
      let address = try #require(URL(string: text))
      let error = #expect(throws: LiveStreamError.self) { try LiveStream(to: address) }
      #expect(error?.description.contains("s3cret") == false)
    }

    @Test func `settings that the protocol cannot carry are refused`() throws {
      var settings = LiveStream.Settings()
      settings.codec = .hevc
      let rtmp = try #require(URL(string: "rtmp://server/live"))
      #expect(throws: LiveStreamError.self) { try LiveStream(to: rtmp, settings: settings) }
      settings.secret = "short"
      let srt = try #require(URL(string: "srt://server:9000"))
      let error = #expect(throws: LiveStreamError.self) { try LiveStream(to: srt, settings: settings) }
      #expect(error?.description.contains("short") == false)
    }
  }
}
