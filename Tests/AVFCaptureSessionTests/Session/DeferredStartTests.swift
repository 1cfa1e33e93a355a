import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing
import Waiting

/// Writes down what the delegate of a deferred start hears, and may do something meanwhile.
final class DeferredStartLog: AVCaptureSessionDeferredStartDelegate, Sendable {
  let queue = DispatchQueue(label: "deferred-start")
  private let list = Monitor<[String]>([])
  let inside = Hook<String>()

  /// What came until now; waits for the queue.
  var all: [String] {
    queue.sync {}
    return list.withLock { $0 }
  }

  private func note(_ word: String) {
    dispatchPrecondition(condition: .onQueue(queue))
    inside.call(word)
    list.withLock { $0.append(word) }
  }

  func sessionWillRunDeferredStart(_ session: AVCaptureSession) { note("will") }
  func sessionDidRunDeferredStart(_ session: AVCaptureSession) { note("did") }
}

extension DeviceSuites {
  @Suite("Deferred start")
  struct DeferredStart {
    // MARK: Values

    @Test func `photo and file outputs are deferred at first, all others and layers are not`() {
      let session = AVCaptureSession()
      #expect(session.automaticallyRunsDeferredStart && session.isManualDeferredStartSupported)
      #expect(session.deferredStartDelegate == nil && session.deferredStartDelegateCallbackQueue == nil)
      let deferred = [AVCapturePhotoOutput(), AVCaptureMovieFileOutput(), AVCaptureAudioFileOutput()]
      #expect(deferred.allSatisfy { $0.isDeferredStartSupported && $0.isDeferredStartEnabled })
      let others = [AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput(), AVCaptureMetadataOutput()]
      #expect(others.allSatisfy { $0.isDeferredStartSupported && !$0.isDeferredStartEnabled })
      let layer = AVCaptureVideoPreviewLayer()
      #expect(layer.isDeferredStartSupported && !layer.isDeferredStartEnabled)
      for output in deferred + others {
        output.isDeferredStartEnabled.toggle()
      }
      layer.isDeferredStartEnabled = true
      #expect(deferred.allSatisfy { !$0.isDeferredStartEnabled })
      #expect(others.allSatisfy { $0.isDeferredStartEnabled } && layer.isDeferredStartEnabled)
    }

    @Test func `what cannot be deferred says so, and to defer it is a mistake without effect`() {
      let depth = AVCaptureDepthDataOutput()
      #expect(!depth.isDeferredStartSupported && !depth.isDeferredStartEnabled)
      let mistakes = ProgrammingMistake.collect {
        depth.isDeferredStartEnabled = true
        depth.isDeferredStartEnabled = false
      }
      #expect(mistakes.count == 1 && mistakes[0].rule.contains("isDeferredStartSupported"))
      #expect(!depth.isDeferredStartEnabled)
    }

    @Test func `a delegate needs a queue, and a call by hand needs the manual mode`() {
      let session = AVCaptureSession()
      let log = DeferredStartLog()
      let mistakes = ProgrammingMistake.collect {
        session.setDeferredStartDelegate(log, deferredStartDelegateCallbackQueue: nil)
        session.runDeferredStartWhenNeeded()
      }
      #expect(mistakes.count == 2 && mistakes[1].rule.contains("automaticallyRunsDeferredStart"))
      #expect(session.deferredStartDelegate == nil)
      session.setDeferredStartDelegate(log, deferredStartDelegateCallbackQueue: log.queue)
      #expect(
        session.deferredStartDelegate === log && session.deferredStartDelegateCallbackQueue === log.queue)
      session.setDeferredStartDelegate(nil, deferredStartDelegateCallbackQueue: nil)
      #expect(session.deferredStartDelegate == nil && session.deferredStartDelegateCallbackQueue == nil)
      session.automaticallyRunsDeferredStart = false
      #expect(!session.automaticallyRunsDeferredStart)
      #expect(ProgrammingMistake.collect { session.runDeferredStartWhenNeeded() }.isEmpty)
    }

    // MARK: Automatic

