/* One source for C11 and for OpenCL C 1.2.
 *
 * A kernel is written as
 *
 *     KERNEL_3(double_all, GLOBAL const u32 *, x, GLOBAL u32 *, y, u32, n)
 *     {
 *         const u32 i = ITEM;
 *         if (i < n)
 *             y[i] = 2 * x[i];
 *     }
 *
 * with types and names of its arguments in turn.  For OpenCL that is a
 * __kernel; in C it is a function of the item and of pointers to the
 * arguments, kernel_double_all, which the host runs for each item.
 *
 * Contract: explicit address spaces; ranges are padded, so every kernel asks
 * whether its item is one; nobody waits for another item; the end of a kernel
 * is the only barrier between items.
 */
#ifndef DEVICE_KERNEL_H
#define DEVICE_KERNEL_H

#ifdef __OPENCL_C_VERSION__

#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define HAS_F64 1
typedef double f64;
#endif
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define HAS_ATOMICS_64 1
#endif

typedef uchar u8;
typedef ushort u16;
typedef uint u32;
typedef ulong u64;
typedef int i32;
typedef long i64;
typedef float f32;

#define GLOBAL __global
#define ITEM ((u32)get_global_id(0))

#define ATOMIC_ADD(p, x) atomic_add((volatile GLOBAL u32 *)(p), x)
#define ATOMIC_OR(p, x) atomic_or((volatile GLOBAL u32 *)(p), x)
#define ATOMIC_MIN(p, x) atomic_min((volatile GLOBAL u32 *)(p), x)
#define ATOMIC_SWAP(p, x) atomic_xchg((volatile GLOBAL u32 *)(p), x)
#define ATOMIC_CAS(p, old, x) atomic_cmpxchg((volatile GLOBAL u32 *)(p), old, x)
#define ATOMIC_MIN_64(p, x) atom_min((volatile GLOBAL u64 *)(p), x)
#define ATOMIC_ADD_64(p, x) atom_add((volatile GLOBAL u64 *)(p), x)
/* A word that others change meanwhile.  OpenCL C 1.2 has no atomic loads and
 * stores, and a volatile one of an aligned word is one on every device; a
 * detector of races, which knows of atomics alone, is given these. */
#ifdef PEEK_IS_ATOMIC
#define PEEK(p) atomic_add((volatile GLOBAL u32 *)(p), 0)
#define PEEK_64(p) atom_add((volatile GLOBAL u64 *)(p), 0)
#define POKE(p, x) (void)atomic_xchg((volatile GLOBAL u32 *)(p), x)
#else
#define PEEK(p) (*(volatile GLOBAL const u32 *)(p))
#define PEEK_64(p) (*(volatile GLOBAL const u64 *)(p))
#define POKE(p, x) (*(volatile GLOBAL u32 *)(p) = (x))
#endif
/* The lowest bit of a word that is not 0. */
#define FIRST_BIT(x) ((u32)popcount(((x) & -(x)) - 1))
#define COUNT_BITS(x) ((u32)popcount(x))
#define COUNT_BITS_64(x) ((u32)popcount(x))

/* On a CPU, calls in loops that matter would be calls, and an item waits for
 * what it reads: it asks for memory that will be read soon. */
#if defined(__x86_64__) || defined(__aarch64__)
#define INLINE static inline __attribute__((always_inline))
#define PREFETCH(p) __builtin_prefetch((const void *)(size_t)(p))
#else
#define INLINE static inline
#define PREFETCH(p) ((void)(p))
#endif

#define KERNEL_HEAD(name, ...) __kernel void name(__VA_ARGS__)
#define KERNEL_TAIL(name, list, ...)

#else

#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;
typedef float f32;
typedef double f64;

#define HAS_F64 1
#define HAS_ATOMICS_64 1
#define GLOBAL
#define INLINE static inline __attribute__((always_inline))
#define ITEM kernel_item

