internal import Linux
// For `LocalMemoryReader`, which copies memory through the kernel and fails where there is none. The public functions of Swift 6.3
// read it in place, and crash when another thread unmaps a file meanwhile.
@_spi(Contexts) @_spi(Internal) @_spi(MemoryReaders) internal import Runtime

/// A place in a client's source.
///
/// Taken from the stack: Apple's declarations have no room for a file and a line, and a defaulted parameter would change the type
/// of every reference to a method, and is impossible for a property. Works in release builds too, as long as the program's
/// debug information is there.
struct CallSite: Sendable {
  /// The source file's path.
  let file: String
  /// The line in it.
  let line: UInt
}

/// The innermost calls that a thread, or its task, was in: noting them takes microseconds, looking up their sources up to a second.
///
/// Equal stacks are one object, so that a mistake that is made again and again costs little.
final class CallStack: Sendable {
  private let stack: Backtrace
  private let site = Locked<CallSite??>(nil)

  /// As deep as this library's own calls go, and some of the client's.
  private static let depth = 24
  /// The program's parts when the first stack was noted: looking for them takes longer than all else.
  private static let images = captureImages()
  private static let known = Locked<[[Backtrace.Address]: CallStack]>([:])
  /// Programs have few mistakes; those that try all of them begin anew.
  private static let knownLimit = 512

  /// Where the floors of this library lie.
  private static let sources: String = {
    // Sources/Media/FoundationExtras/CallSite.swift
    let folders = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return folders.joined(separator: "/") + "/"
  }()

  private init(_ stack: Backtrace) {
    self.stack = stack
  }

  /// The present calls of the calling thread; `nil` where they are not known.
  @inline(never)
  static func current() -> CallStack? {
    let captured = HostContext.withCurrentContext { context in
      try? Backtrace.capture(
        from: context, using: LocalMemoryReader(), images: images, algorithm: .auto, limit: depth, top: 0)
    }
    guard let stack = captured else { return nil }
    let addresses = stack.frames.map(\.adjustedProgramCounter)
    return known.withLock { known in
      if let present = known[addresses] { return present }
      if known.count >= knownLimit { known = [:] }
      let new = CallStack(stack)
      known[addresses] = new
      return new
    }
  }

  /// The innermost call that is not this library's.
  ///
  /// `nil` where there is none, as on the library's own queues, and without debug information.
  var client: CallSite? {
    if let site = site.withLock({ $0 }) { return site }
    let found = lookUp()
    site.withLock { $0 = .some(found) }
    return found
  }

  private func lookUp() -> CallSite? {
    #if DEBUG
      // Nothing of a client is inlined, and looking for that takes longest.
      let options: Backtrace.SymbolicationOptions = [.showSourceLocations, .useSymbolCache]
    #else
      let options: Backtrace.SymbolicationOptions = [
        .showSourceLocations, .showInlineFrames, .useSymbolCache,
      ]
    #endif
    // Parts that were loaded since may call, too.
    for frame in stack.symbolicated(with: Self.captureImages(), options: options)?.frames ?? [] {
      if let location = frame.symbol?.sourceLocation, location.line > 0, Self.isClient(location.path) {
        return CallSite(file: location.path, line: UInt(location.line))
      }
    }
    return nil
  }

  private static func captureImages() -> ImageMap {
    ImageMap.capture(using: LocalMemoryReader())
  }

  /// Whether a source is none of this library's, whose commands count as clients, none of Swift's own, and no macro's.
  private static func isClient(_ path: String) -> Bool {
    if path.hasPrefix("/home/build-user/") || path.contains("/swift-generated-sources/") { return false }
    return !path.hasPrefix(sources) || path.hasPrefix(sources + "Apps/")
  }
}
