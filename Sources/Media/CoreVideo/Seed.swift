public final class CVPixelBuffer: @unchecked Sendable {}
