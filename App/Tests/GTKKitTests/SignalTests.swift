import CGTK
import Testing

@testable import GTKKit

@Suite @MainActor struct SignalTests {
  @Test func `a closure gets the signal's arguments with their types`() {
    let action = Object(g_simple_action_new("act", nil))
    var calls = 0
    action.on("activate") { calls += 1 }
    g_action_activate(action.opaque, nil)
    #expect(calls == 1)
  }

  @Test func `a closure that was disconnected is called no more and let go`() {
    final class Witness {}
    let action = Object(g_simple_action_new("act", nil))
    weak var witness: Witness?
    var handler: UInt = 0
    do {
      let held = Witness()
      witness = held
      handler = action.on("activate") { _ = held }
    }
    #expect(witness != nil)
    action.disconnect(handler)
    #expect(witness == nil)
  }

  @Test func `a wrapper holds its object, and lets it go`() {
    final class Witness {}
    weak var witness: Witness?
    do {
      let action = Object(g_simple_action_new("act", nil))
      // The maker's reference is one more than the wrapper's.
      g_object_unref(action.raw)
      let held = Witness()
      witness = held
      action.on("activate") { _ = held }
      #expect(witness != nil)
    }
    #expect(witness == nil)
  }

  @Test func `texts without a catalogue stay as they are, with their values`() {
    #expect(tr("%@ of %@", "1", "2") == "1 of 2")
    #expect(tr("50 %") == "50 %")
    #expect(trn("%@ photo", "%@ photos", 3) == "3 photos")
  }
}
