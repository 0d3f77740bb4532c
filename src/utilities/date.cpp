#include "utilities/date.h"

#include <ctime>
#include <fmt/format.h>

#include "base/ascii.h"
#include "utilities/options.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

constexpr int64_t kDay = 86'400;

int64_t seconds_of(int64_t time) {
  return time >= 0 ? time / kSecond : (time - kSecond + 1) / kSecond;
}

std::optional<int64_t> time_of(tm fields) {
  tm given = fields;
  time_t seconds = timegm(&fields);
  bool is_same = fields.tm_mday == given.tm_mday && fields.tm_mon == given.tm_mon &&
                 fields.tm_hour == given.tm_hour && fields.tm_min == given.tm_min;
  if (!is_same) return std::nullopt;
  return static_cast<int64_t>(seconds) * kSecond;
}

std::optional<int64_t> unit_seconds(std::string_view unit) {
  if (unit.size() > 1 && unit.ends_with('s')) unit.remove_suffix(1);
  if (unit == "sec" || unit == "second") return 1;
  if (unit == "min" || unit == "minute") return 60;
  if (unit == "hour") return 3600;
  if (unit == "day") return kDay;
  if (unit == "week") return 7 * kDay;
  return std::nullopt;
}

// "3 days ago", "+2 hours", "-1 week"; of the rest of a date, too.
std::optional<int64_t> parse_relative(std::string_view text) {
  int64_t total = 0;
  while (!text.empty()) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    if (text.empty()) break;
    size_t end = text.find_first_not_of("+-0123456789 ");
    if (end == std::string_view::npos) return std::nullopt;
    std::string digits;
    for (char c : text.substr(0, end)) {
      if (c != ' ') digits += c;
    }
    auto count = parse_number(digits);
    text.remove_prefix(end);
    std::string_view unit = text.substr(0, text.find(' '));
    text.remove_prefix(unit.size());
    auto seconds = unit_seconds(unit);
    if (!count || !seconds) return std::nullopt;
    while (text.starts_with(' ')) text.remove_prefix(1);
    bool is_past = text.starts_with("ago");
    if (is_past) text.remove_prefix(3);
    total += (is_past ? -*count : *count) * *seconds * kSecond;
  }
  return total;
}

}  // namespace

std::optional<int64_t> parse_date(std::string_view text, int64_t now) {
  std::string copy(text);
  if (text.starts_with('@')) {
    auto seconds = parse_number(text.substr(1));
    return seconds ? std::optional(*seconds * kSecond) : std::nullopt;
  }
  for (auto [word, days] :
       {std::pair("now", 0), {"today", 0}, {"yesterday", -1}, {"tomorrow", 1}}) {
    std::string_view name = word;
    if (!text.starts_with(name)) continue;
    auto relative = parse_relative(text.substr(name.size()));
    return relative ? std::optional(now + days * kDay * kSecond + *relative) : std::nullopt;
  }
  for (const char* format : {"%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S",
                             "%Y-%m-%d %H:%M", "%Y-%m-%d", "%Y%m%d"}) {
    tm fields = {};
    const char* end = strptime(copy.c_str(), format, &fields);
    if (end == nullptr) continue;
    std::string_view rest = end;
    if (rest.starts_with(" UTC")) rest.remove_prefix(4);
    auto time = time_of(fields);
    auto relative = parse_relative(rest);
    if (time && relative) return *time + *relative;
  }
  if (auto relative = parse_relative(text); relative && !text.empty()) return now + *relative;
  return std::nullopt;
}

std::optional<int64_t> parse_touch_time(std::string_view text, int64_t now) {
  std::string digits(text);
  int second = 0;
  if (size_t dot = digits.find('.'); dot != std::string::npos) {
    auto value = parse_number(digits.substr(dot + 1));
    if (!value || digits.size() != dot + 3) return std::nullopt;
    second = static_cast<int>(*value);
    digits.resize(dot);
  }
  if (!is_digits(digits)) return std::nullopt;
  time_t seconds = seconds_of(now);
  tm fields = {};
  gmtime_r(&seconds, &fields);
  if (digits.size() == 8) digits.insert(0, std::to_string(fields.tm_year + 1900));
  if (digits.size() == 10) digits.insert(0, digits < "69" ? "20" : "19");
  if (digits.size() != 12) return std::nullopt;
  auto part = [&](size_t at, size_t size) { return std::stoi(digits.substr(at, size)); };
  fields = {};
  fields.tm_year = part(0, 4) - 1900;
  fields.tm_mon = part(4, 2) - 1;
  fields.tm_mday = part(6, 2);
  fields.tm_hour = part(8, 2);
  fields.tm_min = part(10, 2);
  fields.tm_sec = second;
  return time_of(fields);
}

std::optional<std::string> format_date(std::string_view format, int64_t time) {
  time_t seconds = seconds_of(time);
  tm fields = {};
  gmtime_r(&seconds, &fields);
  std::string result;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      result += format[i];
      continue;
    }
    char c = format[++i];
    std::string conversion = {'%', c};
    if (c == '-' && i + 1 < format.size()) conversion = {'%', '-', format[++i]};
    char kind = conversion.back();
    if (kind == 'N') {
      result += fmt::format("{:09}", time - seconds * kSecond);
    } else if (kind == 's') {
      result += std::to_string(seconds);
    } else if (kind == 'Z') {
      result += "UTC";
    } else if (kind == 'z') {
      result += "+0000";
    } else if (std::string_view("aAbBcCdDeFgGhHIjklmMnpPrRStTuUVwWxXyY%").find(kind) !=
               std::string_view::npos) {
      char buffer[128];
      result.append(buffer, strftime(buffer, sizeof buffer, conversion.c_str(), &fields));
    } else {
      return std::nullopt;
    }
  }
  return result;
}

int date(Context& context) {
  auto options = parse_options(context, "date", "udrRI= --universal:u --rfc-2822:R --rfc-822:R");
  if (!options) return options.error();
  int64_t time = context.os.clock_ns();
  if (const std::string* text = options->last('d')) {
    auto parsed = parse_date(*text, time);
    if (!parsed) return context.not_modelled(fmt::format("the date {}", quoted(*text)));
    time = *parsed;
  }
  if (const std::string* path = options->last('r')) {
    world::FileStatus status;
    if (int error = context.os.status(path->c_str(), true, status); error < 0) {
      return context.fail(*path, error);
    }
    time = status.modified_ns;
  }
  std::string format = "%a %b %e %H:%M:%S UTC %Y";
  if (options->has('R')) format = "%a, %d %b %Y %H:%M:%S %z";
  if (const std::string* precision = options->last('I')) {
    if (precision->empty() || *precision == "date")
      format = "%Y-%m-%d";
    else if (precision->starts_with("sec"))
      format = "%Y-%m-%dT%H:%M:%S+00:00";
    else
      return context.not_modelled("this precision");
  }
  for (const std::string& operand : options->operands) {
    if (!operand.starts_with('+')) return context.not_modelled("setting the clock");
    format = operand.substr(1);
  }
  auto text = format_date(format, time);
  if (!text) return context.not_modelled(fmt::format("the format {}", quoted(format)));
  context.out(*text + "\n");
  return 0;
}

}  // namespace nacre::utilities
