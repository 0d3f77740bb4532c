// Runs the queries of a workload of regular languages and prints, per query,
//   id  class  microseconds  answer
// Each query starts from its text with a fresh Context; files are read beforehand. The time is CPU
// time of the thread, the median of several runs. bench/languages.sh puts a peer beside it.
// --small times single steps instead; --words FILE a word list beside sort(1).
#include <algorithm>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <sstream>
#include <sys/resource.h>
#include <time.h>

#include "regular/decide.h"
#include "regular/dfa.h"
#include "regular/matcher.h"
#include "regular/named_types.h"
#include "regular/parse_type.h"
#include "workload_pipeline.h"
#include "workload_regex.h"

namespace {

using namespace nacre;
using namespace nacre::regular;
using bench::split;
using bench::WordFiles;
using bench::WorkloadPipeline;
using bench::WorkloadRegex;

std::string read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

double cpu_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

// The files a workload names, by the names it uses.
struct Files {
  std::map<std::string, std::string, std::less<>> texts;
  WordFiles words;

  void load(const std::string& directory, std::string_view name) {
    if (texts.find(name) != texts.end()) return;
    auto& text = texts.emplace(name, read_file(directory + "/" + std::string(name))).first->second;
    std::string_view lines = text;
    if (lines.ends_with('\n')) lines.remove_suffix(1);
    words.emplace(name, split(lines, "\n"));
  }
};

std::string show(const Verdict& verdict) {
  if (verdict.answer == Answer::kUnknown) return "unknown";
  if (verdict.yes()) return "yes";
  std::string text = "no ";
  for (char c : verdict.witness) {
    auto byte = static_cast<unsigned char>(c);
    text += byte > ' ' && byte < 0x7F && byte != '\\' ? std::string(1, c)
                                                      : fmt::format("\\x{:02x}", byte);
  }
  return text;
}

std::string show(const BoundedDfa& dfa) {
  bool is_empty = dfa.dfa->arcs.empty() && dfa.dfa->accepting[0] == 0;
  return fmt::format("{}{}", dfa.is_exact ? "" : "at most ", is_empty ? 0 : dfa.dfa->size());
}

// Word lists with 370,000 letters are followed letter by letter.
constexpr Budget kAmple{.steps = 100'000'000, .states = 2'000'000};

std::string show_size(Lang a) { return (a.is_exact() ? "" : "at most ") + show(to_dfa(a, kAmple)); }

using Fields = std::vector<std::string_view>;

std::string answer(const Fields& query, const Files& files) {
  Context cx;
  auto parse = [&](size_t i) { return WorkloadRegex(cx, files.words, query[i]).parse(); };
  std::string_view op = query[2];
  if (op == "incl") {
    Lang a = parse(3);
    return show(included(a, parse(4), kAmple));
  }
  if (op == "equiv") {
    Lang a = parse(3);
    return show(equivalent(a, parse(4), kAmple));
  }
  if (op == "empty") return show(is_empty(parse(3), kAmple));
  if (op == "dfa") return show(to_dfa(parse(3), kAmple));
  if (op == "member") {
    LineMatcher matcher(parse(3));
    return fmt::format("{}", matcher.count(files.texts.find(query[4])->second));
  }
  Transducer transducer = WorkloadPipeline(cx, files.words).parse(query[3]);
  if (op == "image") return show_size(image(transducer, parse(4), kAmple));
  if (op == "preimg") return show_size(preimage(transducer, parse(4), kAmple));
  Lang result = image(transducer, parse(4), kAmple);
  return show(included(result, parse(5), kAmple));
}

double measure(const Fields& query, const Files& files, std::string& result) {
  std::vector<double> times;
  double spent = 0;
  do {
    double begin = cpu_microseconds();
    result = answer(query, files);
    times.push_back(cpu_microseconds() - begin);
    spent += times.back();
  } while (times.size() < 15 && spent < 200e3);
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

// The median time of a few hundred runs, each after an untimed preparation. Work that is shorter
// than reading the clock is done several times a run.
template <typename Prepare, typename Work>
void show_small(std::string_view what, Prepare prepare, Work work, int times_a_run = 1) {
  std::vector<double> times;
  for (int i = 0; i < 301; ++i) {
    auto prepared = prepare();
    double begin = cpu_microseconds();
    for (int j = 0; j < times_a_run; ++j) work(*prepared);
    times.push_back((cpu_microseconds() - begin) / times_a_run);
  }
  std::nth_element(times.begin(), times.begin() + 150, times.end());
  fmt::print("{:<60}{:>8.2f} us\n", what, times[150]);
}

// What a script costs in single steps, over all pairs of named types of the type syntax.
int measure_small() {
  struct Pair {
    Context cx;
    Lang a = cx.empty();
    Lang b = cx.empty();
  };
  size_t at = 0;
  auto types = named_types();
  auto pair = [&] {
    auto result = std::make_unique<Pair>();
    ++at;
    result->a = *parse_type(result->cx, types[at % types.size()].type);
    result->b = *parse_type(result->cx, types[at * 7 % types.size()].type);
    return result;
  };
  auto fresh = [] { return std::make_unique<Context>(); };
  show_small("a language from a one-line regex, in a new context", fresh, [&](Context& cx) {
    (void)parse_type(cx, "[0-9]{4}-[0-9]{2}-[0-9]{2} [a-z.-]+ (GET|POST) /[^ ]* [1-5][0-9]{2}");
  });
  show_small("an inclusion between two named types", pair, [](Pair& p) { included(p.a, p.b); });
  auto asked = [&] {
    auto result = pair();
    included(result->a, result->b);
    return result;
  };
  show_small(
      "the same question again", asked, [](Pair& p) { included(p.a, p.b); }, 100);
  return 0;
}

double child_microseconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  auto microseconds = [](timeval t) {
    return 1e6 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec);
  };
  return microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
}

