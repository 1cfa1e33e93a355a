import Foundation

// obscura-bench THRESHOLDS.json [NAME…]: runs the benchmarks, prints a line for each figure, exits 1 when a bar is missed.

let benchmarks: [(name: String, run: () throws -> [Figure])] = [
  // First, because it looks for a kernel camera, which the others replace.
  ("start", StartBenchmark.run),
  ("delivery", DeliveryBenchmark.run),
  ("stills", StillBenchmark.run),
  ("scan", ScanBenchmark.run),
  ("photos", PhotoBenchmark.run),
  ("movies", MovieBenchmark.run),
  ("seek", SeekBenchmark.run),
  ("library", LibraryBenchmark.run),
  ("thumbnails", ThumbnailBenchmark.run),
  ("live", LiveFilterBenchmark.run),
  ("live-photos", LivePhotoBenchmark.run),
]

let words = Array(CommandLine.arguments.dropFirst())
guard let path = words.first else {
  FileHandle.standardError.write(Data("usage: obscura-bench THRESHOLDS.json [NAME…]\n".utf8))
  exit(2)
}
let thresholds = try JSONDecoder().decode(
  [String: Double].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
let wanted = Set(words.dropFirst())
if let unknown = wanted.subtracting(benchmarks.map(\.name)).sorted().first {
  // The last three are the script's.
  let names = (benchmarks.map(\.name) + ["fusion", "filters", "effects"]).joined(separator: ", ")
  FileHandle.standardError.write(
    Data("There is no benchmark \(unknown); scripts/lab/bench has \(names).\n".utf8))
  exit(2)
}
var missed = 0
for benchmark in benchmarks where wanted.isEmpty || wanted.contains(benchmark.name) {
  let figures: [Figure]
  do {
    figures = try benchmark.run()
  } catch {
    FileHandle.standardError.write(Data("obscura-bench \(benchmark.name): \(error)\n".utf8))
    exit(2)
  }
  for figure in figures {
    guard let bar = thresholds[figure.name] else {
      throw BenchmarkError("\(path) has no bar for \(figure.name); add one.")
    }
    let holds = figure.value <= bar
    missed += holds ? 0 : 1
    print(
      String(
        format: "%@ %@ %.3f (bar %.3f): %@", holds ? "ok  " : "MISS", figure.name, figure.value, bar,
        figure.detail))
  }
}
exit(missed == 0 ? 0 : 1)
