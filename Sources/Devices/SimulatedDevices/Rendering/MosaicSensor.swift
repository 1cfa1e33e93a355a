internal import CPainting
internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Foundation

/// The numbers that a simulated sensor counts of a scene, before anything is made of them.
///
/// A picture without noise, in the colours of neutral light, is seen through the sensor's filters, in the light of the scene: balanced by
/// the gains for that light, and developed by the sensor's colours, the mosaic gives the picture again. Noise is that of ``SensorTable``.
struct MosaicSensor: Sendable {
  /// The storage of the numbers: red first, 12 bits, two bytes each.
  static let layout = MosaicLayout(pixelFormat: kCVPixelFormatType_14Bayer_RGGB, bits: 12)
  /// The number of no light.
  static let black = 256.0
  /// The colours of the upper left four.
  private static let pattern: [UInt8] = [0, 1, 1, 2]
  private static let toLinear = (0..<256).map { SRGB.linear(Float($0) / 255) }

  private let colors: SensorColors
  private let weights: [Float]
  private let noise: SensorNoise?

  /// A sensor of these colours, in light that `gains` make neutral, at an ISO; without noise where it is `nil`.
  init(_ colors: SensorColors, gains: WhiteBalanceGains, iso: Float?) {
    self.colors = colors
    let factors = [gains.red, gains.green, gains.blue]
    let least = max(factors.min() ?? 1, 1e-3)
    weights = Self.seen(colors).enumerated().map { index, share in
      Float(share) * least / max(factors[index / 3], 1e-3)
    }
    noise = iso.map { iso in
      let shot = 2e-6 * Double(iso)
      return SensorNoise(shot: shot, read: exp(2.18 * log(shot) + 1.2))
    }
  }

  /// Of each of the sensor's colours how much linear red, green and blue of sRGB it sees; white is 1 for all three.
  private static func seen(_ colors: SensorColors) -> [Double] {
    // The columns of linear sRGB to CIE XYZ (IEC 61966-2-1).
    let columns = [
      SIMD3(0.412_390_799, 0.212_639_006, 0.019_330_819), SIMD3(0.357_584_339, 0.715_168_679, 0.119_194_780),
      SIMD3(0.180_480_788, 0.072_192_315, 0.950_532_152),
    ]
    return [colors.red, colors.green, colors.blue].flatMap { row in
      let shares = columns.map { (row * $0).sum() }
      let white = max(shares.reduce(0, +), 1e-6)
      return shares.map { $0 / white }
    }
  }

  /// What the sensor counts of a picture in 420f and BT.601; `chance` decides the noise.
  func mosaic(of picture: CVPixelBuffer, chance: UInt64) -> SensorMosaic {
    let (width, height) = (picture.width & ~1, picture.height & ~1)
    let bytesPerRow = 2 * width
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytesPerRow * height, alignment: 64)
    expose(picture, into: memory, width: width, height: height, chance: chance)
    return SensorMosaic(
      data: CMBlockBuffer(wrapping: memory) { [address = UInt(bitPattern: memory.baseAddress)] in
        UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
      },
      size: FrameSize(width: width, height: height), bytesPerRow: bytesPerRow, layout: Self.layout,
      blackLevels: [Self.black], noise: noise, colors: colors)
  }

  private func expose(
    _ picture: CVPixelBuffer, into memory: UnsafeMutableRawBufferPointer, width: Int, height: Int,
    chance: UInt64
  ) {
    let parts = LumaMatrix(uses709: false, usesP3: false).toColors
    let (luma, chroma) = (picture.planes[0], picture.planes[1])
    weights.withUnsafeBufferPointer { weights in
      Self.pattern.withUnsafeBufferPointer { pattern in
        Self.toLinear.withUnsafeBufferPointer { toLinear in
          SensorTable.quantiles.withUnsafeBufferPointer { quantiles in
            var sensor = painting_sensor(
              weights: weights.baseAddress, colors: pattern.baseAddress, to_linear: toLinear.baseAddress,
              quantiles: quantiles.baseAddress, red_from_cr: parts.redFromCr,
              green_from_cb: parts.greenFromCb, green_from_cr: parts.greenFromCr,
              blue_from_cb: parts.blueFromCb, shot: Float(noise?.shot ?? 0), read: Float(noise?.read ?? 0),
              black: Float(Self.black), white: Float((1 << Self.layout.bits) - 1))
            for row in 0..<height {
              guard let target = memory.baseAddress else { return }
              painting_mosaic_row(
                &sensor, bytes(luma, row), bytes(chroma, row / 2), row, chance ^ UInt64(row), width,
                (target + row * 2 * width).assumingMemoryBound(to: UInt16.self))
            }
          }
        }
      }
    }
    withExtendedLifetime(picture) {}
  }

  private func bytes(_ plane: PixelPlane, _ row: Int) -> UnsafePointer<UInt8> {
    UnsafePointer((plane.baseAddress + row * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self))
  }
}

extension SensorColors {
  /// The colours of a sensor that sees as sRGB does (IEC 61966-2-1).
  static let plain = SensorColors(
    red: SIMD3(3.240_969_942, -1.537_383_178, -0.498_610_760),
    green: SIMD3(-0.969_243_636, 1.875_967_502, 0.041_555_057),
    blue: SIMD3(0.055_630_080, -0.203_976_959, 1.056_971_514))
}
