import Glibc
import Linux
import V4L2Devices
import Waiting

extension ScriptedKernel {
  /// An answer that is not the expected one.
  enum CallFault: Sendable, Hashable, CaseIterable {
    /// The call is refused as broken, or as one of a driver that is busy.
    case broken, busy
    /// The next picture is cut off.
    case shortRead
    /// No picture comes any more.
    case silence
    /// The camera is pulled out.
    case unplug
  }

  /// Lets the call of this number, counted from 1 from now on, meet a fault; only that one.
  func trap(_ number: Int, _ fault: CallFault) {
    state.withLock { $0.trap.set(number, fault, after: $0.calls.count) }
  }

  /// Takes the trap away, and what it did to cameras that are still there.
  func disarm() {
    state.withLock { state in
      state.trap.disarm()
      state.isSilent = false
      state.isShort = false
    }
  }

  /// Meets the fault where this call is the one.
  func spring(_ call: VideoCall) throws(KernelRefusal) {
    let fault = state.withLock { state -> CallFault? in
      guard let fault = state.trap.spring(after: state.calls.count) else { return nil }
      switch fault {
      case .silence: state.isSilent = true
      case .shortRead: state.isShort = true
      case .broken, .busy: state.calls.append(call)
      case .unplug: break
      }
      return fault
    }
    switch fault {
    case .broken: throw KernelRefusal(call, EIO)
    case .busy: throw KernelRefusal(call, EBUSY)
    case .unplug: unplug("/dev/video0")
    case .shortRead, .silence, nil: break
    }
  }
}
