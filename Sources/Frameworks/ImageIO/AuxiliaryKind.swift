internal import Foundation
package import FoundationExtras
internal import StillCodecs

/// A kind of picture beside a file's own, under all the names that it has.
struct AuxiliaryKind: Hashable {
  /// ImageIO's name.
  let type: String
  /// The name in a HEIC.
  let name: String
  /// The kind as the picture's XMP names it, and the kind of matte.
  let imageType: String
  let subtype: String?

  /// Whether its numbers are distances, stored in steps.
  var isDistance: Bool { name == AuxiliaryPicture.depth }

  private init(_ type: String, _ name: String, imageType: String, subtype: String? = nil) {
    self.type = type
    self.name = name
    self.imageType = imageType
    self.subtype = subtype
  }

  private static func matte(_ type: String, _ year: Int, _ subtype: String) -> AuxiliaryKind {
    AuxiliaryKind(type, "urn:com:apple:photo:\(year):aux:\(subtype)", imageType: "depth", subtype: subtype)
  }

  private static let all = [
    AuxiliaryKind(kCGImageAuxiliaryDataTypeDepth, AuxiliaryPicture.depth, imageType: "depth"),
    AuxiliaryKind(kCGImageAuxiliaryDataTypeDisparity, AuxiliaryPicture.depth, imageType: "disparity"),
    matte(kCGImageAuxiliaryDataTypePortraitEffectsMatte, 2018, "portraiteffectsmatte"),
    matte(kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte, 2019, "semanticskinmatte"),
    matte(kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte, 2019, "semantichairmatte"),
    matte(kCGImageAuxiliaryDataTypeSemanticSegmentationTeethMatte, 2019, "semanticteethmatte"),
    matte(kCGImageAuxiliaryDataTypeSemanticSegmentationGlassesMatte, 2020, "semanticglassesmatte"),
    matte(kCGImageAuxiliaryDataTypeSemanticSegmentationSkyMatte, 2020, "semanticskymatte"),
    AuxiliaryKind(
      kCGImageAuxiliaryDataTypeHDRGainMap, "urn:com:apple:photo:2020:aux:hdrgainmap",
      imageType: "urn:com:apple:photo:2020:aux:hdrgainmap"),
  ]

  /// The kind that ImageIO calls `type`; `nil` for none.
  init?(_ type: String) {
    guard let kind = Self.all.first(where: { $0.type == type }) else { return nil }
    self = kind
  }

  /// Whether a picture of a file is of this kind.
  ///
  /// HEIC's names tell all kinds apart but depth and disparity; the years in them differ between systems. A JPEG has no names.
  func fits(_ facts: AuxiliaryPicture.Facts, _ document: XMPDocument?) -> Bool {
    if let name = facts.name, name != AuxiliaryPicture.depth {
      return name.split(separator: ":").last == self.name.split(separator: ":").last && !isDistance
    }
    guard let document else { return false }
    return document[PixelDataInfo.namespace, "AuxiliaryImageType"] == .text(imageType)
      && document[PixelDataInfo.namespace, "AuxiliaryImageSubType"] == subtype.map { .text($0) }
  }
}

/// Finished picture files that get pictures beside their own, or lose them.
package enum AuxiliaryFile {
  /// The file with other depth than it has, in its own place or none; the picture and all else stay bit for bit.
  ///
  /// - Parameter depth: A kind of depth or disparity, and what `CGImageDestinationAddAuxiliaryDataInfo` takes; `nil` for none.
  /// - Throws: `StillCodecError`: `unsuitable` for data that do not fit their description, for a PNG, and for a HEIC that cannot be
  ///   rearranged.
  package static func replaceDepth(
    in file: Data, with depth: (type: CFString, info: CFDictionary)?
  ) throws -> Data {
    let without = try AuxiliaryPictures.remove(from: file, where: isDepth)
    guard let depth else { return without }
    guard let info = AuxiliaryKind(depth.type).flatMap({ AuxiliaryInfo($0, depth.info) }) else {
      throw StillCodecError.unsuitableDepth
    }
    return try AuxiliaryPictures.add([info.picture()].compactMap(\.self), to: without)
  }
}

extension AuxiliaryFile {
  /// The file with another matte of a kind than it has, in its own place or none; the picture and all else stay bit for bit.
  ///
  /// - Parameter matte: What `CGImageDestinationAddAuxiliaryDataInfo` takes; `nil` for none.
  /// - Throws: As ``replaceDepth(in:with:)``.
  package static func replaceMatte(_ type: CFString, in file: Data, with matte: CFDictionary?) throws -> Data
  {
    guard let kind = AuxiliaryKind(type) else { throw StillCodecError.unsuitableDepth }
    let without = try AuxiliaryPictures.remove(from: file) { facts in
      kind.fits(facts, facts.xmp.flatMap { XMPDocument(reading: $0) })
    }
    guard let matte else { return without }
    guard let info = AuxiliaryInfo(kind, matte) else { throw StillCodecError.unsuitableDepth }
    return try AuxiliaryPictures.add([info.picture()].compactMap(\.self), to: without)
  }

  /// Whether a picture file holds depth or disparity beside its picture.
  package static func holdsDepth(_ file: Data) -> Bool {
    ((try? AuxiliaryPictures.list(file)) ?? []).contains(where: isDepth)
  }

  private static func isDepth(_ facts: AuxiliaryPicture.Facts) -> Bool {
    let document = facts.xmp.flatMap { XMPDocument(reading: $0) }
    return [kCGImageAuxiliaryDataTypeDepth, kCGImageAuxiliaryDataTypeDisparity].contains {
      AuxiliaryKind($0)?.fits(facts, document) == true
    }
  }
}

/// The properties with which XMP says what the numbers of an auxiliary picture mean, as Apple's files have them.
enum PixelDataInfo {
  static let namespace = "http://ns.apple.com/pixeldatainfo/1.0/"

  /// A property of that namespace.
  static func property(_ name: String, _ text: String) -> XMPProperty {
    XMPProperty(namespace: namespace, prefix: "apdi", name: name, value: .text(text))
  }
}
