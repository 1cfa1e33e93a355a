import Testing

/// The suites that install simulated devices, nested here by extensions in every part of the tests of AVFCapture.
///
/// The providers are the process's, so these suites run one after the other; all others may run beside them.
@Suite(.serialized, OneAtATime())
package enum DeviceSuites {}
