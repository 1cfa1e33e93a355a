import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import GraphicsCore
import MovieTools
import Testing

/// Movies of every kind, played backwards.
@Suite("Movies played backwards") @MainActor
struct BackwardMovieTests {
  /// Plays an asset from its end to its beginning, and compares what is shown with what a reader finds.
  private func check(
    _ asset: AVAsset, _ stage: PlayerStage, composition: AVVideoComposition? = nil,
    most: Int = 64, _ name: Comment
  ) async throws {
    var output: AVAssetReaderOutput?
    if let composition {
      let made = AVAssetReaderVideoCompositionOutput(
        videoTracks: asset.tracks(withMediaType: .video), videoSettings: nil)
      made.videoComposition = composition
      output = made
    }
    // What lies behind the end that the file names is not shown forwards, either.
    let end = try await asset.load(.duration).seconds * 30
    let found = try EditingStage.pictures(asset, output).filter { $0.time < end + 0.002 }
    #expect(found.count > 5, name)
    let player = AVPlayer()
    player.sourceClock = stage.clock
    let layer = AVPlayerLayer(player: player)
    let item = AVPlayerItem(asset: asset)
    item.videoComposition = composition
    player.replaceCurrentItem(with: item)
    await stage.ready(item)
    #expect(await player.seek(to: .positiveInfinity, toleranceBefore: .zero, toleranceAfter: .zero), name)
    player.rate = -1
    var shown: [(number: Int, time: Double)] = []
    var expected: [(number: Int, time: Double)] = []
    var held = 0
    while player.rate != 0 {
      let now = player.currentTime().seconds
      let frame = try #require(layer.frames.takeNewest(), name)
      let time = (frame.itemTime.seconds * 30_000).rounded() / 1000
      if shown.last?.time != time { shown.append((TestMovie.number(of: frame.pixels), time)) }
      // The one that began last.
      let right = found.last { $0.time <= now * 30 + 0.002 } ?? found[0]
      if expected.last?.time != right.time { expected.append(right) }
      #expect(abs(right.time - time) < 0.002, name)
      held = max(held, item.waitingPictures)
      await stage.move(0.013, of: player)
    }
    #expect(item.error == nil && held <= most, name)
    #expect(shown.map(\.number) == expected.map(\.number), name)
    #expect(shown.map(\.time) == expected.map(\.time), name)
    // Some of a composition are shorter than a move of the clock.
    #expect(expected.count >= found.count - 2 && expected.last?.time == found[0].time, name)
  }

