internal import CoreVideo
public import Foundation
public import FoundationExtras
public import GraphicsCore
internal import Linux
internal import StillCodecs

/// A picture file to read from: its type, properties, picture and thumbnail.
///
/// Holds JPEG, HEIC, PNG and DNG files with one picture each, and GIF files with any number. Reading what the file says about itself decodes nothing; pictures
/// are decoded when asked for. Thread-safe; runs on the caller's thread.
public final class CGImageSource: Sendable {
  let data: Data
  let facts: StillFacts?
  private let status: CGImageSourceStatus
  private let decoded = Locked<CGImage?>(nil)
  /// What is shown of a GIF, as far as it was put together.
  private let animated: AnimatedPictures?

  init(_ data: Data) {
    self.data = data
    do {
      let facts = try StillFacts(data)
      self.facts = facts
      status = .statusComplete
      animated = facts.gif.map { AnimatedPictures(data, $0) }
    } catch let error as StillCodecError where error.code == .unsupported {
      facts = nil
      animated = nil
      status = .statusUnknownType
    } catch {
      facts = nil
      animated = nil
      status = .statusInvalidData
    }
  }

  var currentStatus: CGImageSourceStatus { status }
  /// How many pictures there are.
  var count: Int { facts == nil ? 0 : facts?.gif?.frames.count ?? 1 }

  /// The pixels of a picture; a GIF's are whole, whatever the scale.
  func buffer(at index: Int, scale: StillScale) throws -> CVPixelBuffer? {
    guard let facts, (0..<count).contains(index) else { return nil }
    if let animated { return try animated.picture(at: index) }
    return try StillPicture.decodeBuffer(data, facts: facts, scale: scale)
  }

  /// The decoded picture of an index; of a GIF it is put together anew each time.
  func image(at index: Int, scale: StillScale, keeps: Bool) -> CGImage? {
    guard let facts, (0..<count).contains(index) else { return nil }
    guard let animated else {
      return scale == .full ? image(keeps: keeps) : try? StillPicture.decode(data, facts: facts, scale: scale)
    }
    guard let buffer = try? animated.picture(at: index) else { return nil }
    return try? StillPicture.image(of: StillPicture.scaled(buffer, facts: facts, scale), facts: facts)
  }

  /// The decoded picture, kept for the next call when `keeps`.
  func image(keeps: Bool) -> CGImage? {
    if let image = decoded.withLock({ $0 }) { return image }
    guard let facts, let image = try? StillPicture.decode(data, facts: facts) else { return nil }
    if keeps {
      let old = decoded.withLock { decoded in
        defer { decoded = image }
        return decoded
      }
      withExtendedLifetime(old) {}
    }
    return image
  }

  func forget() {
    let old = decoded.withLock { image in
      defer { image = nil }
      return image
    }
    withExtendedLifetime(old) {}
  }
}

/// The status of an image source: how far it can be read.
public enum CGImageSourceStatus: Int32, Sendable {
  /// The file ends too early.
  case statusUnexpectedEOF = -5
  /// The file is of a known type but broken.
  case statusInvalidData = -4
  /// The file is of no known type.
  case statusUnknownType = -3
  /// The head is still being read.
  case statusReadingHeader = -2
  /// Some of the file is missing.
  case statusIncomplete = -1
  /// All is there.
  case statusComplete = 0
}

/// Of type text: what the file probably is; needed by no type that is read here, and harmless.
public let kCGImageSourceTypeIdentifierHint: CFString = "kCGImageSourceTypeIdentifierHint"
/// Whether the source keeps the decoded picture for the next call; a truth value, true unless given.
public let kCGImageSourceShouldCache: CFString = "kCGImageSourceShouldCache"
/// Whether to decode at once rather than when the pixels are first used; always so here.
public let kCGImageSourceShouldCacheImmediately: CFString = "kCGImageSourceShouldCacheImmediately"
/// Whether to make a thumbnail from the picture when the file holds none; a truth value, false unless given.
public let kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString =
  "kCGImageSourceCreateThumbnailFromImageIfAbsent"
