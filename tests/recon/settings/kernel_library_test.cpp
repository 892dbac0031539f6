// SPDX-License-Identifier: Apache-2.0
#include "recon/settings/kernel_library.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "recon/base/error.h"
#include "recon/settings/settings.h"

namespace kernel_library_test {

using namespace tof;

class KernelLibraryTest : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
    }

    void aSavedKernelComesBack() {
        const KernelLibrary library = make();
        KernelSpec kernel = KernelSpec::preset("ha-fig5-asymmetric");
        kernel.asymmetry->shift = 0.25;

        library.save("my scanner", kernel);

        kernel.name = "my scanner";
        QCOMPARE(library.load("my scanner").toJson(), kernel.toJson());
        QCOMPARE(library.find("preset:my scanner").toJson(), kernel.toJson());
        QCOMPARE(library.ownNames(), std::vector<std::string>{"my scanner"});
        // Another program that looks at the same folder.
        QVERIFY(make().isOwn("my scanner"));
    }

    void savingAgainReplacesAndRemovingRemoves() {
        const KernelLibrary library = make();
        library.save("mine", KernelSpec::preset("variant1"));
        library.save("also", KernelSpec::preset("variant1"));

        library.save("mine", KernelSpec::preset("cache"));
        library.remove("also");

        QCOMPARE(library.load("mine").tof_ps, 300.0);
        QCOMPARE(library.ownNames(), std::vector<std::string>{"mine"});
        QVERIFY_EXCEPTION_THROWN(library.remove("also"), WrongUse);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(library.load("also")), WrongUse);
    }

    void theProgramsPresetsStay() {
        const KernelLibrary library = make();

        QVERIFY_EXCEPTION_THROWN(library.save("variant1", KernelSpec::preset("cache")), WrongUse);
        QVERIFY_EXCEPTION_THROWN(library.remove("variant1"), WrongUse);
        QCOMPARE(library.load("variant1").tof_ps, 400.0);
        QCOMPARE(library.find("preset:variant1").toJson(), KernelSpec::preset("variant1").toJson());
    }

    void aNameIsAFileName_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"", "../escape", "a/b", ".hidden", " blank", "line\nbreak"}) {
            QTest::newRow(name[0] == '\0' ? "nothing" : name) << name;
        }
        QTest::newRow("too long") << QString(65, 'a');
    }

    void aNameIsAFileName() {
        QFETCH(QString, name);
        const KernelLibrary library = make();

        QVERIFY_EXCEPTION_THROWN(library.save(name.toStdString(), KernelSpec::preset("cache")), WrongUse);

        QVERIFY(library.ownNames().empty());
        QVERIFY(QDir(QString::fromStdString(library.folder())).isEmpty());
    }

    void anUnusableKernelIsNotSaved() {
        KernelSpec kernel = KernelSpec::preset("variant1");
        kernel.tof_ps = -1;

        QVERIFY_EXCEPTION_THROWN(make().save("mine", kernel), BadInput);

        QVERIFY(!make().isOwn("mine"));
    }

    void aFileThatIsNoKernelIsNamed() {
        const KernelLibrary library = make();
        library.save("good", KernelSpec::preset("variant1"));
        QFile file(folder_->filePath("kernels/bad.json"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"tof_ps\": \"wide\"}") > 0);
        file.close();

        try {
            static_cast<void>(library.load("bad"));
            QFAIL("a file that is no kernel was read");
        } catch (const BadInput& fault) {
            QVERIFY(QString(fault.what()).contains("bad.json"));
        }
        QCOMPARE(library.load("good").tof_ps, 400.0);
    }

    void withoutAFolderThereAreTheProgramsPresets() {
        const KernelLibrary library{std::string()};

        QVERIFY(library.ownNames().empty());
        QCOMPARE(library.find("preset:cache").tof_ps, 300.0);
        QVERIFY_EXCEPTION_THROWN(library.save("mine", KernelSpec::preset("cache")), WrongUse);
    }

    void aSettingNeedsNoFolder() {
        const KernelLibrary library = make();
        library.save("mine", KernelSpec::preset("ha-fig7"));
        RunSettings settings;

        settings.set("kernel", library.setting("preset:mine"));

        library.remove("mine");
        QCOMPARE(settings.kernel().name, std::string("mine"));
        QCOMPARE(settings.kernel().tof_ps, 600.0);
        QCOMPARE(library.setting("preset:variant2"), std::string("variant2"));
        QCOMPARE(library.setting("variant2"), std::string("variant2"));
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(library.setting("preset:none")), WrongUse);
    }

  private:
    [[nodiscard]] KernelLibrary make() const {
        return KernelLibrary(folder_->filePath("kernels").toStdString());
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_APPLESS_MAIN(KernelLibraryTest)

}  // namespace kernel_library_test
#include "kernel_library_test.moc"
