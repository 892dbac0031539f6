// SPDX-License-Identifier: Apache-2.0
#include "recon/base/words.h"

#include <QTest>

namespace words_test {

using namespace tof;
using Words = std::vector<std::string>;

class WordsTest : public QObject {
    Q_OBJECT

  private slots:
    void partsStandBetweenSeparators() {
        QCOMPARE(parts("a,b c,d", ','), (Words{"a", "b c", "d"}));
        QCOMPARE(parts("a,,b", ','), (Words{"a", "", "b"}));
        QCOMPARE(parts(",a,", ','), (Words{"", "a"}));  // nothing follows the last one
        QCOMPARE(parts("", ','), Words());
    }

    void wordsStandBetweenWhiteSpace() {
        QCOMPARE(words("  one\ttwo \n three"), (Words{"one", "two", "three"}));
        QCOMPARE(words(" \t"), Words());
    }
};

QTEST_APPLESS_MAIN(WordsTest)

}  // namespace words_test
#include "words_test.moc"
