// General categories come from utf8proc; what CPython adds or leaves out is listed here, as found
// by asking CPython 3.11 for every code point (the tests ask it again).
#include "python/characters.h"

#include <cassert>
#include <optional>
#include <utf8proc.h>

namespace nacre::python {
namespace {

using regular::CharSet;
using regular::SymbolRange;

constexpr SymbolRange kSpace[] = {
    {0x9, 0xD},       {0x1C, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},     {0x1680, 0x1680},
    {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};
// Digits that are no decimals: superscripts, circled and the like.
constexpr SymbolRange kDigits[] = {
    {0xB2, 0xB3},       {0xB9, 0xB9},       {0x1369, 0x1371},   {0x19DA, 0x19DA},
    {0x2070, 0x2070},   {0x2074, 0x2079},   {0x2080, 0x2089},   {0x2460, 0x2468},
    {0x2474, 0x247C},   {0x2488, 0x2490},   {0x24EA, 0x24EA},   {0x24F5, 0x24FD},
    {0x24FF, 0x24FF},   {0x2776, 0x277E},   {0x2780, 0x2788},   {0x278A, 0x2792},
    {0x10A40, 0x10A43}, {0x10E60, 0x10E68}, {0x11052, 0x1105A}, {0x1F100, 0x1F10A}};
// Ideographs that are numbers.
constexpr uint32_t kNumerals[] = {
    0x3405,  0x3483,  0x382A,  0x3B4D,  0x4E00,  0x4E03,  0x4E07,  0x4E09,  0x4E5D,
    0x4E8C,  0x4E94,  0x4E96,  0x4EBF,  0x4EC0,  0x4EDF,  0x4EE8,  0x4F0D,  0x4F70,
    0x5104,  0x5146,  0x5169,  0x516B,  0x516D,  0x5341,  0x5343,  0x5344,  0x5345,
    0x534C,  0x53C1,  0x53C2,  0x53C3,  0x53C4,  0x56DB,  0x58F1,  0x58F9,  0x5E7A,
    0x5EFE,  0x5EFF,  0x5F0C,  0x5F0D,  0x5F0E,  0x5F10,  0x62FE,  0x634C,  0x67D2,
    0x6F06,  0x7396,  0x767E,  0x8086,  0x842C,  0x8CAE,  0x8CB3,  0x8D30,  0x9621,
    0x9646,  0x964C,  0x9678,  0x96F6,  0xF96B,  0xF973,  0xF978,  0xF9B2,  0xF9D1,
    0xF9D3,  0xF9FD,  0x20001, 0x20064, 0x200E2, 0x20121, 0x2092A, 0x20983, 0x2098C,
    0x2099C, 0x20AEA, 0x20AFD, 0x20B19, 0x22390, 0x22998, 0x23B1B, 0x2626D, 0x2F890};
constexpr uint32_t kAlsoStart[] = {'_', 0x1885, 0x1886, 0x2118, 0x212E};
constexpr SymbolRange kNeverInNames[] = {{0x37A, 0x37A},   {0x2E2F, 0x2E2F}, {0xFC5E, 0xFC63},
                                         {0xFDFA, 0xFDFB}, {0xFE70, 0xFE70}, {0xFE72, 0xFE72},
                                         {0xFE74, 0xFE74}, {0xFE76, 0xFE76}, {0xFE78, 0xFE78},
                                         {0xFE7A, 0xFE7A}, {0xFE7C, 0xFE7C}, {0xFE7E, 0xFE7E}};
constexpr uint32_t kNeverFirst[] = {0xE33, 0xEB3, 0xFF9E, 0xFF9F};
constexpr SymbolRange kAlsoPart[] = {
    {0xB7, 0xB7}, {0x387, 0x387}, {0x1369, 0x1371}, {0x19DA, 0x19DA}};

struct Classes {
  CharSet alpha, decimal, digit, numeric, alnum, space, start, part;
};

// Adds code points in ascending order, a run at a time.
class Collector {
 public:
  void add(uint32_t c) {
    if (run_ && run_->last + 1 == c) {
      run_->last = c;
      return;
    }
    flush();
    run_ = SymbolRange{c, c};
  }
  CharSet take() {
    flush();
    return set_;
  }

 private:
  void flush() {
    if (run_) set_.add(*run_);
  }
  CharSet set_;
  std::optional<SymbolRange> run_;
};

Classes make_classes() {
  Classes classes;
  Collector letters, decimals, letter_numbers, other_numbers, joining;
  for (uint32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c == 0x40000) c = 0xE0000;  // the planes between hold no character
    switch (utf8proc_category(static_cast<int32_t>(c))) {
      case UTF8PROC_CATEGORY_LU:
      case UTF8PROC_CATEGORY_LL:
      case UTF8PROC_CATEGORY_LT:
      case UTF8PROC_CATEGORY_LM:
      case UTF8PROC_CATEGORY_LO: letters.add(c); break;
      case UTF8PROC_CATEGORY_ND: decimals.add(c); break;
      case UTF8PROC_CATEGORY_NL: letter_numbers.add(c); break;
      case UTF8PROC_CATEGORY_NO: other_numbers.add(c); break;
      case UTF8PROC_CATEGORY_MN:
      case UTF8PROC_CATEGORY_MC:
      case UTF8PROC_CATEGORY_PC: joining.add(c); break;
      default: break;
    }
  }
  classes.alpha = letters.take();
  classes.decimal = decimals.take();
  classes.start = letter_numbers.take();
  CharSet numbers = other_numbers.take();
  CharSet marks = joining.take();
  for (SymbolRange range : kSpace) classes.space.add(range);
  classes.digit = classes.decimal;
  for (SymbolRange range : kDigits) classes.digit.add(range);
  classes.numeric = classes.decimal | classes.start | numbers;
  for (uint32_t c : kNumerals) classes.numeric.add(c);
  classes.alnum = classes.alpha | classes.numeric;
  classes.start = classes.start | classes.alpha;
  for (uint32_t c : kAlsoStart) classes.start.add(c);
  for (SymbolRange range : kNeverInNames)
    classes.start = classes.start - CharSet::range(range.first, range.last);
  classes.part = classes.start | marks | classes.decimal;
  for (SymbolRange range : kAlsoPart) classes.part.add(range);
  for (uint32_t c : kNeverFirst) classes.start = classes.start - CharSet::of(c);
  return classes;
}

}  // namespace

const CharSet& character_class(std::string_view method) {
  static const Classes kClasses = make_classes();
  if (method == "isalpha") return kClasses.alpha;
  if (method == "isdecimal") return kClasses.decimal;
  if (method == "isdigit") return kClasses.digit;
  if (method == "isnumeric") return kClasses.numeric;
  if (method == "isalnum") return kClasses.alnum;
  if (method == "isspace") return kClasses.space;
  if (method == "identifier_start") return kClasses.start;
  assert(method == "identifier_part");
  return kClasses.part;
}

}  // namespace nacre::python
