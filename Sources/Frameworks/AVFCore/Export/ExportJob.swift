internal import AVFAudio
internal import CoreMedia
internal import CoreVideo
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import Linux

/// An export in progress: reads an asset, and writes a file.
final class ExportJob: Sendable {
  /// A request for an export: asset, preset, file, and further settings.
  struct Request: @unchecked Sendable {  // Safe because its values do not change any more.
    let asset: AVAsset
    let preset: ExportPreset
    let url: URL
    let type: AVFileType
    var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
    var metadata: [AVMetadataItem]?
    var metadataFilter: AVMetadataItemFilter?
    var videoComposition: AVVideoComposition?
    var audioMix: AVAudioMix?
    var pitch = AVAudioTimePitchAlgorithm.spectral
    var fileLengthLimit: Int64 = 0
    var isOptimized = false
  }

  private let request: Request
  private let progress: @Sendable (Double) -> Void
  private let state = Locked(State())

  private struct State {
    var isCancelled = false
    var hasFile = false
    var reader: AVAssetReader?
    var writer: AVAssetWriter?
  }

  init(_ request: Request, progress: @escaping @Sendable (Double) -> Void) {
    self.request = request
    self.progress = progress
  }

  /// Ends the export as soon as it can.
  func cancel() {
    let (reader, writer) = state.withLock { state in
      state.isCancelled = true
      return (state.reader, state.writer)
    }
    reader?.cancelReading()
    writer?.cancelWriting()
  }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Exports; blocks until that is done.
  ///
  /// - Throws: ``AVError``; there is no file then.
  func run() throws(AVError) {
    do {
      try request.asset.openFile()
      let (reader, writer, pumps) = try prepared()
      let isLate = state.withLock { state in
        (state.reader, state.writer) = (reader, writer)
        return state.isCancelled
      }
      if isLate { throw AVError(.operationCancelled, because: "The export was cancelled.") }
      try pump(reader, writer, pumps)
    } catch {
      let isCancelled = isCancelled
      let (writer, hasFile) = state.withLock { ($0.writer, $0.hasFile) }
      writer?.cancelWriting()
      if hasFile { writer?.removeFile() }
      if isCancelled { throw AVError(.operationCancelled, because: "The export was cancelled.") }
      throw TrackDecoding.error(error)
    }
  }

  /// The range that is there.
  private var range: CMTimeRange {
    let whole = CMTimeRange(start: .zero, duration: request.asset.duration)
    let wanted = request.timeRange
    guard wanted.isValid, wanted.start.isNumeric else { return whole }
    let end = wanted.end.isNumeric ? min(wanted.end, whole.end) : whole.end
    return CMTimeRange(start: max(wanted.start, .zero), end: max(end, wanted.start))
  }

  // MARK: Preparing

  private typealias Pump = (output: AVAssetReaderOutput, input: AVAssetWriterInput)

  private func prepared() throws -> (AVAssetReader, AVAssetWriter, [Pump]) {
    let reader = try AVAssetReader(asset: request.asset)
    reader.timeRange = range
    let writer = try AVAssetWriter(outputURL: request.url, fileType: request.type)
    let own = request.asset.metadata
    writer.metadata =
      request.metadata ?? request.metadataFilter.map {
        AVMetadataItem.metadataItems(from: own, filteredBy: $0)
      } ?? own
    writer.shouldOptimizeForNetworkUse = request.isOptimized
    let pumps = request.preset.isPassthrough ? passthroughPumps() : try codingPumps()
    guard !pumps.isEmpty, range.duration > .zero else {
      throw AVError(.operationNotSupportedForAsset, because: "The asset has nothing that can be exported so.")
    }
    for (output, input) in pumps {
      guard reader.canAdd(output), writer.canAdd(input) else {
        throw AVError(
          .operationNotSupportedForAsset,
          because: "Media of the asset cannot be written into a file of type \(request.type.rawValue).")
      }
      reader.add(output)
      writer.add(input)
    }
    return (reader, writer, pumps)
  }

  private func passthroughPumps() -> [Pump] {
    request.asset.tracks.compactMap { track in
      guard let format = track.formatDescriptions.first as? CMFormatDescription,
        !(request.type == .m4a && track.mediaType == .video)
      else { return nil }
      let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
      let input = AVAssetWriterInput(
        mediaType: track.mediaType, outputSettings: nil, sourceFormatHint: format)
      describe(input, by: track)
      input.transform = track.preferredTransform
      return (output, input)
    }
  }

  private func describe(_ input: AVAssetWriterInput, by track: AVAssetTrack) {
    input.languageCode = track.languageCode
    input.marksOutputTrackAsEnabled = track.isEnabled
    if track.mediaType == .video, track.naturalTimeScale > 0 { input.mediaTimeScale = track.naturalTimeScale }
  }

  private func codingPumps() throws -> [Pump] {
    var pumps: [Pump] = []
    let seconds = max(range.duration.seconds, 0.1)
    let audio = request.asset.tracks(withMediaType: .audio).filter(\.isDecodable)
    // Room for the boxes is left out of a length limit.
    let limit =
      request.fileLengthLimit > 0
      ? Int((Double(request.fileLengthLimit) * 8 * 0.9 / seconds))
        - (audio.isEmpty ? 0 : request.preset.audioBitRate)
      : nil
    if let video = try videoPump(limit: limit.map { max($0, 20_000) }) { pumps.append(video) }
    if !audio.isEmpty { pumps.append(audioPump(audio)) }
    return pumps
  }

