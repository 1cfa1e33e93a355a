import ALSADevices
import Glibc
import Linux
import Waiting

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
    state.withLock { $0.trap.set(number, fault, after: $0.calls.count) }
  }

  /// Takes the trap away, and what it did to cards that are still there.
  func disarm() {
    state.withLock { state in
      state.trap.disarm()
      state.isSilent = false
      state.isShort = false
    }
  }

  /// Meets the fault where this call is the one.
  func spring(_ call: AudioCall) throws(AudioRefusal) {
    let fault = state.withLock { state -> CallFault? in
      guard let fault = state.trap.spring(after: state.calls.count) else { return nil }
      switch fault {
      case .silence: state.isSilent = true
      case .shortRead: state.isShort = true
      case .broken, .busy, .overrun: state.calls.append(call)
      case .unplug: break
      }
      return fault
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
  func waitForRest() -> Bool { state.wait { $0.devices.isEmpty } }
}
