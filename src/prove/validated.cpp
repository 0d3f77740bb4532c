#include "prove/validated.h"

#include "base/json_writer.h"

namespace nacre::prove {

namespace {

Comparison compared(const SourceFile& file, const Purified& equal, const purify::Settings& settings,
                    size_t worlds) {
  const bool is_bash = settings.dialect == shell::Dialect::kBash;
  // What equal rewrites leave may still be bash: both run in the same shell.
  return compare_in_worlds({file, is_bash}, {SourceFile(file.name(), equal.text), is_bash}, worlds);
}

void write_rewrites(JsonWriter& json, const SourceFile& file, std::string_view key,
                    const std::vector<Rewrite>& list) {
  json.key(key).begin_array();
  for (const Rewrite& each : list) {
    json.begin_object();
    json.field("rewrite", each.name).field("class", name_of(each.kind));
    json.field("line", file.line_of(each.place.begin)).field("message", each.message);
    if (!each.differs_when.empty()) json.field("differs_when", each.differs_when);
    json.key("obligations").begin_array();
    for (const Obligation& need : each.needs) {
      json.begin_object()
          .field("kind", name_of(need.kind))
          .field("line", file.line_of(need.place.begin));
      json.field("discharged", need.is_discharged)
          .field("by", "facts")
          .field("why", need.why)
          .end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

}  // namespace

Validated purify_validated(const SourceFile& file, const purify::Settings& settings,
                           const commands::CardLibrary& cards, size_t worlds) {
  Validated result;
  purify::Settings equal_settings = settings;
  equal_settings.equal_only = true;
  purify::Withdrawn withdrawn;
  result.purified = purify::purify(file, settings, cards);
  if (worlds == 0 || result.purified.done.empty()) return result;
  constexpr size_t kMaxWithdrawals = 8;
  for (size_t i = 0; i <= kMaxWithdrawals; i++) {
    const Purified equal = purify::purify(file, equal_settings, cards, withdrawn);
    result.equal = equal.done.size();
    result.comparison = compared(file, equal, settings, worlds);
    if (!result.comparison.difference || equal.done.empty()) break;
    // The first one without which the difference is gone, else the first one.
    const Rewrite* guilty = &equal.done.front();
    for (const Rewrite& each : equal.done) {
      purify::Withdrawn without = withdrawn;
      without.insert({std::string(each.name), each.place.begin});
      const Purified rest = purify::purify(file, equal_settings, cards, without);
      if (compared(file, rest, settings, worlds).difference) continue;
      guilty = &each;
      break;
    }
    withdrawn.insert({std::string(guilty->name), guilty->place.begin});
    result.withdrawn.push_back({*guilty, *result.comparison.difference});
  }
  if (!withdrawn.empty()) result.purified = purify::purify(file, settings, cards, withdrawn);
  return result;
}

std::string proof_json(const SourceFile& file, const Validated& validated) {
  JsonWriter json(JsonWriter::Shape::kIndented);
  json.begin_object().field("file", file.name());
  write_rewrites(json, file, "done", validated.purified.done);
  write_rewrites(json, file, "kept", validated.purified.kept);
  write_rewrites(json, file, "refused", validated.purified.refused);
  json.key("validation").begin_object();
  json.field("equal_rewrites", validated.equal).field("worlds", validated.comparison.worlds);
  json.field("undecided_worlds", validated.comparison.undecided);
  json.field("uninterpreted_calls", validated.comparison.recorded);
  json.key("withdrawn").begin_array();
  for (const Withdrawal& each : validated.withdrawn) {
    json.begin_object()
        .field("rewrite", each.rewrite.name)
        .field("line", file.line_of(each.rewrite.place.begin));
    json.field("world", each.difference.world)
        .field("difference", each.difference.what)
        .end_object();
  }
  json.end_array().end_object().end_object();
  return json.take() + "\n";
}

}  // namespace nacre::prove
