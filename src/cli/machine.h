/* What the system says about the machine. */
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H

#include <stdint.h>

enum { MACHINE_NAME = 128 };

/* The processor's name; "host" if the system does not say. */
void machine_name(char name[MACHINE_NAME]);

/* Bytes of memory, and of these what could be had now; 0: not known. */
uint64_t machine_memory(void);
uint64_t machine_memory_free(void);

#endif
