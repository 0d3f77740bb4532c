#include "cli/run.h"

int main(int argc, char** argv) { return nacre::cli::run(argc, argv); }
