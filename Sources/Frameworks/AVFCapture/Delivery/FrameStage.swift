package import CaptureDevice
package import CoreVideo
internal import Linux
internal import StillCodecs
internal import PhotoProcessing

/// What is done once to every frame of a stream, for all of its consumers: decoding.
///
/// One for each running device. Data outputs, previews and the metadata search ask it for a frame's picture. The
/// first to ask does the work, on its own thread; others that ask for the same frame meanwhile wait for it. The newest picture is
/// kept until a newer frame is asked for; after that the work is done again. An effect that changes every frame of a
/// stream belongs here, behind the decoder.
///
/// Thread-safe.
package final class FrameStage: Sendable {
  /// Makes the picture of a frame.
  package typealias Work = @Sendable (CapturedFrame) throws -> CVPixelBuffer

  private struct State {
    /// The frame; weak, because with it goes a buffer of the device's.
    weak var content: FrameContent?
    var sequence: UInt32 = 0
    var isWorking = false
    /// The frame's picture, or what is wrong with it.
    var result: Result<CVPixelBuffer, StillCodecError>?
  }

  private enum Place {
    case known(Result<CVPixelBuffer, StillCodecError>)
    /// The caller works for all; what was kept until now goes outside the lock.
    case first(old: Result<CVPixelBuffer, StillCodecError>?)
    case late
  }

  private let state = Monitor(State())
  private let work: Work

  /// The stage of one stream.
  package convenience init() {
    let decoder = FrameDecoder()
    self.init { try decoder.open($0) }
  }

  /// A stage that does `work` to each frame that is not uncompressed.
  package init(work: @escaping Work) {
    self.work = work
  }

  /// The frame's picture: the device's own memory, or a decoded one that all consumers share and none may write to.
  ///
  /// May wait for as long as another thread decodes.
  /// - Throws: What ``FrameDecoder/open(_:)`` throws. A damaged picture is as damaged for everyone; a lack of memory says
  ///   nothing about the next who asks.
  package func picture(of frame: CapturedFrame) throws -> CVPixelBuffer {
    if let pixels = frame.content.uncompressed() { return pixels }
    let content = frame.content
    let place = state.wait {
      !($0.isWorking && $0.content === content)
    } then: { state -> Place in
      if state.content === content, let result = state.result { return .known(result) }
      // The device's count may wrap, or begin anew.
      if state.content != nil, Int32(bitPattern: frame.sequence &- state.sequence) < 0 { return .late }
      let old = state.result
      state.content = content
      state.sequence = frame.sequence
      state.isWorking = true
      state.result = nil
      return .first(old: old)
    }
    switch place {
    case .known(let result): return try result.get()
    case .late, nil: return try work(frame)
    case .first(let old):
      withExtendedLifetime(old) {}
      do {
        let picture = try work(frame)
        note(.success(picture), of: content)
        return picture
      } catch {
        note((error as? StillCodecError).map { .failure($0) }, of: content)
        throw error
      }
    }
  }

  /// Ends the wait of who asked for the same frame; `nil` lets the next of them try.
  private func note(_ result: Result<CVPixelBuffer, StillCodecError>?, of content: FrameContent) {
    state.withLock { state in
      // A newer frame may have been asked for meanwhile.
      guard state.content === content else { return }
      state.isWorking = false
      state.result = result
    }
  }
}
