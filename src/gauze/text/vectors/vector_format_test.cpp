#include "gauze/text/vectors/vector_format.h"

#include <gtest/gtest.h>

#include <string>

#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace vector_format_test {

using testing::bytes_of;

TEST(VectorFormat, IsDetectedByContent) {
  EXPECT_EQ(detect_vector_format("the 0.1 -0.2\nof 1 2\n"), VectorFormat::glove);
  EXPECT_EQ(detect_vector_format("2 3\nthe 0.1 0.2 0.3\nof 1 2 3\n"), VectorFormat::word2vec_text);
  EXPECT_EQ(detect_vector_format("2 3\nthe 0.1 0.2 0.3 \n"), VectorFormat::word2vec_text);
  EXPECT_EQ(detect_vector_format("1 2\nthe 0.1 0.2"), VectorFormat::word2vec_text);
  EXPECT_EQ(detect_vector_format("2 3\nthe " + bytes_of(0.1F) + bytes_of(7.0F) + bytes_of(3e7F) + "\nof "),
            VectorFormat::word2vec_binary);
  EXPECT_EQ(detect_vector_format("1 2\nthe " + bytes_of(1.0F) + bytes_of(2.0F)), VectorFormat::word2vec_binary);
  EXPECT_EQ(detect_vector_format(bytes_of(793712314) + bytes_of(12)), VectorFormat::fasttext_binary);
  EXPECT_EQ(detect_vector_format("{\"precision\":8,\"l2NormIndex\":100"), VectorFormat::wink_json);
  EXPECT_EQ(detect_vector_format("{ 0.5 0.25\n} 1 2\n"), VectorFormat::glove);
  EXPECT_EQ(detect_vector_format("1990 0.5 0.25\n2000 1 2\n"), VectorFormat::glove);
  EXPECT_EQ(detect_vector_format("GAUZEVEC"), VectorFormat::gvec);
  EXPECT_EQ(detect_vector_format(""), VectorFormat::glove);
}

TEST(VectorFormat, HasNames) {
  for (const VectorFormat format : {VectorFormat::glove, VectorFormat::word2vec_text, VectorFormat::word2vec_binary,
                                    VectorFormat::fasttext_binary, VectorFormat::wink_json, VectorFormat::gvec}) {
    EXPECT_EQ(parse_vector_format(to_string(format)), format);
  }
  EXPECT_EQ(parse_vector_format("fasttext"), VectorFormat::word2vec_text);
  EXPECT_EQ(parse_vector_format("elmo"), std::nullopt);
}

}  // namespace vector_format_test
}  // namespace gauze::text
