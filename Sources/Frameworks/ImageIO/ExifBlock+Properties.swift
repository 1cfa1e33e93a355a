internal import Foundation
package import FoundationExtras
package import GraphicsCore
package import StillCodecs

extension ExifBlock {
  /// The tags that image properties stand for: what `{TIFF}`, `{Exif}`, `{GPS}` and `{MakerApple}` say, the orientation, and the
  /// resolution.
  ///
  /// Properties that EXIF has no tag for, and values of the wrong kind, are left out.
  package init(properties: CFDictionary) {
    self.init()
    set(properties)
  }

  /// The tags that a file of this picture should carry: those of `properties`, completed by what EXIF demands.
  ///
  /// - Parameters:
  ///   - properties: In ImageIO's dictionaries.
  ///   - width: Pixels along x as they are stored.
  ///   - height: Pixels along y as they are stored.
  ///   - colorSpace: What the colours mean; anything but sRGB counts as uncalibrated, as the standard has it.
  package init(properties: CFDictionary, width: Int, height: Int, colorSpace: CGColorSpace?) {
    self.init(properties: properties)
    complete(width: width, height: height, colorSpace: colorSpace)
  }

  /// Adds what EXIF 2.32 demands of a compressed picture, and corrects the size.
  package mutating func complete(width: Int, height: Int, colorSpace: CGColorSpace?) {
    func fill(_ tag: ExifTag, _ value: ExifValue) {
      if self[tag] == nil { self[tag] = value }
    }
    fill(ExifTag(.image, 0x011A), .rationals([ExifRational(72, 1)]))
    fill(ExifTag(.image, 0x011B), .rationals([ExifRational(72, 1)]))
    fill(ExifTag(.image, 0x0128), .shorts([2]))
    fill(ExifTag(.image, 0x0213), .shorts([1]))
    fill(ExifTag(.exif, 0x9000), .undefined(Array("0232".utf8)))
    fill(ExifTag(.exif, 0x9101), .undefined([1, 2, 3, 0]))
    fill(ExifTag(.exif, 0xA000), .undefined(Array("0100".utf8)))
    let isSRGB =
      colorSpace.map { $0.name == CGColorSpace.sRGB || $0 == CGColorSpaceCreateDeviceRGB() } ?? true
    fill(ExifTag(.exif, 0xA001), .shorts([isSRGB ? 1 : 0xFFFF]))
    self[ExifTag(.exif, 0xA002)] = .longs([UInt32(clamping: width)])
    self[ExifTag(.exif, 0xA003)] = .longs([UInt32(clamping: height)])
    if tags.contains(where: { $0.directory == .gps }) {
      fill(ExifTag(.gps, 0), .bytes([2, 3, 0, 0]))
    }
    if thumbnail != nil {
      // A thumbnail needs its own compression and resolution.
      self[ExifTag(.thumbnail, 0x0103)] = .shorts([6])
      self[ExifTag(.thumbnail, 0x011A)] = .rationals([ExifRational(72, 1)])
      self[ExifTag(.thumbnail, 0x011B)] = .rationals([ExifRational(72, 1)])
      self[ExifTag(.thumbnail, 0x0128)] = .shorts([2])
    }
  }

  /// Sets the tags that `properties` name and removes those whose value is `kCFNull`.
  package mutating func set(_ properties: CFDictionary) {
    for (key, tags) in PropertyTag.dictionaries {
      if properties[key] is NSNull {
        for tag in tags { self[tag.tag] = nil }
      }
      guard let values = properties[key] as? CFDictionary else { continue }
      for tag in tags {
        guard let value = values[tag.key] else { continue }
        if value is NSNull {
          self[tag.tag] = nil
        } else if let encoded = tag.kind.encode(value) {
          self[tag.tag] = encoded
        }
      }
    }
    setAppleMakerNote(properties)
    if let orientation = LooseNumber.integer(properties[kCGImagePropertyOrientation]),
      (1...8).contains(orientation)
    {
      self[ExifTag(.image, 0x0112)] = .shorts([UInt16(orientation)])
    }
    let resolution: [(CFString, UInt16)] = [
      (kCGImagePropertyDPIWidth, 0x011A), (kCGImagePropertyDPIHeight, 0x011B),
    ]
    for (key, number) in resolution {
      guard let dots = LooseNumber.double(properties[key]), dots > 0 else { continue }
      self[ExifTag(.image, number)] = .rationals([ExifRational(approximating: dots)])
      self[ExifTag(.image, 0x0128)] = .shorts([2])
    }
  }

  /// The tags as `{TIFF}`, `{Exif}`, `{GPS}` and `{MakerApple}` dictionaries, with orientation and dots per inch beside them.
  package var properties: CFDictionary {
    var result: CFDictionary = [:]
    for (key, tags) in PropertyTag.dictionaries {
      var values: CFDictionary = [:]
      for tag in tags {
        if let value = self[tag.tag].flatMap(tag.kind.decode) { values[tag.key] = value }
      }
      if !values.isEmpty { result[key] = values }
    }
    if let note = appleMakerNote { result[kCGImagePropertyMakerAppleDictionary] = note.properties }
    if case .shorts(let numbers) = self[ExifTag(.image, 0x0112)], let number = numbers.first,
      (1...8).contains(number)
    {
      result[kCGImagePropertyOrientation] = Int(number)
    }
    var inches = 1.0
    if case .shorts([3]) = self[ExifTag(.image, 0x0128)] { inches = 2.54 }
    for (number, key) in [(UInt16(0x011A), kCGImagePropertyDPIWidth), (0x011B, kCGImagePropertyDPIHeight)] {
      if case .rationals(let values) = self[ExifTag(.image, number)], let value = values.first?.value {
        result[key] = value * inches
      }
    }
    return result
  }
}
