internal import Foundation
internal import Linux
internal import MediaFiles

/// How a writer ends, whatever ends it.
extension AVAssetWriter {
  /// Writes what encoders hold and what waits for the next sample, which may be long in coming; on ``queue``.
  func writeAll() {
    guard status == .writing, let file else { return }
    do {
      for track in tracks { try track.drain(into: file) }
      try file.flush()
    } catch {
      fail(error)
    }
  }

  /// On ``queue``, behind all samples.
  func complete() {
    guard status == .writing, let target = sampleFile else { return }
    do {
      for track in tracks { try track.finish(into: target) }
      try file?.finish(at: state.withLock { $0.sessionEnd })
      segments?.finish()
      (file, segments, wait) = (nil, nil, nil)
      state.withLock { $0.status = .completed }
    } catch {
      fail(error)
    }
  }

  /// Removes the file of a writer that goes on no more, and no other that has its name.
  func removeFile() {
    queue.sync {
      file?.cancel()
      (file, segments) = (nil, nil)
    }
  }

  /// Notes why writing cannot go on; the file keeps what was written.
  ///
  /// On ``queue`` once writing has begun.
  func fail(_ error: any Error) {
    guard [.unknown, .writing].contains(status) else { return }
    (wait, segments) = (nil, nil)
    let final = file?.abandon(error as? MovieFileError)
    let reason: AVError =
      switch final ?? error {
      case let error as AVError: error
      case let error as MovieFileError: AVError(writing: error)
      default: AVError(.unknown, because: "\(error)", underlying: error)
      }
    let inputs = state.withLock { state -> [AVAssetWriterInput] in
      guard state.status == .unknown || state.status == .writing else { return [] }
      state.status = .failed
      state.error = reason
      return state.inputs
    }
    for input in inputs { input.close(self) }
  }
}
