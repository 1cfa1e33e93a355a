/// A depth map in 256 even steps from its least to its greatest number, as picture files store it.
///
/// Steps of disparity are fine where things are near, steps of depth are as wide everywhere. There is no code for what is unknown.
public struct CodedDepthMap: Sendable, Hashable {
  /// Codes in a row.
  public var width: Int
  /// Rows.
  public var height: Int
  /// The quantity of ``least`` and ``greatest``.
  public var quantity: DepthMap.Quantity
  /// The number that the code 0 stands for.
  public var least: Float
  /// The number that the code 255 stands for.
  public var greatest: Float
  /// ``width`` times ``height`` codes, row by row from the top.
  public var codes: [UInt8]

  /// The part of the known numbers at either end that may be cut off, and how many times wider they must make the range for that.
  static let outliers = (share: 0.001, factor: Float(2))

  /// These codes.
  public init(
    width: Int, height: Int, quantity: DepthMap.Quantity, least: Float, greatest: Float, codes: [UInt8]
  ) {
    precondition(codes.count == width * height, "A map has a code for each of its places.")
    self.width = width
    self.height = height
    self.quantity = quantity
    self.least = least
    self.greatest = greatest
    self.codes = codes
  }

  /// The codes of a map, whose holes are filled; `nil` when nothing of it is known.
  ///
  /// A number comes back at most half a step off. Only where a few numbers far from all others would make the steps more than twice
  /// as wide, those (a thousandth at either end) become the nearest that is left. Cost: some passes; what is known is sorted.
  public init?(_ map: DepthMap) {
    let known = map.values.filter { $0 == $0 }.sorted()
    guard let first = known.first, let last = known.last else { return nil }
    let cut = Int(Double(known.count) * Self.outliers.share)
    let (low, high) = (known[cut], known[known.count - 1 - cut])
    let isCut = last - first > Self.outliers.factor * (high - low) && high > low
    let (least, greatest) = isCut ? (low, high) : (first, last)
    var whole = map
    whole.fillHoles()
    let scale = greatest > least ? 255 / (greatest - least) : 0
    self.init(
      width: map.width, height: map.height, quantity: map.quantity, least: least, greatest: greatest,
      codes: whole.values.map { UInt8(min(max((($0 - least) * scale).rounded(), 0), 255)) })
  }

  /// The map that the codes stand for.
  public var map: DepthMap {
    let step = (greatest - least) / 255
    return DepthMap(
      width: width, height: height, quantity: quantity,
      values: codes.map { $0 == 255 ? greatest : least + Float($0) * step })
  }
}
