import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import MovieTools
import Testing
import VideoToolbox

@Suite("VTCompressionSession: properties of pictures")
struct PicturePropertyTests {
  private func format(_ properties: [String: Any], codec: CMVideoCodecType = kCMVideoCodecType_H264) throws
    -> CMFormatDescription
  {
    let session = try CodingStage.session(properties, codec: codec)
    return try #require(try CodingStage.encode(0..<2, with: session).first?.formatDescription)
  }

  private func shape(_ format: CMFormatDescription) -> Double {
    let shown = CMVideoFormatDescriptionGetPresentationDimensions(
      format, usePixelAspectRatio: true, useCleanAperture: false)
    return Double(shown.width / shown.height)
  }

  /// The units of a sample, without their lengths.
  private func units(_ sample: CMSampleBuffer) throws -> [[UInt8]] {
    var bytes = [UInt8](try #require(sample.dataBuffer).dataBytes())[...]
    var units: [[UInt8]] = []
    while bytes.count >= 4 {
      let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      units.append(Array(bytes.dropFirst(4).prefix(length)))
      bytes = bytes.dropFirst(4 + length)
    }
    return units
  }

  @Test("A picture's aperture, depth and colour profile are in the format description")
  func description() throws {
    let profile = Data([1, 2, 3, 4])
    for codec in [kCMVideoCodecType_H264, kCMVideoCodecType_JPEG] {
      let format = try format(
        [
          kVTCompressionPropertyKey_CleanAperture: [
            kCMFormatDescriptionKey_CleanApertureWidth: 32, kCMFormatDescriptionKey_CleanApertureHeight: 24,
            kCMFormatDescriptionKey_CleanApertureHorizontalOffset: 8,
            kCMFormatDescriptionKey_CleanApertureVerticalOffset: -4,
          ] as CFDictionary, kVTCompressionPropertyKey_Depth: 24,
          kVTCompressionPropertyKey_ICCProfile: profile,
        ], codec: codec)
      #expect(
        CMVideoFormatDescriptionGetCleanAperture(format, originIsAtTopLeft: true)
          == CGRect(x: 24, y: 8, width: 32, height: 24))
      func value(_ key: CFString) -> Any? { CMFormatDescriptionGetExtension(format, extensionKey: key) }
      #expect(value(kCMFormatDescriptionExtension_Depth) as? Int == 24)
      #expect(value(kCMFormatDescriptionExtension_ICCProfile) as? Data == profile)
    }
    let session = try CodingStage.session()
    func status(_ key: CFString, _ value: Any) -> OSStatus {
      VTSessionSetProperty(session, key: key, value: value as CFTypeRef)
    }
    #expect(status(kVTCompressionPropertyKey_Depth, 7) == kVTParameterErr)
    #expect(status(kVTCompressionPropertyKey_ICCProfile, "none") == kVTParameterErr)
    let large: [String: Any] = [
      kCMFormatDescriptionKey_CleanApertureWidth: 65, kCMFormatDescriptionKey_CleanApertureHeight: 24,
    ]
    #expect(status(kVTCompressionPropertyKey_CleanAperture, large) == kVTParameterErr)
  }

  @Test("A picture is shown 16 by 9, or 4 by 3, unless its pixels' shape is given")
  func wide() throws {
    let key = kVTCompressionPropertyKey_AspectRatio16x9
    #expect(abs(shape(try format([key: true])) - 16.0 / 9) < 0.01)
    #expect(abs(shape(try format([key: false])) - 4.0 / 3) < 0.01)
    let pixels =
      [
        kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: 2,
        kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: 1,
      ] as CFDictionary
    let asked: [String: Any] = [key: true, kVTCompressionPropertyKey_PixelAspectRatio: pixels]
    #expect(abs(shape(try format(asked)) - 2 * 64.0 / 48) < 0.01)
  }

  /// The report of `ffprobe` about a stream's frames: whether they have fields, and whether the top one is the earlier.
  private func fields(_ properties: [String: Any]) throws
    -> (format: CMFormatDescription, frames: Set<String>)
  {
    let session = try CodingStage.session(properties)
    let samples = try CodingStage.encode(0..<4, with: session)
    let format = try #require(samples.first?.formatDescription)
    var stream: [UInt8] = []
    for unit in try format.parameterSets.map({ [UInt8]($0) }) + samples.flatMap({ try units($0) }) {
      stream += [0, 0, 0, 1] + unit
    }
    return try withMovieFolder { folder in
      let path = "\(folder)/stream.h264"
      try Data(stream).write(to: URL(fileURLWithPath: path))
      let said = try Program.run(
        "ffprobe",
        [
          "-v", "error", "-show_entries", "frame=interlaced_frame,top_field_first", "-of", "csv=p=0", path,
        ])
      let lines = said.split(separator: "\n").map { line in
        line.split(separator: ",").prefix(2).joined(separator: ",")
      }
      return (format, Set(lines))
    }
  }

