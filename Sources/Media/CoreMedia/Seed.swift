public final class CMBlockBuffer: @unchecked Sendable {}
