/// The handler of a display link: gets the link, the present moment, the moment at which what it draws is shown, and two sets of flags, which
/// are not used.
///
/// What it returns is not used either, as on Apple's platforms.
public typealias CVDisplayLinkOutputHandler = (
  CVDisplayLink, UnsafePointer<CVTimeStamp>, UnsafePointer<CVTimeStamp>, CVOptionFlags,
  UnsafeMutablePointer<CVOptionFlags>
) -> CVReturn

/// Makes a link with the rhythm that suits every display, see ``CVDisplayLink``; it does not run yet.
///
/// - Returns: ``kCVReturnSuccess``.
@discardableResult
public func CVDisplayLinkCreateWithActiveCGDisplays(
  _ displayLinkOut: UnsafeMutablePointer<CVDisplayLink?>
) -> CVReturn {
  displayLinkOut.pointee = CVDisplayLink()
  return kCVReturnSuccess
}

/// Says which handler a link calls from its next tick on, on its own thread.
///
/// - Returns: ``kCVReturnSuccess``.
@discardableResult
public func CVDisplayLinkSetOutputHandler(
  _ displayLink: CVDisplayLink, _ handler: @escaping CVDisplayLinkOutputHandler
) -> CVReturn {
  displayLink.setHandler(handler)
  return kCVReturnSuccess
}

/// Has a link call its handler from now on, the first time after a sixtieth of a second; it must be kept as long as it shall run.
///
/// - Returns: ``kCVReturnDisplayLinkAlreadyRunning``, ``kCVReturnDisplayLinkCallbacksNotSet``, or ``kCVReturnSuccess``.
@discardableResult
public func CVDisplayLinkStart(_ displayLink: CVDisplayLink) -> CVReturn {
  displayLink.start()
}

/// Has a link not call its handler any more, but for a call whose turn has come.
///
/// That one is not waited for: so the handler may wait for the thread that stops its link.
///
/// - Returns: ``kCVReturnDisplayLinkNotRunning``, or ``kCVReturnSuccess``.
@discardableResult
public func CVDisplayLinkStop(_ displayLink: CVDisplayLink) -> CVReturn {
  displayLink.stop()
}

/// Whether a link calls its handler.
public func CVDisplayLinkIsRunning(_ displayLink: CVDisplayLink) -> Bool {
  displayLink.isRunning
}

/// Gives the present moment as a running link's display counts.
///
/// - Returns: ``kCVReturnDisplayLinkNotRunning``, or ``kCVReturnSuccess``.
@discardableResult
public func CVDisplayLinkGetCurrentTime(
  _ displayLink: CVDisplayLink, _ outTime: UnsafeMutablePointer<CVTimeStamp>
) -> CVReturn {
  guard let present = displayLink.present else { return kCVReturnDisplayLinkNotRunning }
  outTime.pointee = present
  return kCVReturnSuccess
}

/// The time from one picture of a link's display to the next: a sixtieth of a second.
public func CVDisplayLinkGetNominalOutputVideoRefreshPeriod(_ displayLink: CVDisplayLink) -> CVTime {
  CVTime(
    timeValue: CVDisplayLink.refreshPeriod, timeScale: CVDisplayLink.timeScale, flags: 0)
}
