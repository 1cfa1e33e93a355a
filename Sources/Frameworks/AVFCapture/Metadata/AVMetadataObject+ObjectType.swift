package import CodeReading
package import Foundation
internal import PeopleFinding

extension AVMetadataObject {
  /// The type of a metadata object, such as a face or a QR code.
  ///
  /// A name says nothing of whether it can be found here: `AVCaptureMetadataOutput.availableMetadataObjectTypes` does.
  ///
  /// Apple: `AVMetadataObject.ObjectType`; the raw values are Apple's.
  public struct ObjectType: RawRepresentable, Hashable, Sendable {
    /// The name, such as `org.iso.QRCode`.
    public let rawValue: String

    /// The type of the given name; unknown names are kept as they are.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    // MARK: People

    /// A face.
    public static let face = ObjectType(rawValue: "face")
    /// A person's upper body.
    public static let humanBody = ObjectType(rawValue: "humanBody")
    /// A whole person.
    public static let humanFullBody = ObjectType(rawValue: "humanFullBody")

    // MARK: Animals and things

    // No model here finds these: they are never among `availableMetadataObjectTypes`.

    /// A cat's body.
    public static let catBody = ObjectType(rawValue: "catBody")
    /// A cat's head.
    public static let catHead = ObjectType(rawValue: "catHead")
    /// A dog's body.
    public static let dogBody = ObjectType(rawValue: "dogBody")
    /// A dog's head.
    public static let dogHead = ObjectType(rawValue: "dogHead")
    /// What a viewer looks at first.
    public static let salientObject = ObjectType(rawValue: "salientObject")

    // MARK: Codes

    /// A QR code.
    public static let qr = ObjectType(rawValue: "org.iso.QRCode")
    /// A micro QR code, with a finder in one corner only.
    public static let microQR = ObjectType(rawValue: "org.iso.MicroQR")
    /// An Aztec code.
    public static let aztec = ObjectType(rawValue: "org.iso.Aztec")
    /// A Data Matrix code (ECC 200).
    public static let dataMatrix = ObjectType(rawValue: "org.iso.DataMatrix")
    /// A PDF417 code.
    public static let pdf417 = ObjectType(rawValue: "org.iso.PDF417")
    /// A micro PDF417 code.
    public static let microPDF417 = ObjectType(rawValue: "org.iso.MicroPDF417")
    /// An EAN-13 code, and a UPC-A code with a zero before its twelve digits.
    public static let ean13 = ObjectType(rawValue: "org.gs1.EAN-13")
    /// An EAN-8 code.
    public static let ean8 = ObjectType(rawValue: "org.gs1.EAN-8")
    /// A UPC-E code.
    public static let upce = ObjectType(rawValue: "org.gs1.UPC-E")
    /// A Code 39.
    public static let code39 = ObjectType(rawValue: "org.iso.Code39")
    /// A Code 39 whose last character is the check character modulo 43.
    public static let code39Mod43 = ObjectType(rawValue: "org.iso.Code39Mod43")
    /// A Code 93.
    public static let code93 = ObjectType(rawValue: "com.intermec.Code93")
    /// A Code 128.
    public static let code128 = ObjectType(rawValue: "org.iso.Code128")
    /// An interleaved 2 of 5 of any length.
    public static let interleaved2of5 = ObjectType(rawValue: "org.ansi.Interleaved2of5")
    /// An interleaved 2 of 5 of fourteen digits.
    public static let itf14 = ObjectType(rawValue: "org.gs1.ITF14")
    /// A Codabar.
    public static let codabar = ObjectType(rawValue: "Codabar")
    /// A GS1 DataBar, stacked or in one row.
    public static let gs1DataBar = ObjectType(rawValue: "org.gs1.GS1DataBar")
    /// A GS1 DataBar Expanded.
    public static let gs1DataBarExpanded = ObjectType(rawValue: "org.gs1.GS1DataBarExpanded")
    /// A GS1 DataBar Limited.
    public static let gs1DataBarLimited = ObjectType(rawValue: "org.gs1.GS1DataBarLimited")
  }
}

extension AVMetadataObject.ObjectType {
  /// The codes and the kind of code that a reader has to look for; in the order in which they are offered.
  private static let codes: [(type: AVMetadataObject.ObjectType, kind: CodeKind)] = [
    (.qr, .qr), (.microQR, .microQR), (.aztec, .aztec), (.dataMatrix, .dataMatrix), (.pdf417, .pdf417),
    (.microPDF417, .microPDF417), (.ean13, .ean13), (.ean8, .ean8), (.upce, .upcE), (.code39, .code39),
    (.code39Mod43, .code39), (.code93, .code93), (.code128, .code128), (.interleaved2of5, .itf),
    (.itf14, .itf), (.codabar, .codabar), (.gs1DataBar, .dataBar), (.gs1DataBarExpanded, .dataBarExpanded),
    (.gs1DataBarLimited, .dataBarLimited),
  ]

  /// Every type that can be found in pictures here and now: codes always, people where there are models of them.
  package static var findable: [AVMetadataObject.ObjectType] {
    readable + (ModelFolder.current.obstacle(to: .faces) == nil ? [.face] : [])
      + (ModelFolder.current.obstacle(to: .bodies) == nil ? [.humanBody, .humanFullBody] : [])
  }

  /// Every code that can be read in pictures by this process.
  package static let readable = codes.filter { CodeKind.readable.contains($0.kind) }.map(\.type)

  /// The kind of code to look for; `nil` for what is no code.
  package var codeKind: CodeKind? {
    Self.codes.first { $0.type == self }?.kind
  }

  /// The type of which `code` is reported when `wanted` is asked for; `nil` when it is none of those.
  ///
  /// Where two types fit, the narrower one wins: a code of fourteen digits is an ITF-14 before it is an interleaved 2 of 5.
  package init?(_ code: RecognizedCode, among wanted: Set<AVMetadataObject.ObjectType>) {
    let fitting = Self.codes.filter { $0.kind == code.kind && wanted.contains($0.type) }.map(\.type)
    let narrower = fitting.first { type in
      switch type {
      case .itf14: code.bytes.count == 14
      case .code39Mod43: code.hasCheckCharacter
      default: false
      }
    }
    guard let type = narrower ?? fitting.first(where: { $0 != .itf14 && $0 != .code39Mod43 }) else {
      return nil
    }
    self = type
  }
}

extension RecognizedCode {
  /// The corners in Apple's order: top left, bottom left, bottom right, top right.
  package var appleCorners: [CGPoint] {
    // The reader goes clockwise.
    corners.count == 4 ? [0, 3, 2, 1].map { corners[$0] } : corners
  }

  /// Whether the last character of a Code 39 is the check character of the others (ISO/IEC 16388, annex A).
  fileprivate var hasCheckCharacter: Bool {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%".utf8)
    let values = bytes.compactMap { alphabet.firstIndex(of: $0) }
    guard values.count == bytes.count, values.count > 1, let check = values.last else { return false }
    return values.dropLast().reduce(0, +) % 43 == check
  }
}
