public typealias OSType = UInt32
