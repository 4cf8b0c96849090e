// A catalogue of texts has another shape, the language is named twice, or a screen formats by itself.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const read = (pattern: string) =>
  globSync(pattern, { cwd: ROOT }).map(
    (file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const,
  )

test('every catalogue has the shape of one', () => {
  const catalogues = read('{contract,src}/**/*messages.ts')
  expect(catalogues.length).toBeGreaterThan(30)
  for (const [file, text] of catalogues) {
    const declared = text.match(/^export const /gm)?.length ?? 0
    const typed = text.match(/^\} as const satisfies Messages$/gm)?.length ?? 0
    expect([file, typed]).toEqual([file, declared])
  }
})

test('the language of the app is named in one place', () => {
  const named = read('{contract,src,sw,server}/**/*.{ts,tsx}').filter(([, text]) =>
    /(['"])en(-[A-Z]{2})?\1/.test(text),
  )
  expect(named.map(([file]) => file)).toEqual(['contract/text/locale.ts'])
})

test('screens format by the formatters of the kit', () => {
  const formatting = read('src/**/*.{ts,tsx}').filter(([, text]) =>
    /Intl\.(Number|List|RelativeTime)Format|Intl\.Collator|localeCompare|toLocale/.test(text),
  )
  expect(formatting.map(([file]) => file).toSorted()).toEqual([
    // Reads the signs of currencies.
    'src/ui/form/currency-of.ts',
    'src/ui/text/dates.ts',
    'src/ui/text/format.ts',
  ])
})
