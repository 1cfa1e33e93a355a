internal import Foundation

extension KernelCompiler {
  /// A comma expression: its value is that of the last one.
  func expression() throws(KernelError) -> Value {
    var value = try assignment()
    while accept(",") { value = try assignment() }
    return value
  }

  func assignment() throws(KernelError) -> Value {
    let place = try conditional()
    for (sign, function) in [
      ("=", nil), ("+=", KernelFunction.add), ("-=", .subtract), ("*=", .multiply), ("/=", .divide),
    ] where peek == .sign(sign) {
      advance()
      let value = try assignment()
      guard let function else { return try assign(value, to: place) }
      return try assign(try combined(function, place, value), to: place)
    }
    return place
  }

  func assign(_ value: Value, to place: Value) throws(KernelError) -> Value {
    guard let target = place.target else { throw error("what stands left of the '=' cannot be written.") }
    let value = try converted(value, to: place.type)
    if target.components.isEmpty {
      steps.append(.store(target.register, value.register))
      return place
    }
    let whole = newRegister()
    steps.append(.swizzle(whole, target.register, SIMD4(0, 1, 2, 3)))
    for (index, component) in target.components.enumerated() {
      steps.append(.insert(whole, at: component, from: value.register, place: index))
    }
    steps.append(.store(target.register, whole))
    return value
  }

  private func conditional() throws(KernelError) -> Value {
    let condition = try logicalOr()
    guard accept("?") else { return condition }
    guard condition.type == .bool else { throw error("what stands before a '?' is no bool.") }
    let first = try assignment()
    try expect(":")
    let second = try assignment()
    let type = try common(first, second)
    return function(
      .select, [condition, try converted(first, to: type), try converted(second, to: type)], type: type)
  }

  private func logicalOr() throws(KernelError) -> Value {
    var value = try logicalAnd()
    while accept("||") { value = try logical(.or, value, try logicalAnd()) }
    return value
  }

  private func logicalAnd() throws(KernelError) -> Value {
    var value = try equality()
    while accept("&&") { value = try logical(.and, value, try equality()) }
    return value
  }

  private func logical(_ kind: KernelFunction, _ first: Value, _ second: Value) throws(KernelError) -> Value {
    guard first.type == .bool, second.type == .bool else { throw error("'&&' and '||' join bools.") }
    return function(kind, [first, second], type: .bool)
  }

  private func equality() throws(KernelError) -> Value {
    var value = try relational()
    while peek == .sign("==") || peek == .sign("!=") {
      let isEqual = accept("==")
      if !isEqual { advance() }
      let other = try relational()
      let type = try common(value, other)
      let same = function(.equal, [value, other], width: type.width, type: .bool)
      value = isEqual ? same : function(.not, [same], type: .bool)
    }
    return value
  }

  private func relational() throws(KernelError) -> Value {
    var value = try additive()
    while case .sign(let sign) = peek, ["<", ">", "<=", ">="].contains(sign) {
      advance()
      let other = try additive()
      guard value.type.isScalar, other.type.isScalar else { throw error("'\(sign)' compares numbers.") }
      let kind: KernelFunction = sign.count == 1 ? .less : .lessOrEqual
      value = function(kind, sign.hasPrefix("<") ? [value, other] : [other, value], type: .bool)
    }
    return value
  }

  private func additive() throws(KernelError) -> Value {
    var value = try multiplicative()
    while true {
      if accept("+") {
        value = try combined(.add, value, try multiplicative())
      } else if accept("-") {
        value = try combined(.subtract, value, try multiplicative())
      } else {
        return value
      }
    }
  }

  private func multiplicative() throws(KernelError) -> Value {
    var value = try unary()
    while true {
      if accept("*") {
        value = try combined(.multiply, value, try unary())
      } else if accept("/") {
        value = try combined(.divide, value, try unary())
      } else {
        return value
      }
    }
  }

  private func unary() throws(KernelError) -> Value {
    try nested(signed)
  }

  private func signed() throws(KernelError) -> Value {
    if accept("-") {
      let value = try unary()
      guard value.type.isScalar || value.type.width > 1 else {
        throw error("there is no '-' of a \(value.type.name).")
      }
      return function(.negate, [value], type: value.type)
    }
    if accept("+") { return try unary() }
    if accept("!") {
      let value = try unary()
      guard value.type == .bool else { throw error("'!' takes a bool.") }
      return function(.not, [value], type: .bool)
    }
    if peek == .sign("++") || peek == .sign("--") {
      let kind: KernelFunction = accept("++") ? .add : .subtract
      if kind == .subtract { advance() }
      let place = try unary()
      return try assign(try combined(kind, place, one(place.type)), to: place)
    }
    return try postfix()
  }

