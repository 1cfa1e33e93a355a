public import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// A control for a number in a range.
///
/// - Note: Unlike AVFoundation, whose documentation leaves it open, the action runs when people move the slider and never when the
///   program sets ``value``.
///
/// Source: [AVCaptureSlider](https://developer.apple.com/documentation/avfoundation/avcaptureslider).
open class AVCaptureSlider: AVCaptureControl, @unchecked Sendable {  // Safe: locked state, and constants.
  private struct State {
    var value: Float
    var format: String?
    var prominent: [Float] = []
    var identifier: String?
  }

  /// What the slider adjusts, for people.
  ///
  /// Apple: `AVCaptureSlider.localizedTitle`.
  public let localizedTitle: String
  /// The name of a symbol for it.
  ///
  /// Apple: `AVCaptureSlider.symbolName`.
  public let symbolName: String

  private let range: ClosedRange<Float>
  /// The only values it can have, smallest first; `nil` for any.
  private let values: [Float]?
  private let state: Locked<State>
  private let action = ControlAction<Float>()

  /// A slider for any value within `range`, which begins at its lower bound.
  ///
  /// A range without extent is a programming mistake; the slider then has one value.
  /// Apple: `AVCaptureSlider.init(_:symbolName:in:)`.
  public convenience init(_ localizedTitle: String, symbolName: String, in range: ClosedRange<Float>) {
    Self.check(range)
    self.init(title: localizedTitle, symbolName: symbolName, range: range, values: nil)
  }

  /// A slider for the values within `range` that lie `step` apart, from its lower bound on.
  ///
  /// A range without extent and a step that is not above zero are programming mistakes; the slider then has any value within
  /// the range. Apple: `AVCaptureSlider.init(_:symbolName:in:step:)`.
  public convenience init(
    _ localizedTitle: String, symbolName: String, in range: ClosedRange<Float>, step: Float
  ) {
    Self.check(range)
    guard step > 0, step.isFinite else {
      ProgrammingMistake.report(rule: "AVCaptureSlider needs a step above 0; it got \(step).")
      self.init(title: localizedTitle, symbolName: symbolName, range: range, values: nil)
      return
    }
    // Counted, not summed up, so that no error grows; a step too fine for a Float is none.
    let count = ((range.upperBound - range.lowerBound) / step * (1 + .ulpOfOne)).rounded(.down)
    let values = count < 100_000 ? (0...Int(count)).map { range.lowerBound + Float($0) * step } : nil
    self.init(title: localizedTitle, symbolName: symbolName, range: range, values: values)
  }

  /// A slider for the given values, which begins at the smallest.
  ///
  /// No values are a programming mistake; the slider then has the value 0.
  /// Apple: `AVCaptureSlider.init(_:symbolName:values:)`.
  public convenience init(_ localizedTitle: String, symbolName: String, values: [Float]) {
    let sorted = values.filter(\.isFinite).sorted()
    if sorted.isEmpty { ProgrammingMistake.report(rule: "AVCaptureSlider needs at least one value.") }
    let least = sorted.first ?? 0, most = sorted.last ?? 0
    self.init(
      title: localizedTitle, symbolName: symbolName, range: least...most,
      values: sorted.isEmpty ? [0] : sorted)
  }

  private init(title: String, symbolName: String, range: ClosedRange<Float>, values: [Float]?) {
    localizedTitle = title
    self.symbolName = symbolName
    self.range = range
    self.values = values
    state = Locked(State(value: range.lowerBound))
    super.init()
  }

  private static func check(_ range: ClosedRange<Float>) {
    guard range.lowerBound < range.upperBound else {
      return ProgrammingMistake.report(
        rule: "AVCaptureSlider needs a smallest value below its greatest; it got \(range).")
    }
  }

  /// Calls `action` with the new value whenever people have moved the slider.
  ///
  /// - Parameters:
  ///   - actionQueue: Where the action runs, on a serial queue that targets it.
  ///   - action: Replaces the former one.
  ///
  /// Apple: `AVCaptureSlider.setActionQueue(_:action:)`.
  open func setActionQueue(_ actionQueue: DispatchQueue, action: @escaping (Float) -> Void) {
    self.action.set(on: actionQueue, action)
  }

  /// The present value.
  ///
  /// A value that the slider cannot have is a programming mistake without effect. Apple: `AVCaptureSlider.value`.
  open var value: Float {
    get { state.withLock { $0.value } }
    set {
      guard range.contains(newValue), values?.contains(newValue) ?? true else {
        let what = values.map { "one of its \($0.count) values" } ?? "a value within \(range)"
        return ProgrammingMistake.report(
          rule: "The slider \(localizedTitle) cannot have the value \(newValue); set \(what).")
      }
      changingFace { state.withLock { $0.value = newValue } }
    }
  }

  /// How the value reads: text with one `%@` for the number, such as `%@ fps`; `nil` for the number alone.
  ///
  /// Text with another placeholder counts as `nil`. Apple: `AVCaptureSlider.localizedValueFormat`.
  open var localizedValueFormat: String? {
    get { state.withLock { $0.format } }
    set { changingFace { state.withLock { $0.format = newValue } } }
  }

  /// Values that a host may mark.
  ///
  /// Apple: `AVCaptureSlider.prominentValues`.
  open var prominentValues: [Float] {
    get { state.withLock { $0.prominent } }
    set { changingFace { state.withLock { $0.prominent = newValue } } }
  }

  /// What tests of interfaces find the slider by.
  ///
  /// Apple: `AVCaptureSlider.accessibilityIdentifier`.
  open var accessibilityIdentifier: String? {
    get { state.withLock { $0.identifier } }
    set { state.withLock { $0.identifier = newValue } }
  }

  // MARK: For hosts

  override func makeFace() -> CaptureControlFace {
    let state = state.withLock { $0 }
    return CaptureControlFace(
      title: localizedTitle, symbolName: symbolName,
      kind: .slider(range: range, values: values, value: state.value),
      valueText: SliderText.text(state.value, format: state.format), prominentValues: state.prominent)
  }

  override func userMoved(to value: Float) {
    let inside = min(max(value, range.lowerBound), range.upperBound)
    let new = values?.min { abs($0 - inside) < abs($1 - inside) } ?? inside
    guard new != self.value else { return }
    changingFace { state.withLock { $0.value = new } }
    action(new)
  }
}

/// A slider's value as text.
enum SliderText {
  /// The number with at most two decimals, in `format` where that has one `%@` and no other placeholder.
  static func text(_ value: Float, format: String?) -> String {
    let hundredths = (value * 100).rounded() / 100
    let number = hundredths == hundredths.rounded() ? "\(Int(hundredths))" : "\(hundredths)"
    guard let format else { return number }
    let parts = format.components(separatedBy: "%@")
    let isPlain = parts.allSatisfy { !$0.replacing("%%", with: "").contains("%") }
    guard parts.count == 2, isPlain else { return number }
    return parts.map { $0.replacing("%%", with: "%") }.joined(separator: number)
  }
}
