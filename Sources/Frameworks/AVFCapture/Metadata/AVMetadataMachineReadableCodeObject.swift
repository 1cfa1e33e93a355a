internal import CodeReading
internal import CoreMedia
public import Foundation
internal import GraphicsCore
public import ImageCore

/// A barcode that was read in a picture.
///
/// Apple: `AVMetadataMachineReadableCodeObject`.
open class AVMetadataMachineReadableCodeObject: AVMetadataObject, @unchecked Sendable {  // Safe: constants.
  /// The payload as text; `nil` where the code holds bytes that are no text.
  ///
  /// Empty for a code that holds nothing. Never made up: bytes in a character set that the code names, or that follows
  /// from the bytes, are converted; others give `nil`, and ``payload`` has them.
  ///
  /// Apple: `AVMetadataMachineReadableCodeObject.stringValue`.
  public let stringValue: String?

  /// The bytes that the symbol holds, before any character set.
  ///
  /// - Note: Unlike AVFoundation, which has them inside ``descriptor``, for some codes only.
  public let payload: Data

  /// How the code's modules hold its payload: a `CIQRCodeDescriptor`, `CIAztecCodeDescriptor` or `CIDataMatrixCodeDescriptor`;
  /// `nil` of other kinds.
  ///
  /// - Note: Unlike AVFoundation, PDF417 codes have none, and no code has one where ZXing-C++ is newer than 1.4: it keeps the
  ///   codewords to itself.
  ///
  /// Apple: `AVMetadataMachineReadableCodeObject.descriptor`.
  public let descriptor: CIBarcodeDescriptor?

  /// The code's corners: its own top left one first, then counterclockwise as the code is meant to be seen.
  ///
  /// That is top left, bottom left, bottom right, top right, wherever they lie in the picture; clockwise when the code or the
  /// picture is mirrored. In the same space as `bounds`, which they lie in. Of a row of bars, where it was scanned.
  ///
  /// Apple: `AVMetadataMachineReadableCodeObject.corners`.
  open var corners: [CGPoint] { place.corners }

  init(
    type: ObjectType, time: CMTime, place: Place, original: Place? = nil, source: NodeID, text: String?,
    payload: Data, descriptor: CIBarcodeDescriptor?
  ) {
    stringValue = text
    self.payload = payload
    self.descriptor = descriptor
    super.init(type: type, time: time, place: place, original: original, source: source)
  }

  /// A code found in a picture of `size` pixels.
  convenience init(_ code: RecognizedCode, type: ObjectType, in size: CGSize, time: CMTime, source: NodeID) {
    let unit = CGAffineTransform(scaleX: 1 / size.width, y: 1 / size.height)
    self.init(
      type: type, time: time,
      place: Place(
        bounds: code.bounds.applying(unit), corners: code.appleCorners.map { $0.applying(unit) }),
      source: source, text: code.text, payload: Data(code.bytes),
      descriptor: .descriptor(of: code.symbol))
  }

  override func placed(in place: Place) -> AVMetadataObject {
    AVMetadataMachineReadableCodeObject(
      type: type, time: time, place: place, original: original, source: source, text: stringValue,
      payload: payload, descriptor: descriptor)
  }
}
