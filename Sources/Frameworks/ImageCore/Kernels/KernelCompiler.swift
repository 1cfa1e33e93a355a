internal import Foundation

/// Compiles a source to programs: a recursive-descent parser that emits steps as it reads.
///
/// Calls are inlined. What Apple's reference excludes (matrices, arrays, `break`, `continue`, `discard`) is an error here, too.
///
/// Source: Apple's Core Image Kernel Language Reference.
final class KernelCompiler {
  typealias Register = KernelProgram.Register

  struct Variable {
    let type: KernelType
    let register: Register
    /// The index of a sampler's image.
    var image = 0
  }

  /// The value of an expression.
  struct Value {
    var type: KernelType
    var register: Register
    var image = 0
    /// The variable that an assignment writes, and which of its components: none for all of them.
    var target: (register: Register, components: [Int])?
  }

  private let tokens: [(token: KernelToken, line: Int)]
  private var position = 0
  var routines: [String: KernelRoutine] = [:]
  private var order: [String] = []
  /// The positions of the global constants.
  private var constants: [Int] = []
  var steps: [KernelProgram.Step] = []
  private var scopes: [[String: Variable]] = []
  private var nextRegister = 0
  private var registerCount = 0
  private var depth = 0
  private var callCount = 0
  /// The functions that are being inlined, outermost first, with the registers of their results.
  var calls: [(routine: KernelRoutine, result: Register)] = []

  init(_ source: String) throws(KernelError) {
    tokens = try KernelTokens(source).tokens
    try collect()
  }

  /// The kernels of the source, in its order.
  func programs() throws(KernelError) -> [KernelProgram] {
    var programs: [KernelProgram] = []
    for name in order {
      if let routine = routines[name], routine.isKernel { programs.append(try program(routine)) }
    }
    return programs
  }

  private func program(_ routine: KernelRoutine) throws(KernelError) -> KernelProgram {
    (steps, scopes, nextRegister, registerCount, callCount) = ([], [[:]], 0, 0, 0)
    for start in constants {
      position = start
      try declaration()
    }
    // The registers of parameters are filled before the constants are computed.
    nextRegister = registerCount
    var parameters: [KernelProgram.Parameter] = []
    var registers: [Register] = []
    scopes.append([:])
    for parameter in routine.parameters {
      let register = newRegister()
      let images = parameters.count {
        if case .number = $0 { false } else if case .color = $0 { false } else { true }
      }
      declare(parameter.name, Variable(type: parameter.type, register: register, image: images))
      registers.append(register)
      switch parameter.spelling {
      case "__color": parameters.append(.color)
      case "__sample": parameters.append(.sample)
      case "sampler": parameters.append(.sampler)
      default: parameters.append(.number(width: parameter.type.width))
      }
    }
    let result = newRegister()
    steps.append(.constant(result, .zero))
    let prologue = steps
    steps = []
    calls = [(routine, result)]
    position = routine.body
    try block()
    calls = []
    return KernelProgram(
      name: routine.name, resultWidth: routine.result.width, parameters: parameters,
      parameterRegisters: registers,
      steps: prologue + [.call(steps)], result: result, registerCount: registerCount)
  }

  // MARK: The source's functions

  private func collect() throws(KernelError) {
    while peek != .end {
      let isKernel = accept("kernel")
      skipQualifiers()
      let start = position
      let result = try type()
      let name = try word()
      guard accept("(") else {
        constants.append(start)
        while peek != .sign(";") {
          if peek == .end { throw error("'\(name)' does not end with a ';'.") }
          position += 1
        }
        position += 1
        continue
      }
      let parameters = try self.parameters()
      try expect("{")
      guard routines[name] == nil else { throw error("there are two functions '\(name)'.") }
      routines[name] = KernelRoutine(
        name: name, isKernel: isKernel, result: result, parameters: parameters, body: position)
      order.append(name)
      try skipBody()
    }
  }

