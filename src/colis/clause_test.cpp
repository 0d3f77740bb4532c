#include "colis/clause.h"

#include <doctest/doctest.h>

namespace nacre::colis {
namespace {

TEST_CASE("a name is there or absent, not both") {
  Clause clause;
  const NodeId x = clause.fresh();
  CHECK(clause.feature(x, "a", clause.fresh()));
  CHECK(clause.node(x).kinds == kDirectory);
  CHECK_FALSE(clause.absent(x, "a"));
}

TEST_CASE("a file has no names, and is not a directory") {
  Clause clause;
  const NodeId x = clause.fresh(kRegular);
  CHECK(clause.absent(x, "a"));
  CHECK(clause.maybe(x, "a", clause.fresh()));
  CHECK_FALSE(clause.feature(x, "a", clause.fresh()));
}

TEST_CASE("kinds exclude each other") {
  Clause clause;
  const NodeId x = clause.fresh();
  CHECK(clause.kinds(x, kRegular | kDirectory));
  CHECK(clause.kinds(x, static_cast<Kinds>(kAnyKind & ~kRegular)));
  CHECK(clause.node(x).kinds == kDirectory);
  CHECK_FALSE(clause.kinds(x, kFifo));
}

TEST_CASE("what is there twice is one") {
  Clause clause;
  const NodeId x = clause.fresh(), y = clause.fresh(), z = clause.fresh(kRegular);
  CHECK(clause.feature(x, "a", y));
  CHECK(clause.feature(x, "a", z));
  CHECK(clause.find(y) == clause.find(z));
  CHECK_FALSE(clause.kinds(y, kDirectory));
}

TEST_CASE("a maybe is nothing until the name is there") {
  Clause clause;
  const NodeId x = clause.fresh(kDirectory), y = clause.fresh(kRegular);
  CHECK(clause.maybe(x, "a", y));
  Clause other = clause;
  CHECK(other.absent(x, "a"));
  CHECK_FALSE(clause.feature(x, "a", clause.fresh(kDirectory)));
}

TEST_CASE("a fence leaves no other names") {
  Clause clause;
  const NodeId x = clause.fresh();
  CHECK(clause.fence(x, {"a"}));
  CHECK(clause.feature(x, "a", clause.fresh()));
  CHECK(clause.absent(x, "b"));
  CHECK_FALSE(clause.feature(x, "b", clause.fresh()));
}

TEST_CASE("an update knows what the old directory learns, but for the name that changed") {
  Clause clause;
  const NodeId x = clause.fresh(kDirectory);
  const NodeId after = clause.updated(x, "new", clause.file(Truth::kFalse, Truth::kFalse));
  CHECK(clause.feature(x, "old", clause.fresh(kRegular)));
  CHECK(clause.absent(x, "new"));
  Clause other = clause;
  CHECK_FALSE(other.absent(after, "old"));
  CHECK_FALSE(clause.absent(after, "new"));
}

TEST_CASE("similar directories share what is outside of the names that may differ") {
  Clause clause;
  const NodeId x = clause.fresh(), y = clause.fresh();
  CHECK(clause.absent(x, "a"));
  CHECK(clause.feature(y, "b", clause.fresh(kRegular)));
  CHECK(clause.similar(x, {"b"}, y));
  Clause differs = clause, clash = clause;
  CHECK(differs.absent(x, "b"));
  CHECK_FALSE(clash.feature(y, "a", clash.fresh()));
  CHECK(clause.fence(y, {"b", "c"}));
  Clause outside = clause;
  CHECK_FALSE(outside.feature(x, "d", outside.fresh()));
  CHECK(clause.feature(x, "c", clause.fresh()));
  CHECK_FALSE(clause.absent(y, "c"));
}

TEST_CASE("similarity with names of their own keeps them apart") {
  Clause clause;
  const NodeId x = clause.fresh(kDirectory);
  const NodeId y = clause.updated(x, "a", clause.fresh(kRegular));
  const NodeId z = clause.updated(y, "a", std::nullopt);
  CHECK(clause.similar(x, {"a"}, z));
  Clause same = clause;
  CHECK_FALSE(same.similar(y, {}, z));
  CHECK(clause.feature(x, "b", clause.fresh()));
  CHECK_FALSE(clause.absent(z, "b"));
}

TEST_CASE("no tree is below itself") {
  Clause clause;
  const NodeId x = clause.fresh(), y = clause.fresh();
  CHECK(clause.feature(x, "a", y));
  Clause deep = clause;
  CHECK_FALSE(deep.feature(y, "b", x));
  CHECK_FALSE(clause.equal(x, y));
}

TEST_CASE("a directory that is not empty cannot be closed without an entry") {
  Clause clause;
  const NodeId x = clause.fresh(kDirectory);
  CHECK(clause.absent(x, "a"));
  CHECK(clause.not_empty_beyond(x));
  Clause named = clause;
  CHECK_FALSE(clause.fence(x, {"a"}));
  CHECK(named.fence(x, {"a", "b"}));
  CHECK_FALSE(named.absent(x, "b"));  // the one name that is left
}

TEST_CASE("what must be equal is not unequal") {
  Clause clause;
  const NodeId x = clause.empty_directory(), y = clause.empty_directory();
  Clause differs = clause;
  CHECK_FALSE(clause.not_equal(x, y));
  CHECK(differs.not_equal(differs.updated(x, "a", differs.fresh()), y));
  Clause later;
  const NodeId p = later.fresh(), q = later.fresh();
  CHECK(later.not_equal(p, q));
  CHECK_FALSE(later.equal(p, q));
}

}  // namespace
}  // namespace nacre::colis
