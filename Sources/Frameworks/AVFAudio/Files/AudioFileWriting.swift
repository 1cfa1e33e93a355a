internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaFiles
internal import VideoCodecs

/// Writes audio to a file: uncompressed into `.wav` and `.caf`, coded into `.m4a`, `.mp4` and `.mov`.
///
/// What was written is there if the process is killed. Not thread-safe; blocks for the disk.
final class AudioFileWriting {
  private enum Target {
    case plain(PCMFile)
    case coded(MovieWriter, track: Int)
  }

  /// The coding of the file.
  let format: CMFormatDescription
  private let encoder: AudioEncoder
  private let source: AVAudioFormat
  private let target: Target
  private var place: Int64 = 0
  private let path: String

  /// Makes the file in place of one that is there.
  ///
  /// - Parameters:
  ///   - asked: The coding that is asked for.
  ///   - source: The format of what will be written.
  /// - Throws: ``MovieFileError``, ``CodecError``, ``SystemError``.
  init(path: String, _ asked: AVAudioFormat, bitRate: Int?, source: AVAudioFormat) throws {
    self.path = path
    self.source = source
    let basic = asked.streamDescription.pointee
    var settings = AudioEncoderSettings(formatID: basic.mFormatID)
    settings.rate = Int(basic.mSampleRate)
    settings.channels = Int(basic.mChannelsPerFrame)
    settings.bitRate = bitRate
    settings.bits = Int(basic.mBitsPerChannel)
    settings.isFloat = basic.mFormatFlags & kAudioFormatFlagIsFloat != 0
    settings.isBigEndian = basic.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
    let name = URL(fileURLWithPath: path).pathExtension
    if let kind = PCMFileKind(extension: name) {
      encoder = try AudioEncoder(settings, source: source.formatDescription)
      format = encoder.formatDescription
      target = .plain(try PCMFile(path: path, kind: kind, basic))
      return
    }
    guard let container = Self.container(name) else { throw Self.unknown(name) }
    encoder = try AudioEncoder(settings, source: source.formatDescription)
    format = encoder.formatDescription
    var movie = MovieWriter.Settings(container: container)
    movie.replacesFile = true
    let writer = try MovieWriter(path: path, settings: movie)
    var track = MovieTrackSettings(mediaType: kCMMediaType_Audio, format: format)
    track.timescale = encoder.rate
    target = .coded(writer, track: try writer.addTrack(track))
  }

  private static func unknown(_ name: String) -> MovieFileError {
    MovieFileError(
      .unsuitable,
      name.isEmpty
        ? "A file of audio needs an extension: .m4a, .mp4, .mov, .wav or .caf."
        : "A file named .\(name) cannot be written; choose .m4a, .mp4, .mov, .wav or .caf.")
  }

  /// A coding that goes with an extension.
  ///
  /// - Throws: ``MovieFileError``, ``CodecError`` with a sentence when it does not.
  static func checked(_ asked: AVAudioFormat, named name: String) throws -> AVAudioFormat {
    let basic = asked.streamDescription.pointee
    if let kind = PCMFileKind(extension: name) {
      if let refusal = kind.refusal(of: basic) { throw MovieFileError(.unsuitable, refusal) }
    } else if container(name) == nil {
      throw unknown(name)
    }
    guard [kAudioFormatLinearPCM, kAudioFormatMPEG4AAC, kAudioFormatOpus].contains(basic.mFormatID) else {
      throw CodecError(
        .noEncoder,
        "Audio '\(FourCharacterCode(rawValue: basic.mFormatID))' cannot be written; choose AAC, Opus or linear PCM."
      )
    }
    return asked
  }

  private static func container(_ name: String) -> MovieContainer? {
    switch name.lowercased() {
    case "m4a": .appleAudio
    case "mp4": .mpeg4
    case "mov", "qt": .quickTime
    default: nil
    }
  }

  /// Writes a buffer behind what was written before.
  func append(_ buffer: AVAudioPCMBuffer) throws {
    let basic = source.streamDescription.pointee
    let count = Int(buffer.frameLength)
    guard count > 0 else { return }
    let bytes = buffer.planes(from: 0).reduce(into: Data()) { data, plane in
      if let plane { data.append(Data(bytes: plane, count: count * Int(basic.mBytesPerFrame))) }
    }
    let sample = try CMSampleBuffer(
      dataBuffer: bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) },
      formatDescription: source.formatDescription, numSamples: count,
      presentationTimeStamp: CMTime(value: place, timescale: CMTimeScale(basic.mSampleRate)),
      packetDescriptions: [])
    place += Int64(count)
    try put(encoder.encode(sample))
  }

  /// Writes what waits in the encoder, and the tables.
  func close() throws {
    switch target {
    case .plain(let file):
      try put(encoder.finish())
      try file.close()
    case .coded(let writer, _):
      // A file without a sample would have no tables.
      guard place > 0 else { return writer.cancel() }
      try put(encoder.finish())
      try writer.finish()
    }
  }

  private func put(_ samples: [CMSampleBuffer]) throws {
    for sample in samples {
      switch target {
      case .plain(let file):
        guard let bytes = try sample.dataBuffer?.dataBytes() else { continue }
        guard file.hasRoom(for: bytes.count) else {
          throw MovieFileError(.unsuitable, "A .wav file holds four gigabytes at most; choose .caf.")
        }
        try file.append(bytes)
      case .coded(let writer, let track): try writer.append(sample, to: track)
      }
    }
  }
}
