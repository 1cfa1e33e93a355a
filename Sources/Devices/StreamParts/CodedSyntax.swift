/// The parts of the syntax of H.264 and HEVC that say what a NAL unit is for.
package enum CodedSyntax: Sendable {
  case h264
  case hevc

  /// The use of a NAL unit in an access unit.
  enum Role {
    /// A part of the picture.
    case slice(Slice)
    /// A set of parameters, with its type.
    case parameterSet(UInt8)
    /// Messages, and the units of scalable streams, which plain decoders pass over.
    case message
    /// Delimiters, ends and filling, which say nothing in a sample.
    case filling
    case broken
  }

  struct Slice {
    /// Whether the picture begins with it.
    let isFirst: Bool
    /// Whether nothing that is shown after its picture builds on what came before.
    let isRandomAccess: Bool
    /// Whether other pictures may build on its picture.
    let isReference: Bool
  }

  /// The use of a NAL unit, without its start code.
  func role(of unit: UnsafeRawBufferPointer) -> Role {
    guard let header = unit.first, header & 0x80 == 0 else { return .broken }
    return self == .h264 ? h264(header, unit) : hevc(header >> 1 & 0x3F, unit)
  }

  private func h264(_ header: UInt8, _ unit: UnsafeRawBufferPointer) -> Role {
    switch header & 0x1F {
    case 1...5:
      guard unit.count > 1 else { return .broken }
      // The first slice begins with macroblock 0, whose number is coded as a single 1.
      return .slice(
        Slice(
          isFirst: unit[1] & 0x80 != 0, isRandomAccess: header & 0x1F == 5, isReference: header & 0x60 != 0))
    case 6, 14, 20: return .message
    case 7, 8: return .parameterSet(header & 0x1F)
    default: return .filling
    }
  }

  private func hevc(_ type: UInt8, _ unit: UnsafeRawBufferPointer) -> Role {
    guard unit.count > 2 else { return type >= 35 && type <= 38 ? .filling : .broken }
    switch type {
    case 0...31:
      // Of the first fifteen types the even ones are no references of pictures of their layer.
      return .slice(
        Slice(
          isFirst: unit[2] & 0x80 != 0, isRandomAccess: (16...23).contains(type),
          isReference: type > 15 || type & 1 == 1))
    case 32...34: return .parameterSet(type)
    case 39, 40: return .message
    default: return .filling
    }
  }
}
