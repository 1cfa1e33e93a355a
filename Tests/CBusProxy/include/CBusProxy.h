#ifndef CBUSPROXY_H
#define CBUSPROXY_H

/// A socket between programs and a D-Bus daemon, on which one message of the daemon's is another than it sent.
typedef struct bus_proxy bus_proxy;

/// What becomes of the message.
enum bus_proxy_fault {
  /// It comes as it is.
  BUS_PROXY_NONE,
  /// The connection ends before it.
  BUS_PROXY_HANG_UP,
  /// The connection ends in its middle.
  BUS_PROXY_CUT,
  /// Its header is nonsense.
  BUS_PROXY_GARBAGE,
  /// An error comes in place of an answer; signals come as they are.
  BUS_PROXY_ERROR,
};

/// Listens on the socket `path`, and passes on to the daemon's socket `bus`; NULL when it cannot.
bus_proxy *bus_proxy_start(const char *path, const char *bus);
/// Counts messages from 1 on again, over all connections, and lets the one of that number meet `fault`.
void bus_proxy_trap(bus_proxy *proxy, int number, enum bus_proxy_fault fault);
/// How many messages the daemon has sent since then.
int bus_proxy_count(bus_proxy *proxy);
/// Ends all connections.
void bus_proxy_stop(bus_proxy *proxy);

#endif
