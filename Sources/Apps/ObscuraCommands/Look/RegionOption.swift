internal import CameraTasks
internal import Foundation

/// The part of the picture in which a command looks: `--region`.
enum RegionOption {
  static let option = Arguments.Option(
    "region", value: "X,Y,W,H", .fractions(count: 4, like: "0.25,0.25,0.5,0.5"),
    help: "where to look, in fractions of the camera's own picture")

  /// The region in fractions of the picture; all of it without the option.
  /// - Throws: ``CommandError`` with ``ExitCode/usage`` for one that is empty or sticks out.
  static func region(_ arguments: Arguments) throws(CommandError) -> CGRect {
    guard let numbers = arguments.numbers("region") else { return CGRect(x: 0, y: 0, width: 1, height: 1) }
    // A hair's breadth beyond the edge is rounding.
    guard numbers[2] > 0, numbers[3] > 0, numbers[0] + numbers[2] <= 1.000001,
      numbers[1] + numbers[3] <= 1.000001
    else {
      throw CommandError(
        .usage,
        "--region \(numbers.map { Figures.text($0) }.joined(separator: ",")) is no part of a picture; write x,y,width,height as fractions, like 0.25,0.25,0.5,0.5."
      )
    }
    return CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
