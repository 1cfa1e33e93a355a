public import FoundationExtras

/// The model of a colour space, which gives its components their meaning.
public enum CGColorSpaceModel: Int32, Sendable {
  /// A model that is none of the others.
  case unknown = -1
  /// One component: lightness.
  case monochrome = 0
  /// Red, green, blue.
  case rgb = 1
  /// Four inks.
  case cmyk = 2
  /// CIE L*a*b*.
  case lab = 3
  /// Any number of inks.
  case deviceN = 4
  /// A number into a table of colours.
  case indexed = 5
  /// A repeated tile.
  case pattern = 6
  /// CIE XYZ.
  case XYZ = 7
}

/// A colour space, which gives the numbers of an image their colours.
///
/// Spaces of one or three components, defined by primaries and a transfer curve. Immutable; thread-safe. Two spaces
/// are equal when they have the same name, or, without one, the same definition.
public final class CGColorSpace: Sendable, Hashable {
  /// The definition of a colour space: the map from its components to light.
  package enum Definition: Sendable, Hashable {
    /// One component.
    case gray(TransferFunction)
    /// Three components; the matrix takes linear values to XYZ under D50.
    case rgb(toXYZ: ColorMatrix, TransferFunction)
  }

  /// The name by which ``init(name:)`` finds the space; `nil` for one read from a profile that matches none.
  public let name: CFString?
  /// How the numbers become light.
  package let definition: Definition
  /// Whether components may lie outside 0…1.
  package let isExtended: Bool
  /// The profile's name of the space, as ImageIO reports it in `kCGImagePropertyProfileName`.
  package let profileName: String
  /// The profile the space was read from, byte for byte; `nil` when ``copyICCData()`` has to write one.
  package let sourceProfile: CFData?

  package init(
    name: CFString?, profileName: String, definition: Definition, isExtended: Bool = false,
    sourceProfile: CFData? = nil
  ) {
    self.name = name
    self.profileName = profileName
    self.definition = definition
    self.isExtended = isExtended
    self.sourceProfile = sourceProfile
  }

  /// The space that Apple gives this name; `nil` for a name that is not among the ones declared here.
  public convenience init?(name: CFString) {
    guard let known = Self.known[name] else { return nil }
    self.init(
      name: name, profileName: known.profileName, definition: known.definition, isExtended: known.isExtended)
  }

  /// The space that an ICC profile describes.
  ///
  /// Matrix and gray profiles of versions 2 and 4 are understood. One that agrees with a named space to within the
  /// rounding of the format gets that space's name. `nil` for broken data and for profiles made of tables.
  public convenience init?(iccData: CFData) {
    guard let profile = ICCProfile(reading: iccData) else { return nil }
    let known = Self.space(matching: profile.definition)
    self.init(
      name: known?.name, profileName: profile.name, definition: known?.definition ?? profile.definition,
      sourceProfile: iccData)
  }

  /// How many numbers make a colour, without alpha.
  public var numberOfComponents: Int {
    switch definition {
    case .gray: 1
    case .rgb: 3
    }
  }

  /// The model of the space.
  public var model: CGColorSpaceModel {
    switch definition {
    case .gray: .monochrome
    case .rgb: .rgb
    }
  }

  /// Whether the space holds colours that sRGB cannot show.
  public var isWideGamutRGB: Bool {
    guard case .rgb(let toXYZ, _) = definition else { return false }
    if isExtended { return true }
    let toSRGB = ColorPrimaries.rec709.toXYZ.inverse * toXYZ
    let corners: [SIMD3<Double>] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    return corners.contains { corner in (toSRGB * corner).min() < -0.01 }
  }

  /// Whether a picture may be drawn in the space; true of every space there is here.
  public var supportsOutput: Bool { true }

  /// An ICC profile of the space: the one it was read from, or a version 4 profile written for it.
  ///
  /// `nil` for an extended space, whose values no profile can express. The same space always gives the same bytes.
  public func copyICCData() -> CFData? {
    if let sourceProfile { return sourceProfile }
    if isExtended { return nil }
    return ICCProfile(name: profileName, definition: definition).data
  }

  /// The curve of the space.
  package var transfer: TransferFunction {
    switch definition {
    case .gray(let transfer), .rgb(_, let transfer): transfer
    }
  }

  /// Takes linear values to XYZ under D50; for gray, the neutral axis of sRGB.
  package var toXYZ: ColorMatrix {
    switch definition {
    case .gray: ColorPrimaries.rec709.toXYZ
    case .rgb(let matrix, _): matrix
    }
  }

  /// Whether both spaces mean the same.
  public static func == (left: CGColorSpace, right: CGColorSpace) -> Bool {
    if left === right { return true }
    return left.name == right.name && left.definition == right.definition
      && left.isExtended == right.isExtended
  }

  /// Feeds what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(isExtended)
    hasher.combine(definition)
  }
}

/// The red, green and blue of whatever shows them; treated as sRGB wherever colours are converted.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace {
  .deviceRGB
}

/// The lightness of whatever shows it; treated as gray with sRGB's curve wherever colours are converted.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace {
  .deviceGray
}
