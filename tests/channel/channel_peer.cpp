// Seals and opens batches for a program in another language, a line each way, bytes in hexadecimal:
//   key SUITE                  -> PRIVATE PUBLIC ID
//   seal SUITE PUBLIC BLOCKS   -> BATCH
//   open SUITE PRIVATE BATCH   -> BLOCKS, or "refused"
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>

#include "gauze/collect/channel/batch.h"
#include "gauze/files/sha256.h"

using namespace gauze;
using namespace gauze::collect;

namespace {

std::string answer(const std::string& line) {
  std::istringstream words(line);
  std::string verb, first, second;
  unsigned number = 0;
  words >> verb >> number >> first >> second;
  const Suite suite = suite_of_number(number).value();
  if (verb == "key") {
    const SealingKey key = SealingKey::generate(suite);
    return to_hex(key.private_bytes().text()) + " " + to_hex(key.public_key().bytes()) + " " +
           key.public_key().id_hex();
  }
  const std::string key_bytes = from_hex(first).value();
  const std::string bytes = from_hex(second).value();
  if (verb == "seal")
    return to_hex(seal_batch(SealingPublicKey::from_bytes(suite, key_bytes).value(), bytes).value());
  SealingKey::PrivateBytes number_of_key;
  std::copy(key_bytes.begin(), key_bytes.end(), number_of_key.bytes().begin());
  const auto opened = open_batch(SealingKey::from_private_bytes(suite, number_of_key).value(), bytes);
  return opened ? to_hex(*opened) : "refused";
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) std::cout << answer(line) << std::endl;
}
