// The transducer pipelines of the workload: stages separated by " ; ", each a small command.
#pragma once

#include <fmt/core.h>

#include "regular/field_select.h"
#include "regular/line_select.h"
#include "regular/translate_chars.h"
#include "regular/translate_match.h"
#include "workload_regex.h"

namespace nacre::bench {

inline std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  return parts;
}

class WorkloadPipeline {
 public:
  WorkloadPipeline(regular::Context& context, const WordFiles& files)
      : cx_(context), files_(files) {}

  regular::Transducer parse(std::string_view text) {
    regular::Transducer result;
    for (std::string_view stage : split(text, " ; ")) result = result.then(parse_stage(stage));
    return result;
  }

 private:
  using Words = std::vector<std::string_view>;

  regular::Transducer parse_stage(std::string_view stage) {
    using namespace regular;
    Words words = split(stage, " ");
    std::string_view command = words[0];
    if (command == "tr") return parse_tr(words);
    if (command == "rev") return Transducer::reversal();
    if (command == "lines") return each_line(Alphabet::kBytes, Pieces::kSegments);
    if (command == "cutc") {
      PositionOptions options;
      options.list = *parse_number_list(words[1], ListKind::kPositions);
      return position_select(options);
    }
    if (command == "cut") {
      FieldOptions options;
      options.delimiter = static_cast<unsigned char>(unescape(words[1])[0]);
      options.list = *parse_number_list(words[2], ListKind::kFields);
      return field_select(options);
    }
    MatchPattern pattern = match_pattern(parse_pattern(words[1]));
    if (command == "extract") return line_extract(pattern);
    if (command == "subbeg") pattern = anchored(std::move(pattern), Anchor::kStart);
    if (command == "subend") pattern = anchored(std::move(pattern), Anchor::kEnd);
    return translate_match(pattern, replacement_text(unescape(words[2])),
                           {.is_global = command == "gsub"});
  }

  regular::Lang parse_pattern(std::string_view text) {
    return text == "\\e" ? cx_.epsilon() : WorkloadRegex(cx_, files_, text).parse();
  }

  static regular::Transducer parse_tr(const Words& words) {
    regular::TrOptions options;
    size_t at = 1;
    for (; words[at].size() > 1 && words[at][0] == '-'; ++at) {
      for (char option : words[at].substr(1)) {
        options.complements |= option == 'c';
        options.deletes |= option == 'd';
        options.squeezes |= option == 's';
      }
    }
    auto first = regular::parse_tr_set(octal(words[at++]));
    if (at == words.size()) return translate_chars(*plan_tr(*first, nullptr, options));
    auto second = regular::parse_tr_set(octal(words[at]));
    return translate_chars(*plan_tr(*first, &*second, options));
  }

  // \xHH as tr writes it.
  static std::string octal(std::string_view text) {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
      if (!text.substr(i).starts_with("\\x")) {
        result += text[i];
        continue;
      }
      result += fmt::format("\\{:03o}", std::stoi(std::string(text.substr(i + 2, 2)), nullptr, 16));
      i += 3;
    }
    return result;
  }

  static std::string unescape(std::string_view text) {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        result += text[i];
        continue;
      }
      switch (text[++i]) {
        case 'e': break;
        case 'n': result += '\n'; break;
        case 't': result += '\t'; break;
        case 'r': result += '\r'; break;
        case 'x':
          result += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
          i += 2;
          break;
        default: result += text[i];
      }
    }
    return result;
  }

  regular::Context& cx_;
  const WordFiles& files_;
};

}  // namespace nacre::bench
