import Foundation
import FoundationExtras
import GraphicsCore
import ImageIO
import Testing

@Suite("Image metadata")
struct MetadataTests {
  private var exif: [String: Any] {
    [
      kCGImagePropertyExifExposureTime as String: 1.0 / 120, kCGImagePropertyExifFNumber as String: 1.8,
      kCGImagePropertyExifISOSpeedRatings as String: [100], kCGImagePropertyExifFocalLength as String: 4.25,
      kCGImagePropertyExifFocalLenIn35mmFilm as String: 26,
      kCGImagePropertyExifLensModel as String: "Wide 4.25 mm",
      kCGImagePropertyExifDateTimeOriginal as String: "2026:03:04 05:06:07",
      kCGImagePropertyExifSubsecTimeOriginal as String: "123",
      kCGImagePropertyExifOffsetTimeOriginal as String: "+09:00",
      kCGImagePropertyExifExposureProgram as String: 2, kCGImagePropertyExifExposureMode as String: 0,
      kCGImagePropertyExifExposureBiasValue as String: -0.5, kCGImagePropertyExifFlash as String: 16,
      kCGImagePropertyExifBrightnessValue as String: 3.5,
      kCGImagePropertyExifShutterSpeedValue as String: 6.9,
      kCGImagePropertyExifMeteringMode as String: 5, kCGImagePropertyExifWhiteBalance as String: 0,
      kCGImagePropertyExifSceneType as String: 1, kCGImagePropertyExifVersion as String: [2, 3, 2],
      kCGImagePropertyExifUserComment as String: "세 글자 comment",
      kCGImagePropertyExifLensSpecification as String: [4.25, 4.25, 1.8, 1.8],
      kCGImagePropertyExifSubjectArea as String: [10, 20, 30, 40],
    ]
  }

  private var gps: [String: Any] {
    [
      kCGImagePropertyGPSLatitude as String: 37.566535, kCGImagePropertyGPSLatitudeRef as String: "N",
      kCGImagePropertyGPSLongitude as String: 126.9779692, kCGImagePropertyGPSLongitudeRef as String: "E",
      kCGImagePropertyGPSAltitude as String: 38.5, kCGImagePropertyGPSAltitudeRef as String: 0,
      kCGImagePropertyGPSTimeStamp as String: "20:06:07.25",
      kCGImagePropertyGPSDateStamp as String: "2026:03:03",
      kCGImagePropertyGPSImgDirection as String: 271.5, kCGImagePropertyGPSImgDirectionRef as String: "T",
    ]
  }

  private var all: CFDictionary {
    [
      kCGImagePropertyExifDictionary: exif, kCGImagePropertyGPSDictionary: gps,
      kCGImagePropertyTIFFDictionary: [
        kCGImagePropertyTIFFMake as String: "Maker", kCGImagePropertyTIFFModel as String: "Model",
        kCGImagePropertyTIFFSoftware as String: "Software",
        kCGImagePropertyTIFFDateTime as String: "2026:03:04 05:06:07",
      ],
      kCGImagePropertyOrientation: 6, kCGImagePropertyDPIWidth: 72, kCGImagePropertyDPIHeight: 72,
    ]
  }

  @Test(arguments: types)
  func `every property comes back as it went in`(type: String) throws {
    let found = try properties(file(quarters(64, 48), type, all))
    for (name, expected) in [("{Exif}", exif), ("{GPS}", gps)] {
      let values = try #require(found[name] as? [String: Any])
      for (key, value) in expected {
        if let number = LooseNumber.double(value) {
          let back = try #require(LooseNumber.double(values[key]), "\(key)")
          #expect(abs(back - number) <= abs(number) * 2e-6, "\(key)")
        } else if let list = value as? [Double] {
          let back = try #require(values[key] as? [Double], "\(key)")
          #expect(zip(list, back).allSatisfy { abs($0 - $1) < 1e-5 } && list.count == back.count, "\(key)")
        } else if let list = value as? [Int] {
          #expect(values[key] as? [Int] == list, "\(key)")
        } else {
          #expect(values[key] as? String == value as? String, "\(key)")
        }
      }
    }
    let values = try #require(found["{Exif}"] as? [String: Any])
    #expect(values["PixelXDimension"] as? Int == 64 && values["PixelYDimension"] as? Int == 48)
    #expect(values["ColorSpace"] as? Int == 1)
    #expect(found["Orientation"] as? Int == 6)
    #expect(found["DPIWidth"] as? Double == 72)
  }

