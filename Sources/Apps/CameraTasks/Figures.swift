internal import Foundation

/// Numbers as people read them.
package enum Figures {
  /// A number without digits that say nothing.
  package static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9
      ? String(Int(number)) : String(format: "%.4g", number)
  }

  /// An exposure time as photographers write it.
  package static func exposureText(_ seconds: Double) -> String {
    seconds > 1e-9 && seconds < 0.3 ? "1/\(Int((1 / seconds).rounded())) s" : "\(text(seconds)) s"
  }
}
