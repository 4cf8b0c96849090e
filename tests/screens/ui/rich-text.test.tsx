// @vitest-environment jsdom
// jsdom has no content security policy: the rendered markup must be harmless by itself.
import { readFileSync } from 'node:fs'
import { cleanup, render, screen } from '@testing-library/react'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { RichText } from '../../../src/ui/text/rich-text.tsx'

afterEach(cleanup)

const shown = (text: string) => render(<RichText text={text} />).container
/** The elements inside, without the container. */
const tags = (text: string) =>
  [...shown(text).querySelectorAll('div > div *')].map(({ localName }) => localName)

describe('untrusted text', () => {
  it.each([
    '<script>globalThis.pwned = 1</script>',
    '<img src=x onerror="globalThis.pwned = 1">',
    '![picture](https://example.com/track.png)',
    '[click](javascript:alert(1))',
    '[click](JaVaScRiPt:alert(1))',
    '[click](data:text/html,<script>alert(1)</script>)',
    '[click](javascript:globalThis.pwned=1)',
    '[click](data:text/html,harmless)',
    '[click](vbscript:x)',
    '[click](//example.com)',
    '[click](https://bank.example@evil.example)',
    '<a href="javascript:alert(1)">click</a>',
    '`<svg onload=alert(1)>`',
    '**<iframe src="javascript:alert(1)">**',
    'https://example.com"onmouseover="alert(1)',
  ])('becomes only allowed elements and safe links: %s', (text) => {
    const container = shown(text)
    const allowed = 'p, div, ul, ol, li, strong, em, code, pre, a, bdi, span'
    expect([...container.querySelectorAll('*')].filter((one) => !one.matches(allowed))).toEqual([])
    for (const link of container.querySelectorAll('a')) {
      expect(link.protocol).toMatch(/^https?:$/)
      expect(link.rel).toContain('noopener')
      expect(link.getAttributeNames().toSorted()).toEqual(['class', 'href', 'rel', 'target'])
      expect(link.hostname).not.toBe('evil.example')
    }
    expect(Reflect.get(globalThis, 'pwned')).toBeUndefined()
  })

  // A fixed amount of work: on a busy machine it takes longer than the default timeout.
  it('yields no unsafe element or address for random input', { timeout: 60_000 }, () => {
    const piece = fc.constantFrom(
      ...'* ** _ ` ``` [ ]( ) < > " - 1. javascript: https:// http://a.b data: x'.split(' '),
      ' ',
      '\n',
      '\n\n',
      '- ',
      '<img src=x onerror=y>',
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 40 }),
        (all) => {
          const container = shown(all.join(''))
          expect(container.querySelector('img, script, iframe, svg, object, style')).toBeNull()
          for (const link of container.querySelectorAll('a'))
            expect(link.getAttribute('href')).toMatch(/^https?:\/\//)
          cleanup()
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is rendered in time when made of delimiters alone', () => {
    const links = [
      '[a](https://',
      '[a](https://a(',
      '[a](https://a(b)',
      'https://a)](',
      'https://a((',
    ]
    for (const text of ['*', '**', '_', '`', '[', '[a](', ...links, '- ', '* a'])
      expect(() => shown(text.repeat(20_000 / text.length))).not.toThrow()
    for (const text of ['(', ')', '(a)', ')(', ']'])
      expect(() => shown(`[a](https://a${text.repeat(20_000 / text.length)}`)).not.toThrow()
  })

  // So that each start of a match costs a limited number of steps, whatever follows.
  it('is read with patterns of a maximum length that match in one way only', () => {
    const source = readFileSync('src/ui/text/markup.ts', 'utf8')
    const found = source.matchAll(/^const (?:CODE|LINK|BARE|BOLD|ITALIC) =\s+'(.+)'$/gm)
    const patterns = [...found].map(([, pattern = '']) => pattern.replaceAll('\\\\', '\\'))
    expect(patterns).toHaveLength(5)
    for (const pattern of patterns) {
      const outline = pattern.replaceAll(/\\.|\[(?:\\.|[^\]])+\]/g, (one) =>
        one[0] === '[' ? 'c' : one,
      )
      expect(outline.replaceAll(/\\./g, '')).not.toMatch(/[*+]|\{\d+,\}/)
      // A repeated group begins and ends its only inner repetition with brackets, and no class of the pattern has
      // these.
      const repeated = [...outline.matchAll(/(\((?:\\.|[^()\\])*\))\{/g)].map(([, group]) => group)
      if (repeated.length === 0) continue
      expect(repeated).toEqual([String.raw`(?:\(c{0,2000}\)c{0,2000})`])
      const [, target = ''] = pattern.split('https?')
      for (const [one] of target.matchAll(/\[(?:\\.|[^\]])+\]/g)) expect(one).toMatch(/^\[\^.*\(\)/)
    }
  })
})

describe('the markup', () => {
  it('becomes elements', () => {
    expect(shown('**Go-live** is *agreed*, see `README`').textContent).toBe(
      'Go-live is agreed, see README',
    )
    expect(tags('**Go-live** is *agreed*, _really_, see `README`')).toEqual([
      'p',
      'strong',
      'em',
      'em',
      'code',
    ])
  })

  it('is not found in sums, years and names', () => {
    for (const plain of [
      '2026. A year',
      '3 * 4 * 5',
      'snake_case_name',
      '2*3*4',
      'a ** b',
      '50% * 2',
    ])
      expect([plain, tags(plain)]).toEqual([plain, ['p']])
  })

  it('becomes lists with all their items', () => {
    const container = shown(
      'Next:\n- train the *team*\n- go live\n  in spring\n\n3. sign\n4. celebrate',
    )
    expect([...container.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
      'train the team',
      'go live\nin spring',
      'sign',
      'celebrate',
    ])
    expect(container.querySelector('ol')?.start).toBe(3)
  })

  it('is not read inside code', () => {
    const container = shown('```\n**not bold**\n- no item\n```')
    expect(container.querySelector('pre')?.textContent).toBe('**not bold**\n- no item')
    expect(container.querySelector('strong, li')).toBeNull()
  })

  it('leaves punctuation out of a link', () => {
    const hrefs = [
      ...shown('See https://example.com/a?b=1. Or (https://example.com/c)').querySelectorAll('a'),
    ]
    expect(hrefs.map(({ href }) => href)).toEqual([
      'https://example.com/a?b=1',
      'https://example.com/c',
    ])
  })

  const WIKI = 'https://en.wikipedia.org/wiki/Churn_'

  it.each([
    [`${WIKI}(business)`, `${WIKI}(business)`],
    [`See (${WIKI}(business)).`, `${WIKI}(business)`],
    [`(${WIKI}(a)_(b))`, `${WIKI}(a)_(b)`],
    [`${WIKI}(business`, `${WIKI}(business`],
    [`(see ${WIKI}business), then`, `${WIKI}business`],
    [`${WIKI}(business),)`, `${WIKI}(business)`],
    [`${WIKI}a[1]`, `${WIKI}a[1]`],
    [`[see ${WIKI}a]`, `${WIKI}a`],
    [`[Churn](${WIKI}(business))`, `${WIKI}(business)`],
    [`([Churn](${WIKI}(a)_(b)/c))`, `${WIKI}(a)_(b)/c`],
    [`**[Churn](${WIKI}())**`, `${WIKI}()`],
  ])('leaves a link its own brackets: %s', (text, href) => {
    const links = [...shown(text).querySelectorAll('a')]
    expect(links.map((link) => link.getAttribute('href'))).toEqual([href])
    if (text.includes('[Churn]')) expect(links[0]?.querySelector('bdi')?.textContent).toBe('Churn')
  })

  it('keeps every word', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 12 })
    const marks = fc.constantFrom('', '*', '**', '_', '`', '[', '](', '\n', '\n\n')
    fc.assert(
      fc.property(words, marks, (letters, mark) => {
        const text = shown(letters.join(`${mark} ${mark}`)).textContent
        cleanup()
        for (const word of letters) expect(text).toContain(word)
      }),
      { numRuns: 200 },
    )
  })
})

