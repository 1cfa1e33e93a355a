internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import PixelTransforms
internal import VideoEffects

// Draws a reaction over a raw picture of two planes, for eyes and for times; here, because the engine is no product.
//   ffmpeg -i photo.png -pix_fmt nv12 -f rawvideo photo.nv12
//   draw-reactions photo.nv12 1920x1080 heart 0.4,0.2,0.2,0.3 30 sheet.nv12
//   ffmpeg -f rawvideo -pix_fmt nv12 -s 1920x1080 -i sheet.nv12 sheet-%d.png

/// One line on standard error, and exit code 1.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("draw-reactions: \(message)\n".utf8))
  exit(1)
}

let usage =
  "PICTURE WIDTHxHEIGHT KIND[+KIND…] FACE(x,y,width,height from 0 to 1) FRAMES OUT [TURN]; FRAMES 0: icons"
let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 6, let frameCount = Int(words[4]) else { fail("the arguments are \(usage).") }
let sides = words[1].split(separator: "x").compactMap { Int($0) }
let numbers = words[3].split(separator: ",").compactMap { Double($0) }
let kinds = words[2].split(separator: "+").compactMap { ReactionKind(rawValue: String($0)) }
guard sides.count == 2, sides.allSatisfy({ $0 > 0 && $0 % 2 == 0 }), numbers.count == 4, !kinds.isEmpty,
  let source = FileManager.default.contents(atPath: words[0]),
  let turn = QuarterTurn(degrees: words.count > 6 ? Int(words[6]) ?? 0 : 0)
else { fail("the arguments are \(usage).") }
let (width, height) = (sides[0], sides[1])
guard frameCount == 0 || source.count >= width * height * 3 / 2 else { fail("the picture is too small.") }
let face = CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])

/// The processor's time that this thread took, in milliseconds.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// An ellipse for the head, another one for the shoulders: a mask of a sitting person.
func mask(around face: CGRect) -> PersonMask {
  let size = (480, 270)
  let alpha = (0..<size.0 * size.1).map { index -> UInt8 in
    let x = (Double(index % size.0) + 0.5) / Double(size.0)
    let y = (Double(index / size.0) + 0.5) / Double(size.1)
    let head = hypot(
      (x - face.midX) / (face.width * 0.72), (y - face.midY + face.height * 0.08) / (face.height * 0.78))
    let body = hypot(
      (x - face.midX) / (face.width * 1.75), (y - face.maxY - face.height * 1.5) / (face.height * 1.45))
    return UInt8(max(0, min(1, (1 - min(head, body)) * 14 + 0.5)) * 255)
  }
  return PersonMask(width: size.0, height: size.1, alpha: alpha)
}

if frameCount == 0 {
  var sheet = Data()
  for kind in ReactionKind.allCases { sheet += Data(kind.icon(side: width).rgba) }
  try sheet.write(to: URL(filePath: words[5]))
  exit(0)
}

let picture = try CVPixelBuffer(
  format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: width, height: height)

/// The rows of the picture in the file's order: their memory, and where they begin in the file.
let rows = (0..<2).flatMap { plane in
  (0..<picture.planes[plane].height).map { row in
    (
      picture.planes[plane].baseAddress + row * picture.planes[plane].bytesPerRow,
      plane * width * height + row * width
    )
  }
}
let renderer = ReactionRenderer()
let person = mask(around: face)
let duration = kinds.map(\.durationNanoseconds).max() ?? 0
var output = Data()
var times: [Double] = []
var first = 0.0
for frame in -1..<frameCount {
  // The first frame is drawn twice: only the second one counts, for the first makes the shapes.
  let time = duration * Int64(max(0, frame) * 2 + 1) / Int64(2 * frameCount)
  for (row, start) in rows {
    UnsafeMutableRawBufferPointer(start: row, count: width).copyBytes(from: source[start..<start + width])
  }
  let scene = ReactionScene(
    reactions: kinds.map { Reaction(kind: $0, startNanoseconds: 0, seed: 11) }, timeNanoseconds: time,
    mask: person, face: face, turn: turn)
  let start = processorTime()
  try renderer.draw(scene, into: picture)
  let spent = processorTime() - start
  guard frame >= 0 else {
    first = spent
    continue
  }
  times.append(spent)
  if words[5] != "-" {
    for (row, _) in rows {
      output.append(UnsafePointer(row.assumingMemoryBound(to: UInt8.self)), count: width)
    }
  }
}
if words[5] != "-" { try output.write(to: URL(filePath: words[5])) }
times.sort()
let mean = times.reduce(0, +) / Double(times.count)
print(
  words[2],
  String(
    format: "first %.1f ms, mean %.2f, median %.2f, slowest %.2f", first, mean, times[times.count / 2],
    times[times.count - 1]))
