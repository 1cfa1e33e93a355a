#pragma once
#include <gtk/gtk.h>
#include <glib-unix.h>

// libdispatch exports these two for main loops that are not its own.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);
