// @vitest-environment jsdom
// A file for the customer that runs a script, loads something, or holds what was not chosen.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sheetContent, type Sheet } from '../../../src/features/success-plans/detail/save-sheet.ts'
import { sheetFile } from '../../../src/features/success-plans/detail/sheet-file.ts'
import { actionWith, initiativeWith, planWith, updateWith } from '../fixtures/record-fixtures.ts'

const HOSTILE = [
  '</title></style><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '[a](javascript:alert(1)) [b](https://u@evil.example) <a href="javascript:alert(1)">c</a>',
  '&lt;b&gt; &amp;#60;i> ${alert(1)}',
  '<meta http-equiv=refresh content=0;url=//evil.example>',
  '**<b onclick=alert(1)>bold</b>** `<i>` https://evil.example/"onmouseover="alert(1)',
].join('\n')

const sheetWith = (text: string, choice: Partial<Sheet['choice']> = {}): Sheet => ({
  plan: planWith({ title: text, description: text, success_criteria: text, account_id: 'a' }),
  choice: { facts: true, work: true, health: true, ...choice },
  updates: [updateWith({ body: text })],
  initiatives: [
    {
      initiative: initiativeWith({ title: text }),
      actions: [actionWith({ title: text })],
      areActionsRead: true,
    },
  ],
  ungrouped: [actionWith({ title: `Loose ${text}`, status: 'done' })],
  nameOf: () => text,
  history: [updateWith({ progress_from: 20, progress_to: 40 })],
  today: '2026-03-02',
  now: Date.parse('2026-03-02T09:00:00Z'),
  syncedAt: Date.parse('2026-03-02T09:00:00Z'),
})

const fileOf = (sheet: Sheet) => sheetFile(sheetContent(sheet))
const parsed = (file: string) => new DOMParser().parseFromString(file, 'text/html')

const TAGS =
  'html head meta style title body main h1 h2 h3 p progress dl dt dd section ul ol li span div strong em code pre a bdi ' +
  'figure svg path polygon polyline line figcaption table caption tbody tr th td'

/** Whether the document has nothing but the elements and attributes that the file is made of. */
function expectHarmless(document: Document): void {
  for (const element of document.querySelectorAll('*')) {
    expect(TAGS.split(' ')).toContain(element.localName)
    for (const { name, value } of element.attributes) {
      expect(name).not.toMatch(/^on|^src|^style$|^action$/)
      if (name === 'href') expect(value).toMatch(/^https?:\/\//)
    }
  }
  expect(document.querySelectorAll('style')).toHaveLength(1)
  expect(document.querySelectorAll('meta')).toHaveLength(4)
  expect(document.querySelectorAll('meta[http-equiv]')).toHaveLength(1)
}

test('hostile text is only text', () => {
  const document = parsed(fileOf(sheetWith(HOSTILE)))
  expectHarmless(document)
  expect(document.querySelector('h1')?.textContent).toBe(HOSTILE)
  expect(document.querySelectorAll('.actions li')).toHaveLength(2)
  expect([...document.links].map(({ hostname }) => hostname)).toEqual(['evil.example'])
  // Direction marks before a link would show it backwards.
  expect([...document.links].map(({ firstElementChild: one }) => one?.localName)).toEqual(['bdi'])
})

test('any text stays as it was written', () => {
  const sign = fc.constantFrom('<', '>', '"', "'", '&', '/', '=', '`', '*', '\u2028', 'x', ' ')
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 40 }), (signs) => {
      const document = parsed(fileOf(sheetWith(`a${signs.join('')}`)))
      expectHarmless(document)
      expect(document.querySelector('h1')?.textContent).toBe(`a${signs.join('')}`)
    }),
    { numRuns: 60 },
  )
})

test('its own policy comes before anything that a user wrote, and allows nothing but its styles', () => {
  const file = fileOf(sheetWith('Words'))
  expect(file.indexOf('Content-Security-Policy')).toBeLessThan(file.indexOf('Words'))
  expect(
    parsed(file)
      .querySelector('meta[http-equiv="Content-Security-Policy"]')
      ?.getAttribute('content'),
  ).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'",
  )
  expect(file).not.toMatch(/url\(|@import|<link|<script/)
})

test('progress over time is drawn as on the sheet, and is a table for those who do not see it', () => {
  const document = parsed(fileOf(sheetWith('Words')))
  expect(document.querySelector('polyline')?.getAttribute('points')).toMatch(/^0,80 .+,60$/)
  expect(document.querySelector('.even')).not.toBe(null)
  const side = document.querySelectorAll('.axis span')
  expect(Array.from(side, ({ textContent }) => textContent)).toEqual(['100%', '50%', '0%'])
  const cells = document.querySelectorAll('table tr')
  expect(Array.from(cells, ({ textContent }) => textContent.replace(/\s+/g, ' ').trim())).toEqual([
    'Jan 1, 2026 20%',
    'Mar 2, 2026 40%',
    'Mar 2, 2026 40%',
  ])
})

test('the font is in the file, and nothing else is at another address', () => {
  const file = sheetFile(sheetContent(sheetWith('Words')), ['AAEC', 'AQID'])
  expect(file.match(/url\([^)]*\)/g)).toEqual([
    'url(data:font/woff2;base64,AAEC)',
    'url(data:font/woff2;base64,AQID)',
  ])
})

test('it says as of when its data is, if that is known', () => {
  expect(fileOf({ ...sheetWith('Words'), syncedAt: null })).not.toContain('As of')
  const file = fileOf({ ...sheetWith('Words'), syncedAt: new Date(2026, 2, 2, 9, 5).getTime() })
  expect(file).toContain('As of Mar 2, 2026, 09:05')
})

test('what was not chosen is not in the file', () => {
  const sheet = sheetWith('Internal')
  const file = fileOf({
    ...sheet,
    plan: planWith({
      title: 'Roll-out',
      description: 'Internal aim',
      health: 'off-track',
      progress: 37,
    }),
    choice: { facts: false, work: false, health: false },
    updates: [],
    nameOf: () => undefined,
  })
  expect(file).toContain('Roll-out')
  expect(file).not.toMatch(/Internal|Off track|off-track|37/)
})
