public import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// A control for one of several.
///
/// - Note: Unlike AVFoundation, whose documentation leaves it open, the action runs when people move the picker and never when the
///   program sets ``selectedIndex``.
///
/// Source: [AVCaptureIndexPicker](https://developer.apple.com/documentation/avfoundation/avcaptureindexpicker).
open class AVCaptureIndexPicker: AVCaptureControl, @unchecked Sendable {  // Safe: locked.
  /// What the picker chooses, for people.
  ///
  /// Apple: `AVCaptureIndexPicker.localizedTitle`.
  public let localizedTitle: String
  /// The name of a symbol for it.
  ///
  /// Apple: `AVCaptureIndexPicker.symbolName`.
  public let symbolName: String
  /// How many there are to choose from.
  ///
  /// Apple: `AVCaptureIndexPicker.numberOfIndexes`.
  public let numberOfIndexes: Int
  /// What each is called, for people; numbers from 1 on where no titles were given.
  ///
  /// Apple: `AVCaptureIndexPicker.localizedIndexTitles`.
  public let localizedIndexTitles: [String]

  private let selected = Locked(0)
  private let identifier = Locked<String?>(nil)
  private let action = ControlAction<Int>()

  /// A picker of so many, whose titles are numbers.
  ///
  /// Fewer than one are a programming mistake; the picker then has one.
  /// Apple: `AVCaptureIndexPicker.init(_:symbolName:numberOfIndexes:)`.
  public convenience init(_ localizedTitle: String, symbolName: String, numberOfIndexes: Int) {
    self.init(localizedTitle, symbolName: symbolName, numberOfIndexes: numberOfIndexes) { "\($0 + 1)" }
  }

  /// A picker of so many, whose titles `localizedTitleTransform` makes of their indexes, before this returns.
  ///
  /// Fewer than one are a programming mistake; the picker then has one.
  /// Apple: `AVCaptureIndexPicker.init(_:symbolName:numberOfIndexes:localizedTitleTransform:)`.
  public convenience init(
    _ localizedTitle: String, symbolName: String, numberOfIndexes: Int,
    localizedTitleTransform: @escaping @Sendable (Int) -> String
  ) {
    if numberOfIndexes < 1 { Self.reportNone(localizedTitle) }
    self.init(
      title: localizedTitle, symbolName: symbolName,
      titles: (0..<max(numberOfIndexes, 1)).map(localizedTitleTransform))
  }

  /// A picker of what has these titles.
  ///
  /// No titles are a programming mistake; the picker then has an empty one.
  /// Apple: `AVCaptureIndexPicker.init(_:symbolName:localizedIndexTitles:)`.
  public convenience init(_ localizedTitle: String, symbolName: String, localizedIndexTitles: [String]) {
    if localizedIndexTitles.isEmpty { Self.reportNone(localizedTitle) }
    self.init(
      title: localizedTitle, symbolName: symbolName,
      titles: localizedIndexTitles.isEmpty ? [""] : localizedIndexTitles)
  }

  private init(title: String, symbolName: String, titles: [String]) {
    localizedTitle = title
    self.symbolName = symbolName
    numberOfIndexes = titles.count
    localizedIndexTitles = titles
    super.init()
  }

  private static func reportNone(_ title: String) {
    ProgrammingMistake.report(rule: "The picker \(title) needs at least one index.")
  }

  /// Calls `action` with the new index whenever people have moved the picker.
  ///
  /// - Parameters:
  ///   - actionQueue: Where the action runs, on a serial queue that targets it.
  ///   - action: Replaces the former one.
  ///
  /// Apple: `AVCaptureIndexPicker.setActionQueue(_:action:)`.
  open func setActionQueue(_ actionQueue: DispatchQueue, action: @escaping (Int) -> Void) {
    self.action.set(on: actionQueue, action)
  }

  /// Which one is selected; the first unless changed.
  ///
  /// An index that the picker does not have is a programming mistake without effect.
  /// Apple: `AVCaptureIndexPicker.selectedIndex`.
  open var selectedIndex: Int {
    get { selected.withLock { $0 } }
    set {
      guard localizedIndexTitles.indices.contains(newValue) else {
        return ProgrammingMistake.report(
          rule: "The picker \(localizedTitle) has no index \(newValue); it has \(numberOfIndexes) from 0 on.")
      }
      changingFace { selected.withLock { $0 = newValue } }
    }
  }

  /// What tests of interfaces find the picker by.
  ///
  /// Apple: `AVCaptureIndexPicker.accessibilityIdentifier`.
  open var accessibilityIdentifier: String? {
    get { identifier.withLock { $0 } }
    set { identifier.withLock { $0 = newValue } }
  }

  // MARK: For hosts

  override func makeFace() -> CaptureControlFace {
    CaptureControlFace(
      title: localizedTitle, symbolName: symbolName,
      kind: .picker(titles: localizedIndexTitles, index: selectedIndex))
  }

  override func userMoved(to value: Float) {
    let index = Int(min(max(value.rounded(), 0), Float(numberOfIndexes - 1)))
    guard index != selectedIndex else { return }
    changingFace { selected.withLock { $0 = index } }
    action(index)
  }
}
