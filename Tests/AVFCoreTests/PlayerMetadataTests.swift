import AVFCore
import CoreMedia
import Dispatch
import Foundation
import FoundationExtras
import MovieTools
import Testing

@Suite("Timed metadata of a player's item") @MainActor
struct PlayerMetadataTests {
  private static let place = "mdta/com.apple.quicktime.location.ISO6709"
  private static let pulse = "mdta/org.example.pulse"
  private static let still = "mdta/com.apple.quicktime.still-image-time"

  /// A delegate that writes down what it gets, on a queue of its own.
  private final class Log: AVPlayerItemMetadataOutputPushDelegate {
    let queue = DispatchQueue(label: "test.metadata")
    private let lines = Diary<String>()
    let tracks = Diary<CMPersistentTrackID>()

    func metadataOutput(
      _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
      from track: AVPlayerItemTrack?
    ) {
      dispatchPrecondition(condition: .onQueue(queue))
      tracks.note(track?.assetTrack?.trackID ?? 0)
      for group in groups {
        let items = group.items.map { $0.stringValue ?? "?" }.joined(separator: ",")
        lines.note("\(Int((group.timeRange.start.seconds * 100).rounded())) \(items)")
      }
    }

    func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) { lines.note("flushed") }

    /// What came, each group with its time in hundredths of a second, once all calls that were due are over.
    var entries: [String] { queue.sync { lines.entries } }
  }

  private func item(_ identifier: String, _ type: String, _ value: any NSCopying & NSObjectProtocol)
    -> AVMetadataItem
  {
    let item = AVMutableMetadataItem()
    item.identifier = AVMetadataIdentifier(rawValue: identifier)
    item.dataType = type
    item.value = value
    return item
  }

  private func location(_ text: String) -> AVMetadataItem {
    item(Self.place, kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709, NSString(string: text))
  }

  private func group(_ items: [AVMetadataItem], _ start: Double, _ duration: Double?) -> AVTimedMetadataGroup
  {
    AVTimedMetadataGroup(
      items: items,
      timeRange: CMTimeRange(start: seconds(start), duration: duration.map { seconds($0) } ?? .invalid))
  }

  /// A movie of three seconds with a track of metadata for each list of groups.
  private func movie(_ tracks: [[AVTimedMetadataGroup]], _ stage: PlayerStage) async throws -> URL {
    let url = URL(fileURLWithPath: "\(stage.folder)/metadata.mov")
    let (writer, video, pictures) = try AssetWriterTests.videoWriter(url)
    writer.add(video)
    let adaptors = tracks.map { groups in
      AVAssetWriterInputMetadataAdaptor(
        assetWriterInput: AVAssetWriterInput(
          mediaType: .metadata, outputSettings: nil, sourceFormatHint: groups[0].copyFormatDescription()))
    }
    for adaptor in adaptors { writer.add(adaptor.assetWriterInput) }
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    for (adaptor, groups) in zip(adaptors, tracks) {
      for group in groups {
        try EditingStage.waitUntilReady([adaptor.assetWriterInput])
        #expect(adaptor.append(group))
      }
      adaptor.assetWriterInput.markAsFinished()
    }
    try AssetWriterTests.push(90, to: pictures)
    await writer.finishWriting()
    #expect(writer.status == .completed)
    return url
  }

  /// A journey in three places, the pulse of it, and the moment of a photo.
  private func journey(_ stage: PlayerStage) async throws -> URL {
    let photo = item(Self.still, kCMMetadataBaseDataType_SInt8, NSNumber(value: -1))
    func pulse(_ value: Int) -> AVMetadataItem {
      item(Self.pulse, kCMMetadataBaseDataType_SInt16, NSNumber(value: value))
    }
    return try await movie(
      [
        [
          group([location("+48+11/"), pulse(70)], 0, 0.5), group([location("+52+13/"), pulse(80)], 1, 0.5),
          group([location("+37+127/"), pulse(90)], 1.5, nil),
        ],
        [group([photo], 0.7, 0.1)],
      ], stage)
  }

  /// A delegate of two kinds of outputs, which wants no word of jumps.
  private final class Both: AVPlayerItemMetadataOutputPushDelegate, AVPlayerItemOutputPullDelegate {}

  @Test("An output that loses its queue keeps the player from nothing, and one class may be two delegates")
  func loss() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try await journey(stage))
      let item = try #require(player.currentItem)
      let output = AVPlayerItemMetadataOutput(identifiers: nil)
      let (log, both) = (Log(), Both())
      output.setDelegate(log, queue: log.queue)
      item.add(output)
      player.play()
      await stage.move(0.2, of: player)
      output.setDelegate(nil, queue: nil)
      await stage.move(1, of: player)
      #expect(log.entries == ["0 +48+11/,70"])
      output.setDelegate(both, queue: log.queue)
      #expect(output.delegate === both)
      output.setDelegate(log, queue: log.queue)
      #expect(log.entries.contains("100 +52+13/,80"))
    }
  }

  @Test("Each group comes at its time, of all tracks, and what counts at the beginning at once")
  func plays() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try await journey(stage))
      let item = try #require(player.currentItem)
      let output = AVPlayerItemMetadataOutput(identifiers: nil)
      let log = Log()
      output.setDelegate(log, queue: log.queue)
      #expect(output.delegate === log && output.delegateQueue === log.queue)
      #expect(output.advanceIntervalForDelegateInvocation == 0 && !output.suppressesPlayerRendering)
      item.add(output)
      #expect(item.outputs == [output])
      #expect(log.entries == ["0 +48+11/,70"])
      player.play()
      await stage.move(0.49, of: player)
      #expect(log.entries.count == 1)
      // Where the track has nothing, there is a group without items.
      await stage.move(0.02, of: player)
      #expect(log.entries.dropFirst() == ["50 "])
      await stage.move(0.2, of: player)
      #expect(log.entries.dropFirst(2).first == "70 -1")
      await stage.move(1, of: player)
      #expect(
        log.entries.filter { !$0.hasSuffix(" ") }.dropFirst(2) == ["100 +52+13/,80", "150 +37+127/,90"])
      #expect(Set(log.tracks.entries).count == 2)
    }
  }

  @Test("Of identifiers, their items alone come, of the tracks that have them")
  func identifiers() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try await journey(stage))
      let item = try #require(player.currentItem)
      let (places, stills, others) = (Log(), Log(), Log())
      let outputs = [[Self.place], [Self.still], ["mdta/org.example.other"]].map {
        AVPlayerItemMetadataOutput(identifiers: $0)
      }
      for (output, log) in zip(outputs, [places, stills, others]) {
        output.setDelegate(log, queue: log.queue)
        item.add(output)
      }
      player.play()
      await stage.move(2, of: player)
      #expect(places.entries == ["0 +48+11/", "50 ", "100 +52+13/", "150 +37+127/"])
      #expect(stills.entries.filter { $0.hasSuffix("-1") } == ["70 -1"])
      #expect(others.entries.isEmpty)
    }
  }

  @Test("A seek flushes, and then what counts at its time comes, and what follows it")
  func seeks() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try await journey(stage))
      let output = AVPlayerItemMetadataOutput(identifiers: [Self.place])
      let log = Log()
      output.setDelegate(log, queue: log.queue)
      player.currentItem?.add(output)
      #expect(await player.seek(to: seconds(1.2), toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(log.entries == ["0 +48+11/", "flushed", "100 +52+13/"])
      player.play()
      await stage.move(0.4, of: player)
      #expect(log.entries.last == "150 +37+127/")
      #expect(await player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(log.entries.dropFirst(4) == ["flushed", "0 +48+11/"])
      // Backwards nothing comes, and forwards again what counts where that begins.
      #expect(await player.seek(to: seconds(1.2), toleranceBefore: .zero, toleranceAfter: .zero))
      let before = log.entries.count
      player.rate = -1
      await stage.move(0.1, of: player)
      await stage.move(0.9, of: player)
      #expect(log.entries.count == before)
      player.rate = 1
      await stage.move(0.01, of: player)
      #expect(log.entries.dropFirst(before) == ["0 +48+11/"])
    }
  }

  @Test("An advance has groups come as much earlier, and a removed output gets none")
  func advance() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try await journey(stage))
      let item = try #require(player.currentItem)
      let output = AVPlayerItemMetadataOutput(identifiers: [Self.place])
      let log = Log()
      output.setDelegate(log, queue: log.queue)
      output.advanceIntervalForDelegateInvocation = 0.25
      #expect(output.advanceIntervalForDelegateInvocation == 0.25)
      item.add(output)
      player.play()
      await stage.move(0.74, of: player)
      #expect(log.entries == ["0 +48+11/", "50 "])
      await stage.move(0.02, of: player)
      #expect(log.entries.last == "100 +52+13/")
      item.remove(output)
      await stage.move(1, of: player)
      #expect(log.entries.count == 3 && item.outputs.isEmpty)
      #expect(
        ProgrammingMistake.collect { output.advanceIntervalForDelegateInvocation = -1 }.count == 1)
      #expect(output.advanceIntervalForDelegateInvocation == 0.25)
    }
  }

  @Test("A track that is switched off is left out, and more groups than are read ahead all come")
  func many() async throws {
    try await PlayerStage.inFolder { stage in
      let groups = (0..<300).map { group([location("+\($0)+0/")], Double($0) / 100, 0.01) }
      let other = [group([item(Self.pulse, kCMMetadataBaseDataType_SInt16, NSNumber(value: 1))], 0, nil)]
      let player = await stage.player(try await movie([groups, other], stage))
      let item = try #require(player.currentItem)
      item.tracks.last?.isEnabled = false
      let output = AVPlayerItemMetadataOutput(identifiers: nil)
      let log = Log()
      output.setDelegate(log, queue: log.queue)
      item.add(output)
      player.play()
      await stage.move(2.995, of: player)
      // Groups without items, where rounded times leave a gap, tell nothing here.
      #expect(log.entries.filter { !$0.hasSuffix(" ") } == (0..<300).map { "\($0) +\($0)+0/" })
    }
  }

  @Test("An output that suppresses rendering has the pictures to itself")
  func suppresses() async throws {
    try await PlayerStage.inFolder { stage in
      let player = await stage.player(try stage.movie(audio: false))
      let layer = AVPlayerLayer(player: player)
      let item = try #require(player.currentItem)
      #expect(layer.displayedPixelBuffer() != nil)
      let output = AVPlayerItemVideoOutput(pixelBufferAttributes: nil)
      output.suppressesPlayerRendering = true
      item.add(output)
      #expect(output.suppressesPlayerRendering)
      player.play()
      await stage.move(0.5, of: player)
      #expect(output.newNumber(at: item.currentTime()) == 12)
      #expect(layer.displayedPixelBuffer() == nil)
      output.suppressesPlayerRendering = false
      await stage.move(0.1, of: player)
      #expect(layer.displayedPixelBuffer() != nil)
    }
  }
}
