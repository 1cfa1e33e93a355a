import CoreMedia
import CoreVideo
import Foundation
import MovieTools
import PixelTransforms
import SeededNumbers
import Testing
import VideoCodecs

@Suite("Coded video")
struct VideoCodecTests {
  private func settings(_ codec: VideoEncoderSettings.Codec) -> VideoEncoderSettings {
    var settings = VideoEncoderSettings(codec: codec, size: PixelSize(width: 64, height: 48))
    settings.prefersHardware = false
    settings.expectedFrameRate = 30
    return settings
  }

  private static func time(_ number: Int) -> CMTime {
    CMTime(value: Int64(number * 20 + number % 3), timescale: 600)
  }

  /// Pictures 0 … `count - 1`, at times that are not regular.
  private func encode(
    _ settings: VideoEncoderSettings, count: Int,
    format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    times: (Int) -> CMTime = Self.time
  ) throws -> [CMSampleBuffer] {
    let encoder = try VideoEncoder(settings, first: TestMovie.picture(0, format: format))
    var samples: [CMSampleBuffer] = []
    for number in 0..<count {
      samples += try encoder.encode(TestMovie.picture(number, format: format), at: times(number))
    }
    return samples + (try encoder.finish())
  }

  private func decode(
    _ samples: [CMSampleBuffer], _ pixelFormat: OSType? = nil
  ) throws -> [VideoDecoder.Picture] {
    let decoder = try VideoDecoder(#require(samples[0].formatDescription), pixelFormat: pixelFormat)
    var pictures: [VideoDecoder.Picture] = []
    for sample in samples { pictures += try decoder.decode(sample) }
    return pictures + (try decoder.finish())
  }

  @Test(
    "Every codec gives back each picture at its exact time, in the order of showing",
    arguments: VideoEncoderSettings.Codec.allCases)
  func roundTrip(codec: VideoEncoderSettings.Codec) throws {
    let samples = try encode(settings(codec), count: 40)
    // JPEG's range is full; the shades are those of video range.
    let pictures = try decode(
      samples, codec == .jpeg ? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange : nil)
    let expected = (0..<40).map(Self.time)
    #expect(pictures.map(\.time) == expected)
    #expect(pictures.map { TestMovie.number(of: $0.pixels) } == (0..<40).map { $0 % 16 })
    #expect(samples.allSatisfy { $0.presentationTimeStamp >= $0.decodeTimeStamp })
  }

  @Test("Frames are reordered by default, and not where that is ruled out", arguments: [true, false])
  func reordering(isAllowed: Bool) throws {
    var settings = settings(.h264)
    settings.allowsFrameReordering = isAllowed
    let samples = try encode(settings, count: 40)
    let isReordered = zip(samples, samples.dropFirst()).contains {
      $0.presentationTimeStamp > $1.presentationTimeStamp
    }
    #expect(isReordered == isAllowed)
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.decodeTimeStamp < $1.decodeTimeStamp })
  }

  @Test("With low latency each picture comes out before the next goes in")
  func lowLatency() throws {
    var settings = settings(.h264)
    settings.isLowLatency = true
    let encoder = try VideoEncoder(settings, first: TestMovie.picture(0))
    for number in 0..<5 {
      let samples = try encoder.encode(
        TestMovie.picture(number), at: CMTime(value: Int64(number), timescale: 30))
      #expect(samples.count == 1)
    }
  }

  @Test("No more frames wait in an encoder than may", arguments: ["avc1", "hvc1"], [0, 1, 2, 5, 8])
  func heldFrames(code: String, most: Int) throws {
    for isReordered in [false, true] {
      var settings = settings(try #require(VideoEncoderSettings.Codec(rawValue: code)))
      settings.allowsFrameReordering = isReordered
      settings.mostHeldFrames = most
      settings.isLowLatency = most == 0
      let encoder = try VideoEncoder(settings, first: TestMovie.picture(0))
      var (largest, count) = (0, 0)
      for number in 0..<30 {
        count += try encoder.encode(
          TestMovie.picture(number), at: CMTime(value: Int64(number), timescale: 30)
        ).count
        largest = max(largest, encoder.heldCount)
      }
      let more = code == "hvc1" && most >= 4 ? (isReordered ? 4 : 2) : 0
      #expect(largest <= most + more, "\(code) \(isReordered)")
      count += try encoder.finish().count
      #expect(count == 30 && encoder.heldCount == 0)
    }
  }

  @Test("Key frames come as often as they were asked for, by count and by time")
  func keyFrames() throws {
    var byCount = settings(.h264)
    byCount.keyFrameInterval = 10
    byCount.allowsFrameReordering = false
    let counted = try encode(byCount, count: 35, times: { CMTime(value: Int64($0), timescale: 30) })
    let keys = counted.indices.filter { counted[$0].isKeyFrame() }
    // The encoder may add some where the scene changes.
    #expect(keys.first == 0 && keys.count >= 4)
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $1 - $0 <= 10 })
    var byTime = byCount
    byTime.keyFrameInterval = nil
    byTime.keyFrameSeconds = 0.5
    let timed = try encode(byTime, count: 35, times: { CMTime(value: Int64($0), timescale: 30) })
    #expect(Set([0, 15, 30]).isSubset(of: timed.indices.filter { timed[$0].isKeyFrame() }))
  }

  @Test("The format description has parameter sets, size and colours", arguments: ["avc1", "hvc1"])
  func formatDescription(code: String) throws {
    var settings = settings(try #require(VideoEncoderSettings.Codec(rawValue: code)))
    settings.colorPrimaries = kCVImageBufferColorPrimaries_ITU_R_709_2
    settings.transferFunction = kCVImageBufferTransferFunction_ITU_R_709_2
    settings.matrix = kCVImageBufferYCbCrMatrix_ITU_R_709_2
    let format = try #require(try encode(settings, count: 3)[0].formatDescription)
    #expect(format.mediaSubType.description.contains(code))
    #expect(format.dimensions.width == 64 && format.dimensions.height == 48)
    #expect(format.extensions[.colorPrimaries] == .colorPrimaries(.itu_R_709_2))
    let atoms =
      CMFormatDescriptionGetExtension(
        format, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
      as? [String: Data]
    let record = try #require(atoms?[code == "avc1" ? "avcC" : "hvcC"])
    #expect(record.first == 1)
  }

  @Test("Full-range pictures stay full-range, and other formats are converted")
  func sources() throws {
    let full = try decode(
      encode(settings(.h264), count: 3, format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange))
    #expect(
      full.allSatisfy {
        CVPixelBufferGetPixelFormatType($0.pixels) == kCVPixelFormatType_420YpCbCr8PlanarFullRange
      })
    let bgra = try decode(encode(settings(.h264), count: 16), kCVPixelFormatType_32BGRA)
    #expect(bgra.map { TestMovie.number(of: $0.pixels) } == Array(0..<16))
  }

  @Test("An average bit rate is kept, and a better quality is larger")
  func rates() throws {
    func size(_ change: (inout VideoEncoderSettings) -> Void) throws -> Int {
      var settings = VideoEncoderSettings(codec: .h264, size: PixelSize(width: 320, height: 240))
      settings.prefersHardware = false
      change(&settings)
      let encoder = try VideoEncoder(settings, first: noise(0))
      var bytes = 0
      for number in 0..<90 {
        for sample in try encoder.encode(noise(number), at: CMTime(value: Int64(number), timescale: 30)) {
          bytes += sample.totalSampleSize
        }
      }
      for sample in try encoder.finish() { bytes += sample.totalSampleSize }
      return bytes
    }
    let bytes = try size { $0.bitRate = 800_000 }
    #expect((200_000...400_000).contains(bytes))
    #expect(try size { $0.quality = 0.9 } > size { $0.quality = 0.3 })
  }

  private func noise(_ number: Int) throws -> CVPixelBuffer {
    let buffer = try CVPixelBuffer(
      format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 320, height: 240)
    var numbers = SeededGenerator(seed: UInt64(number))
    for plane in buffer.planes { numbers.fill(plane.bytes) { 64 + $0 >> 2 } }
    return buffer
  }

  @Test("Encoders are tried in order, and each refusal keeps its reason")
  func refusals() throws {
    let settings = VideoEncoderSettings(codec: .h264, size: PixelSize(width: 64, height: 48))
    let encoder = try VideoEncoder(settings, first: TestMovie.picture(0))
    let order = ["h264_vaapi", "h264_v4l2m2m", "libx264"]
    #expect(encoder.refusals.map(\.encoder) + [encoder.name] == Array(order[...encoder.refusals.count]))
    #expect(encoder.refusals.allSatisfy { !$0.reason.isEmpty })
    var impossible = settings
    impossible.size = PixelSize(width: 7, height: 5)
    impossible.codec = .hevc
    let error = #expect(throws: CodecError.self) {
      try VideoEncoder(impossible, first: TestMovie.picture(0))
    }
    #expect(error?.reason == .noEncoder)
    #expect(error?.refusals.map(\.encoder) == ["hevc_vaapi", "hevc_v4l2m2m", "libx265"])
  }

  @Test("A picture that does not come after the one before it is refused, and the next is not")
  func timeThatGoesBack() throws {
    let encoder = try VideoEncoder(settings(.h264), first: TestMovie.picture(0))
    _ = try encoder.encode(TestMovie.picture(0), at: CMTime(value: 1, timescale: 30))
    #expect(throws: CodecError.self) {
      try encoder.encode(TestMovie.picture(1), at: CMTime(value: 1, timescale: 30))
    }
    #expect(throws: CodecError.self) { try encoder.encode(TestMovie.picture(1), at: .invalid) }
    _ = try encoder.encode(TestMovie.picture(1), at: CMTime(value: 2, timescale: 30))
    #expect(try encoder.finish().count == 2)
  }

  @Test("Damaged samples are an error or a picture, never a crash")
  func damage() throws {
    let samples = try encode(settings(.h264), count: 8)
    for place in 0..<60 {
      let decoder = try VideoDecoder(#require(samples[0].formatDescription))
      for sample in samples {
        var bytes = try #require(sample.dataBuffer).dataBytes()
        bytes[place * 7 % bytes.count] ^= UInt8(1 << (place % 8))
        let damaged = CMSampleBuffer.coded(
          bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) },
          formatDescription: try #require(sample.formatDescription),
          timing: try sample.sampleTimingInfo(at: 0), isKeyFrame: sample.isKeyFrame())
        do { _ = try decoder.decode(damaged) } catch { #expect(error.reason == .damaged) }
      }
      _ = try? decoder.finish()
    }
  }
}
