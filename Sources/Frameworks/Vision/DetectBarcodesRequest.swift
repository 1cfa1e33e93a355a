public import Foundation

/// A kind of code.
///
/// Apple: `BarcodeSymbology`.
public enum BarcodeSymbology: Sendable, Hashable, CaseIterable {
  case aztec, codabar, code39, code93, code128, dataMatrix, ean8, ean13, gs1DataBar, gs1DataBarExpanded,
    gs1DataBarLimited, i2of5, itf14, microPDF417, microQR, pdf417, qr, upce

  var older: VNBarcodeSymbology {
    switch self {
    case .aztec: .aztec
    case .codabar: .codabar
    case .code39: .code39
    case .code93: .code93
    case .code128: .code128
    case .dataMatrix: .dataMatrix
    case .ean8: .ean8
    case .ean13: .ean13
    case .gs1DataBar: .gs1DataBar
    case .gs1DataBarExpanded: .gs1DataBarExpanded
    case .gs1DataBarLimited: .gs1DataBarLimited
    case .i2of5: .i2of5
    case .itf14: .itf14
    case .microPDF417: .microPDF417
    case .microQR: .microQR
    case .pdf417: .pdf417
    case .qr: .qr
    case .upce: .upce
    }
  }
}

/// A code that was read.
///
/// Apple: `BarcodeObservation`.
public struct BarcodeObservation: Sendable, Hashable {
  /// Its own number.
  public let uuid: UUID
  /// How sure it is, from 0 to 1.
  public let confidence: Float
  /// The kind of code.
  public let symbology: BarcodeSymbology
  /// What it says; `nil` where that is no text.
  public let payloadString: String?
  /// The bytes that it holds.
  public let payloadData: Data?
  /// The smallest upright rectangle around it, in fractions of the searched part, y upwards.
  public let boundingBox: NormalizedRect
  /// The code's own upper left corner.
  public let topLeft: NormalizedPoint
  /// Its upper right corner.
  public let topRight: NormalizedPoint
  /// Its lower left corner.
  public let bottomLeft: NormalizedPoint
  /// Its lower right corner.
  public let bottomRight: NormalizedPoint

  /// `nil` for a kind that has no name here.
  init?(_ observation: VNBarcodeObservation) {
    guard let symbology = BarcodeSymbology.allCases.first(where: { $0.older == observation.symbology }) else {
      return nil
    }
    self.symbology = symbology
    uuid = observation.uuid
    confidence = observation.confidence
    payloadString = observation.payloadStringValue
    payloadData = observation.payloadData
    boundingBox = NormalizedRect(normalizedRect: observation.boundingBox)
    topLeft = NormalizedPoint(observation.topLeft)
    topRight = NormalizedPoint(observation.topRight)
    bottomLeft = NormalizedPoint(observation.bottomLeft)
    bottomRight = NormalizedPoint(observation.bottomRight)
  }
}

/// A search for codes.
///
/// Apple: `DetectBarcodesRequest`.
public struct DetectBarcodesRequest: ImageProcessingRequest {
  /// As ``ImageProcessingRequest/regionOfInterest``; all of the picture at first.
  public var regionOfInterest = NormalizedRect.fullImage
  /// The kinds of codes to look for; all that can be read, at first.
  public var symbologies: [BarcodeSymbology]

  /// A search for every kind of code.
  public init() {
    symbologies = Self.readable
  }

  /// The kinds of codes that can be read here.
  ///
  /// Apple: `DetectBarcodesRequest.supportedSymbologies`.
  public var supportedSymbologies: [BarcodeSymbology] { Self.readable }

  private static let readable = BarcodeSymbology.allCases.filter {
    VNBarcodeSymbology.readable.contains($0.older)
  }

  /// As ``VisionRequest/result(of:)``.
  public func result(of picture: VisionPicture) throws -> [BarcodeObservation] {
    let request = VNDetectBarcodesRequest()
    request.regionOfInterest = regionOfInterest.cgRect
    request.symbologies = symbologies.map(\.older)
    try request.perform(on: picture.picture)
    return (request.results ?? []).compactMap { BarcodeObservation($0) }
  }
}
