// What every printed kernel starts with: numbers of fixed width, memory by bytes, narrow floats.
typedef unsigned char byte;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned __int128 u128;
typedef long long i64;
typedef __int128 i128;

#ifdef __CUDACC__
#define HELPER static __device__ __forceinline__
#else
#define HELPER static inline
#endif

// Reinterpreted bits; places in memory need no alignment.
template <typename To, typename From> HELPER To bits_as(From value) {
  To result;
  memcpy(&result, &value, sizeof(To));
  return result;
}

template <typename T> HELPER T load(const byte *place) {
  T value;
  memcpy(&value, place, sizeof(T));
  return value;
}

template <typename T> HELPER void store(byte *place, T value) {
  memcpy(place, &value, sizeof(T));
}

template <int size> HELPER void copy_bytes(byte *to, const byte *from) {
  for (int k = 0; k < size; k++) to[k] = from[k];
}

// Integers: the low bits, signed and unsigned; quotients rounded to minus infinity.
template <int bits> HELPER i64 wrapped(u64 value) {
  return (i64)(value << (64 - bits)) >> (64 - bits);
}

template <int bits> HELPER u64 low_bits(i64 value) {
  return ((u64)value << (64 - bits)) >> (64 - bits);
}

HELPER i64 floor_divide(i64 a, i64 b) {
  i64 quotient = a / b;
  return quotient - (a % b < 0);
}

HELPER i128 wide_floor_divide(i128 a, i128 b) {
  i128 quotient = a / b;
  return quotient - (a % b < 0);
}

template <int bits> HELPER u64 ones(i64 value) {
  u64 left = low_bits<bits>(value), count = 0;
  for (; left; left &= left - 1) count++;
  return count;
}

template <int bits> HELPER u64 leading_zeros(i64 value) {
  u64 left = low_bits<bits>(value), count = bits;
  for (; left; left >>= 1) count--;
  return count;
}

template <int bits> HELPER u64 trailing_zeros(i64 value) {
  u64 left = low_bits<bits>(value);
  return left ? ones<64>((i64)(~left & (left - 1))) : bits;
}

// One step of an atomic update: `wanted` is written where `seen` still is; what was there.
#ifdef __CUDACC__
HELPER u32 exchanged(byte *place, u32 seen, u32 wanted) {
  return atomicCAS((u32 *)place, seen, wanted);
}
HELPER u64 exchanged(byte *place, u64 seen, u64 wanted) {
  return atomicCAS((u64 *)place, seen, wanted);
}
HELPER u16 exchanged(byte *place, u16 seen, u16 wanted) {
  return atomicCAS((u16 *)place, seen, wanted);
}
HELPER byte exchanged(byte *place, byte seen, byte wanted) {
  byte *word = (byte *)((u64)place & ~3ull);
  int shift = (int)((u64)place & 3) * 8;
  u32 around = *(volatile u32 *)word;
  for (;;) {
    if ((byte)(around >> shift) != seen) return (byte)(around >> shift);
    u32 next = (around & ~(255u << shift)) | (u32)wanted << shift;
    u32 found = atomicCAS((u32 *)word, around, next);
    if (found == around) return seen;
    around = found;
  }
}
#else
template <typename T> HELPER T exchanged(byte *place, T seen, T wanted) {
  return __sync_val_compare_and_swap((T *)place, seen, wanted);
}
#endif

template <typename T> HELPER T swapped(byte *place, T seen, T wanted) {
  if ((u64)place % sizeof(T)) __trap();
#ifdef __CUDACC__
  if (__isLocal(place)) {  // of one thread alone, and out of reach for atomic instructions
    T found = load<T>(place);
    if (found == seen) store<T>(place, wanted);
    return found;
  }
#endif
  return exchanged(place, seen, wanted);
}

// Floats. An inexact result that is rounded again later takes the odd one of its neighbours.
HELPER double double_of(u64 bits) { return bits_as<double>(bits); }

