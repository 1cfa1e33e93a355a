public import Foundation
public import GraphicsCore

/// The inputs of `CIColorCube`, which looks each colour up in a table of three dimensions.
///
/// The table's numbers are those of the context's working space: linear light unless it was made with another.
///
/// Apple: `CIColorCube`.
public protocol CIColorCube: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIColorCube.inputImage`.
  var inputImage: CIImage? { get set }
  /// The colours along one side of the table, 2 to 128: `inputCubeDimension`.
  ///
  /// Apple: `CIColorCube.cubeDimension`.
  var cubeDimension: Float { get set }
  /// Premultiplied red, green, blue and alpha as 32-bit floating-point numbers, `cubeDimension`³ of them: `inputCubeData`.
  ///
  /// Red changes from one to the next, then green, then blue. With less data the filter has no output.
  ///
  /// Apple: `CIColorCube.cubeData`.
  var cubeData: Data { get set }
  /// Whether colours beyond 0 to 1 go on as the table's outermost cells do; they take its edge otherwise: `inputExtrapolate`.
  ///
  /// Apple: `CIColorCube.extrapolate`.
  var extrapolate: Bool { get set }
}

/// The inputs of `CIColorCubeWithColorSpace`, which looks each colour up by its numbers in a colour space.
///
/// Apple: `CIColorCubeWithColorSpace`.
public protocol CIColorCubeWithColorSpace: CIFilterProtocol {
  /// The image that it works on.
  ///
  /// Apple: `CIColorCubeWithColorSpace.inputImage`.
  var inputImage: CIImage? { get set }
  /// The colours along one side of the table, 2 to 128: `inputCubeDimension`.
  ///
  /// Apple: `CIColorCubeWithColorSpace.cubeDimension`.
  var cubeDimension: Float { get set }
  /// The table, as that of ``CIColorCube/cubeData``: `inputCubeData`.
  ///
  /// Apple: `CIColorCubeWithColorSpace.cubeData`.
  var cubeData: Data { get set }
  /// The space whose numbers the table takes and gives; the working space's without one: `inputColorSpace`.
  ///
  /// Apple: `CIColorCubeWithColorSpace.colorSpace`.
  var colorSpace: CGColorSpace? { get set }
  /// Whether colours beyond 0 to 1 go on as the table's outermost cells do: `inputExtrapolate`.
  ///
  /// Apple: `CIColorCubeWithColorSpace.extrapolate`.
  var extrapolate: Bool { get set }
}

extension CIFilter {
  /// `CIColorCube` with its standard values, which has no output without a table.
  ///
  /// Apple: `CIFilter.colorCube()`.
  public class func colorCube() -> any CIFilter & CIColorCube { ColorCubeFilter(.named("CIColorCube")) }

  /// `CIColorCubeWithColorSpace` with its standard values, which has no output without a table.
  ///
  /// Apple: `CIFilter.colorCubeWithColorSpace()`.
  public class func colorCubeWithColorSpace() -> any CIFilter & CIColorCubeWithColorSpace {
    ColorCubeWithColorSpaceFilter(.named("CIColorCubeWithColorSpace"))
  }
}

final class ColorCubeFilter: CIFilter, CIColorCube {}
final class ColorCubeWithColorSpaceFilter: CIFilter, CIColorCubeWithColorSpace {}
