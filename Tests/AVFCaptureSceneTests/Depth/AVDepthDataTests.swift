import AVFoundation
import CaptureDevice
import CaptureStage
import DepthMaps
import FoundationExtras
import ImageCore
import ImageIO
import Testing

@Suite("AVDepthData") struct DepthDataTests {
  private static let metres: [Float] = [0.5, 1, 2, 4, .nan, 0.25]

  private func data(
    _ values: [Float] = metres, width: Int = 3, _ format: OSType = kCVPixelFormatType_DepthFloat32,
    isFiltered: Bool = false, calibration: AVCameraCalibrationData? = nil
  ) throws -> AVDepthData {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, values.count / width, format, nil, &buffer)
    let map = try #require(buffer)
    try DepthMap(width: width, height: values.count / width, quantity: .depth, values: values).write(to: map)
    return AVDepthData(map: map, isFiltered: isFiltered, calibration: calibration)
  }

  private static let lens = LensFacts(
    focalLength: 4, focalLengthIn35mmFilm: 26, aperture: 1.8, fieldOfView: 70, model: "", bending: 0.1)

  @Test(arguments: DepthFormat.pixelFormats, DepthFormat.pixelFormats)
  func `converts from every type to every type`(from: OSType, to: OSType) throws {
    let depth = try data(format(from))
    #expect(depth.availableDepthDataTypes.contains(to))
    let converted = depth.converting(toDepthDataType: to)
    #expect(converted.depthDataType == to)
    let map = try converted.numbers
    for (index, metres) in Self.metres.enumerated() {
      let value = map.metres(x: index % 3, y: index / 3)
      #expect(value == metres || value.isNaN && metres.isNaN)
    }
    #expect(from != to || converted === depth)
  }

  private func data(_ format: OSType) throws -> AVDepthData { try data(Self.metres, format) }
  private func format(_ type: OSType) -> OSType { type }

  @Test(arguments: DepthFormat.pixelFormats)
  func `an image shows the map's own numbers as grays, which a filter brings into sight`(format: OSType)
    throws
  {
    let depth = try data().converting(toDepthDataType: format)
    let image = try #require(CIImage(depthData: depth))
    #expect(image.extent == CGRect(x: 0, y: 0, width: 3, height: 2))
    // Metres or 1/metres through a quarter of them, so that four are white.
    let quarter = CIFilter.colorMatrix()
    quarter.inputImage = image
    quarter.rVector = CIVector(x: 0.25, y: 0, z: 0, w: 0)
    quarter.gVector = CIVector(x: 0, y: 0.25, z: 0, w: 0)
    quarter.bVector = CIVector(x: 0, y: 0, z: 0.25, w: 0)
    var pixels = [Float](repeating: -1, count: 4 * 6)
    CIContext(options: [.workingColorSpace: NSNull()]).render(
      try #require(quarter.outputImage), toBitmap: &pixels, rowBytes: 48, bounds: image.extent,
      format: .RGBAf,
      colorSpace: nil)
    let isDisparity = [kCVPixelFormatType_DisparityFloat16, kCVPixelFormatType_DisparityFloat32].contains(
      format)
    for (index, metres) in Self.metres.enumerated() {
      let number = metres.isNaN ? 0 : isDisparity ? 1 / metres : metres
      #expect((0..<3).allSatisfy { pixels[4 * index + $0] == number / 4 }, "place \(index)")
      #expect(pixels[4 * index + 3] == 1)
    }
  }

  @Test func `refuses to become a picture, and stays as it is`() throws {
    let depth = try data()
    var result: AVDepthData?
    let mistakes = ProgrammingMistake.collect {
      result = depth.converting(toDepthDataType: kCVPixelFormatType_32BGRA)
    }
    #expect(mistakes.count == 1)
    #expect(result === depth)
  }

  @Test(arguments: OrientationTable.changes)
  func `is turned as a viewer turns a picture of that orientation`(change: OrientationTable.Change) throws {
    let calibration = AVCameraCalibrationData(
      lens: Self.lens, enlargement: 1, isCorrected: false, size: FrameSize(width: 3, height: 2))
    let depth = try data(calibration: calibration)
    let turned = depth.applyingExifOrientation(change.exif)
    let map = try turned.numbers
    #expect(map.width == (change.isTransposing ? 2 : 3))
    // Each stored place goes where the change's matrix takes its middle.
    for (index, metres) in Self.metres.enumerated() {
      let (column, row) = (Double(index % 3) + 0.5, Double(index / 3) + 0.5)
      let place = CGPoint(x: column / 3, y: row / 2).applying(change.unit)
      let (x, y) = (Double(place.x) * Double(map.width), Double(place.y) * Double(map.height))
      let value = map.metres(x: Int(x), y: Int(y))
      #expect(value == metres || value.isNaN && metres.isNaN, "\(change.exif) at \(index)")
    }
    let camera = try #require(turned.cameraCalibrationData)
    let size = change.applied(to: CGSize(width: 3, height: 2))
    #expect(camera.intrinsicMatrixReferenceDimensions == size)
    // A ray of the camera's own goes to the same place by the turned camera.
    let ray = simd_float3(0.3, -0.2, 1)
    let own = calibration.intrinsicMatrix * ray
    let turnedRay = camera.extrinsicMatrix * simd_float4(ray.x, ray.y, ray.z, 1)
    let place = camera.intrinsicMatrix * turnedRay
    let (ownX, ownY) = (Double(own.x) / 3, Double(own.y) / 2)
    let expected = CGPoint(x: ownX, y: ownY).applying(change.unit)
    let errorX: Double = Double(place.x) - Double(expected.x) * Double(size.width)
    let errorY: Double = Double(place.y) - Double(expected.y) * Double(size.height)
    #expect(abs(errorX) < 1e-4 && abs(errorY) < 1e-4)
  }

  @Test func `is good when three quarters were measured`() throws {
    #expect(try data([1, 1, 1, .nan], width: 4).depthDataQuality == .high)
    #expect(try data([1, 1, .nan, .nan], width: 4).depthDataQuality == .low)
    #expect(try data().depthDataAccuracy == .absolute)
    #expect(
      try data([1, 1, .nan, .nan], width: 4).converting(toDepthDataType: kCVPixelFormatType_DisparityFloat16)
        .depthDataQuality == .low)
  }

  @Test func `takes a map that the client has made, of any size, and no picture`() throws {
    let depth = try data(isFiltered: true)
    let other = try data([7, 8], width: 2, kCVPixelFormatType_DisparityFloat16)
    let replaced = try depth.replacingDepthDataMap(with: other.depthDataMap)
    #expect(replaced.depthDataMap === other.depthDataMap)
    #expect(replaced.isDepthDataFiltered)
    #expect(replaced.depthDataType == kCVPixelFormatType_DisparityFloat16)
    #expect(replaced.cameraCalibrationData == nil)
    var picture: CVPixelBuffer?
    CVPixelBufferCreate(nil, 2, 2, kCVPixelFormatType_32BGRA, nil, &picture)
    let buffer = try #require(picture)
    #expect(throws: AVError.self) { try depth.replacingDepthDataMap(with: buffer) }
  }
}