HELPER float narrow_odd(double value) {
  float nearest = (float)value;
  u32 bits = bits_as<u32>(nearest);
  if (value != value || (double)nearest == value || (bits & 1)) return nearest;
  return bits_as<float>(fabs(value) > fabs((double)nearest) ? bits + 1 : bits - 1);
}

HELPER float odd_float(u64 value) {
  int shift = 0;
  for (; (value >> shift) >= (1u << 24); shift++) {}
  u64 kept = value >> shift;
  if (kept << shift != value) kept |= 1;
  return (float)kept * bits_as<float>((u32)(shift + 127) << 23);
}

HELPER float odd_float(i64 value) {
  return value < 0 ? -odd_float(0 - (u64)value) : odd_float((u64)value);
}

// The sum is exact as a pair; the product of two narrow floats is exact in a double.
HELPER double fused_odd(float a, float b, float c) {
  double product = (double)a * (double)b, sum = product + (double)c;
  double part = sum - product, lost = (product - (sum - part)) + ((double)c - part);
  u64 bits = bits_as<u64>(sum);
  if (!(lost != 0) || sum - sum != 0 || (bits & 1)) return sum;
  return double_of((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

HELPER u16 to_f16(float value) {
  u32 bits = bits_as<u32>(value), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
  if (size > 0x7f800000) {
    u32 payload = size >> 13 & 0x3ff;
    return (u16)(sign | 0x7c00 | (payload ? payload : 0x200));
  }
  if (size >= 0x477ff000) return (u16)(sign | 0x7c00);
  if (size < 0x33000000) return (u16)sign;
  u32 mantissa = (size & 0x7fffff) | 0x800000, exponent = size >> 23;
  u32 shift = exponent < 113 ? 126 - exponent : 13;
  u32 kept = mantissa >> shift, rest = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
  kept += rest > half || (rest == half && (kept & 1));
  return (u16)(sign | (exponent < 113 ? kept : kept + ((exponent - 113) << 10)));
}

HELPER float from_f16(u16 value) {
  u32 sign = (u32)(value & 0x8000) << 16, exponent = value >> 10 & 31, mantissa = value & 0x3ff;
  if (exponent == 31) return bits_as<float>(sign | 0x7f800000 | mantissa << 13);
  if (exponent) return bits_as<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  float size = (float)mantissa * bits_as<float>((u32)(127 - 24) << 23);
  return sign ? -size : size;
}

HELPER u16 to_bf16(float value) {
  u32 bits = bits_as<u32>(value);
  if (value != value) return (u16)((bits & 0xffff ? bits | 0x400000 : bits) >> 16);
  return (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

HELPER float from_bf16(u16 value) { return bits_as<float>((u32)value << 16); }
HELPER float round_f16(float value) { return from_f16(to_f16(value)); }
HELPER float round_bf16(float value) { return from_bf16(to_bf16(value)); }

template <typename T> HELPER bool is_infinite(T value) {
  return value == value && value - value != 0;
}

HELPER bool is_negative(float value) { return bits_as<u32>(value) >> 31; }
HELPER bool is_negative(double value) { return bits_as<u64>(value) >> 63; }

template <typename T> HELPER T least(T a, T b) {
  if (a != a || b != b) return a + b;
  return a == b ? (is_negative(a) ? a : b) : a < b ? a : b;
}

template <typename T> HELPER T greatest(T a, T b) {
  if (a != a || b != b) return a + b;
  return a == b ? (is_negative(a) ? b : a) : a > b ? a : b;
}

// The integer part in two's complement, modulo 2^64; 0 for what is not finite.
HELPER u64 whole(double value) {
  if (value - value != 0) return 0;
  u64 bits = bits_as<u64>(value), mantissa = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
  int shift = (int)(bits >> 52 & 0x7ff) - 1075;
  u64 size = shift <= -53 || shift >= 64 ? 0 : shift < 0 ? mantissa >> -shift : mantissa << shift;
  return bits >> 63 ? 0 - size : size;
}
