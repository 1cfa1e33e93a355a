import DepthMaps
import Foundation
import Testing
import simd

/// Two cameras whose maps are drawn ray by ray from the same scene: a wall with cards before it, in each part of the view.
private struct TwoCameras {
  struct Card {
    var x: ClosedRange<Float>
    var y: ClosedRange<Float>
    var z: Float
  }

  let cards: [Card]
  let wall: Float = 3
  let depth: DepthLens
  let color: DepthLens
  /// From the depth camera to the other one.
  let rotation: matrix_float3x3
  let translation = SIMD3<Float>(-0.05, 0.004, 0.01)

  init(cards: [Card], angle: Float = 0.01) {
    self.cards = cards
    func lens(_ focal: Float, _ width: Int, _ height: Int, _ bend: Float) -> DepthLens {
      let table = (0..<42).map { bend * Float($0 * $0) / (41 * 41) }
      return DepthLens(
        intrinsics: matrix_float3x3(
          columns: (
            simd_float3(focal, 0, 0), simd_float3(0, focal, 0),
            simd_float3(Float(width) / 2 + 2, Float(height) / 2 - 1, 1)
          )), width: width, height: height, lookupTable: table.withUnsafeBytes { Data($0) })
    }
    depth = lens(300, 320, 240, 0.06)
    color = lens(420, 400, 300, -0.05)
    rotation = matrix_float3x3(
      columns: (
        simd_float3(cos(angle), 0, -sin(angle)), simd_float3(0, 1, 0), simd_float3(sin(angle), 0, cos(angle))
      ))
  }

  /// The depth of the nearest thing on a ray from `origin`, both in the depth camera's axes; along the ray, in its own lengths.
  private func hit(_ origin: SIMD3<Float>, _ ray: SIMD3<Float>) -> Float {
    var nearest = (wall - origin.z) / ray.z
    for card in cards {
      let length = (card.z - origin.z) / ray.z
      let place = origin + ray * length
      if card.x.contains(place.x), card.y.contains(place.y), length > 0 { nearest = min(nearest, length) }
    }
    return nearest
  }

  /// What the depth camera measures.
  var measured: DepthMap {
    let values = (0..<240).flatMap { row in
      (0..<320).map { column in
        let slope = depth.slope(at: SIMD2(Float(column) + 0.5, Float(row) + 0.5))
        return hit(.zero, SIMD3(slope.x, slope.y, 1))
      }
    }
    return DepthMap(width: 320, height: 240, quantity: .depth, values: values)
  }

  /// The size of maps of the other camera, whose places are as fine as the depth camera's; its lens speaks of 400 × 300 pixels.
  static let size = (width: 300, height: 225)

  /// What the other camera would measure.
  var truth: DepthMap {
    let back = rotation.transpose
    let origin = back * (-translation)
    let values = (0..<Self.size.height).flatMap { row in
      (0..<Self.size.width).map { column in
        let slope = color.slope(at: SIMD2(Float(column) + 0.5, Float(row) + 0.5) * 4 / 3)
        // The ray's own length along its axis is its depth.
        return hit(origin, back * SIMD3(slope.x, slope.y, 1))
      }
    }
    return DepthMap(width: Self.size.width, height: Self.size.height, quantity: .depth, values: values)
  }

  func registered(_ map: DepthMap) -> DepthMap {
    var registration = DepthRegistration(from: depth, to: color, rotation: rotation, translation: translation)
    return registration.apply(to: map, width: Self.size.width, height: Self.size.height)
  }

  /// Where a map of the other camera shows a place of the depth camera's world.
  func place(_ point: SIMD3<Float>) -> SIMD2<Float> {
    let point = rotation * point + translation
    return color.place(of: SIMD2(point.x, point.y) / point.z) * 3 / 4
  }
}

@Suite struct `Registering depth` {
  /// Cards in rows and columns over the whole view, nearer and farther.
  private var cards: [TwoCameras.Card] {
    (-3...3).flatMap { row in
      (-4...4).map { column in
        let z = 1 + Float((row + 3) * 9 + column + 4).truncatingRemainder(dividingBy: 5) * 0.3
        let (x, y) = (Float(column) * 0.11 * z, Float(row) * 0.11 * z)
        return TwoCameras.Card(x: x - 0.03 * z...x + 0.03 * z, y: y - 0.03 * z...y + 0.03 * z, z: z)
      }
    }
  }

