public import CoreVideo
public import Foundation
internal import CImageCodecs
internal import PixelTransforms

/// Writes JPEG files from pixel buffers.
///
/// Planes of 4:2:0 or 4:2:2 are not converted to RGB and back. Rows of another range or matrix than JFIF's (full range,
/// BT.601) are converted one by one. Stateless and thread-safe; runs on the caller's thread, with ``Options/threads`` more than
/// one also on Dispatch's.
public enum JPEGEncoder {
  /// The subsampling of chroma against luma.
  public enum ChromaSubsampling: Sendable, Hashable, CaseIterable {
    /// Half along x and y; what cameras write.
    case half420
    /// Half along x.
    case half422
    /// Not smaller: for drawings and screens.
    case full444

    var factors: (x: Int, y: Int) {
      switch self {
      case .half420: (2, 2)
      case .half422: (2, 1)
      case .full444: (1, 1)
      }
    }
  }

  /// The options of a file.
  public struct Options: Sendable {
    /// From 0 (smallest) to 1 (best).
    ///
    /// Maps to libjpeg's scale as `1 + 99 * quality`, rounded: 0.9 is its 90, at which a photograph keeps about 45 dB
    /// of luma at 1.7 bits a pixel.
    public var quality = 0.9
    /// The subsampling of chroma.
    ///
    /// Buffers of 4:2:0 are always written as 4:2:0, and those of 4:2:2 never finer than 4:2:2.
    public var chroma = ChromaSubsampling.half420
    /// The threads that may compress at once, each a strip of the picture; strips are joined by restart markers.
    public var threads = 1
    /// Whether a viewer may show the file while it loads; some 6 % smaller, eight times slower, on one thread.
    public var isProgressive = false
    /// The EXIF block as TIFF bytes; at most 65527.
    public var exif: Data?
    /// An XMP packet; at most 65504 bytes.
    public var xmp: Data?
    /// The ICC profile; `nil` means sRGB to every reader.
    public var profile: Data?
    /// Dots per inch in the JFIF header.
    public var dotsPerInch = 0

    /// The options of a plain photograph: quality 0.9, 4:2:0, one thread, no metadata.
    public init() {}
  }

  /// The file of `buffer`'s picture.
  ///
  /// - Parameters:
  ///   - buffer: 420v, 420f, planar y420 or f420, 422v, 422f, yuvs, 2vuy, BGRA, RGBA, ARGB, 24RGB or one component of
  ///     8 bits; other formats go through a conversion to 420f. Alpha is ignored. Its matrix attachment is honoured.
  ///   - options: How to write it.
  /// - Throws: ``StillCodecError``: `unsuitable` for a format that cannot be converted or a size above 65500,
  ///   `codecFailed` for want of memory.
  /// - Returns: A JFIF file, or an EXIF file when there is an EXIF block: the standards each ask to come first, and
  ///   cameras leave JFIF's header out.
  public static func encode(_ buffer: CVPixelBuffer, options: Options = Options()) throws -> Data {
    guard buffer.width <= 65500, buffer.height <= 65500 else {
      throw StillCodecError(
        .unsuitable,
        "The JPEG file cannot be written: \(buffer.width) by \(buffer.height) pixels is more than the format holds; scale the picture down or write HEIC."
      )
    }
    let input = try JPEGInput(buffer, chroma: options.chroma)
    let segments = try MarkerSegments(options)
    return try withExtendedLifetime(input) {
      let strips = input.strips(threads: options.isProgressive ? 1 : max(1, options.threads))
      if strips.count == 1 { return try compress(input.picture(rows: strips[0]), options, segments) }
      return try compressStrips(of: input, strips, options, segments)
    }
  }

  /// libjpeg's quality for one of 0…1.
  static func scale(of quality: Double) -> Int32 {
    Int32((1 + 99 * min(max(quality.isNaN ? 0.9 : quality, 0), 1)).rounded())
  }

