// md5sum: the algorithm is that of RFC 1321.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>

#include "utilities/input.h"
#include "utilities/options.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

class Md5 {
 public:
  void add(std::string_view text) {
    size_ += text.size();
    rest_ += text;
    size_t at = 0;
    for (; rest_.size() - at >= 64; at += 64) add_block(std::string_view(rest_).substr(at, 64));
    rest_.erase(0, at);
  }

  std::string digest() {
    const uint64_t bits = size_ * 8;
    std::string end(1, '\x80');
    end.append((rest_.size() % 64 < 56 ? 55 : 119) - rest_.size() % 64, '\0');
    for (unsigned i = 0; i < 8; i++) end += static_cast<char>(bits >> (8 * i) & 0xff);
    add(end);
    std::string result;
    for (const uint32_t word : state_) {
      for (unsigned i = 0; i < 4; i++) result += fmt::format("{:02x}", word >> (8 * i) & 0xff);
    }
    return result;
  }

 private:
  static const std::array<uint32_t, 64>& sines() {
    static const auto kSines = [] {
      std::array<uint32_t, 64> table{};
      for (unsigned i = 0; i < 64; i++)
        table[i] = static_cast<uint32_t>(std::floor(std::fabs(std::sin(i + 1.0)) * 4294967296.0));
      return table;
    }();
    return kSines;
  }

  void add_block(std::string_view block) {
    constexpr int kShifts[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    std::array<uint32_t, 16> words{};
    for (size_t i = 0; i < 64; i++)
      words[i / 4] |= uint32_t{static_cast<unsigned char>(block[i])} << (8 * (i % 4));
    auto [a, b, c, d] = state_;
    for (unsigned i = 0; i < 64; i++) {
      const unsigned round = i / 16;
      const uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                             : round == 1 ? (d & b) | (~d & c)
                             : round == 2 ? b ^ c ^ d
                                          : c ^ (b | ~d);
      const unsigned word = round == 0   ? i
                            : round == 1 ? (5 * i + 1) % 16
                            : round == 2 ? (3 * i + 5) % 16
                                         : 7 * i % 16;
      const uint32_t sum = a + mixed + sines()[i] + words[word];
      a = d;
      d = c;
      c = b;
      b += std::rotl(sum, kShifts[round][i % 4]);
    }
    state_[0] += a;
    state_[1] += b;
    state_[2] += c;
    state_[3] += d;
  }

  std::array<uint32_t, 4> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  uint64_t size_ = 0;
  std::string rest_;
};

}  // namespace

int md5sum(Context& context) {
  auto options = parse_options(context, "md5sum", "bt");
  if (!options) return options.error();
  const char kind = options->last_of("bt") == 'b' ? '*' : ' ';
  return for_each_input(context, options->operands, [&](Input& input, const std::string& path) {
    Md5 sum;
    for (std::string_view piece = input.piece(); !piece.empty(); piece = input.piece())
      sum.add(piece);
    context.out(fmt::format("{} {}{}\n", sum.digest(), kind, path));
  });
}

}  // namespace nacre::utilities
