/// Removes noise and holes from the depth maps of one stream.
///
/// Two steps, on depth or disparity as it is:
/// 1. *In time.* A value that changes by less than a thirtieth is averaged with its past, each new map counting two fifths; a
///    greater change is a movement, and taken at once. An unknown value keeps its past for some maps.
/// 2. *In the row.* Remaining holes are filled from both sides: evenly between values of about the same distance, else with
///    the farther one, because what a sensor cannot see beside a near object lies behind it. An unknown row copies the one
///    above, or below.
///
/// A filtered map has no holes unless nothing was ever known. One object for one stream; not thread-safe.
/// Cost: two passes; about a millisecond for 640×480.
public struct DepthFilter: Sendable {
  /// The number of maps for which a place stays after it was last seen.
  static let timeout: UInt8 = 5
  /// The weight of a new number.
  static let newShare: Float = 0.4
  /// By which factor a number may change and still be noise.
  static let steadiness: Float = 1.034

  private var past: [Float] = []
  private var ages: [UInt8] = []
  private var width = 0
  private var quantity = DepthMap.Quantity.depth

  /// A filter without a past.
  public init() {}

  /// Filters the next map of the stream.
  ///
  /// A map of another size or quantity than the one before begins anew.
  public mutating func apply(to map: inout DepthMap) {
    if past.count != map.values.count || width != map.width || quantity != map.quantity {
      past = [Float](repeating: .nan, count: map.values.count)
      ages = [UInt8](repeating: Self.timeout, count: map.values.count)
      width = map.width
      quantity = map.quantity
    }
    steady(&map.values)
    map.fillHoles()
  }

  private mutating func steady(_ values: inout [Float]) {
    past.withUnsafeMutableBufferPointer { past in
      ages.withUnsafeMutableBufferPointer { ages in
        values.withUnsafeMutableBufferPointer { values in
          for index in values.indices {
            let new = values[index], old = past[index]
            if new == new {
              let isSteady = new < old * Self.steadiness && old < new * Self.steadiness
              let value = isSteady ? old + Self.newShare * (new - old) : new
              past[index] = value
              ages[index] = 0
              values[index] = value
            } else if ages[index] < Self.timeout {
              ages[index] += 1
              values[index] = old
            } else {
              past[index] = .nan
            }
          }
        }
      }
    }
  }

  /// Fills the holes of a row; false when all of it is one.
  fileprivate static func fillRow(_ row: UnsafeMutableBufferPointer<Float>, isDepth: Bool) -> Bool {
    var left: Int?
    var column = 0
    while column < row.count {
      if row[column] == row[column] {
        left = column
        column += 1
        continue
      }
      var right = column
      while right < row.count, row[right] != row[right] { right += 1 }
      let (near, far) = (left.map { row[$0] }, right < row.count ? row[right] : nil)
      switch (near, far) {
      case (nil, nil): return false
      case (let value?, nil), (nil, let value?):
        for hole in column..<right { row[hole] = value }
      case (let one?, let other?):
        let isSurface = one < other * 1.1 && other < one * 1.1
        let behind = isDepth ? max(one, other) : min(one, other)
        let step = (other - one) / Float(right - column + 1)
        for hole in column..<right {
          row[hole] = isSurface ? one + step * Float(hole - column + 1) : behind
        }
      }
      column = right
    }
    return true
  }
}

extension DepthMap {
  /// Fills what is unknown from both sides of each row, and rows without any from those above; see ``DepthFilter``.
  ///
  /// Cost: one pass.
  public mutating func fillHoles() {
    let (width, height, isDepth) = (width, height, quantity == .depth)
    guard width > 0 else { return }
    values.withUnsafeMutableBufferPointer { values in
      var firstKnown: Int?
      for row in 0..<height {
        let numbers = UnsafeMutableBufferPointer(rebasing: values[row * width..<(row + 1) * width])
        if DepthFilter.fillRow(numbers, isDepth: isDepth) {
          firstKnown = firstKnown ?? row
        } else if firstKnown != nil {
          for column in 0..<width { numbers[column] = values[(row - 1) * width + column] }
        }
      }
      for row in 0..<(firstKnown ?? 0) {
        for column in 0..<width { values[row * width + column] = values[(firstKnown ?? 0) * width + column] }
      }
    }
  }
}
