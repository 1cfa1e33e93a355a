import Foundation

/// The picture's rectangle in the stage: as large as fits, in the middle.
struct PicturePlace: Equatable {
  var x = 0.0
  var y = 0.0
  var width = 0.0
  var height = 0.0

  init(aspect: Double, width: Double, height: Double) {
    guard aspect > 0, width > 0, height > 0 else { return }
    self.width = min(width, height * aspect)
    self.height = min(height, width / aspect)
    x = (width - self.width) / 2
    y = (height - self.height) / 2
  }

  /// The place of a part of the picture, given in fractions of it.
  func part(_ part: CGRect) -> PicturePlace {
    var place = self
    (place.x, place.y) = point(part.minX, part.minY)
    (place.width, place.height) = (part.width * width, part.height * height)
    return place
  }

  /// A place of the stage in fractions of the picture.
  func fraction(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    guard width > 0, height > 0 else { return (-1, -1) }
    return ((x - self.x) / width, (y - self.y) / height)
  }

  /// A place of the picture on the stage.
  func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (self.x + x * width, self.y + y * height)
  }
}
