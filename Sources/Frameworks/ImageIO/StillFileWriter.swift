internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import PixelTransforms
internal import StillCodecs

/// Makes a picture file of an image or a source.
struct StillFileWriter {
  let format: StillFormat
  let properties: CFDictionary

  func write(_ content: CGImageDestination.Content) throws -> Data {
    switch content {
    case .image(let image):
      return try encode(image, block: ExifBlock(), orientation: nil, xmp: nil)
    case .source(let source):
      guard let facts = source.facts else {
        throw StillCodecError.unreadableSource
      }
      var block = facts.exifBlock ?? ExifBlock()
      if format == .jpeg, facts.format == .jpeg, !changesPixels {
        return try JPEGMetadata.replace(in: source.data, facts: facts, with: merged(block, facts))
      }
      // The container's rotation is what counts in HEIC; the tag says the same in other files.
      if facts.orientation != 1 || [.heic, .dng].contains(facts.format) {
        block[ExifTag(.image, 0x0112)] = .shorts([UInt16(facts.orientation)])
      }
      guard let image = source.image(keeps: false) else { throw StillCodecError.unreadableSource }
      return try encode(image, block: block, orientation: facts.orientation, xmp: facts.xmp)
    }
  }

  private var changesPixels: Bool {
    [kCGImageDestinationLossyCompressionQuality, kCGImageDestinationImageMaxPixelSize].contains {
      properties[$0] != nil
    } || LooseNumber.truth(properties[kCGImageDestinationEmbedThumbnail]) == true
  }

  private func merged(_ block: ExifBlock, _ facts: StillFacts) -> ExifBlock {
    var block = block
    block.set(properties)
    if !block.isEmpty {
      block.complete(width: facts.width, height: facts.height, colorSpace: facts.colorSpace)
    }
    return block
  }

  private var quality: Double? {
    LooseNumber.double(properties[kCGImageDestinationLossyCompressionQuality])
  }

  private func encode(_ original: CGImage, block old: ExifBlock, orientation: Int?, xmp: Data?) throws -> Data
  {
    let image = try limited(original)
    var block = old
    block.set(properties)
    var laid = orientation ?? 1
    if case .shorts(let numbers) = block[ExifTag(.image, 0x0112)], let number = numbers.first,
      (1...8).contains(number)
    {
      laid = Int(number)
    }
    let wantsThumbnail = LooseNumber.truth(properties[kCGImageDestinationEmbedThumbnail]) == true
    if !wantsThumbnail, original !== image || orientation == nil { block.thumbnail = nil }
    if !block.isEmpty {
      block.complete(width: image.width, height: image.height, colorSpace: image.colorSpace)
    }
    let profile = profile(of: image)
    switch format {
    case .png:
      var options = PNGEncoder.Options()
      options.exif = block.isEmpty ? nil : try block.data()
      options.dotsPerInch = LooseNumber.double(properties[kCGImagePropertyDPIWidth]) ?? 0
      return try PNGEncoder.encode(image, options: options)
    case .jpeg:
      let buffer = try opaqueBuffer(of: image)
      if wantsThumbnail {
        var small = JPEGEncoder.Options()
        small.quality = 0.7
        block.thumbnail = try JPEGEncoder.encode(Self.scaled(buffer, edge: 160), options: small)
        block.complete(width: image.width, height: image.height, colorSpace: image.colorSpace)
      }
      var options = JPEGEncoder.Options()
      options.quality = quality ?? options.quality
      options.threads = Tiles.threads
      options.exif = block.isEmpty ? nil : try block.data()
      options.profile = profile
      options.xmp = xmp
      options.dotsPerInch =
        LooseNumber.double(properties[kCGImagePropertyDPIWidth]).map { Int($0.rounded()) } ?? 0
      return try JPEGEncoder.encode(buffer, options: options)
    case .heic:
      let buffer = try opaqueBuffer(of: image)
      var options = HEICEncoder.Options()
      options.quality = quality ?? options.quality
      options.threads = Tiles.threads
      options.orientation = laid
      block.thumbnail = nil
      options.exif = block.isEmpty ? nil : try block.data()
      options.profile = profile
      options.xmp = xmp
      if wantsThumbnail { options.thumbnail = try Self.scaled(buffer, edge: 320) }
      return try HEICEncoder.encode(buffer, options: options)
    case .dng:
      throw StillCodecError.notOfSensor
    case .gif:
      return try GIFEncoder.encode([GIFEncoder.Picture(image, seconds: 0)], loops: nil)
    }
  }

