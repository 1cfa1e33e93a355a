/// The kind of a node's pictures, judged by all the formats of its driver.
package enum PictureKind: Sendable, Hashable {
  case colour
  /// Brightness alone: a camera without colours, or one that sees infrared.
  case grey
  /// Distances, or how sure they are.
  case depth
  /// Raw values of the sensor's photosites, before colours are found.
  case raw

  /// The kind of a driver's list; the richest one of it.
  init(_ formats: [VideoPixelFormat]) {
    let kinds = Set(formats.map(\.kind))
    self = [.colour, .depth, .grey, .raw].first(where: kinds.contains) ?? .colour
  }
}

extension VideoPixelFormat {
  /// The kind of this format's pictures; compressed and unknown formats count as colour.
  var kind: PictureKind {
    let name = fourCharacters
    if Self.depthFormats.contains(name) { return .depth }
    if Self.greyFormats.contains(name) { return .grey }
    return Self.rawFormats.contains(name) ? .raw : .colour
  }

  private var fourCharacters: String { description }

  /// C: `V4L2_PIX_FMT_Z16`, `INZI`, `CNF4`.
  private static let depthFormats: Set = ["Z16 ", "INZI", "CNF4"]
  /// C: `V4L2_PIX_FMT_GREY`, `Y4` to `Y16`, packed ones, two pictures side by side.
  private static let greyFormats: Set = [
    "GREY", "Y04 ", "Y06 ", "Y10 ", "Y12 ", "Y14 ", "Y16 ", "Y10B", "Y10P", "ip3y", "Y8I ", "Y12I",
  ]
  /// C: `V4L2_PIX_FMT_SBGGR8` to `SRGGB16`, packed and compressed ones.
  private static let rawFormats: Set = [
    "BA81", "GBRG", "GRBG", "RGGB", "BG10", "GB10", "BA10", "RG10", "pBAA", "pGAA", "pgAA", "pRAA", "aBA8",
    "aGA8", "agA8", "aRA8", "bBA8", "bGA8", "BD10", "bRA8", "BG12", "GB12", "BA12", "RG12", "pBCC", "pGCC",
    "pgCC", "pRCC", "BG14", "GB14", "GR14", "RG14", "pBEE", "pGEE", "pgEE", "pREE", "BYR2", "GB16", "GR16",
    "RG16", "ip3b", "ip3g", "ip3G", "ip3r",
  ]
}
