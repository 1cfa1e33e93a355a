public import Foundation
internal import CoreVideo
internal import FoundationExtras
internal import ImageIO
internal import PhotoProcessing

extension AVCapturePhoto {
  /// The photo as the bytes of a file, with what `customizer` puts in place of metadata and thumbnail.
  ///
  /// The picture is not compressed again, except in a HEIC whose thumbnail or orientation changes.
  ///
  /// - Returns: `nil` for an uncompressed photo, for one that failed, and where the file cannot be written: metadata and
  ///   thumbnail of a JPEG must fit 64 KiB. A thumbnail format that is none is a programming mistake, and returns `nil` too.
  ///
  /// Apple: `AVCapturePhoto.fileDataRepresentation(with:)`.
  public func fileDataRepresentation(
    with customizer: any AVCapturePhotoFileDataRepresentationCustomizer
  ) -> Data? {
    guard let file = result.file else { return nil }
    if let raw = result.raw { return rawFile(raw, customizer) }
    let metadata = customizer.replacementMetadata(for: self)
    var asked: NSDictionary?
    let picture = withUnsafeMutablePointer(to: &asked) { pointer in
      customizer.replacementEmbeddedThumbnailPixelBuffer(withPhotoFormat: pointer, for: self)?
        .takeUnretainedValue()
    }
    guard let thumbnail = Self.thumbnail(asked, picture) else {
      ProgrammingMistake.report(
        rule: "The format of a replacement thumbnail names AVVideoCodecType.jpeg under AVVideoCodecKey.")
      return nil
    }
    let depth = customizer.replacementDepthData(for: self)
    let matte = customizer.replacementPortraitEffectsMatte(for: self)
    let parts = AVSemanticSegmentationMatte.MatteType.all.map {
      ($0, customizer.replacementSemanticSegmentationMatte(ofType: $0, for: self))
    }
    // Apple's method has no way to say why.
    return try? parts.reduce(
      withMatte(
        matte,
        withDepth(
          depth, PhotoFile(file).rewritten(metadata: metadata.map { PhotoMetadata($0) }, thumbnail: thumbnail)
        ))
    ) { try withMatte($1.1, of: $1.0, $0) }
  }

  /// A rewritten file with the matte of people that it shall hold.
  private func withMatte(_ matte: AVPortraitEffectsMatte?, _ file: Data) throws -> Data {
    let isOwn = matte != nil && matte === portraitEffectsMatte
    if let matte, !isOwn || result.isMatteEmbedded { return try matte.embedded(in: file) }
    return try AuxiliaryFile.replaceMatte(
      kCGImageAuxiliaryDataTypePortraitEffectsMatte, in: file, with: nil)
  }

  /// A rewritten file with the matte of a part of people that it shall hold.
  private func withMatte(
    _ matte: AVSemanticSegmentationMatte?, of type: AVSemanticSegmentationMatte.MatteType, _ file: Data
  ) throws -> Data {
    let isOwn = matte != nil && matte === semanticSegmentationMatte(for: type)
    if let matte, !isOwn || result.arePartMattesEmbedded { return try matte.embedded(in: file) }
    guard let kind = AVSemanticSegmentationMatte.MatteType.kinds[type] else { return file }
    return try AuxiliaryFile.replaceMatte(kind, in: file, with: nil)
  }

  /// A rewritten file with the depth that it shall hold.
  private func withDepth(_ depth: AVDepthData?, _ file: Data) throws -> Data {
    let isOwn = depth != nil && depth === depthData
    // What a HEIC had is gone where it was compressed again.
    if let depth, !isOwn || result.isDepthEmbedded { return try depth.embedded(in: file) }
    return try AuxiliaryFile.replaceDepth(in: file, with: nil)
  }

  /// A DNG written once more; depth has no place in it.
  private func rawFile(
    _ raw: RawPhoto, _ customizer: any AVCapturePhotoFileDataRepresentationCustomizer
  ) -> Data? {
    let metadata = customizer.replacementMetadata(for: self)
    var asked: NSDictionary?
    let picture = withUnsafeMutablePointer(to: &asked) { pointer in
      customizer.replacementEmbeddedThumbnailPixelBuffer(withPhotoFormat: pointer, for: self)?
        .takeUnretainedValue()
    }
    guard let thumbnail = Self.thumbnail(asked, picture) else {
      ProgrammingMistake.report(
        rule: "The format of a replacement thumbnail names AVVideoCodecType.jpeg under AVVideoCodecKey.")
      return nil
    }
    return try? raw.with(thumbnail).file(
      metadata.map { PhotoMetadata($0) } ?? PhotoMetadata(), inPlaceOf: result.metadata)
  }

  private static func thumbnail(_ asked: NSDictionary?, _ picture: CVPixelBuffer?) -> PhotoFile.Thumbnail? {
    guard let asked else { return picture == nil ? .remove : nil }
    var format: [String: Any] = [:]
    for (key, value) in asked {
      if let key = key as? String { format[key] = value }
    }
    guard let request = PhotoThumbnailRequest(format: format) else { return nil }
    return picture.map { .replace($0, request) } ?? .keep
  }
}
