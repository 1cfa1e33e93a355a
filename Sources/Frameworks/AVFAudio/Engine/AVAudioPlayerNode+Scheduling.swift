internal import Foundation
internal import FoundationExtras
internal import Linux

extension AVAudioPlayerNode {
  /// Plays a buffer behind what is scheduled.
  ///
  /// Apple: `AVAudioPlayerNode.scheduleBuffer(_:completionHandler:)`.
  public func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionHandler: (@Sendable () -> Void)? = nil) {
    scheduleBuffer(buffer, at: nil, options: [], completionHandler: completionHandler)
  }

  /// Plays a buffer at a time of the player's.
  ///
  /// Its channels and rate are those of the node's output: others are a programming mistake without effect.
  ///
  /// - Parameter when: The player's own time, as the place of a sample; `nil` for behind what is scheduled.
  ///
  /// Apple: `AVAudioPlayerNode.scheduleBuffer(_:at:options:completionHandler:)`.
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
    completionHandler: (@Sendable () -> Void)? = nil
  ) {
    schedule(
      buffer, at: when, options, .dataConsumed, Self.ignoringType(completionHandler))
  }

  /// Plays a buffer behind what is scheduled, and says when it is as far as is asked for.
  ///
  /// Apple: `AVAudioPlayerNode.scheduleBuffer(_:completionCallbackType:completionHandler:)`.
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) {
    schedule(buffer, at: nil, [], callbackType, completionHandler)
  }

  /// Plays a buffer at a time of the player's, and says when it is as far as is asked for.
  ///
  /// Apple: `AVAudioPlayerNode.scheduleBuffer(_:at:options:completionCallbackType:completionHandler:)`.
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) {
    schedule(buffer, at: when, options, callbackType, completionHandler)
  }

  private func schedule(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions,
    _ type: AVAudioPlayerNodeCompletionCallbackType, _ completion: AVAudioPlayerNodeCompletionHandler?
  ) {
    let format = outputFormat(forBus: 0)
    guard buffer.format.channelCount == format.channelCount, buffer.format.sampleRate == format.sampleRate
    else {
      ProgrammingMistake.report(
        rule: """
          A buffer has the rate and the channels of the player's output, \(format.sampleRate) Hz and \(format.channelCount) \
          here; given were \(buffer.format.sampleRate) Hz and \(buffer.format.channelCount).
          """)
      return
    }
    add(BufferSource(buffer), at: when, options, type, completion)
  }

  private func add(
    _ source: any PlayerSource, at when: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions,
    _ type: AVAudioPlayerNodeCompletionCallbackType, _ completion: AVAudioPlayerNodeCompletionHandler?
  ) {
    let start = when.flatMap { $0.isSampleTimeValid ? $0.sampleTime : nil }
    let replaced = player.withLock { $0.add(source, at: start, options, type, completion) }
    call(replaced.compactMap(\.done))
  }

  private static func ignoringType(_ body: (@Sendable () -> Void)?) -> AVAudioPlayerNodeCompletionHandler? {
    guard let body else { return nil }
    return { _ in body() }
  }

  // MARK: Files

  /// Plays a whole file.
  ///
  /// Rate and channels are converted. Apple: `AVAudioPlayerNode.scheduleFile(_:at:completionHandler:)`.
  public func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?, completionHandler: (@Sendable () -> Void)? = nil
  ) {
    scheduleFile(
      file, at: when, completionCallbackType: .dataConsumed,
      completionHandler: Self.ignoringType(completionHandler))
  }

  /// Plays a whole file, and says when it is as far as is asked for.
  ///
  /// Apple: `AVAudioPlayerNode.scheduleFile(_:at:completionCallbackType:completionHandler:)`.
  public func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?,
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) {
    add(FileSource(file, from: 0, count: file.length), at: when, [], callbackType, completionHandler)
  }

  /// Plays a part of a file.
  ///
  /// Apple: `AVAudioPlayerNode.scheduleSegment(_:startingFrame:frameCount:at:completionHandler:)`.
  public func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
    frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?,
    completionHandler: (@Sendable () -> Void)? = nil
  ) {
    scheduleSegment(
      file, startingFrame: startFrame, frameCount: numberFrames, at: when,
      completionCallbackType: .dataConsumed,
      completionHandler: Self.ignoringType(completionHandler))
  }

  /// Plays a part of a file, and says when it is as far as is asked for.
  ///
  /// Apple: `AVAudioPlayerNode.scheduleSegment(_:startingFrame:frameCount:at:completionCallbackType:completionHandler:)`.
  public func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
    frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?,
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
  ) {
    add(
      FileSource(file, from: startFrame, count: AVAudioFramePosition(numberFrames)), at: when, [],
      callbackType,
      completionHandler)
  }

  // MARK: Waiting

  /// Plays a buffer, and waits until the node has taken all of it.
  ///
  /// Apple: `AVAudioPlayerNode.scheduleBuffer(_:at:options:)`.
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime? = nil, options: AVAudioPlayerNodeBufferOptions = []
  ) async {
    await withCheckedContinuation { continuation in
      scheduleBuffer(buffer, at: when, options: options) { continuation.resume() }
    }
  }

  /// Plays a whole file, and waits until the node has taken all of it.
  ///
  /// Apple: `AVAudioPlayerNode.scheduleFile(_:at:)`.
  public func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?) async {
    await withCheckedContinuation { continuation in
      scheduleFile(file, at: when) { continuation.resume() }
    }
  }
}
