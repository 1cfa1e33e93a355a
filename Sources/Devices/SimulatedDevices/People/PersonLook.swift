/// The look of a drawn person: skin, hair and clothes.
///
/// What a scene does not say, the seed decides: equal looks with equal seeds are drawn alike in every process.
public struct PersonLook: Sendable, Hashable {
  /// The skin, from light to dark.
  public enum Skin: String, Sendable, Hashable, CaseIterable {
    case light, fair, tan, brown, dark
  }

  /// The colour of the hair.
  public enum Hair: String, Sendable, Hashable, CaseIterable {
    case black, brown, auburn, blond, grey
  }

  /// How the hair is cut.
  public enum HairStyle: String, Sendable, Hashable, CaseIterable {
    case short, bob, long, bun, bald
  }

  /// The colour of the clothes.
  public enum Clothes: String, Sendable, Hashable, CaseIterable {
    case navy, green, red, mustard, grey
  }

  /// The skin; `nil` leaves it to the seed, as below.
  public var skin: Skin?
  /// The colour of the hair.
  public var hair: Hair?
  /// How the hair is cut.
  public var hairStyle: HairStyle?
  /// The clothes.
  public var clothes: Clothes?
  /// Decides what is not said, and when the person blinks and looks around.
  public var seed: UInt64

  /// A look that the seed decides where nothing else is said.
  public init(
    skin: Skin? = nil, hair: Hair? = nil, hairStyle: HairStyle? = nil, clothes: Clothes? = nil,
    seed: UInt64 = 1
  ) {
    self.skin = skin
    self.hair = hair
    self.hairStyle = hairStyle
    self.clothes = clothes
    self.seed = seed
  }
}

/// The colours and measures of one look, as they are drawn.
struct PersonColors: Sendable, Hashable {
  let skin: SIMD4<Float>
  let hair: SIMD4<Float>
  let clothes: SIMD4<Float>
  let iris: SIMD4<Float>
  let style: PersonLook.HairStyle
  /// The side of the parting: metres from the middle of the head.
  let parting: Float

  init(_ look: PersonLook) {
    func chosen<Value: CaseIterable>(_ value: Value?, _ what: String, of count: Int) -> Value {
      let all = Array(Value.allCases)
      return value ?? all[Int(Chance(look.seed, what, 0).bits % UInt64(count))]
    }
    let skin = chosen(look.skin, "skin", of: PersonLook.Skin.allCases.count)
    // Whom the seed draws is never bald or grey: that would be two of five.
    let hair = chosen(look.hair, "hair", of: 4)
    let clothes = chosen(look.clothes, "clothes", of: PersonLook.Clothes.allCases.count)
    style = chosen(look.hairStyle, "hair style", of: 4)
    let eyes = Int(Chance(look.seed, "eyes", 0).bits % 3)
    self.skin =
      switch skin {
      case .light: SIMD4(0.97, 0.80, 0.71, 0)
      case .fair: SIMD4(0.93, 0.73, 0.60, 0)
      case .tan: SIMD4(0.83, 0.62, 0.47, 0)
      case .brown: SIMD4(0.65, 0.45, 0.33, 0)
      case .dark: SIMD4(0.47, 0.32, 0.25, 0)
      }
    self.hair =
      switch hair {
      case .black: SIMD4(0.17, 0.14, 0.135, 0)
      case .brown: SIMD4(0.34, 0.21, 0.14, 0)
      case .auburn: SIMD4(0.52, 0.25, 0.14, 0)
      case .blond: SIMD4(0.82, 0.64, 0.38, 0)
      case .grey: SIMD4(0.66, 0.65, 0.64, 0)
      }
    self.clothes =
      switch clothes {
      case .navy: SIMD4(0.17, 0.25, 0.42, 0)
      case .green: SIMD4(0.24, 0.43, 0.35, 0)
      case .red: SIMD4(0.66, 0.22, 0.22, 0)
      case .mustard: SIMD4(0.82, 0.61, 0.22, 0)
      case .grey: SIMD4(0.52, 0.54, 0.58, 0)
      }
    iris =
      switch skin {
      case .light, .fair:
        [SIMD4(0.34, 0.50, 0.60, 0), SIMD4(0.36, 0.46, 0.30, 0), SIMD4(0.40, 0.25, 0.14, 0)][eyes]
      default: SIMD4(0.34, 0.20, 0.11, 0)
      }
    parting = Chance(look.seed, "parting", 0).bits & 1 == 0 ? -0.022 : 0.022
  }
}
