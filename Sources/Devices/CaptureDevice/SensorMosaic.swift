public import CoreMedia
public import FoundationExtras

/// The storage of a mosaic's numbers in memory.
public struct MosaicLayout: Sendable, Hashable, Codable {
  /// The order of the colours: `kCVPixelFormatType_14Bayer_RGGB` and its like, whatever ``bits`` a number has.
  public var pixelFormat: OSType
  /// The bits of a number, 8 to 16.
  public var bits: Int
  /// Whether 10, 12 or 14 bits lie as MIPI CSI-2 packs them: 4 numbers in 5 bytes, 2 in 3, 4 in 7.
  ///
  /// Else numbers take one byte up to 8 bits, and two beyond, the lower one first.
  public var isPacked: Bool

  /// A layout; packed ones have 10, 12 or 14 bits.
  public init(pixelFormat: OSType, bits: Int, isPacked: Bool = false) {
    self.pixelFormat = pixelFormat
    self.bits = bits
    self.isPacked = isPacked
  }
}

/// The noise of a sensor: a number of brightness *x*, from 0 black to 1 white, varies by `shot` · *x* + `read`.
public struct SensorNoise: Sendable, Hashable, Codable {
  /// The part that grows with light.
  public var shot: Double
  /// The part that is there in the dark.
  public var read: Double

  /// Noise of both parts.
  public init(shot: Double, read: Double) {
    self.shot = shot
    self.read = read
  }
}

/// One exposure as a sensor behind a mosaic of red, green and blue filters counted it, before anything was made of it.
///
/// Its memory is the device's own, and goes back to it when the last reference does.
public struct SensorMosaic: Sendable {
  /// The rows, ``bytesPerRow`` apart.
  public var data: CMBlockBuffer
  /// Width and height; both even.
  public var size: FrameSize
  /// From one row to the next.
  public var bytesPerRow: Int
  /// The storage of the numbers.
  public var layout: MosaicLayout
  /// The numbers that are black: one for all, or four as the upper left four pixels lie.
  public var blackLevels: [Double]
  /// The number that is as bright as can be.
  public var whiteLevel: Int
  /// The noise of the exposure; `nil` where it is unknown.
  public var noise: SensorNoise?
  /// The colours of the sensor; `nil` where they are unknown: then nothing says what its light was, either.
  public var colors: SensorColors?

  /// A mosaic; without a white level it is the greatest number of its bits.
  public init(
    data: CMBlockBuffer, size: FrameSize, bytesPerRow: Int, layout: MosaicLayout, blackLevels: [Double] = [0],
    whiteLevel: Int? = nil, noise: SensorNoise? = nil, colors: SensorColors? = nil
  ) {
    self.data = data
    self.size = size
    self.bytesPerRow = bytesPerRow
    self.layout = layout
    self.blackLevels = blackLevels
    self.whiteLevel = whiteLevel ?? (1 << layout.bits) - 1
    self.noise = noise
    self.colors = colors
  }
}

/// The mosaics that come with a format's stills beside their pictures.
public struct StillMosaicFormat: Sendable, Hashable {
  /// The storage of the numbers.
  public var layout: MosaicLayout
  /// Their size, whatever size the picture has: all of the sensor.
  public var size: FrameSize

  /// Mosaics of that size.
  public init(layout: MosaicLayout, size: FrameSize) {
    self.layout = layout
    self.size = size
  }
}

extension StreamFormat {
  /// The mosaics that its stills can be had with: its own frames where they are that, else ``stillMosaic``; `nil` for none.
  package var rawFormat: StillMosaicFormat? {
    if case .mosaic(let layout) = encoding { return StillMosaicFormat(layout: layout, size: size) }
    return stillMosaic
  }
}
