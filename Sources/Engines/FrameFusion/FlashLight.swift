package import CoreVideo
internal import Dispatch
internal import Foundation

/// Takes the ambient light out of a picture with flash: what is left is lit by the flash alone.
///
/// In linear light, light adds up: of two pictures of one scene and one exposure, with the flash and without it, the difference is that of a
/// dark room with the flash. Its colours do not depend on the ambient light. A shift of the camera between the two is found and taken back;
/// where something else has moved, one of them has light that the other lacks. Stateless and thread-safe.
package enum FlashLight {
  /// How far places can be trusted.
  package struct Confidence: Sendable {
    /// One byte for each ``step`` × ``step`` pixels: 255 is full, 0 none; `kCVPixelFormatType_OneComponent8`.
    package var map: CVPixelBuffer
    /// The mean of the map from 0 to 1, the middle weighted most.
    package var mean: Float
  }

  /// The pixels of the picture for one of the confidence map, in each direction.
  package static let step = 4
  /// The share of a place's light that comes from the flash, from which on its colour is trusted in full.
  private static let fullShare: Float = 0.6
  /// The least of the flash's light, of white, that is far above the noise.
  private static let leastLight: Float = 0.01
  /// The coded value from which on a sensor may have been full.
  private static let clipped: UInt8 = 254

  private static let linear: [Float] = (0..<256).map { code in
    let value = Double(code) / 255
    return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
  }
  private static let codeSteps = 16_383
  private static let codes: [UInt8] = (0...codeSteps).map { step in
    let value = Double(step) / Double(codeSteps)
    let coded = value <= 0.003_130_8 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    return UInt8((coded * 255).rounded())
  }

  /// Writes the difference of two pictures of equal size in `kCVPixelFormatType_32BGRA`, coded as sRGB codes light.
  ///
  /// Uses all cores, and blocks for one pass over the pixels, and for some tens of milliseconds at most that the shift is looked for.
  ///
  /// - Parameters:
  ///   - flash: The picture with flash.
  ///   - flashFactors: The factors of its linear red, green and blue.
  ///   - ambient: The picture without.
  ///   - ambientFactors: Likewise; with these the ambient light of both is equal.
  ///   - limit: The linear luma of the picture with flash from which on it is not in proportion to light any more: 1 for most.
  ///   - target: The picture that gets the difference; may be `flash`.
  /// - Returns: How far its places can be trusted; `nil`, and nothing is written, where the pictures do not fit each other.
  /// - Throws: Where the map's memory cannot be had.
  package static func separate(
    _ flash: CVPixelBuffer, _ flashFactors: SIMD3<Float>, from ambient: CVPixelBuffer,
    _ ambientFactors: SIMD3<Float>, limit: Float = 1, into target: CVPixelBuffer
  ) throws -> Confidence? {
    let pictures = [flash, ambient, target]
    let (width, height) = (CVPixelBufferGetWidth(flash), CVPixelBufferGetHeight(flash))
    let fits = pictures.allSatisfy {
      CVPixelBufferGetPixelFormatType($0) == kCVPixelFormatType_32BGRA && CVPixelBufferGetWidth($0) == width
        && CVPixelBufferGetHeight($0) == height
    }
    guard fits else { return nil }
    let size = (width: (width + step - 1) / step, height: (height + step - 1) / step)
    let map = try CVPixelBuffer(
      format: kCVPixelFormatType_OneComponent8, width: size.width, height: size.height)
    for buffer in pictures + [map] { CVPixelBufferLockBaseAddress(buffer, []) }
    defer { for buffer in pictures + [map] { CVPixelBufferUnlockBaseAddress(buffer, []) } }
    let planes = pictures.compactMap(Plane.init)
    guard planes.count == 3, let cells = Plane(map) else { return nil }
    let (lit, dark) = (planes[0], planes[1])
    let shift = LightnessShift(
      width: width, height: height, first: { UnsafePointer(lit.row($0)) },
      second: { UnsafePointer(dark.row($0)) })
    let work = Work(
      flash: planes[0], ambient: planes[1], target: planes[2], cells: cells, width: width, height: height,
      flashFactors: flashFactors, ambientFactors: ambientFactors, limit: limit, shift: shift)
    DispatchQueue.concurrentPerform(iterations: size.height) { work.run(cellRow: $0, columns: size.width) }
    return Confidence(map: map, mean: mean(cells, size.width, size.height))
  }

  /// The memory of one picture.
  private struct Plane: @unchecked Sendable {  // Safe because each row is written by one iteration alone.
    let base: UnsafeMutablePointer<UInt8>
    let stride: Int

    init?(_ buffer: CVPixelBuffer) {
      guard let base = CVPixelBufferGetBaseAddress(buffer) else { return nil }
      self.base = base.assumingMemoryBound(to: UInt8.self)
      stride = CVPixelBufferGetBytesPerRow(buffer)
    }

    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * stride }
  }

  private struct Work: Sendable {
    let flash, ambient, target, cells: Plane
    let width, height: Int
    let flashFactors, ambientFactors: SIMD3<Float>
    let limit: Float
    /// Of the picture without flash.
    let shift: LightnessShift

    /// Writes the rows of the picture that one row of the map stands for, and that row.
    func run(cellRow: Int, columns: Int) {
      let rows = cellRow * step..<min((cellRow + 1) * step, height)
      let cells = cells.row(cellRow)
      linear.withUnsafeBufferPointer { linear in
        codes.withUnsafeBufferPointer { codes in
          for column in 0..<columns {
            let places = column * step..<min((column + 1) * step, width)
            var sum: Float = 0
            for y in rows {
              let (lit, result) = (flash.row(y), target.row(y))
              for x in places {
                sum += separate(lit + 4 * x, from: ambientLight(x, y, linear), result + 4 * x, linear, codes)
              }
            }
            cells[column] = UInt8((sum / Float(rows.count * places.count) * 255).rounded())
          }
        }
      }
    }

    /// The linear light of a place in the picture without flash, and whether that shows the place.
    @inline(__always)
    private func ambientLight(_ x: Int, _ y: Int, _ linear: UnsafeBufferPointer<Float>) -> (
      light: SIMD3<Float>, isSeen: Bool
    ) {
      func light(_ x: Int, _ y: Int) -> SIMD3<Float> {
        let pixel = ambient.row(y) + 4 * x
        return SIMD3(linear[Int(pixel[2])], linear[Int(pixel[1])], linear[Int(pixel[0])])
      }
      guard !shift.isNone else { return (light(x, y), true) }
      let (right, bottom) = (Float(width - 1), Float(height - 1))
      let (wantedX, wantedY) = (Float(x) + shift.x, Float(y) + shift.y)
      let (u, v) = (max(0, min(right, wantedX)), max(0, min(bottom, wantedY)))
      let (left, top) = (Int(u), Int(v))
      let (next, below) = (min(left + 1, width - 1), min(top + 1, height - 1))
      let (across, down) = (u - Float(left), v - Float(top))
      let upper = light(left, top) * (1 - across) + light(next, top) * across
      let lower = light(left, below) * (1 - across) + light(next, below) * across
      return (upper * (1 - down) + lower * down, abs(u - wantedX) < 1 && abs(v - wantedY) < 1)
    }

    /// Writes one pixel; how far it can be trusted.
    @inline(__always)
    private func separate(
      _ lit: UnsafePointer<UInt8>, from dark: (light: SIMD3<Float>, isSeen: Bool),
      _ result: UnsafeMutablePointer<UInt8>, _ linear: UnsafeBufferPointer<Float>,
      _ codes: UnsafeBufferPointer<UInt8>
    ) -> Float {
      let seen = SIMD3(linear[Int(lit[2])], linear[Int(lit[1])], linear[Int(lit[0])])
      let isClipped = max(lit[0], lit[1], lit[2]) >= clipped || luma(seen) > limit
      let whole = seen * flashFactors
      let other = dark.light * ambientFactors
      let light = (whole - other).clamped(lowerBound: .zero, upperBound: .one)
      result[0] = codes[Int(light.z * Float(codeSteps) + 0.5)]
      result[1] = codes[Int(light.y * Float(codeSteps) + 0.5)]
      result[2] = codes[Int(light.x * Float(codeSteps) + 0.5)]
      result[3] = 255
      guard !isClipped, dark.isSeen else { return 0 }
      let (own, all) = (luma(light), max(luma(whole), 1e-6))
      return min(own / all / fullShare, 1) * min(own / leastLight, 1)
    }

    @inline(__always)
    private func luma(_ color: SIMD3<Float>) -> Float {
      color.x * 0.2126 + color.y * 0.7152 + color.z * 0.0722
    }
  }

  /// The mean from 0 to 1, each place weighted by a bell curve about the middle that is a half of a half side wide.
  private static func mean(_ cells: Plane, _ width: Int, _ height: Int) -> Float {
    func weights(_ count: Int) -> [Float] {
      (0..<count).map { index in
        let place = (Float(index) + 0.5) / Float(count) * 2 - 1
        return exp(-place * place / (2 * 0.5 * 0.5))
      }
    }
    let (across, down) = (weights(width), weights(height))
    var (sum, whole): (Float, Float) = (0, 0)
    for y in 0..<height {
      let row = cells.row(y)
      var line: Float = 0
      for x in 0..<width { line += across[x] * Float(row[x]) }
      sum += line * down[y]
      whole += down[y]
    }
    return sum / (whole * across.reduce(0, +) * 255)
  }
}
