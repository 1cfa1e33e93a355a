import Glibc
import Linux
import V4L2Devices

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
    state.withLock { $0.trap = ($0.calls.count + number, fault) }
  }

  /// Takes the trap away, and what it did to cameras that are still there.
  func disarm() {
    state.withLock { state in
      state.trap = nil
      state.isSilent = false
      state.isShort = false
    }
  }

  /// Meets the fault where this call is the one.
  func spring(_ call: VideoCall) throws(KernelRefusal) {
    let fault = state.withLock { state -> CallFault? in
      guard let trap = state.trap, trap.call == state.calls.count + 1 else { return nil }
      state.trap = nil
      switch trap.fault {
      case .silence: state.isSilent = true
      case .shortRead: state.isShort = true
      case .broken, .busy: state.calls.append(call)
      case .unplug: break
      }
      return trap.fault
    }
    switch fault {
    case .broken: throw KernelRefusal(call, EIO)
    case .busy: throw KernelRefusal(call, EBUSY)
    case .unplug: unplug("/dev/video0")
    case .shortRead, .silence, nil: break
    }
  }

  /// Waits until nothing is open or mapped, at most half a minute; whether that came.
  func waitForRest() -> Bool {
    state.wait(
      until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0.handles.isEmpty && $0.mapped.isEmpty },
      then: { _ in }) != nil
  }
}
