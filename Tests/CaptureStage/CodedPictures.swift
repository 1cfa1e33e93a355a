package import CaptureDevice
import CoreMedia
package import CoreVideo
import Foundation
import Linux
import PixelTransforms
import Testing
import VideoCodecs

/// Coded pictures of ``CodedCamera/size``, each as gray as its number says.
package final class CodedPictures: Sendable {
  private struct State {
    var encoder: VideoEncoder?
    var codec: VideoEncoderSettings.Codec?
    var format: CMVideoFormatDescription?
  }

  private let state = Locked(State())

  package init() {}

  /// How light the pictures with that number are, in codes of luma.
  package static func light(_ number: UInt32) -> Int { 40 + Int(number % 20) * 8 }

  /// The next picture of the stream.
  package func picture(_ number: UInt32, _ encoding: FrameEncoding, isKeyFrame: Bool) throws -> CodedPicture {
    let codec: VideoEncoderSettings.Codec = encoding == .hevc ? .hevc : .h264
    return try state.withLock { state in
      let gray = try Self.gray(number)
      if state.encoder == nil || state.codec != codec {
        var settings = VideoEncoderSettings(
          codec: codec, size: PixelSize(width: CodedCamera.size.width, height: CodedCamera.size.height))
        settings.isLowLatency = true
        settings.keyFrameInterval = 1000
        settings.quality = 0.9
        settings.prefersHardware = false
        state.encoder = try VideoEncoder(settings, first: gray)
        state.codec = codec
        state.format = nil
      }
      let samples = try #require(state.encoder).encode(
        gray, at: CMTime(value: Int64(number), timescale: 30), isKeyFrame: isKeyFrame)
      let sample = try #require(samples.first, "The encoder keeps a picture.")
      // One object for the whole stream, as a device has it.
      if state.format == nil { state.format = sample.formatDescription }
      return CodedPicture(
        data: try #require(sample.dataBuffer), format: try #require(state.format),
        isKeyFrame: sample.isKeyFrame(), isReference: true)
    }
  }

  private static func gray(_ number: UInt32) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(
      nil, CodedCamera.size.width, CodedCamera.size.height,
      kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, nil, &made)
    let buffer = try #require(made)
    buffer.fill(128)
    CVPixelBufferLockBaseAddress(buffer, [])
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    memset(
      try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, 0)), Int32(light(number)),
      CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) * CVPixelBufferGetHeightOfPlane(buffer, 0))
    return buffer
  }
}

extension CVPixelBuffer {
  /// Makes a 4:2:0 picture gray, with `light` in both planes.
  package func fill(_ light: UInt8) {
    CVPixelBufferLockBaseAddress(self, [])
    defer { CVPixelBufferUnlockBaseAddress(self, []) }
    for plane in 0..<2 {
      guard let base = CVPixelBufferGetBaseAddressOfPlane(self, plane) else { continue }
      memset(
        base, Int32(light),
        CVPixelBufferGetBytesPerRowOfPlane(self, plane) * CVPixelBufferGetHeightOfPlane(self, plane))
    }
  }

  /// The luma in the middle of a 4:2:0 picture.
  package var middleLight: Int {
    CVPixelBufferLockBaseAddress(self, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddressOfPlane(self, 0) else { return -1 }
    let offset =
      CVPixelBufferGetBytesPerRowOfPlane(self, 0) * (CVPixelBufferGetHeight(self) / 2)
      + CVPixelBufferGetWidth(self) / 2
    return Int(base.load(fromByteOffset: offset, as: UInt8.self))
  }
}
