#include "explore/html.h"

#include <fmt/format.h>

namespace nacre::explore {

namespace {

constexpr std::string_view kStyle = R"(
body{font:15px/1.45 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;color:#1d2330;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}code,.path,pre{font-family:ui-monospace,monospace;font-size:.92em}
table{border-collapse:collapse;margin:.5rem 0}td,th{padding:.15rem .8rem .15rem 0;text-align:left;vertical-align:top}
th{border-bottom:1px solid #ccd}.number{text-align:right}.ok{color:#176b3a}.fails{color:#a3262a}.weak{color:#70788a}
.outcome{border:1px solid #d7dbe4;border-radius:6px;margin:.6rem 0;padding:.2rem .9rem}
summary{cursor:pointer;padding:.3rem 0}details details{margin-left:1.1rem;border-left:2px solid #e4e7ee;padding-left:.7rem}
.trees td{padding-right:2rem}.new{background:#e5f5ea}.gone{background:#fbe6e6;text-decoration:line-through}.other{background:#fff4d6}
.tag{display:inline-block;border-radius:4px;padding:0 .4rem;background:#eef0f5;margin-right:.4rem;font-size:.85em}
.unreached{color:#a9afbd}.problem{color:#8a5a00}
@media (prefers-color-scheme:dark){body{color:#dfe3ec;background:#14171d}.outcome,th{border-color:#39404f}.tag{background:#262c38}
.new{background:#173524}.gone{background:#43201f}.other{background:#40351a}.ok{color:#6fce95}.fails{color:#f08a8a}details details{border-color:#333a48}}
)";

}  // namespace

std::string html_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += static_cast<unsigned char>(c) < 32 && c != '\n' ? ' ' : c;
    }
  }
  return result;
}

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>{}</title>"
      "<style>{}</style></head>\n<body>\n{}</body></html>\n",
      html_text(title), kStyle, body);
}

}  // namespace nacre::explore
