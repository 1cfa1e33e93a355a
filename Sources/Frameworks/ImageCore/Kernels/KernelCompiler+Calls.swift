internal import Foundation

extension KernelCompiler {
  /// A call whose name and opening bracket were read.
  func call(_ name: String) throws(KernelError) -> Value {
    var arguments: [Value] = []
    if !accept(")") {
      repeat { arguments.append(try assignment()) } while accept(",")
      try expect(")")
    }
    if let type = KernelType(name), type.width > 0 { return try made(type, arguments) }
    if let routine = routines[name] { return try call(routine, arguments) }
    if let value = try imageFunction(name, arguments) { return value }
    if name == "atan", arguments.count == 2 { return try applied(.atan2, arguments) }
    guard let (function, count) = KernelFunction.named[name] else {
      throw error("there is no function '\(name)'.")
    }
    guard arguments.count == count else {
      throw error("'\(name)' takes \(count) arguments, not \(arguments.count).")
    }
    return try applied(function, arguments)
  }

  private func applied(_ kind: KernelFunction, _ arguments: [Value]) throws(KernelError) -> Value {
    var all = arguments[0]
    for argument in arguments.dropFirst() { all.type = try common(all, argument) }
    guard all.type.isScalar || all.type.width > 1 else {
      throw error("a function takes numbers and vectors.")
    }
    let width = all.type.width
    if kind == .premultiply || kind == .unpremultiply, width != 4 { throw error("only a vec4 has alpha.") }
    if kind == .cross, width != 3 { throw error("'cross' takes two vec3.") }
    return function(kind, arguments, width: width, type: .of(width: kind.resultWidth(width)))
  }

  // MARK: Constructors

  private func made(_ type: KernelType, _ arguments: [Value]) throws(KernelError) -> Value {
    guard let first = arguments.first, arguments.allSatisfy({ $0.type.width > 0 }) else {
      throw error("a \(type.name) is made of numbers and vectors.")
    }
    guard type.width > 1 else {
      guard arguments.count == 1 else { throw error("a \(type.name) is made of one value.") }
      let alone = Value(type: type, register: newRegister())
      steps.append(.swizzle(alone.register, first.register, SIMD4(0, 0, 0, 0)))
      switch type {
      case .int: return function(.truncate, [alone], type: .int)
      case .bool:
        let zero = newRegister()
        steps.append(.constant(zero, .zero))
        let none = function(.equal, [alone, Value(type: .float, register: zero)], width: 1, type: .bool)
        return function(.not, [none], type: .bool)
      default: return alone
      }
    }
    // A scalar is repeated in all components already, and a longer vector is cut.
    if arguments.count == 1, first.type.width == 1 || first.type.width >= type.width {
      return Value(type: type, register: first.register)
    }
    let register = newRegister()
    var place = 0
    for argument in arguments {
      for index in 0..<argument.type.width where place < type.width {
        steps.append(.insert(register, at: place, from: argument.register, place: index))
        place += 1
      }
    }
    guard place == type.width else {
      throw error("a \(type.name) is made of \(type.width) numbers, not \(place).")
    }
    return Value(type: type, register: register)
  }

  // MARK: The source's own functions

  private func call(_ routine: KernelRoutine, _ arguments: [Value]) throws(KernelError) -> Value {
    guard !calls.contains(where: { $0.routine.name == routine.name }) else {
      throw error("'\(routine.name)' calls itself.")
    }
    guard arguments.count == routine.parameters.count else {
      throw error("'\(routine.name)' takes \(routine.parameters.count) arguments, not \(arguments.count).")
    }
    try countCall()
    let result = newRegister()
    steps.append(.constant(result, .zero))
    var variables: [(String, Variable)] = []
    for (parameter, argument) in zip(routine.parameters, arguments) {
      if parameter.type == .sampler {
        guard argument.type == .sampler else { throw error("'\(routine.name)' takes a sampler.") }
        variables.append((parameter.name, Variable(type: .sampler, register: 0, image: argument.image)))
      } else {
        let register = newRegister()
        steps.append(
          .swizzle(register, try converted(argument, to: parameter.type).register, SIMD4(0, 1, 2, 3)))
        variables.append((parameter.name, Variable(type: parameter.type, register: register)))
      }
    }
    calls.append((routine, result))
    let body = try emitted { () throws(KernelError) in
      try scratch { () throws(KernelError) in
        try inFunction(routine) { () throws(KernelError) in
          for (name, variable) in variables { declare(name, variable) }
          try block()
        }
      }
    }
    calls.removeLast()
    steps.append(.call(body))
    return Value(type: routine.result, register: result)
  }

  // MARK: Images

  /// A call of a sampling function; `nil` for other names.
  ///
  /// A sampler's coordinates are the image's own, in pixels.
  private func imageFunction(_ name: String, _ arguments: [Value]) throws(KernelError) -> Value? {
    let counts = [
      "destCoord": 0, "samplerCoord": 1, "samplerExtent": 1, "samplerOrigin": 1, "samplerSize": 1,
      "samplerTransform": 2,
      "sample": 2,
    ]
    guard let count = counts[name] else { return nil }
    guard arguments.count == count else {
      throw error("'\(name)' takes \(count) arguments, not \(arguments.count).")
    }
    guard count == 0 || arguments[0].type == .sampler else { throw error("'\(name)' takes a sampler.") }
    if count == 2 {
      guard arguments[1].type == .vector(2) else { throw error("a position is a vec2.") }
      if name == "samplerTransform" { return Value(type: .vector(2), register: arguments[1].register) }
      let pixel = newRegister()
      steps.append(.sample(pixel, image: arguments[0].image, arguments[1].register))
      return Value(type: .vector(4), register: pixel)
    }
    let place = newRegister()
    if name != "destCoord", name != "samplerCoord" {
      steps.append(.extent(place, image: arguments[0].image))
      if name == "samplerExtent" { return Value(type: .vector(4), register: place) }
      let part = newRegister()
      steps.append(.swizzle(part, place, name == "samplerSize" ? SIMD4(2, 3, 2, 3) : SIMD4(0, 1, 0, 1)))
      return Value(type: .vector(2), register: part)
    }
    steps.append(.position(place))
    return Value(type: .vector(2), register: place)
  }
}