#define ATOMIC_ADD(p, x) __atomic_fetch_add(p, x, __ATOMIC_RELAXED)
#define ATOMIC_OR(p, x) __atomic_fetch_or(p, x, __ATOMIC_RELAXED)
#define ATOMIC_SWAP(p, x) __atomic_exchange_n(p, x, __ATOMIC_RELAXED)
#define ATOMIC_ADD_64(p, x) __atomic_fetch_add(p, x, __ATOMIC_RELAXED)
#define PEEK(p) __atomic_load_n(p, __ATOMIC_RELAXED)
#define PEEK_64(p) __atomic_load_n(p, __ATOMIC_RELAXED)
#define POKE(p, x) __atomic_store_n(p, x, __ATOMIC_RELAXED)
#define FIRST_BIT(x) ((u32)__builtin_ctz(x))
#define COUNT_BITS(x) ((u32)__builtin_popcount(x))
#define COUNT_BITS_64(x) ((u32)__builtin_popcountll(x))
#define PREFETCH(p) __builtin_prefetch(p)

static inline u32 ATOMIC_CAS(u32 *p, u32 old, u32 x)
{
    __atomic_compare_exchange_n(p, &old, x, 0, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    return old;
}

static inline u32 ATOMIC_MIN(u32 *p, u32 x)
{
    u32 old = PEEK(p);
    while (x < old && !__atomic_compare_exchange_n(
                          p, &old, x, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return old;
}

static inline u64 ATOMIC_MIN_64(u64 *p, u64 x)
{
    u64 old = PEEK_64(p);
    while (x < old && !__atomic_compare_exchange_n(
                          p, &old, x, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return old;
}

#define KERNEL_HEAD(name, ...)                                                 \
    static void name##_item(u32 kernel_item, __VA_ARGS__)
#define KERNEL_TAIL(name, list, ...)                                           \
    KERNEL_HEAD(name, __VA_ARGS__);                                            \
    void kernel_##name(u32 item, const void *const *arg);                      \
    void kernel_##name(u32 item, const void *const *arg)                       \
    {                                                                          \
        name##_item(item, list);                                               \
    }

#endif

#define KERNEL_ARG(type, i) *(type const *)arg[i]
#define KERNEL_LIST(...) __VA_ARGS__

#define KERNEL_2(name, t0, a0, t1, a1)                                         \
    KERNEL_TAIL(name, KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1)),       \
                t0 a0, t1 a1)                                                  \
    KERNEL_HEAD(name, t0 a0, t1 a1)
#define KERNEL_3(name, t0, a0, t1, a1, t2, a2)                                 \
    KERNEL_TAIL(                                                               \
        name,                                                                  \
        KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1), KERNEL_ARG(t2, 2)),  \
        t0 a0, t1 a1, t2 a2)                                                   \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2)
#define KERNEL_4(name, t0, a0, t1, a1, t2, a2, t3, a3)                         \
    KERNEL_TAIL(name,                                                          \
                KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1),              \
                            KERNEL_ARG(t2, 2), KERNEL_ARG(t3, 3)),             \
                t0 a0, t1 a1, t2 a2, t3 a3)                                    \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2, t3 a3)
#define KERNEL_5(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4)                 \
    KERNEL_TAIL(name,                                                          \
                KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1),              \
                            KERNEL_ARG(t2, 2), KERNEL_ARG(t3, 3),              \
                            KERNEL_ARG(t4, 4)),                                \
                t0 a0, t1 a1, t2 a2, t3 a3, t4 a4)                             \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2, t3 a3, t4 a4)
#define KERNEL_6(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5)         \
    KERNEL_TAIL(name,                                                          \
                KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1),              \
                            KERNEL_ARG(t2, 2), KERNEL_ARG(t3, 3),              \
                            KERNEL_ARG(t4, 4), KERNEL_ARG(t5, 5)),             \
                t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5)                      \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5)
#define KERNEL_7(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6) \
    KERNEL_TAIL(name,                                                          \
                KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1),              \
                            KERNEL_ARG(t2, 2), KERNEL_ARG(t3, 3),              \
                            KERNEL_ARG(t4, 4), KERNEL_ARG(t5, 5),              \
                            KERNEL_ARG(t6, 6)),                                \
                t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6)               \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6)
