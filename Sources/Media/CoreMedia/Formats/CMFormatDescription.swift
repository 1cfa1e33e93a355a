public import FoundationExtras

/// A kind of media, as a four-character code.
public typealias CMMediaType = FourCharCode

/// The description of one stream's samples: kind, format, size, and named extensions.
///
/// Immutable, thread-safe.
///
/// Apple: `CMFormatDescription`; one class serves video, audio, metadata and the rest, as there.
public final class CMFormatDescription: @unchecked Sendable {  // Safe because nothing changes after `init`.
  let mediaTypeCode: CMMediaType
  let mediaSubTypeCode: FourCharCode
  let extensionValues: [String: Any]
  /// Those of the extensions that image buffers carry as attachments.
  let imageExtensions: [String: Any]
  let bytesPerRow: Int?
  let specifics: Specifics
  /// The parameter sets of H.264; `nil` of everything else.
  let storedSets: StoredParameterSets?

  /// The part of a description that depends on the kind of media.
  enum Specifics {
    case none
    case picture(CMVideoDimensions)
    case audio(AudioFormatDetails)
    case timeCode(FrameCount)
  }

  /// The counting of frames in time codes.
  struct FrameCount: Equatable {
    let frameDuration: CMTime
    let frameQuanta: UInt32
    let flags: UInt32
  }

  init(
    _ mediaType: CMMediaType, _ mediaSubType: FourCharCode, extensions: [String: Any]?,
    specifics: Specifics = .none
  ) {
    mediaTypeCode = mediaType
    mediaSubTypeCode = mediaSubType
    let extensions = BoxedNumbers.boxed(extensions ?? [:])
    extensionValues = extensions
    imageExtensions = extensions.filter { keysCommonWithImageBuffers.contains($0.key) }
    bytesPerRow = extensions[kCMFormatDescriptionExtension_BytesPerRow].flatMap { LooseNumber.integer($0) }
    self.specifics = specifics
    storedSets = StoredParameterSets(subtype: mediaSubType, extensions: extensions)
  }

  /// Describes pictures of another media type than video, such as depth maps (`dpth`).
  ///
  /// - Parameter mediaSubType: The pixel format.
  package convenience init(
    pictures mediaType: MediaType, mediaSubType: MediaSubType, dimensions: CMVideoDimensions,
    extensions: [String: Any] = [:]
  ) {
    self.init(
      mediaType.rawValue, mediaSubType.rawValue, extensions: extensions, specifics: .picture(dimensions))
  }
}

/// A description of video.
///
/// Apple: `CMVideoFormatDescription`.
public typealias CMVideoFormatDescription = CMFormatDescription
/// A description of audio.
///
/// Apple: `CMAudioFormatDescription`.
public typealias CMAudioFormatDescription = CMFormatDescription
/// A description of audio and pictures in one stream.
///
/// Apple: `CMMuxedFormatDescription`.
public typealias CMMuxedFormatDescription = CMFormatDescription
/// A description of timed metadata.
///
/// Apple: `CMMetadataFormatDescription`.
public typealias CMMetadataFormatDescription = CMFormatDescription
/// A description of time codes.
///
/// Apple: `CMTimeCodeFormatDescription`.
public typealias CMTimeCodeFormatDescription = CMFormatDescription

/// An argument is missing or contradicts another.
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710
/// There is not enough memory.
public let kCMFormatDescriptionError_AllocationFailed: OSStatus = -12711
/// The description does not say.
public let kCMFormatDescriptionError_ValueNotAvailable: OSStatus = -12718

/// Describes media that has no create function of its own.
@discardableResult
public func CMFormatDescriptionCreate(
  allocator: CFAllocator?, mediaType: CMMediaType, mediaSubType: FourCharCode, extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = CMFormatDescription(mediaType, mediaSubType, extensions: extensions)
  return noErr
}

/// Gives the kind of media, such as ``kCMMediaType_Video``.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType {
  desc.mediaTypeCode
}

/// Gives the codec, or the pixel format of uncompressed video.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode {
  desc.mediaSubTypeCode
}

/// Gives everything that is known by name; `nil` when that is nothing.
public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> CFDictionary? {
  desc.extensionValues.isEmpty ? nil : desc.extensionValues
}

/// Gives what is known under one name.
public func CMFormatDescriptionGetExtension(_ desc: CMFormatDescription, extensionKey: CFString)
  -> CFPropertyList?
{
  desc.extensionValues[extensionKey]
}