  @Test("Lines of two moments are coded as fields, in their order")
  func interlaced() throws {
    let (count, detail) = (kVTCompressionPropertyKey_FieldCount, kVTCompressionPropertyKey_FieldDetail)
    let bottom = try fields([count: 2, detail: kCMFormatDescriptionFieldDetail_TemporalBottomFirst])
    #expect(bottom.frames == ["1,0"])
    func value(_ format: CMFormatDescription, _ key: CFString) -> Any? {
      CMFormatDescriptionGetExtension(format, extensionKey: key)
    }
    #expect(value(bottom.format, kCMFormatDescriptionExtension_FieldCount) as? Int == 2)
    #expect(
      value(bottom.format, kCMFormatDescriptionExtension_FieldDetail) as? String
        == kCMFormatDescriptionFieldDetail_TemporalBottomFirst)
    let top = try fields([count: 2, detail: kCMFormatDescriptionFieldDetail_TemporalTopFirst])
    #expect(top.frames == ["1,1"])
    #expect(try fields([kVTCompressionPropertyKey_ProgressiveScan: false]).frames == ["1,1"])
    let whole = try fields([kVTCompressionPropertyKey_ProgressiveScan: true])
    #expect(whole.frames == ["0,0"])
    #expect(value(whole.format, kCMFormatDescriptionExtension_FieldCount) as? Int == 1)
    // Only H.264 has fields here.
    let hevc = try CodingStage.session(codec: kCMVideoCodecType_HEVC)
    #expect(VTSessionSetProperty(hevc, key: count, value: 2) == kVTPropertyNotSupportedErr)
  }

  @Test("Slices are as large as a packet may be")
  func slices() throws {
    func sizes(_ properties: [String: Any]) throws -> [Int] {
      let session = try CodingStage.session(properties, width: 128, height: 96)
      let samples = try CodingStage.encode(0..<3, with: session) {
        try CodingStage.noise($0, width: 128, height: 96)
      }
      return try samples.flatMap { try units($0) }.filter { [1, 5].contains($0[0] & 0x1F) }.map(\.count)
    }
    let whole = try sizes([:])
    #expect(whole.count == 3 && whole.contains { $0 > 1500 })
    let cut = try sizes([kVTCompressionPropertyKey_MaxH264SliceBytes: 1200])
    #expect(cut.count > 3 && cut.allSatisfy { $0 <= 1200 })
  }

  @Test("Pictures of another size meet the session's as the transfer's properties say")
  func transfer() throws {
    func corner(_ mode: CFString) throws -> Int {
      let session = try CodingStage.session([
        kVTCompressionPropertyKey_PixelTransferProperties: [
          kVTPixelTransferPropertyKey_ScalingMode: mode
        ] as CFDictionary
      ])
      let samples = try CodingStage.encode(0..<1, with: session) { _ in
        try TestMovie.picture(15, width: 128, height: 48)
      }
      var made: VTDecompressionSession?
      VTDecompressionSessionCreate(
        allocator: nil, formatDescription: try #require(samples[0].formatDescription),
        decoderSpecification: nil,
        imageBufferAttributes: [
          kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        ],
        outputCallback: nil,
        decompressionSessionOut: &made)
      let pictures = Reports<Int>()
      let decoder = try #require(made)
      VTDecompressionSessionDecodeFrame(
        decoder, sampleBuffer: samples[0], flags: [], infoFlagsOut: nil
      ) { status, _, picture, _, _ in
        #expect(status == noErr)
        if let picture { pictures.add(Int(picture.planes[0].row(2)[32])) }
      }
      #expect(VTDecompressionSessionFinishDelayedFrames(decoder) == noErr)
      #expect(VTDecompressionSessionWaitForAsynchronousFrames(decoder) == noErr)
      return try #require(pictures.all.first)
    }
    // A wide picture has black bars above and below, or fills all.
    #expect(try corner(kVTScalingMode_Letterbox) < 40)
    #expect(try corner(kVTScalingMode_Normal) > 180)
    #expect(try corner(kVTScalingMode_Trim) > 180)
    let session = try CodingStage.session()
    #expect(
      VTSessionSetProperty(
        session, key: kVTCompressionPropertyKey_PixelTransferProperties,
        value: [kVTPixelTransferPropertyKey_ScalingMode: "Anyhow"] as CFDictionary) == kVTParameterErr)
  }

  @Test("Frames and the time that they take say the rate, by which bits are shared out")
  func expectations() throws {
    func size(_ seconds: Double) throws -> Int {
      let session = try CodingStage.session(
        [
          kVTCompressionPropertyKey_AverageBitRate: 400_000, kVTCompressionPropertyKey_SourceFrameCount: 40,
          kVTCompressionPropertyKey_ExpectedDuration: seconds,
        ], codec: kCMVideoCodecType_HEVC, width: 128, height: 96)
      return CodingStage.size(
        try CodingStage.encode(0..<40, with: session) { try CodingStage.noise($0, width: 128, height: 96) })
    }
    // The fewer frames a second, the more bits for each.
    let (fast, slow) = (try size(0.5), try size(8))
    #expect(2 * fast < slow, "\(fast) \(slow)")
  }
}
