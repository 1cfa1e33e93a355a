import ALSADevices
import CaptureDevice
import CaptureDeviceTesting
import CoreMedia
import Glibc
import Linux
import Testing
import Waiting

@Suite("ALSA: streams")
struct MicrophoneStreamTests {
  private let mono = AudioStreamFormat(rate: 48_000, channels: 1)
  private let stereo = AudioStreamFormat(rate: 48_000, channels: 2)

  /// A moment some seconds ago, so that no stamp of a test lies ahead.
  private let begin = MonotonicInstant.now.nanoseconds - 5_000_000_000

  /// Feeds a hundredth of a second, its last sample taken `index + 1` hundredths after the begin.
  private func feed(_ library: ScriptedAudioLibrary, _ index: Int64, frames: Int = 480) {
    library.feed(frames, at: begin + (index + 1) * 10_000_000)
  }

  @Test func `audio comes in hundredths of a second, in order, with the device's times`() throws {
    let library = ScriptedAudioLibrary([.usb()])
    let stream = try library.microphone().open(mono)
    let log = AudioLog()
    try stream.start(log.receive)
    for index in 0..<5 {
      feed(library, Int64(index))
      #expect(log.wait { $0.chunks.count == index + 1 })
    }
    stream.stop()
    let seen = log.now
    #expect(seen.order == [0, 1, 2, 3, 4] && seen.failure == nil)
    #expect(seen.chunks.map(\.timestamp.nanoseconds) == (0..<5).map { begin + $0 * 10_000_000 })
    #expect(seen.chunks.flatMap(\.values) == (0..<2400).map { Int16($0) })
    #expect(seen.chunks.allSatisfy { $0.sampleRate == 48_000 && $0.channels == 1 && $0.frameCount == 480 })
    #expect(stream.diagnosis.captured == 5 && stream.diagnosis.delivered == 5)
  }

  @Test func `several hundredths that come at once are several chunks, and a rest waits`() throws {
    let library = ScriptedAudioLibrary([.usb()])
    let stream = try library.microphone().open(stereo)
    let log = AudioLog()
    try stream.start(log.receive)
    library.feed(1500, at: begin)
    #expect(log.wait { $0.chunks.count == 3 })
    library.feed(420, at: begin + 8_750_000)
    #expect(log.wait { $0.chunks.count == 4 })
    stream.stop()
    let times = log.now.chunks.map { ($0.timestamp.nanoseconds - begin) }
    #expect(times == [-31_250_000, -21_250_000, -11_250_000, -1_250_000])
    #expect(log.now.chunks[3].values.prefix(4) == [1440, -1440, 1441, -1441])
  }

  @Test(arguments: AudioEncoding.allCases)
  func `more bits become sixteen, and more channels the first two`(_ encoding: AudioEncoding) throws {
    var card = ScriptedAudioCard.usb()
    card.abilities = AudioAbilities(encodings: [encoding], channels: 4...4, formats: [stereo])
    let library = ScriptedAudioLibrary([card])
    let stream = try library.microphone().open(stereo)
    let log = AudioLog()
    try stream.start(log.receive)
    feed(library, 0)
    #expect(log.wait { $0.chunks.count == 1 })
    stream.stop()
    let audio = try #require(log.now.chunks.first)
    #expect(audio.channels == 2 && audio.values == (0..<480).flatMap { [Int16($0), -Int16($0)] })
  }

