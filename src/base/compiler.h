/* The compiler's attributes, under our names; and what C11 leaves to it. */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

/* A function that only prefetches must be HY_INLINE: gcc takes it to be
 * without effect, and drops calls of it. */
#if defined(__GNUC__)
#define HY_LIKELY(x) __builtin_expect(!!(x), 1)
#define HY_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define HY_PREFETCH(p) __builtin_prefetch((p), 0, 3)
#define HY_PREFETCH_WRITE(p) __builtin_prefetch((p), 1, 3)
#if defined(__x86_64__) || defined(__i386__)
#define HY_RELAX() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define HY_RELAX() __asm__ volatile("yield")
#else
#define HY_RELAX() ((void)0)
#endif
#define HY_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define HY_INLINE static inline __attribute__((always_inline))
#define HY_NOINLINE __attribute__((noinline))
#define HY_CHECKED __attribute__((warn_unused_result))
/* Compiled for a processor that has `x`; called only where it does. */
#define HY_TARGET(x) __attribute__((target(x)))
#else
#define HY_LIKELY(x) (x)
#define HY_UNLIKELY(x) (x)
#define HY_PREFETCH(p) ((void)(p))
#define HY_PREFETCH_WRITE(p) ((void)(p))
#define HY_RELAX() ((void)0)
#define HY_PRINTF(text, first)
#define HY_INLINE static inline
#define HY_NOINLINE
#define HY_CHECKED
#define HY_TARGET(x)
#endif

/* A function of which there are two, one HY_AVX2: called if HY_HAS_AVX2. */
#if defined(__GNUC__) && defined(__x86_64__)
#define HY_AVX2 HY_TARGET("avx2")
#define HY_HAS_AVX2() __builtin_cpu_supports("avx2")
#else
#define HY_AVX2
#define HY_HAS_AVX2() 0
#endif

/* 1 where a sanitizer watches memory. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HY_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HY_SANITIZED 1
#endif
#endif
#ifndef HY_SANITIZED
#define HY_SANITIZED 0
#endif

#endif