@Suite("Registering a map to another camera") struct RegisteredDepthTests {
  private let camera = AVCameraCalibrationData(
    lens: LensFacts(
      focalLength: 4, focalLengthIn35mmFilm: 26, aperture: 1.8, fieldOfView: 70, model: "", bending: 0.1),
    enlargement: 1, isCorrected: false, size: FrameSize(width: 80, height: 60))

  private func depth(calibration: AVCameraCalibrationData?) throws -> AVDepthData {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, 40, 30, kCVPixelFormatType_DisparityFloat32, nil, &buffer)
    let map = try #require(buffer)
    // A slope, so that each place is another.
    let metres = (0..<30).flatMap { row -> [Float] in
      (0..<40).map { column -> Float in 1 + Float(column) * 0.01 + Float(row) * 0.03 }
    }
    try DepthMap(width: 40, height: 30, quantity: .depth, values: metres).write(to: map)
    return AVDepthData(map: map, isFiltered: true, calibration: calibration)
  }

  @Test func `a camera that lies on its side sees the map turned`() throws {
    let depth = try depth(calibration: camera)
    let side = camera.turned(by: 90, isMirrored: false)
    let registered = try #require(depth.registered(to: side, width: 30, height: 40))
    #expect(registered.depthDataType == kCVPixelFormatType_DisparityFloat32 && registered.isDepthDataFiltered)
    #expect(registered.cameraCalibrationData === side)
    let turned = try depth.applyingExifOrientation(.right).numbers
    let map = try registered.numbers
    #expect(map.width == 30 && map.height == 40)
    for y in 1..<39 {
      for x in 1..<29 { #expect(abs(map.metres(x: x, y: y) - turned.metres(x: x, y: y)) < 0.032) }
    }
  }

  @Test func `a map of an unknown camera cannot be registered, nor one to a picture without a size`() throws {
    #expect(try depth(calibration: nil).registered(to: camera, width: 40, height: 30) == nil)
    #expect(try depth(calibration: camera).registered(to: camera, width: 0, height: 30) == nil)
  }
}

