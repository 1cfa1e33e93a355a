internal import AVFoundation
internal import FoundationExtras
internal import Linux

/// Keeps the codes that come into view; one that stays there is reported once, and again after it was away for a second.
final class Sightings: NSObject, AVCaptureMetadataOutputObjectsDelegate, Sendable {
  private enum Presence {
    case inView
    case away(since: Int64)
  }

  private struct State {
    var known: [[String]: Presence] = [:]
    var new: [ScanAnswer] = []
  }

  private let state = Monitor(State())
  private static let awayNanoseconds: Int64 = 1_000_000_000

  func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {
    let answers = metadataObjects.compactMap { $0 as? AVMetadataMachineReadableCodeObject }.map(
      ScanAnswer.init)
    let inView = Set(answers.map(\.identity))
    let now = WorldTime.current.now.nanoseconds
    state.withLock { state in
      for (identity, presence) in state.known where !inView.contains(identity) {
        switch presence {
        case .inView: state.known[identity] = .away(since: now)
        // Codes that are gone must not pile up.
        case .away(let since) where now - since > Self.awayNanoseconds: state.known[identity] = nil
        case .away: break
        }
      }
      for answer in answers {
        switch state.known.updateValue(.inView, forKey: answer.identity) {
        case .inView: break
        case .away(let since) where now - since <= Self.awayNanoseconds: break
        case .away, nil: state.new.append(answer)
        }
      }
    }
  }

  /// Forgets what is in view.
  func forget() {
    state.withLock { $0.known = [:] }
  }

  func takeNew(until moment: MonotonicInstant) -> [ScanAnswer] {
    state.wait(until: moment, on: .current, for: { !$0.new.isEmpty }) { state in
      defer { state.new = [] }
      return state.new
    } ?? []
  }
}
