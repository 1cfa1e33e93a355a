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
          var index = 0
          while index < values.count {
            if index + Numbers.scalarCount <= values.count, let new = Numbers(known: values, at: index) {
              let old = Numbers(past, at: index)
              let isSteady = (new .< old * Self.steadiness) .& (old .< new * Self.steadiness)
              let value = new.replacing(with: old + Self.newShare * (new - old), where: isSteady)
              value.store(in: past, at: index)
              value.store(in: values, at: index)
              for place in index..<index + Numbers.scalarCount { ages[place] = 0 }
              index += Numbers.scalarCount
            } else {
              let end = min(index + Numbers.scalarCount, values.count)
              for place in index..<end { Self.steady(&values[place], &past[place], &ages[place]) }
              index = end
            }
          }
        }
      }
    }
  }

  /// The same for one number, which may be unknown.
  private static func steady(_ number: inout Float, _ past: inout Float, _ age: inout UInt8) {
    if number == number {
      let isSteady = number < past * steadiness && past < number * steadiness
      if isSteady { number = past + newShare * (number - past) }
      past = number
      age = 0
    } else if age < timeout {
      age += 1
      number = past
    } else {
      past = .nan
    }
  }

  /// Fills the holes of a row; false when all of it is one.
  fileprivate static func fillRow(_ row: UnsafeMutableBufferPointer<Float>, isDepth: Bool) -> Bool {
    var left: Int?
    var column = 0
    while column < row.count {
      if column + Numbers.scalarCount <= row.count, Numbers(known: row, at: column) != nil {
        column += Numbers.scalarCount
        left = column - 1
        continue
      }
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

/// Numbers that are worked on at once.
private typealias Numbers = SIMD8<Float>

extension Numbers {
  fileprivate init(_ numbers: UnsafeMutableBufferPointer<Float>, at index: Int) {
    self = UnsafeRawBufferPointer(numbers).loadUnaligned(fromByteOffset: 4 * index, as: Self.self)
  }

  /// The numbers where all of them are known, else `nil`; a sum is unknown where one of its parts is, for none is infinite.
  fileprivate init?(known numbers: UnsafeMutableBufferPointer<Float>, at index: Int) {
    self.init(numbers, at: index)
    guard !sum().isNaN else { return nil }
  }

  fileprivate func store(in numbers: UnsafeMutableBufferPointer<Float>, at index: Int) {
    UnsafeMutableRawBufferPointer(numbers).storeBytes(of: self, toByteOffset: 4 * index, as: Self.self)
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
