package import CoreMedia
package import CoreVideo
internal import FoundationExtras

/// Pictures and audio of which every moment is known by its content.
package enum TestMovie {
  /// A picture whose lightness is its number: 16 shades that are distinct after any coding, over and over.
  package static func picture(
    _ number: Int, width: Int = 64, height: Int = 48,
    format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
  ) throws -> CVPixelBuffer {
    let buffer = try CVPixelBuffer(format: format, width: width, height: height)
    for (index, plane) in buffer.planes.enumerated() {
      for row in 0..<plane.height {
        let bytes = plane.row(row)
        for column in 0..<plane.bytesPerRow {
          // A little texture, so that encoders have something to do.
          bytes[column] = index == 0 ? shade(number) &+ UInt8((column ^ row) & 3) : 128
        }
      }
    }
    return buffer
  }

  /// The lightness of picture `number`.
  package static func shade(_ number: Int) -> UInt8 { UInt8(24 + (number % 16) * 13) }

  /// The number of a picture's shade, of 16; of any format whose first plane is luma of 8 or 10 bits.
  package static func number(of buffer: CVPixelBuffer) -> Int {
    let plane = buffer.planes[0]
    let row = plane.row(plane.height / 2)
    let isDeep =
      CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
    let isBGRA = CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA
    var sum = 0
    for column in 0..<plane.width { sum += Int(row[isDeep ? 2 * column + 1 : isBGRA ? 4 * column : column]) }
    var mean = Double(sum) / Double(plane.width) - 1.5
    if isBGRA { mean = mean * 219 / 255 + 16 }
    return Int(((mean - 24) / 13).rounded())
  }

  /// Stereo audio of 16 bits, both channels side by side.
  package static func stereo(rate: Double) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
      mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16, mReserved: 0)
  }

  /// Stereo audio of 16 bits at 48 kHz: a tone of 1 kHz in both channels.
  package static func tone(from start: Int, count: Int) throws -> CMSampleBuffer {
    var samples: [Int16] = []
    for frame in start..<start + count {
      // One period has 48 frames; a triangle needs no mathematics.
      let place = frame % 48
      let value = Int16((place < 24 ? place : 48 - place) * 800 - 9600)
      samples += [value, value]
    }
    let format = try CMFormatDescription(audioStreamBasicDescription: stereo(rate: 48_000))
    let data = samples.withUnsafeBytes { CMBlockBuffer(copying: $0) }
    return CMSampleBuffer(
      data: data, formatDescription: format, sampleCount: count, sampleSize: 4,
      timing: CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: 48_000),
        presentationTimeStamp: CMTime(value: Int64(start), timescale: 48_000), decodeTimeStamp: .invalid))
  }
}
