public import Foundation
internal import FoundationExtras
internal import CoreMedia
internal import Linux
internal import MediaFiles
internal import VideoCodecs

/// A file of audio that is read or written in buffers of linear PCM.
///
/// Reads what this package decodes, also the audio of movies. Writes `.wav` and `.caf` with linear PCM, `.m4a`, `.mp4` and `.mov` with
/// AAC, Opus or linear PCM, by the file's extension; a file that is there gives way. What was written is there at every moment, also
/// when the process is killed; ``close()``, or the end of the object, completes the tables. Not thread-safe; blocks for the disk.
///
/// Apple: `AVAudioFile`.
public final class AVAudioFile: NSObject {
  /// The file.
  ///
  /// Apple: `AVAudioFile.url`.
  public let url: URL
  /// The coding of the audio in the file.
  ///
  /// Apple: `AVAudioFile.fileFormat`.
  public let fileFormat: AVAudioFormat
  /// The format of buffers that are read and written.
  ///
  /// Apple: `AVAudioFile.processingFormat`.
  public let processingFormat: AVAudioFormat
  private var reading: AudioFileReading?
  private var writing: AudioFileWriting?
  private var written: AVAudioFramePosition = 0

  /// Opens a file, to be read in the standard format: 32-bit floating-point numbers, each channel by itself.
  ///
  /// - Throws: An error of ``errorDomain`` for what is not there, or holds no audio.
  ///
  /// Apple: `AVAudioFile.init(forReading:)`.
  public convenience init(forReading fileURL: URL) throws {
    try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Opens a file, to be read in a common format.
  ///
  /// - Throws: An error of ``errorDomain`` for what is not there, or holds no audio.
  ///
  /// Apple: `AVAudioFile.init(forReading:commonFormat:interleaved:)`.
  public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
    url = fileURL
    let reading = try Self.explained(fileURL) { try AudioFileReading(path: fileURL.path) }
    self.reading = reading
    fileFormat = AVAudioFormat(cmAudioFormatDescription: reading.format)
    processingFormat = try Self.processing(format, reading.rate, fileFormat, interleaved)
  }

  /// Makes a file, to be written in the standard format: 32-bit floating-point numbers, each channel by itself.
  ///
  /// - Parameter settings: The coding of the file: `AVFormatIDKey`, `AVSampleRateKey`, `AVNumberOfChannelsKey` and what belongs to them.
  /// - Throws: An error of ``errorDomain`` for settings that do not go with the file's extension, and for what cannot be made.
  ///
  /// Apple: `AVAudioFile.init(forWriting:settings:)`.
  public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
    try self.init(
      forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Makes a file, to be written in a common format.
  ///
  /// - Throws: An error of ``errorDomain`` for settings that do not go with the file's extension, and for what cannot be made.
  ///
  /// Apple: `AVAudioFile.init(forWriting:settings:commonFormat:interleaved:)`.
  public init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
    interleaved: Bool
  ) throws {
    url = fileURL
    let asked = try Self.format(ofWriting: fileURL, settings: settings)
    let processing = try Self.processing(format, asked.sampleRate, asked, interleaved)
    processingFormat = processing
    let bitRate = AudioBitRate.asked(settings, channels: Int(asked.channelCount))
    let writing = try Self.explained(fileURL) {
      try AudioFileWriting(path: fileURL.path, asked, bitRate: bitRate, source: processing)
    }
    self.writing = writing
    fileFormat = AVAudioFormat(cmAudioFormatDescription: writing.format)
  }

  deinit {
    // The samples are in the file already; what fails here are its tables.
    try? writing?.close()
  }

  // MARK: Places

  /// Samples of a channel in the file; of one that is written, how many were written.
  ///
  /// Apple: `AVAudioFile.length`.
  public var length: AVAudioFramePosition { reading?.length ?? written }

  /// The place at which the next buffer is read; when writing, the end.
  ///
  /// Apple: `AVAudioFile.framePosition`.
  public var framePosition: AVAudioFramePosition {
    get { reading == nil ? written : position }
    set { if reading != nil { position = max(0, newValue) } }
  }
  private var position: AVAudioFramePosition = 0

