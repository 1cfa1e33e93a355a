import CoreVideo
import Foundation
import FoundationExtras
import ImageIO
import StillCodecs
import Testing

@Suite("Auxiliary data of pictures", .serialized)
struct AuxiliaryDataTests {
  private static let formats: [(type: CFString, format: OSType)] = [
    (kCGImageAuxiliaryDataTypeDepth, kCVPixelFormatType_DepthFloat16),
    (kCGImageAuxiliaryDataTypeDepth, kCVPixelFormatType_DepthFloat32),
    (kCGImageAuxiliaryDataTypeDisparity, kCVPixelFormatType_DisparityFloat16),
    (kCGImageAuxiliaryDataTypeDisparity, kCVPixelFormatType_DisparityFloat32),
  ]
  private static let mattes: [CFString] = [
    kCGImageAuxiliaryDataTypePortraitEffectsMatte, kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte,
    kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte,
    kCGImageAuxiliaryDataTypeSemanticSegmentationTeethMatte,
    kCGImageAuxiliaryDataTypeSemanticSegmentationGlassesMatte,
    kCGImageAuxiliaryDataTypeSemanticSegmentationSkyMatte, kCGImageAuxiliaryDataTypeHDRGainMap,
  ]
  /// How many steps a number may be off.
  private static let steps: [String: Float] = ["public.heic": 0.51, "public.jpeg": 1.51]

  private func isHalf(_ format: OSType) -> Bool {
    format == kCVPixelFormatType_DepthFloat16 || format == kCVPixelFormatType_DisparityFloat16
  }

  private func bytes(_ values: [Float], _ format: OSType) -> Data {
    isHalf(format)
      ? values.map { Float16($0) }.withUnsafeBytes { Data($0) } : values.withUnsafeBytes { Data($0) }
  }

  private func values(_ data: Data, _ format: OSType) -> [Float] {
    data.withUnsafeBytes { bytes in
      isHalf(format)
        ? bytes.bindMemory(to: Float16.self).map { Float($0) } : Array(bytes.bindMemory(to: Float.self))
    }
  }

  private func info(
    _ data: Data, _ width: Int, _ height: Int, _ format: OSType, stride: Int? = nil,
    _ metadata: CGImageMetadata? = nil
  ) -> CFDictionary {
    var description: CFDictionary = [
      kCGImagePropertyWidth: width, kCGImagePropertyHeight: height, kCGImagePropertyPixelFormat: format,
    ]
    if let stride { description[kCGImagePropertyBytesPerRow] = stride }
    var info: CFDictionary = [
      kCGImageAuxiliaryDataInfoData: data, kCGImageAuxiliaryDataInfoDataDescription: description,
    ]
    info[kCGImageAuxiliaryDataInfoMetadata] = metadata
    return info
  }

