extension Sequence {
  /// The first result of `transform` that is not `nil`, asking no element twice and none after it.
  ///
  /// `lazy.compactMap(…).first` asks twice, and crashes when another thread changes the answer in between.
  package func firstResult<Result, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    for element in self {
      if let result = try transform(element) { return result }
    }
    return nil
  }
}
