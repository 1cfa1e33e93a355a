internal import AVFoundation
internal import Foundation
internal import FoundationExtras

/// The answer of `obscura play --info` for a movie.
struct MovieAnswer: Encodable {
  struct Track: Encodable {
    var number: Int
    var media: String
    /// Four characters.
    var codec: String?
    var startSeconds: Double
    var durationSeconds: Double
    var isEnabled: Bool
    var isPlayable: Bool
    var bitsPerSecond: Double
    var width: Int?
    var height: Int?
    var rotation: Int?
    var framesPerSecond: Double?
    /// The presentation times of the frames, in order.
    var frameTimes: [Double]?
    var channels: Int?
    var samplesPerSecond: Double?
  }

  var schema = "obscura.movie"
  var version = 1
  var path: String
  var durationSeconds: Double
  var tracks: [Track]

  /// Opens a movie, and reads all of its frames' times.
  ///
  /// - Throws: `AVError` when the file cannot be read, or an error of `NSURLErrorDomain` when it is not there.
  init(path: String) throws {
    self.path = path
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    // A reader says why a file cannot be opened.
    _ = try AVAssetReader(asset: asset)
    durationSeconds = Self.seconds(asset.duration)
    tracks = try asset.tracks.map { try Self.track($0, of: asset) }
  }

  private static func seconds(_ time: CMTime) -> Double { time.isNumeric ? time.seconds : 0 }

  private static func track(_ track: AVAssetTrack, of asset: AVAsset) throws -> Track {
    let format = track.formatDescriptions.first.flatMap { $0 as? CMFormatDescription }
    var result = Track(
      number: Int(track.trackID),
      media: track.mediaType == .video ? "video" : track.mediaType == .audio ? "audio" : "metadata",
      codec: format.map { FourCharacterCode(rawValue: CMFormatDescriptionGetMediaSubType($0)).description },
      startSeconds: seconds(track.timeRange.start), durationSeconds: seconds(track.timeRange.duration),
      isEnabled: track.isEnabled, isPlayable: track.isPlayable,
      bitsPerSecond: Double(track.estimatedDataRate).rounded())
    if track.mediaType == .video {
      result.width = Int(track.naturalSize.width)
      result.height = Int(track.naturalSize.height)
      let transform = track.preferredTransform
      let angle = Int((atan2(Double(transform.b), Double(transform.a)) * 180 / .pi).rounded())
      result.rotation = (angle + 360) % 360
      result.framesPerSecond = Double(track.nominalFrameRate)
      if format != nil { result.frameTimes = try times(of: track, in: asset) }
    } else if let basic = format?.audioStreamBasicDescription {
      result.channels = Int(basic.mChannelsPerFrame)
      result.samplesPerSecond = basic.mSampleRate
    }
    return result
  }

  private static func times(of track: AVAssetTrack, in asset: AVAsset) throws -> [Double] {
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    reader.add(output)
    reader.startReading()
    var times: [Double] = []
    while let sample = output.copyNextSampleBuffer() { times.append(seconds(sample.presentationTimeStamp)) }
    if let error = reader.error { throw error }
    return times.filter { $0 >= 0 }.sorted()
  }

  /// Lines for people.
  var lines: [String] {
    var lines = ["\(path): \(Self.text(durationSeconds)) s"]
    for track in tracks {
      var facts = [track.codec ?? "unknown codec"]
      if let width = track.width, let height = track.height { facts.append("\(width)×\(height)") }
      if let rotation = track.rotation, rotation != 0 { facts.append("turned by \(rotation)°") }
      if let rate = track.framesPerSecond { facts.append("\(Self.text(rate)) frames/s") }
      if let rate = track.samplesPerSecond { facts.append("\(Self.text(rate)) Hz") }
      if let channels = track.channels { facts.append(channels == 1 ? "mono" : "\(channels) channels") }
      facts.append("\(Self.text(track.durationSeconds)) s")
      if track.startSeconds > 0 { facts.append("from \(Self.text(track.startSeconds)) s") }
      if track.bitsPerSecond > 0 { facts.append("\(Int(track.bitsPerSecond / 1000)) kbit/s") }
      if !track.isPlayable { facts.append("cannot be played") }
      lines.append("track \(track.number): \(track.media), \(facts.joined(separator: ", "))")
      if let times = track.frameTimes {
        lines.append("  \(times.count) frames, in seconds:")
        for start in stride(from: 0, to: times.count, by: 10) {
          lines.append(
            "  " + times[start..<min(start + 10, times.count)].map { Self.text($0) }.joined(separator: " "))
        }
      }
    }
    return lines
  }

  private static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : "\((value * 1e6).rounded() / 1e6)"
  }
}