  @Test func `a marked point lies within a pixel in depth and colour over the whole view`() throws {
    let cameras = TwoCameras(cards: cards)
    let map = cameras.registered(cameras.measured)
    var seen = 0
    for card in cameras.cards {
      let middle = SIMD3(
        (card.x.lowerBound + card.x.upperBound) / 2, (card.y.lowerBound + card.y.upperBound) / 2, card.z)
      let place = cameras.place(middle)
      let (width, height) = TwoCameras.size
      guard (16...Float(width - 16)).contains(place.x), (16...Float(height - 16)).contains(place.y) else {
        continue
      }
      // The centre of what is as near as the card around it.
      let depth = (cameras.rotation * middle + cameras.translation).z
      var (sum, count) = (SIMD2<Float>.zero, 0)
      for row in Int(place.y) - 15..<Int(place.y) + 16 {
        for column in Int(place.x) - 15..<Int(place.x) + 16
        where abs(map.values[row * width + column] - depth) < 0.05 {
          sum += SIMD2(Float(column) + 0.5, Float(row) + 0.5)
          count += 1
        }
      }
      try #require(count > 50)
      let error = sum / Float(count) - place
      #expect((error.x * error.x + error.y * error.y).squareRoot() < 1, "\(middle): \(error)")
      seen += 1
    }
    #expect(seen >= 35)
  }

  @Test
  func
    `every place has the depth of the drawn truth within a pixel, what is hidden has none of what hides it`()
  {
    let cameras = TwoCameras(cards: cards)
    let (map, truth) = (cameras.registered(cameras.measured), cameras.truth)
    let (width, height) = TwoCameras.size
    var (known, wrong) = (0, [[Int]]())
    for row in 1..<height - 1 {
      for column in 1..<width - 1 {
        let value = map.values[row * width + column]
        guard value == value else { continue }
        known += 1
        let isTrue = (-1...1).contains { down in
          (-1...1).contains { across in
            abs(truth.values[(row + down) * width + column + across] - value) < 0.02 * value
          }
        }
        if !isTrue { wrong.append([column, row, Int(value * 1000)]) }
      }
    }
    #expect(known > 50_000)
    // Beside a card the wall that only the other camera sees is unknown; nothing else may differ.
    #expect(wrong.isEmpty, "\(wrong.count) of \(known): \(wrong.prefix(20))")
  }

  @Test func `the nearest thing wins, in depth and in disparity`() {
    let cameras = TwoCameras(cards: [.init(x: -0.2...0.2, y: -0.2...0.2, z: 0.8)])
    let place = cameras.place(SIMD3(0, 0, 0.8))
    let index = Int(place.y) * TwoCameras.size.width + Int(place.x)
    let depth = (cameras.rotation * SIMD3(0, 0, 0.8) + cameras.translation).z
    #expect(abs(cameras.registered(cameras.measured).values[index] - depth) < 0.005)
    let disparity = cameras.registered(cameras.measured.expressed(as: .disparity))
    #expect(disparity.quantity == .disparity && abs(disparity.values[index] - 1 / depth) < 0.01)
  }

  @Test func `cameras in one place with the same lens change nothing, and what is unknown stays so`() {
    let lens = DepthLens(fieldOfView: 60, width: 40, height: 30)
    var registration = DepthRegistration(
      from: lens, to: lens, rotation: matrix_float3x3(1), translation: .zero)
    var values = (0..<1200).map { 1 + Float($0 % 7) }
    for row in 10..<14 { for column in 10..<14 { values[row * 40 + column] = .nan } }
    let map = DepthMap(width: 40, height: 30, quantity: .depth, values: values)
    let result = registration.apply(to: map, width: 40, height: 30)
    #expect(zip(result.values, values).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN })
  }

  @Test func `numbers beyond all distances are no places of the result, and end nothing`() {
    let lens = DepthLens(fieldOfView: 60, width: 8, height: 6)
    for (quantity, value) in [
      (DepthMap.Quantity.depth, Float(3e38)), (.disparity, .leastNonzeroMagnitude),
      (.depth, .leastNonzeroMagnitude),
    ] {
      var registration = DepthRegistration(
        from: lens, to: lens, rotation: matrix_float3x3(1), translation: SIMD3(1, -1, 0.001))
      let map = DepthMap(
        width: 8, height: 6, quantity: quantity, values: [Float](repeating: value, count: 48))
      let result = registration.apply(to: map, width: 8, height: 6)
      #expect(result.values.allSatisfy { $0.isNaN || $0 > 0 && $0 < .infinity })
    }
  }

  @Test func `poses in one world, in millimetres, give the turn and the shift between the cameras`() {
    let lens = DepthLens(fieldOfView: 60, width: 40, height: 30)
    func pose(_ x: Float) -> matrix_float4x3 {
      matrix_float4x3(simd_float3(1, 0, 0), simd_float3(0, 1, 0), simd_float3(0, 0, 1), simd_float3(x, 0, 0))
    }
    var registration = DepthRegistration(from: lens, depthPose: pose(20), to: lens, colorPose: pose(-30))
    let focal = lens.focal.x
    // A wall moves by as many pixels as fifty millimetres are at its distance: here just three.
    let wall = 0.05 * focal / 3
    let map = DepthMap(width: 40, height: 30, quantity: .depth, values: [Float](repeating: wall, count: 1200))
    let result = registration.apply(to: map, width: 40, height: 30)
    let row = result.values[400..<440]
    #expect(row.prefix(37).allSatisfy { $0 == wall } && row.suffix(3).allSatisfy(\.isNaN), "\(Array(row))")
  }
}
