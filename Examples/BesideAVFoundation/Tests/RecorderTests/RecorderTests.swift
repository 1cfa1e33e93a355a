import AVFoundation
import Combine
import PortableLog
import Recorder
import Testing
import UniformTypeIdentifiers

#if canImport(SimulatedDevices)
  import SimulatedDevices

  @Suite(.serialized, .timeLimit(.minutes(2)))
  struct RecorderTests {
    @Test func `a view follows a recording by its published properties`() async throws {
      let clock = SimulatedClock()
      SimulatedDevices.install(scene: .builtIn, clock: clock)
      let recorder = Recorder()
      try recorder.configure()
      recorder.start()
      _ = await recorder.$isSessionRunning.values.first { $0 }

      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      recorder.record(in: folder)
      while !recorder.isRecording { clock.advance(by: .milliseconds(33)) }
      clock.advance(by: .seconds(2))
      let seconds = await recorder.$recordedSeconds.values.first { $0 >= 1 }
      #expect(try #require(seconds) >= 1)

      recorder.zoomFactor = 1.5
      recorder.zoomFactor = 2
      while recorder.zoomOfCamera == 1 { clock.advance(by: .milliseconds(33)) }
      #expect(recorder.zoomOfCamera == 2)

      let finished = AsyncThrowingStream<URL, any Error>.makeStream()
      let kept = recorder.finished.sink(
        receiveCompletion: { completion in
          if case .failure(let error) = completion { finished.continuation.finish(throwing: error) }
        },
        receiveValue: { finished.continuation.yield($0) })
      recorder.finish()
      let url = try #require(try await finished.stream.first { _ in true })
      kept.cancel()
      #expect(UTType(filenameExtension: url.pathExtension) == .quickTimeMovie)
      #expect(try await AVURLAsset(url: url).load(.duration).seconds >= 1)
      #expect(!recorder.isRecording)
      recorder.stop()
    }

    @Test func `a code in a picture's file is read`() throws {
      let generator = try #require(CIFilter(name: "CIQRCodeGenerator"))
      generator.setValue(Data("obscura".utf8), forKey: "inputMessage")
      let code = try #require(generator.outputImage).transformed(by: CGAffineTransform(scaleX: 8, y: 8))
      let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
      let file = try #require(
        CIContext().pngRepresentation(of: code, format: .RGBA8, colorSpace: space, options: [:]))
      #expect(try StillScanner().payloads(of: file) == ["obscura"])
    }

    @Test func `a package that takes none of these modules does not see them`() {
      #expect(!PortableLog.usesSystemLog)
      #expect(!Imports.combine && !Imports.coreLocation && !Imports.uniformTypeIdentifiers)
      PortableLog().write("A line of another package.")
    }
  }
#endif
