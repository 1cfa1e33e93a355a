/// Notes which frames a viewfinder shows, for photos of what was seen.
package protocol ShownFrameLog: AnyObject, Sendable {
  /// Notes that a frame is shown from now on: a delegate is being called with it, or a host draws it.
  func noteShown(_ sequence: UInt32)
}
