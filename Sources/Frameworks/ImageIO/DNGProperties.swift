package import FoundationExtras
internal import Foundation
package import StillCodecs

extension DNGEncoder.Options {
  /// The meaning of the numbers as ImageIO's dictionary has it.
  package var dngProperties: CFDictionary {
    var properties: CFDictionary = [
      kCGImagePropertyDNGBlackLevel: blackLevels,
      kCGImagePropertyDNGWhiteLevel: whiteLevel ?? (1 << bits) - 1,
      kCGImagePropertyDNGUniqueCameraModel: cameraModel,
    ]
    if let neutral { properties[kCGImagePropertyDNGAsShotNeutral] = neutral }
    let keys = [
      (kCGImagePropertyDNGColorMatrix1, kCGImagePropertyDNGCalibrationIlluminant1),
      (kCGImagePropertyDNGColorMatrix2, kCGImagePropertyDNGCalibrationIlluminant2),
    ]
    for (colors, keys) in zip(colors, keys) {
      properties[keys.0] = colors.matrix
      properties[keys.1] = Int(colors.illuminant)
    }
    if !noise.isEmpty { properties[kCGImagePropertyDNGNoiseProfile] = noise.flatMap { [$0.shot, $0.read] } }
    return properties
  }

  /// The meaning of numbers as ImageIO's dictionary has it; what it does not say stays as it is.
  package mutating func take(dngProperties properties: CFDictionary) {
    func numbers(_ key: CFString) -> [Double] {
      if let list = properties[key] as? [Any] { return list.compactMap { LooseNumber.double($0) } }
      return LooseNumber.double(properties[key]).map { [$0] } ?? []
    }
    let black = numbers(kCGImagePropertyDNGBlackLevel)
    if [1, 4].contains(black.count) { blackLevels = black }
    if let white = numbers(kCGImagePropertyDNGWhiteLevel).first.flatMap({ Int(exactly: $0.rounded()) }) {
      whiteLevel = white
    }
    let seen = numbers(kCGImagePropertyDNGAsShotNeutral)
    if seen.count == 3, seen.allSatisfy({ $0 > 0 && $0.isFinite }) { neutral = seen }
    let keys = [
      (kCGImagePropertyDNGColorMatrix1, kCGImagePropertyDNGCalibrationIlluminant1),
      (kCGImagePropertyDNGColorMatrix2, kCGImagePropertyDNGCalibrationIlluminant2),
    ]
    let found = keys.compactMap { matrix, light -> DNGEncoder.Colors? in
      let matrix = numbers(matrix)
      guard matrix.count == 9 else { return nil }
      let illuminant = numbers(light).first.flatMap { UInt16(exactly: $0) } ?? 21
      return DNGEncoder.Colors(illuminant: illuminant, matrix: matrix)
    }
    if !found.isEmpty { colors = found }
  }
}
