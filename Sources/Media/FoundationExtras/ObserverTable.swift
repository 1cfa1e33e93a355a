internal import Linux

/// The observers of one object: what stands behind `observe(_:options:changeHandler:)` of our classes.
///
/// A class that is ``KeyValueObservable`` owns one and announces each change of an observable property through
/// ``changing(_:of:_:)`` or ``changed(_:of:from:to:number:)``. Handlers run on the thread of the change, outside every lock of
/// the table, in the order in which they were added. Thread-safe.
public final class ObserverTable: Sendable {
  /// The registration of one observer: the property, the options, and the function to call.
  final class Registration: @unchecked Sendable {  // Safe: constants, and a flag under its lock.
    let keyPath: AnyKeyPath
    let options: NSKeyValueObservingOptions
    /// Old value, new value, prior.
    ///
    /// Casts back to the property's type.
    let call: @Sendable (Any?, Any?, Bool) -> Void
    let objectEnded: (@Sendable () -> Void)?
    private let active = Locked(true)
    /// The number of the newest change that the observer was notified of.
    private let newest = Locked(UInt64(0))

    init(
      keyPath: AnyKeyPath, options: NSKeyValueObservingOptions,
      objectEnded: (@Sendable () -> Void)? = nil,
      call: @escaping @Sendable (Any?, Any?, Bool) -> Void
    ) {
      self.keyPath = keyPath
      self.options = options
      self.call = call
      self.objectEnded = objectEnded
    }

    var isActive: Bool { active.withLock { $0 } }

    func end() {
      active.withLock { $0 = false }
    }

    /// Notes a change of that number; `false` when the observer was already notified of a newer one.
    func takes(_ number: UInt64) -> Bool {
      newest.withLock { newest in
        guard number >= newest else { return false }
        newest = number
        return true
      }
    }
  }

  private let registrations = Locked<[Registration]>([])

  /// An empty table.
  public init() {}

  deinit {
    for registration in registrations.withLock({ $0 }) { registration.objectEnded?() }
  }

  func add(_ registration: Registration) {
    registrations.withLock { $0.append(registration) }
  }

  func remove(_ registration: Registration) {
    // Kept until after the lock is left: the handler's captures may run a client's `deinit`.
    var removed: Registration?
    registrations.withLock { list in
      if let index = list.firstIndex(where: { $0 === registration }) { removed = list.remove(at: index) }
    }
    withExtendedLifetime(removed) {}
  }

  /// How many observers the object has; for tests.
  package var count: Int {
    registrations.withLock { $0.count }
  }

  // MARK: Announcing

  /// Runs `body`, which changes the property at `keyPath`, and notifies the observers before and after.
  ///
  /// Reads the property through `keyPath` only when an observer wants the value. Call it without holding a lock, name
  /// the class that declares the property (`\AVCaptureSession.isRunning`), and let one thread at a time change it.
  package func changing<Root: AnyObject, Value, Result>(
    _ keyPath: KeyPath<Root, Value>, of object: Root, _ body: () throws -> Result
  ) rethrows -> Result {
    HeldLocks.assertNone(in: "ObserverTable.changing(_:of:_:)")
    let observers = matching(keyPath)
    guard !observers.isEmpty else { return try body() }
    let wantsOld = observers.contains { $0.options.contains(.old) }
    let old: Value? = wantsOld ? object[keyPath: keyPath] : nil
    for observer in observers where observer.options.contains(.prior) && observer.isActive {
      observer.call(observer.options.contains(.old) ? old : nil, nil, true)
    }
    let result = try body()
    let wantsNew = observers.contains { $0.options.contains(.new) }
    notify(observers, old: old, new: wantsNew ? object[keyPath: keyPath] : nil)
    return result
  }

  /// Notifies the observers that the property at `keyPath` has changed from `old` to `new`.
  ///
  /// For state behind a lock: change it, leave the lock, call this. Observers that want a call before the change get
  /// it right before the one after.
  ///
  /// - Parameter number: For properties that change on several threads, a number that increases with each change. Observers that were
  ///   already notified of a newer change are skipped, so that the last value they get is the current one.
  package func changed<Root, Value>(
    _ keyPath: KeyPath<Root, Value>, of object: Root, from old: Value, to new: Value, number: UInt64? = nil
  ) {
    HeldLocks.assertNone(in: "ObserverTable.changed(_:of:from:to:)")
    var observers = matching(keyPath)
    if let number { observers = observers.filter { $0.takes(number) } }
    guard !observers.isEmpty else { return }
    for observer in observers where observer.options.contains(.prior) && observer.isActive {
      observer.call(observer.options.contains(.old) ? old : nil, nil, true)
    }
    notify(observers, old: old, new: new)
    withExtendedLifetime(object) {}
  }

  private func matching(_ keyPath: AnyKeyPath) -> [Registration] {
    registrations.withLock { list in list.filter { $0.keyPath == keyPath } }
  }

  private func notify(_ observers: [Registration], old: Any?, new: Any?) {
    for observer in observers where observer.isActive {
      observer.call(
        observer.options.contains(.old) ? old : nil, observer.options.contains(.new) ? new : nil, false)
    }
  }

  // MARK: Properties that subclasses inherit

  /// Notes that a getter of the declared property at `keyPath` runs.
  ///
  /// `\Subclass.isRunning` and `\Session.isRunning` are different key paths, and Swift cannot compare them. A getter
  /// that calls this lets `observe` learn which declared property a key path of a subclass reads. Only needed in
  /// classes that have subclasses. Some 10 ns.
  package func access(_ keyPath: AnyKeyPath) {
    guard let probe = Self.probe, probe.table === self else { return }
    // The getter that was asked comes first; those it reads itself follow.
    probe.keyPath.withLock { if $0 == nil { $0 = Path(keyPath) } }
  }

  /// The declared property that reading `keyPath` reaches, or `keyPath` itself when its getter does not show it.
  func declaredKeyPath<Root: AnyObject, Value>(_ keyPath: KeyPath<Root, Value>, of object: Root) -> AnyKeyPath
  {
    let probe = Probe(self)
    Self.$probe.withValue(probe) { _ = object[keyPath: keyPath] }
    return probe.keyPath.withLock { $0 }?.value ?? keyPath
  }

  private struct Path: @unchecked Sendable {  // Safe because a key path without captures never changes.
    let value: AnyKeyPath

    init(_ value: AnyKeyPath) {
      self.value = value
    }
  }

  private final class Probe: Sendable {
    let table: ObserverTable
    let keyPath = Locked<Path?>(nil)

    init(_ table: ObserverTable) {
      self.table = table
    }
  }

  @TaskLocal private static var probe: Probe?
}
