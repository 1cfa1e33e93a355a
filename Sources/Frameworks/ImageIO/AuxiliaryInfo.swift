internal import CoreVideo
internal import DepthMaps
internal import Foundation
internal import FoundationExtras
internal import StillCodecs

/// A picture beside a file's own between its two forms: what clients hand over and get, and what the file holds.
struct AuxiliaryInfo {
  private let kind: AuxiliaryKind
  /// Core Video's code of what clients see.
  private let format: OSType
  private let width: Int
  private let height: Int
  /// Rows without padding.
  private let data: Data
  private let document: XMPDocument

  /// The namespace of what is said of a depth map.
  private static let depthData = "http://ns.apple.com/depthData/1.0/"

  // MARK: From clients

  /// What a client hands over; `nil` when its data do not fit their description.
  init?(_ kind: AuxiliaryKind, _ dictionary: CFDictionary) {
    guard let data = dictionary[kCGImageAuxiliaryDataInfoData] as? Data,
      let description = dictionary[kCGImageAuxiliaryDataInfoDataDescription] as? [String: Any],
      let width = LooseNumber.integer(description[kCGImagePropertyWidth]), (1...32768).contains(width),
      let height = LooseNumber.integer(description[kCGImagePropertyHeight]), (1...32768).contains(height),
      let format = LooseNumber.code(description[kCGImagePropertyPixelFormat]),
      let size = Self.bytes(of: format, kind)
    else { return nil }
    let stride = LooseNumber.integer(description[kCGImagePropertyBytesPerRow]) ?? width * size
    guard stride >= width * size, stride <= 1 << 20, data.count >= stride * (height - 1) + width * size else {
      return nil
    }
    self.kind = kind
    self.format = format
    (self.width, self.height) = (width, height)
    let start = data.startIndex
    self.data =
      stride == width * size
      ? Data(data.prefix(width * size * height))
      : (0..<height).reduce(into: Data(capacity: width * size * height)) { rows, row in
        rows.append(data[start + row * stride..<start + row * stride + width * size])
      }
    document = (dictionary[kCGImageAuxiliaryDataInfoMetadata] as? CGImageMetadata)?.document ?? XMPDocument()
  }

  /// The bytes of a pixel; `nil` when the kind is not in that format.
  private static func bytes(of format: OSType, _ kind: AuxiliaryKind) -> Int? {
    guard kind.isDistance else { return format == kCVPixelFormatType_OneComponent8 ? 1 : nil }
    guard let depth = DepthFormat(format) else { return nil }
    let isDisparity = kind.type == kCGImageAuxiliaryDataTypeDisparity
    return (depth.quantity == .disparity) == isDisparity ? depth.isHalf ? 2 : 4 : nil
  }

  /// What the file gets; `nil` for a map in which nothing is known.
  ///
  /// - Throws: For want of memory.
  func picture() throws -> AuxiliaryPicture? {
    var own = document
    own.properties.removeAll { $0.namespace == PixelDataInfo.namespace }
    func state(_ name: String, _ text: String) { own.set(PixelDataInfo.property(name, text)) }
    state("AuxiliaryImageType", kind.imageType)
    if let subtype = kind.subtype { state("AuxiliaryImageSubType", subtype) }
    state("NativeFormat", "\(format)")
    state("StoredFormat", "\(kCVPixelFormatType_OneComponent8)")
    let codes: Data
    if kind.isDistance {
      let map = try map()
      guard let coded = CodedDepthMap(map) else { return nil }
      codes = Data(coded.codes)
      // What the metadata say of the map before its holes were filled.
      if map.knownShare < 1, case .text? = own[Self.depthData, "Filtered"] {
        own.set(
          XMPProperty(namespace: Self.depthData, prefix: "depthData", name: "Filtered", value: .text("True")))
      }
      state("IntMinValue", "0")
      state("IntMaxValue", "255")
      state("FloatMinValue", "\(coded.least)")
      state("FloatMaxValue", "\(coded.greatest)")
    } else {
      codes = data
    }
    return AuxiliaryPicture(name: kind.name, picture: try gray(codes), xmp: own.data)
  }