  @Test func `an overrun is reported as lost chunks, counted, and the audio goes on`() throws {
    let library = ScriptedAudioLibrary([.usb()])
    let stream = try library.microphone().open(mono)
    let log = AudioLog()
    try stream.start(log.receive)
    for index in 0..<3 {
      feed(library, Int64(index))
      #expect(log.wait { $0.chunks.count == index + 1 })
    }
    library.trouble(EPIPE)
    #expect(
      library.waits { $0.calls.count { $0 == .start } == 2 && $0.devices.values.allSatisfy(\.isRunning) })
    // The next sample that comes is taken 70 ms after the last one that was read.
    library.feed(480, at: begin + 110_000_000)
    #expect(log.wait { $0.chunks.count == 4 })
    stream.stop()
    let seen = log.now
    #expect(seen.order == [0, 1, 2, -4, -5, -6, -7, -8, -9, -10, 10])
    #expect(seen.drops.allSatisfy { $0.reason == .discontinuity })
    #expect(seen.drops.first?.timestamp.nanoseconds == begin + 30_000_000)
    #expect(seen.drops.last?.timestamp.nanoseconds == begin + 90_000_000)
    #expect(seen.chunks.last?.timestamp.nanoseconds == begin + 100_000_000)
    let diagnosis = stream.diagnosis
    #expect(diagnosis.overruns == 1 && diagnosis.dropped == 7 && diagnosis.delivered == 4)
    #expect(diagnosis.captured == diagnosis.delivered + diagnosis.dropped)
  }

  @Test func `a card that slept is started anew`() throws {
    let library = ScriptedAudioLibrary([.usb()])
    let stream = try library.microphone().open(mono)
    let log = AudioLog()
    try stream.start(log.receive)
    feed(library, 0)
    #expect(log.wait { $0.chunks.count == 1 })
    library.trouble(ESTRPIPE)
    #expect(
      library.waits { $0.calls.count { $0 == .start } == 2 && $0.devices.values.allSatisfy(\.isRunning) })
    feed(library, 3)
    #expect(log.wait { $0.chunks.count == 2 })
    stream.stop()
    #expect(log.now.order == [0, -2, -3, 3] && stream.diagnosis.overruns == 0)
  }

  @Test func `a microphone that is pulled out ends its stream within a second`() throws {
    let library = ScriptedAudioLibrary([.usb()])
    let stream = try library.microphone().open(mono)
    let log = AudioLog()
    try stream.start(log.receive)
    feed(library, 0)
    #expect(log.wait { $0.chunks.count == 1 })
    let before = MonotonicInstant.now
    library.unplug(card: 0)
    #expect(log.wait { $0.failure != nil })
    #expect(before.isRecent)
    #expect(log.now.failure?.code == .disconnected)
    #expect(
      log.now.failure?.message
        == "Yeti Microphone (/dev/snd/pcmC0D0c) cannot go on recording: it is no longer connected; plug it in again."
    )
    stream.stop()
    #expect(throws: CaptureDeviceError.self) { try stream.start(log.receive) }
  }

  @Test(arguments: [(ENODEV, CaptureDeviceError.Code.disconnected), (EIO, .ioFailure)])
  func `a call that a pulled plug overtakes is an unplug, and any other failure is not`(
    _ next: Int32, _ code: CaptureDeviceError.Code
  ) throws {
    let library = ScriptedAudioLibrary([.usb()])
    let stream = try library.microphone().open(mono)
    let log = AudioLog()
    try stream.start(log.receive)
    feed(library, 0)
    #expect(log.wait { $0.chunks.count == 1 })
    library.force(.prepare, next)
    library.trouble(EBADFD)
    #expect(log.wait { $0.failure != nil })
    #expect(log.now.failure?.code == code)
    stream.stop()
  }

  @Test func `a microphone that sends nothing ends with noFrames`() throws {
    let library = ScriptedAudioLibrary([.usb()])
    let stream = try library.microphone(silenceNanoseconds: 20_000_000).open(mono)
    let log = AudioLog()
    try stream.start(log.receive)
    #expect(log.wait { $0.failure != nil })
    #expect(log.now.failure?.code == .noFrames)
    stream.stop()
  }

  @Test func `stamps that cannot be right are replaced by the arrival, and counted`() throws {
    let library = ScriptedAudioLibrary([.usb()])
    let stream = try library.microphone().open(mono)
    let log = AudioLog()
    let before = MonotonicInstant.now
    try stream.start(log.receive)
    library.feed(480, at: nil)
    #expect(log.wait { $0.chunks.count == 1 })
    library.feed(480, at: 17)
    #expect(log.wait { $0.chunks.count == 2 })
    let after = MonotonicInstant.now
    stream.stop()
    #expect(stream.diagnosis.arrivalStamps == 2)
    let times = log.now.chunks.map(\.timestamp)
    #expect(
      times[0] > before.advanced(byNanoseconds: -10_000_001) && times[1] <= after && times[0] < times[1])
  }

  @Test(arguments: [AudioCall.prepare, .start])
  func `a start that the driver refuses throws, and the stream can be started again`(_ call: AudioCall) throws
  {
    let library = ScriptedAudioLibrary([.usb()])
    let stream = try library.microphone().open(mono)
    library.force(call, EIO, times: 1)
    let log = AudioLog()
    #expect { try stream.start(log.receive) } throws: { ($0 as? CaptureDeviceError)?.code == .ioFailure }
    try stream.start(log.receive)
    feed(library, 0)
    #expect(log.wait { $0.chunks.count == 1 })
    stream.stop()
    #expect(log.now.order == [0])
  }

  @Test func `with a driver that hangs, stop returns within a second`() throws {
    let library = ScriptedAudioLibrary([.usb()])
    var stream: ALSAStream? = try library.microphone().open(mono)
    let log = AudioLog()
    try stream?.start(log.receive)
    library.hang(.wait)
    feed(library, 0)
    feed(library, 1)
    #expect(library.waits { $0.hanging > 0 })
    let before = MonotonicInstant.now
    stream?.stop()
    #expect(before.isRecent)
    stream = nil
    // It is closed as soon as the driver lets go.
    #expect(library.openCount == 1)
    library.resume()
    #expect(library.waits { $0.devices.isEmpty })
  }

  @Test func `a receiver that holds its own stream does not keep the device open`() throws {
    let library = ScriptedAudioLibrary([.usb()])
    do {
      let stream = try library.microphone().open(mono)
      try stream.start { _ in stream.stop() }
      feed(library, 0)
    }
    #expect(library.waits { $0.devices.isEmpty })
  }

  @Test func `a stream that goes closes its device`() throws {
    let library = ScriptedAudioLibrary([.usb()])
    let microphone = try library.microphone()
    #expect(library.openCount == 0)
    do {
      let stream = try microphone.open(mono)
      try stream.start { _ in }
      #expect(library.openCount == 1)
    }
    #expect(library.openCount == 0)
    library.force(.configure, EINVAL, times: 1)
    #expect { try microphone.open(mono) } throws: {
      ($0 as? CaptureDeviceError)?.code == .formatUnsupported
    }
    #expect(library.openCount == 0)
  }
}