it.each([
  ['https://\u0435xample.com/a', 'https://xn--xample-2of.com/a'],
  ['https://example.com/für', 'https://example.com/für'],
  ['[Bank.example/login](https://www.bank.example/login)', 'Bank.example/login'],
  ['[see (bank.example).](https://bank.example/)', 'see (bank.example).'],
  ['[https://bank.example/a](https://bank.example/a)', 'https://bank.example/a'],
  ['[the plan](https://elsewhere.example/)', 'the plan'],
  ['[Signed. See there](https://elsewhere.example/)', 'Signed. See there'],
  ['[٢٠٢٦](https://elsewhere.example/)', '٢٠٢٦'],
  ['[\u202E](https://elsewhere.example/)', 'https://elsewhere.example/'],
])('the link %j is shown as %j', (text, shown) => {
  expect(wordsOfLink(text)).toBe(shown)
})

it.each([
  'bank.example',
  'https://bank.example/login?x=elsewhere.example',
  'elsewhere.example.bank.example',
  'bank.example@elsewhere.example',
  'bank.example of elsewhere.example',
  'myelsewhere.example',
  'bank .example',
  'https://bank',
  'bank․example',
  'bank。example',
  'bank．example',
  'bank٠example',
  'ｂａｎｋ.ｅｘａｍｐｌｅ',
])('the label %j is followed by the host that it leads to', (label) => {
  expect(wordsOfLink(`[${label}](https://elsewhere.example/)`)).toBe(`${label} (elsewhere.example)`)
  // Isolated from what the label does to the direction of the text.
  expect(screen.getByRole('link').querySelectorAll('bdi')[1]?.textContent).toBe('elsewhere.example')
})

it('a label without its direction controls names its host, and one in another script the true one', () => {
  expect(wordsOfLink('[\u202Eelpmaxe.knab](https://elsewhere.example/)')).toBe(
    'elpmaxe.knab (elsewhere.example)',
  )
  cleanup()
  expect(wordsOfLink('[\u0435xample.com](https://\u0435xample.com/)')).toBe(
    '\u0435xample.com (xn--xample-2of.com)',
  )
})

/** What is shown of the only link. */
function wordsOfLink(text: string): string | undefined {
  render(<RichText text={text} />)
  const link = screen.getByRole('link')
  link.querySelector('.sr-only')?.remove()
  return link.textContent
}
