"""Writes the workbooks of settlement reports that the tests read, from the XML beside each.

    python3 Tests/Tools/settlement_workbooks.py Tests/Fixtures/Settlement

The layout is that of the PSP's workbooks: one sheet, texts shared, digits as numbers, decimals as
binary fractions, cells of empty values left out.
"""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
from xml.sax.saxutils import escape

BODY = {
    "SALES": [
        ("PayEx Batch Number", "PayexBatchNo"), ("Transaction Number", "TransactionNo"),
        ("Order Id", "OrderId"), ("Date Created", "DateCreated"),
        ("Date Modified", "DateModified"), ("Provider", "Provider"), ("Type", "Type"),
        ("Amount", "Amount"), ("Currency", None), ("Product Number", "MerchantProductNo"),
        ("Description", "Description"), ("VAT Amount", "VATAmount"),
        ("VAT Percentage", "VatPercentage"), ("Credit Card Batch Number", "CreditCardBatchNo"),
        ("Direct Debit Bank Reference", "DirectDebitBankRef"), ("Reference", "Reference"),
        ("PayEx Account Number", "PayExAccountNo"),
        ("Referenced Transaction Number", "ReferencedTransaction"),
        ("Sales Channel", "SalesChannel"), ("Brand", "Brand"), ("Point Of Sale", "PointOfSale"),
    ],
    "SalesAccountedTransactions": [
        (name, name) for name in (
            "PayExAccountNo OrderIdentity TransactionIdentity Amount Currency VATAmount "
            "VatPercentage DateCreated DateModified ServiceName Provider PayexTransactionNo "
            "PayexBatchNo Subsite SubsiteDescription ReferencedTransaction "
            "ExternalTransactionReference CreditCardBatchNo Description ProductCategory "
            "SalesChannel Brand PointOfSale"
        ).split()
    ],
}


def local(element):
    return element.tag.split("}")[-1]


def rows_of(root):
    """Returns the rows of the sheet by number, each a list of texts."""
    first = local(root) == "SALES"
    count = sum(1 for element in root.iter() if local(element) in ("TRAN", "Transaction"))
    rows = {}
    if first:
        rows[1] = ["Swedbank Pay Demo AB", root.get("AccountingNo"), str(count)]
        rows[3] = "Prefix Currency ServiceType Service NoOfDebet NoOfCredit Amount FromDate ToDate".split()
    else:
        names = "ContractingParty AccountingNo TotalNoOfTransactions AccountingDate ExternalMerchantId Version"
        rows[1] = names.split()
        rows[2] = [root.get(name, "") for name in rows[1]]
        names = "Subsite SubsiteDescription Currency ServiceType ServiceName NoOfDebit NoOfCredit Amount FromDate ToDate"
        rows[4] = names.split()
    number = max(rows) + 1
    summary = root[0]
    for currency in summary:
        for kind in currency:
            for service in kind:
                code = currency.get("Currency") or currency.get("Name")
                head = [code, kind.get("ServiceType") or kind.get("Name"),
                        service.get("ServiceName") or service.get("Name"),
                        service.get("NoOfDebit") or service.get("NoOfDebet"),
                        service.get("NoOfCredit"), service.get("Amount"),
                        service.get("FromDate")[:10], service.get("ToDate")[:10]]
                rows[number] = ([""] if first else ["", ""]) + head
                number += 1
    number += 2
    columns = BODY[local(root)]
    rows[number] = [name for name, _ in columns]
    for group in root[1:]:
        for row in group:
            number += 1
            code = group.get("Currency") or group.get("Name")
            rows[number] = [row.get(key, "") if key else code for _, key in columns]
    return rows


def letters(column):
    name = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        name = chr(65 + digit) + name
    return name


def number_text(text):
    """Returns how a spreadsheet program stores a number; None for a text."""
    try:
        value = float(text)
    except ValueError:
        return None
    if text.count(".") > 0 or text.lstrip("-").isdigit():
        # Seventeen digits, as they are stored: 69.90 becomes 69.900000000000006.
        shown = f"{value:.17g}"
        return shown if "e" not in shown else None
    return None


def write(source, target):
    root = ElementTree.parse(source).getroot()
    texts, lines = [], []
    for number, row in sorted(rows_of(root).items()):
        cells = []
        for column, text in enumerate(row):
            if not text:
                continue
            place = f"{letters(column)}{number}"
            stored = None if text == "2.0" else number_text(text)
            if stored is not None:
                cells.append(f'<c r="{place}"><v>{stored}</v></c>')
                continue
            if text not in texts:
                texts.append(text)
            cells.append(f'<c r="{place}" t="s"><v>{texts.index(text)}</v></c>')
        lines.append(f'<row r="{number}">{"".join(cells)}</row>')
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    documents = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
        "xl/workbook.xml": f'<workbook xmlns="{space}" xmlns:r="{documents}"><sheets>'
        f'<sheet name="{root.get("AccountingNo")}" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{relations}">'
        f'<Relationship Id="rId1" Type="{documents}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{documents}/sharedStrings" Target="sharedStrings.xml"/>'
        "</Relationships>",
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{space}"><sheetData>{"".join(lines)}'
        "</sheetData></worksheet>",
        "xl/sharedStrings.xml": f'<sst xmlns="{space}">'
        + "".join(f"<si><t>{escape(text)}</t></si>" for text in texts) + "</sst>",
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            # A fixed time: the same file whenever it is made.
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), head + text,
                             zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    for source in sorted(pathlib.Path(sys.argv[1]).glob("*.xml")):
        write(source, source.with_suffix(".xlsx"))
