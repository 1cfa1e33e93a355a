package import CaptureDevice
package import Linux

/// A call to the ALSA library, for errors and for tests that force one.
package enum AudioCall: String, Sendable, Hashable, CaseIterable {
  case watchNodes, identity, open, abilities, configure, start, stop, prepare, wait, position, read
}

/// A call that was refused.
package struct AudioRefusal: Error, Sendable, Hashable {
  /// The refused call.
  package var call: AudioCall
  /// C's `errno`.
  package var errno: Int32

  /// A refusal of `call`.
  package init(_ call: AudioCall, _ errno: Int32) {
    self.call = call
    self.errno = errno
  }
}

/// A capture device's node: `/dev/snd/pcmC0D0c`.
package struct AudioNode: Sendable, Hashable {
  /// The number of the card, which changes from one start to the next.
  package var card: Int
  /// The number of the device on its card.
  package var device: Int
  /// Differs when the node was made anew: of its inode and device numbers.
  package var identity: UInt64

  /// A node of a card.
  package init(card: Int, device: Int, identity: UInt64) {
    self.card = card
    self.device = device
    self.identity = identity
  }

  /// As in `/dev/snd/pcmC0D0c`.
  package var path: String { "/dev/snd/pcmC\(card)D\(device)c" }
  /// The library's PCM name of the device, without any conversion.
  package var pcmName: String { "hw:\(card),\(device)" }
}

/// The bus and the USB device of a card.
package struct AudioPlacement: Sendable, Hashable {
  /// The last part of the device's path in sysfs: `0000:00:1f.3`, `snd_dummy.0`; empty where it is unknown.
  package var bus: String
  /// For USB devices.
  package var usb: USBPlacement?

  /// A placement.
  package init(bus: String = "", usb: USBPlacement? = nil) {
    self.bus = bus
    self.usb = usb
  }
}

/// The names of a node and its card.
///
/// C: `snd_ctl_card_info_t`, `snd_pcm_info_t`.
package struct AudioIdentity: Sendable, Hashable {
  /// The card's short name, unique while it is there: `PCH`.
  package var cardID: String
  /// As in `HDA-Intel`, `USB-Audio`.
  package var driver: String
  /// As in `HDA Intel PCH`, `Blue Yeti`.
  package var cardName: String
  /// As in `ALC257 Analog`, `USB Audio`.
  package var deviceName: String

  /// An identity.
  package init(cardID: String, driver: String, cardName: String, deviceName: String) {
    self.cardID = cardID
    self.driver = driver
    self.cardName = cardName
    self.deviceName = deviceName
  }
}

/// An open device: C's `snd_pcm_t *`.
package struct AudioHandle: Sendable, Hashable {
  /// The address, or what stands for one in tests.
  package var number: UInt

  /// A handle of an open device.
  package init(number: UInt) {
    self.number = number
  }
}

/// The encoding of one sample in memory, least significant byte first.
package enum AudioEncoding: Int, Sendable, Hashable, CaseIterable {
  case integer16
  case integer32
  /// 24 bits in the lower three bytes of four.
  case integer24In4
  /// 24 bits in three bytes.
  case integer24In3

  /// Bytes of one sample.
  package var byteCount: Int {
    switch self {
    case .integer16: 2
    case .integer24In3: 3
    case .integer32, .integer24In4: 4
    }
  }
}

/// The encodings, channels and formats that a device has.
package struct AudioAbilities: Sendable, Hashable {
  /// The encodings among those that are read here.
  package var encodings: [AudioEncoding]
  /// The numbers of channels.
  package var channels: ClosedRange<Int>
  /// The usual formats that it has exactly.
  package var formats: [AudioStreamFormat]
  /// Whether a sound server stands behind it and not the kernel.
  package var isServed: Bool

  /// Abilities.
  package init(
    encodings: [AudioEncoding], channels: ClosedRange<Int>, formats: [AudioStreamFormat],
    isServed: Bool = false
  ) {
    self.encodings = encodings
    self.channels = channels
    self.formats = formats
    self.isServed = isServed
  }
}

/// The setup of a running device.
package struct AudioSetup: Sendable, Hashable {
  package var encoding: AudioEncoding
  /// Samples of one channel in a second.
  package var rate: Int
  /// Channels of the device, which may be more than were asked for.
  package var channels: Int
  /// Samples of one channel after which a reader is woken.
  package var chunk: Int
  /// Samples of one channel that the device keeps for a reader that is late.
  package var buffer: Int

  /// A way to run.
  package init(encoding: AudioEncoding, rate: Int, channels: Int, chunk: Int, buffer: Int) {
    self.encoding = encoding
    self.rate = rate
    self.channels = channels
    self.chunk = chunk
    self.buffer = buffer
  }

  /// Bytes of one sample of every channel.
  package var frameSize: Int { encoding.byteCount * channels }
}

/// The reasons why a wait ended; empty at a timeout.
package struct AudioReadiness: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The wake-up was signalled.
  package static let woken = Self(rawValue: 1)
  /// A chunk can be read.
  package static let ready = Self(rawValue: 2)
}

/// The capture position of a device: its readable samples, and the time of the last one.
package struct AudioPosition: Sendable, Hashable {
  /// Samples of one channel that can be read.
  package var available: Int
  /// When the last of them was taken, on `CLOCK_MONOTONIC`; `nil` where the device does not report it.
  package var nanoseconds: Int64?

  /// A position.
  package init(available: Int, nanoseconds: Int64?) {
    self.available = available
    self.nanoseconds = nanoseconds
  }
}
