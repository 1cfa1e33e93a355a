#if !TOOLCHAIN_HAS_SERIAL_QUEUE
  public import Dispatch

  /// A serial queue that can be an actor's executor.
  ///
  /// An actor whose `unownedExecutor` is this queue's runs on it, and may take `assumeIsolated` in callbacks that come on it.
  /// Dispatch of Linux lacks the class, and its `DispatchQueue` cannot be subclassed, so this is another name of that class;
  /// the manifest leaves it out under a toolchain that has the class.
  ///
  /// - Note: Unlike Apple's, the name stands for every `DispatchQueue`, so a concurrent or global one passes the compiler.
  ///   On a concurrent queue an actor's jobs still run one at a time, as barriers; a global queue traps.
  ///
  /// Apple: `DispatchSerialQueue`.
  public typealias DispatchSerialQueue = DispatchQueue

  extension DispatchQueue: @retroactive Executor, @retroactive SerialExecutor {
    /// Runs a job of an actor on the queue, alone and after those before it.
    ///
    /// Called by the Swift runtime. Apple: `DispatchSerialQueue.enqueue(_:)`.
    public func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      ActorJobs.add()
      // A manual clock waits for the job: a task that loops over notifications has to observe them before the next event.
      let work = InFlight.carried { [self] in
        job.runSynchronously(on: asUnownedSerialExecutor())
        ActorJobs.remove()
      }
      // Costs nothing on a serial queue, and keeps a concurrent one from running two jobs of an actor at once.
      async(flags: .barrier, execute: work)
    }

    /// The queue as an actor's `unownedExecutor`; the actor must keep the queue.
    ///
    /// Traps on a global queue, which runs several jobs at once whatever they are. Apple:
    /// `DispatchSerialQueue.asUnownedSerialExecutor()`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
      precondition(
        !label.hasPrefix("com.apple.root."),
        "A global queue cannot be an actor's executor; make a DispatchSerialQueue(label:).")
      return UnownedSerialExecutor(ordinary: self)
    }

    /// Traps unless the caller runs on the queue.
    ///
    /// What `assumeIsolated` and `preconditionIsolated` of an actor on the queue ask. Apple:
    /// `DispatchSerialQueue.checkIsolated()`.
    public func checkIsolated() {
      dispatchPrecondition(condition: .onQueue(self))
    }
  }
#endif
