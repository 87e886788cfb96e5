/* The ABI of the xylem core: every function that xylem.wasm exports, with its contract.
 *
 * Rules that hold for all of them:
 * - The caller owns every buffer that it passes; what a function makes is freed by its counterpart,
 *   and the counterpart takes NULL.
 * - Memory may grow in any call, so a host must not keep a view of the memory across a call.
 * - No function does I/O, calls back, or keeps state outside what its `create` returned.
 * - Input is hostile until checked: a failure is a status (src/status.h) with the offset, never a
 * trap.
 *
 * A function is exported by putting XY_EXPORT(its_name) before its definition or declaration. */
#ifndef XYLEM_H
#define XYLEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __wasm__
#define XY_EXPORT(name) __attribute__((export_name(#name)))
#else
#define XY_EXPORT(name)
#endif

/* `size` bytes of uninitialised memory, aligned to 16 bytes; NULL when there are none left or
 * `size` is 0. Free it with xy_free. */
XY_EXPORT(xy_alloc) void *xy_alloc(size_t size);

/* Frees what xy_alloc gave; NULL is fine. */
XY_EXPORT(xy_free) void xy_free(void *memory);

#endif
