// SPDX-License-Identifier: Apache-2.0
#include "recon/data/content_hash.h"

#include <QTest>
#include <vector>

#include "recon/data/data_hash.h"
#include "tests/support/small_data.h"

using namespace tof;
using namespace tof::test;

class ContentHashTest : public QObject {
    Q_OBJECT

  private slots:
    void piecesOfAnyLengthMakeTheHashOfTheWhole() {
        std::vector<unsigned char> bytes(1003);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = static_cast<unsigned char>(i * 37 % 251);
        }
        ContentHash whole;
        whole.add(bytes.data(), bytes.size());
        for (const std::size_t piece : {1U, 5U, 31U, 32U, 33U, 64U, 300U, 1003U}) {
            ContentHash pieces;
            pieces.begin(bytes.size());
            for (std::size_t at = 0; at < bytes.size(); at += piece) {
                const ContentHash handedOn = pieces;  // as from one process to the next
                pieces = handedOn;
                pieces.more(bytes.data() + at, std::min(piece, bytes.size() - at));
            }
            pieces.end();
            QCOMPARE(pieces.result(), whole.result());
        }
    }

    void theOrderOfArraysIsThatOfTheDataHash() {
        const auto data = smallData(KernelSpec::preset("invariant"));
        ContentHash hash = hashOfViews(*data);
        for (const std::vector<float>* const array : {&data->counts, &data->mult, &data->add}) {
            hash.add(array->data(), array->size() * sizeof(float));
        }
        QCOMPARE(hashText(hash), dataHash(*data));
    }
};

QTEST_GUILESS_MAIN(ContentHashTest)
#include "content_hash_test.moc"
