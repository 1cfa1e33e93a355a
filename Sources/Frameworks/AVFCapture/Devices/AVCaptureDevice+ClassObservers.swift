internal import CaptureDevice
public import FoundationExtras

extension AVCaptureDevice {
  /// Who observes the class's own properties.
  static let classObservers = ObserverTable()

  /// Observes a property of the class, such as ``isPortraitEffectEnabled``.
  ///
  /// The handler is called after each change, on a queue of its own, one call at a time.
  ///
  /// - Parameters:
  ///   - keyPath: The property, such as `\.isPortraitEffectEnabled`.
  ///   - options: Which values to hand over, and whether to call at once and before changes, too.
  ///   - changeHandler: Gets the class and the change.
  /// - Returns: The token; the observing ends when it is invalidated or goes away.
  ///
  /// - Note: Unlike on Apple's platforms, where the class itself is an Objective-C object that can be observed.
  public static func observe<Value>(
    _ keyPath: KeyPath<AVCaptureDevice.Type, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (AVCaptureDevice.Type, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    DeviceVideoEffects.followChoices()
    return classObservers.observe(
      AVCaptureDevice.self, keyPath, options: options, changeHandler: changeHandler)
  }

  /// The values of a property of the class: the present one, then each new one.
  ///
  /// Keeps at most the 16 newest values that were not asked for yet. Ends when the iterating task is cancelled.
  public static func values<Value: Sendable>(
    for keyPath: KeyPath<AVCaptureDevice.Type, Value>
  ) -> AsyncStream<Value> {
    AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
      let observation = observe(keyPath, options: [.initial, .new]) { _, change in
        if let value = change.newValue { continuation.yield(value) }
      }
      continuation.onTermination = { _ in observation.invalidate() }
    }
  }
}