  nonisolated private static let kinds: [(name: String, file: String, options: [String])] = [
    ("reordered frames", "plain.mp4", []),
    (
      "open groups of pictures", "open.mp4",
      ["-x264-params", "open-gop=1:keyint=12:min-keyint=12:bframes=3:b-adapt=0:scenecut=0"]
    ),
    ("pyramids", "pyramid.mov", ["-x264-params", "keyint=30:bframes=7:b-pyramid=normal:b-adapt=0"]),
    ("a single key frame", "single.mp4", ["-g", "1000"]),
    ("key frames alone", "intra.mov", ["-g", "1"]),
    ("fragments", "fragments.mp4", ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]),
    ("short fragments of a long group", "short.mp4", ["-g", "1000", "-frag_duration", "200000"]),
    (
      "HEVC with open groups", "hevc.mp4",
      ["-c:v", "libx265", "-x265-params", "open-gop=1:keyint=15:log-level=none"]
    ),
    ("Matroska", "matroska.mkv", []),
    ("a transport stream", "stream.ts", ["-bsf:v", "h264_mp4toannexb"]),
    (
      "frames of many durations", "variable.mp4",
      ["-vf", "setpts='N*0.04/TB+floor(N/5)*0.11/TB'", "-fps_mode", "vfr", "-video_track_timescale", "90000"]
    ),
  ]

  @Test("Each frame is shown at its time, in falling order", arguments: kinds.map(\.name))
  func kinds(name: String) async throws {
    let kind = try #require(Self.kinds.first { $0.name == name })
    try await PlayerStage.inFolder { stage in
      let url = try stage.movie(kind.file, seconds: 2, kind.options, audio: false)
      try await check(AVURLAsset(url: url), stage, "\(name)")
    }
  }

  @Test("With audio that begins earlier and ends later, too")
  func audio() async throws {
    try await PlayerStage.inFolder { stage in
      let path = "\(stage.folder)/late.mov"
      try Program.make(
        path,
        [
          "-f", "lavfi", "-itsoffset", "0.5", "-i",
          "color=black:size=64x48:rate=25:duration=1,format=yuv420p,geq=lum='25+mod(N\\,16)*13':cb=128:cr=128",
          "-f", "lavfi", "-i", "sine=duration=2", "-fps_mode", "vfr", "-c:v", "libx264", "-c:a", "aac",
        ])
      let url = URL(fileURLWithPath: path)
      try await check(AVURLAsset(url: url), stage, "late pictures")
      // In a single move to a time before the first picture.
      let player = await stage.player(url)
      let layer = AVPlayerLayer(player: player)
      #expect(await player.seek(to: seconds(1.49), toleranceBefore: .zero, toleranceAfter: .zero))
      player.rate = -1
      await stage.move(1.3, of: player)
      let first = try #require(try EditingStage.pictures(AVURLAsset(url: url)).first)
      let shown = try #require(layer.frames.takeNewest())
      #expect(first.time > 14)
      #expect(
        abs(shown.itemTime.seconds * 30 - first.time) < 0.002 && TestMovie.number(of: shown.pixels) == 0)
    }
  }

  @Test("Parts of an edit list are shown in falling order, also one twice and one before the other")
  func edits() async throws {
    try await PlayerStage.inFolder { stage in
      for parts in [
        [(400, 10 * 512), (320, 4 * 512 + 100)], [(500, -1), (600, 13 * 512 + 7)],
        [(280, 9 * 512), (280, 9 * 512)],
      ] {
        let url = try stage.movie("edits.mp4", seconds: 2, ["-video_track_timescale", "12800"], audio: false)
        try PatchedEdits.write(parts, into: url.path)
        try await check(AVURLAsset(url: url), stage, "\(parts)")
      }
    }
  }

  @Test("A composition is played over its cuts, with parts that are faster and slower, and gaps")
  func compositions() async throws {
    try await PlayerStage.inFolder { stage in
      let one = AVURLAsset(url: try stage.movie("one.mp4", seconds: 2, ["-g", "1000"], audio: false))
      let two = try await EditingStage.movie(stage.folder)
      let composition = AVMutableComposition()
      let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
      try track.insertTimeRange(EditingStage.range(33, 14), of: one.tracks[0], at: .zero)
      try track.insertTimeRange(EditingStage.range(5, 20), of: two.tracks[0], at: EditingStage.frames(20))
      try track.insertTimeRange(EditingStage.range(6, 9), of: one.tracks[0], at: EditingStage.frames(40))
      try await check(composition, stage, "cuts and a gap")
      track.scaleTimeRange(EditingStage.range(20, 10), toDuration: EditingStage.frames(17))
      track.scaleTimeRange(EditingStage.range(2, 8), toDuration: EditingStage.frames(5))
      try await check(composition, stage, "faster and slower")
    }
  }

  @Test("A video composition is rendered in falling order at its own rate")
  func videoComposition() async throws {
    try await PlayerStage.inFolder { stage in
      let asset = try await EditingStage.movie(stage.folder, frames: 60)
      let composition = AVMutableVideoComposition(propertiesOf: asset)
      composition.frameDuration = CMTime(value: 1, timescale: 15)
      try await check(asset, stage, composition: composition, "video composition")
    }
  }

  @Test("However far apart key frames are, no more pictures are held than fit")
  func bound() async throws {
    try await PlayerStage.inFolder { stage in
      let long = try stage.movie("long.mp4", seconds: 6, ["-g", "100000"], audio: false)
      try await check(AVURLAsset(url: long), stage, most: 64, "a group of 150 frames")
      let path = "\(stage.folder)/large.mp4"
      try Program.make(
        path,
        [
          "-i", long.path, "-frames:v", "16", "-vf", "scale=3840:2160:flags=neighbor", "-c:v", "libx264",
          "-preset", "ultrafast", "-g", "1000", "-bf", "0",
        ])
      // Seven of these pictures take 87 MB.
      try await check(AVURLAsset(url: URL(fileURLWithPath: path)), stage, most: 14, "large frames")
    }
  }
}
