internal import Foundation

/// The stack of the contexts that a thread draws into.
private final class ContextStack {
  var contexts: [CGContext] = []

  static var current: ContextStack {
    let key = "obscura.graphics.contexts"
    let dictionary = Thread.current.threadDictionary
    if let stack = dictionary[key] as? ContextStack { return stack }
    let stack = ContextStack()
    dictionary[key] = stack
    return stack
  }
}

/// The context that colours, paths, pictures and text of this thread draw into; `nil` outside of drawing.
///
/// Apple: `UIGraphicsGetCurrentContext()`.
public func UIGraphicsGetCurrentContext() -> CGContext? { ContextStack.current.contexts.last }

/// Makes `context` the thread's current one until ``UIGraphicsPopContext()``.
///
/// Text and pictures expect a y axis that points down: flip a context made by ``CGContext`` first.
/// Apple: `UIGraphicsPushContext(_:)`.
public func UIGraphicsPushContext(_ context: CGContext) { ContextStack.current.contexts.append(context) }

/// Makes the context before the thread's current one again; nothing where there is none.
///
/// Apple: `UIGraphicsPopContext()`.
public func UIGraphicsPopContext() { _ = ContextStack.current.contexts.popLast() }
