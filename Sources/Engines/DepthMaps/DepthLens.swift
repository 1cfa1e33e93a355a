public import Foundation
public import simd

/// A lens as a calibrated camera states it: focal lengths, principal point and distortion, in pixels of a picture of a stated size.
///
/// The upper left corner of that picture is (0, 0), so the middle of its first pixel is (0.5, 0.5). Maps of any size that show the same
/// view, edge to edge, are seen through it.
public struct DepthLens: Sendable, Hashable {
  /// Pixels for a ray's slope of 1, across and down.
  public let focal: SIMD2<Float>
  /// The place at which the lens looks straight ahead.
  public let principal: SIMD2<Float>
  /// The picture's size in pixels.
  public let size: SIMD2<Float>
  /// The place from which distortion counts.
  let center: SIMD2<Float>
  /// The growth of a bent radius, evenly from 0 to ``farthest``; empty for a lens that keeps lines straight.
  private let straightening: [Float]
  /// The growth of a straight radius, evenly from 0 to ``farthestStraight``.
  private let bending: [Float]
  /// The bent radius of the picture's farthest corner, in pixels.
  private let farthest: Float
  private let farthestStraight: Float

  /// Steps of ``bending``: so many that what is between them is straight to a thousandth of a pixel.
  private static let bendingSteps = 512

  /// A lens of these numbers.
  ///
  /// - Parameters:
  ///   - intrinsics: Focal lengths on the diagonal, the principal point in the last column; both focal lengths above zero.
  ///   - width: The width of the picture that they speak of, in pixels.
  ///   - height: Its height.
  ///   - distortionCenter: The place from which distortion counts; `nil` is the principal point.
  ///   - lookupTable: 32-bit floats: by which part of itself a radius grows when the distortion is undone, evenly from the centre to
  ///     the picture's farthest corner; `nil` for a lens that keeps lines straight.
  public init(
    intrinsics: matrix_float3x3, width: Int, height: Int, distortionCenter: CGPoint? = nil,
    lookupTable: Data? = nil
  ) {
    let straightening =
      lookupTable?.withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
      } ?? []
    let columns = intrinsics.columns
    focal = SIMD2(columns.0.x, columns.1.y)
    principal = SIMD2(columns.2.x, columns.2.y)
    size = SIMD2(Float(max(width, 1)), Float(max(height, 1)))
    center = distortionCenter.map { SIMD2(Float($0.x), Float($0.y)) } ?? principal
    let reach = SIMD2(max(center.x, size.x - center.x), max(center.y, size.y - center.y))
    farthest = (reach.x * reach.x + reach.y * reach.y).squareRoot()
    let isStraight = straightening.count < 2 || straightening.allSatisfy { $0 == 0 }
    self.straightening = isStraight ? [] : straightening
    if isStraight {
      bending = []
      farthestStraight = farthest
    } else {
      farthestStraight = farthest * (1 + (straightening.last ?? 0))
      bending = Self.bending(of: straightening, farthest: farthest, farthestStraight: farthestStraight)
    }
  }

  /// A straight lens that looks into the middle of its picture.
  ///
  /// - Parameter fieldOfView: From the left edge to the right one, in degrees, between 0 and 180.
  public init(fieldOfView: Float, width: Int, height: Int) {
    let focal = Float(width) / 2 / tan(fieldOfView * .pi / 360)
    self.init(
      intrinsics: matrix_float3x3(
        columns: (
          simd_float3(focal, 0, 0), simd_float3(0, focal, 0),
          simd_float3(Float(width) / 2, Float(height) / 2, 1)
        )),
      width: width, height: height)
  }

  /// Whether the lens keeps lines straight.
  var isStraight: Bool { bending.isEmpty }

  /// The slopes across and down of the ray that made a place of the picture, in pixels of ``size``.
  public func slope(at place: SIMD2<Float>) -> SIMD2<Float> {
    (straight(place) - principal) / focal
  }

  /// The place of the picture, in pixels of ``size``, that a ray of these slopes makes; it may lie outside.
  public func place(of slope: SIMD2<Float>) -> SIMD2<Float> {
    let place = slope * focal + principal
    guard !bending.isEmpty else { return place }
    let offset = place - center
    let radius = (offset.x * offset.x + offset.y * offset.y).squareRoot()
    return center + offset * (1 + Self.look(up: radius / farthestStraight, in: bending))
  }

  /// A bent place where a straight lens would show it.
  private func straight(_ place: SIMD2<Float>) -> SIMD2<Float> {
    guard !straightening.isEmpty else { return place }
    let offset = place - center
    let radius = (offset.x * offset.x + offset.y * offset.y).squareRoot()
    return center + offset * (1 + Self.look(up: radius / farthest, in: straightening))
  }

  /// The slopes of the middles of all places of a map that shows the picture, row by row.
  ///
  /// Cost: a square root for each place where the lens bends lines, else two divisions for each row and column.
  func slopes(width: Int, height: Int) -> [SIMD2<Float>] {
    let step = size / SIMD2(Float(max(width, 1)), Float(max(height, 1)))
    return [SIMD2<Float>](unsafeUninitializedCapacity: width * height) { target, count in
      for row in 0..<height {
        for column in 0..<width {
          target[row * width + column] = slope(at: SIMD2(Float(column) + 0.5, Float(row) + 0.5) * step)
        }
      }
      count = width * height
    }
  }

  /// The number of an even table at a share of its length; beyond the end it is the last.
  private static func look(up share: Float, in table: [Float]) -> Float {
    let place = min(max(share, 0), 1) * Float(table.count - 1)
    let lower = min(Int(place), table.count - 2)
    return table[lower] + (place - Float(lower)) * (table[lower + 1] - table[lower])
  }

  /// The way back of a straightening table.
  private static func bending(of table: [Float], farthest: Float, farthestStraight: Float) -> [Float] {
    (0..<bendingSteps).map { step in
      let straight = farthestStraight * Float(step) / Float(bendingSteps - 1)
      guard straight > 0 else { return 1 / (1 + table[0]) - 1 }
      // Straight radii grow with bent ones, so the interval that holds the radius is halved until it is narrower than can be seen.
      var (low, high) = (Float(0), farthest)
      for _ in 0..<24 {
        let middle = (low + high) / 2
        if middle * (1 + look(up: middle / farthest, in: table)) < straight {
          low = middle
        } else {
          high = middle
        }
      }
      return (low + high) / 2 / straight - 1
    }
  }
}
