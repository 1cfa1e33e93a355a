internal import CodeReading
internal import CoreVideo
public import Foundation
public import ImageCore

/// A kind of code.
///
/// Apple: `VNBarcodeSymbology`.
public struct VNBarcodeSymbology: RawRepresentable, Hashable, Sendable {
  /// Apple's name of the constant.
  public let rawValue: String

  /// The kind with Apple's name `rawValue`.
  public init(rawValue: String) { self.rawValue = rawValue }

  private init(_ name: String) { rawValue = "VNBarcodeSymbology\(name)" }

  /// Aztec.
  public static let aztec = VNBarcodeSymbology("Aztec")
  /// Codabar.
  public static let codabar = VNBarcodeSymbology("Codabar")
  /// Code 39.
  public static let code39 = VNBarcodeSymbology("Code39")
  /// Code 93.
  public static let code93 = VNBarcodeSymbology("Code93")
  /// Code 128.
  public static let code128 = VNBarcodeSymbology("Code128")
  /// Data Matrix.
  public static let dataMatrix = VNBarcodeSymbology("DataMatrix")
  /// EAN-8.
  public static let ean8 = VNBarcodeSymbology("EAN8")
  /// EAN-13, and UPC-A with a zero before it.
  public static let ean13 = VNBarcodeSymbology("EAN13")
  /// GS1 DataBar.
  public static let gs1DataBar = VNBarcodeSymbology("GS1DataBar")
  /// GS1 DataBar Expanded.
  public static let gs1DataBarExpanded = VNBarcodeSymbology("GS1DataBarExpanded")
  /// GS1 DataBar Limited.
  public static let gs1DataBarLimited = VNBarcodeSymbology("GS1DataBarLimited")
  /// Interleaved 2 of 5.
  public static let i2of5 = VNBarcodeSymbology("I2of5")
  /// Interleaved 2 of 5 of fourteen digits.
  public static let itf14 = VNBarcodeSymbology("ITF14")
  /// Micro PDF417.
  public static let microPDF417 = VNBarcodeSymbology("MicroPDF417")
  /// Micro QR.
  public static let microQR = VNBarcodeSymbology("MicroQR")
  /// PDF417.
  public static let pdf417 = VNBarcodeSymbology("PDF417")
  /// QR.
  public static let qr = VNBarcodeSymbology("QR")
  /// UPC-E.
  public static let upce = VNBarcodeSymbology("UPCE")

  private static let kinds: [(VNBarcodeSymbology, CodeKind)] = [
    (.aztec, .aztec), (.codabar, .codabar), (.code39, .code39), (.code93, .code93), (.code128, .code128),
    (.dataMatrix, .dataMatrix), (.ean8, .ean8), (.ean13, .ean13), (.gs1DataBar, .dataBar),
    (.gs1DataBarExpanded, .dataBarExpanded), (.gs1DataBarLimited, .dataBarLimited), (.i2of5, .itf),
    (.itf14, .itf), (.microPDF417, .microPDF417), (.microQR, .microQR), (.pdf417, .pdf417), (.qr, .qr),
    (.upce, .upcE),
  ]

  /// Those that can be read here.
  static let readable = kinds.filter { CodeKind.readable.contains($0.1) }.map(\.0)

  /// What the reader has to look for; `nil` for a kind of a client's own.
  var kind: CodeKind? { Self.kinds.first { $0.0 == self }?.1 }

  /// The kind of which a code is reported, where it is one of `wanted`: of two that fit the narrower.
  static func symbology(of code: RecognizedCode, among wanted: [VNBarcodeSymbology]) -> VNBarcodeSymbology? {
    let fitting = kinds.filter { $0.1 == code.kind && wanted.contains($0.0) }.map(\.0)
    if code.kind == .itf, code.bytes.count == 14, fitting.contains(.itf14) { return .itf14 }
    return fitting.first { $0 != .itf14 }
  }
}

/// A code that was read.
///
/// Source: [VNBarcodeObservation](https://developer.apple.com/documentation/vision/vnbarcodeobservation).
open class VNBarcodeObservation: VNRectangleObservation, @unchecked Sendable {  // Safe: constants.
  /// The kind of code.
  ///
  /// Apple: `VNBarcodeObservation.symbology`.
  public let symbology: VNBarcodeSymbology
  /// What it says; `nil` where that is no text.
  ///
  /// Apple: `VNBarcodeObservation.payloadStringValue`.
  public let payloadStringValue: String?
  /// The bytes that it holds.
  ///
  /// Apple: `VNBarcodeObservation.payloadData`.
  public let payloadData: Data?
  /// Enough of a matrix code to draw it again, where the reader reports it; `nil` of others.
  ///
  /// Apple: `VNBarcodeObservation.barcodeDescriptor`.
  public let barcodeDescriptor: CIBarcodeDescriptor?

  init(_ code: RecognizedCode, _ symbology: VNBarcodeSymbology, _ places: PartPlaces) {
    self.symbology = symbology
    payloadStringValue = code.text
    payloadData = Data(code.bytes)
    barcodeDescriptor = CIBarcodeDescriptor.descriptor(of: code.symbol)
    super.init(corners: code.corners.map(places.point), confidence: 1)
  }
}

/// A search for codes.
///
/// Source: [VNDetectBarcodesRequest](https://developer.apple.com/documentation/vision/vndetectbarcodesrequest).
open class VNDetectBarcodesRequest: VNImageBasedRequest, @unchecked Sendable {  // Safe as the base.
  /// The kinds of codes to look for; all that can be read, at first.
  ///
  /// Apple: `VNDetectBarcodesRequest.symbologies`.
  open var symbologies = VNBarcodeSymbology.readable
  private var reader: CodeReader?

  /// The codes that were read last; `nil` before the request was performed, and after it failed.
  ///
  /// Apple: `VNDetectBarcodesRequest.results`.
  open var results: [VNBarcodeObservation]? { observations as? [VNBarcodeObservation] }

  /// The first four versions, of which the first gives places in fractions of the whole picture where a part is searched.
  ///
  /// Apple: `VNRequest.supportedRevisions`.
  open override class var supportedRevisions: IndexSet { IndexSet(1...4) }

  /// The kinds of codes that can be read here.
  ///
  /// Apple: `VNDetectBarcodesRequest.supportedSymbologies()`.
  open func supportedSymbologies() throws -> [VNBarcodeSymbology] { VNBarcodeSymbology.readable }

  /// The same, of the newest version.
  ///
  /// Apple: `VNDetectBarcodesRequest.supportedSymbologies`; deprecated there.
  open class var supportedSymbologies: [VNBarcodeSymbology] { VNBarcodeSymbology.readable }

  override var reportsWholePicture: Bool { revision == 1 }

  override func search(_ part: CVPixelBuffer, _ places: PartPlaces) throws -> [VNObservation] {
    let wanted = symbologies
    let kinds = Set(wanted.compactMap(\.kind))
    let reader = self.reader.flatMap { $0.kinds == kinds ? $0 : nil } ?? CodeReader(kinds: kinds)
    self.reader = reader
    return try reader.codes(in: part, effort: .thorough).compactMap { code in
      VNBarcodeSymbology.symbology(of: code, among: wanted).flatMap {
        code.corners.count == 4 ? VNBarcodeObservation(code, $0, places) : nil
      }
    }
  }
}
