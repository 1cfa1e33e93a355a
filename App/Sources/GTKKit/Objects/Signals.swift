import CGTK

/// A type of argument that a signal passes to a closure.
package protocol SignalArgument {
  /// The argument out of GLib's box.
  @MainActor static func read(_ value: UnsafePointer<GValue>) -> Self
}

extension Bool: SignalArgument {
  package static func read(_ value: UnsafePointer<GValue>) -> Bool { g_value_get_boolean(value) != 0 }
}

extension Double: SignalArgument {
  package static func read(_ value: UnsafePointer<GValue>) -> Double { g_value_get_double(value) }
}

extension Int: SignalArgument {
  package static func read(_ value: UnsafePointer<GValue>) -> Int { Int(g_value_get_int(value)) }
}

extension UInt: SignalArgument {
  package static func read(_ value: UnsafePointer<GValue>) -> UInt { UInt(g_value_get_uint(value)) }
}

extension String: SignalArgument {
  package static func read(_ value: UnsafePointer<GValue>) -> String {
    g_value_get_string(value).map { String(cString: $0) } ?? ""
  }
}

/// A type of result that a closure returns to a signal.
package protocol SignalResult {
  /// Puts the result into GLib's box, when the signal wants one.
  @MainActor func write(_ value: UnsafeMutablePointer<GValue>)
}

extension Bool: SignalResult {
  package func write(_ value: UnsafeMutablePointer<GValue>) { g_value_set_boolean(value, self ? 1 : 0) }
}

/// A closure as GLib holds it.
@MainActor
private final class Handler {
  let call: @MainActor (UnsafePointer<GValue>, UnsafeMutablePointer<GValue>?) -> Void

  init(_ call: @escaping @MainActor (UnsafePointer<GValue>, UnsafeMutablePointer<GValue>?) -> Void) {
    self.call = call
  }
}

/// Reads the arguments of one signal from the first on.
@MainActor
private struct ArgumentReader {
  var next: UnsafePointer<GValue>

  mutating func read<Argument: SignalArgument>(_ type: Argument.Type) -> Argument {
    next += 1
    return Argument.read(next)
  }
}

extension Object {
  /// Calls `body` with the signal's arguments, or its first ones, whenever the signal comes.
  ///
  /// The closure lives as long as the object. A name that the object does not have is a mistake that GLib reports.
  @discardableResult
  package func on<each Argument: SignalArgument>(
    _ signal: String, _ body: @escaping @MainActor (repeat each Argument) -> Void
  ) -> UInt {
    connect(signal) { values, _ in
      var reader = ArgumentReader(next: values)
      body(repeat reader.read((each Argument).self))
    }
  }

  /// Calls `body` and gives its answer to the signal.
  @discardableResult
  package func on<each Argument: SignalArgument, Result: SignalResult>(
    _ signal: String, answering body: @escaping @MainActor (repeat each Argument) -> Result
  ) -> UInt {
    connect(signal) { values, result in
      var reader = ArgumentReader(next: values)
      let answer = body(repeat reader.read((each Argument).self))
      if let result { answer.write(result) }
    }
  }

  /// Ends what ``on(_:_:)`` began.
  package func disconnect(_ handler: UInt) {
    g_signal_handler_disconnect(raw, gulong(handler))
  }

  private func connect(
    _ signal: String,
    _ call: @escaping @MainActor (UnsafePointer<GValue>, UnsafeMutablePointer<GValue>?) -> Void
  ) -> UInt {
    let data = Unmanaged.passRetained(Handler(call)).toOpaque()
    let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), data)
    g_closure_add_finalize_notifier(closure, data) { data, _ in
      if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
    }
    g_closure_set_marshal(closure) { closure, result, _, values, _, _ in
      // Safe because GTK emits on the main thread, and the values live until this returns.
      nonisolated(unsafe) let (closure, result, values) = (closure, result, values)
      MainActor.assumeIsolated {
        guard let values, let data = closure?.pointee.data else { return }
        Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().call(values, result)
      }
    }
    return UInt(g_signal_connect_closure(raw, signal, closure, 0))
  }
}
