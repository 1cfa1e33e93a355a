import AVFoundation
import CaptureStage
import CoreMedia
import Foundation
import Glibc
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  /// Only with `OBSCURA_STRESS=real`: it takes a minute of two cores.
  @Suite("Movies: real time")
  struct RealTimeRecordingStressTests {
    @Test(.enabled(if: StressCounts.isInRealTime, "needs a minute of two cores; set OBSCURA_STRESS=real"))
    func `1080p with sound is recorded for a minute without losing a frame`() throws {
      SimulatedDevices.install(scene: .builtIn, clock: .real)
      defer { SimulatedDevices.uninstall() }
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "movies-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let session = AVCaptureSession()
      session.sessionPreset = .hd1920x1080
      for type in [AVMediaType.video, .audio] {
        session.addInput(try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: type))))
      }
      let (output, log) = (AVCaptureMovieFileOutput(), RecordingLog())
      session.addOutput(output)
      session.startRunning()
      defer { session.stopRunning() }
      output.maxRecordedDuration = CMTime(value: 60, timescale: 1)
      let url = folder.appendingPathComponent("movie.mov")
      let start = cpuSeconds
      output.startRecording(to: url, recordingDelegate: log)
      #expect(log.wait(for: "started movie.mov"))
      // The wait is half a minute at most, and the recording a minute.
      #expect((0..<3).contains { _ in log.wait(for: "finished movie.mov") })
      print("1080p30 for a minute: \(cpuSeconds - start) s of CPU time, camera and scene included")
      #expect(log.lastError?.code == .maximumDurationReached)
      #expect(output.droppedFrameCount == 0)
      #expect(abs(output.recordedFrameCount - 1800) <= 1)
      let movie = try WrittenMovie(url, keepsAudio: false)
      let first = try #require(movie.stamps.first ?? nil)
      #expect(movie.stamps == movie.stamps.indices.map { first + UInt32($0) })
    }

    private var cpuSeconds: Double {
      var usage = rusage()
      getrusage(RUSAGE_SELF.rawValue, &usage)
      func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
      return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
  }
}
