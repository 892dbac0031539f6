// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <string>
#include <vector>

#include "recon/base/request_row.h"

class QDialog;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QVBoxLayout;

namespace tof::ui {

/// The rows of a request as fields: label, field, button to browse for files, and below it what cannot be.
/// What is typed goes into the request at once where it is allowed; a row that the request has no use for is
/// grey. Fields are called NAME.KEY, buttons NAME.KEY.browse, sentences NAME.KEY.fault.
class RequestForm : public QWidget {
    Q_OBJECT

  public:
    explicit RequestForm(QString name, const std::vector<BoundRow>& rows = {}, QWidget* parent = nullptr);

    /// Appends a row.
    void add(const BoundRow& row);
    /// Appends what is no row.
    void addLine(QWidget* label, QWidget* field);
    /// Shows what the request holds.
    void refresh();
    /// How a row stands that cannot be had now.
    enum class Unusable { Grey, Hidden };
    /// The reason why a row cannot be had now, said in the place of its help; empty: it can.
    void setWhyNot(const std::string& key, const QString& why, Unusable stands = Unusable::Grey);
    [[nodiscard]] bool usable(const std::string& key) const;
    [[nodiscard]] bool has(const std::string& key) const { return placeOf(key) < fields_.size(); }
    /// Throws InternalError for a row that is not in the form.
    [[nodiscard]] QWidget* field(const std::string& key) const;
    /// Puts a widget below a row.
    void addBelow(const std::string& key, QWidget* widget);
    /// Puts a widget in the place of a row's label.
    void setLabel(const std::string& key, QWidget* label);
    /// Says at a row what cannot be; empty: nothing.
    void setFault(const std::string& key, const QString& sentence);
    [[nodiscard]] bool hasFault(const std::string& key) const;
    /// Says at every row what is not allowed; the first such field, or null.
    [[nodiscard]] QWidget* check();
    /// Does so for one row.
    [[nodiscard]] QWidget* check(const std::string& key);

  Q_SIGNALS:
    /// The request has another value, or none while what was typed is not allowed.
    void changed(const std::string& key);

  private:
    struct Field {
        BoundRow row;
        QWidget* edit = nullptr;
        QWidget* line = nullptr;  ///< with what stands beside and below it
        QLabel* fault = nullptr;
        QString whyNot{};
        std::function<std::string()> typed{};
        std::function<void(const QString&)> show{};
    };
    void connectField(const Field& field);
    [[nodiscard]] QWidget* makeEdit(Field& field);
    void makeBox(Field& field);
    void makeList(Field& field);
    void makeWhole(Field& field);
    void makeNumber(Field& field);
    void makeText(Field& field);
    [[nodiscard]] QWidget* withButton(const QString& name, const Field& field);
    void browse(const std::string& key);
    void commit(const std::string& key);
    void enableFields();
    /// fields_.size() where there is none.
    [[nodiscard]] std::size_t placeOf(const std::string& key) const;
    [[nodiscard]] const Field& of(const std::string& key) const;

    QString name_;
    QFormLayout* form_;
    std::vector<Field> fields_;
};

/// Rows of the given groups only, or those without one.
[[nodiscard]] std::vector<BoundRow> rowsOfGroups(const std::vector<BoundRow>& rows,
                                                 const std::vector<std::string>& groups);

/// The column of a dialog, with the margins that dialogs have.
[[nodiscard]] QVBoxLayout* dialogColumn(QDialog& dialog);

/// Buttons that accept a dialog or reject it; the first is called like the dialog: binning.ok of
/// binning.dialog. It accepts when `check`, where given, names no field that cannot be, and leads to that
/// field else.
[[nodiscard]] QDialogButtonBox* makeAnswers(QDialog& dialog, const QString& ok,
                                            const std::function<QWidget*()>& check = {});

}  // namespace tof::ui
