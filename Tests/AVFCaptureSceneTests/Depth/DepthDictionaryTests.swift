import AVFoundation
import CaptureDevice
import DepthMaps
import FoundationExtras
import ImageIO
import StillCodecs
import Testing
import simd

@Suite("AVDepthData in picture files", .serialized) struct DepthDictionaryTests {
  private static let lens = LensFacts(
    focalLength: 4, focalLengthIn35mmFilm: 26, aperture: 1.8, fieldOfView: 70, model: "", bending: 0.1)

  private func depth(
    _ values: [Float] = [0.5, 1, 2, 4, 8, 0.25], _ format: OSType = kCVPixelFormatType_DepthFloat32,
    isFiltered: Bool = true, calibration: AVCameraCalibrationData? = nil
  ) throws -> AVDepthData {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, 3, 2, format, nil, &buffer)
    let map = try #require(buffer)
    try DepthMap(width: 3, height: 2, quantity: .depth, values: values).write(to: map)
    return AVDepthData(map: map, isFiltered: isFiltered, calibration: calibration)
  }

  private func camera(_ turns: Int = 0) -> AVCameraCalibrationData {
    AVCameraCalibrationData(
      lens: Self.lens, enlargement: 1.5, isCorrected: false, size: FrameSize(width: 640, height: 480)
    ).turned(by: 90 * turns, isMirrored: turns == 3)
  }

  private func bytes(_ depth: AVDepthData) -> Data {
    let row = depth.depthDataMap.width * (DepthFormat(depth.depthDataType)?.isHalf == true ? 2 : 4)
    return withExtendedLifetime(depth) {
      (0..<depth.depthDataMap.height).reduce(into: Data()) {
        $0.append(contentsOf: depth.depthDataMap.planes[0].row($1).prefix(row))
      }
    }
  }

  private func expect(_ a: AVCameraCalibrationData, equals b: AVCameraCalibrationData) {
    #expect(a.intrinsicMatrix == b.intrinsicMatrix && a.extrinsicMatrix == b.extrinsicMatrix)
    #expect(a.intrinsicMatrixReferenceDimensions == b.intrinsicMatrixReferenceDimensions)
    #expect(a.pixelSize == b.pixelSize)
    #expect(abs(a.lensDistortionCenter.x - b.lensDistortionCenter.x) < 0.001)
    #expect(abs(a.lensDistortionCenter.y - b.lensDistortionCenter.y) < 0.001)
    #expect(a.lensDistortionLookupTable == b.lensDistortionLookupTable)
    #expect(a.inverseLensDistortionLookupTable == b.inverseLensDistortionLookupTable)
  }

  @Test(arguments: DepthFormat.pixelFormats, 0..<4)
  func `a dictionary holds the map, its camera and what is known of both`(format: OSType, turns: Int) throws {
    let depth = try depth(format, calibration: camera(turns))
    var type: NSString?
    let dictionary = try #require(depth.dictionaryRepresentation(forAuxiliaryDataType: &type))
    let isDepth = DepthFormat(format)?.quantity == .depth
    #expect(
      type == NSString(string: isDepth ? kCGImageAuxiliaryDataTypeDepth : kCGImageAuxiliaryDataTypeDisparity))
    let back = try AVDepthData(fromDictionaryRepresentation: dictionary)
    #expect(back.depthDataType == format && bytes(back) == bytes(depth))
    #expect(back.isDepthDataFiltered && back.depthDataAccuracy == .absolute && back.depthDataQuality == .high)
    expect(try #require(back.cameraCalibrationData), equals: camera(turns))
  }

  private func depth(_ format: OSType, calibration: AVCameraCalibrationData?) throws -> AVDepthData {
    try depth([0.5, 1, 2, 4, 8, 0.25], format, calibration: calibration)
  }

  @Test(arguments: ["public.heic", "public.jpeg"])
  func `a picture file holds it within its steps`(type: String) throws {
    let original = try depth().converting(toDepthDataType: kCVPixelFormatType_DisparityFloat16)
    var kind: NSString?
    let info = try #require(original.dictionaryRepresentation(forAuxiliaryDataType: &kind))
    var pixels: CVPixelBuffer?
    CVPixelBufferCreate(nil, 64, 64, kCVPixelFormatType_32BGRA, nil, &pixels)
    let image = try CGImage.make(of: #require(pixels))
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, type as CFString, 1, nil))
    CGImageDestinationAddImage(destination, image, nil)
    CGImageDestinationAddAuxiliaryDataInfo(destination, try #require(kind), info as CFDictionary)
    #expect(CGImageDestinationFinalize(destination))
    let source = try #require(CGImageSourceCreateWithData(Data(referencing: data) as CFData, nil))
    let found = try #require(
      CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, kCGImageAuxiliaryDataTypeDisparity))
    let back = try AVDepthData(fromDictionaryRepresentation: found)
    #expect(back.depthDataType == kCVPixelFormatType_DisparityFloat16 && back.isDepthDataFiltered)
    #expect(back.depthDataAccuracy == .absolute && back.cameraCalibrationData == nil)
    let (numbers, expected) = (try values(back), try values(original))
    let step = ((expected.max() ?? 0) - (expected.min() ?? 0)) / 255
    #expect(zip(numbers, expected).allSatisfy { abs($0 - $1) < step * (type == "public.heic" ? 0.6 : 1.6) })
  }

  private func values(_ depth: AVDepthData) throws -> [Float] {
    var map = DepthMap()
    try map.read(depth.depthDataMap)
    return map.values
  }

  @Test func `an unfiltered map keeps its holes in a dictionary, and has none in a file`() throws {
    let holes = try depth([1, .nan, 2, 1, 1, 1], isFiltered: false)
    let dictionary = try #require(holes.dictionaryRepresentation(forAuxiliaryDataType: nil))
    let back = try AVDepthData(fromDictionaryRepresentation: dictionary)
    #expect(!back.isDepthDataFiltered)
    #expect(try values(back)[1].isNaN)
    var pixels: CVPixelBuffer?
    CVPixelBufferCreate(nil, 64, 64, kCVPixelFormatType_32BGRA, nil, &pixels)
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, "public.heic" as CFString, 1, nil))
    CGImageDestinationAddImage(destination, try CGImage.make(of: #require(pixels)), nil)
    CGImageDestinationAddAuxiliaryDataInfo(destination, kCGImageAuxiliaryDataTypeDepth, dictionary)
    #expect(CGImageDestinationFinalize(destination))
    let source = try #require(CGImageSourceCreateWithData(Data(referencing: data) as CFData, nil))
    let found = try #require(
      CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, kCGImageAuxiliaryDataTypeDepth))
    let filled = try AVDepthData(fromDictionaryRepresentation: found)
    #expect(filled.isDepthDataFiltered)
    #expect(try values(filled) == [1, 2, 2, 1, 1, 1])
  }

  @Test func `what the metadata do not say is not claimed`() throws {
    let values: [Float] = [1, 2, 3, .nan, .nan, .nan]
    let dictionary: [AnyHashable: Any] = [
      kCGImageAuxiliaryDataInfoData: values.withUnsafeBytes { Data($0) },
      kCGImageAuxiliaryDataInfoDataDescription: [
        kCGImagePropertyWidth: 3, kCGImagePropertyHeight: 2,
        kCGImagePropertyPixelFormat: kCVPixelFormatType_DepthFloat32,
      ] as [AnyHashable: Any],
    ]
    let depth = try AVDepthData(fromDictionaryRepresentation: dictionary)
    #expect(!depth.isDepthDataFiltered && depth.depthDataAccuracy == .relative)
    #expect(depth.depthDataQuality == .low && depth.cameraCalibrationData == nil)
  }

  @Test func `a dictionary that is none is refused with a reason`() throws {
    let good = try #require(depth().dictionaryRepresentation(forAuxiliaryDataType: nil))
    let description = try #require(good[kCGImageAuxiliaryDataInfoDataDescription] as? [String: Any])
    func changed(_ key: String, _ value: Any?) -> [String: Any] {
      var dictionary = good
      var own = description
      own[key] = value
      dictionary[kCGImageAuxiliaryDataInfoDataDescription] = own
      return dictionary
    }
    var short = good
    short[kCGImageAuxiliaryDataInfoData] = Data(count: 20)
    let bad: [[String: Any]] = [
      [:], short, changed(kCGImagePropertyWidth, nil), changed(kCGImagePropertyHeight, 0),
      changed(kCGImagePropertyHeight, 3), changed(kCGImagePropertyBytesPerRow, 4),
      changed(kCGImagePropertyPixelFormat, kCVPixelFormatType_32BGRA),
    ]
    for dictionary in bad {
      #expect(throws: AVError.self) { try AVDepthData(fromDictionaryRepresentation: dictionary) }
    }
  }

  @Test func `a matrix of rows is read as one of columns`() throws {
    let metadata = CGImageMetadataCreateMutable()
    let namespace = "http://ns.apple.com/depthData/1.0/"
    #expect(CGImageMetadataRegisterNamespaceForPrefix(metadata, namespace, "d", nil))
    let values: [String: Any] = [
      "d:IntrinsicMatrix": [500, 0, 320, 0, 510, 240, 0, 0, 1], "d:IntrinsicMatrixReferenceWidth": 640,
      "d:IntrinsicMatrixReferenceHeight": 480,
    ]
    for (path, value) in values { #expect(CGImageMetadataSetValueWithPath(metadata, nil, path, value)) }
    var dictionary = try #require(depth().dictionaryRepresentation(forAuxiliaryDataType: nil))
    dictionary[kCGImageAuxiliaryDataInfoMetadata] = metadata
    let camera = try #require(try AVDepthData(fromDictionaryRepresentation: dictionary).cameraCalibrationData)
    #expect(camera.intrinsicMatrix.columns.2 == simd_float3(320, 240, 1))
    #expect(camera.intrinsicMatrix.columns.1.y == 510)
    #expect(camera.lensDistortionCenter == CGPoint(x: 320, y: 240))
    #expect(camera.lensDistortionLookupTable == nil && camera.inverseLensDistortionLookupTable == nil)
  }

  @Test func `a camera turned twice is turned by both`() {
    expect(
      camera().turned(by: 90, isMirrored: false).turned(by: 90, isMirrored: false),
      equals: camera().turned(by: 180, isMirrored: false))
  }
}
