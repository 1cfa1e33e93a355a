import AVFoundation
import CaptureDevice
import CaptureStage
import CoreMedia
import Foundation
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("AVCaptureMetadataInput")
  struct TimedMetadataRecordingTests {
    private static let place = "mdta/com.apple.quicktime.location.ISO6709"
    private static let pulse = "mdta/org.example.pulse"

    private func group(_ value: String?, at time: CMTime, for duration: CMTime = .invalid)
      -> AVTimedMetadataGroup
    {
      let items = value.map { value -> [AVMetadataItem] in
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier(rawValue: Self.place)
        item.dataType = kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709
        item.value = NSString(string: value)
        return [item]
      }
      return AVTimedMetadataGroup(items: items ?? [], timeRange: CMTimeRange(start: time, duration: duration))
    }

    private func pulse(_ value: Int, at time: CMTime) -> AVTimedMetadataGroup {
      let item = AVMutableMetadataItem()
      item.identifier = AVMetadataIdentifier(rawValue: Self.pulse)
      item.dataType = kCMMetadataBaseDataType_SInt16
      item.value = NSNumber(value: value)
      return AVTimedMetadataGroup(items: [item], timeRange: CMTimeRange(start: time, duration: .invalid))
    }

    /// An input of places that leads to the stage's movie.
    private func connect(_ stage: MovieStage, clock: CMClock? = nil) throws -> AVCaptureMetadataInput {
      let format = try #require(group("+0+0/", at: .zero).copyFormatDescription())
      return try connect(stage, format: format, clock: clock)
    }

    private func connect(
      _ stage: MovieStage, format: CMMetadataFormatDescription, clock: CMClock? = nil
    ) throws -> AVCaptureMetadataInput {
      let input = AVCaptureMetadataInput(formatDescription: format, clock: clock ?? stage.clock.mediaClock)
      try #require(stage.session.canAddInput(input))
      stage.session.addInputWithNoConnections(input)
      let port = try #require(input.ports.first)
      let connection = AVCaptureConnection(inputPorts: [port], output: stage.output)
      try #require(stage.session.canAddConnection(connection))
      stage.session.addConnection(connection)
      return input
    }

    /// The groups of a movie's metadata track: what they say, and when, in thirtieths of a second.
    private func read(_ url: URL, track: Int = 0) throws -> [(text: String?, from: Double, frames: Double)] {
      let asset = AVURLAsset(url: url)
      let tracks = asset.tracks(withMediaType: .metadata)
      try #require(tracks.count > track)
      let reader = try AVAssetReader(asset: asset)
      let output = AVAssetReaderTrackOutput(track: tracks[track], outputSettings: nil)
      let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
      reader.add(output)
      try #require(reader.startReading())
      var groups: [(text: String?, from: Double, frames: Double)] = []
      while let group = adaptor.nextTimedMetadataGroup() {
        let value = group.items.first?.value.map { "\($0)" }
        func frames(_ time: CMTime) -> Double { (time.seconds * 3000).rounded() / 100 }
        groups.append((value, frames(group.timeRange.start), frames(group.timeRange.duration)))
      }
      #expect(reader.status == .completed)
      return groups
    }

    @Test
    func `what is appended is a track of the movie, with its times, until the movie ends`() throws {
      let stage = try MovieStage()
      let input = try connect(stage)
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      let start = try #require(
        stage.log.wait(for: "started movie.mov") ? stage.log.starts.withLock { $0.first } : nil)
      func after(_ frames: Int) -> CMTime { start + CMTime(value: Int64(frames), timescale: 30) }
      try input.append(group("+48.1+11.5/", at: after(10)))
      stage.pass(frames: 10)
      try input.append(group(nil, at: after(16)))
      try input.append(group("+52.5+13.4/", at: after(20), for: CMTime(value: 4, timescale: 30)))
      stage.pass(frames: 10)
      try input.append(group("+37.5+127/", at: after(28)))
      stage.pass(frames: 10)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov") && stage.log.lastError == nil)
      let groups = try read(stage.url())
      #expect(groups.map(\.text) == ["+48.1+11.5/", nil, "+52.5+13.4/", nil, "+37.5+127/"])
      #expect(groups.map(\.from) == [10, 16, 20, 24, 28])
      #expect(groups.map(\.frames) == [6, 4, 4, 4, 12])
      let movie = AVURLAsset(url: stage.url())
      #expect(abs(movie.duration.seconds - 40.0 / 30) < 0.001)
      #expect(try WrittenMovie(stage.url()).stamps.count == 40)
    }

    @Test
    func `how pictures are turned and mirrored meanwhile is a track of a movie that wants it`() throws {
      let stage = try MovieStage(hasMicrophone: false)
      let connection = try #require(stage.output.connection(with: .video))
      let movie = try stage.movie
      #expect(!movie.recordsVideoOrientationAndMirroringChangesAsMetadataTrack(for: connection))
      movie.setRecordsVideoOrientationAndMirroringChangesAsMetadataTrack(true, for: connection)
      #expect(movie.recordsVideoOrientationAndMirroringChangesAsMetadataTrack(for: connection))
      connection.videoRotationAngle = 90
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      connection.videoRotationAngle = 180
      stage.pass(frames: 10)
      connection.automaticallyAdjustsVideoMirroring = false
      connection.isVideoMirrored = true
      stage.pass(frames: 10)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov") && stage.log.lastError == nil)
      let groups = try read(stage.url())
      // By EXIF's numbers: turned right, upside down, and upside down and mirrored.
      #expect(groups.map(\.text) == ["6", "3", "4"])
      #expect(groups.first?.from == 0 && groups.map(\.frames).reduce(0, +) == 30)
      movie.setRecordsVideoOrientationAndMirroringChangesAsMetadataTrack(false, for: connection)
      try stage.record(frames: 5, to: "plain.mov")
      #expect(AVURLAsset(url: stage.url("plain.mov")).tracks(withMediaType: .metadata).isEmpty)
    }

    @Test
    func
      `what holds when recording begins describes the first picture, and what holds in a pause goes on after it`()
      throws
    {
      let stage = try MovieStage(hasMicrophone: false)
      let input = try connect(stage)
      // Nothing runs yet.
      try input.append(group("never", at: .zero))
      stage.session.startRunning()
      stage.pass(frames: 5)
      try input.append(group("before", at: stage.clock.mediaClock.time))
      stage.pass(frames: 5)
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      stage.output.pauseRecording()
      stage.pass(frames: 3)
      try input.append(group("left out", at: stage.clock.mediaClock.time))
      stage.pass(frames: 3)
      try input.append(group("in the pause", at: stage.clock.mediaClock.time))
      stage.pass(frames: 4)
      stage.output.resumeRecording()
      stage.pass(frames: 10)
      stage.output.stopRecording()
      let end = stage.clock.mediaClock.time
      try input.append(group("after the end", at: end + CMTime(value: 1, timescale: 30)))
      #expect(stage.log.wait(for: "finished movie.mov") && stage.log.lastError == nil)
      let groups = try read(stage.url())
      #expect(groups.map(\.text) == ["before", "in the pause"])
      #expect(groups.map(\.from) == [0, 10] && groups.map(\.frames) == [10, 10])
    }

    @Test
    func `a group that is not later, has no time, or does not fit is an error, and nothing else is lost`()
      throws
    {
      let stage = try MovieStage(hasMicrophone: false)
      let input = try connect(stage)
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 5)
      let time = stage.clock.mediaClock.time
      try input.append(group("first", at: time))
      for (wrong, code) in [
        (group("again", at: time), AVError.Code.mediaDiscontinuity),
        (group("earlier", at: time - CMTime(value: 1, timescale: 30)), .mediaDiscontinuity),
        (group("never", at: .invalid), .mediaDiscontinuity),
        (pulse(71, at: time + CMTime(value: 1, timescale: 30)), .mediaChanged),
      ] {
        let error = #expect(throws: AVError.self) { try input.append(wrong) }
        #expect(error?.code == code && error?.localizedDescription.isEmpty == false)
      }
      stage.pass(frames: 5)
      try input.append(group("second", at: stage.clock.mediaClock.time))
      stage.pass(frames: 5)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov") && stage.log.lastError == nil)
      #expect(try read(stage.url()).map(\.text) == ["first", "second"])
      let format = try CMFormatDescription(mediaType: .video, mediaSubType: .h264)
      let mistakes = ProgrammingMistake.collect {
        #expect(
          AVCaptureMetadataInput(formatDescription: format, clock: stage.clock.mediaClock).ports.isEmpty)
      }
      #expect(mistakes.count == 1)
    }

    @Test
    func `each input is a track of its own, once a client connects it and while that is switched on`() throws
    {
      let stage = try MovieStage()
      let places = try connect(stage)
      let port = try #require(places.ports.first)
      #expect(port.mediaType == .metadata && port.formatDescription?.identifiers == [Self.place])
      #expect(port.clock === stage.clock.mediaClock && port.sourceDeviceType == nil)
      #expect(port.sourceDevicePosition == .unspecified && port.input === places)
      let second = AVCaptureConnection(inputPorts: [port], output: stage.output)
      #expect(!stage.session.canAddConnection(second))
      let pulses = try connect(stage, format: try #require(pulse(60, at: .zero).copyFormatDescription()))
      // Not by itself, as with Apple.
      let loose = AVCaptureMetadataInput(
        formatDescription: try #require(pulse(60, at: .zero).copyFormatDescription()),
        clock: stage.clock.mediaClock)
      stage.session.addInput(loose)
      #expect(stage.session.inputs.contains(loose) && stage.output.connections.count == 4)
      let metadata = stage.output.connections.filter { $0.inputPorts.first?.mediaType == .metadata }
      #expect(
        metadata.count == 2 && metadata.allSatisfy { $0.isActive && !$0.isVideoRotationAngleSupported(90) })
      #expect(try stage.movie.supportedOutputSettingsKeys(for: metadata[0]).isEmpty)
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 5)
      for (frames, isOn) in [(71, true), (72, false), (73, true)] {
        metadata[1].isEnabled = isOn
        let time = stage.clock.mediaClock.time
        try places.append(group("+\(frames)+0/", at: time))
        try pulses.append(pulse(frames, at: time))
        try loose.append(pulse(frames, at: time))
        stage.pass(frames: 5)
      }
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov") && stage.log.lastError == nil)
      #expect(try read(stage.url()).map(\.text) == ["+71+0/", "+72+0/", "+73+0/"])
      #expect(try read(stage.url(), track: 1).map(\.text) == ["71", "73"])
      #expect(AVURLAsset(url: stage.url()).tracks(withMediaType: .metadata).count == 2)
    }

    @Test
    func `its times are on its own clock`() throws {
      let stage = try MovieStage(hasMicrophone: false)
      // Stands still beside the devices' clock, so that both are known when they are compared.
      let own = SimulatedClock()
      own.advance(by: .seconds(100))
      let input = try connect(stage, clock: own.mediaClock)
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      #expect(stage.log.wait(for: "started movie.mov"))
      let start = try #require(stage.log.starts.withLock { $0.first })
      let ago = stage.clock.mediaClock.time - start
      try input.append(group("first picture", at: own.mediaClock.time - ago))
      stage.pass(frames: 5)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov"))
      let groups = try read(stage.url())
      #expect(groups.map(\.text) == ["first picture"] && groups.map(\.from) == [0])
    }

    @Test
    func `without a movie or without pictures it is taken, and nothing is recorded`() throws {
      let stage = try MovieStage(hasCamera: false, hasMicrophone: false)
      let input = try connect(stage)
      let connection = try #require(stage.output.connections.first)
      #expect(!connection.isActive)
      stage.session.startRunning()
      try input.append(group("taken", at: stage.clock.mediaClock.time))
      let mistakes = ProgrammingMistake.collect {
        stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      }
      #expect(mistakes.count == 1 && stage.log.wait(for: "finished movie.mov"))
      stage.session.removeOutput(stage.output)
      stage.pass(frames: 1)
      try input.append(group("taken", at: stage.clock.mediaClock.time))
      stage.session.removeInput(input)
      stage.pass(frames: 1)
      try input.append(group("taken", at: stage.clock.mediaClock.time))
    }

    @Test
    func `a connection that is removed ends the recording, as any does`() throws {
      let stage = try MovieStage(hasMicrophone: false)
      let input = try connect(stage)
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 5)
      try input.append(group("kept", at: stage.clock.mediaClock.time - CMTime(value: 2, timescale: 30)))
      stage.session.removeInput(input)
      #expect(stage.log.wait(for: "finished movie.mov"))
      #expect(stage.log.lastError?.code == .sessionConfigurationChanged)
      #expect(try read(stage.url()).map(\.text) == ["kept"])
    }
  }
}