  /// What readers cannot guess: the profile of everything but sRGB.
  private func profile(of image: CGImage) -> Data? {
    guard let space = image.colorSpace, space.name != CGColorSpace.sRGB,
      space != CGColorSpaceCreateDeviceRGB(),
      space != CGColorSpaceCreateDeviceGray()
    else { return nil }
    // A gray profile in a file of three components would be refused.
    return space.model == .monochrome && (format == .heic || !isGray(image)) ? nil : space.copyICCData()
  }

  private func isGray(_ image: CGImage) -> Bool {
    image.colorSpace?.model == .monochrome && !hasAlpha(image)
  }

  private func hasAlpha(_ image: CGImage) -> Bool {
    ![.none, .noneSkipFirst, .noneSkipLast].contains(image.alphaInfo)
  }

  /// The image as pixels without alpha: gray as one component, everything else as RGBA over the background.
  private func opaqueBuffer(of image: CGImage) throws -> CVPixelBuffer {
    let buffer = try image.makePixelBuffer(format: kCVPixelFormatType_32RGBA)
    if hasAlpha(image) { composeOverBackground(buffer, in: image.colorSpace) }
    guard isGray(image), format == .jpeg else { return buffer }
    let gray = try CVPixelBuffer(
      format: kCVPixelFormatType_OneComponent8, width: image.width, height: image.height)
    for y in 0..<image.height {
      let from = buffer.planes[0].baseAddress + y * buffer.planes[0].bytesPerRow
      let to = gray.planes[0].baseAddress + y * gray.planes[0].bytesPerRow
      for x in 0..<image.width {
        to.storeBytes(of: from.load(fromByteOffset: 4 * x, as: UInt8.self), toByteOffset: x, as: UInt8.self)
      }
    }
    return gray
  }

  private func composeOverBackground(_ buffer: CVPixelBuffer, in space: CGColorSpace?) {
    let target = space?.model == .rgb ? space ?? CGColorSpaceCreateDeviceRGB() : CGColorSpaceCreateDeviceRGB()
    let wanted = properties[kCGImageDestinationBackgroundColor] as? CGColor
    let color =
      wanted?.converted(to: target, intent: .defaultIntent, options: nil)?.components ?? [1, 1, 1, 1]
    let parts = (0..<3).map { UInt32(min(max(Double(color[$0]), 0), 1) * 255 + 0.5) }
    let plane = buffer.planes[0]
    for y in 0..<plane.height {
      let row = (plane.baseAddress + y * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      for x in 0..<plane.width where row[4 * x + 3] < 255 {
        let rest = 255 - UInt32(row[4 * x + 3])
        for part in 0..<3 {
          row[4 * x + part] = UInt8(min(255, UInt32(row[4 * x + part]) + (parts[part] * rest + 127) / 255))
        }
        row[4 * x + 3] = 255
      }
    }
  }

  /// The image no longer than the properties allow.
  private func limited(_ image: CGImage) throws -> CGImage {
    guard let size = LooseNumber.double(properties[kCGImageDestinationImageMaxPixelSize]), size >= 1,
      max(image.width, image.height) > Int(min(size, 1e9))
    else { return image }
    let buffer = try image.makePixelBuffer(format: kCVPixelFormatType_32RGBA)
    return try CGImage.make(
      of: Self.scaled(buffer, edge: Int(min(size, 1e9))), hasAlpha: hasAlpha(image), utType: image.utType)
  }

  private static func scaled(_ buffer: CVPixelBuffer, edge: Int) throws -> CVPixelBuffer {
    let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
    let longer = max(width, height)
    guard longer > edge else { return buffer }
    func scaled(_ length: Int) -> Int { max(1, (length * edge + longer / 2) / longer) }
    return try PixelTransformer(bufferLimit: 2).apply(
      FrameTransform(size: PixelSize(width: scaled(width), height: scaled(height))), to: buffer)
  }
}
