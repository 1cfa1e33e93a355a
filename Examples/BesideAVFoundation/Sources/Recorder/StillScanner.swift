import AVFoundation
import Vision

/// Reads the codes of a photo.
public struct StillScanner {
  /// A scanner.
  public init() {}

  /// What the QR codes of a photo's file say; empty without any.
  public func payloads(of file: Data) throws -> [String] {
    let request = VNDetectBarcodesRequest()
    request.symbologies = [.qr]
    try VNImageRequestHandler(data: file, options: [:]).perform([request])
    return request.results?.compactMap(\.payloadStringValue) ?? []
  }
}
