internal import CaptureDevice
internal import CoreVideo
internal import FoundationExtras
internal import Linux
internal import PixelTransforms
internal import RawPictures

/// Develops the mosaics of one stream.
///
/// White balance is the device's where it knows its sensor's colours; else a mean of grey, which follows the scene slowly, so that the
/// pictures of a stream do not flicker. Thread-safe.
final class MosaicDeveloper: Sendable {
  private let pool: PixelTransformer
  private let balance = Locked<SIMD3<Double>?>(nil)

  /// The share of a new scene's balance that a frame takes.
  private static let pace = 0.1

  /// A developer whose pictures come from `pool`.
  init(_ pool: PixelTransformer) {
    self.pool = pool
  }

  /// The picture of a mosaic: 4:2:0, full range, in sRGB.
  ///
  /// - Throws: `SensorMosaic.TooShort`, `PixelTransformError`.
  func picture(of mosaic: SensorMosaic, _ controls: ControlState) throws -> CVPixelBuffer {
    let numbers = try pool.makeBuffer(
      size: PixelSize(mosaic.size), pixelFormat: mosaic.layout.pixelFormat)
    try mosaic.unpack(into: numbers)
    let colors = try pool.makeBuffer(size: PixelSize(mosaic.size), pixelFormat: kCVPixelFormatType_32BGRA)
    let facts = mosaic.facts(gains: gains(of: numbers, mosaic, controls))
    try RawDeveloper.develop(numbers, facts, into: colors)
    let attachments: CFDictionary = [
      kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_ITU_R_709_2,
      kCVImageBufferTransferFunctionKey: kCVImageBufferTransferFunction_sRGB,
    ]
    CVBufferSetAttachments(colors, attachments, .shouldPropagate)
    return try pool.apply(
      FrameTransform(pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange), to: colors)
  }

  private func gains(
    of numbers: CVPixelBuffer, _ mosaic: SensorMosaic, _ controls: ControlState
  ) -> SIMD3<Double> {
    if mosaic.colors != nil { return controls.whiteBalanceGains.factors }
    let grey = MosaicStatistics.greyGains(of: numbers, mosaic.facts(gains: .one))
    return balance.withLock { balance in
      let new = balance.map { $0 + (grey - $0) * Self.pace } ?? grey
      balance = new
      return new
    }
  }
}
