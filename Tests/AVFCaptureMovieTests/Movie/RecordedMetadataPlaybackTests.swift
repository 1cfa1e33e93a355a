import AVFoundation
import CaptureStage
import CoreMedia
import Foundation
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Metadata of our own recordings, played")
  struct RecordedMetadataPlaybackTests {
    private static let place = "mdta/com.apple.quicktime.location.ISO6709"
    private static let pulse = "mdta/org.example.pulse"

    /// A delegate that writes down what it gets, on a queue of its own.
    private final class Log: AVPlayerItemMetadataOutputPushDelegate, Sendable {
      let queue = DispatchQueue(label: "test.metadata")
      private let lines = Locked<[String]>([])

      func metadataOutput(
        _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
        from track: AVPlayerItemTrack?
      ) {
        for group in groups where !group.items.isEmpty {
          let values = group.items.map { $0.stringValue ?? "?" }.joined(separator: " ")
          let frame = Int((group.timeRange.start.seconds * 30).rounded())
          lines.withLock { $0.append("\(frame): \(values)") }
        }
      }

      /// The groups that came, each with the frame that it begins with, once all calls that were due are over.
      var entries: [String] { queue.sync { lines.withLock { $0 } } }
    }

    private func group(place: String, pulse: Int, at time: CMTime) -> AVTimedMetadataGroup {
      let (location, heart) = (AVMutableMetadataItem(), AVMutableMetadataItem())
      location.identifier = AVMetadataIdentifier(rawValue: Self.place)
      location.dataType = kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709
      location.value = NSString(string: place)
      heart.identifier = AVMetadataIdentifier(rawValue: Self.pulse)
      heart.dataType = kCMMetadataBaseDataType_SInt16
      heart.value = NSNumber(value: pulse)
      return AVTimedMetadataGroup(
        items: [location, heart], timeRange: CMTimeRange(start: time, duration: .invalid))
    }

    /// Records forty frames: the input's groups at frames 10 and 25, and the picture turned at frame 30.
    private func record(_ stage: MovieStage) throws -> URL {
      let format = try #require(group(place: "+0+0/", pulse: 0, at: .zero).copyFormatDescription())
      let input = AVCaptureMetadataInput(formatDescription: format, clock: stage.clock.mediaClock)
      stage.session.addInputWithNoConnections(input)
      stage.session.addConnection(
        AVCaptureConnection(inputPorts: [try #require(input.ports.first)], output: stage.output))
      let pictures = try #require(stage.output.connection(with: .video))
      try stage.movie.setRecordsVideoOrientationAndMirroringChangesAsMetadataTrack(true, for: pictures)
      pictures.videoRotationAngle = 90
      stage.session.startRunning()
      stage.output.startRecording(to: stage.url(), recordingDelegate: stage.log)
      stage.pass(frames: 10)
      let start = try #require(
        stage.log.wait(for: "started movie.mov") ? stage.log.starts.withLock { $0.first } : nil)
      func after(_ frames: Int64) -> CMTime { start + CMTime(value: frames, timescale: 30) }
      try input.append(group(place: "+48.1+11.5/", pulse: 71, at: after(10)))
      stage.pass(frames: 15)
      try input.append(group(place: "+37.5+127/", pulse: 94, at: after(25)))
      stage.pass(frames: 5)
      pictures.videoRotationAngle = 180
      stage.pass(frames: 10)
      stage.output.stopRecording()
      #expect(stage.log.wait(for: "finished movie.mov") && stage.log.lastError == nil)
      return stage.url()
    }

    @Test func `what a session recorded comes from a player with its values, when the movie is there`()
      async throws
    {
      let stage = try MovieStage()
      let url = try record(stage)
      let item = AVPlayerItem(url: url)
      let own = AVPlayerItemMetadataOutput(identifiers: [Self.place, Self.pulse])
      let turns = AVPlayerItemMetadataOutput(
        identifiers: [AVMetadataIdentifier.quickTimeMetadataVideoOrientation.rawValue])
      let (log, turned) = (Log(), Log())
      own.setDelegate(log, queue: log.queue)
      turns.setDelegate(turned, queue: turned.queue)
      item.add(own)
      item.add(turns)
      let player = AVPlayer(playerItem: item)
      player.isMuted = true
      player.sourceClock = stage.clock.mediaClock
      for await status in item.values(for: \.status) where status != .unknown { break }
      #expect(item.status == .readyToPlay)
      player.play()
      for await status in player.values(for: \.timeControlStatus) where status == .playing { break }
      /// Plays on for so many frames.
      func play(frames: Int) {
        stage.pass(frames: frames)
        _ = player.status
      }
      play(frames: 9)
      #expect(log.entries.isEmpty && turned.entries == ["0: 6"])
      play(frames: 2)
      #expect(log.entries == ["10: +48.1+11.5/ 71"])
      play(frames: 13)
      #expect(log.entries.count == 1)
      play(frames: 2)
      #expect(log.entries.dropFirst() == ["25: +37.5+127/ 94"])
      #expect(turned.entries.count == 1)
      play(frames: 5)
      #expect(turned.entries.dropFirst() == ["30: 3"])
      player.replaceCurrentItem(with: nil)
    }
  }
}
