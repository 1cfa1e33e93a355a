public import Foundation
public import FoundationExtras
public import GraphicsCore
internal import Linux
internal import StillCodecs

/// A picture file to be written: collects one picture with its properties, of a GIF as many as it shall have, then writes it in one go.
///
/// Thread-safe. Nothing is written before ``CGImageDestinationFinalize(_:)``.
public final class CGImageDestination: @unchecked Sendable {  // Safe: changes under `state`.
  enum Target {
    case file(URL)
    case memory(NSMutableData)
  }

  enum Content {
    case image(CGImage)
    case source(CGImageSource)
  }

  struct State {
    /// With the properties of each.
    var pictures: [(content: Content, properties: CFDictionary)] = []
    var defaults: CFDictionary = [:]
    /// Pictures beside the file's own, in their order.
    var auxiliaries: [AuxiliaryInfo] = []
    var isFinal = false
  }

  /// The type of GIF files, the only ones of several pictures.
  static let gif = "com.compuserve.gif"

  /// `nil` for GIF.
  private let format: StillFormat?
  private let count: Int
  private let target: Target
  private let state: Locked<State>

  init?(_ target: Target, type: CFString, count: Int) {
    format = StillFormat(typeIdentifier: type)
    guard type == Self.gif ? count > 0 : format != nil && count == 1 else { return nil }
    self.count = count
    self.target = target
    state = Locked(State())
  }

  func setDefaults(_ defaults: CFDictionary) {
    // Safe because clients hand over values, not objects they go on changing.
    nonisolated(unsafe) let defaults = defaults
    let old = state.withLock { state in
      defer { state.defaults = defaults }
      return state.defaults
    }
    withExtendedLifetime(old) {}
  }

  /// Takes the picture unless there are enough already: a file holds as many as were announced.
  func add(_ content: Content, _ properties: CFDictionary) {
    nonisolated(unsafe) let properties = properties  // Safe for the same reason.
    let isTaken = state.withLock { state in
      guard state.pictures.count < count, !state.isFinal else { return false }
      state.pictures.append((content, properties))
      return true
    }
    if !isTaken {
      ProgrammingMistake.report(
        rule: "A CGImageDestination for \(count == 1 ? "one image" : "\(count) images") got another one; "
          + "make a destination for each file.")
    }
  }

  /// Takes a picture beside the file's own.
  func add(_ auxiliary: AuxiliaryInfo) {
    state.withLock { state in
      if !state.isFinal { state.auxiliaries.append(auxiliary) }
    }
  }

  /// Writes the file; works once.
  func finalize() -> Bool {
    // Safe because the lock's body runs on this thread.
    nonisolated(unsafe) var work: State?
    state.withLock { state in
      guard state.pictures.count == count, !state.isFinal else { return }
      state.isFinal = true
      work = state
    }
    guard let work else { return false }
    do {
      let file = try file(work)
      switch target {
      case .file(let url): try AtomicFile.write(file, to: url.path)
      case .memory(let memory): memory.append(file)
      }
      return true
    } catch {
      StandardStreams.complain("obscura: \(error)\n")
      return false
    }
  }
}

extension CGImageDestination {
  private func file(_ work: State) throws -> Data {
    guard let format else { return try GIFFileWriter(properties: work.defaults).write(work.pictures) }
    let picture = work.pictures[0]
    let properties = work.defaults.merging(picture.properties) { _, own in own }
    return try AuxiliaryPictures.add(
      work.auxiliaries.compactMap { try $0.picture() },
      to: StillFileWriter(format: format, properties: properties).write(picture.content))
  }
}

