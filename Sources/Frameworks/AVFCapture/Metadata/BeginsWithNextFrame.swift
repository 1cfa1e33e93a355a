/// A delegate that begins with the next frame, and gets nothing of the one that is being searched when it is set.
///
/// A synchronizer is one: it begins with frames that all of its outputs have.
protocol BeginsWithNextFrame: AnyObject {}