  private func postfix() throws(KernelError) -> Value {
    var value = try primary()
    while true {
      if accept(".") {
        value = try member(value, try word())
      } else if accept("[") {
        value = try element(value)
        try expect("]")
      } else if peek == .sign("++") || peek == .sign("--") {
        let kind: KernelFunction = accept("++") ? .add : .subtract
        if kind == .subtract { advance() }
        let before = Value(type: value.type, register: newRegister())
        steps.append(.swizzle(before.register, value.register, SIMD4(0, 1, 2, 3)))
        _ = try assign(try combined(kind, value, one(value.type)), to: value)
        value = before
      } else {
        return value
      }
    }
  }

  private func primary() throws(KernelError) -> Value {
    switch peek {
    case .number(let number, let isWhole):
      advance()
      return constant(number, isWhole ? .int : .float)
    case .sign("("):
      advance()
      let value = try expression()
      try expect(")")
      return value
    case .name(let name):
      advance()
      if name == "true" || name == "false" { return constant(name == "true" ? 1 : 0, .bool) }
      if accept("(") { return try call(name) }
      guard let variable = variable(name) else { throw error("there is no '\(name)'.") }
      return Value(
        type: variable.type, register: variable.register, image: variable.image,
        target: (variable.register, []))
    default:
      throw error("an expression is missing.")
    }
  }

  // MARK: Parts of vectors

  private func member(_ value: Value, _ name: String) throws(KernelError) -> Value {
    let sets = ["xyzw", "rgba", "stpq"]
    guard case .vector(let width) = value.type,
      let set = sets.first(where: { set in name.allSatisfy(set.contains) }), (1...4).contains(name.count)
    else { throw error("a \(value.type.name) has no '\(name)'.") }
    let places = name.map { letter in Array(set).firstIndex(of: letter) ?? 0 }
    guard places.allSatisfy({ $0 < width }) else { throw error("a \(value.type.name) has no '\(name)'.") }
    return swizzled(value, places)
  }

  private func element(_ value: Value) throws(KernelError) -> Value {
    guard case .vector(let width) = value.type else { throw error("a \(value.type.name) has no '['.") }
    if case .number(let number, isWhole: true) = peek, next == .sign("]") {
      advance()
      guard number < Float(width) else { throw error("a \(value.type.name) has no such component.") }
      return swizzled(value, [Int(number)])
    }
    let index = try expression()
    guard index.type.isScalar else { throw error("an index is a number.") }
    return function(.component, [value, index], width: width, type: .float)
  }

  private func swizzled(_ value: Value, _ places: [Int]) -> Value {
    let target = value.target.map { target in
      (target.register, target.components.isEmpty ? places : places.map { target.components[$0] })
    }
    let type = KernelType.of(width: places.count)
    // The first components of a vector stand in the same register.
    if places.count > 1, places == Array(0..<places.count) {
      return Value(type: type, register: value.register, target: target)
    }
    let order = (0..<4).map { UInt8(places[min($0, places.count - 1)]) }
    let register = newRegister()
    steps.append(.swizzle(register, value.register, SIMD4(order)))
    return Value(type: type, register: register, target: target)
  }

  // MARK: Types

  private func constant(_ number: Float, _ type: KernelType) -> Value {
    let register = newRegister()
    steps.append(.constant(register, SIMD4(repeating: number)))
    return Value(type: type, register: register)
  }

  private func one(_ type: KernelType) -> Value { constant(1, type == .int ? .int : .float) }

  func function(_ kind: KernelFunction, _ arguments: [Value], width: Int? = nil, type: KernelType) -> Value {
    let register = newRegister()
    steps.append(
      .function(
        register, kind, arguments.map(\.register), width: width ?? arguments.map(\.type.width).max() ?? 1))
    return Value(type: type, register: register)
  }

  /// Arithmetic, component by component; two ints give an int.
  func combined(_ kind: KernelFunction, _ first: Value, _ second: Value) throws(KernelError) -> Value {
    let type = try common(first, second)
    guard type != .bool else { throw error("there is no arithmetic with bools.") }
    return function(kind == .divide && type == .int ? .integerDivide : kind, [first, second], type: type)
  }

  /// The type of an operation on two values: a scalar goes with any vector.
  func common(_ first: Value, _ second: Value) throws(KernelError) -> KernelType {
    if first.type == second.type, first.type.width > 0 { return first.type }
    if first.type.isScalar, second.type.isScalar { return .float }
    if first.type.isScalar, case .vector = second.type { return second.type }
    if second.type.isScalar, case .vector = first.type { return first.type }
    throw error("a \(first.type.name) and a \(second.type.name) do not go together.")
  }

  /// The value as another type, by an implicit conversion.
  func converted(_ value: Value, to type: KernelType) throws(KernelError) -> Value {
    if value.type == type || value.type == .int && type == .float { return value }
    if value.type == .float, type == .int { return function(.truncate, [value], type: .int) }
    throw error("a \(type.name) is expected here, not a \(value.type.name).")
  }
}
