internal import CZXing

/// A kind of machine-readable code, as the standards name them.
package enum CodeKind: String, Sendable, Hashable, CaseIterable {
  case qr = "QR"
  case microQR = "micro QR"
  case aztec = "Aztec"
  case dataMatrix = "Data Matrix"
  case pdf417 = "PDF417"
  case microPDF417 = "micro PDF417"
  /// Twelve-digit UPC-A codes are read as EAN-13 with a leading zero.
  case ean13 = "EAN-13"
  case ean8 = "EAN-8"
  case upcE = "UPC-E"
  case code39 = "Code 39"
  case code93 = "Code 93"
  case code128 = "Code 128"
  /// Interleaved 2 of 5, of any length.
  case itf = "ITF"
  case codabar = "Codabar"
  case dataBar = "GS1 DataBar"
  case dataBarExpanded = "GS1 DataBar Expanded"
  case dataBarLimited = "GS1 DataBar Limited"

  /// The kinds that the library in this process reads, in the order in which they are declared.
  ///
  /// Debian 12's reads neither micro PDF417 nor DataBar Limited; micro QR is left to later ones, because that one may end the
  /// process over it.
  package static let readable: [CodeKind] = {
    let mask = cam_codes_readable()
    return allCases.filter { mask & $0.bit != 0 }
  }()

  /// The version of the library that reads, such as "1.4.0".
  package static var libraryVersion: String { String(cString: cam_codes_version()) }

  /// Whether the code is a row of bars rather than a field of modules.
  package var isLinear: Bool {
    switch self {
    case .qr, .microQR, .aztec, .dataMatrix, .pdf417, .microPDF417: false
    default: true
    }
  }

  var bit: UInt32 {
    let kind: cam_code_kind =
      switch self {
      case .qr: CAM_CODE_QR
      case .microQR: CAM_CODE_MICRO_QR
      case .aztec: CAM_CODE_AZTEC
      case .dataMatrix: CAM_CODE_DATA_MATRIX
      case .pdf417: CAM_CODE_PDF417
      case .microPDF417: CAM_CODE_MICRO_PDF417
      case .ean13: CAM_CODE_EAN13
      case .ean8: CAM_CODE_EAN8
      case .upcE: CAM_CODE_UPCE
      case .code39: CAM_CODE_CODE39
      case .code93: CAM_CODE_CODE93
      case .code128: CAM_CODE_CODE128
      case .itf: CAM_CODE_ITF
      case .codabar: CAM_CODE_CODABAR
      case .dataBar: CAM_CODE_DATABAR
      case .dataBarExpanded: CAM_CODE_DATABAR_EXPANDED
      case .dataBarLimited: CAM_CODE_DATABAR_LIMITED
      }
    return UInt32(kind.rawValue)
  }

  static func kind(bit: UInt32) -> CodeKind? {
    allCases.first { $0.bit == bit }
  }
}
