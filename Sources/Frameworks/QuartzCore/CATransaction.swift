public import Foundation
public import FoundationExtras

/// A group of changes to layers on one thread.
///
/// Changes take effect at once; only what is added with `add(_:forKey:)` is animated. The outermost commit lays out the layers whose `setNeedsLayout()` was
/// called meanwhile; each commit runs its completion block. Settings are kept per transaction. Each thread has its own
/// transactions.
open class CATransaction: NSObject {
  private struct Level {
    var disableActions: Bool
    var animationDuration: CFTimeInterval
    var completion: (@Sendable () -> Void)?
  }

  private final class Stack {
    var levels: [Level] = []
    var due: [CALayer] = []
  }

  private static let key = "quartzcore.transactions"

  private static var stack: Stack {
    let store = Thread.current.threadDictionary
    if let stack = store[key] as? Stack { return stack }
    let stack = Stack()
    store[key] = stack
    return stack
  }

  /// Opens a transaction, inside the current one if there is one.
  open class func begin() {
    let outer = stack.levels.last
    stack.levels.append(
      Level(
        disableActions: outer?.disableActions ?? false, animationDuration: outer?.animationDuration ?? 0.25,
        completion: nil))
  }

  /// Closes the transaction that was opened last; without one it does nothing.
  open class func commit() {
    guard let level = stack.levels.popLast() else { return }
    if stack.levels.isEmpty { flush() }
    level.completion?()
  }

  /// Brings the layout of all noted layers up to date, within an open transaction too.
  open class func flush() {
    let stack = stack
    while !stack.due.isEmpty {
      let due = stack.due
      stack.due = []
      for layer in due where layer.needsLayout() { layer.layoutIfNeeded() }
    }
  }

  /// Whether the current transaction disables actions; there are none in any case.
  open class func disableActions() -> Bool {
    stack.levels.last?.disableActions ?? false
  }

  /// Sets what ``disableActions()`` answers, until the current transaction is committed.
  open class func setDisableActions(_ flag: Bool) {
    change { $0.disableActions = flag }
  }

  /// The duration in seconds of animations that are added without one in the current transaction; 0.25 unless set.
  open class func animationDuration() -> CFTimeInterval {
    stack.levels.last?.animationDuration ?? 0.25
  }

  /// Sets what ``animationDuration()`` answers, until the current transaction is committed.
  open class func setAnimationDuration(_ dur: CFTimeInterval) {
    change { $0.animationDuration = dur }
  }

  /// The block that the current transaction's commit will run.
  open class func completionBlock() -> (@Sendable () -> Void)? {
    stack.levels.last?.completion
  }

  /// Sets the block to run when the current transaction has been committed; at once without a transaction.
  open class func setCompletionBlock(_ block: (@Sendable () -> Void)?) {
    if stack.levels.isEmpty { block?() } else { change { $0.completion = block } }
  }

  private class func change(_ body: (inout Level) -> Void) {
    let stack = stack
    guard !stack.levels.isEmpty else { return }
    body(&stack.levels[stack.levels.count - 1])
  }

  /// Remembers `layer` for the layout at the end of the open transaction.
  class func noteLayout(of layer: CALayer) {
    let stack = stack
    if stack.levels.isEmpty || stack.due.contains(where: { $0 === layer }) { return }
    stack.due.append(layer)
  }
}
