internal import CLiteRT
internal import Foundation
internal import PixelTransforms

/// A model of one picture, loaded and ready; one call at a time.
final class NeuralModel {
  /// The size of the input, in pixels.
  let size: PixelSize

  private let pointer: OpaquePointer
  private let name: String
  /// The value of black in the input; white is 1.
  private let black: Float

  /// Loads a model; takes some ten milliseconds.
  ///
  /// - Parameters:
  ///   - black: What the model knows as black: -1 or 0.
  /// - Throws: ``ModelError``.
  init(_ file: ModelFolder.File, in folder: ModelFolder, black: Float) throws(ModelError) {
    let runtime = try ModelRuntime.opened(in: folder)
    var reason = [CChar](repeating: 0, count: 200)
    // One thread: the rest of the machine belongs to the pictures that people see.
    guard let pointer = cam_model_open(runtime.pointer, folder.path(file), 1, &reason, reason.count) else {
      throw ModelError(
        "The model \(folder.path(file)) cannot be used, because \(ModelRuntime.text(reason)); "
          + "run 'scripts/setup --models' to fetch it anew.")
    }
    self.pointer = pointer
    self.black = black
    name = file.rawValue
    size = PixelSize(width: Int(cam_model_width(pointer)), height: Int(cam_model_height(pointer)))
  }

  deinit {
    cam_model_close(pointer)
  }

  /// Makes the whole input black.
  func clear() {
    cam_model_clear(pointer, black)
  }

  /// Puts rows of BGRA into the input at (x, y), which they must fit.
  func put(_ bgra: UnsafePointer<UInt8>, bytesPerRow: Int, x: Int, y: Int, width: Int, height: Int) {
    precondition(x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height)
    cam_model_put(pointer, bgra, bytesPerRow, Int32(x), Int32(y), Int32(width), Int32(height), black)
  }

  /// Fills the square input with what a square of a BGRA picture shows, between pixels linear; black beyond the picture.
  ///
  /// - Parameters:
  ///   - size: Of the picture, in pixels.
  ///   - place: The place in the picture of a place in the square, whose own corners are (0, 0) and (1, 1): an affine map.
  func fill(
    from bgra: UnsafePointer<UInt8>, bytesPerRow: Int, width: Int, height: Int,
    place: (CGPoint) -> CGPoint
  ) {
    let origin = place(.zero)
    let (right, down) = (place(CGPoint(x: 1, y: 0)), place(CGPoint(x: 0, y: 1)))
    let step = 1 / Double(size.width)
    let map = [
      (right.x - origin.x) * step, (down.x - origin.x) * step, origin.x, (right.y - origin.y) * step,
      (down.y - origin.y) * step, origin.y,
    ].map { Float($0) }
    cam_model_fill(pointer, bgra, bytesPerRow, Int32(width), Int32(height), map, black)
  }

  /// Runs the model on its input.
  func run() throws(ModelError) {
    let status = cam_model_run(pointer)
    guard status == 0 else {
      throw ModelError(
        "The model \(name) did not run (LiteRT's status \(status)); run 'scripts/setup --models' to fetch it anew."
      )
    }
  }

  /// The output of so many numbers, as the last run left it; `nil` when the model has none such.
  ///
  /// Valid until the next run.
  func output(of count: Int) -> UnsafeBufferPointer<Float>? {
    for index in 0..<cam_model_output_count(pointer) where cam_model_output_size(pointer, index) == count {
      return UnsafeBufferPointer(start: cam_model_output(pointer, index), count: count)
    }
    return nil
  }

  /// Output `index` of the model as the last run left it; `nil` when it has fewer.
  ///
  /// For models that have several outputs of one size. Valid until the next run.
  func output(at index: Int) -> UnsafeBufferPointer<Float>? {
    guard index < cam_model_output_count(pointer) else { return nil }
    return UnsafeBufferPointer(
      start: cam_model_output(pointer, Int32(index)), count: cam_model_output_size(pointer, Int32(index)))
  }
}
