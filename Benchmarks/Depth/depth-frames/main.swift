internal import DepthMaps
internal import Foundation

/// Filters a stream of depth maps for Benchmarks/Depth/run: 32-bit metres of standard input, row by row, NaN where nothing is known.
///
///     depth-frames WIDTH HEIGHT ROUNDS    the filtered maps go to standard output, milliseconds for each map to standard error
let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard arguments.count == 3, arguments.allSatisfy({ $0 > 0 }) else {
  FileHandle.standardError.write(Data("usage: depth-frames WIDTH HEIGHT ROUNDS <maps >filtered\n".utf8))
  exit(2)
}
let (width, height, rounds) = (arguments[0], arguments[1], arguments[2])
let bytes = FileHandle.standardInput.readDataToEndOfFile()
let values = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
let count = values.count / (width * height)
var milliseconds: [Double] = []
var filtered = Data()
for round in 0..<rounds {
  var filter = DepthFilter()
  for index in 0..<count {
    let start = index * width * height
    var map = DepthMap(
      width: width, height: height, quantity: .depth, values: Array(values[start..<start + width * height]))
    let began = DispatchTime.now().uptimeNanoseconds
    filter.apply(to: &map)
    milliseconds.append(Double(DispatchTime.now().uptimeNanoseconds - began) / 1e6)
    if round == 0 { map.values.withUnsafeBytes { filtered.append(contentsOf: $0) } }
  }
}
FileHandle.standardOutput.write(filtered)
milliseconds.sort()
FileHandle.standardError.write(Data("\(milliseconds[milliseconds.count / 2])\n".utf8))
