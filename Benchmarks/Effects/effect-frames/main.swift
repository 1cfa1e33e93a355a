internal import CoreVideo
internal import Foundation
internal import FoundationExtras

// Draws effects of video over the frames of a file, and says how long it took: what Benchmarks/Effects/compare.py measures.

let usage = """
  the arguments are FRAMES WIDTH HEIGHT THREADS time EFFECT REPEATS OUT or FRAMES WIDTH HEIGHT THREADS paced EFFECT SECONDS; \
  effects are center-stage, light, background, portrait, and the kinds of reactions, which are drawn over portrait's
  """
let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 7, let width = Int(words[1]), let height = Int(words[2]), let threads = Int(words[3]),
  let effect = TimedEffect(words[5]), let count = Int(words[6]), count > 0,
  words[4] == "time" ? words.count == 8 : words[4] == "paced" && words.count == 7
else { fail("\(usage).") }

/// The frames of the file, of video range.
func frames() throws -> [CVPixelBuffer] {
  guard let file = FileHandle(forReadingAtPath: words[0]) else { fail("\(words[0]) cannot be read.") }
  var frames: [CVPixelBuffer] = []
  while let bytes = try file.read(upToCount: width * height * 3 / 2), bytes.count == width * height * 3 / 2 {
    let frame = try CVPixelBuffer(
      format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: width, height: height)
    forEachRow(of: frame) { row, index in
      bytes.copyBytes(to: row, from: index * width..<(index + 1) * width)
    }
    frames.append(frame)
  }
  return frames
}

let interval: Int64 = 33_333_333
/// How many frames come before the first that counts: models are loaded and buffers made then.
let firstFrames = 6

/// Times an effect of each frame alone, and writes the picture in the middle.
func time(_ stream: EffectStream, _ frames: [CVPixelBuffer]) throws {
  for index in -firstFrames..<count {
    let number = index + firstFrames
    let spent = try stream.draw(
      effect, of: frames[number % frames.count], at: Int64(number) * interval,
      share: (Double(max(0, index)) + 0.5) / Double(count))
    if index >= 0 { print("wall \(spent.wall) cpu \(spent.processor)") }
    if index == count / 2 { write(stream.target) }
  }
}

/// Writes the bytes of a picture where the words say.
func write(_ picture: CVPixelBuffer) {
  var out = Data()
  forEachRow(of: picture) { row, _ in out.append(contentsOf: row) }
  guard FileManager.default.createFile(atPath: words[7], contents: out) else {
    fail("\(words[7]) cannot be written.")
  }
}

/// Draws frames as they come, 30 in a second, with a look for faces in each third.
///
/// A frame that comes while another is drawn waits, and is dropped when one more comes.
func keepPace(_ stream: EffectStream, _ frames: [CVPixelBuffer]) throws {
  let total = 30 * count
  for number in 0..<firstFrames {
    _ = try stream.draw(
      effect, of: frames[number % frames.count], at: Int64(number) * interval, share: 0.5)
  }
  let begun = SpentTime.now
  var (next, late, dropped, longest) = (0, 0, 0, 0.0)
  while next < total {
    let due = Double(Int64(next) * interval) / 1e6
    if due > begun.elapsed.wall { Thread.sleep(forTimeInterval: (due - begun.elapsed.wall) / 1000) }
    let newest = max(next, min(total - 1, Int(begun.elapsed.wall * 1e6) / Int(interval)))
    dropped += newest - next
    let (number, start) = (newest + firstFrames, SpentTime.now)
    let picture = frames[number % frames.count]
    if newest % 3 == 0 { try stream.lookForFaces(in: picture) }
    _ = try stream.draw(
      effect, of: picture, at: Int64(number) * interval, share: Double(newest) / Double(total))
    let spent = start.elapsed.wall
    if spent > Double(interval) / 1e6 { late += 1 }
    longest = max(longest, spent)
    next = newest + 1
  }
  let spent = begun.elapsed
  print(
    "frames \(total) late \(late) dropped \(dropped) longest \(longest) cpu \(spent.processor / spent.wall)")
}

do {
  let frames = try frames()
  guard let first = frames.first else { fail("\(words[0]) holds no frame of \(width)x\(height).") }
  let stream = try EffectStream(like: first, threads: threads)
  if words[4] == "time" { try time(stream, frames) } else { try keepPace(stream, frames) }
} catch {
  fail("\(error)")
}