/// Whether to make the thumbnail from the picture even when the file holds one; a truth value, false unless given.
public let kCGImageSourceCreateThumbnailFromImageAlways: CFString =
  "kCGImageSourceCreateThumbnailFromImageAlways"
/// The longer edge a thumbnail may have, in pixels; a number, unlimited unless given.
public let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"
/// Whether to turn and mirror the thumbnail as the orientation asks; a truth value, false unless given.
public let kCGImageSourceCreateThumbnailWithTransform: CFString = "kCGImageSourceCreateThumbnailWithTransform"
/// By how much to make a picture smaller while decoding: 2, 4 or 8; an integer.
public let kCGImageSourceSubsampleFactor: CFString = "kCGImageSourceSubsampleFactor"

/// A source of a file's bytes; of another type than JPEG, HEIC, PNG, GIF and DNG it has no type and no picture.
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
  CGImageSource(data)
}

/// A source of the file at `url`, read at once; `nil` when it cannot be read, is no regular file, or has over 256 MB.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
  // Not mapped: a file that another program cuts short would end this one with a bus error.
  InputFile.contents(of: url).map { CGImageSource($0) }
}

/// A source of the bytes that `provider` has; `nil` when it has none.
public func CGImageSourceCreateWithDataProvider(
  _ provider: CGDataProvider, _ options: CFDictionary?
) -> CGImageSource? {
  provider.data.map { CGImageSource($0) }
}

/// The uniform type identifier of the file, such as `public.jpeg`; `nil` when it is of no type read here.
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? {
  isrc.facts?.format.typeIdentifier
}

/// How many pictures there are: 1, of a GIF any number, or 0 when the file cannot be read.
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int {
  isrc.count
}

/// Which picture to show first: always 0.
public func CGImageSourceGetPrimaryImageIndex(_ isrc: CGImageSource) -> Int {
  0
}

/// How far the file is readable.
public func CGImageSourceGetStatus(_ isrc: CGImageSource) -> CGImageSourceStatus {
  isrc.currentStatus
}

/// How far the picture at `index` is readable.
public func CGImageSourceGetStatusAtIndex(_ isrc: CGImageSource, _ index: Int) -> CGImageSourceStatus {
  index == 0 || (0..<isrc.count).contains(index) ? isrc.currentStatus : .statusInvalidData
}

/// The types that are read: JPEG, PNG, HEIC and HEIF with HEVC pictures, DNG, and GIF.
public func CGImageSourceCopyTypeIdentifiers() -> CFArray {
  ["public.jpeg", "public.png", "public.heic", "public.heif", "com.adobe.raw-image", "com.compuserve.gif"]
}

/// The number of the type ``CGImageSource`` among Core Foundation's types; constant while the process runs.
public func CGImageSourceGetTypeID() -> CFTypeID {
  0x434D_4753
}

/// Drops the decoded picture that the source keeps for the next call.
public func CGImageSourceRemoveCacheAtIndex(_ isrc: CGImageSource, _ index: Int) {
  if index == 0 { isrc.forget() }
}

/// The picture as it is stored, whatever its orientation.
///
/// JPEG and HEIC become 8 bits a component without alpha (HEIC with alpha keeps it), PNG keeps depth and alpha; gray stays
/// gray. The colour space is the file's profile, or sRGB. A DNG's numbers are developed in the light that they were taken in, as bright as
/// the file wants it: what it shows of them, as the camera's own pictures are, without a curve of its own; `CIRAWFilter` does more.
///
/// A GIF's picture is what is shown with it: drawn over what those before it have left, in sRGB, and transparent where nothing was drawn.
/// Going from picture to picture decodes each once.
///
/// - Returns: `nil` for an index that is not there, for a broken file, and for a picture whose decoding takes more than 512 MB;
///   `kCGImageSourceSubsampleFactor` or a thumbnail reads that. A JPEG that is cut off gives the part that is there.
public func CGImageSourceCreateImageAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
  let scale = LooseNumber.integer(options?[kCGImageSourceSubsampleFactor]).flatMap(StillScale.init)
  return isrc.image(
    at: index, scale: scale ?? .full, keeps: LooseNumber.truth(options?[kCGImageSourceShouldCache]) ?? true)
}
