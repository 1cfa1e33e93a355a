import CameraFrames
import AVFoundation
import CaptureDevice
import CoreVideo
import Foundation
import ImageIO
import Linux
import PhotoProcessing
import Testing

@Suite("PhotoMetadataBuilder")
struct PhotoMetadataTests {
  private final class Token: Sendable {}

  private static let lens = LensFacts(
    focalLength: 5.96, focalLengthIn35mmFilm: 26, aperture: 1.6, fieldOfView: 69,
    model: "Test lens 5.96mm f/1.6")

  private func frame(nanoseconds: Int64 = 3_725_678_000_000, inFlight: (any AnyObject & Sendable)? = Token())
    throws -> CapturedFrame
  {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, nil, &buffer)
    return CapturedFrame(
      picture: .pixels(try #require(buffer)), timestamp: MonotonicInstant(nanoseconds: nanoseconds),
      sequence: 41,
      conditions: FrameConditions(exposure: FrameExposure(durationNanoseconds: 10_000_000, iso: 200)),
      inFlight: inFlight)
  }

  private func request(_ metadata: [String: Any] = [:]) -> PhotoProcessingRequest {
    PhotoProcessingRequest(
      uniqueID: 1, encoding: .jpeg(quality: 0.9), orientation: .right,
      camera: PhotoCamera(make: "Maker", model: "Model 1", lenses: CameraLenses(Self.lens)),
      clientMetadata: PhotoMetadata(metadata))
  }

  private func metadata(_ client: [String: Any] = [:]) throws -> [String: Any] {
    try PhotoMetadataBuilder.metadata(
      for: PhotoFrameFacts(frame()), size: FrameSize(width: 64, height: 48), isWideColor: false,
      request: request(client)
    ).properties
  }

  @Test func `exposure, lens and size are written down`() throws {
    let exif = try #require(metadata()[kCGImagePropertyExifDictionary as String] as? [String: Any])
    #expect(exif[kCGImagePropertyExifExposureTime as String] as? Double == 0.01)
    #expect(exif[kCGImagePropertyExifISOSpeedRatings as String] as? [Int] == [200])
    #expect(exif[kCGImagePropertyExifFNumber as String] as? Double == 1.6)
    #expect(exif[kCGImagePropertyExifFocalLength as String] as? Double == 5.96)
    #expect(exif[kCGImagePropertyExifFocalLenIn35mmFilm as String] as? Int == 26)
    #expect(exif[kCGImagePropertyExifLensModel as String] as? String == "Test lens 5.96mm f/1.6")
    #expect(exif[kCGImagePropertyExifPixelXDimension as String] as? Int == 64)
    #expect(exif[kCGImagePropertyExifPixelYDimension as String] as? Int == 48)
    #expect(exif[kCGImagePropertyExifColorSpace as String] as? Int == 1)
  }

  @Test func `a photo of a virtual camera names the lens that took it, and enlarges that one's view`() throws
  {
    var request = request()
    let tele = LensFacts(
      focalLength: 9, focalLengthIn35mmFilm: 52, aperture: 2.8, fieldOfView: 38, model: "Tele 9mm f/2.8")
    request.camera.lenses.constituents = ["tele": CameraLenses.Constituent(lens: tele, zoom: 2)]
    var frame = try frame()
    var state = frame.conditions.state
    (state.zoom, state.constituent) = (3, "tele")
    frame.conditions = FrameConditions(state)
    let properties = PhotoMetadataBuilder.metadata(
      for: PhotoFrameFacts(frame), size: FrameSize(width: 64, height: 48), isWideColor: false,
      request: request
    ).properties
    let exif = try #require(properties[kCGImagePropertyExifDictionary as String] as? [String: Any])
    #expect(exif[kCGImagePropertyExifLensModel as String] as? String == "Tele 9mm f/2.8")
    #expect(exif[kCGImagePropertyExifFNumber as String] as? Double == 2.8)
    #expect(exif[kCGImagePropertyExifDigitalZoomRatio as String] as? Double == 1.5)
    #expect(exif[kCGImagePropertyExifFocalLenIn35mmFilm as String] as? Int == 78)
  }

  @Test func `make, model, software and orientation are written down`() throws {
    let properties = try metadata()
    let tiff = try #require(properties[kCGImagePropertyTIFFDictionary as String] as? [String: Any])
    #expect(tiff[kCGImagePropertyTIFFMake as String] as? String == "Maker")
    #expect(tiff[kCGImagePropertyTIFFModel as String] as? String == "Model 1")
    #expect((tiff[kCGImagePropertyTIFFSoftware as String] as? String)?.hasPrefix("Obscura ") == true)
    #expect(tiff[kCGImagePropertyTIFFOrientation as String] as? Int == 6)
    #expect(properties[kCGImagePropertyOrientation as String] as? Int == 6)
    #expect(properties[FrameAttachments.sequenceNumber] as? UInt32 == 41)
  }

  @Test func `a device that reports nothing leaves its tags out`() throws {
    var frame = try frame()
    frame.conditions = .unknown
    var request = request()
    request.camera = PhotoCamera(make: "", model: "Webcam")
    let properties = PhotoMetadataBuilder.metadata(
      for: PhotoFrameFacts(frame), size: FrameSize(width: 64, height: 48), isWideColor: true, request: request
    ).properties
    let exif = try #require(properties[kCGImagePropertyExifDictionary as String] as? [String: Any])
    #expect(exif[kCGImagePropertyExifExposureTime as String] == nil)
    #expect(exif[kCGImagePropertyExifISOSpeedRatings as String] == nil)
    #expect(exif[kCGImagePropertyExifFNumber as String] == nil)
    #expect(exif[kCGImagePropertyExifColorSpace as String] as? Int == 65535)
    let tiff = try #require(properties[kCGImagePropertyTIFFDictionary as String] as? [String: Any])
    #expect(tiff[kCGImagePropertyTIFFMake as String] == nil)
  }

  @Test func `the client's properties are added, and win over the camera's`() throws {
    let properties = try metadata([
      "{GPS}": ["Latitude": 59.3], "{TIFF}": ["Artist": "Vermeer", "Make": "Delft"],
    ])
    #expect((properties["{GPS}"] as? [String: Any])?["Latitude"] as? Double == 59.3)
    let tiff = try #require(properties["{TIFF}"] as? [String: Any])
    #expect(tiff["Artist"] as? String == "Vermeer")
    #expect(tiff["Make"] as? String == "Delft")
    #expect(tiff["Model"] as? String == "Model 1")
  }

  @Test func `a frame of a manual clock is dated from 2001, Greenwich`() throws {
    let date = CaptureDate(of: PhotoFrameFacts(try frame()))
    #expect(date.text == "2001:01:01 01:02:05")
    #expect(date.subsecondText == "678")
    #expect(date.offsetText == "+00:00")
  }

  @Test func `a frame of the real clock is dated by its own stamp, not by now`() throws {
    let past = MonotonicInstant.now.nanoseconds - 5_000_000_000
    let date = CaptureDate(of: PhotoFrameFacts(try frame(nanoseconds: past, inFlight: nil)))
    #expect(abs(date.date.timeIntervalSinceNow + 5) < 1)
  }

  @Test(arguments: [("Asia/Seoul", "+09:00"), ("America/St_Johns", "-03:30"), ("UTC", "+00:00")])
  func `the offset is the zone's`(zone: String, offset: String) throws {
    let date = CaptureDate(
      date: Date(timeIntervalSince1970: 1_700_000_000), timeZone: try #require(TimeZone(identifier: zone)))
    #expect(date.offsetText == offset)
  }
}
