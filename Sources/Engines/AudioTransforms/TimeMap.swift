/// Which moment of the input is heard at which moment of the output.
///
/// From zero on the input passes at a tempo; before zero, and behind the end, it passes as it is.
struct TimeMap {
  let tempo: Double
  /// The moment of the output from which on the input passes as it is; `nil` for never.
  let end: Int?

  func input(at output: Int) -> Int {
    guard output > 0 else { return output }
    guard let end, output > end else { return Int((Double(output) * tempo).rounded()) }
    return Int((Double(end) * tempo).rounded()) + output - end
  }

  func output(at input: Int) -> Int {
    guard input > 0 else { return input }
    let last = end.map { Int((Double($0) * tempo).rounded()) }
    guard let end, let last, input > last else { return Int((Double(input) / tempo).rounded()) }
    return end + input - last
  }
}