  /// Whether it can still be read or written.
  ///
  /// Apple: `AVAudioFile.isOpen`.
  public var isOpen: Bool { reading != nil || writing != nil }

  // MARK: Reading and writing

  /// Reads as many samples as the buffer has room for, or as are left.
  ///
  /// - Throws: An error of ``errorDomain`` at the end of the file, and for what cannot be decoded.
  ///
  /// Apple: `AVAudioFile.read(into:)`.
  public func read(into buffer: AVAudioPCMBuffer) throws {
    try read(into: buffer, frameCount: buffer.frameCapacity)
  }

  /// Reads so many samples, or as many as are left.
  ///
  /// - Throws: An error of ``errorDomain`` at the end of the file, for a buffer of another format, and for what cannot be decoded.
  ///
  /// Apple: `AVAudioFile.read(into:frameCount:)`.
  public func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
    guard let reading else { throw Self.error(kAudioFileNotOpenError, "The file is not open for reading.") }
    guard buffer.format.isEqual(processingFormat) else {
      throw Self.error(kAudioFileUnspecifiedError, "The buffer must have the file's processing format.")
    }
    buffer.frameLength = 0
    let count = Int(min(frames, buffer.frameCapacity))
    let start = position
    let samples = try Self.explained(url) { try reading.read(from: start, frames: count) }
    let read = samples.count / reading.channels
    guard read > 0 || count == 0 else {
      throw Self.error(kAudioFileEndOfFileError, "There is no more audio in \(url.path).")
    }
    buffer.write(samples, frames: read)
    position += AVAudioFramePosition(read)
  }

  /// Writes a buffer behind what was written before.
  ///
  /// - Throws: An error of ``errorDomain`` for a buffer of another format, and when the disk does not take it.
  ///
  /// Apple: `AVAudioFile.write(from:)`.
  public func write(from buffer: AVAudioPCMBuffer) throws {
    guard let writing else { throw Self.error(kAudioFileNotOpenError, "The file is not open for writing.") }
    guard buffer.format.isEqual(processingFormat) else {
      throw Self.error(kAudioFileUnspecifiedError, "The buffer must have the file's processing format.")
    }
    try Self.explained(url) { try writing.append(buffer) }
    written += AVAudioFramePosition(buffer.frameLength)
  }

  /// Ends reading or writing, and completes the file.
  ///
  /// Called by itself when the object goes. Apple: `AVAudioFile.close()`.
  /// - Note: Unlike Apple's, it is not told what could not be completed; the samples are in the file all the same.
  public func close() {
    try? writing?.close()
    (reading, writing) = (nil, nil)
  }

  /// Completes the file that is written.
  ///
  /// - Throws: An error of ``errorDomain`` when the disk did not take it.
  package func finish() throws {
    guard let writing else { return }
    self.writing = nil
    try Self.explained(url) { try writing.close() }
  }

  /// The coding that a file would be written in.
  ///
  /// - Throws: An error of ``errorDomain`` for settings that do not go with the file's extension.
  package static func format(ofWriting url: URL, settings: [String: Any]) throws -> AVAudioFormat {
    guard let asked = AVAudioFormat(settings: settings.completed) else {
      throw error(
        kAudioFileUnsupportedDataFormatError,
        "The settings need AVFormatIDKey, AVSampleRateKey and AVNumberOfChannelsKey, of one or two channels.")
    }
    return try explained(url) { try AudioFileWriting.checked(asked, named: url.pathExtension) }
  }

  private static func processing(
    _ common: AVAudioCommonFormat, _ rate: Double, _ file: AVAudioFormat, _ isInterleaved: Bool
  ) throws -> AVAudioFormat {
    let layout = file.channelLayout
    if let layout, common != .otherFormat, layout.channelCount == file.channelCount {
      return AVAudioFormat(
        commonFormat: common, sampleRate: rate, interleaved: isInterleaved, channelLayout: layout)
    }
    guard
      let format = AVAudioFormat(
        commonFormat: common, sampleRate: rate, channels: file.channelCount, interleaved: isInterleaved)
    else {
      throw error(
        kAudioFileUnsupportedDataFormatError,
        "Audio of \(file.channelCount) channels without a layout cannot be read or written in buffers.")
    }
    return format
  }
}