#define KERNEL_8(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6, \
                 t7, a7)                                                       \
    KERNEL_TAIL(name,                                                          \
                KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1),              \
                            KERNEL_ARG(t2, 2), KERNEL_ARG(t3, 3),              \
                            KERNEL_ARG(t4, 4), KERNEL_ARG(t5, 5),              \
                            KERNEL_ARG(t6, 6), KERNEL_ARG(t7, 7)),             \
                t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7)        \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7)
#define KERNEL_9(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6, \
                 t7, a7, t8, a8)                                               \
    KERNEL_TAIL(                                                               \
        name,                                                                  \
        KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1), KERNEL_ARG(t2, 2),   \
                    KERNEL_ARG(t3, 3), KERNEL_ARG(t4, 4), KERNEL_ARG(t5, 5),   \
                    KERNEL_ARG(t6, 6), KERNEL_ARG(t7, 7), KERNEL_ARG(t8, 8)),  \
        t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7, t8 a8)         \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7,  \
                t8 a8)
#define KERNEL_10(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6,    \
                  a6, t7, a7, t8, a8, t9, a9)                                  \
    KERNEL_TAIL(                                                               \
        name,                                                                  \
        KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1), KERNEL_ARG(t2, 2),   \
                    KERNEL_ARG(t3, 3), KERNEL_ARG(t4, 4), KERNEL_ARG(t5, 5),   \
                    KERNEL_ARG(t6, 6), KERNEL_ARG(t7, 7), KERNEL_ARG(t8, 8),   \
                    KERNEL_ARG(t9, 9)),                                        \
        t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7, t8 a8, t9 a9)  \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7,  \
                t8 a8, t9 a9)
#define KERNEL_11(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6,    \
                  a6, t7, a7, t8, a8, t9, a9, t10, a10)                        \
    KERNEL_TAIL(                                                               \
        name,                                                                  \
        KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1), KERNEL_ARG(t2, 2),   \
                    KERNEL_ARG(t3, 3), KERNEL_ARG(t4, 4), KERNEL_ARG(t5, 5),   \
                    KERNEL_ARG(t6, 6), KERNEL_ARG(t7, 7), KERNEL_ARG(t8, 8),   \
                    KERNEL_ARG(t9, 9), KERNEL_ARG(t10, 10)),                   \
        t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7, t8 a8, t9 a9,  \
        t10 a10)                                                               \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7,  \
                t8 a8, t9 a9, t10 a10)
#define KERNEL_12(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6,    \
                  a6, t7, a7, t8, a8, t9, a9, t10, a10, t11, a11)              \
    KERNEL_TAIL(name,                                                          \
                KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1),              \
                            KERNEL_ARG(t2, 2), KERNEL_ARG(t3, 3),              \
                            KERNEL_ARG(t4, 4), KERNEL_ARG(t5, 5),              \
                            KERNEL_ARG(t6, 6), KERNEL_ARG(t7, 7),              \
                            KERNEL_ARG(t8, 8), KERNEL_ARG(t9, 9),              \
                            KERNEL_ARG(t10, 10), KERNEL_ARG(t11, 11)),         \
                t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7, t8 a8, \
                t9 a9, t10 a10, t11 a11)                                       \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7,  \
                t8 a8, t9 a9, t10 a10, t11 a11)
#define KERNEL_13(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6,    \
                  a6, t7, a7, t8, a8, t9, a9, t10, a10, t11, a11, t12, a12)    \
    KERNEL_TAIL(                                                               \
        name,                                                                  \
        KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1), KERNEL_ARG(t2, 2),   \
                    KERNEL_ARG(t3, 3), KERNEL_ARG(t4, 4), KERNEL_ARG(t5, 5),   \
                    KERNEL_ARG(t6, 6), KERNEL_ARG(t7, 7), KERNEL_ARG(t8, 8),   \
                    KERNEL_ARG(t9, 9), KERNEL_ARG(t10, 10),                    \
                    KERNEL_ARG(t11, 11), KERNEL_ARG(t12, 12)),                 \
        t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7, t8 a8, t9 a9,  \
        t10 a10, t11 a11, t12 a12)                                             \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7,  \
                t8 a8, t9 a9, t10 a10, t11 a11, t12 a12)
