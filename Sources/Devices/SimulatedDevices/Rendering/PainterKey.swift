internal import CaptureDevice
internal import CoreVideo
internal import FoundationExtras

/// In what shape a scene is painted.
struct PainterKey: Hashable, Sendable {
  var size: FrameSize
  /// 420v or 420f.
  var format: OSType
  /// Whether colours are P3 instead of sRGB.
  var usesP3: Bool
  /// Whether it is for a picture, which JPEG and HEIC want in the BT.601 matrix.
  var isPicture: Bool

  var isFullRange: Bool { format == FourCharacterCodes.fullRange420 }

  /// The matrix of the colour differences: BT.601 for pictures and below 720 lines, else BT.709 as HD video has it.
  var uses709: Bool { !isPicture && size.height >= 720 }

  /// A buffer of its own for one picture.
  func makeBuffer() throws -> CVPixelBuffer {
    let buffer = try CVPixelBuffer(format: format, width: size.width, height: size.height)
    CVBufferSetAttachments(buffer, attachments, .shouldPropagate)
    return buffer
  }

  /// The attachments that describe this on a buffer.
  var attachments: CFDictionary {
    [
      kCVImageBufferYCbCrMatrixKey: uses709
        ? kCVImageBufferYCbCrMatrix_ITU_R_709_2 : kCVImageBufferYCbCrMatrix_ITU_R_601_4,
      kCVImageBufferColorPrimariesKey: usesP3
        ? kCVImageBufferColorPrimaries_P3_D65 : kCVImageBufferColorPrimaries_ITU_R_709_2,
      kCVImageBufferTransferFunctionKey: kCVImageBufferTransferFunction_sRGB,
      kCVImageBufferChromaLocationTopFieldKey: kCVImageBufferChromaLocation_Center,
    ]
  }
}

extension FrameMoment {
  /// The same as it falls on the sensor: without noise, balance and tones, which come later.
  var onSensor: FrameMoment {
    var bare = self
    bare.isNoisy = false
    bare.balance = .one
    bare.isHDR = false
    bare.isGloballyToneMapped = false
    return bare
  }

  /// The only one of a scene that is painted once.
  static let still = FrameMoment(seconds: 0, sequence: 0, gain: 1, iso: 100, isFlash: false)
}

/// One frame's moment: all that its pixels depend on beside the scene and the device.
struct FrameMoment: Sendable {
  /// Since the device started.
  var seconds: Double
  var sequence: UInt32
  /// The brightness of its exposure: 1 is right.
  var gain: Double
  var iso: Float
  /// Whether a click's flash whitens it.
  var isFlash: Bool
  /// Whether it has noise; off for the truth.
  var isNoisy = true
  /// The view and the light.
  var view = FrameView()
  /// The factors of linear red, green and blue; 1 is neutral.
  var balance = SIMD3<Float>.one
  /// Whether highlights up to four times white are kept.
  var isHDR = false
  /// Whether one tone curve serves the whole frame.
  var isGloballyToneMapped = false
  /// The share of the hand's shake that remains.
  var shake = 1.0
}
