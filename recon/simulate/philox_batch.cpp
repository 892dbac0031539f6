// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/philox_batch.h"

#include <Random123/philox.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tof {

namespace {

void fillOneByOne(std::uint64_t keyWords, std::uint64_t event, std::uint32_t firstAttempt, WordBatch& batch) {
    const r123::Philox4x32::key_type key{
        {static_cast<std::uint32_t>(keyWords), static_cast<std::uint32_t>(keyWords >> 32U)}};
    for (std::uint32_t lane = 0; lane < WordBatch::kAttempts; ++lane) {
        const r123::Philox4x32::ctr_type counter{{0, firstAttempt + lane, static_cast<std::uint32_t>(event),
                                                  static_cast<std::uint32_t>(event >> 32U)}};
        const auto words = r123::Philox4x32()(counter, key);
        for (std::size_t word = 0; word < WordBatch::kWords; ++word) {
            batch.words[word][lane] = words[word];
        }
    }
}

#if defined(__x86_64__)
/// Low and high halves of eight 32 x 32 bit products.
struct Halves {
    __m256i low;
    __m256i high;
};

[[gnu::target("avx2"), gnu::always_inline]] inline Halves multiply(__m256i a, __m256i factor) {
    const __m256i even = _mm256_mul_epu32(a, factor);
    const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), factor);
    return {_mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA),
            _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA)};
}

[[gnu::always_inline]] inline int asInt(std::uint32_t v) {
    return static_cast<int>(v);
}

/// The rounds of Philox as its authors define them, on eight counters at a time.
[[gnu::target("avx2")]] void fillByEight(std::uint64_t key, std::uint64_t event, std::uint32_t firstAttempt,
                                         WordBatch& batch) {
    constexpr std::uint32_t kStep = 8;
    const __m256i factor0 = _mm256_set1_epi32(asInt(0xD2511F53U));
    const __m256i factor1 = _mm256_set1_epi32(asInt(0xCD9E8D57U));
    const __m256i weyl0 = _mm256_set1_epi32(asInt(0x9E3779B9U));
    const __m256i weyl1 = _mm256_set1_epi32(asInt(0xBB67AE85U));
    for (std::uint32_t lane = 0; lane < WordBatch::kAttempts; lane += kStep) {
        __m256i key0 = _mm256_set1_epi32(asInt(static_cast<std::uint32_t>(key)));
        __m256i key1 = _mm256_set1_epi32(asInt(static_cast<std::uint32_t>(key >> 32U)));
        __m256i c0 = _mm256_setzero_si256();
        __m256i c1 = _mm256_add_epi32(_mm256_set1_epi32(asInt(firstAttempt + lane)),
                                      _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        __m256i c2 = _mm256_set1_epi32(asInt(static_cast<std::uint32_t>(event)));
        __m256i c3 = _mm256_set1_epi32(asInt(static_cast<std::uint32_t>(event >> 32U)));
        for (int round = 0; round < 10; ++round) {
            const Halves p0 = multiply(c0, factor0);
            const Halves p1 = multiply(c2, factor1);
            c0 = _mm256_xor_si256(_mm256_xor_si256(p1.high, c1), key0);
            c1 = p1.low;
            c2 = _mm256_xor_si256(_mm256_xor_si256(p0.high, c3), key1);
            c3 = p0.low;
            key0 = _mm256_add_epi32(key0, weyl0);
            key1 = _mm256_add_epi32(key1, weyl1);
        }
        const __m256i result[] = {c0, c1, c2, c3};
        for (std::size_t word = 0; word < WordBatch::kWords; ++word) {
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(&batch.words[word][lane]), result[word]);
        }
    }
}
#endif

}  // namespace

void philoxBatch(std::uint64_t key, std::uint64_t event, std::uint32_t firstAttempt, WordBatch& batch) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        fillByEight(key, event, firstAttempt, batch);
        return;
    }
#endif
    fillOneByOne(key, event, firstAttempt, batch);
}

}  // namespace tof
