package import CodeReading
public import Foundation

/// The description of a matrix code: enough to draw the same code again.
///
/// The base of the kinds.
///
/// Source: [CIBarcodeDescriptor](https://developer.apple.com/documentation/coreimage/cibarcodedescriptor).
open class CIBarcodeDescriptor: NSObject, NSCopying, @unchecked Sendable {  // Safe: constants.
  /// The payload, which each kind has as its `errorCorrectedPayload`.
  let payload: Data

  init(_ payload: Data) {
    self.payload = payload
    super.init()
  }

  /// The descriptor itself, which never changes.
  open func copy(with zone: NSZone?) -> Any { self }

  /// The descriptor of what was read; `nil` for kinds that have none, and where the library that reads says too little.
  package static func descriptor(of symbol: CodeSymbol?) -> CIBarcodeDescriptor? {
    guard let symbol else { return nil }
    let payload = Data(symbol.codewords)
    switch symbol.shape {
    case .qr(let version, let mask, let level):
      guard
        let level = level.asciiValue.flatMap({ CIQRCodeDescriptor.ErrorCorrectionLevel(rawValue: Int($0)) })
      else { return nil }
      return CIQRCodeDescriptor(
        payload: payload, symbolVersion: version, maskPattern: UInt8(mask), errorCorrectionLevel: level)
    case .aztec(let isCompact, let layers, let codewords):
      return CIAztecCodeDescriptor(
        payload: payload, isCompact: isCompact, layerCount: layers, dataCodewordCount: codewords)
    case .dataMatrix(let rows, let columns):
      return CIDataMatrixCodeDescriptor(
        payload: payload, rowCount: rows, columnCount: columns, eccVersion: .v200)
    }
  }
}

/// A QR code's version, mask and error correction.
///
/// Source: [CIQRCodeDescriptor](https://developer.apple.com/documentation/coreimage/ciqrcodedescriptor).
open class CIQRCodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {  // Safe: constants.
  /// The message as the code's modules have it after errors were corrected: modes, lengths, text and padding.
  ///
  /// Apple: `CIQRCodeDescriptor.errorCorrectedPayload`.
  public var errorCorrectedPayload: Data { payload }

  /// The level of error correction: about 7, 15, 25 or 30 in a hundred of the code may be lost.
  ///
  /// Apple: `CIQRCodeDescriptor.ErrorCorrectionLevel`.
  public enum ErrorCorrectionLevel: Int, Sendable {
    /// About 7 in a hundred.
    case levelL = 76
    /// About 15 in a hundred.
    case levelM = 77
    /// About 25 in a hundred.
    case levelQ = 81
    /// About 30 in a hundred.
    case levelH = 72
  }

  /// The size: a code of version v has 17 + 4 v modules a side, v from 1 to 40.
  ///
  /// Apple: `CIQRCodeDescriptor.symbolVersion`.
  public let symbolVersion: Int
  /// Which of the eight masks was laid over the message.
  ///
  /// Apple: `CIQRCodeDescriptor.maskPattern`.
  public let maskPattern: UInt8
  /// How much of the code may be lost.
  ///
  /// Apple: `CIQRCodeDescriptor.errorCorrectionLevel`.
  public let errorCorrectionLevel: ErrorCorrectionLevel

  /// A descriptor; `nil` for a version outside of 1 to 40, or a mask above 7.
  ///
  /// Apple: `CIQRCodeDescriptor.init(payload:symbolVersion:maskPattern:errorCorrectionLevel:)`.
  public init?(
    payload errorCorrectedPayload: Data, symbolVersion: Int, maskPattern: UInt8,
    errorCorrectionLevel: ErrorCorrectionLevel
  ) {
    guard (1...40).contains(symbolVersion), maskPattern < 8 else { return nil }
    self.symbolVersion = symbolVersion
    self.maskPattern = maskPattern
    self.errorCorrectionLevel = errorCorrectionLevel
    super.init(errorCorrectedPayload)
  }
}

/// An Aztec code's layers and the length of its message.
///
/// Source: [CIAztecCodeDescriptor](https://developer.apple.com/documentation/coreimage/ciazteccodedescriptor).
open class CIAztecCodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {  // Safe: constants.
  /// The message as the code's modules have it after errors were corrected: modes, lengths, text and padding.
  ///
  /// Apple: `CIAztecCodeDescriptor.errorCorrectedPayload`.
  public var errorCorrectedPayload: Data { payload }

  /// Whether the core is the small one, of two rings, without lines for reference.
  ///
  /// Apple: `CIAztecCodeDescriptor.isCompact`.
  public let isCompact: Bool
  /// How many layers of data lie around the core, from 1 to 32.
  ///
  /// Apple: `CIAztecCodeDescriptor.layerCount`.
  public let layerCount: Int
  /// How many codewords of the code are the message, and not for its correction, from 1 to 2048.
  ///
  /// Apple: `CIAztecCodeDescriptor.dataCodewordCount`.
  public let dataCodewordCount: Int

