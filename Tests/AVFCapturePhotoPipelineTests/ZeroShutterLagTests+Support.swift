import AVFoundation
import CaptureDevice
import CaptureStage
import Dispatch
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

// When it can be had, and what ends it.
extension DeviceSuites.ZeroShutterLag {
  @Test func `it is supported where past frames can be had, and only there switched on`() throws {
    #expect(!output.isZeroShutterLagSupported && !output.isZeroShutterLagEnabled)
    #expect(ProgrammingMistake.collect { output.isZeroShutterLagEnabled = true }.count == 1)
    var model = SimulatedDeviceModel.camera(stillSizes: [Self.small, Self.large])
    model.facts.capabilities.recalledFrames = 0
    let rig = try CaptureRig(model, preset: .photo)
    rig.session.beginConfiguration()
    rig.session.addOutput(output)
    // Between begin and commit, where clients ask.
    #expect(output.isZeroShutterLagSupported && output.isZeroShutterLagEnabled)
    rig.session.commitConfiguration()
    output.maxPhotoDimensions = CMVideoDimensions(width: 320, height: 240)
    #expect(!output.isZeroShutterLagSupported && !output.isZeroShutterLagEnabled)
    let mistakes = ProgrammingMistake.collect { output.isZeroShutterLagEnabled = true }
    #expect(mistakes.first?.rule.contains("isZeroShutterLagSupported") == true)
    output.maxPhotoDimensions = CMVideoDimensions(width: 160, height: 120)
    #expect(output.isZeroShutterLagEnabled)
  }

  @Test func `a driver with too few buffers keeps them for the viewfinder, and says so`() throws {
    let (rig, data) = try rig(faults: [SceneFault(.fewBuffers(count: 4))])
    #expect(!output.isZeroShutterLagSupported && !output.isZeroShutterLagEnabled)
    #expect(history == nil)
    rig.advance(frames: 20)
    #expect(data.statistics.captured == data.statistics.delivered)
  }

  @Test func `it survives what keeps it possible, and comes back after what does not`() throws {
    let (rig, data) = try rig()
    let session = rig.session
    func expectPast(_ what: String) throws {
      rig.advance(frames: 8)
      #expect(output.isZeroShutterLagEnabled, "\(what)")
      let newest = watch()
      rig.advance(frames: 1)
      let shown = newest.withLock { $0 }
      let number = try press(rig)
      #expect(number == shown, "\(what)")
    }
    session.sessionPreset = .high
    try expectPast("another preset")
    session.beginConfiguration()
    session.removeInput(rig.input)
    session.addInput(rig.input)
    session.commitConfiguration()
    try expectPast("the input taken out and put back")
    session.stopRunning()
    session.startRunning()
    try expectPast("a new start")
    session.removeOutput(data)
    session.addOutput(data)
    try expectPast("another viewfinder")
    session.removeOutput(output)
    #expect(!output.isZeroShutterLagEnabled)
    session.addOutput(output)
    try expectPast("the output taken out and put back")
    output.isZeroShutterLagEnabled = false
    session.sessionPreset = .photo
    #expect(!output.isZeroShutterLagEnabled)
    output.isZeroShutterLagEnabled = true
    try expectPast("off and on")
  }

  @Test func `adding photos to a running viewfinder costs it no frame`() throws {
    let rig = try CaptureRig(preset: .photo)
    let data = AVCaptureVideoDataOutput()
    viewfinder.keepsBuffers.withLock { $0 = false }
    data.setSampleBufferDelegate(viewfinder, queue: DispatchQueue(label: "viewfinder"))
    rig.session.addOutput(data)
    rig.session.startRunning()
    let newest = watch()
    rig.advance(frames: 3)
    rig.session.addOutput(output)
    rig.advance(frames: 8)
    #expect(newest.withLock { $0 } == 10)
    #expect(output.isZeroShutterLagEnabled)
    #expect(try press(rig) == 10)
  }

  @Test func `observers hear of it`() throws {
    let news = Monitor<[String]>([])
    let observations = [
      output.observe(\.isZeroShutterLagSupported, options: .new) { _, change in
        news.withLock { $0.append("supported \(change.newValue ?? false)") }
      },
      output.observe(\.isZeroShutterLagEnabled, options: .new) { _, change in
        news.withLock { $0.append("enabled \(change.newValue ?? false)") }
      },
    ]
    let (rig, _) = try rig()
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    #expect(news.wait(until: deadline, for: { $0.count >= 2 }, then: { $0.count }) == 2)
    output.isZeroShutterLagEnabled = false
    rig.session.removeOutput(output)
    let all = news.wait(until: deadline, for: { $0.count >= 4 }, then: { $0 })
    #expect(all == ["supported true", "enabled true", "enabled false", "supported false"])
    withExtendedLifetime(observations) {}
  }

  @Test func `what a client sets while news are under way is the last that observers hear`() throws {
    let news = Monitor<[Bool]>([])
    let output = output
    let observations = [
      // Called before it is reported that zero shutter lag is on.
      output.observe(\.isZeroShutterLagSupported, options: .new) { output, change in
        if change.newValue == true { output.isZeroShutterLagEnabled = false }
      },
      output.observe(\.isZeroShutterLagEnabled, options: .new) { _, change in
        news.withLock { $0.append(change.newValue ?? true) }
      },
    ]
    let (rig, _) = try rig()
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    #expect(news.wait(until: deadline, for: { !$0.isEmpty }, then: { $0.last }) == false)
    #expect(!output.isZeroShutterLagEnabled)
    // The callback queue is serial: with the next news, all earlier news have been reported.
    let support = Monitor(false)
    let end = output.observe(\.isZeroShutterLagSupported, options: .new) { _, change in
      support.withLock { $0 = change.newValue == false }
    }
    rig.session.removeOutput(output)
    #expect(support.wait(until: deadline, for: { $0 }, then: { $0 }) == true)
    #expect(news.withLock { $0 } == [false])
    withExtendedLifetime(end) {}
    withExtendedLifetime(observations) {}
  }

  @Test(arguments: ["stop", "unplug", "remove", "disable", "interrupt"])
  func `whatever ends the stream gives the frames back`(end: String) throws {
    let (rig, _) = try rig(faults: end == "interrupt" ? [SceneFault(.privacy(seconds: 60), at: 1)] : [])
    let history = try #require(history)
    #expect(history.usage.frames == 6)
    switch end {
    case "stop": rig.session.stopRunning()
    case "unplug": rig.provider.device("simulated.test")?.unplug()
    case "remove": rig.session.removeOutput(output)
    case "disable": output.connection(with: .video)?.isEnabled = false
    default: break
    }
    rig.advance(frames: 30)
    #expect(history.usage.frames == 0, "\(end)")
  }
}
