internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import FrameFusion

// Fuses frames of two planes from a file, and says how long it took: what Benchmarks/Fusion/compare.py measures.

/// One line on standard error, and exit code 1.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("fuse-frames: \(message)\n".utf8))
  exit(1)
}

let usage = "FRAMES 420f|xf20 WIDTH HEIGHT COUNT OUT THREADS REPEATS none|light|standard [local|global|none]"
let words = Array(CommandLine.arguments.dropFirst())
guard 9...10 ~= words.count, let width = Int(words[2]), let height = Int(words[3]), let count = Int(words[4]),
  let threads = Int(words[6]), let repeats = Int(words[7]), repeats > 0
else { fail("the arguments are \(usage).") }
let formats = [
  "420f": kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
  "xf20": kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
]
let developments = ["none": Development.none, "light": .light, "standard": .standard]
guard let format = formats[words[1]], var development = developments[words[8]] else {
  fail("the arguments are \(usage).")
}

if words.count > 9 {
  guard let tone = ToneMapping(rawValue: words[9]) else { fail("the arguments are \(usage).") }
  development.tone = tone
}

/// Runs `body` on the pixels of each row, plane by plane.
func forEachRow(_ buffer: CVPixelBuffer, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
  let bytes = width * (format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange ? 1 : 2)
  CVPixelBufferLockBaseAddress(buffer, [])
  defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
  for plane in 0..<2 {
    guard let base = CVPixelBufferGetBaseAddressOfPlane(buffer, plane) else {
      fail("a buffer has no memory.")
    }
    for row in 0..<CVPixelBufferGetHeightOfPlane(buffer, plane) {
      let start = base + row * CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
      body(UnsafeMutableRawBufferPointer(start: start, count: bytes))
    }
  }
}

guard let file = FileManager.default.contents(atPath: words[0]) else { fail("\(words[0]) cannot be read.") }
var offset = 0
let frames = (0..<count).map { _ in
  var made: CVPixelBuffer?
  CVPixelBufferCreate(nil, width, height, format, nil, &made)
  guard let buffer = made else { fail("no buffer of \(width)x\(height) can be made.") }
  forEachRow(buffer) { row in
    guard offset + row.count <= file.count else { fail("the file ends early.") }
    file.copyBytes(to: row, from: offset..<offset + row.count)
    offset += row.count
  }
  return buffer
}

let fuser = FrameFuser(threads: threads)
let options = FusionOptions(referenceCandidates: [0], development: development)
var picture: CVPixelBuffer?
for _ in 0..<repeats {
  picture = nil
  let begun = (wall: DispatchTime.now().uptimeNanoseconds, cpu: clock())
  let fused: FusedFrame
  do { fused = try fuser.fuse(frames, options: options) } catch { fail("\(error)") }
  let wall = Double(DispatchTime.now().uptimeNanoseconds - begun.wall) / 1e6
  let cpu = Double(clock() - begun.cpu) / Double(CLOCKS_PER_SEC) * 1000
  print("wall \(wall) cpu \(cpu) merged \(fused.mergedCount)")
  picture = fused.picture
}
var out = Data()
if let picture { forEachRow(picture) { out.append(contentsOf: $0) } }
guard FileManager.default.createFile(atPath: words[5], contents: out) else {
  fail("\(words[5]) cannot be written.")
}
