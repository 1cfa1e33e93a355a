public import FoundationExtras

extension CGColorSpace {
  /// Standard red, green and blue (IEC 61966-2-1).
  public static let sRGB: CFString = "kCGColorSpaceSRGB"
  /// ``sRGB`` without its curve.
  public static let linearSRGB: CFString = "kCGColorSpaceLinearSRGB"
  /// ``sRGB`` with values outside 0…1.
  public static let extendedSRGB: CFString = "kCGColorSpaceExtendedSRGB"
  /// ``linearSRGB`` with values outside 0…1.
  public static let extendedLinearSRGB: CFString = "kCGColorSpaceExtendedLinearSRGB"
  /// The wide space of phones and displays: P3's primaries around daylight with sRGB's curve.
  public static let displayP3: CFString = "kCGColorSpaceDisplayP3"
  /// ``displayP3`` without its curve.
  public static let linearDisplayP3: CFString = "kCGColorSpaceLinearDisplayP3"
  /// ``displayP3`` with values outside 0…1.
  public static let extendedDisplayP3: CFString = "kCGColorSpaceExtendedDisplayP3"
  /// ``linearDisplayP3`` with values outside 0…1.
  public static let extendedLinearDisplayP3: CFString = "kCGColorSpaceExtendedLinearDisplayP3"
  /// The space of HD television (ITU-R BT.709).
  public static let itur_709: CFString = "kCGColorSpaceITUR_709"
  /// The wide space of UHD television (ITU-R BT.2020).
  public static let itur_2020: CFString = "kCGColorSpaceITUR_2020"
  /// ``itur_2020`` without its curve.
  public static let linearITUR_2020: CFString = "kCGColorSpaceLinearITUR_2020"
  /// Adobe RGB (1998).
  public static let adobeRGB1998: CFString = "kCGColorSpaceAdobeRGB1998"
  /// The space of digital cinema (SMPTE RP 431-2).
  public static let dcip3: CFString = "kCGColorSpaceDCIP3"
  /// Gray with the power curve 2.2.
  public static let genericGrayGamma2_2: CFString = "kCGColorSpaceGenericGrayGamma2_2"
  /// Gray proportional to light.
  public static let linearGray: CFString = "kCGColorSpaceLinearGray"
  /// ``genericGrayGamma2_2`` with values outside 0…1.
  public static let extendedGray: CFString = "kCGColorSpaceExtendedGray"
  /// ``linearGray`` with values outside 0…1.
  public static let extendedLinearGray: CFString = "kCGColorSpaceExtendedLinearGray"

  /// sRGB: the space of everything that does not say otherwise.
  package static let standardRGB = CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB()

  static let deviceRGB = CGColorSpace(
    name: "kCGColorSpaceDeviceRGB", profileName: "sRGB IEC61966-2.1",
    definition: .rgb(toXYZ: ColorPrimaries.rec709.toXYZ, .sRGB))
  static let deviceGray = CGColorSpace(
    name: "kCGColorSpaceDeviceGray", profileName: "Gray with the sRGB curve", definition: .gray(.sRGB))

  struct Known: Sendable {
    var profileName: String
    var definition: Definition
    var isExtended = false
  }

  static let known: [CFString: Known] = {
    func rgb(
      _ profileName: String, _ primaries: ColorPrimaries, _ transfer: TransferFunction, extended: Bool = false
    ) -> Known {
      Known(
        profileName: profileName, definition: .rgb(toXYZ: primaries.toXYZ, transfer), isExtended: extended)
    }
    func gray(_ profileName: String, _ transfer: TransferFunction, extended: Bool = false) -> Known {
      Known(profileName: profileName, definition: .gray(transfer), isExtended: extended)
    }
    return [
      sRGB: rgb("sRGB IEC61966-2.1", .rec709, .sRGB),
      linearSRGB: rgb("sRGB IEC61966-2.1 Linear", .rec709, .linear),
      extendedSRGB: rgb("sRGB IEC61966-2.1", .rec709, .sRGB, extended: true),
      extendedLinearSRGB: rgb("sRGB IEC61966-2.1 Linear", .rec709, .linear, extended: true),
      displayP3: rgb("Display P3", .p3, .sRGB),
      linearDisplayP3: rgb("Display P3 Linear", .p3, .linear),
      extendedDisplayP3: rgb("Display P3", .p3, .sRGB, extended: true),
      extendedLinearDisplayP3: rgb("Display P3 Linear", .p3, .linear, extended: true),
      itur_709: rgb("Rec. ITU-R BT.709-5", .rec709, .rec709),
      itur_2020: rgb("Rec. ITU-R BT.2020-1", .rec2020, .rec709),
      linearITUR_2020: rgb("Rec. ITU-R BT.2020-1 Linear", .rec2020, .linear),
      adobeRGB1998: rgb("Adobe RGB (1998)", .adobeRGB, .gamma(563.0 / 256)),
      dcip3: rgb("SMPTE RP 431-2-2007 DCI (P3)", .dciP3, .gamma(2.6)),
      genericGrayGamma2_2: gray("Generic Gray Gamma 2.2 Profile", .gamma(2.2)),
      linearGray: gray("Generic Gray Gamma 1.0 Profile", .linear),
      extendedGray: gray("Generic Gray Gamma 2.2 Profile", .gamma(2.2), extended: true),
      extendedLinearGray: gray("Generic Gray Gamma 1.0 Profile", .linear, extended: true),
    ]
  }()

  /// The named space that `definition` is, allowing for what profiles round away.
  static func space(matching definition: Definition) -> (name: CFString, definition: Definition)? {
    // In this order, so that the answer does not hang on the order of a dictionary.
    let candidates = [
      sRGB, displayP3, itur_709, itur_2020, adobeRGB1998, dcip3, linearSRGB, linearDisplayP3,
      linearITUR_2020, genericGrayGamma2_2, linearGray,
    ]
    for name in candidates {
      if let candidate = known[name]?.definition, candidate.isNear(definition) { return (name, candidate) }
    }
    return nil
  }
}

extension CGColorSpace.Definition {
  /// Whether both agree to within 1/400 in matrix and curve, some half of a level of 8 bits.
  func isNear(_ other: Self) -> Bool {
    func near(_ a: TransferFunction, _ b: TransferFunction) -> Bool {
      (0...32).allSatisfy { abs(a.linear(Double($0) / 32) - b.linear(Double($0) / 32)) < 0.0025 }
    }
    switch (self, other) {
    case (.gray(let a), .gray(let b)):
      return near(a, b)
    case (.rgb(let left, let a), .rgb(let right, let b)):
      let rows = [left.first - right.first, left.second - right.second, left.third - right.third]
      return near(a, b) && rows.allSatisfy { max($0.max(), -$0.min()) < 0.0025 }
    default:
      return false
    }
  }
}