  private func videoPump(limit: Int?) throws -> Pump? {
    let tracks = request.asset.tracks(withMediaType: .video)
    guard let track = tracks.first, request.preset.codec != nil else { return nil }
    let format: [String: Any] = [
      kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    ]
    if let composition = request.videoComposition {
      let output = AVAssetReaderVideoCompositionOutput(videoTracks: tracks, videoSettings: format)
      output.videoComposition = composition
      let step = composition.frameDuration.seconds
      let input = AVAssetWriterInput(
        mediaType: .video,
        outputSettings: request.preset.videoSettings(
          request.preset.size(of: composition.renderSize), rate: step > 0 ? Float(1 / step) : 30,
          bitRateLimit: limit))
      return (output, input)
    }
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: format)
    let input = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: request.preset.videoSettings(
        request.preset.size(of: track.naturalSize), rate: track.nominalFrameRate, bitRateLimit: limit))
    describe(input, by: track)
    input.transform = track.preferredTransform
    return (output, input)
  }

  private func audioPump(_ tracks: [AVAssetTrack]) -> Pump {
    let basic = (tracks.first?.formatDescriptions.first as? CMFormatDescription)?.audioStreamBasicDescription
    let rate =
      [8000.0, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000].contains(
        basic?.mSampleRate ?? 0) ? basic?.mSampleRate ?? 44_100 : 44_100
    let channels = min(2, Int(basic?.mChannelsPerFrame ?? 2))
    let output = AVAssetReaderAudioMixOutput(
      audioTracks: tracks,
      audioSettings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels,
      ])
    output.audioMix = request.audioMix
    output.audioTimePitchAlgorithm = request.pitch
    let settings: [String: Any] =
      request.preset.codec == .proRes422
      ? [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels,
        AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
        AVLinearPCMIsNonInterleaved: false,
      ]
      : [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels,
        AVEncoderBitRateKey: max(24_000, request.preset.audioBitRate * channels / 2),
      ]
    return (output, AVAssetWriterInput(mediaType: .audio, outputSettings: settings))
  }

  // MARK: Running

  private func pump(_ reader: AVAssetReader, _ writer: AVAssetWriter, _ pumps: [Pump]) throws {
    guard reader.startReading() else { throw reader.error ?? AVError(.exportFailed) }
    guard writer.startWriting() else { throw writer.error ?? AVError(.exportFailed) }
    let range = range
    state.withLock { $0.hasFile = true }
    writer.startSession(atSourceTime: range.start)
    let left = Monitor(pumps.count)
    let reached = Locked([Double](repeating: 0, count: pumps.count))
    for (index, pump) in pumps.enumerated() {
      let queue = DispatchQueue(label: "obscura.export")
      let work = PumpWork(pump.output, pump.input, last: range.end) { time in
        let share = (time - range.start).seconds / range.duration.seconds
        let least = reached.withLock { reached in
          reached[index] = min(max(share, reached[index]), 1)
          return reached.min() ?? 0
        }
        self.progress(least * 0.99)
      } ended: {
        reached.withLock { $0[index] = 1 }
        left.withLock { $0 -= 1 }
      }
      pump.input.requestMediaDataWhenReady(on: queue) { work.run(isCancelled: self.isCancelled) }
    }
    while left.wait(until: HangLimit(nanoseconds: 50_000_000).deadline, for: { $0 == 0 }, then: { _ in })
      == nil
    {
      // An input that is closed because writing has failed asks for nothing any more.
      if writer.status == .failed || writer.status == .cancelled { break }
    }
    if let error = reader.error ?? writer.error { throw error }
    guard !isCancelled else { throw AVError(.operationCancelled, because: "The export was cancelled.") }
    writer.endSession(atSourceTime: range.end)
    let done = DispatchSemaphore(value: 0)
    writer.finishWriting { done.signal() }
    done.wait()
    if let error = writer.error { throw error }
    guard writer.status == .completed else {
      throw AVError(.operationCancelled, because: "The export was cancelled.")
    }
    progress(1)
  }
}

/// Carries one output's samples to one input.
private final class PumpWork: @unchecked Sendable {  // Safe because the input's queue alone uses it.
  private let output: AVAssetReaderOutput
  private let input: AVAssetWriterInput
  private let last: CMTime
  private let reached: @Sendable (CMTime) -> Void
  private let ended: @Sendable () -> Void
  private var isOver = false

  init(
    _ output: AVAssetReaderOutput, _ input: AVAssetWriterInput, last: CMTime,
    reached: @escaping @Sendable (CMTime) -> Void, ended: @escaping @Sendable () -> Void
  ) {
    self.output = output
    self.input = input
    self.last = last
    self.reached = reached
    self.ended = ended
  }

  func run(isCancelled: Bool) {
    guard !isOver else { return }
    while input.isReadyForMoreMediaData {
      guard !isCancelled, let sample = output.copyNextSampleBuffer(), input.append(sample) else {
        isOver = true
        input.markAsFinished()
        ended()
        return
      }
      reached(sample.presentationTimeStamp)
    }
  }
}
