/// A picture of distances as plain numbers, row by row from the top; NaN where nothing is known.
///
/// Read from one pixel buffer, changed, and written to another in the format that is asked for.
public struct DepthMap: Sendable {
  /// The quantity of a map's numbers.
  public enum Quantity: Sendable, Hashable {
    /// Metres.
    case depth
    /// One divided by metres.
    case disparity
  }

  /// Numbers in a row.
  public internal(set) var width: Int
  /// Rows.
  public internal(set) var height: Int
  /// The quantity of ``values``.
  public internal(set) var quantity: Quantity
  /// ``width`` times ``height`` numbers; none is zero, negative or infinite.
  public internal(set) var values: [Float]

  /// A map of these numbers; those that are no distances become NaN.
  public init(width: Int, height: Int, quantity: Quantity, values: [Float]) {
    precondition(values.count == width * height, "A map has a number for each of its places.")
    self.width = width
    self.height = height
    self.quantity = quantity
    self.values = values.map(Self.valid)
  }

  /// An empty map, to be read into.
  public init() {
    width = 0
    height = 0
    quantity = .depth
    values = []
  }

  /// A number that is a distance, or NaN: sensors say 0, negative numbers or infinity of places that they could not measure.
  static func valid(_ value: Float) -> Float { value > 0 && value < .infinity ? value : .nan }

  /// The metres at a place; NaN where nothing is known.
  public func metres(x: Int, y: Int) -> Float {
    let value = values[y * width + x]
    return quantity == .depth ? value : 1 / value
  }

  /// The share of the map that is known, from 0 to 1; 0 of an empty one.
  public var knownShare: Double {
    let known = values.reduce(into: 0) { count, value in if value == value { count += 1 } }
    return values.isEmpty ? 0 : Double(known) / Double(values.count)
  }

  /// The same map in the other quantity, or itself.
  public func expressed(as quantity: Quantity) -> DepthMap {
    guard quantity != self.quantity else { return self }
    var map = self
    map.quantity = quantity
    for index in map.values.indices { map.values[index] = Self.valid(1 / map.values[index]) }
    return map
  }
}