  private func parameters() throws(KernelError) -> [KernelRoutine.Parameter] {
    var found: [KernelRoutine.Parameter] = []
    if accept("void") || peek == .sign(")") {
      try expect(")")
      return []
    }
    repeat {
      skipQualifiers()
      guard case .name(let spelling) = peek else { throw error("a parameter has no type.") }
      let type = try type()
      found.append(KernelRoutine.Parameter(name: try word(), type: type, spelling: spelling))
    } while accept(",")
    try expect(")")
    return found
  }

  private func skipBody() throws(KernelError) {
    var depth = 1
    while depth > 0 {
      switch peek {
      case .sign("{"): depth += 1
      case .sign("}"): depth -= 1
      case .end: throw error("a '}' is missing.")
      default: break
      }
      position += 1
    }
  }

  // MARK: Bounds

  /// Bounds the depth of the parser's recursion.
  func nested<Result>(_ body: () throws(KernelError) -> Result) throws(KernelError) -> Result {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 100 else { throw error("the source is nested too deeply.") }
    return try body()
  }

  /// Bounds the number of inlined calls: functions that each call another one twice double it at every level.
  func countCall() throws(KernelError) {
    callCount += 1
    guard callCount <= 1000 else { throw error("the source calls its functions more than a thousand times.") }
  }

  // MARK: Registers and names

  func newRegister() -> Register {
    nextRegister += 1
    registerCount = max(registerCount, nextRegister)
    return nextRegister - 1
  }

  /// Frees the registers that `body` takes.
  func scratch(_ body: () throws(KernelError) -> Void) throws(KernelError) {
    let before = nextRegister
    try body()
    nextRegister = before
  }

  func declare(_ name: String, _ variable: Variable) { scopes[scopes.count - 1][name] = variable }

  func variable(_ name: String) -> Variable? {
    for scope in scopes.reversed() {
      if let found = scope[name] { return found }
    }
    return nil
  }

  func inScope(_ body: () throws(KernelError) -> Void) throws(KernelError) {
    scopes.append([:])
    try body()
    scopes.removeLast()
  }

  /// Parses a function's body, which sees its own names and the global constants.
  func inFunction(_ routine: KernelRoutine, _ body: () throws(KernelError) -> Void) throws(KernelError) {
    let (outer, place) = (scopes, position)
    scopes = [outer[0], [:]]
    position = routine.body
    try body()
    (scopes, position) = (outer, place)
  }

  /// The steps that `body` emits, kept apart from the current ones.
  func emitted(_ body: () throws(KernelError) -> Void) throws(KernelError) -> [KernelProgram.Step] {
    let outer = steps
    steps = []
    try body()
    let own = steps
    steps = outer
    return own
  }

  /// Runs `body`, then goes back to the current token: the parser's lookahead.
  func lookingAhead<Result>(_ body: () -> Result) -> Result {
    let before = position
    let result = body()
    position = before
    return result
  }

  // MARK: Tokens

  var peek: KernelToken { tokens[min(position, tokens.count - 1)].token }

  /// The token after the current one.
  var next: KernelToken { tokens[min(position + 1, tokens.count - 1)].token }

  func advance() { position += 1 }

  func error(_ reason: String) -> KernelError {
    KernelError(line: tokens[min(position, tokens.count - 1)].line, reason: reason)
  }

  func accept(_ text: String) -> Bool {
    guard peek == .sign(text) || peek == .name(text) else { return false }
    position += 1
    return true
  }

  func expect(_ text: String) throws(KernelError) {
    // It belongs behind what was read last.
    let line = tokens[max(0, min(position, tokens.count) - 1)].line
    if !accept(text) { throw KernelError(line: line, reason: "a '\(text)' is missing.") }
  }

  func word() throws(KernelError) -> String {
    guard case .name(let name) = peek else { throw error("a name is missing.") }
    position += 1
    return name
  }

  func type() throws(KernelError) -> KernelType {
    let name = try word()
    guard let type = KernelType(name) else {
      position -= 1
      throw error("there is no type '\(name)'.")
    }
    return type
  }

  /// Skips qualifiers: every number has single precision here, and nothing checks `const`.
  func skipQualifiers() {
    while ["const", "in", "uniform", "varying", "highp", "mediump", "lowp"].contains(where: { accept($0) }) {}
  }
}
