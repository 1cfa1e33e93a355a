import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import MovieTools
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("AVCaptureMultiCamSession: one of its cameras is lost")
  struct MultiCamLossTests {
    /// Two cameras that record into a file each.
    private struct Pair {
      let stage: MovieStage
      let session = AVCaptureMultiCamSession()
      let news: SessionNews
      let inputs: [AVCaptureDeviceInput]
      let outputs = [AVCaptureMovieFileOutput(), AVCaptureMovieFileOutput()]
      let logs = [RecordingLog(), RecordingLog()]

      init(faults: [SceneFault] = []) throws {
        stage = try MovieStage(faults: faults, hasCamera: false, hasMicrophone: false)
        news = SessionNews(session)
        inputs = try ["movie.back", "movie.front"].map { id in
          try AVCaptureDeviceInput(device: #require(AVCaptureDevice(uniqueID: id)))
        }
        session.beginConfiguration()
        for (input, output) in zip(inputs, outputs) {
          session.addInputWithNoConnections(input)
          session.addOutputWithNoConnections(output)
          session.addConnection(AVCaptureConnection(inputPorts: [input.ports[0]], output: output))
        }
        session.commitConfiguration()
      }

      func record() {
        for (index, output) in outputs.enumerated() {
          output.startRecording(to: url(index), recordingDelegate: logs[index])
        }
      }

      func url(_ index: Int) -> URL { stage.url("\(index).mov") }

      func isActive(_ index: Int) -> Bool { outputs[index].connection(with: .video)?.isActive ?? false }

      /// Ends the recording of the back camera, and returns how many frames it has.
      func finish() throws -> Int {
        outputs[0].stopRecording()
        #expect(logs[0].wait(for: "finished 0.mov") && logs[0].lastError == nil)
        return try WrittenMovie(url(0)).stamps.count
      }
    }

    @Test func `a camera that stands still ends its recording, and the other one's goes on`() throws {
      let pair = try Pair(faults: [SceneFault(.stall(seconds: 60), at: 1, device: "movie.front")])
      pair.session.startRunning()
      pair.record()
      pair.stage.pass(frames: 200)
      #expect(pair.news.wait(for: "error") && pair.logs[1].wait(for: "finished 1.mov"))
      #expect(pair.news.lastError?.code == .noDataCaptured)
      #expect(pair.news.lastError?.device === pair.inputs[1].device)
      #expect(pair.logs[1].lastError?.code == .noDataCaptured)
      #expect(!pair.isActive(1) && pair.isActive(0) && pair.session.isRunning)
      #expect(try WrittenMovie(pair.url(1)).stamps.count >= 28)
      pair.stage.pass(frames: 40)
      // The client's answer to the error; it costs the other camera no frame.
      pair.session.startRunning()
      #expect(pair.isActive(1) && pair.session.isRunning)
      pair.stage.pass(frames: 20)
      #expect(abs(try pair.finish() - 260) <= 1)
      #expect(pair.news.all == ["isRunning true", "started", "error"])
      pair.session.stopRunning()
    }

    @Test
    func
      `a camera that is unplugged leaves the other one, also over a stop, and comes back where that was asked for`()
      throws
    {
      let pair = try Pair()
      pair.session.startsAgainWhenDevicesReturn = true
      let simulated = try #require(
        pair.stage.provider.devices().first { $0.facts.uniqueID == "movie.front" } as? SimulatedDevice)
      pair.session.startRunning()
      pair.record()
      pair.stage.pass(frames: 10)
      simulated.unplug()
      #expect(pair.news.wait(for: "error") && pair.logs[1].wait(for: "finished 1.mov"))
      #expect(pair.news.lastError?.code == .deviceWasDisconnected)
      #expect(pair.logs[1].lastError?.code == .deviceWasDisconnected)
      pair.stage.pass(frames: 20)
      #expect(!pair.isActive(1) && pair.isActive(0))
      #expect(abs(try pair.finish() - 30) <= 1)
      pair.session.stopRunning()
      pair.session.startRunning()
      #expect(pair.session.isRunning && !pair.isActive(1))
      simulated.plugIn()
      pair.stage.clock.settle()
      #expect(pair.isActive(1))
      pair.session.stopRunning()
    }

    @Test func `two cameras that are lost one after the other end the session with the second`() throws {
      let pair = try Pair(faults: [
        SceneFault(.stall(seconds: 60), at: 1, device: "movie.front"),
        SceneFault(.stall(seconds: 60), at: 2, device: "movie.back"),
      ])
      pair.session.startRunning()
      pair.stage.pass(frames: 190)
      #expect(pair.news.wait(for: "error"))
      pair.session.events.sync {}
      #expect(pair.session.isRunning)
      pair.stage.pass(frames: 60)
      #expect(pair.news.wait(for: "stopped"))
      #expect(pair.news.all == ["isRunning true", "started", "error", "error", "isRunning false", "stopped"])
    }
  }
}
