#pragma once

#include <cstddef>
#include <span>

#include "gauze/collect/task/central_task.h"
#include "gauze/collect/task/task.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze::collect {

/// Draws one report for every value, by the encoder that runs on devices, one after the other into `payloads`, which has room for them.
///
/// Privacy unit   : one device's value; each value is one device's.
/// Neighbours     : any two values.
/// Guarantee      : each report costs task.cost_nano() at most.
/// Proven         : docs/proofs/local-laws.md
/// Not covered    : the time it takes; nobody's ledger is charged.
void draw_reports(const Task& task, SecureRandom& random, std::span<const gauze_value> values,
                  unsigned char* payloads);

/// The same from a seed: for simulations. What comes out must not be sent.
void simulate_reports(const Task& task, SeededRandom& random, std::span<const gauze_value> values,
                      unsigned char* payloads);

/// Writes one record for as many values as a central task has fields, by the encoder that runs on devices. Nothing is disturbed: a record
/// is what it is, and only what is no value of a category is drawn.
void write_records(const CentralTask& task, SecureRandom& random, std::span<const gauze_value> values,
                   unsigned char* payloads);

/// Random bytes for the encoder of a device in this process.
int random_bytes_of_thread(void* context, unsigned char* out, std::size_t size);

}  // namespace gauze::collect
