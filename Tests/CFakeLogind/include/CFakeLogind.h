#ifndef CFAKELOGIND_H
#define CFAKELOGIND_H

/// A logind that says what a test wants, on a bus that the test has started.
typedef struct fake_logind fake_logind;

/// Takes logind's name on the bus at `address` and answers from then on; NULL when it cannot.
fake_logind *fake_logind_start(const char *address);
/// Ends it.
void fake_logind_stop(fake_logind *logind);
/// Says that the machine goes to sleep (1), or that it has woken up (0).
void fake_logind_tell(fake_logind *logind, int is_before);
/// How many programs delay sleep now: descriptors that were handed out and are open.
int fake_logind_delays(fake_logind *logind);
/// How many times a program has asked for a delay.
int fake_logind_requests(fake_logind *logind);
/// Blocks until that many programs delay sleep, and that many delays have been asked for in all; 0 when not within half a minute.
int fake_logind_await(fake_logind *logind, int delays, int requests);

#endif
