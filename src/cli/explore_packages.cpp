#include "cli/explore_packages.h"

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <thread>

#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/write_file.h"
#include "explore/package_html.h"
#include "explore/package_report.h"

namespace nacre::cli {
namespace {

namespace fs = std::filesystem;
constexpr uint64_t kMaxDocument = uint64_t{64} << 20;

std::vector<fs::path> packages_in(const std::vector<std::string>& directories) {
  std::vector<fs::path> result;
  for (const std::string& directory : directories) {
    if (explore::is_package(host_files(), directory)) {
      result.emplace_back(directory);
      continue;
    }
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, problem)) {
      if (explore::is_package(host_files(), entry.path().string())) result.push_back(entry.path());
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<const explore::Scenario*> chosen(const std::vector<std::string>& names,
                                             std::string& unknown) {
  std::vector<const explore::Scenario*> result;
  for (const std::string& name : names) {
    const size_t before = result.size();
    for (const explore::Scenario& scenario : explore::scenarios()) {
      if (name == "all" || scenario.name == name) result.push_back(&scenario);
    }
    if (result.size() == before) unknown = name;
  }
  return result;
}

// The document of one package: from `report` if it is there and current, else made now and kept.
std::string document_of(const fs::path& directory, const explore::PackagePlan& plan,
                        const std::string& report, std::string& problem) {
  auto package = explore::read_package(host_files(), directory.string());
  if (!package) {
    problem = package.error().message;
    return "";
  }
  const std::string path = fmt::format("{}/{}.json", report, directory.filename().string());
  if (!report.empty()) {
    auto known = read_source(host_files(), path, path, kMaxDocument);
    if (known && explore::is_current(known->bytes(), *package)) return std::string(known->bytes());
  }
  std::string document = explore::package_json(*package, plan);
  if (!report.empty()) {
    if (auto written = write_file(path, document); !written)
      problem = fmt::format("{}: {}", path, written.error().message);
  }
  return document;
}

}  // namespace

int explore_packages(const Arguments& options) {
  explore::PackagePlan plan;
  std::string unknown;
  std::vector<std::string> names = options.list("scenario");
  if (names.empty()) names = {"all"};
  plan.scenarios = chosen(names, unknown);
  if (!unknown.empty()) {
    std::string known = "all";
    for (const explore::Scenario& each : explore::scenarios()) known += ", " + each.name;
    return complain("explore",
                    fmt::format("there is no scenario '{}'; there are: {}", unknown, known));
  }
  if (auto runs = options.number("budget")) plan.budget.runs = *runs;
  const std::vector<fs::path> packages = packages_in(options.all("package"));
  if (packages.empty()) {
    return complain("explore", "no package found: a package is a directory with DEBIAN/ or content",
                    kUnfinished);
  }
  const std::string report = options.value("report");
  std::error_code ignored;
  if (!report.empty()) fs::create_directories(report, ignored);
  std::vector<std::string> documents(packages.size());
  std::vector<std::string> problems(packages.size());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < packages.size(); i = next++)
      documents[i] = document_of(packages[i], plan, report, problems[i]);
  };
  const unsigned jobs =
      std::max(1u, options.number("jobs").value_or(std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::min<size_t>(jobs, packages.size()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  bool is_finished = true;
  for (const std::string& problem : problems) {
    if (problem.empty()) continue;
    complain("explore", problem);
    is_finished = false;
  }
  const explore::Summary summary = explore::summarise(documents);
  const bool wants_json = options.value("format", "text") == "json";
  if (wants_json && packages.size() == 1)
    print_text(documents[0]);
  else
    print_text(wants_json ? summary.json : summary.text);
  if (!report.empty()) {
    (void)write_file(report + "/summary.json", summary.json);
    for (const auto& [name, page] : explore::package_pages(documents)) {
      if (auto written = write_file(report + "/" + name, page); !written) is_finished = false;
    }
  }
  if (!is_finished) return kUnfinished;
  return summary.warnings > 0 ? kFindings : kClean;
}

}  // namespace nacre::cli
