import ALSADevices
import Glibc
import Linux

extension ScriptedAudioLibrary {
  /// An answer that is not the expected one.
  enum CallFault: Sendable, Hashable, CaseIterable {
    /// The call is refused as broken, or for a card that is busy, or for audio that was lost.
    case broken, busy, overrun
    /// The next reading gets a part of what there is.
    case shortRead
    /// No audio comes any more.
    case silence
    /// The microphone is pulled out.
    case unplug
  }

  /// Lets the call of this number, counted from 1 from now on, meet a fault; only that one.
  func trap(_ number: Int, _ fault: CallFault) {
    state.withLock { $0.trap = ($0.calls.count + number, fault) }
  }

  /// Takes the trap away, and what it did to cards that are still there.
  func disarm() {
    state.withLock { state in
      state.trap = nil
      state.isSilent = false
      state.isShort = false
    }
  }

  /// Meets the fault where this call is the one.
  func spring(_ call: AudioCall) throws(AudioRefusal) {
    let fault = state.withLock { state -> CallFault? in
      guard let trap = state.trap, trap.call == state.calls.count + 1 else { return nil }
      state.trap = nil
      switch trap.fault {
      case .silence: state.isSilent = true
      case .shortRead: state.isShort = true
      case .broken, .busy, .overrun: state.calls.append(call)
      case .unplug: break
      }
      return trap.fault
    }
    switch fault {
    case .broken: throw AudioRefusal(call, EIO)
    case .busy: throw AudioRefusal(call, EBUSY)
    case .overrun: throw AudioRefusal(call, EPIPE)
    case .unplug: unplug(card: 0)
    case .shortRead, .silence, nil: break
    }
  }

  /// Waits until no card is open, at most half a minute; whether that came.
  func waitForRest() -> Bool {
    state.wait(
      until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0.devices.isEmpty }, then: { _ in }) != nil
  }
}