    @Test func `the first shown frame comes before the microphone and the history of photos`() throws {
      let stage = try DeferredStartStage()
      let atFirstFrame = Locked<[Bool]>([])
      stage.layer.frames.setFrameHandler { [microphone = try stage.stage.simulated(.stageMicrophone)] in
        let isFree = (try? microphone.openStream(.audio())) != nil
        atFirstFrame.withLock { if $0.isEmpty { $0.append(isFree) } }
      }
      stage.session.startRunning()
      #expect(stage.layer.frames.takeNewest() == nil && stage.history == nil)
      #expect(try !stage.isMicrophoneOpen)
      #expect(stage.photos.isZeroShutterLagSupported && stage.photos.isZeroShutterLagEnabled)
      #expect(stage.log.all == [])
      stage.stage.pass(frames: 1)
      #expect(stage.layer.frames.takeNewest() != nil && stage.layer.isPreviewing)
      #expect(atFirstFrame.withLock { $0 } == [true])
      #expect(stage.log.all == ["will", "did"])
      #expect(try stage.isMicrophoneOpen)
      // The frame on show is one that a photo may be of.
      #expect(stage.history?.usage.frames == 1)
      stage.stage.pass(frames: 10)
      #expect(stage.history?.usage.frames == 6)
      #expect(stage.log.all == ["will", "did"])
      #expect(stage.layer.frames.statistics.dropped == 0 || stage.layer.frames.statistics.captured == 11)
    }

    @Test func `outputs that are not deferred are waited for, each until its first sample`() throws {
      let stage = try DeferredStartStage(faults: [
        SceneFault(.slowStart(milliseconds: 300), device: "stage.microphone")
      ])
      let pictures = RecordingVideoDelegate(), sound = AudioCounter()
      let video = AVCaptureVideoDataOutput(), audio = AVCaptureAudioDataOutput(),
        unused = AVCaptureVideoDataOutput()
      video.setSampleBufferDelegate(pictures, queue: DispatchQueue(label: "pictures"))
      audio.setSampleBufferDelegate(sound, queue: DispatchQueue(label: "sound"))
      stage.session.beginConfiguration()
      for output in [video, audio, unused] { stage.session.addOutput(output) }
      stage.session.commitConfiguration()
      stage.session.startRunning()
      stage.stage.pass(frames: 8)
      #expect(pictures.count.withLock { $0 } == 8 && stage.log.all == [] && stage.history == nil)
      stage.stage.pass(frames: 2)
      #expect(audio.statistics.delivered > 0 && stage.log.all == ["will", "did"])
      #expect(stage.history != nil)
    }

    @Test(arguments: [true, false])
    func `the same value everywhere defers nothing`(isDeferred: Bool) throws {
      let stage = try DeferredStartStage()
      stage.session.beginConfiguration()
      for output in stage.session.outputs { output.isDeferredStartEnabled = isDeferred }
      stage.layer.isDeferredStartEnabled = isDeferred
      stage.session.commitConfiguration()
      stage.session.startRunning()
      #expect(try stage.isMicrophoneOpen)
      #expect(stage.history != nil)
      stage.stage.pass(frames: 2)
      #expect(stage.history?.usage.frames == 2 && stage.log.all == [])
    }

