// SPDX-License-Identifier: Apache-2.0
// The instructions of compute capability 9.0 that the stream kernel uses and C++ has no name for.
#pragma once

#include <cstdint>

namespace tof::device {

__device__ inline std::uint32_t sharedAddress(const void* p) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

/// A barrier in shared memory that counts arrivals and bytes of bulk copies.
class CopyBarrier {
  public:
    __device__ explicit CopyBarrier(std::uint32_t address) : at_(address) {}

    __device__ void init(int arrivals) const {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at_), "r"(arrivals));
    }
    /// To be called after init() by the thread that did it, before the others go on.
    __device__ static void publish() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
    __device__ void arriveExpecting(int bytes) const {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at_), "r"(bytes)
                     : "memory");
    }
    __device__ void arrive() const {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at_) : "memory");
    }
    __device__ void wait(std::uint32_t phase) const {
        asm volatile(
            "{\n"
            ".reg .pred done;\n"
            "again_%=:\n"
            "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
            "@!done bra again_%=;\n"
            "}" ::"r"(at_),
            "r"(phase)
            : "memory");
    }
    /// Starts a copy of `bytes`, a multiple of 16, from global into shared memory that this barrier counts.
    __device__ void copy(std::uint32_t to, const void* from, int bytes) const {
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                to),
            "l"(from), "r"(bytes), "r"(at_)
            : "memory");
    }

  private:
    std::uint32_t at_;
};

/// Registers per thread of a warpgroup from here on; all its warps call it.
template <int Registers>
__device__ inline void takeRegisters() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}
template <int Registers>
__device__ inline void leaveRegisters() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}

__device__ inline void beginProducts() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void endProducts() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits until at most `Left` groups of products are under way.
template <int Left>
__device__ inline void waitForProducts() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Left) : "memory");
}

/// Where 16 x Columns operands lie, unswizzled: `address` as in StreamEntry, 8 columns 128 bytes apart.
__device__ inline std::uint64_t operandAt(std::uint32_t address) {
    constexpr std::uint32_t kColumnStep = 128 >> 4;
    std::uint64_t descriptor;
    asm("mov.b64 %0, {%1, %2};" : "=l"(descriptor) : "r"(address), "r"(kColumnStep));
    return descriptor;
}

// clang-format off
#define TOF_SUM4(d, i) "+f"(d[i]), "+f"(d[(i) + 1]), "+f"(d[(i) + 2]), "+f"(d[(i) + 3])
#define TOF_SUM8(d, i) TOF_SUM4(d, i), TOF_SUM4(d, (i) + 4)
#define TOF_SUM24(d, i) TOF_SUM8(d, i), TOF_SUM8(d, (i) + 8), TOF_SUM8(d, (i) + 16)
#define TOF_OPERANDS(a, descriptor, keep) \
    "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor), "r"(keep)

/// sums = a b, plus the sums before where `keep` is not 0: 64 x 16 by 16 x Columns, bf16. Asynchronous.
template <int Columns>
__device__ void multiply(float (&d)[Columns / 2], const std::uint32_t (&a)[4], std::uint64_t b, int keep);

template <>
__device__ inline void multiply<16>(float (&d)[8], const std::uint32_t (&a)[4], std::uint64_t b, int keep) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %13, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
        "{%0,%1,%2,%3,%4,%5,%6,%7},"
        "{%8,%9,%10,%11}, %12, p, 1, 1, 0;\n}"
        : TOF_SUM8(d, 0) : TOF_OPERANDS(a, b, keep));
}
template <>
__device__ inline void multiply<48>(float (&d)[24], const std::uint32_t (&a)[4], std::uint64_t b, int keep) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %29, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n48k16.f32.bf16.bf16 "
        "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23},"
        "{%24,%25,%26,%27}, %28, p, 1, 1, 0;\n}"
        : TOF_SUM24(d, 0) : TOF_OPERANDS(a, b, keep));
}
template <>
__device__ inline void multiply<96>(float (&d)[48], const std::uint32_t (&a)[4], std::uint64_t b, int keep) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %53, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n96k16.f32.bf16.bf16 "
        "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,"
        "%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47},"
        "{%48,%49,%50,%51}, %52, p, 1, 1, 0;\n}"
        : TOF_SUM24(d, 0), TOF_SUM24(d, 24) : TOF_OPERANDS(a, b, keep));
}
// clang-format on

#undef TOF_SUM4
#undef TOF_SUM8
#undef TOF_SUM24
#undef TOF_OPERANDS

/// 2^x, flushed to zero where too small.
__device__ inline float powerOfTwo(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// Two bf16 in a register, `low` in the lower half.
__device__ inline std::uint32_t twoBfloat(float low, float high) {
    std::uint32_t both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}
/// Two numbers as parts whose sums they are.
__device__ inline void splitTwo(float low, float high, std::uint32_t& parts, std::uint32_t& remainders) {
    parts = twoBfloat(low, high);
    remainders = twoBfloat(low - __uint_as_float(parts << 16), high - __uint_as_float(parts & 0xFFFF0000U));
}
/// The sign bits of both halves, all over them.
__device__ inline std::uint32_t signsOfHalves(std::uint32_t x) {
    std::uint32_t signs;
    asm("prmt.b32 %0, %1, %1, 0xBB99;" : "=r"(signs) : "r"(x));
    return signs;
}

}  // namespace tof::device
