// SPDX-License-Identifier: Apache-2.0
#include "recon/data/content_hash.h"

#include <QTest>
#include <string>
#include <vector>

#include "recon/data/data_hash.h"
#include "tests/support/small_data.h"

namespace content_hash_test {

using namespace tof;
using namespace tof::test;

namespace {

std::string hashOf(const std::vector<std::string>& parts) {
    ContentHash hash;
    for (const std::string& part : parts) {
        hash.add(part.data(), part.size());
    }
    return hash.text();
}

}  // namespace

class ContentHashTest : public QObject {
    Q_OBJECT

  private slots:
    void whereAPartEndsAndWhichComesFirstMatter() {
        const std::string hash = hashOf({"abc", "de"});

        QCOMPARE(hash.size(), std::size_t{16});
        QCOMPARE(hashOf({"abc", "de"}), hash);
        for (const auto& other :
             {std::vector<std::string>{"abcde"}, {"ab", "cde"}, {"de", "abc"}, {"abc", "de", ""}, {"abc"}}) {
            QVERIFY(hashOf(other) != hash);
        }
    }

    void viewsHashedOneByOneMakeTheHashOfTheData() {
        const auto data = smallData(KernelSpec::preset("invariant"));
        const std::size_t voxels = data->voxels();
        ContentHash hash = hashOfViews(*data);
        for (const std::vector<float>* const array : {&data->counts, &data->mult, &data->add}) {
            std::vector<std::uint64_t> views;
            for (std::size_t begin = 0; begin < array->size(); begin += voxels) {
                const auto one = hashesOfViews(std::span(*array).subspan(begin, voxels), voxels);
                views.insert(views.end(), one.begin(), one.end());
            }
            hash.add(views);
        }

        QCOMPARE(hash.text(), dataHash(*data));
    }
};

QTEST_GUILESS_MAIN(ContentHashTest)

}  // namespace content_hash_test
#include "content_hash_test.moc"
