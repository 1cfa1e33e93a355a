/// An action on its way to where it runs.
struct HandedAction: @unchecked Sendable {  // Safe: scheduling an action is asking that it runs elsewhere.
  let run: () -> Void

  init(_ action: @escaping () -> Void) {
    run = action
  }
}
