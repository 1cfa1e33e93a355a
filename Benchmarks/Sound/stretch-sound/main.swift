internal import AudioTransforms
internal import Foundation

// Gives a sound of a file another tempo, and says how long it took: what Benchmarks/Sound/compare.py measures.

/// One line on standard error, and exit code 1.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("stretch-sound: \(message)\n".utf8))
  exit(1)
}

let usage =
  "SOUND spectrum|waveform TEMPO RATE OUT REPEATS, with samples of 32-bit floating point, one channel"
let words = Array(CommandLine.arguments.dropFirst())
let methods: [String: RangeStretcher.Method] = ["spectrum": .spectrum, "waveform": .waveform]
guard words.count == 6, let method = methods[words[1]], let tempo = Double(words[2]), tempo > 0,
  let rate = Int(words[3]), rate > 0, let repeats = Int(words[5]), repeats > 0
else { fail("the arguments are \(usage).") }
guard let file = FileManager.default.contents(atPath: words[0]) else { fail("\(words[0]) cannot be read.") }
let input = file.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
guard !input.isEmpty else { fail("\(words[0]) is empty.") }

var output: [Float] = []
for _ in 0..<repeats {
  output = []
  let begun = (wall: DispatchTime.now().uptimeNanoseconds, cpu: clock())
  var stretcher = RangeStretcher(
    method, frames: input.count, length: max(1, Int((Double(input.count) / tempo).rounded())), lead: 0,
    rate: rate, channels: 1)
  // As readers hand it over.
  for start in stride(from: 0, to: input.count, by: 1024) {
    stretcher.process(Array(input[start..<min(start + 1024, input.count)]), into: &output)
  }
  stretcher.finish(into: &output)
  let wall = Double(DispatchTime.now().uptimeNanoseconds - begun.wall) / 1e6
  let cpu = Double(clock() - begun.cpu) / Double(CLOCKS_PER_SEC) * 1000
  print("wall \(wall) cpu \(cpu)")
}
let bytes = output.withUnsafeBytes { Data($0) }
guard FileManager.default.createFile(atPath: words[4], contents: bytes) else {
  fail("\(words[4]) cannot be written.")
}
