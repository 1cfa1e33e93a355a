public import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux

/// The way in which a client renders an engine's audio.
///
/// Apple: `AVAudioEngineManualRenderingMode`.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
  /// As fast as the machine can.
  case offline = 0
  /// On a thread that may not wait.
  case realtime = 1
}

/// The outcome of rendering by hand.
///
/// Apple: `AVAudioEngineManualRenderingStatus`.
public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
  /// Nothing was rendered: see the error.
  case error = -1
  /// All that was asked for.
  case success = 0
  /// The input gave too little.
  case insufficientDataFromInputNode = 1
  /// Not now: try again.
  case cannotDoInCurrentContext = 2
}

/// Renders so many samples into a list of buffers, and says what went wrong.
public typealias AVAudioEngineManualRenderingBlock = (
  _ numberOfFrames: AVAudioFrameCount, _ outBuffer: UnsafeMutablePointer<AudioBufferList>,
  _ outError: UnsafeMutablePointer<OSStatus>?
) -> AVAudioEngineManualRenderingStatus

/// The settings of rendering by hand.
struct ManualRendering: Sendable {
  let mode: AVAudioEngineManualRenderingMode
  let format: AVAudioFormat
  let most: AVAudioFrameCount
  var place: AVAudioFramePosition = 0
}

extension AVAudioEngine {
  /// Lets a client render the audio instead of the hardware, in a format of its own.
  ///
  /// - Throws: An error with a sentence while the engine runs, and for a format that is no linear PCM.
  ///
  /// Apple: `AVAudioEngine.enableManualRenderingMode(_:format:maximumFrameCount:)`.
  public func enableManualRenderingMode(
    _ mode: AVAudioEngineManualRenderingMode, format pcmFormat: AVAudioFormat,
    maximumFrameCount: AVAudioFrameCount
  ) throws {
    guard !isRunning else {
      throw AVAudioFile.error(-80_800, "The engine renders by hand once it has stopped.")
    }
    guard pcmFormat.commonFormat == .pcmFormatFloat32, maximumFrameCount > 0 else {
      throw AVAudioFile.error(
        -80_801, "An engine renders 32-bit floating-point numbers, one moment or more at a time.")
    }
    let output = outputNode
    state.withLock { $0.manual = ManualRendering(mode: mode, format: pcmFormat, most: maximumFrameCount) }
    // The main mixer ends in the new format.
    if let mixer = state.withLock({ $0.mixer }) { connect(mixer, to: output, format: pcmFormat) }
  }

  /// Lets the hardware render again.
  ///
  /// Apple: `AVAudioEngine.disableManualRenderingMode()`.
  public func disableManualRenderingMode() {
    if isRunning { stop() }
    let old = state.withLock { state in
      defer { state.manual = nil }
      return state.manual
    }
    withExtendedLifetime(old) {}
  }

  /// Whether a client renders.
  ///
  /// Apple: `AVAudioEngine.isInManualRenderingMode`.
  public var isInManualRenderingMode: Bool { state.withLock { $0.manual != nil } }

  /// The way in which a client renders; offline while none does.
  ///
  /// Apple: `AVAudioEngine.manualRenderingMode`.
  public var manualRenderingMode: AVAudioEngineManualRenderingMode {
    state.withLock { $0.manual?.mode } ?? .offline
  }

  /// The format in which a client renders; that of the output while none does.
  ///
  /// Apple: `AVAudioEngine.manualRenderingFormat`.
  public var manualRenderingFormat: AVAudioFormat { renderedFormat }

  /// The most samples that are rendered at a time; 0 while none is.
  ///
  /// Apple: `AVAudioEngine.manualRenderingMaximumFrameCount`.
  public var manualRenderingMaximumFrameCount: AVAudioFrameCount { state.withLock { $0.manual?.most } ?? 0 }

  /// How many samples were rendered.
  ///
  /// Apple: `AVAudioEngine.manualRenderingSampleTime`.
  public var manualRenderingSampleTime: AVAudioFramePosition { state.withLock { $0.manual?.place } ?? 0 }

  /// Renders so many samples into a buffer, whose length is set.
  ///
  /// - Throws: An error with a sentence while the engine does not run, for more samples than were agreed, and for a buffer of another format
  ///   or with too little room.
  ///
  /// Apple: `AVAudioEngine.renderOffline(_:to:)`.
  public func renderOffline(
    _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
  ) throws -> AVAudioEngineManualRenderingStatus {
    guard isRunning, let manual = state.withLock({ $0.manual }) else {
      throw AVAudioFile.error(
        -80_802, "The engine does not run in manual rendering mode; enable it, and call start().")
    }
    guard numberOfFrames <= manual.most, numberOfFrames <= buffer.frameCapacity,
      buffer.format.isEqual(manual.format)
    else {
      throw AVAudioFile.error(
        -50,
        "At most \(manual.most) samples are rendered at a time, into a buffer of manualRenderingFormat with room for them."
      )
    }
    let heardAt = Int64(Double(manual.place) / manual.format.sampleRate * 1e9)
    let made = render(numberOfFrames, heardAt: heardAt)
    let channels = Int(manual.format.channelCount)
    buffer.write(
      made?.interleaved() ?? [Float](repeating: 0, count: Int(numberOfFrames) * channels),
      frames: Int(numberOfFrames))
    state.withLock { $0.manual?.place += AVAudioFramePosition(numberOfFrames) }
    return .success
  }

  /// Renders into a list of buffers, on any thread.
  ///
  /// Apple: `AVAudioEngine.manualRenderingBlock`.
  public var manualRenderingBlock: AVAudioEngineManualRenderingBlock {
    { [weak self] frames, list, status in
      guard let self, let buffer = RenderPass.silence(frames, manualRenderingFormat) else {
        status?.pointee = -50
        return .error
      }
      do {
        let outcome = try renderOffline(frames, to: buffer)
        let target = UnsafeMutableAudioBufferListPointer(list)
        let source = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
        for (index, from) in source.enumerated() where index < target.count {
          guard let bytes = from.mData, let room = target[index].mData else { continue }
          let count = min(from.mDataByteSize, target[index].mDataByteSize)
          room.copyMemory(from: bytes, byteCount: Int(count))
          target[index].mDataByteSize = count
        }
        return outcome
      } catch {
        status?.pointee = OSStatus(clamping: (error as NSError).code)
        return .error
      }
    }
  }
}
