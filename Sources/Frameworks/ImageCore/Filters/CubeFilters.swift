internal import Foundation
internal import GraphicsCore

extension FilterDefinition {
  /// Filters that look colours up in a table of three dimensions.
  static let cubeFilters: [FilterDefinition] = [
    FilterDefinition("CIColorCube", kCICategoryColorEffect, [.image] + .cube) { values in
      guard let image = values.image(), let cube = values.cube else { return nil }
      return image.changed(image.recipe.colors([.cube(cube)]))
    },
    FilterDefinition(
      "CIColorCubeWithColorSpace", kCICategoryColorEffect,
      [.image] + .cube + [FilterInput(key: "inputColorSpace", kind: .colorSpace)]
    ) { values in
      guard let image = values.image(), let cube = values.cube else { return nil }
      let steps = values.colorSpace("inputColorSpace").map { [ColorStep].within($0, [.cube(cube)]) }
      return image.changed(image.recipe.colors(steps ?? [.cube(cube)]))
    },
  ]
}

extension [FilterInput] {
  fileprivate static var cube: [FilterInput] {
    [
      .number("inputCubeDimension", 2, 2...64, limits: 2...128),
      FilterInput(key: "inputCubeData", kind: .data), .number("inputExtrapolate", 0, 0...1),
    ]
  }
}

extension FilterValues {
  /// The table; `nil` when there is none, or less data than the dimension asks for.
  fileprivate var cube: ColorCube? {
    data("inputCubeData").flatMap {
      ColorCube(
        dimension: Int(number("inputCubeDimension")), data: $0, extrapolates: number("inputExtrapolate") != 0)
    }
  }
}

extension [ColorStep] {
  /// The steps, done with the numbers of a colour space instead of linear light of sRGB.
  fileprivate static func within(_ space: CGColorSpace, _ steps: [ColorStep]) -> [ColorStep] {
    let transfer = space.transfer
    let there = FloatMatrix(ColorConversion(from: .standardWorking, to: space).matrix)
    let back = FloatMatrix(ColorConversion(from: space, to: .standardWorking).matrix)
    func matrix(_ matrix: FloatMatrix?) -> [ColorStep] {
      matrix.map { [.affine(ColorAffine(red: $0.red, green: $0.green, blue: $0.blue))] } ?? []
    }
    if transfer == .linear { return matrix(there) + steps + matrix(back) }
    let stored = ColorCurves(all: { Float(transfer.stored(Double($0))) })
    let light = ColorCurves(all: { Float(transfer.linear(Double($0))) })
    return matrix(there) + [.curves(stored)] + steps + [.curves(light)] + matrix(back)
  }
}
