internal import Foundation

extension KernelCompiler {
  /// The statements up to the brace that ends them.
  func block() throws(KernelError) {
    try inScope { () throws(KernelError) in
      while !accept("}") { try statement() }
    }
  }

  private func statement() throws(KernelError) {
    try nested(bareStatement)
  }

  private func bareStatement() throws(KernelError) {
    guard case .name(let first) = peek else {
      if accept("{") { return try scratch(block) }
      if accept(";") { return }
      return try expressionStatement()
    }
    switch first {
    case "if": try scratch(branch)
    case "for": try scratch(forLoop)
    case "while": try scratch(whileLoop)
    case "do": try scratch(doLoop)
    case "return": try scratch(returning)
    case "break", "continue", "discard", "switch":
      throw error("the kernel language has no '\(first)'.")
    default:
      if startsDeclaration { try declaration() } else { try expressionStatement() }
    }
  }

  private func expressionStatement() throws(KernelError) {
    try scratch { () throws(KernelError) in _ = try expression() }
    try expect(";")
  }

  /// Whether a declaration begins here: a type, then a name.
  private var startsDeclaration: Bool {
    lookingAhead {
      skipQualifiers()
      guard case .name(let type) = peek, KernelType(type) != nil, case .name = next else { return false }
      return true
    }
  }

  /// A declaration of one or more variables.
  func declaration() throws(KernelError) {
    skipQualifiers()
    let type = try type()
    guard type.width > 0 else { throw error("a variable cannot be a \(type.name).") }
    repeat {
      let name = try word()
      if peek == .sign("[") { throw error("the kernel language has no arrays.") }
      let register = newRegister()
      if accept("=") {
        try scratch { () throws(KernelError) in
          let value = try converted(try assignment(), to: type)
          steps.append(.store(register, value.register))
        }
      } else {
        steps.append(.constant(register, .zero))
      }
      declare(name, Variable(type: type, register: register))
    } while accept(",")
    try expect(";")
  }

  private func condition() throws(KernelError) -> Value {
    let value = try expression()
    guard value.type == .bool else { throw error("a condition is a \(value.type.name), not a bool.") }
    return value
  }

  private func branch() throws(KernelError) {
    advance()
    try expect("(")
    let condition = try condition()
    try expect(")")
    let first = try emitted(body)
    let second = accept("else") ? try emitted(body) : []
    steps.append(.branch(condition.register, first, second))
  }

  /// A statement that is a scope of its own.
  private func body() throws(KernelError) {
    try inScope { () throws(KernelError) in try statement() }
  }

  private func forLoop() throws(KernelError) {
    advance()
    try expect("(")
    try inScope { () throws(KernelError) in
      if startsDeclaration { try declaration() } else if !accept(";") { try expressionStatement() }
      let held = newRegister()
      let test = try emitted { () throws(KernelError) in try self.test(into: held, before: ";") }
      let step = try emitted { () throws(KernelError) in
        if peek != .sign(")") { try scratch { () throws(KernelError) in _ = try expression() } }
      }
      try expect(")")
      let inner = try emitted(body)
      steps.append(.loop(condition: held, test: test, body: inner + step, testsFirst: true))
    }
  }

  private func whileLoop() throws(KernelError) {
    advance()
    try expect("(")
    let held = newRegister()
    let test = try emitted { () throws(KernelError) in try self.test(into: held, before: ")") }
    let inner = try emitted(body)
    steps.append(.loop(condition: held, test: test, body: inner, testsFirst: true))
  }

  private func doLoop() throws(KernelError) {
    advance()
    let inner = try emitted(body)
    try expect("while")
    try expect("(")
    let held = newRegister()
    let test = try emitted { () throws(KernelError) in try self.test(into: held, before: ")") }
    try expect(";")
    steps.append(.loop(condition: held, test: test, body: inner, testsFirst: false))
  }

  /// A loop's condition, copied to `held`, which the body does not write; an empty one is true.
  private func test(into held: Register, before end: String) throws(KernelError) {
    if accept(end) {
      steps.append(.constant(held, .one))
      return
    }
    try scratch { () throws(KernelError) in
      steps.append(.swizzle(held, try condition().register, SIMD4(0, 0, 0, 0)))
    }
    try expect(end)
  }

  private func returning() throws(KernelError) {
    advance()
    guard let call = calls.last else { throw error("a 'return' stands outside of a function.") }
    if call.routine.result != .void {
      let value = try converted(try expression(), to: call.routine.result)
      steps.append(.store(call.result, value.register))
    }
    try expect(";")
    steps.append(.finish)
  }
}