    @Test func `a deferred data output and a second layer get their first frame after the other's`() throws {
      let stage = try DeferredStartStage()
      let second = AVCaptureVideoPreviewLayer(session: stage.session)
      let delegate = RecordingVideoDelegate()
      let data = AVCaptureVideoDataOutput()
      data.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "data"))
      stage.session.beginConfiguration()
      second.isDeferredStartEnabled = true
      data.isDeferredStartEnabled = true
      stage.session.addOutput(data)
      stage.session.commitConfiguration()
      stage.session.startRunning()
      stage.stage.pass(frames: 1)
      #expect(stage.layer.isPreviewing && !second.isPreviewing && delegate.count.withLock { $0 } == 0)
      stage.stage.pass(frames: 2)
      #expect(second.isPreviewing && delegate.count.withLock { $0 } == 2)
    }

    @Test func `a photo output that is added to a running preview is started with the commit`() throws {
      let stage = try DeferredStartStage()
      stage.session.removeOutput(stage.photos)
      stage.session.removeOutput(stage.movies)
      stage.session.startRunning()
      stage.stage.pass(frames: 2)
      #expect(stage.log.all == [])
      stage.session.addOutput(stage.photos)
      #expect(stage.history != nil && stage.log.all == ["will", "did"])
    }

    @Test func `another camera takes nothing back that was started`() throws {
      let stage = try DeferredStartStage()
      stage.session.startRunning()
      stage.stage.pass(frames: 3)
      stage.session.beginConfiguration()
      stage.session.removeInput(stage.session.inputs[0])
      stage.session.addInput(try AVCaptureDeviceInput(device: stage.stage.camera(SessionStage.front)))
      stage.session.commitConfiguration()
      #expect(stage.history != nil && stage.log.all == ["will", "did"])
      #expect(try stage.isMicrophoneOpen)
      stage.stage.pass(frames: 3)
      #expect(stage.history?.usage.frames ?? 0 > 1 && stage.log.all == ["will", "did"])
    }

    // MARK: By hand

    @Test func `by hand it runs when it is called for, once for each commit that holds something back`()
      throws
    {
      let stage = try DeferredStartStage()
      stage.session.automaticallyRunsDeferredStart = false
      stage.session.startRunning()
      stage.stage.pass(frames: 5)
      #expect(stage.log.all == [] && stage.history == nil)
      #expect(try !stage.isMicrophoneOpen)
      for _ in 0..<3 { stage.session.runDeferredStartWhenNeeded() }
      stage.stage.clock.settle()
      #expect(stage.log.all == ["will", "did"])
      #expect(stage.history != nil)
      stage.session.beginConfiguration()
      stage.session.sessionPreset = .photo
      stage.session.commitConfiguration()
      stage.session.runDeferredStartWhenNeeded()
      stage.session.removeOutput(stage.photos)
      stage.session.addOutput(stage.photos)
      #expect(stage.history == nil, "a new output")
      stage.session.runDeferredStartWhenNeeded()
      stage.stage.clock.settle()
      #expect(stage.history != nil)
      #expect(stage.log.all == ["will", "did", "will", "did"])
    }

    @Test func `asked for before the session runs, it runs with the start`() throws {
      let stage = try DeferredStartStage()
      stage.session.automaticallyRunsDeferredStart = false
      stage.session.runDeferredStartWhenNeeded()
      stage.session.startRunning()
      stage.stage.clock.settle()
      #expect(stage.log.all == ["will", "did"])
      stage.session.stopRunning()
      stage.session.startRunning()
      stage.stage.pass(frames: 3)
      #expect(stage.log.all == ["will", "did"] && stage.history == nil, "the next start asks anew")
      stage.session.automaticallyRunsDeferredStart = true
      stage.stage.clock.settle()
      #expect(stage.log.all.count == 4)
    }

    // MARK: Captures

    @Test(arguments: [true, false])
    func `no press is lost that comes before, and each makes it run`(isResponsive: Bool) throws {
      let stage = try DeferredStartStage()
      stage.session.beginConfiguration()
      stage.session.sessionPreset = .photo
      stage.session.automaticallyRunsDeferredStart = false
      stage.photos.isResponsiveCaptureEnabled = isResponsive
      stage.session.commitConfiguration()
      stage.session.startRunning()
      stage.stage.pass(frames: 3)
      let shown = try #require(stage.layer.frames.takeNewest())
      for _ in 0..<3 { stage.press() }
      // A manual clock waits for photos that were pressed while it stood.
      stage.stage.pass(frames: 6)
      #expect(stage.photoDelegate.wait(for: 3))
      #expect(stage.photoDelegate.errors.withLock { $0 }.isEmpty)
      let numbers = stage.photoDelegate.photos.withLock { $0.compactMap(\.frameSequenceNumber) }
      #expect(numbers.first == shown.sequence, "the first is of the frame on show")
      #expect(Set(numbers).count == 3)
      #expect(stage.log.all == ["will", "did"] && stage.history != nil)
    }

    @Test func `a press before the first frame gets the first exposure`() throws {
      let stage = try DeferredStartStage()
      stage.session.startRunning()
      stage.press()
      stage.stage.pass(frames: 4)
      #expect(stage.photoDelegate.wait(for: 1))
      #expect(stage.photoDelegate.errors.withLock { $0 }.isEmpty)
      #expect(stage.photoDelegate.photos.withLock { $0.first?.frameSequenceNumber } == 0)
      #expect(stage.log.all == ["will", "did"])
    }

    @Test func `a movie that is begun before has every picture from the press on, and its sound`()
      async throws
    {
      let stage = try DeferredStartStage()
      stage.session.automaticallyRunsDeferredStart = false
      stage.session.startRunning()
      stage.stage.pass(frames: 2)
      stage.movies.startRecording(to: stage.url(), recordingDelegate: stage.recordingLog)
      stage.stage.pass(frames: 30)
      stage.movies.stopRecording()
      #expect(stage.recordingLog.wait(for: "finished movie.mov"))
      #expect(stage.recordingLog.errors.withLock { $0 }.isEmpty)
      #expect(stage.movies.recordedFrameCount == 30 && stage.movies.droppedFrameCount == 0)
      let asset = AVURLAsset(url: stage.url())
      let sound = try await #require(asset.loadTracks(withMediaType: .audio).first)
      #expect(try await sound.load(.timeRange).duration.seconds > 0.9)
      #expect(stage.log.all == ["will", "did"])
    }

    // MARK: What comes between

    @Test func `a session that stops before its deferred start calls no delegate, and defers again`() throws {
      let stage = try DeferredStartStage()
      for _ in 0..<2 {
        stage.session.startRunning()
        #expect(stage.history == nil && stage.photos.stillSource != nil)
        stage.session.stopRunning()
      }
      #expect(stage.log.all == [])
      stage.session.startRunning()
      stage.stage.pass(frames: 1)
      #expect(stage.log.all == ["will", "did"])
    }

    @Test func `a press just before the session stops is answered once`() throws {
      let stage = try DeferredStartStage()
      stage.session.automaticallyRunsDeferredStart = false
      for count in 1...20 {
        stage.session.startRunning()
        stage.press()
        stage.session.stopRunning()
        #expect(stage.photoDelegate.wait(for: count))
      }
      #expect(stage.photoDelegate.finishedCount.withLock { $0 } == 20)
    }

    @Test func `a camera that is unplugged before ends the session, and the press`() throws {
      let stage = try DeferredStartStage()
      stage.session.startRunning()
      try stage.stage.simulated(DeferredStartStage.camera).unplug()
      #expect(stage.stage.news.wait(for: "stopped"))
      #expect(stage.log.all == [])
      #expect(try !stage.isMicrophoneOpen)
    }

    @Test func `a camera whose shutter is closed at first is waited for`() throws {
      let stage = try DeferredStartStage(faults: [
        SceneFault(.privacy(seconds: 0.5), device: "deferred.camera")
      ])
      stage.session.startRunning()
      stage.stage.pass(frames: 10)
      #expect(stage.stage.news.wait(for: "interrupted"))
      #expect(stage.log.all == [] && stage.history == nil)
      stage.stage.pass(frames: 10)
      #expect(stage.stage.news.wait(for: "interruption ended"))
      stage.stage.clock.settle()
      #expect(stage.log.all == ["will", "did"])
      #expect(stage.history != nil)
    }

    @Test func `a microphone that cannot be had then takes no picture away`() throws {
      let stage = try DeferredStartStage()
      let other = try stage.stage.simulated(.stageMicrophone).openStream(.audio())
      stage.session.startRunning()
      #expect(stage.session.isRunning)
      stage.stage.pass(frames: 3)
      #expect(stage.log.all == ["will", "did"] && stage.history != nil)
      #expect(stage.layer.isPreviewing)
      withExtendedLifetime(other) {}
    }

    @Test func `a client may commit and stop while it runs`() throws {
      let stage = try DeferredStartStage()
      stage.log.inside.set { [session = stage.session, photos = stage.photos] word in
        guard word == "will" else { return }
        session.beginConfiguration()
        session.removeOutput(photos)
        session.addOutput(photos)
        session.commitConfiguration()
      }
      stage.session.startRunning()
      stage.stage.pass(frames: 4)
      // The commit may start the output once more, and says so by itself.
      stage.stage.clock.settle()
      #expect(stage.log.all.suffix(1) == ["did"] && stage.history != nil)
      stage.log.inside.set { [session = stage.session] word in if word == "will" { session.stopRunning() } }
      stage.session.stopRunning()
      let before = stage.log.all.count
      stage.session.startRunning()
      stage.stage.pass(frames: 2)
      stage.stage.clock.settle()
      #expect(!stage.session.isRunning)
      #expect(stage.log.all.count > before)
    }

    @Test func `the viewfinder loses no frame to it`() throws {
      let stage = try DeferredStartStage()
      let delegate = RecordingVideoDelegate()
      delegate.keepsBuffers.withLock { $0 = false }
      let data = AVCaptureVideoDataOutput()
      data.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "data"))
      stage.session.addOutput(data)
      stage.session.startRunning()
      stage.stage.pass(frames: 60)
      #expect(data.statistics.captured == 60 && data.statistics.delivered == 60)
      #expect(stage.log.all == ["will", "did"])
    }
  }
}
