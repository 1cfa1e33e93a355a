import AVFoundation
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Setting delegates")
  struct DelegateSettingTests {
    private let middle = CGPoint(x: 0.5, y: 0.5)

    /// Calls `again` on another thread, all the time, while `frames` come.
    private func hammer(_ stage: CodeStage, frames: Int, _ again: @escaping @Sendable () -> Void) {
      let isOver = Locked(false)
      let calls = Monitor(0)
      let ended = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        while !isOver.withLock({ $0 }) {
          again()
          calls.withLock { $0 += 1 }
        }
        ended.signal()
      }
      for _ in 0..<frames {
        let before = calls.withLock { $0 }
        #expect(calls.wait { $0 != before })
        stage.rig.advance(frames: 1)
      }
      isOver.withLock { $0 = true }
      ended.wait()
    }

    @Test func `a delegate for metadata that is set anew all the time misses nothing`() throws {
      let stage = try CodeStage([CodeStage.code("again", at: middle)])
      stage.output.metadataObjectTypes = [.qr]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      let before = stage.listener.texts.count
      let (output, listener) = (stage.output, stage.listener)
      hammer(stage, frames: 20) {
        output.setMetadataObjectsDelegate(listener, queue: listener.queue)
        output.metadataObjectTypes = [.qr]
        output.rectOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)
      }
      #expect(stage.listener.texts.count - before == 20)
      #expect(stage.listener.texts.allSatisfy { $0 == ["again"] })
    }

    /// Sets the delegate for metadata while frames are being searched: the search is what asks for the changed picture.
    private func replace(on stage: CodeStage, _ next: @escaping @Sendable (_ frame: Int) -> CodeListener?) {
      let (output, frames, turn) = (stage.output, Locked(0), HueTurn())
      stage.rig.input.setPictureChange(pixelFormats: HueTurn.formats) { picture, target, time in
        turn.change(picture, target, time)
        let frame = frames.withLock { frames in
          defer { frames += 1 }
          return frames
        }
        if let listener = next(frame) { output.setMetadataObjectsDelegate(listener, queue: listener.queue) }
      }
    }

    @Test func `a new delegate for metadata gets what is found in the frame under way, the old one nothing`()
      throws
    {
      let stage = try CodeStage([CodeStage.code("under way", at: middle)])
      let listeners = (0..<12).map { _ in CodeListener() }
      // The first two frames are the stage's own listener's, then each one is another's.
      replace(on: stage) { listeners.indices.contains($0 - 2) ? listeners[$0 - 2] : nil }
      stage.output.metadataObjectTypes = [.qr]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 14)
      #expect(stage.listener.texts == [["under way"], ["under way"]])
      #expect(listeners.dropLast().map(\.texts) == Array(repeating: [["under way"]], count: 11))
    }

    @Test func `a new delegate for metadata does not hear that what another one saw is gone`() throws {
      var heard: [[[String]]] = []
      for change in 1..<9 {
        var layer = try CodeStage.code("soon gone", at: middle)
        layer.to = 0.15
        let stage = try CodeStage([layer])
        let listener = CodeListener()
        replace(on: stage) { $0 == change ? listener : nil }
        stage.output.metadataObjectTypes = [.qr]
        stage.rig.session.startRunning()
        stage.rig.advance(frames: 12)
        #expect(stage.listener.texts.first == ["soon gone"])
        heard.append(listener.texts)
      }
      #expect(heard.allSatisfy { $0.first != [] })
      #expect(heard.contains([]) && heard.contains([["soon gone"], []]))
    }

    @Test func `a delegate for frames that is set anew all the time misses nothing`() throws {
      let stage = try CodeStage([])
      let data = AVCaptureVideoDataOutput()
      let recorder = RecordingVideoDelegate()
      recorder.keepsBuffers.withLock { $0 = false }
      let queue = DispatchQueue(label: "frames")
      data.setSampleBufferDelegate(recorder, queue: queue)
      stage.rig.session.addOutput(data)
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      let before = recorder.count.withLock { $0 }
      hammer(stage, frames: 40) { data.setSampleBufferDelegate(recorder, queue: queue) }
      #expect(recorder.count.withLock { $0 } - before == 40)
    }

    @Test func `a delegate of synchronized data that is set anew all the time misses nothing`() throws {
      let stage = try CodeStage([])
      let data = AVCaptureVideoDataOutput()
      stage.rig.session.addOutput(data)
      let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [data])
      let counter = CollectionCounter()
      let queue = DispatchQueue(label: "collections")
      synchronizer.setDelegate(counter, queue: queue)
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      let before = counter.count.withLock { $0 }
      hammer(stage, frames: 40) { synchronizer.setDelegate(counter, queue: queue) }
      #expect(counter.count.withLock { $0 } - before == 40)
    }

    @Test func `with another queue, or after none, the same delegate is called there`() throws {
      let stage = try CodeStage([])
      let data = AVCaptureVideoDataOutput()
      let recorder = RecordingVideoDelegate()
      recorder.keepsBuffers.withLock { $0 = false }
      let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
      data.setSampleBufferDelegate(recorder, queue: first)
      stage.rig.session.addOutput(data)
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      data.setSampleBufferDelegate(recorder, queue: second)
      #expect(data.sampleBufferCallbackQueue === second)
      let before = recorder.count.withLock { $0 }
      first.suspend()
      stage.rig.advance(frames: 2)
      first.resume()
      #expect(recorder.count.withLock { $0 } == before + 2)
      data.setSampleBufferDelegate(nil, queue: nil)
      stage.rig.advance(frames: 2)
      #expect(recorder.count.withLock { $0 } == before + 2)
      data.setSampleBufferDelegate(recorder, queue: first)
      stage.rig.advance(frames: 2)
      #expect(recorder.count.withLock { $0 } == before + 4)
    }
  }
}

private final class CollectionCounter: NSObject, AVCaptureDataOutputSynchronizerDelegate, Sendable {
  let count = Locked(0)

  func dataOutputSynchronizer(
    _ synchronizer: AVCaptureDataOutputSynchronizer,
    didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
  ) {
    count.withLock { $0 += 1 }
  }
}
