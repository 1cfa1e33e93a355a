internal import CLiteRT
internal import Foundation

/// A model of one square picture, loaded and ready; one call at a time.
final class NeuralModel {
  /// The side of the input, in pixels.
  let side: Int

  private let pointer: OpaquePointer
  private let name: String
  /// What black is in the input; white is 1.
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
    side = Int(cam_model_side(pointer))
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
    precondition(x >= 0 && y >= 0 && x + width <= side && y + height <= side)
    cam_model_put(pointer, bgra, bytesPerRow, Int32(x), Int32(y), Int32(width), Int32(height), black)
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
}
