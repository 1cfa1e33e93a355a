public import CoreVideo
public import Foundation
public import GraphicsCore
internal import CImageCodecs

/// Reads PNG files.
///
/// Stateless and thread-safe; runs on the caller's thread.
public enum PNGDecoder {
  /// The picture of a file, all of it or none.
  ///
  /// - Returns: 8 bits a component, or 16 for files of 16; gray without alpha stays gray, palettes become RGB. Alpha is
  ///   straight. The colour space is the file's profile, or sRGB (gray: the same curve); colours that a profile of tables
  ///   describes are converted to sRGB.
  /// - Throws: ``StillCodecError``: `damaged`, `tooLarge`.
  public static func decode(_ data: Data) throws -> CGImage {
    let header = try Header(data)
    let bytes = header.isDeep ? 2 : 1
    let stride = header.width * 4 * bytes
    try DecodeLimit.check(
      bytes: stride * header.height, fileBytes: data.count, width: header.width, height: header.height,
      format: .png)
    var pixels = Data(count: stride * header.height)
    try pixels.withUnsafeMutableBytes { pixels in
      let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
      try codecInput(data, StillCodecError.damagedPNG) {
        cam_png_decode($0, $1, Int32(header.width), Int32(header.height), Int32(bytes), base, stride, $2)
      }
    }
    if !header.isGray {
      pixels.withUnsafeMutableBytes { pixels in
        guard let base = pixels.baseAddress else { return }
        ProfileColors.convert(
          header.profile, header.isDeep ? CAM_COLOR_RGBA16 : CAM_COLOR_RGBA, base, bytesPerRow: stride,
          width: header.width,
          height: header.height)
      }
    }
    let isPlainGray = header.isGray && !header.hasAlpha
    if isPlainGray { keepFirstOfFour(&pixels, bytes: bytes) }
    let components = isPlainGray ? 1 : 4
    let alpha: CGImageAlphaInfo = isPlainGray ? .none : header.hasAlpha ? .last : .noneSkipLast
    let order: CGBitmapInfo = header.isDeep ? nativeOrder16 : []
    guard let provider = CGDataProvider(data: pixels),
      let image = CGImage(
        width: header.width, height: header.height, bitsPerComponent: 8 * bytes,
        bitsPerPixel: 8 * bytes * components, bytesPerRow: header.width * components * bytes,
        space: header.colorSpace(isGray: isPlainGray),
        bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue).union(order), source: provider, offset: 0,
        decode: nil,
        shouldInterpolate: true, intent: .defaultIntent, utType: StillFormat.png.typeIdentifier)
    else { throw StillCodecError.damagedPNG("its size does not fit its pixels") }
    return image
  }

  /// The picture of a file as RGBA of 8 bits, alpha premultiplied, all of it or none; colours are as the file has them, of whatever
  /// profile.
  ///
  /// - Parameter scale: How much smaller: each pixel is the mean of those it stands for. A file that is not interlaced is
  ///   reduced row by row, in the memory of the result.
  /// - Throws: ``StillCodecError``: `damaged`, `tooLarge`.
  public static func decode(_ data: Data, scale: StillScale) throws -> CVPixelBuffer {
    let header = try Header(data)
    let size = scale.size(width: header.width, height: header.height)
    let needsWhole = header.isInterlaced && scale != .full
    try DecodeLimit.check(
      bytes: 4 * (size.width * size.height + (needsWhole ? header.width * header.height : 0)),
      fileBytes: data.count, width: header.width, height: header.height, format: .png)
    let buffer = try CVPixelBuffer(format: kCVPixelFormatType_32RGBA, width: size.width, height: size.height)
    let plane = buffer.planes[0]
    let base = plane.baseAddress.assumingMemoryBound(to: UInt8.self)
    try codecInput(data, StillCodecError.damagedPNG) {
      cam_png_decode_smaller(
        $0, $1, Int32(header.width), Int32(header.height), Int32(scale.rawValue), base, plane.bytesPerRow, $2)
    }
    return buffer
  }

  private static var nativeOrder16: CGBitmapInfo {
    1.littleEndian == 1 ? .byteOrder16Little : .byteOrder16Big
  }

  private static func keepFirstOfFour(_ pixels: inout Data, bytes: Int) {
    let count = pixels.count / (4 * bytes)
    pixels.withUnsafeMutableBytes { pixels in
      for index in 0..<count {
        for byte in 0..<bytes { pixels[index * bytes + byte] = pixels[4 * index * bytes + byte] }
      }
    }
    pixels.removeLast(pixels.count - count * bytes)
  }

  /// The header of a file, before its picture.
  struct Header {
    var width: Int
    var height: Int
    var bitDepth: Int
    var isGray: Bool
    var isPalette: Bool
    var hasAlpha: Bool
    var isInterlaced: Bool
    var dotsPerInch: Double
    var profile: Data?
    var exif: Data?
    var xmp: Data?
    /// The text of the keyword `Creation Time`.
    var creationTime: String?
    /// When the picture was changed last: year, month, day, hour, minute, second in UTC.
    var modified: [Int]?

    var isDeep: Bool { bitDepth == 16 }

    init(_ data: Data) throws {
      var header = cam_png_header()
      try codecInput(data, StillCodecError.damagedPNG) { cam_png_read_header($0, $1, &header, $2) }
      profile = header.profile.map {
        Data(bytesNoCopy: $0, count: header.profile_size, deallocator: .free)
      }
      exif =
        header.exif.map { Data(bytesNoCopy: $0, count: header.exif_size, deallocator: .free) }
        ?? Self.block(of: "eXIf", in: data)
      xmp = Self.block(of: "iTXt", in: data) { $0.starts(with: Self.xmpKeyword) }
        .flatMap { Self.packet($0, behind: Self.xmpKeyword) }
      creationTime = Self.creationText(in: data)
      modified = Self.block(of: "tIME", in: data).flatMap(Self.moment)
      width = Int(header.width)
      height = Int(header.height)
      bitDepth = Int(header.bit_depth)
      isGray = header.is_gray != 0
      isPalette = header.is_palette != 0
      hasAlpha = header.has_alpha != 0
      isInterlaced = header.is_interlaced != 0
      dotsPerInch = (Double(header.pixels_per_metre) * 0.0254 * 100).rounded() / 100
      try DecodeLimit.check(width: width, height: height, fileBytes: data.count, format: .png)
    }

    /// The first chunk of a type that is as asked, wherever it stands: the codec's head ends where the pixels begin, and this one may
    /// follow them.
    private static func block(
      of type: String, in data: Data, where isWanted: (Data) -> Bool = { _ in true }
    ) -> Data? {
      var at = data.startIndex + 8
      while at + 12 <= data.endIndex {
        let count = data[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
        guard count <= data.endIndex - at - 12 else { return nil }
        if data[at + 4..<at + 8].elementsEqual(type.utf8), count < 1 << 20 {
          let body = Data(data[at + 8..<at + 8 + count])
          if isWanted(body) { return body }
        }
        at += 12 + count
      }
      return nil
    }

    /// The text of `Creation Time`, of Latin-1 or international (PNG Specification, 11.3.3).
    private static func creationText(in data: Data) -> String? {
      let keyword = [UInt8]("Creation Time\0".utf8)
      if let plain = block(of: "tEXt", in: data, where: { $0.starts(with: keyword) }) {
        return String(data: plain.dropFirst(keyword.count), encoding: .isoLatin1)
      }
      return block(of: "iTXt", in: data) { $0.starts(with: keyword) }
        .flatMap { packet($0, behind: keyword) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The numbers of a time of change (PNG Specification, 11.3.5.2).
    private static func moment(_ chunk: Data) -> [Int]? {
      let bytes = [UInt8](chunk)
      guard bytes.count == 7 else { return nil }
      return [Int(bytes[0]) << 8 | Int(bytes[1])] + bytes[2...].map { Int($0) }
    }

    /// The keyword of the text that holds XMP (XMP Specification 3, 1.1.5).
    private static let xmpKeyword = [UInt8]("XML:com.adobe.xmp\0".utf8)

    /// What is in an international text: behind keyword, flag and method of compression, language and translated keyword; `nil` for a
    /// compressed one, which XMP's specification forbids.
    private static func packet(_ chunk: Data, behind keyword: [UInt8]) -> Data? {
      let rest = chunk.dropFirst(keyword.count)
      guard rest.count > 4, rest.first == 0 else { return nil }
      let parts = rest.dropFirst(2).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
      return parts.count == 3 ? Data(parts[2]) : nil
    }

    func colorSpace(isGray: Bool) -> CGColorSpace {
      if let profile, let space = CGColorSpace(iccData: profile),
        (space.model == .monochrome) == isGray
      {
        return space
      }
      return isGray
        ? CGColorSpaceCreateDeviceGray()
        : CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB()
    }
  }
}

extension StillCodecError {
  static func damagedPNG(_ reason: String) -> StillCodecError {
    StillCodecError(.damaged, "The PNG picture cannot be decoded: \(reason); it is damaged or cut off.")
  }
}