/// Whether two descriptions say the same.
public func CMFormatDescriptionEqual(
  _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
) -> Bool {
  CMFormatDescriptionEqualIgnoringExtensionKeys(
    formatDescription, otherFormatDescription: otherFormatDescription, extensionKeysToIgnore: nil,
    sampleDescriptionExtensionAtomKeysToIgnore: nil)
}

/// Whether two descriptions say the same, apart from some extensions.
///
/// - Parameters:
///   - formatDescriptionExtensionKeysToIgnore: Names of extensions, each a `String`.
///   - sampleDescriptionExtensionAtomKeysToIgnore: Names of entries of
///     ``kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms``, each a `String`.
public func CMFormatDescriptionEqualIgnoringExtensionKeys(
  _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?,
  extensionKeysToIgnore formatDescriptionExtensionKeysToIgnore: CFTypeRef?,
  sampleDescriptionExtensionAtomKeysToIgnore: CFTypeRef?
) -> Bool {
  guard let left = formatDescription, let right = otherFormatDescription else {
    return formatDescription == nil && otherFormatDescription == nil
  }
  if left === right { return true }
  guard left.mediaTypeCode == right.mediaTypeCode, left.mediaSubTypeCode == right.mediaSubTypeCode,
    left.specifics.isEqual(to: right.specifics)
  else { return false }
  var ignored = names(formatDescriptionExtensionKeysToIgnore)
  let ignoredAtoms = names(sampleDescriptionExtensionAtomKeysToIgnore)
  if !ignored.isEmpty || !ignoredAtoms.isEmpty {
    // The verbatim descriptions repeat what is ignored.
    ignored.formUnion([
      kCMFormatDescriptionExtension_VerbatimSampleDescription,
      kCMFormatDescriptionExtension_VerbatimISOSampleEntry,
    ])
  }
  func compared(_ description: CMFormatDescription) -> [String: Any] {
    var values = description.extensionValues.filter { !ignored.contains($0.key) }
    let atomsKey = kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms
    if !ignoredAtoms.isEmpty, let atoms = values[atomsKey] as? [String: Any] {
      values[atomsKey] = atoms.filter { !ignoredAtoms.contains($0.key) }
    }
    return values
  }
  return propertyListsAreEqual(compared(left), compared(right))
}

private func names(_ list: Any?) -> Set<String> {
  if let name = list as? String { return [name] }
  if let names = list as? [String] { return Set(names) }
  return Set((list as? [Any])?.compactMap { $0 as? String } ?? [])
}

extension CMFormatDescription.Specifics {
  func isEqual(to other: CMFormatDescription.Specifics) -> Bool {
    switch (self, other) {
    case (.none, .none): true
    case (.picture(let left), .picture(let right)): left == right
    case (.audio(let left), .audio(let right)): left == right
    case (.timeCode(let left), .timeCode(let right)): left == right
    default: false
    }
  }
}

/// Whether two property lists hold the same, numbers by value.
func propertyListsAreEqual(_ left: Any, _ right: Any) -> Bool {
  // Texts first: they are the most common, and casts to collections are slow.
  if let left = left as? String { return left == right as? String }
  if let left = left as? [String: Any], let right = right as? [String: Any] {
    return left.count == right.count
      && left.allSatisfy { entry in
        right[entry.key].map { propertyListsAreEqual(entry.value, $0) } ?? false
      }
  }
  if let left = left as? [Any], let right = right as? [Any] {
    return left.count == right.count && zip(left, right).allSatisfy { propertyListsAreEqual($0, $1) }
  }
  if let left = LooseNumber.double(left), let right = LooseNumber.double(right) { return left == right }
  if let left = left as? AnyHashable, let right = right as? AnyHashable { return left == right }
  return left as AnyObject === right as AnyObject
}

extension CMFormatDescription: Hashable {
  /// Whether two descriptions say the same; see ``CMFormatDescriptionEqual(_:otherFormatDescription:)``.
  public static func == (lhs: CMFormatDescription, rhs: CMFormatDescription) -> Bool {
    CMFormatDescriptionEqual(lhs, otherFormatDescription: rhs)
  }

  /// Hashes the kind of media, which equal descriptions share.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(mediaTypeCode)
    hasher.combine(mediaSubTypeCode)
  }
}
