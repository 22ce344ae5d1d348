# shellcheck shell=bash
# ./dev demo: builds Gauze and goes the whole way from a table to a release, with a report to look at.

cmd_demo() {
  local folder=build/demo
  setup_product
  build_product
  build/gauze demo --folder "$folder"
  printf '\nOpen %s/report.html in a browser. Next: build/gauze --help, or README.md\n' "$folder"
  say_time
}
