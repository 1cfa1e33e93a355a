import CFusion
import CoreVideo
import FoundationExtras
import FrameFusion
import SeededNumbers
import Testing

@Suite("Tone mapping of a fused picture")
struct ToneTests {
  private func develop(
    _ frames: [CVPixelBuffer], _ tone: ToneMapping, threads: Int = 2
  ) throws -> CVPixelBuffer {
    var development = Development.standard
    development.tone = tone
    return try FrameFuser(threads: threads).fuse(
      frames, options: FusionOptions(referenceCandidates: [0], development: development)
    ).picture
  }

  @Test(
    "Shadows beside highlights are lifted with their colours, and highlights stay",
    arguments: [ToneMapping.local, .global])
  func lifts(tone: ToneMapping) throws {
    let scene = GreatRange()
    let frames = scene.frames(8, seed: 1)
    let plain = ToneReading(scene, try develop(frames, .none))
    let mapped = ToneReading(scene, try develop(frames, tone))
    // Levels 30 and 22: nearly a stop and a half.
    #expect(mapped.shadow > 1.6 * plain.shadow && mapped.shadow < 2 * plain.shadow)
    #expect(abs(mapped.highlight - plain.highlight) < 0.5)
    let factor = mapped.shadow / plain.shadow
    #expect(abs(mapped.shadowRed / plain.shadowRed / factor - 1) < 0.06)
    #expect(abs(mapped.highlightRed - plain.highlightRed) < 0.5)
  }

  @Test(
    "A picture without great shadows and highlights keeps its bytes",
    arguments: [(0.0, 0.5), (0.9, 0), (0.02, 0.9), (0.9, 0.001)])
  func ordinary(shadows: Double, highlights: Double) throws {
    let burst = TestBurst(width: 320, height: 192)
    let frame = burst.filled { x, y in
      let place = Double(x) / 320
      let level = place < shadows ? 20 : place >= 1 - highlights ? 253 : burst.luma(Double(x), Double(y))
      return (level, { 120 }, { 135 })
    }
    for tone in [ToneMapping.local, .global] {
      #expect(
        try TestBurst.bytes(develop([frame, frame], tone)) == TestBurst.bytes(develop([frame, frame], .none)))
    }
  }

  @Test("An edge between black and white has no halo", arguments: [ToneMapping.local, .global])
  func edge(tone: ToneMapping) throws {
    let burst = TestBurst(width: 640, height: 96)
    let frame = burst.filled { x, _ in (x < 320 ? 24 : 252, { 128 }, { 128 }) }
    let row = ToneReading.row(burst, try develop([frame, frame], tone), 48)
    let plain = ToneReading.row(burst, try develop([frame, frame], .none), 48)
    let factor = row[10] / plain[10]
    #expect(row[10] > 40)
    // Within a cell of the edge, what sharpening makes of it is lifted with it; further away nothing comes to it.
    let dark = (0..<320).map {
      abs(row[$0] - row[10]) - ($0 < 304 ? 1 : factor * abs(plain[$0] - plain[10]) + 2.5)
    }
    let bright = (320..<640).map { abs(row[$0] - 252) - max(1, abs(plain[$0] - 252)) }
    #expect(try #require(dark.max()) <= 0 && #require(bright.max()) <= 0)
  }

  @Test("A ramp stays one, without steps", arguments: [ToneMapping.local, .global])
  func ramp(tone: ToneMapping) throws {
    let burst = TestBurst(width: 768, height: 192)
    let frame = burst.filled { x, y in
      (y < 96 ? Double(x) / 3 : x < 384 ? 15 : 254, { 128 }, { 128 })
    }
    let row = ToneReading.row(burst, try develop([frame, frame], tone), 30)
    #expect(row[60] > 30)
    // Three pixels share a level, which fades by less than one as what is around it becomes brighter.
    let least: Double = tone == .global ? 0 : -1
    for x in 1..<768 {
      let step = row[x] - row[x - 1]
      #expect(step >= least && step <= 2 && (x < 3 || row[x] >= row[x - 3]), "\(x)")
    }
  }

  @Test("One curve for all maps equal levels to equal ones; a local one looks at what is around them")
  func surroundings() throws {
    // Two patches of one grey, in the dark and in a window.
    let burst = TestBurst(width: 640, height: 192)
    let frame = burst.filled { x, y in
      let isPatch = (80..<96).contains(y) && ((120..<136).contains(x) || (520..<536).contains(x))
      return (isPatch ? 70 : x < 400 ? 30 : 252, { 128 }, { 128 })
    }
    func patches(_ tone: ToneMapping) throws -> (dark: Double, bright: Double) {
      let row = ToneReading.row(burst, try develop([frame, frame], tone), 88)
      return (row[128], row[528])
    }
    let (global, local) = (try patches(.global), try patches(.local))
    #expect(global.dark == global.bright && global.dark > 80)
    #expect(local.dark > local.bright + 3)
  }

  @Test("No shadow has more than seven tenths of one frame's noise, and few frames are lifted less")
  func noise() throws {
    let scene = GreatRange(noise: 5)
    var lifts: [Double] = []
    for count in [1, 3, 8] {
      let frames = scene.frames(count, seed: 2)
      let single = ToneReading(scene, frames[0])
      let plain = ToneReading(scene, try develop(frames, .none))
      let mapped = ToneReading(scene, try develop(frames, .local))
      lifts.append(mapped.shadow / plain.shadow)
      #expect(mapped.shadowDeviation < 0.7 * single.shadowDeviation, "\(count)")
    }
    #expect(lifts[0] == 1)
    #expect(lifts[1] > 1.1 && lifts[1] < 1.25)
    #expect(lifts[2] > 1.6)
  }

  @Test("Gives the same bytes whatever the threads and the loops", arguments: GreatRange.formats)
  func deterministic(format: OSType) throws {
    let scene = GreatRange(width: 333, height: 141, format: format)
    let frames = scene.frames(4, seed: 3)
    for tone in [ToneMapping.local, .global] {
      let one = try TestBurst.bytes(develop(frames, tone, threads: 1))
      #expect(try one != TestBurst.bytes(develop(frames, .none)))
      #expect(try one == TestBurst.bytes(develop(frames, tone, threads: 3)))
      _ = fusion_use_plain_loops(1)
      defer { _ = fusion_use_plain_loops(0) }
      #expect(try one == TestBurst.bytes(develop(frames, tone, threads: 1)))
    }
  }

  @Test("Each format is lifted alike, from its own black to its own white", arguments: GreatRange.formats)
  func formats(format: OSType) throws {
    let usual = GreatRange()
    let scene = GreatRange(format: format)
    let expected = ToneReading(usual, try develop(usual.frames(8, seed: 1), .local))
    let found = ToneReading(scene, try develop(scene.frames(8, seed: 1), .local))
    #expect(abs(found.shadow - expected.shadow) < 2 && abs(found.highlight - expected.highlight) < 1)
    #expect(abs(found.shadowRed - expected.shadowRed) < 1.5)
  }
}
