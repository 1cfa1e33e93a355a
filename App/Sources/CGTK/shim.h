#pragma once
#include <malloc.h>
#include <adwaita.h>
#include <glib-unix.h>
#include <libintl.h>
#include <locale.h>
