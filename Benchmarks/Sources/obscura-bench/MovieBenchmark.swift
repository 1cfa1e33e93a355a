import AVFoundation
import Foundation
import Glibc

/// Ten seconds of 1080p at 30 frames a second with sound: CPU time beside the program `ffmpeg` coding the same frames with the same
/// settings, both into fragments.
enum MovieBenchmark {
  private static let pairs = 3
  private static let frames = 300
  static let pictures = 15
  static let (width, height, rate) = (1920, 1080, 30)
  static let bitRate = 17_418_000

  static func run() throws -> [Figure] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let buffers = try (0..<pictures).map(picture)
    let raw = folder.appendingPathComponent("frames.nv12")
    try write(buffers, to: raw)
    var number = 0
    let result = try medianRatio(
      pairs: pairs,
      ours: {
        number += 1
        let start = cpuSeconds()
        try record(buffers, to: folder.appendingPathComponent("ours\(number).mov"))
        return cpuSeconds() - start
      },
      peer: { try peer(raw, folder.appendingPathComponent("theirs.mov")) })
    return [
      Figure(
        name: "movies.cpu", value: result.ratio,
        detail: String(format: "%.2f s of CPU time, ffmpeg %.2f s", result.ours, result.peer))
    ]
  }

  /// A pattern that moves, with noise like a sensor's.
  static func picture(_ number: Int) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, nil, &made)
    guard let buffer = made else { throw BenchmarkError("There is no memory for pictures.") }
    CVPixelBufferLockBaseAddress(buffer, [])
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    var random: UInt32 = 1 + UInt32(number)
    for plane in 0..<2 {
      guard let base = CVPixelBufferGetBaseAddressOfPlane(buffer, plane) else { continue }
      let stride = CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
      for y in 0..<CVPixelBufferGetHeightOfPlane(buffer, plane) {
        let row = base.advanced(by: y * stride).assumingMemoryBound(to: UInt8.self)
        for x in 0..<width {
          random = random &* 1_664_525 &+ 1_013_904_223
          let noise = Int(random >> 30)
          row[x] = UInt8(
            plane == 0
              ? 40 + ((x + 8 * number) / 8 % 96) + (y / 16 % 64) + noise : 118 + (x / 64 % 16) + noise / 2)
        }
      }
    }
    return buffer
  }

  static func write(_ buffers: [CVPixelBuffer], to url: URL) throws {
    var data = Data(capacity: buffers.count * width * height * 3 / 2)
    for buffer in buffers {
      CVPixelBufferLockBaseAddress(buffer, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
      for plane in 0..<2 {
        guard let base = CVPixelBufferGetBaseAddressOfPlane(buffer, plane) else { continue }
        let stride = CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
        for y in 0..<CVPixelBufferGetHeightOfPlane(buffer, plane) {
          data.append(base.advanced(by: y * stride).assumingMemoryBound(to: UInt8.self), count: width)
        }
      }
    }
    try data.write(to: url)
  }

  private static func record(_ buffers: [CVPixelBuffer], to url: URL) throws {
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let video = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: width, AVVideoHeightKey: height,
        AVVideoCompressionPropertiesKey: [
          AVVideoAverageBitRateKey: bitRate, AVVideoExpectedSourceFrameRateKey: rate,
          AVVideoMaxKeyFrameIntervalDurationKey: 1.0, AVVideoAllowFrameReorderingKey: false,
          AVVideoProfileLevelKey: AVVideoProfileLevelH264HighAutoLevel,
        ] as [String: Any],
      ])
    let audio = AVAssetWriterInput(
      mediaType: .audio,
      outputSettings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 1,
        AVEncoderBitRateKey: 64_000,
      ])
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video)
    writer.add(video)
    writer.add(audio)
    guard writer.startWriting() else { throw BenchmarkError("The writer did not start.") }
    writer.startSession(atSourceTime: .zero)
    for frame in 0..<frames {
      while !video.isReadyForMoreMediaData || !audio.isReadyForMoreMediaData { usleep(500) }
      adaptor.append(
        buffers[frame % pictures], withPresentationTime: CMTime(value: Int64(frame), timescale: Int32(rate)))
      try audio.append(sound(frame))
    }
    let done = DispatchSemaphore(value: 0)
    writer.finishWriting { done.signal() }
    done.wait()
    guard writer.status == .completed else { throw BenchmarkError("The movie was not written.") }
  }

  /// A thirtieth of a second of a tone.
  private static func sound(_ frame: Int) throws -> CMSampleBuffer {
    let count = 48_000 / rate
    let samples = (0..<count).map { Int16(8000 * sin(Double(frame * count + $0) * 2 * .pi * 440 / 48_000)) }
    var basic = AudioStreamBasicDescription()
    basic.mSampleRate = 48_000
    basic.mFormatID = kAudioFormatLinearPCM
    basic.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    (basic.mBytesPerPacket, basic.mFramesPerPacket, basic.mBytesPerFrame) = (2, 1, 2)
    (basic.mChannelsPerFrame, basic.mBitsPerChannel) = (1, 16)
    let format = try CMFormatDescription(audioStreamBasicDescription: basic)
    let block = try CMBlockBuffer(length: count * 2)
    try samples.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
    return try CMSampleBuffer(
      dataBuffer: block, formatDescription: format, numSamples: count,
      presentationTimeStamp: CMTime(value: Int64(frame * count), timescale: 48_000), packetDescriptions: [])
  }

  private static func peer(_ raw: URL, _ url: URL) throws -> Double {
    let input = "-f rawvideo -pix_fmt nv12 -s \(width)x\(height) -r \(rate) -stream_loop -1 -i \(raw.path)"
    let tone = "-f lavfi -i sine=frequency=440:sample_rate=48000 -t 10"
    let video = "-c:v libx264 -preset veryfast -profile:v high -bf 0 -b:v \(bitRate) -pix_fmt nv12"
    let keys = "-force_key_frames expr:gte(t,n_forced) -forced-idr 1"
    let audio = "-c:a aac -b:a 64000"
    let file = "-movflags frag_keyframe+empty_moov+default_base_moof \(url.path)"
    return try cpuOfFFmpeg([input, tone, video, keys, audio, file])
  }

  /// CPU seconds of `ffmpeg` with all its threads.
  static func cpuOfFFmpeg(_ options: [String]) throws -> Double {
    func children() -> Double {
      var usage = rusage()
      getrusage(RUSAGE_CHILDREN.rawValue, &usage)
      func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
      return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
    let start = children()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = (["ffmpeg -v error -nostdin -y"] + options).flatMap {
      $0.split(separator: " ").map(String.init)
    }
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkError("ffmpeg failed; is it installed?") }
    return children() - start
  }
}