  private func file(_ type: String, _ auxiliaries: [(CFString, CFDictionary)]) throws -> Data {
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, type as CFString, 1, nil))
    CGImageDestinationAddImage(destination, try quarters(96, 64), [kCGImagePropertyOrientation: 6])
    for (kind, info) in auxiliaries { CGImageDestinationAddAuxiliaryDataInfo(destination, kind, info) }
    #expect(CGImageDestinationFinalize(destination))
    return Data(referencing: data)
  }

  private func description(_ info: CFDictionary) throws -> CFDictionary {
    try #require(info[kCGImageAuxiliaryDataInfoDataDescription] as? [String: Any])
  }

  @Test(arguments: ["public.heic", "public.jpeg"], formats.indices)
  func `distances come back within their steps, in the numbers and the format they were written in`(
    type: String, index: Int
  ) throws {
    let (kind, format) = Self.formats[index]
    let (width, height) = (32, 24)
    let map = (0..<width * height).map { 0.3 + Float($0 % width) / 10 + Float($0 / width) / 100 }
    let metadata = CGImageMetadataCreateMutable()
    let namespace = "http://ns.apple.com/depthData/1.0/"
    #expect(CGImageMetadataRegisterNamespaceForPrefix(metadata, namespace, "depthData", nil))
    #expect(CGImageMetadataSetValueWithPath(metadata, nil, "depthData:Quality", "high"))
    let written = try file(type, [(kind, info(bytes(map, format), width, height, format, metadata))])
    let read = try #require(CGImageSourceCopyAuxiliaryDataInfoAtIndex(source(written), 0, kind))
    let found = try description(read)
    #expect(found[kCGImagePropertyWidth] as? Int == width)
    #expect(found[kCGImagePropertyHeight] as? Int == height)
    #expect(found[kCGImagePropertyBytesPerRow] as? Int == width * (isHalf(format) ? 2 : 4))
    #expect(found[kCGImagePropertyPixelFormat] as? Int == Int(format))
    let data = try #require(read[kCGImageAuxiliaryDataInfoData] as? Data)
    let step = (map[map.count - 1] - map[0]) / 255
    // A half float rounds before and after.
    let bound = step * (Self.steps[type] ?? 0) + (isHalf(format) ? 0.003 : 0.000_01)
    #expect(data.count == map.count * (isHalf(format) ? 2 : 4))
    #expect(zip(map, values(data, format)).allSatisfy { abs($0 - $1) <= bound })
    let tags = try #require(read[kCGImageAuxiliaryDataInfoMetadata] as? CGImageMetadata)
    #expect(CGImageMetadataCopyStringValueWithPath(tags, nil, "depthData:Quality") == "high")
    // No other kind is in the file, and the photo is what it was.
    for other in [kCGImageAuxiliaryDataTypeDepth, kCGImageAuxiliaryDataTypeDisparity] + Self.mattes
    where other != kind {
      #expect(try CGImageSourceCopyAuxiliaryDataInfoAtIndex(source(written), 0, other) == nil)
    }
    #expect(try CGImageSourceCopyAuxiliaryDataInfoAtIndex(source(written), 1, kind) == nil)
    #expect(try properties(written)[kCGImagePropertyOrientation] as? Int == 6)
  }

  @Test(arguments: ["public.heic", "public.jpeg"])
  func `all kinds of mattes stand beside each other and are told apart`(type: String) throws {
    let infos = Self.mattes.enumerated().map { index, kind in
      let bytes = Data((0..<20 * 10).map { UInt8(truncatingIfNeeded: $0 / 20 * 9 + index * 30) })
      return (kind, info(bytes, 20, 10, kCVPixelFormatType_OneComponent8))
    }
    let written = try file(type, infos)
    for (kind, info) in infos {
      let read = try #require(CGImageSourceCopyAuxiliaryDataInfoAtIndex(source(written), 0, kind))
      let data = try #require(read[kCGImageAuxiliaryDataInfoData] as? Data)
      let old = try #require(info[kCGImageAuxiliaryDataInfoData] as? Data)
      #expect(data.count == old.count)
      #expect(zip(data, old).allSatisfy { abs(Int($0) - Int($1)) <= (type == "public.heic" ? 0 : 1) })
      #expect(
        try description(read)[kCGImagePropertyPixelFormat] as? Int == Int(kCVPixelFormatType_OneComponent8))
    }
    #expect(
      try CGImageSourceCopyAuxiliaryDataInfoAtIndex(source(written), 0, kCGImageAuxiliaryDataTypeDepth) == nil
    )
  }

  @Test func `rows with padding are read without it, and holes are filled`() throws {
    let format = kCVPixelFormatType_DisparityFloat32
    let padded: [Float] = [1, .nan, 2, 99, 1, 1, 2, 99]
    let written = try file(
      "public.heic",
      [(kCGImageAuxiliaryDataTypeDisparity, info(bytes(padded, format), 3, 2, format, stride: 16))])
    let read = try #require(
      CGImageSourceCopyAuxiliaryDataInfoAtIndex(source(written), 0, kCGImageAuxiliaryDataTypeDisparity))
    let data = try #require(read[kCGImageAuxiliaryDataInfoData] as? Data)
    // Beside a near thing lies what is behind it.
    #expect(values(data, format) == [1, 1, 2, 1, 1, 2])
  }

  @Test func `a map of nothing is left out`() throws {
    let format = kCVPixelFormatType_DepthFloat32
    let nothing = bytes([.nan, .nan], format)
    let written = try file(
      "public.jpeg", [(kCGImageAuxiliaryDataTypeDepth, info(nothing, 2, 1, format))])
    #expect(
      try CGImageSourceCopyAuxiliaryDataInfoAtIndex(source(written), 0, kCGImageAuxiliaryDataTypeDepth) == nil
    )
    #expect(try corners(#require(CGImageSourceCreateImageAtIndex(source(written), 0, nil))) == "RGBW")
  }

  @Test func `data that do not fit their description are a reported mistake`() throws {
    let destination = try #require(
      CGImageDestinationCreateWithData(NSMutableData(), "public.heic" as CFString, 1, nil))
    let depth = kCGImageAuxiliaryDataTypeDepth
    let good = bytes([1, 2, 3, 4], kCVPixelFormatType_DepthFloat32)
    let bad: [(CFString, CFDictionary)] = [
      (depth, info(good, 3, 2, kCVPixelFormatType_DepthFloat32)),
      (depth, info(good, 2, 2, kCVPixelFormatType_DepthFloat32, stride: 4)),
      (depth, info(good, 0, 2, kCVPixelFormatType_DepthFloat32)),
      (depth, info(good, 2, 2, kCVPixelFormatType_DisparityFloat32)),
      (depth, info(good, 2, 2, kCVPixelFormatType_OneComponent8)),
      (kCGImageAuxiliaryDataTypePortraitEffectsMatte, info(good, 2, 2, kCVPixelFormatType_DepthFloat32)),
      (depth, [:]), ("Depth" as CFString, info(good, 2, 2, kCVPixelFormatType_DepthFloat32)),
    ]
    for (kind, info) in bad {
      let mistakes = ProgrammingMistake.collect {
        CGImageDestinationAddAuxiliaryDataInfo(destination, kind, info)
      }
      #expect(mistakes.count == 1)
    }
  }

  @Test func `a PNG cannot hold any, and nothing is written`() throws {
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, "public.png" as CFString, 1, nil))
    CGImageDestinationAddImage(destination, try quarters(8, 8), nil)
    let format = kCVPixelFormatType_DepthFloat32
    CGImageDestinationAddAuxiliaryDataInfo(
      destination, NSString(string: kCGImageAuxiliaryDataTypeDepth),
      info(bytes([1, 2], format), 2, 1, format))
    #expect(!CGImageDestinationFinalize(destination) && data.length == 0)
  }

  @Test func `files whose codes are not all used, or that say nothing of their numbers`() throws {
    let gray = try CVPixelBuffer(format: kCVPixelFormatType_OneComponent8, width: 3, height: 1)
    gray.planes[0].row(0).copyBytes(from: [10, 60, 110])
    func read(_ properties: [(String, String)]) throws -> CFDictionary? {
      let document = XMPDocument(
        properties.map { name, text in
          XMPProperty(
            namespace: "http://ns.apple.com/pixeldatainfo/1.0/", prefix: "x", name: name, value: .text(text))
        })
      let picture = AuxiliaryPicture(name: AuxiliaryPicture.depth, picture: gray, xmp: document.data)
      return CGImageSourceCopyAuxiliaryDataInfoAtIndex(
        try source(AuxiliaryPictures.add([picture], to: file("public.heic", []))), 0,
        kCGImageAuxiliaryDataTypeDisparity)
    }
    let all = [
      ("AuxiliaryImageType", "disparity"), ("IntMinValue", "10"), ("IntMaxValue", "110"),
      ("FloatMinValue", "0.5"), ("FloatMaxValue", "2.5"), ("NativeFormat", "1717856627"),
    ]
    let info = try #require(try read(all))
    let data = try #require(info[kCGImageAuxiliaryDataInfoData] as? Data)
    for (value, expected) in zip(values(data, kCVPixelFormatType_DisparityFloat32), [Float(0.5), 1.5, 2.5]) {
      #expect(abs(value - expected) < 0.000_01)
    }
    #expect(try read(all.filter { $0.0 != "FloatMinValue" }) == nil)
    #expect(try read(all.map { $0.0 == "FloatMaxValue" ? ($0.0, "nan") : $0 }) == nil)
    #expect(try read(all.map { $0.0 == "IntMaxValue" ? ($0.0, "10") : $0 }) == nil)
    #expect(try read([]) == nil)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/exiftool")),
    arguments: [
      "public.heic", "public.jpeg",
    ])
  func `exiftool reads what the map's numbers mean`(type: String) throws {
    let format = kCVPixelFormatType_DisparityFloat16
    let map = (0..<12).map { 0.5 + Float($0) / 8 }
    let written = try file(
      type, [(kCGImageAuxiliaryDataTypeDisparity, info(bytes(map, format), 4, 3, format))])
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("depth-\(UUID()).img")
    try written.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/exiftool")
    process.arguments = ["-ee", "-n", "-s", "-XMP:all", "-MPF:all", "-Warning", url.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    func value(_ name: String) -> String? {
      text.split(separator: "\n").first { $0.hasPrefix(name + " ") }?.split(separator: ":").last.map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    #expect(value("AuxiliaryImageType") == "disparity")
    #expect(value("NativeFormat") == "\(format)")
    #expect(value("FloatMinValue") == "0.5" && value("FloatMaxValue") == "1.875")
    #expect(value("Warning") == nil)
    if type == "public.jpeg" { #expect(value("NumberOfImages") == "2") }
  }
}
