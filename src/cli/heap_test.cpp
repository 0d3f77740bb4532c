// Blocks of all sizes, made and freed in any order and by several threads.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <fstream>
#include <limits>
#include <new>
#include <random>
#include <thread>
#include <vector>

namespace {

struct Block {
  unsigned char* bytes;
  size_t size;
  unsigned char mark;
};

Block made(size_t size, unsigned char mark) {
  auto* bytes = static_cast<unsigned char*>(operator new(size));
  std::memset(bytes, mark, size);
  return {bytes, size, mark};
}

bool is_whole(const Block& block) {
  for (size_t i = 0; i < block.size; i++) {
    if (block.bytes[i] != block.mark) return false;
  }
  return reinterpret_cast<uintptr_t>(block.bytes) % alignof(std::max_align_t) == 0;
}

}  // namespace

TEST_CASE("blocks are aligned and do not overlap") {
  std::mt19937 random(1);
  std::vector<Block> blocks;
  for (uint32_t round = 0; round < 20'000; round++) {
    const size_t size = random() % 8 == 0 ? random() % 5000 : random() % 1100;
    blocks.push_back(made(size, static_cast<unsigned char>(round)));
    if (random() % 3 == 0) continue;
    std::swap(blocks[random() % blocks.size()], blocks.back());
    REQUIRE(is_whole(blocks.back()));
    operator delete(blocks.back().bytes);
    blocks.pop_back();
  }
  for (const Block& block : blocks) {
    CHECK(is_whole(block));
    operator delete(block.bytes);
  }
}

TEST_CASE("a block may be freed by another thread") {
  std::vector<Block> blocks;
  for (size_t size = 0; size < 2000; size++) blocks.push_back(made(size, 7));
  std::thread([&] {
    for (const Block& block : blocks) operator delete(block.bytes);
    for (Block& block : blocks) block = made(block.size, 8);
  }).join();
  for (const Block& block : blocks) {
    CHECK(is_whole(block));
    operator delete(block.bytes);
  }
}

#ifndef NACRE_SANITIZED  // which keep freed memory, and end the program instead
namespace {

long resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  long total = 0, resident = 0;
  file >> total >> resident;
  return resident * 4096 / (1 << 20);
}

constexpr size_t kMegabyte = size_t{1} << 20;

std::vector<Block> many(size_t bytes) {
  std::vector<Block> blocks;
  for (size_t made_bytes = 0, size = 0; made_bytes < bytes; made_bytes += size) {
    size = 24 + made_bytes % 200;
    blocks.push_back(made(size, 1));
  }
  return blocks;
}

void free_all(const std::vector<Block>& blocks) {
  for (const Block& block : blocks) operator delete(block.bytes);
}

}  // namespace

TEST_CASE("the memory of finished threads is used again") {
  const long before = resident_megabytes();
  for (int i = 0; i < 40; i++) std::thread([] { free_all(many(20 * kMegabyte)); }).join();
  CHECK(resident_megabytes() - before < 100);
}

TEST_CASE("memory that one thread makes and another frees is used again") {
  const long before = resident_megabytes();
  for (int i = 0; i < 40; i++) {
    std::vector<Block> blocks;
    std::thread([&] { blocks = many(20 * kMegabyte); }).join();
    free_all(blocks);
  }
  CHECK(resident_megabytes() - before < 100);
}

TEST_CASE("what is too large is refused") {
  volatile size_t most = std::numeric_limits<size_t>::max();
  for (const size_t less : {0U, 8U, 15U, 16U, 23U, 24U, 4096U})
    CHECK_THROWS_AS(operator delete(operator new(most - less)), std::bad_alloc);
}
#endif
