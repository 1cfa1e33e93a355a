import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import SeededNumbers
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  /// `OBSCURA_STRESS=1 swift test -c release --filter Stress` runs the full count.
  @Suite("Stress: recordings asked for as something ends")
  struct RecordingRequestsStressTests {
    /// A disturbance beside a request.
    enum Disturbance: String, CaseIterable, Sendable {
      case unplug, unplugMicrophone, removeInput, removeOutput, stopRunning, second, release, releaseInCommit
    }

    @Test(arguments: Disturbance.allCases)
    func `every request has its last call, once`(_ what: Disturbance) throws {
      let stage = try FleetingRecording()
      var dice = SeededGenerator(seed: 7)
      let mover = ClockMover(stage.clock)
      defer { mover.end() }
      let count = StressCounts.count(60, small: 6)
      var names: [String] = []
      for round in 0..<count {
        let output = AVCaptureMovieFileOutput()
        try stage.start(output)
        let name = "\(what.rawValue)-\(round)"
        if what == .second { names.append(name + "-b.mov") }
        names.append(name + ".mov")
        let spins = (0..<2).map { _ in Int.random(in: 0..<3_000, using: &dice) }
        DispatchQueue.concurrentPerform(iterations: 2) { index in
          var own = SeededGenerator(seed: UInt64(round))
          for _ in 0..<spins[index] { _ = own.next() }
          if index == 0 {
            // Without a connection it is a mistake, of which the delegate hears all the same.
            _ = ProgrammingMistake.collect {
              output.startRecording(to: stage.url(name + ".mov"), recordingDelegate: stage.log)
            }
          } else {
            disturb(what, stage, output, name)
          }
        }
        // What goes on is stopped by its client.
        output.stopRecording()
        for name in names.suffix(what == .second ? 2 : 1) {
          try #require(stage.log.wait(for: "finished \(name)"))
        }
        #expect(!output.isRecording)
        stage.withSession { $0.stopRunning() }
        stage.letGo()
        for id in ["movie.back", "stage.microphone"] { device(id, stage)?.plugIn() }
      }
      for name in names { #expect(stage.log.wait(for: "finished \(name)")) }
      let all = stage.log.all
      for name in names {
        #expect(all.count { $0 == "finishing \(name)" } == 1 && all.count { $0 == "finished \(name)" } == 1)
      }
    }

    private func device(_ id: String, _ stage: FleetingRecording) -> SimulatedDevice? {
      stage.provider.device(id)
    }

    private func disturb(
      _ what: Disturbance, _ stage: FleetingRecording, _ output: AVCaptureMovieFileOutput, _ name: String
    ) {
      switch what {
      case .unplug: device("movie.back", stage)?.unplug()
      case .unplugMicrophone: device("stage.microphone", stage)?.unplug()
      case .removeInput: stage.withSession { session in session.removeInput(session.inputs[0]) }
      case .removeOutput: stage.withSession { $0.removeOutput(output) }
      case .stopRunning: stage.withSession { $0.stopRunning() }
      case .second: output.startRecording(to: stage.url(name + "-b.mov"), recordingDelegate: stage.log)
      case .release: stage.letGo()
      case .releaseInCommit:
        stage.withSession { session in
          session.beginConfiguration()
          session.removeOutput(output)
        }
        stage.letGo()
      }
    }

    @Test func `sessions that are let go while they record leave whole movies`() throws {
      let stage = try FleetingRecording()
      let count = StressCounts.count(50, small: 5)
      for round in 0..<count {
        let output = AVCaptureMovieFileOutput()
        try stage.start(output)
        output.startRecording(to: stage.url("\(round).mov"), recordingDelegate: stage.log)
        stage.pass(frames: 5 + round % 7)
        stage.letGo()
      }
      for round in 0..<count {
        #expect(stage.log.wait(for: "finished \(round).mov"))
        #expect(try WrittenMovie(stage.url("\(round).mov")).stamps.count == 5 + round % 7)
      }
      #expect(stage.log.all.count { $0.hasPrefix("finished") } == count)
    }
  }
}
