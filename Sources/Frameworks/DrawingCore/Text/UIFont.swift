internal import CPangoCairo
public import Foundation

/// A font of this machine at a size; immutable and thread-safe.
///
/// Letters that it lacks are taken from other fonts, so that any script can be drawn for which the machine has letters.
/// Apple: `UIFont`; fonts are found by Fontconfig.
///
/// - Note: Unlike AVFoundation's companion, the system's font is what the desktop calls `Sans`, and names are those of Linux:
///   a family, then a style, as in `DejaVu Sans Bold`.
open class UIFont: NSObject, @unchecked Sendable {  // Safe: its properties are constant.
  /// How heavy letters are.
  public struct Weight: RawRepresentable, Hashable, Sendable {
    /// From -1, as thin as can be, over 0 to 1.
    public let rawValue: CGFloat

    /// The weight of this number.
    public init(rawValue: CGFloat) {
      self.rawValue = rawValue
    }

    /// 100 of Fontconfig's 1000.
    public static let ultraLight = Weight(rawValue: -0.8)
    /// 200.
    public static let thin = Weight(rawValue: -0.6)
    /// 300.
    public static let light = Weight(rawValue: -0.4)
    /// 400.
    public static let regular = Weight(rawValue: 0)
    /// 500.
    public static let medium = Weight(rawValue: 0.23)
    /// 600.
    public static let semibold = Weight(rawValue: 0.3)
    /// 700.
    public static let bold = Weight(rawValue: 0.4)
    /// 800.
    public static let heavy = Weight(rawValue: 0.56)
    /// 900.
    public static let black = Weight(rawValue: 0.62)

    /// The number that Pango takes.
    var pango: CamPangoWeight {
      switch rawValue {
      case ..<(-0.7): CAM_PANGO_WEIGHT_THIN
      case ..<(-0.5): CAM_PANGO_WEIGHT_ULTRALIGHT
      case ..<(-0.2): CAM_PANGO_WEIGHT_LIGHT
      case ..<0.12: CAM_PANGO_WEIGHT_NORMAL
      case ..<0.27: CAM_PANGO_WEIGHT_MEDIUM
      case ..<0.35: CAM_PANGO_WEIGHT_SEMIBOLD
      case ..<0.48: CAM_PANGO_WEIGHT_BOLD
      case ..<0.59: CAM_PANGO_WEIGHT_ULTRABOLD
      default: CAM_PANGO_WEIGHT_HEAVY
      }
    }
  }

  /// What Pango is asked for: family and style, without a size.
  let request: String
  /// The size, in points: the height that a line of letters is made for.
  public let pointSize: CGFloat

  private init(request: String, size: CGFloat) {
    self.request = request
    pointSize = size > 0 && size.isFinite ? min(size, 10_000) : 12
  }

  /// The font of a family and a style.
  ///
  /// - Parameter name: As Fontconfig knows it: `DejaVu Sans Bold`.
  /// - Returns: `nil` when this machine has no such family.
  public convenience init?(name fontName: String, size fontSize: CGFloat) {
    guard let description = cam_pango_font_description_from_string(fontName) else { return nil }
    defer { cam_pango_font_description_free(description) }
    guard let family = cam_pango_font_description_get_family(description).map({ String(cString: $0) }),
      FontFamilies.contains(family)
    else { return nil }
    self.init(request: fontName, size: fontSize)
  }

  /// The system's font.
  public class func systemFont(ofSize fontSize: CGFloat) -> UIFont {
    UIFont(request: "Sans", size: fontSize)
  }

  /// The system's font, lighter or heavier.
  public class func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
    UIFont(request: styled("Sans", weight), size: fontSize)
  }

  /// The system's font, bold.
  public class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont {
    systemFont(ofSize: fontSize, weight: .bold)
  }

  /// The system's font, slanted.
  public class func italicSystemFont(ofSize fontSize: CGFloat) -> UIFont {
    UIFont(request: "Sans Italic", size: fontSize)
  }

  /// The system's font whose letters are equally wide.
  public class func monospacedSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
    UIFont(request: styled("Monospace", weight), size: fontSize)
  }

  /// The same font at another size.
  open func withSize(_ fontSize: CGFloat) -> UIFont {
    UIFont(request: request, size: fontSize)
  }

  private static func styled(_ family: String, _ weight: Weight) -> String {
    let description = cam_pango_font_description_from_string(family)
    defer { cam_pango_font_description_free(description) }
    cam_pango_font_description_set_weight(description, weight.pango)
    return FontFamilies.text(of: description) ?? family
  }

  /// The font's family and style, as ``init(name:size:)`` takes them; for the system's fonts those that stand for it here.
  open var fontName: String { found.name }

  /// The font's family.
  open var familyName: String { found.family }

  /// How far letters reach above the line they stand on, in points.
  open var ascender: CGFloat { found.ascent }

  /// How far letters reach below the line they stand on, as a negative number of points.
  open var descender: CGFloat { -found.descent }

  /// The distance from line to line, in points.
  open var lineHeight: CGFloat { found.ascent + found.descent }

  /// Whether `object` is the same font at the same size.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UIFont else { return false }
    return other.request == request && other.pointSize == pointSize
  }

  /// Follows ``isEqual(_:)``.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(request)
    hasher.combine(pointSize)
    return hasher.finalize()
  }

  /// What this machine has for the request.
  private var found: FontFacts { FontFacts(self) }
}
