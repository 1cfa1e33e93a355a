internal import AVFoundation

/// The names of codes in `--types` and in the answer.
enum CodeName: String, CaseIterable {
  case qr
  case microQR = "microqr"
  case aztec
  case dataMatrix = "datamatrix"
  case pdf417
  case microPDF417 = "micropdf417"
  case ean13
  case ean8
  case upce
  case code39
  case code39Mod43 = "code39mod43"
  case code93
  case code128
  case interleaved2of5 = "itf"
  case itf14
  case codabar
  case dataBar = "databar"
  case dataBarExpanded = "databar-expanded"
  case dataBarLimited = "databar-limited"

  var type: AVMetadataObject.ObjectType {
    switch self {
    case .qr: .qr
    case .microQR: .microQR
    case .aztec: .aztec
    case .dataMatrix: .dataMatrix
    case .pdf417: .pdf417
    case .microPDF417: .microPDF417
    case .ean13: .ean13
    case .ean8: .ean8
    case .upce: .upce
    case .code39: .code39
    case .code39Mod43: .code39Mod43
    case .code93: .code93
    case .code128: .code128
    case .interleaved2of5: .interleaved2of5
    case .itf14: .itf14
    case .codabar: .codabar
    case .dataBar: .gs1DataBar
    case .dataBarExpanded: .gs1DataBarExpanded
    case .dataBarLimited: .gs1DataBarLimited
    }
  }

  init?(_ type: AVMetadataObject.ObjectType) {
    guard let name = Self.allCases.first(where: { $0.type == type }) else { return nil }
    self = name
  }
}