/// How good a lossy file is to be, 0…1; a number, 0.9 unless given.
public let kCGImageDestinationLossyCompressionQuality: CFString = "kCGImageDestinationLossyCompressionQuality"
/// What shows through a picture with alpha in a file without; a ``CGColor``, white unless given.
public let kCGImageDestinationBackgroundColor: CFString = "kCGImageDestinationBackgroundColor"
/// The longer edge the picture may have in the file, in pixels; a number, unlimited unless given.
public let kCGImageDestinationImageMaxPixelSize: CFString = "kCGImageDestinationImageMaxPixelSize"
/// Whether the file gets a thumbnail (JPEG, HEIC); a truth value, false unless given.
public let kCGImageDestinationEmbedThumbnail: CFString = "kCGImageDestinationEmbedThumbnail"

/// A destination that writes the file `url`, whole or not at all.
///
/// - Parameters:
///   - url: Where to write; a file that is there is replaced.
///   - type: `public.jpeg`, `public.heic`, `public.png` or `com.compuserve.gif`.
///   - count: How many pictures the file will hold: 1, of a GIF any number of one size.
///   - options: None are known.
/// - Returns: `nil` for another type or count.
public func CGImageDestinationCreateWithURL(
  _ url: CFURL, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
  url.isFileURL ? CGImageDestination(.file(url), type: type, count: count) : nil
}

/// A destination that appends the file's bytes to `data`.
///
/// - Parameters:
///   - data: Must not be used elsewhere until ``CGImageDestinationFinalize(_:)`` has returned.
///   - type: `public.jpeg`, `public.heic`, `public.png` or `com.compuserve.gif`.
///   - count: How many pictures the file will hold: 1, of a GIF any number of one size.
///   - options: None are known.
/// - Returns: `nil` for another type or count.
public func CGImageDestinationCreateWithData(
  _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
  CGImageDestination(.memory(data), type: type, count: count)
}

/// Adds a picture.
///
/// - Parameters:
///   - idst: The destination.
///   - image: What to write. Its colours go as they are, with their profile unless they are sRGB.
///   - properties: Metadata in ImageIO's dictionaries and `kCGImageDestination…` keys.
public func CGImageDestinationAddImage(
  _ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) {
  idst.add(.image(image), properties ?? [:])
}

/// Adds the picture of a source with its metadata.
///
/// From JPEG to JPEG, as long as no property changes the picture itself (quality, largest size), the compressed picture is
/// copied bit for bit and only the metadata is written anew; pictures behind it stay, too. Otherwise pictures beside the source's own
/// are not taken along.
///
/// - Parameters:
///   - idst: The destination.
///   - isrc: Where the picture comes from.
///   - index: 0.
///   - properties: What to change of the metadata; `kCFNull` as a value removes it.
public func CGImageDestinationAddImageFromSource(
  _ idst: CGImageDestination, _ isrc: CGImageSource, _ index: Int, _ properties: CFDictionary?
) {
  guard index == 0, isrc.facts != nil else {
    ProgrammingMistake.report(
      rule:
        "A CGImageDestination was given image \(index) of a source that has none there; ask CGImageSourceGetCount."
    )
    return
  }
  idst.add(.source(isrc), properties ?? [:])
}

/// Sets properties that count for every picture that does not have its own; of a GIF those of the whole file, such as
/// `kCGImagePropertyGIFLoopCount`.
public func CGImageDestinationSetProperties(_ idst: CGImageDestination, _ properties: CFDictionary?) {
  idst.setDefaults(properties ?? [:])
}

/// Writes the file; works once.
///
/// - Returns: Whether the file is there. When not, a line says why and nothing is left behind: fewer pictures were added than were
///   announced, one cannot be encoded, or the file cannot be written.
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool {
  idst.finalize()
}

/// The types that are written: JPEG, PNG, HEIC and GIF.
public func CGImageDestinationCopyTypeIdentifiers() -> CFArray {
  ["public.jpeg", "public.png", "public.heic", CGImageDestination.gif]
}

/// The number of the type ``CGImageDestination`` among Core Foundation's types; constant while the process runs.
public func CGImageDestinationGetTypeID() -> CFTypeID {
  0x434D_4744
}