  static func compress(
    _ picture: JPEGInput.Picture, _ options: Options, _ segments: MarkerSegments
  ) throws -> Data {
    try picture.withUnsafe { picture in
      try segments.withUnsafe { markers, bytes, sizes in
        var settings = cam_jpeg_options()
        settings.quality = scale(of: options.quality)
        settings.progressive = options.isProgressive ? 1 : 0
        settings.dots_per_inch = Int32(min(max(options.dotsPerInch, 0), 65535))
        settings.write_jfif = options.exif == nil ? 1 : 0
        settings.marker_count = Int32(markers.count)
        settings.markers = markers.baseAddress
        settings.marker_bytes = bytes.baseAddress
        settings.marker_sizes = sizes.baseAddress
        return try codecOutput("The JPEG file cannot be written") { out, size, message in
          cam_jpeg_encode(picture, &settings, out, size, message)
        }
      }
    }
  }

  /// Compresses each strip as a picture of its own, then makes one scan of them.
  ///
  /// Every strip but the last has the same number of MCUs, which becomes the restart interval; between two strips
  /// stands a restart marker, at which decoders reset just what a new picture resets (ISO/IEC 10918-1, F.1.1.5.1).
  private static func compressStrips(
    of input: JPEGInput, _ strips: [Range<Int>], _ options: Options, _ segments: MarkerSegments
  ) throws -> Data {
    let parts = StripResults(count: strips.count)
    Tiles.forEach(min(strips.count, max(1, options.threads))) { worker in
      // With more strips than threads each thread takes every n-th.
      for index in stride(from: worker, to: strips.count, by: max(1, options.threads)) {
        parts.set(
          index,
          Result {
            try compress(
              input.picture(rows: strips[index]), options, index == 0 ? segments : MarkerSegments())
          })
      }
    }
    let files = try parts.values()
    guard let first = files.first, let layout = JPEGScan(in: first) else {
      throw StillCodecError(.codecFailed, "The JPEG file cannot be written: the codec's output has no scan.")
    }
    let size = files.reduce(0) { $0 + $1.count } + 64
    var joined = Data(capacity: size)
    joined.append(first[first.startIndex..<layout.frameHeader + 5])
    let height = UInt16(input.height)
    joined.append(contentsOf: [UInt8(height >> 8), UInt8(height & 0xFF)])
    joined.append(first[layout.frameHeader + 7..<layout.scanHeader])
    let interval = UInt16(input.blocks(in: strips[0]))
    joined.append(contentsOf: [0xFF, 0xDD, 0, 4, UInt8(interval >> 8), UInt8(interval & 0xFF)])
    joined.append(first[layout.scanHeader..<layout.entropyCoded.lowerBound])
    for (index, file) in files.enumerated() {
      guard let scan = JPEGScan(in: file) else {
        throw StillCodecError(
          .codecFailed, "The JPEG file cannot be written: the codec's output has no scan.")
      }
      if index > 0 { joined.append(contentsOf: [0xFF, UInt8(0xD0 + (index - 1) % 8)]) }
      joined.append(file[scan.entropyCoded])
    }
    joined.append(contentsOf: [0xFF, 0xD9])
    return joined
  }
}

/// The results of the threads, each strip in its own place.
private final class StripResults: @unchecked Sendable {  // Safe because each index is written once.
  private let memory: UnsafeMutableBufferPointer<Result<Data, any Error>?>

  init(count: Int) {
    memory = .allocate(capacity: count)
    memory.initialize(repeating: nil)
  }

  deinit {
    memory.deinitialize()
    memory.deallocate()
  }

  func set(_ index: Int, _ result: Result<Data, any Error>) {
    memory[index] = result
  }

  func values() throws -> [Data] {
    try memory.compactMap { try $0?.get() }
  }
}

/// The positions of a baseline file's parts.
struct JPEGScan {
  /// The position of the frame header's marker.
  var frameHeader: Int
  /// The position of the scan header's marker.
  var scanHeader: Int
  /// The coded data, without the end marker.
  var entropyCoded: Range<Int>

  init?(in file: Data) {
    var frame: Int?
    for segment in JPEGSegments(file) {
      if (0xC0...0xC2).contains(segment.marker) { frame = segment.start }
      if segment.marker == 0xDA, let frame {
        frameHeader = frame
        scanHeader = segment.start
        entropyCoded = segment.body.upperBound..<file.endIndex - 2
        return
      }
    }
    return nil
  }
}
