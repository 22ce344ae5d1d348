#include "gauze/text/documents/html_text.h"

#include <gtest/gtest.h>

#include "gauze/text/documents/internal/html_entities.h"

namespace gauze::text {
namespace html_text_test {

TEST(HtmlText, HasNoTagsCommentsScriptsAndStyles) {
  EXPECT_EQ(text_of_html("A <b class=\"x\">good</b> film"), "A good film");
  EXPECT_EQ(text_of_html("un<b>believ</b>able"), "unbelievable") << "a word stays one";
  EXPECT_EQ(text_of_html("first<br />second<p>third</p>fourth"), "first second third fourth") << "lines stay apart";
  EXPECT_EQ(text_of_html("a <!-- secret <b> --> b"), "a  b");
  EXPECT_EQ(text_of_html("<!DOCTYPE html><?xml a?>x<![CDATA[y]]>z"), "xz");
  EXPECT_EQ(text_of_html("a<script type=x>if (a < b) c(\"</b>\");</script >d"), "ad");
  EXPECT_EQ(text_of_html("a<STYLE>p > q { }</Style>b"), "ab");
  EXPECT_EQ(text_of_html("a<script>x</scriptx></script>b"), "ab");
  EXPECT_EQ(text_of_html("a <a href='x>y' title=\"p>q\">link</a> b"), "a link b");
  EXPECT_EQ(text_of_html("a<!-->b<!--->c<!---->d"), "abcd") << "the shortest comments";
}

TEST(HtmlText, WhatIsNoTagStays) {
  EXPECT_EQ(text_of_html("1 < 2, I <3 it, a<=b & c"), "1 < 2, I <3 it, a<=b & c");
  EXPECT_EQ(text_of_html("x</"), "x</");
  EXPECT_EQ(text_of_html("x<"), "x<");
  EXPECT_EQ(text_of_html("don't \"say\" so"), "don't \"say\" so");
}

TEST(HtmlText, WhatIsNotClosedReachesToTheEnd) {
  EXPECT_EQ(text_of_html("a <b class=\"never"), "a ");
  EXPECT_EQ(text_of_html("a <!-- never"), "a ");
  EXPECT_EQ(text_of_html("a <script> never </b>"), "a ");
}

TEST(HtmlText, EntitiesAreDecoded) {
  EXPECT_EQ(text_of_html("Tom &amp; J&eacute;r&ocirc;me &lt;3 &hellip;"), "Tom & Jérôme <3 …");
  EXPECT_EQ(text_of_html("&#28450;&#x5B57;&#X1F600;"), "漢字😀");
  EXPECT_EQ(text_of_html("it&apos;s&nbsp;&quot;so&quot;"), "it's\u00A0\"so\"");
  EXPECT_EQ(text_of_html("&#146;&#128;"), "’€") << "numbers of Windows";
  EXPECT_EQ(text_of_html("&amp;lt;"), "&lt;") << "once";
  EXPECT_EQ(text_of_html("&lt;script&gt;x"), "<script>x") << "text that looks like a tag is text";
  EXPECT_EQ(text_of_html("AT&T, &unknown; &amp &#; &#x;"), "AT&T, &unknown; &amp &#; &#x;");
  EXPECT_EQ(text_of_html("&#0;&#xD800;&#99999999999999999999;"), "\uFFFD\uFFFD\uFFFD");
}

TEST(HtmlText, AnEntityNeverBreaksALine) {
  EXPECT_EQ(text_of_html("a&#10;b&#13;c&#x2028;d&#133;e&#27;f"), "a b c d…e f");
}

TEST(HtmlText, TheTableIsInOrder) {
  for (std::size_t i = 1; i < internal::kHtmlEntities.size(); ++i)
    EXPECT_LT(internal::kHtmlEntities[i - 1].name, internal::kHtmlEntities[i].name);
  EXPECT_EQ(text_of_html("&AElig;&zwnj;&alpha;&euro;"), "Æ\u200Cα€");
}

}  // namespace html_text_test
}  // namespace gauze::text
