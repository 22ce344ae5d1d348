#include "gauze/collect/encode/encode_values.h"

#include <algorithm>

#include "gauze/base/parallel.h"
#include "gauze/base/utf8.h"
#include "gauze/collect/encode/draw_reports.h"
#include "gauze/collect/encode/field_value.h"
#include "gauze/collect/reports/block_format.h"
#include "gauze/files/base64.h"

namespace gauze::collect {
namespace {

constexpr std::size_t kBatch = 65'536;  ///< values that are encoded at once, and the most bytes of their reports
constexpr std::size_t kBatchBytes = std::size_t{16} << 20;
constexpr std::size_t kGrain = 4'096;
constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr std::size_t kReadBytes = std::size_t{1} << 20;

BlockId random_id() {
  BlockId id{};
  random_bytes_of_thread(nullptr, id.data(), id.size());
  return id;
}

/// The most reports of a block.
std::size_t reports_of_block(std::size_t payload_bytes) {
  return std::min<std::size_t>(kMostBlockReports,
                               (kMostBlockBytes - kBlockHeaderBytes - kBlockCheckBytes) / payload_bytes);
}

/// How values become the reports of a task: one value a report, or one a field.
struct Encoding {
  const DeviceTask& task;
  std::size_t values_per_report;
  std::function<void(std::span<const gauze_value>, unsigned char* payloads)> encode;
};

Encoding encoding_of(const Task& task) {
  return {task, 1, [&task](std::span<const gauze_value> values, unsigned char* payloads) {
            draw_reports(task, SecureRandom::of_thread(), values, payloads);
          }};
}

Encoding encoding_of(const CentralTask& task) {
  return {task, task.spec().fields.size(), [&task](std::span<const gauze_value> values, unsigned char* payloads) {
            write_records(task, SecureRandom::of_thread(), values, payloads);
          }};
}

/// Collects values, encodes them a batch at a time and hands on the reports.
class BatchEncoder {
 public:
  BatchEncoder(Encoding encoding, const EncodeRequest& request, const ReportSink& sink, Progress& progress)
      : encoding_(std::move(encoding)), request_(request), sink_(&sink), progress_(&progress) {
    progress.begin("encoding", 0);
    // whole blocks, so that only the last one is a short one
    const std::size_t bytes = encoding_.task.payload_bytes();
    const std::size_t block = reports_of_block(bytes);
    batch_ = std::max(block, std::min(kBatch, kBatchBytes / bytes) / block * block) * encoding_.values_per_report;
  }

  /// The next value: of a device, or of the next field of one.
  [[nodiscard]] Result<void> add(const gauze_value& value) {
    values_.push_back(value);
    return values_.size() == batch_ ? flush() : Result<void>();
  }

  [[nodiscard]] Result<EncodedReports> finish() {
    GAUZE_TRY_VOID(flush());
    return done_;
  }

 private:
  [[nodiscard]] Result<void> flush() {
    if (values_.empty()) return {};
    GAUZE_TRY_VOID(progress_->check());
    const std::size_t bytes = encoding_.task.payload_bytes();
    const std::size_t step = encoding_.values_per_report;
    const std::size_t reports = values_.size() / step;
    std::string payloads(reports * bytes, '\0');
    parallel_for(reports, kGrain, [&](std::size_t begin, std::size_t end) {
      encoding_.encode(std::span(values_).subspan(begin * step, (end - begin) * step),
                       reinterpret_cast<unsigned char*>(payloads.data()) + begin * bytes);
    });
    const std::string formatted = formatted_reports(encoding_.task, request_, payloads);
    done_.reports += reports;
    done_.bytes += formatted.size();
    progress_->advance(reports);
    values_.clear();
    return (*sink_)(formatted);
  }

  Encoding encoding_;
  EncodeRequest request_;
  const ReportSink* sink_;
  Progress* progress_;
  std::size_t batch_ = kBatch;
  std::vector<gauze_value> values_;
  EncodedReports done_;
};

/// The value of a cell by its column.
using ValueOfCell = std::function<gauze_value(std::size_t column, std::string_view text)>;

/// Rows of the declared columns on their way to the encoder.
class ColumnRows final : public table::RowSink {
 public:
  ColumnRows(BatchEncoder& encoder, std::size_t columns, const std::vector<std::string>& missing, ValueOfCell value)
      : encoder_(&encoder), columns_(columns), missing_(&missing), value_(std::move(value)) {}

  void add(std::span<const std::string_view> cells) override {
    for (std::size_t i = 0; i < columns_; ++i) {
      const bool is_missing = std::find(missing_->begin(), missing_->end(), trimmed(cells[i])) != missing_->end();
      encode(value_(i, is_missing ? std::string_view() : cells[i]));
    }
  }
  void add_unreadable() override {
    for (std::size_t i = 0; i < columns_; ++i) encode(value_(i, {}));
  }
  /// What went wrong with the reports, if anything did: nothing is encoded after it.
  [[nodiscard]] Result<void> outcome() const { return outcome_; }

