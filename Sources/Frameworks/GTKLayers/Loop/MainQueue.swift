#if GTKLayers
  internal import CGTK4
  internal import Dispatch
  internal import Glibc

  /// Lets GTK's main loop run what is sent to libdispatch's main queue, and with it the main actor.
  ///
  /// Delegates that are called on `DispatchQueue.main`, and `@MainActor` code, need it in a program whose loop is GTK's. libdispatch
  /// makes a descriptor readable when its main queue has work; GLib watches it beside its own and lets the queue run, so that
  /// nothing polls. Call it once, on the main thread, before the loop runs.
  @MainActor
  public func runMainQueueInMainLoop() {
    _ = g_unix_fd_add(
      _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
      { number, _, _ in
        // The descriptor stays readable, and the loop would turn for ever, until its count is taken; that comes first, so that
        // what is sent while the queue runs wakes the loop again.
        var count: UInt64 = 0
        while read(number, &count, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
        _dispatch_main_queue_callback_4CF(nil)
        return 1
      }, nil)
  }
#endif
