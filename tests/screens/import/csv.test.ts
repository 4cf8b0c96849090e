import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { dayOf, wordOf } from '../../../src/features/import/cells.ts'
import {
  parseCsv,
  TooLargeError,
  UnclosedQuoteError,
  writeCsv,
} from '../../../src/features/import/csv.ts'
import { currencyOf } from '../../../src/ui/form/currency-of.ts'
import { readNumber } from '../../../src/ui/form/read-number.ts'
import { planWith } from '../fixtures/record-fixtures.ts'
import { plansCsv } from '../../../src/features/success-plans/list/plans-csv.ts'
import { decode, encodingOf, unreadable } from '../../../src/features/import/decode-file.ts'

vi.stubGlobal('location', { origin: 'https://cairn.example' })

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** As a spreadsheet with that separator saves what it has read. */
const withSeparator = (rows: readonly (readonly string[])[], separator: string) =>
  rows
    .map((row) => row.map((cell) => writeCsv([[cell]]).slice(1, -2)))
    .map((row) => row.map((cell) => (cell.startsWith('"') ? cell : `"${cell}"`)).join(separator))
    .join('\r\n')

describe('writing CSV', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1+1',
    '\r=1+1',
    '\n=1',
    ' =HYPERLINK("https://evil.example","x")',
    "=cmd|' /C calc'!A0",
    '＝1+1',
    '－1',
    "'+1 Agency",
    "''=1+1",
    "' =1+1",
  ])('guards a name that looks like a formula: %j', (name) => {
    const [cell = ''] = writeCsv([[name]])
      .slice(1)
      .split('\r\n')
    expect(cell.replace(/^"/, '')).toMatch(/^'/)
    // It parses back to the same value.
    expect(parseCsv(writeCsv([[name, 'x']]))).toEqual([[name, 'x']])
  })

  // What is quoted for commas alone, a spreadsheet with another separator cuts into cells of its own.
  it.each([';', '\t', '|', '\n', '\r\n'])('guards a formula that follows %j in a cell', (sign) => {
    for (const start of ['=', '+', '-', '@', ' =', '"=', ' "\v＝', "'="]) {
      const text = `x${sign}${start}1+1${sign}y`
      const cut = writeCsv([['Name', text]]).split(/[;\t|\r\n]/)
      const cells = cut.map((cell) => cell.replace(/^(["\s])+/, ''))
      expect(cells.filter((cell) => /^[=+\-@＝]/.test(cell))).toEqual([])
      expect(cells.filter((cell) => cell.startsWith("'"))).toHaveLength(1)
      const table = [
        ['Name', 'Notes'],
        ['Harbour', text],
      ]
      expect(parseCsv(writeCsv(table))).toEqual(table)
    }
  })

  it('leaves words, lines and paragraphs without a formula as they are', () => {
    const text = 'Done; it is 1=1\n\nNext: a-b | c\t5 - 3'
    expect(writeCsv([['Name', text]])).toContain(text)
  })

  it('writes numbers bare and begins with a byte order mark for Excel', () => {
    expect(
      writeCsv([
        ['Progress', 'ARR'],
        [-5, null],
      ]),
    ).toBe('\u{FEFF}Progress,ARR\r\n-5,\r\n')
  })

  it('quotes commas, quotes and line ends', () => {
    expect(writeCsv([['a,b', 'say "hi"', 'two\nlines', 'plain']])).toBe(
      '\u{FEFF}"a,b","say ""hi""","two\nlines",plain\r\n',
    )
  })

  it('is read back unchanged', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc
        .array(
          fc.constantFrom(';', '|', ',', '\t', '\r', '\n', ' ', '"', "'", '=', '-', '@', 'x'),
          { maxLength: 12 },
        )
        .map((all) => all.join('')),
      fc.constantFrom('', '"', ',', ';', '\r\n', '=', "'", "'=1", "''=1", ' ', '""', 'a"b'),
    )
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(rows, (all) => {
        // The headings decide the separator.
        const table = [['Name', 'Notes'], ...all]
        expect(parseCsv(writeCsv(table))).toEqual(table)
        for (const separator of [';', '\t', '|'])
          expect(parseCsv(withSeparator(table, separator))).toEqual(table)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('the export of plans', () => {
  it('has the columns that an import reads, and guards titles against formulas', () => {
    const from = { user_id: '', today: '2026-03-10', now: 0, nameOf: () => 'Ada' }
    const plan = planWith({ title: '=1+1', success_criteria: 'a\nb', health: null })
    const [headings = [], cells = []] = parseCsv(plansCsv([plan], from))
    expect(Object.fromEntries(headings.map((heading, at) => [heading, cells[at]]))).toMatchObject({
      Title: '=1+1',
      Progress: '40',
      'End date': '2026-06-30',
      'Success criteria': 'a\nb',
      Health: '',
      Stale: '',
      Link: `https://cairn.example/success-plans/${plan.id}`,
    })
    expect(plansCsv([plan], from)).toContain("\r\n'=1+1,customer,Ada,Ada,in-progress,,40,")
  })
})

describe('reading CSV', () => {
  it.each([
    ['commas', 'Name,ARR\nNorth,1\n'],
    ['semicolons', 'Name;ARR\r\nNorth;1'],
    ['tabs', 'Name\tARR\rNorth\t1\r'],
    ['the separator that the file states', 'sep=;\r\nName;ARR\r\nNorth;1\r\n'],
    ['vertical bars', 'Name|ARR\nNorth|1'],
    ['commas, with spaces before quotes', '"Name", "ARR"\n"North", "1"'],
    ['commas, between quoted cells', '"Name","ARR"\n"North","1"'],
    ['commas, after a byte order mark', '\u{FEFF}Name,ARR\nNorth,1'],
  ])('splits cells by %s', (_, text) => {
    expect(parseCsv(text)).toEqual([
      ['Name', 'ARR'],
      ['North', '1'],
    ])
  })

  it('keeps empty rows, so that row numbers match the spreadsheet', () => {
    expect(parseCsv('a,b\n\nc,\n"x\ny",z')).toEqual([['a', 'b'], [''], ['c', ''], ['x\ny', 'z']])
  })

  it('ignores a semicolon inside a quoted heading when it detects the separator', () => {
    expect(parseCsv('"Name; short",ARR\nNorth,1')[0]).toEqual(['Name; short', 'ARR'])
  })

  it.each([
    ['a,"never closed\nb,c', 1],
    ['a,b\r\n"two\r\nlines",c\r\nd, "e', 4],
    ['a,b\n"c","d ""e""', 2],
    ['"""', 1],
  ])('rejects %j, naming the line of the quote that is never closed', (text, line) => {
    expect(() => parseCsv(text)).toThrow(UnclosedQuoteError)
    expect(() => parseCsv(text)).toThrow(expect.objectContaining({ line }))
  })

  it('rejects files with too many cells', () => {
    expect(() => parseCsv(','.repeat(400_000))).toThrow(TooLargeError)
    expect(() => parseCsv('\n'.repeat(400_000))).toThrow(TooLargeError)
    expect(parseCsv('"'.repeat(100_000))).toHaveLength(1)
    expect(parseCsv('')).toEqual([])
  })
})

describe('the encoding of a file', () => {
  const TEXT = 'Name,Città\nMünchen — Ñandú,€5\n'
  const utf16 = (text: string, littleEndian: boolean, mark: boolean) => {
    const all = (mark ? '\u{FEFF}' : '') + text
    const view = new DataView(new ArrayBuffer(all.length * 2))
    for (let at = 0; at < all.length; at++) view.setUint16(at * 2, all.charCodeAt(at), littleEndian)
    return new Uint8Array(view.buffer)
  }
  // As Excel in Western Europe writes: 0xFC is ü, 0x80 is €.
  const windows = Uint8Array.from('Name\nM\u{FC}nchen \u{80}5', (letter) => letter.charCodeAt(0))

  it.each([
    ['utf-8', bytesOf(TEXT)],
    ['utf-8', bytesOf(`\u{FEFF}${TEXT}`)],
    ['utf-16le', utf16(TEXT, true, true)],
    ['utf-16be', utf16(TEXT, false, true)],
    ['utf-16le', utf16(TEXT, true, false)],
    ['utf-16be', utf16(TEXT, false, false)],
  ] as const)('is detected: %s', (encoding, bytes) => {
    expect(encodingOf(bytes)).toBe(encoding)
    expect(decode(bytes, encoding).replace(/^\u{FEFF}/u, '')).toBe(TEXT)
  })

  it('falls back to Windows-1252, so that umlauts survive', () => {
    expect(encodingOf(windows)).toBe('windows-1252')
    expect(decode(windows, 'windows-1252')).toBe('Name\nMünchen €5')
  })

  it.each([
    ['a letter in the middle', 'Müller,Zürich\n', 'ü', 1],
    ['the beginning of a letter', 'Müller,Zürich\n', 'ü', 0],
    ['the end of the file', 'Zürich €', '€', 2],
    ['the end of a file without other such letters', 'Northwind €', '€', 2],
    ['the end of a file with one such letter', 'Café', 'é', 1],
  ])('stays UTF-8 where a byte is missing in %s', (_, text, letter, missing) => {
    const at = bytesOf(text.slice(0, text.indexOf(letter))).length + missing
    const whole = [...bytesOf(text)]
    const bytes = Uint8Array.from(whole.filter((__, index) => index !== at))
    expect(encodingOf(bytes)).toBe('utf-8')
    expect(decode(bytes, 'utf-8')).toContain('\u{FFFD}')
  })

  it.each(['Name\nCaf\u{E9}', 'Name\nM\u{FC}ller\nStrau\u{DF}', 'Name\nGro\u{DF}'])(
    'is Windows-1252 where no letter is UTF-8: %j',
    (text) => {
      const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
      expect(encodingOf(bytes)).toBe('windows-1252')
    },
  )

  it('is not detected for workbooks, binary, empty or oversized files', () => {
    expect(unreadable(Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0]))).toBe('workbook')
    expect(unreadable(Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]))).toBe('workbook')
    expect(unreadable(Uint8Array.from([1, 2, 0, 0, 0, 3, 4, 0, 1]))).toBe('binary')
    expect(unreadable(new Uint8Array(5 * 1024 * 1024 + 1))).toBe('large')
    expect(unreadable(new Uint8Array())).toBe('empty')
    expect(unreadable(bytesOf('Name\nNorth'))).toBeUndefined()
  })
})

describe('a cell', () => {
  it.each([
    ['48000', 48_000],
    ['€48,000.50', 48_000.5],
    ['48.000,50 EUR', 48_000.5],
    ["48'000", 48_000],
    ['48 000', 48_000],
    ['48.000', 48_000],
    ['1,234,567', 1_234_567],
    ['0.125', 0.125],
    ['1200.125', 1_200.125],
    ['1200,50', 1_200.5],
    ['12,5', 12.5],
    ['40 %', 40],
    ['US$48,000', 48_000],
    ['CN¥ 48,000', 48_000],
    ['48.000 kr.', 48_000],
    ['Kr48000', 48_000],
    ['48 krabs', Number.NaN],
    ['-3', -3],
    ['many', Number.NaN],
    ['1.2.3,4,5', Number.NaN],
    ['', Number.NaN],
  ])('%j is read as the number %d', (cell, number) => {
    expect(readNumber(cell)).toBe(number)
  })

  it.each([
    ['2026-03-31', '2026-03-31'],
    ['2026/3/1', '2026-03-01'],
    ['2026-03-31T00:00:00.000000Z', '2026-03-31'],
    ['31.3.2026', '2026-03-31'],
    ['31/03/2026', '2026-03-31'],
    ['3/31/2026', '2026-03-31'],
    ['2/2/2026', '2026-02-02'],
    ['31-Mar-26', '2026-03-31'],
    ['31 March 2026', '2026-03-31'],
    ['Mar 31, 2026', '2026-03-31'],
    ['31.3.26', '2026-03-31'],
    ['3/31/26', '2026-03-31'],
    ['31.03.2026 10:15', '2026-03-31'],
    ['3/31/2026, 10:15:00 AM', '2026-03-31'],
    ['31/03/26', '31/03/26'],
    ['31 foo 2026', '31 foo 2026'],
    // Which of the two is meant cannot be known.
    ['3/4/2026', '3/4/2026'],
    ['soon', 'soon'],
  ])('%j is read as the day %s', (cell, day) => {
    expect(dayOf(cell)).toBe(day)
  })

  it('is no day within a moment, however many spaces it has', () => {
    const cell = `a${' '.repeat(1_000_000)}b`
    expect(dayOf(cell)).toBe(cell)
  })

  it.each([
    ['5', 'EUR', 'EUR'],
    ['€5', 'USD', 'EUR'],
    ['5 CHF', 'USD', 'CHF'],
    ['£5', 'USD', 'GBP'],
    ['£5', 'GIP', 'GIP'],
    ['₹480,000', 'EUR', 'INR'],
    ['US$5', 'EUR', 'USD'],
    ['ca$5', 'EUR', 'CAD'],
    ['$5', 'EUR', undefined],
    ['$5', 'USD', 'USD'],
    ['$5', 'CAD', 'CAD'],
    ['US$5', 'CAD', 'USD'],
    ['¥5', 'JPY', 'JPY'],
    ['¥5', 'CNY', 'CNY'],
    ['¥5', 'EUR', undefined],
    ['5 kr', 'NOK', 'NOK'],
    ['5 Kr.', 'SEK', 'SEK'],
    ['5 kr', 'EUR', undefined],
    ['₿5', 'EUR', undefined],
    ['$5', 'EURO', undefined],
  ])('%j is, where %s is usual, an amount in %s', (cell, usual, currency) => {
    expect(currencyOf(cell, usual)).toBe(currency)
  })

  it('is matched whatever its case and separators', () => {
    expect(['At risk', 'at_risk', ' AT-RISK '].map(wordOf)).toEqual(Array(3).fill('at-risk'))
  })
})
