internal import CZXing
internal import Glibc

/// A code as modules, without its quiet zone.
package struct CodeModules: Sendable {
  /// Modules in a row; of bars the narrowest.
  package let width: Int
  /// Rows; 1 for bars.
  package let height: Int
  /// Row by row; true is dark.
  package let isDark: [Bool]

  /// Draws `text`; `nil` when that kind of code cannot hold it, or the library does not draw that kind.
  ///
  /// Bars get their check digit when the text lacks it.
  package init?(_ kind: CodeKind, _ text: String) {
    var text = text
    var (width, height): (Int32, Int32) = (0, 0)
    let modules = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        cam_code_draw(kind.bit, $0.baseAddress, $0.count, &width, &height)
      }
    }
    self.init(kind, modules, width, height)
  }

  /// Draws `message` as it is, byte for byte; `nil` when that kind of code cannot hold it.
  ///
  /// - Parameter level: How much of the code may be lost, 0 to 8, or `nil` for what is usual: of QR codes 2, 4, 6 and 8 are L, M, Q
  ///   and H; of Aztec codes each stands for an eighth of the code; of PDF417 it is the level of the standard.
  package init?(_ kind: CodeKind, message: [UInt8], level: Int? = nil) {
    var (width, height): (Int32, Int32) = (0, 0)
    let modules = message.withUnsafeBufferPointer {
      cam_code_draw_bytes(kind.bit, $0.baseAddress, $0.count, Int32(level ?? -1), &width, &height)
    }
    self.init(kind, modules, width, height)
  }

  private init?(_ kind: CodeKind, _ modules: UnsafeMutablePointer<UInt8>?, _ width: Int32, _ height: Int32) {
    guard let modules else { return nil }
    defer { free(modules) }
    self.width = Int(width)
    let rows = kind.isLinear ? 1 : Int(height)
    self.height = rows
    // Safe because the library has made width × height bytes.
    isDark = (0..<Int(width) * rows).map { modules[$0] != 0 }
  }
}
