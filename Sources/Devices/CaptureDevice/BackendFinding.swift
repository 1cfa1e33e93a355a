/// One finding of a diagnosis that a backend makes of its own devices and of what it needs.
package struct BackendFinding: Sendable, Hashable {
  /// The weight of a finding.
  package enum Weight: Sendable, Hashable {
    /// All is in order.
    case fine
    /// A part is missing that nothing else needs.
    case note
    /// A fault that should be mended.
    case trouble
  }

  /// The weight of the finding.
  package var weight: Weight
  /// One sentence; of trouble, with what to do.
  package var sentence: String

  /// A finding in one sentence.
  package init(_ weight: Weight, _ sentence: String) {
    self.weight = weight
    self.sentence = sentence
  }
}