  @Test func `values of the wrong kind are left out`() throws {
    let wrong: CFDictionary = [
      kCGImagePropertyExifDictionary: [
        "ExposureTime": "fast", "ISOSpeedRatings": [70_000_000], "Flash": -1, "FNumber": Double.nan,
        "LensModel": 5, "ExifVersion": [20, 3], "Nonsense": 1,
      ] as [String: Any],
      kCGImagePropertyGPSDictionary: ["Latitude": -5.0, "TimeStamp": "25:00:00"] as [String: Any],
      kCGImagePropertyOrientation: 9,
    ]
    let found = try properties(file(quarters(16, 16), "public.jpeg", wrong))
    let exif = found["{Exif}"] as? [String: Any] ?? [:]
    for key in ["ExposureTime", "ISOSpeedRatings", "Flash", "FNumber", "LensModel", "Nonsense"] {
      #expect(exif[key] == nil, "\(key)")
    }
    #expect(found["Orientation"] == nil)
    #expect((found["{GPS}"] as? [String: Any])?["Latitude"] == nil)
  }

  @Test func `a picture without metadata gets none`() throws {
    let found = try properties(file(quarters(16, 16), "public.jpeg"))
    #expect(found["{Exif}"] == nil && found["{TIFF}"] == nil && found["{GPS}"] == nil)
    #expect(found[kCGImagePropertyPixelWidth] as? Int == 16)
    #expect(found[kCGImagePropertyColorModel] as? String == "RGB")
    #expect(found[kCGImagePropertyDepth] as? Int == 8)
  }

  @Test(.enabled(if: exiftoolPath != nil), arguments: types)
  func `exiftool reads the same`(type: String) throws {
    let path = try #require(exiftoolPath)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    var properties = all
    if type == "public.jpeg" { properties[kCGImageDestinationEmbedThumbnail] = true }
    try file(quarters(640, 480), type, properties).write(to: url)
    let found = try tags(path, url)
    #expect(found["Make"] as? String == "Maker")
    #expect(abs(number(found["ExposureTime"]) - 1.0 / 120) < 1e-9)
    #expect(number(found["FNumber"]) == 1.8)
    #expect(number(found["ISO"]) == 100)
    #expect(number(found["FocalLengthIn35mmFormat"]) == 26)
    #expect(number(found["Orientation"]) == 6)
    #expect(found["SubSecDateTimeOriginal"] as? String == "2026:03:04 05:06:07.123+09:00")
    #expect(abs(number(found["GPSLatitude"]) - 37.566535) < 1e-7)
    #expect(abs(number(found["GPSLongitude"]) - 126.9779692) < 1e-7)
    #expect(number(found["GPSAltitude"]) == 38.5)
    #expect(found["GPSDateTime"] as? String == "2026:03:03 20:06:07.25Z")
    #expect(found["LensModel"] as? String == "Wide 4.25 mm")
    #expect(found["UserComment"] as? String == "세 글자 comment")
    #expect(number(found["ExposureCompensation"]) == -0.5)
    if type == "public.heic" { #expect(number(found["Rotation"]) == 270) }
    if type == "public.jpeg" { #expect(number(found["ThumbnailLength"]) > 500) }
    #expect(found["Warning"] == nil, "\(found["Warning"] ?? "")")
    #expect(found["Error"] == nil)
  }

  private func number(_ value: Any?) -> Double { LooseNumber.double(value) ?? .nan }

  private func tags(_ path: String, _ url: URL) throws -> [String: Any] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-json", "-n", url.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let json = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try #require((JSONSerialization.jsonObject(with: json) as? [[String: Any]])?.first)
  }
}

/// The path of exiftool; `nil` when it is not installed.
private let exiftoolPath: String? = ["/usr/bin/exiftool", "/usr/local/bin/exiftool"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}