@Suite("AVCameraCalibrationData") struct CameraCalibrationTests {
  private let lens = LensFacts(
    focalLength: 4, focalLengthIn35mmFilm: 26, aperture: 1.8, fieldOfView: 90, model: "", bending: 0.1)
  private let size = FrameSize(width: 400, height: 300)

  private func floats(_ data: Data?) throws -> [Float] {
    try #require(data).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  @Test func `says where rays go, and how large a pixel is`() {
    let camera = AVCameraCalibrationData(lens: lens, enlargement: 2, isCorrected: true, size: size)
    // A view of 90 degrees spans two focal lengths; zoom doubles what that is in pixels.
    #expect(abs(camera.intrinsicMatrix.columns.0.x - 400) < 1e-3)
    #expect(camera.intrinsicMatrix.columns.2 == simd_float3(200, 150, 1))
    #expect(camera.intrinsicMatrixReferenceDimensions == CGSize(width: 400, height: 300))
    #expect(abs(camera.pixelSize - 0.01) < 1e-6)
    #expect(camera.lensDistortionCenter == CGPoint(x: 200, y: 150))
    let upright = matrix_float4x3(
      simd_float3(1, 0, 0), simd_float3(0, 1, 0), simd_float3(0, 0, 1), simd_float3.zero)
    #expect(camera.extrinsicMatrix == upright)
  }

  @Test func `shows a corrected lens's lines straight`() throws {
    let camera = AVCameraCalibrationData(lens: lens, enlargement: 1, isCorrected: true, size: size)
    #expect(try floats(camera.lensDistortionLookupTable).allSatisfy { $0 == 0 })
    #expect(try floats(camera.inverseLensDistortionLookupTable).allSatisfy { $0 == 0 })
  }

  @Test func `takes bending back by its table, and puts it on again by the other`() throws {
    let camera = AVCameraCalibrationData(lens: lens, enlargement: 1, isCorrected: false, size: size)
    let straightening = try floats(camera.lensDistortionLookupTable)
    let bending = try floats(camera.inverseLensDistortionLookupTable)
    #expect(straightening.count == bending.count && straightening.first == 0)
    // The corner is five quarters of half the width from the middle.
    #expect(abs((straightening.last ?? 0) - 0.1 * 1.25 * 1.25) < 1e-5)
    for (index, growth) in straightening.enumerated() {
      let radius = Double(index) / Double(straightening.count - 1)
      let straight = radius * (1 + Double(growth))
      let place = straight * Double(bending.count - 1)
      guard Int(place) + 1 < bending.count else { continue }
      let part = place - place.rounded(.down)
      let shrinking = Double(bending[Int(place)]) * (1 - part) + Double(bending[Int(place) + 1]) * part
      #expect(abs(straight * (1 + shrinking) - radius) < 2e-4)
    }
  }

  @Test func `shows less bending when zoomed in`() throws {
    let wide = AVCameraCalibrationData(lens: lens, enlargement: 1, isCorrected: false, size: size)
    let near = AVCameraCalibrationData(lens: lens, enlargement: 2, isCorrected: false, size: size)
    let (far, close) = (
      try floats(wide.lensDistortionLookupTable).last ?? 0,
      try floats(near.lensDistortionLookupTable).last ?? 0
    )
    #expect(abs(close - far / 4) < 1e-6)
  }
}