 private:
  void encode(const gauze_value& value) {
    if (outcome_) outcome_ = encoder_->add(value);
  }

  BatchEncoder* encoder_;
  std::size_t columns_;
  const std::vector<std::string>* missing_;
  ValueOfCell value_;
  Result<void> outcome_;
};

Result<EncodedReports> encode_rows(table::DeclaredSource& source, const std::vector<std::string>& missing,
                                   BatchEncoder encoder, std::size_t columns, ValueOfCell value, Progress& progress) {
  ColumnRows rows(encoder, columns, missing, std::move(value));
  GAUZE_TRY_VOID(source.read(rows, progress));
  GAUZE_TRY_VOID(rows.outcome());
  return encoder.finish();
}

/// Lines of a source; of one that is too long only that it was there.
class Lines {
 public:
  explicit Lines(ByteSource& source) : source_(&source), block_(kReadBytes, '\0') {}

  /// Calls body for each line, without its end.
  template <class Body>
  [[nodiscard]] Result<void> each(const Body& body) {
    bool first = true;
    for (;;) {
      GAUZE_TRY(const std::size_t got, source_->read(block_));
      if (got == 0) break;
      std::string_view rest(block_.data(), got);
      if (first && rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
      first = false;
      for (;;) {
        const std::size_t end = rest.find('\n');
        keep(rest.substr(0, end));
        if (end == std::string_view::npos) break;
        GAUZE_TRY_VOID(body(std::string_view(line_)));
        line_.clear();
        began_ = false;
        rest.remove_prefix(end + 1);
      }
    }
    return began_ ? body(std::string_view(line_)) : Result<void>();
  }

 private:
  void keep(std::string_view part) {
    began_ = began_ || !part.empty();
    // A line beyond the limit is no value, and one letter more than the limit says so.
    line_.append(part.substr(0, kLongestLine + 1 - std::min(kLongestLine + 1, line_.size())));
  }

  ByteSource* source_;
  std::string block_;
  std::string line_;
  bool began_ = false;
};

}  // namespace

std::string formatted_reports(const DeviceTask& task, const EncodeRequest& request, std::string_view payloads) {
  const std::size_t bytes = task.payload_bytes();
  std::string out;
  if (request.format == ReportFormat::json_lines) {
    for (std::size_t at = 0; at < payloads.size(); at += bytes)
      out += fmt::format("{{\"task\":\"{}\",\"period\":{},\"payload\":\"{}\"}}\n", task.hash(), request.period,
                         to_base64(payloads.substr(at, bytes)));
    return out;
  }
  BlockHeader header;
  header.task = task.hash_bytes();
  header.period = request.period;
  header.payload_bytes = static_cast<std::uint16_t>(bytes);
  const std::size_t most = reports_of_block(bytes) * bytes;
  for (std::size_t at = 0; at < payloads.size(); at += most) {
    const std::string_view part = payloads.substr(at, most);
    header.id = random_id();
    header.count = static_cast<std::uint32_t>(part.size() / bytes);
    out += encode_block(header, part);
  }
  return out;
}

Result<EncodedReports> encode_lines(ByteSource& source, const Task& task, const EncodeRequest& request,
                                    const ReportSink& sink, Progress& progress) {
  GAUZE_TRY_VOID(task.check_claim());
  BatchEncoder encoder(encoding_of(task), request, sink, progress);
  GAUZE_TRY_VOID(
      Lines(source).each([&](std::string_view line) { return encoder.add(value_of_text(task.spec(), line)); }));
  return encoder.finish();
}

Result<EncodedReports> encode_column(table::DeclaredSource& source, const std::vector<std::string>& missing,
                                     const Task& task, const EncodeRequest& request, const ReportSink& sink,
                                     Progress& progress) {
  GAUZE_TRY_VOID(task.check_claim());
  return encode_rows(
      source, missing, BatchEncoder(encoding_of(task), request, sink, progress), 1,
      [&task](std::size_t, std::string_view text) { return value_of_text(task.spec(), text); }, progress);
}

Result<EncodedReports> encode_records(table::DeclaredSource& source, const std::vector<std::string>& missing,
                                      const CentralTask& task, const EncodeRequest& request, const ReportSink& sink,
                                      Progress& progress) {
  const std::vector<RecordField>& fields = task.spec().fields;
  return encode_rows(
      source, missing, BatchEncoder(encoding_of(task), request, sink, progress), fields.size(),
      [&fields](std::size_t column, std::string_view text) { return value_of_text(fields[column], text); }, progress);
}

}  // namespace gauze::collect
