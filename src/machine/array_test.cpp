#include "machine/array.h"

#include <doctest/doctest.h>

namespace nacre::machine {
namespace {

std::string keys_of(const Array& array) {
  std::string result;
  for (const Array::Entry& entry : array.entries()) {
    result += (result.empty() ? "" : " ") + entry.key_text();
  }
  return result;
}

}  // namespace

TEST_CASE("an indexed array is sparse and in the order of its indices") {
  Array array(ArrayKind::kIndexed);
  for (int64_t index : {5, 0, 2, 1, 100}) array.at(Key(index)) = std::to_string(index);
  CHECK(keys_of(array) == "0 1 2 5 100");
  CHECK(array.end_index() == 101);
  CHECK(array.find(Key(3)) == nullptr);
  CHECK(*array.find(Key(5)) == "5");
  array.erase(Key(1));
  array.erase(Key(77));
  CHECK(keys_of(array) == "0 2 5 100");
  CHECK(*array.find(Key(2)) == "2");
}

// What `declare -A a; for k in ...; do a[$k]=1; done; echo ${!a[@]}` prints in bash 5.2.
TEST_CASE("an associative array is in the order of bash") {
  Array array(ArrayKind::kAssociative);
  for (std::string_view key : {"a", "b", "c", "d", "e", "f", "g", "hello", "world", "foo", "bar",
                               "baz", "1", "2", "3", "10", "20"}) {
    array.at(Key(key)) = "1";
  }
  CHECK(keys_of(array) == "3 2 1 hello g f e d c b a 20 foo bar baz world 10");
}

TEST_CASE("an associative array keeps what it holds when it grows and when others go") {
  Array array(ArrayKind::kAssociative);
  constexpr int kCount = 5000;  // more than bash's first table takes
  for (int i = 0; i < kCount; ++i) array.at(Key(std::to_string(i))) = std::to_string(2 * i);
  for (int i = 0; i < kCount; i += 2) array.erase(Key(std::to_string(i)));
  CHECK(array.size() == kCount / 2);
  CHECK(array.find(Key("4")) == nullptr);
  CHECK(*array.find(Key("4999")) == "9998");
  array.at(Key("4")) = "again";
  CHECK(*array.find(Key("4")) == "again");
  CHECK(array.entries().size() == kCount / 2 + 1);
}

}  // namespace nacre::machine
