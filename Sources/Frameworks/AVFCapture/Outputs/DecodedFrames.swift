package import CaptureDevice
package import CoreVideo
internal import Linux
internal import StillCodecs

/// The newest decoded picture of a stream, so that each compressed frame is decoded once, however many outputs show it.
///
/// One for each stream. Whoever asks for a frame first decodes it, on its own thread and into memory of its own pool; who asks
/// for the same frame meanwhile waits for that. One picture is kept, until somebody asks for a newer frame's; who comes later
/// than that decodes for itself. Thread-safe.
package final class DecodedFrames: Sendable {
  private struct State {
    /// The frame; weak, because with it goes a buffer of the device's.
    weak var content: FrameContent?
    /// The frame's address.
    var contentID: ObjectIdentifier?
    var sequence: UInt32 = 0
    var isBeingOpened = false
    /// The frame's picture, or what is wrong with it.
    var result: Outcome?

    typealias Outcome = Result<CVPixelBuffer, StillCodecError>

    /// Whether the frame is `other`, which the caller holds: no other frame's reference becomes strong.
    func isOf(_ other: FrameContent) -> Bool {
      contentID == ObjectIdentifier(other) && content != nil
    }
  }

  private enum Place {
    case known(Result<CVPixelBuffer, StillCodecError>)
    /// The caller opens it for all.
    case firstToAsk
    case late
  }

  private let state = Monitor(State())

  /// Pictures of one stream; none yet.
  package init() {}

  /// The picture of `frame`, made by `decode` unless somebody else has made it or is about to.
  ///
  /// May wait for as long as another thread decodes.
  /// - Throws: what `decode` throws. A damaged picture is as damaged for everyone; who had no memory for it says nothing
  ///   about others.
  package func picture(
    of frame: CapturedFrame, decode: () throws -> CVPixelBuffer
  ) throws -> CVPixelBuffer {
    let content = frame.content
    let answer = state.wait {
      !($0.isBeingOpened && $0.isOf(content))
    } then: { state -> (place: Place, formerContent: FrameContent?, formerResult: State.Outcome?) in
      // The former ones go after the lock is left: with them buffers return to their owners.
      let (formerContent, formerResult) = (state.content, state.result)
      if formerContent === content, let formerResult { return (.known(formerResult), nil, nil) }
      // The device's count may wrap, or begin anew.
      if formerContent != nil, Int32(bitPattern: frame.sequence &- state.sequence) < 0 {
        return (.late, formerContent, nil)
      }
      state.content = content
      state.contentID = ObjectIdentifier(content)
      state.sequence = frame.sequence
      state.isBeingOpened = true
      state.result = nil
      return (.firstToAsk, formerContent, formerResult)
    }
    switch answer?.place {
    case .known(let result): return try result.get()
    case .late, nil: return try decode()
    case .firstToAsk:
      withExtendedLifetime(answer) {}
      do {
        let picture = try decode()
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
    let old = state.withLock { state -> State.Outcome? in
      // Somebody may have asked for a newer frame meanwhile.
      guard state.isOf(content) else { return nil }
      state.isBeingOpened = false
      defer { state.result = result }
      return state.result
    }
    withExtendedLifetime(old) {}
  }
}
