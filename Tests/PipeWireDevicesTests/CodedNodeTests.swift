import CaptureDevice
import CoreMedia
import Foundation
import Glibc
import Linux
import PipeWireDevices
import PipeWireStage
import Testing

/// A program that offers H.264 as a camera: GStreamer.
private final class CodedSource: Sendable {
  static let isInstalled =
    PrivatePipeWire.isInstalled
    && ["pipewiresink", "x264enc"].allSatisfy { element in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/gst-inspect-1.0")
      // `--exists` says no of pipewiresink, whose plugin has another version than GStreamer.
      process.arguments = [element]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      guard (try? process.run()) != nil else { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    }

  private let process = Locked<Process?>(nil)

  init(_ stage: PrivatePipeWire) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/gst-launch-1.0")
    process.arguments = [
      "-q", "videotestsrc", "is-live=true", "!", "video/x-raw,width=320,height=240,framerate=30/1", "!",
      "x264enc", "tune=zerolatency", "key-int-max=10", "!",
      "video/x-h264,stream-format=byte-stream,alignment=au", "!", "pipewiresink", "mode=provide",
      "stream-properties=p,media.class=Video/Source,media.role=Camera,node.name=coded,node.description=Coded",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(stage.environment) { $1 }
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    self.process.withLock { $0 = process }
  }

  deinit {
    guard let process = process.withLock({ $0.take() }) else { return }
    // Children of a test's thread ignore gentler signals, which such threads block.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }
}

@Suite("H.264 of PipeWire", .enabled(if: CodedSource.isInstalled))
struct CodedNodeTests {
  @Test func `a node that sends H.264 alone is a camera, whose frames begin with a key frame and follow it`()
    throws
  {
    let pipewire = try PrivatePipeWire()
    try pipewire.start()
    let provider = PipeWireDeviceProvider(PipeWireServer(pipewire.environment), includesOwn: true)
    let changes = ListChanges(provider)
    let source = try CodedSource(pipewire)
    #expect(changes.wait(for: "+pipewire-coded"))
    let camera = try #require(provider.devices().first)
    let format = try #require(camera.facts.formats.first)
    #expect(format.encoding == .h264 && format.size == FrameSize(width: 320, height: 240))
    #expect(camera.facts.unreadableFormats.isEmpty)
    let stream = try camera.openStream(
      StreamConfiguration(format: format, frameDuration: FrameDuration(1, 30), bufferCount: 40))
    let pictures = Monitor<[(number: UInt32, picture: CodedPicture)]>([])
    try stream.start { event in
      guard case .frame(let frame) = event, case .coded(let picture) = frame.picture else { return }
      pictures.withLock { $0.append((frame.sequence, picture)) }
    }
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 60_000_000_000)
    let all = pictures.wait(until: deadline, for: { $0.count >= 25 }, then: { $0 }) ?? []
    stream.stop()
    try #require(all.count >= 25)
    #expect(all[0].picture.isKeyFrame)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.number < $1.number })
    // What follows a gap is a key frame.
    for (before, after) in zip(all, all.dropFirst()) where after.number != before.number &+ 1 {
      #expect(after.picture.isKeyFrame)
    }
    // Whole ones differ in size, and those that are cut off at a buffer's end do not.
    #expect(Set(all.map { $0.picture.data.dataLength }).count > 5)
    withExtendedLifetime(source) {}
  }
}
