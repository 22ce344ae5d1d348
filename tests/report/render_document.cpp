// render_document DOCUMENT.json PAGE.html: the report of a document, for the tests that open it in a browser.
#include <fstream>
#include <iostream>
#include <sstream>

#include "gauze/report/report.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: render_document DOCUMENT.json PAGE.html\n";
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  std::ostringstream document;
  document << in.rdbuf();
  std::ofstream out(argv[2], std::ios::binary);
  out << gauze::render_report(document.str());
  out.close();
  return in && out ? 0 : 1;
}