  /// A descriptor; `nil` for more layers or codewords than such a code has: 4 and 64 of a compact one, 32 and 2048 of others.
  ///
  /// Apple: `CIAztecCodeDescriptor.init(payload:isCompact:layerCount:dataCodewordCount:)`.
  public init?(
    payload errorCorrectedPayload: Data, isCompact: Bool, layerCount: Int, dataCodewordCount: Int
  ) {
    guard (1...(isCompact ? 4 : 32)).contains(layerCount),
      (1...(isCompact ? 64 : 2048)).contains(dataCodewordCount)
    else { return nil }
    self.isCompact = isCompact
    self.layerCount = layerCount
    self.dataCodewordCount = dataCodewordCount
    super.init(errorCorrectedPayload)
  }
}

/// A Data Matrix code's size.
///
/// Source: [CIDataMatrixCodeDescriptor](https://developer.apple.com/documentation/coreimage/cidatamatrixcodedescriptor).
open class CIDataMatrixCodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {  // Safe: constants.
  /// The message as the code's modules have it after errors were corrected: modes, lengths, text and padding.
  ///
  /// Apple: `CIDataMatrixCodeDescriptor.errorCorrectedPayload`.
  public var errorCorrectedPayload: Data { payload }

  /// The version of error correction; codes that are read here are of the last one.
  ///
  /// Apple: `CIDataMatrixCodeDescriptor.ECCVersion`.
  public enum ECCVersion: Int, Sendable {
    /// Errors are noticed, not corrected.
    case v000 = 0
    /// Convolution, up to 2.8 in a hundred.
    case v050 = 50
    /// Convolution, up to 5.5 in a hundred.
    case v080 = 80
    /// Convolution, up to 12.6 in a hundred.
    case v100 = 100
    /// Convolution, up to 25 in a hundred.
    case v140 = 140
    /// Reed-Solomon, which is what is used today.
    case v200 = 200
  }

  /// Modules from top to bottom, edges included.
  ///
  /// Apple: `CIDataMatrixCodeDescriptor.rowCount`.
  public let rowCount: Int
  /// Modules from left to right, edges included.
  ///
  /// Apple: `CIDataMatrixCodeDescriptor.columnCount`.
  public let columnCount: Int
  /// How errors are corrected.
  ///
  /// Apple: `CIDataMatrixCodeDescriptor.eccVersion`.
  public let eccVersion: ECCVersion

  /// A descriptor; `nil` for fewer than 8 or more than 144 rows, or fewer than 10 or more than 144 columns.
  ///
  /// Apple: `CIDataMatrixCodeDescriptor.init(payload:rowCount:columnCount:eccVersion:)`.
  public init?(payload errorCorrectedPayload: Data, rowCount: Int, columnCount: Int, eccVersion: ECCVersion) {
    guard (8...144).contains(rowCount), (10...144).contains(columnCount) else { return nil }
    self.rowCount = rowCount
    self.columnCount = columnCount
    self.eccVersion = eccVersion
    super.init(errorCorrectedPayload)
  }
}

/// A PDF417 code's size.
///
/// - Note: Unlike AVFoundation, codes that are read have none: the library that reads them does not give out their codewords. A
///   client may make one.
///
/// Source: [CIPDF417CodeDescriptor](https://developer.apple.com/documentation/coreimage/cipdf417codedescriptor).
open class CIPDF417CodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {  // Safe: constants.
  /// The message as the code's bars have it after errors were corrected: modes, text and padding.
  ///
  /// Apple: `CIPDF417CodeDescriptor.errorCorrectedPayload`.
  public var errorCorrectedPayload: Data { payload }

  /// Whether the right side is left out but for one bar.
  ///
  /// Apple: `CIPDF417CodeDescriptor.isCompact`.
  public let isCompact: Bool
  /// Rows of bars, from 3 to 90.
  ///
  /// Apple: `CIPDF417CodeDescriptor.rowCount`.
  public let rowCount: Int
  /// Columns of codewords without those that say the row, from 1 to 30.
  ///
  /// Apple: `CIPDF417CodeDescriptor.columnCount`.
  public let columnCount: Int

  /// A descriptor; `nil` for fewer than 3 or more than 90 rows, or fewer than 1 or more than 30 columns.
  ///
  /// Apple: `CIPDF417CodeDescriptor.init(payload:isCompact:rowCount:columnCount:)`.
  public init?(payload errorCorrectedPayload: Data, isCompact: Bool, rowCount: Int, columnCount: Int) {
    guard (3...90).contains(rowCount), (1...30).contains(columnCount) else { return nil }
    self.isCompact = isCompact
    self.rowCount = rowCount
    self.columnCount = columnCount
    super.init(errorCorrectedPayload)
  }
}
