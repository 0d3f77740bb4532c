// The variables that GNU make 4.3 has from the start, as `make -p -f /dev/null` shows them.
#include "make/read.h"

namespace nacre::make {

namespace {

struct Builtin {
  std::string_view name;
  std::string_view value;
};

constexpr Builtin kRecursive[] = {
    {".LIBPATTERNS", "lib%.so lib%.a"},
    {".LOADED", ""},
    {".RECIPEPREFIX", ""},
    {"AR", "ar"},
    {"ARFLAGS", "rv"},
    {"AS", "as"},
    {"CC", "cc"},
    {"CHECKOUT,v", "+$(if $(wildcard $@),,$(CO) $(COFLAGS) $< $@)"},
    {"CO", "co"},
    {"COFLAGS", ""},
    {"COMPILE.C", "$(COMPILE.cc)"},
    {"COMPILE.F", "$(FC) $(FFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c"},
    {"COMPILE.S", "$(CC) $(ASFLAGS) $(CPPFLAGS) $(TARGET_MACH) -c"},
    {"COMPILE.c", "$(CC) $(CFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c"},
    {"COMPILE.cc", "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c"},
    {"COMPILE.cpp", "$(COMPILE.cc)"},
    {"COMPILE.def", "$(M2C) $(M2FLAGS) $(DEFFLAGS) $(TARGET_ARCH)"},
    {"COMPILE.f", "$(FC) $(FFLAGS) $(TARGET_ARCH) -c"},
    {"COMPILE.m", "$(OBJC) $(OBJCFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c"},
    {"COMPILE.mod", "$(M2C) $(M2FLAGS) $(MODFLAGS) $(TARGET_ARCH)"},
    {"COMPILE.p", "$(PC) $(PFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c"},
    {"COMPILE.r", "$(FC) $(FFLAGS) $(RFLAGS) $(TARGET_ARCH) -c"},
    {"COMPILE.s", "$(AS) $(ASFLAGS) $(TARGET_MACH)"},
    {"CPP", "$(CC) -E"},
    {"CTANGLE", "ctangle"},
    {"CWEAVE", "cweave"},
    {"CXX", "g++"},
    {"F77", "$(FC)"},
    {"F77FLAGS", "$(FFLAGS)"},
    {"FC", "f77"},
    {"GET", "get"},
    {"LD", "ld"},
    {"LEX", "lex"},
    {"LEX.l", "$(LEX) $(LFLAGS) -t"},
    {"LEX.m", "$(LEX) $(LFLAGS) -t"},
    {"LINK.C", "$(LINK.cc)"},
    {"LINK.F", "$(FC) $(FFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)"},
    {"LINK.S", "$(CC) $(ASFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_MACH)"},
    {"LINK.c", "$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)"},
    {"LINK.cc", "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)"},
    {"LINK.cpp", "$(LINK.cc)"},
    {"LINK.f", "$(FC) $(FFLAGS) $(LDFLAGS) $(TARGET_ARCH)"},
    {"LINK.m", "$(OBJC) $(OBJCFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)"},
    {"LINK.o", "$(CC) $(LDFLAGS) $(TARGET_ARCH)"},
    {"LINK.p", "$(PC) $(PFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)"},
    {"LINK.r", "$(FC) $(FFLAGS) $(RFLAGS) $(LDFLAGS) $(TARGET_ARCH)"},
    {"LINK.s", "$(CC) $(ASFLAGS) $(LDFLAGS) $(TARGET_MACH)"},
    {"LINT", "lint"},
    {"LINT.c", "$(LINT) $(LINTFLAGS) $(CPPFLAGS) $(TARGET_ARCH)"},
    {"M2C", "m2c"},
    {"MAKE", "$(MAKE_COMMAND)"},
    {"MAKEINFO", "makeinfo"},
    {"OBJC", "cc"},
    {"OUTPUT_OPTION", "-o $@"},
    {"PC", "pc"},
    {"PREPROCESS.F", "$(FC) $(FFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -F"},
    {"PREPROCESS.S", "$(CC) -E $(CPPFLAGS)"},
    {"PREPROCESS.r", "$(FC) $(FFLAGS) $(RFLAGS) $(TARGET_ARCH) -F"},
    {"RM", "rm -f"},
    {"SHELL", "/bin/sh"},
    {"TANGLE", "tangle"},
    {"TEX", "tex"},
    {"TEXI2DVI", "texi2dvi"},
    {"WEAVE", "weave"},
    {"YACC", "yacc"},
    {"YACC.m", "$(YACC) $(YFLAGS)"},
    {"YACC.y", "$(YACC) $(YFLAGS)"},
};

// Known only when make runs.
constexpr std::string_view kUnknown[] = {"CURDIR",        ".VARIABLES",   ".FEATURES",
                                         ".INCLUDE_DIRS", "MAKE_HOST",    "MAKEFLAGS",
                                         "MFLAGS",        "MAKE_TERMERR", "MAKE_TERMOUT"};

VariableMap make_builtins() {
  VariableMap map;
  for (const Builtin& each : kRecursive) {
    map[std::string(each.name)] = {.value = std::string(each.value), .origin = Origin::kDefault};
  }
  for (std::string_view name : kUnknown) {
    map[std::string(name)] = {
        .value = std::string(1, kHole), .is_recursive = false, .origin = Origin::kDefault};
  }
  map["SHELL"] = {.value = "/bin/sh", .is_recursive = false, .origin = Origin::kDefault};
  map[".SHELLFLAGS"] = {.value = "-c", .is_recursive = false, .origin = Origin::kDefault};
  map["SUFFIXES"] = {
      .value =
          ".out .a .ln .o .c .cc .C .cpp .p .f .F .m .r .y .l .ym .yl .s .S .mod .sym .def .h "
          ".info .dvi .tex .texinfo .texi .txinfo .w .ch .web .sh .elc .el",
      .is_recursive = false,
      .origin = Origin::kDefault};
  map["MAKE_COMMAND"] = {.value = "make", .is_recursive = false, .origin = Origin::kDefault};
  map["MAKE_VERSION"] = {.value = "4.3", .is_recursive = false, .origin = Origin::kDefault};
  map["MAKELEVEL"] = {.value = "0", .is_recursive = false, .origin = Origin::kEnvironment};
  map[".DEFAULT_GOAL"] = {.value = "", .is_recursive = false};
  return map;
}

}  // namespace

const VariableMap& builtin_variables() {
  static const VariableMap kMap = make_builtins();
  return kMap;
}

}  // namespace nacre::make