// The median over several runs of what `clock` counts while `work` runs, in milliseconds.
template <typename Work>
double median_milliseconds(double (*clock)(), Work work) {
  std::vector<double> times;
  for (int i = 0; i < 11; ++i) {
    double begin = clock();
    work();
    times.push_back((clock() - begin) / 1000);
  }
  std::nth_element(times.begin(), times.begin() + 5, times.end());
  return times[5];
}

// The lines of a file as a language, beside sort(1).
int measure_words(const std::string& name) {
  std::string text = read_file(name);
  auto words = split(std::string_view(text).substr(0, text.size() - 1), "\n");
  auto build = [&] { (void)Context().words(words); };
  auto sort = [&] { (void)std::system(("LC_ALL=C sort '" + name + "' >/dev/null").c_str()); };
  fmt::print("{} words: {:.1f} ms; sort: {:.1f} ms\n", words.size(),
             median_milliseconds(cpu_microseconds, build),
             median_milliseconds(child_microseconds, sort));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_languages --small | --words FILE | DIRECTORY [ID...]\n");
    return 2;
  }
  if (argv[1] == std::string_view("--small")) return measure_small();
  if (argv[1] == std::string_view("--words") && argc == 3) return measure_words(argv[2]);
  std::string directory = argv[1];
  std::vector<std::string> only(argv + 2, argv + argc);
  std::string workload = read_file(directory + "/workload.txt");
  std::vector<Fields> queries;
  Files files;
  for (std::string_view line : split(workload, "\n")) {
    if (line.empty() || line[0] == '#') continue;
    Fields query = split(line, "\t");
    if (!only.empty() && std::find(only.begin(), only.end(), query[0]) == only.end()) continue;
    for (std::string_view field : query) {
      for (size_t at = field.find("\\W{"); at != field.npos; at = field.find("\\W{", at + 1)) {
        files.load(directory, field.substr(at + 3, field.find('}', at) - at - 3));
      }
    }
    if (query[2] == "member") files.load(directory, query[4]);
    queries.push_back(std::move(query));
  }
  for (const Fields& query : queries) {
    std::string result;
    double time = measure(query, files, result);
    fmt::print("{}\t{}\t{:.2f}\t{}\n", query[0], query[1], time, result);
  }
}
