/* Random bytes from the kernel of Linux, for gauze_device.random: `device.random = gauze_getrandom;`.
 *
 * Waits until the kernel has enough randomness (once after the start of the machine), and fails rather than give less than was asked
 * for. It keeps no buffer: nothing is shared over fork, nothing has to be wiped. The context is not used.
 */
#ifndef GAUZE_GETRANDOM_H
#define GAUZE_GETRANDOM_H

#include <errno.h>
#include <stddef.h>
#include <sys/random.h>
#include <sys/types.h>

static inline int gauze_getrandom(void* context, unsigned char* out, size_t size) {
  (void)context;
  while (size > 0) {
    const ssize_t got = getrandom(out, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return -1;
    out += got;
    size -= (size_t)got;
  }
  return 0;
}

#endif