#define KERNEL_14(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6,    \
                  a6, t7, a7, t8, a8, t9, a9, t10, a10, t11, a11, t12, a12,    \
                  t13, a13)                                                    \
    KERNEL_TAIL(name,                                                          \
                KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1),              \
                            KERNEL_ARG(t2, 2), KERNEL_ARG(t3, 3),              \
                            KERNEL_ARG(t4, 4), KERNEL_ARG(t5, 5),              \
                            KERNEL_ARG(t6, 6), KERNEL_ARG(t7, 7),              \
                            KERNEL_ARG(t8, 8), KERNEL_ARG(t9, 9),              \
                            KERNEL_ARG(t10, 10), KERNEL_ARG(t11, 11),          \
                            KERNEL_ARG(t12, 12), KERNEL_ARG(t13, 13)),         \
                t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7, t8 a8, \
                t9 a9, t10 a10, t11 a11, t12 a12, t13 a13)                     \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7,  \
                t8 a8, t9 a9, t10 a10, t11 a11, t12 a12, t13 a13)
#define KERNEL_15(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6,    \
                  a6, t7, a7, t8, a8, t9, a9, t10, a10, t11, a11, t12, a12,    \
                  t13, a13, t14, a14)                                          \
    KERNEL_TAIL(                                                               \
        name,                                                                  \
        KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1), KERNEL_ARG(t2, 2),   \
                    KERNEL_ARG(t3, 3), KERNEL_ARG(t4, 4), KERNEL_ARG(t5, 5),   \
                    KERNEL_ARG(t6, 6), KERNEL_ARG(t7, 7), KERNEL_ARG(t8, 8),   \
                    KERNEL_ARG(t9, 9), KERNEL_ARG(t10, 10),                    \
                    KERNEL_ARG(t11, 11), KERNEL_ARG(t12, 12),                  \
                    KERNEL_ARG(t13, 13), KERNEL_ARG(t14, 14)),                 \
        t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7, t8 a8, t9 a9,  \
        t10 a10, t11 a11, t12 a12, t13 a13, t14 a14)                           \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7,  \
                t8 a8, t9 a9, t10 a10, t11 a11, t12 a12, t13 a13, t14 a14)
#define KERNEL_16(name, t0, a0, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6,    \
                  a6, t7, a7, t8, a8, t9, a9, t10, a10, t11, a11, t12, a12,    \
                  t13, a13, t14, a14, t15, a15)                                \
    KERNEL_TAIL(name,                                                          \
                KERNEL_LIST(KERNEL_ARG(t0, 0), KERNEL_ARG(t1, 1),              \
                            KERNEL_ARG(t2, 2), KERNEL_ARG(t3, 3),              \
                            KERNEL_ARG(t4, 4), KERNEL_ARG(t5, 5),              \
                            KERNEL_ARG(t6, 6), KERNEL_ARG(t7, 7),              \
                            KERNEL_ARG(t8, 8), KERNEL_ARG(t9, 9),              \
                            KERNEL_ARG(t10, 10), KERNEL_ARG(t11, 11),          \
                            KERNEL_ARG(t12, 12), KERNEL_ARG(t13, 13),          \
                            KERNEL_ARG(t14, 14), KERNEL_ARG(t15, 15)),         \
                t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7, t8 a8, \
                t9 a9, t10 a10, t11 a11, t12 a12, t13 a13, t14 a14, t15 a15)   \
    KERNEL_HEAD(name, t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5, t6 a6, t7 a7,  \
                t8 a8, t9 a9, t10 a10, t11 a11, t12 a12, t13 a13, t14 a14,     \
                t15 a15)

#endif
