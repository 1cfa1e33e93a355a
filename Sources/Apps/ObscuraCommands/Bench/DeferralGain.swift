internal import AVFCapture
internal import AVFoundation
internal import CoreVideo
internal import Foundation
internal import Linux
internal import PhotoProcessing
internal import PixelTransforms
internal import StillCodecs

/// How much nearer a photo that was finished later is to the scene than the proxy that stood for it.
struct DeferralGain: Encodable, Sendable {
  /// The errors of one proxy and its final, as ``QualityMeasurement/Level/error``.
  struct Errors: Encodable, Sendable {
    var proxy: Double
    var final: Double
    /// By how many decibels the final is nearer.
    var gain: Double { 20 * log10(proxy / final) }
  }

  /// Both at the final's size, to which the proxy is scaled.
  var atFullSize: Errors
  /// Both at the proxy's size, to which final and truth are scaled.
  var atProxySize: Errors

  /// Takes one photo of `quality`, whose frames wait in a folder of their own, and finishes it.
  ///
  /// - Parameters:
  ///   - truth: The picture without noise.
  ///   - run: Makes the camera.
  /// - Throws: ``CommandError`` when a photo fails, and what decoding throws.
  init(
    against truth: CVPixelBuffer, _ run: ((AVCapturePhotoOutput) -> Void) throws -> PhotoRun
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
    defer { Disk.removeAll(folder.path) }
    let store = DeferredPhotoStore(folder: folder.path)
    let run = try run { output in
      output.isAutoDeferredPhotoDeliveryEnabled = true
      output.deferredPhotos.withLock { $0 = store }
    }
    defer { run.stop() }
    run.press(.quality)
    let proxy = try Self.picture(run.proxies(1)[0])
    guard let waiting = store.entries().first else {
      throw CommandError(.otherFailure, "The photo of the benchmark does not wait to be finished.")
    }
    let final = try Self.picture(store.finish(waiting.identifier).file)
    func errors(at size: PixelSize) throws -> Errors {
      let transformer = PixelTransformer(bufferLimit: .max)
      func scaled(_ picture: CVPixelBuffer) throws -> LumaPicture {
        try LumaPicture(transformer.apply(FrameTransform(size: size), to: picture))
      }
      let truth = try scaled(truth)
      return try Errors(
        proxy: scaled(proxy).error(against: truth), final: scaled(final).error(against: truth))
    }
    atFullSize = try errors(at: PixelSize(width: final.width, height: final.height))
    atProxySize = try errors(at: PixelSize(width: proxy.width, height: proxy.height))
  }

  private static func picture(_ file: Data) throws -> CVPixelBuffer {
    let whole = FrameTransform(pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    return try PixelTransformer(bufferLimit: 1).apply(whole, to: StillFacts(file).decode(file, scale: .full))
  }
}