  private func map() throws -> DepthMap {
    let buffer = try CVPixelBuffer(format: format, width: width, height: height)
    let row = data.count / height
    for (index, plane) in (0..<height).map({ ($0, buffer.planes[0]) }) {
      plane.row(index).copyBytes(
        from: data[data.startIndex + index * row..<data.startIndex + (index + 1) * row])
    }
    var map = DepthMap()
    try map.read(buffer)
    return map
  }

  private func gray(_ codes: Data) throws -> CVPixelBuffer {
    let buffer = try CVPixelBuffer(format: kCVPixelFormatType_OneComponent8, width: width, height: height)
    for row in 0..<height {
      buffer.planes[0].row(row).copyBytes(
        from: codes[codes.startIndex + row * width..<codes.startIndex + (row + 1) * width])
    }
    return buffer
  }

  // MARK: From files

  /// The first picture of the kind in a file; `nil` when there is none, or it is damaged.
  init?(_ kind: AuxiliaryKind, in file: Data) {
    let found = (try? AuxiliaryPictures.list(file))?.lazy.map { facts in
      (facts: facts, document: facts.xmp.flatMap { XMPDocument(reading: $0) })
    }.first { kind.fits($0.facts, $0.document) }
    guard let found, let picture = try? AuxiliaryPictures.decode(found.facts, in: file) else { return nil }
    let codes = Self.rows(of: picture, bytes: 1)
    let document = found.document ?? XMPDocument()
    self.kind = kind
    self.document = document
    (width, height) = (picture.width, picture.height)
    guard kind.isDistance else {
      format = kCVPixelFormatType_OneComponent8
      data = codes
      return
    }
    func text(_ name: String) -> String? {
      if case .text(let text)? = document[PixelDataInfo.namespace, name] { text } else { nil }
    }
    func number(_ name: String) -> Float? {
      text(name).flatMap(Float.init).flatMap { $0.isFinite ? $0 : nil }
    }
    let isDisparity = kind.type == kCGImageAuxiliaryDataTypeDisparity
    guard let least = number("FloatMinValue"), let greatest = number("FloatMaxValue") else { return nil }
    let native = text("NativeFormat").flatMap(OSType.init) ?? 0
    // Codes of other files may not use all 256.
    let (low, high) = (number("IntMinValue") ?? 0, number("IntMaxValue") ?? 255)
    guard high > low else { return nil }
    let step = (greatest - least) / (high - low)
    let coded = CodedDepthMap(
      width: picture.width, height: picture.height, quantity: isDisparity ? .disparity : .depth,
      least: least - low * step, greatest: greatest + (255 - high) * step, codes: Array(codes))
    let fits = Self.bytes(of: native, kind) != nil
    format =
      fits ? native : isDisparity ? kCVPixelFormatType_DisparityFloat16 : kCVPixelFormatType_DepthFloat16
    guard let buffer = try? CVPixelBuffer(format: format, width: width, height: height),
      (try? coded.map.write(to: buffer)) != nil, let bytes = Self.bytes(of: format, kind)
    else { return nil }
    data = Self.rows(of: buffer, bytes: bytes)
  }

  private static func rows(of buffer: CVPixelBuffer, bytes: Int) -> Data {
    withExtendedLifetime(buffer) {
      (0..<buffer.height).reduce(into: Data(capacity: buffer.width * buffer.height * bytes)) { rows, row in
        rows.append(contentsOf: buffer.planes[0].row(row).prefix(buffer.width * bytes))
      }
    }
  }

  /// What a client gets.
  var dictionary: CFDictionary {
    let description: CFDictionary = [
      kCGImagePropertyWidth: width, kCGImagePropertyHeight: height,
      kCGImagePropertyBytesPerRow: data.count / height, kCGImagePropertyPixelFormat: Int(format),
    ]
    return [
      kCGImageAuxiliaryDataInfoData: data,
      kCGImageAuxiliaryDataInfoDataDescription: BoxedNumbers.boxed(description),
      kCGImageAuxiliaryDataInfoMetadata: CGImageMetadata(document),
    ]
  }
}
