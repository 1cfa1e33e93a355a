internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import Linux

extension MicrophoneConformanceSuite {
  /// Checks of what is known before anything is opened.
  var factChecks: [Check] {
    [
      Check("a microphone's facts make sense, and it is the same object at every look") { [self] in
        let provider = try makeProvider()
        let microphones = provider.devices().filter { $0.facts.media == [.audio] }
        try require(!microphones.isEmpty, "The provider has no microphone.")
        for (one, again) in zip(microphones, provider.devices().filter { $0.facts.media == [.audio] }) {
          try require(one === again, "\(one.facts.name) was another object the second time.")
        }
        for facts in microphones.map(\.facts) {
          let name = facts.name
          try require(
            !facts.uniqueID.isEmpty && !name.isEmpty && !facts.modelID.isEmpty, "A microphone has no name.")
          try require(facts.formats.isEmpty, "\(name) has formats of pictures.")
          try require(!facts.audioFormats.isEmpty, "\(name) has no format.")
          try require(
            Set(facts.audioFormats).count == facts.audioFormats.count, "\(name) lists a format twice.")
          for format in facts.audioFormats {
            try require(
              (1...2).contains(format.channels) && format.rate >= 1000,
              "\(name) has a format of \(format.channels) channels at \(format.rate) Hz.")
          }
        }
        try require(
          Set(microphones.map(\.facts.uniqueID)).count == microphones.count,
          "Two microphones share a unique identifier.")
      }
    ]
  }

  /// Checks around opening, configuring and closing.
  var openingChecks: [Check] {
    [
      Check("a microphone that is open is busy, and free again when its stream goes") { [self] in
        let driver = try microphone()
        var first: (any CaptureStream)? = try driver.openStream(.audio(driver.facts.audioFormats[0]))
        try expect(.deviceBusy, "A second opening") {
          _ = try driver.openStream(.audio(driver.facts.audioFormats[0]))
        }
        try withExtendedLifetime(first) { try require(first != nil, "The stream went by itself.") }
        first = nil
        _ = try driver.openStream(.audio(driver.facts.audioFormats[0]))
      },
      Check("every format of a microphone is granted and sent as it says") { [self] in
        let driver = try microphone()
        for format in driver.facts.audioFormats {
          let stream = try driver.openStream(.audio(format))
          try require(stream.configuration.audio == format, "Another format was granted than \(format).")
          let recorder = StreamRecorder()
          try stream.start(recorder.receive)
          try run(recorder, until: "sound comes at \(format.rate) Hz") { $0.chunks.count >= 2 }
          stream.stop()
          for audio in recorder.now.chunks {
            try require(
              audio.sampleRate == Double(format.rate) && audio.channels == format.channels,
              "\(audio.channels) channels at \(audio.sampleRate) Hz came instead of \(format).")
            try require(audio.frameCount > 0, "An empty chunk came.")
            try require(
              CMBlockBufferGetDataLength(audio.samples) == 2 * audio.frameCount * audio.channels,
              "\(CMBlockBufferGetDataLength(audio.samples)) bytes came for \(audio.frameCount) samples.")
          }
        }
      },
      Check("a format that the microphone lacks is refused") { [self] in
        let driver = try microphone()
        try expect(.formatUnsupported, "An unknown format") {
          _ = try driver.openStream(.audio(AudioStreamFormat(rate: 1234, channels: 7)))
        }
      },
      Check("what only cameras do is refused") { [self] in
        let driver = try microphone()
        let stream = try driver.openStream(.audio(driver.facts.audioFormats[0]))
        try expect(.formatUnsupported, "A frame rate") {
          _ = try stream.setFrameDuration(FrameDuration(1, 30))
        }
        try expect(.controlUnsupported, "Zooming a microphone") { _ = try driver.apply([.zoom(2)]) }
        let answers = Monitor<[CaptureDeviceError.Code?]>([])
        stream.captureStill(StillRequest(size: FrameSize(width: 1, height: 1))) { result in
          answers.withLock { $0.append(result.failureCode) }
        }
        let deadline = MonotonicInstant.now.advanced(byNanoseconds: ConformanceStage.timeoutNanoseconds)
        let all = answers.wait(until: deadline, for: { !$0.isEmpty }, then: { $0 }) ?? []
        try require(all == [.formatUnsupported], "A picture of a microphone was answered with \(all).")
      },
      Check("twenty recordings leave no file descriptor behind") { [self] in
        let driver = try microphone()
        try requireNoLeak {
          let stream = try driver.openStream(.audio(driver.facts.audioFormats[0]))
          try stream.start { _ in }
          stream.stop()
        }
      },
    ]
  }

  /// Checks of the audio.
  var audioChecks: [Check] {
    [
      Check("sound comes in order, its times as even as its samples, three recordings in a row") { [self] in
        let driver = try microphone()
        let stream = try driver.openStream(.audio(driver.facts.audioFormats[0]))
        for _ in 0..<3 { try record(stream, driver, chunks: 30) }
      },
      Check("sound that is held stays as it was, after stop and after the stream has gone") { [self] in
        let driver = try microphone()
        var stream: (any CaptureStream)? = try driver.openStream(.audio(driver.facts.audioFormats[0]))
        let recorder = StreamRecorder()
        try stream?.start(recorder.receive)
        try run(recorder, until: "three chunks come") { $0.chunks.count >= 3 }
        let held = Array(recorder.now.chunks.prefix(3))
        let before = held.map(\.samples.bytes)
        try run(recorder, until: "thirty more come") { $0.chunks.count >= 33 }
        stream?.stop()
        stream = nil
        let next = try driver.openStream(.audio(driver.facts.audioFormats[0]))
        try record(next, driver, chunks: 3)
        try require(held.map(\.samples.bytes) == before, "Sound that a client holds was changed.")
      },
    ]
  }

  /// Checks of the end of streams.
  var stoppingChecks: [Check] {
    [
      Check("a recording stops within a second, twice does no harm, and never started neither") { [self] in
        let driver = try microphone()
        let stream = try driver.openStream(.audio(driver.facts.audioFormats[0]))
        stream.stop()
        let recorder = StreamRecorder()
        try stream.start(recorder.receive)
        try run(recorder, until: "sound comes") { !$0.chunks.isEmpty }
        try requireStop(stream)
        stream.stop()
      },
      Check("a recording can be stopped from inside its receiver") { [self] in
        let driver = try microphone()
        let stream = try driver.openStream(.audio(driver.facts.audioFormats[0]))
        let recorder = StreamRecorder { event in
          if case .audio = event { stream.stop() }
        }
        try stream.start(recorder.receive)
        try run(recorder, until: "sound comes") { !$0.chunks.isEmpty }
        if let advance {
          for _ in 0..<5 { advance(.milliseconds(10)) }
        } else {
          Thread.sleep(forTimeInterval: 0.1)
        }
        let count = recorder.now.chunks.count
        try require(
          count == 1, "\(count) chunks came, though the first one's receiver stopped the stream.")
        stream.stop()
      },
      Check("starting a recording that runs is refused") { [self] in
        let driver = try microphone()
        let stream = try driver.openStream(.audio(driver.facts.audioFormats[0]))
        try stream.start { _ in }
        defer { stream.stop() }
        try expect(.deviceBusy, "A second start") { try stream.start { _ in } }
      },
    ]
  }
}

extension Result where Failure == CaptureDeviceError {
  fileprivate var failureCode: CaptureDeviceError.Code? {
    if case .failure(let error) = self { error.code } else { nil }
  }
}
