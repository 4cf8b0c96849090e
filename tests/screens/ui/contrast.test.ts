import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('../../../src/ui/tokens.css', import.meta.url), 'utf8')
const light = colours(block('@theme {'))
const themes = {
  light,
  dark: new Map([...light, ...colours(block(":root[data-theme='dark'] {"))]),
}

const SEVERITIES = ['secondary', 'info', 'warn', 'success', 'danger', 'primary']
const SURFACES = ['surface', 'raised', 'sunken']
const STONES = ['stone-1', 'stone-2', 'stone-3', 'stone-4', 'stone-5']

/** Foreground, background, and the least contrast between them. */
const PAIRS: [ink: string, paper: string, least: number][] = [
  ...SURFACES.flatMap((paper): [string, string, number][] => [
    ['ink', paper, 7],
    ['ink-muted', paper, 4.5],
    ['ink-faint', paper, 4.5],
    ['accent', paper, 4.5],
    ['danger-ink', paper, 4.5],
    ['focus', paper, 3],
  ]),
  ['edge', 'raised', 3],
  ['edge', 'surface', 3],
  ['glow', 'raised', 3],
  ['accent', 'line', 3],
  // Between selected rows.
  ['line', 'accent-soft', 1.1],
  ['ink', 'accent-soft', 7],
  ['accent', 'accent-soft', 4.5],
  ['accent-ink', 'accent', 6],
  ['accent-ink', 'accent-strong', 6],
  ['danger-strong-ink', 'danger-strong', 6],
  ['glow-ink', 'glow-soft', 7],
  ['offline-ink', 'offline', 6],
  ...SEVERITIES.map((name): [string, string, number] => [`${name}-ink`, name, 6]),
  ...STONES.map((name): [string, string, number] => ['ink', name, 7]),
]

describe.each(Object.entries(themes))('in the %s theme', (_, theme) => {
  it.each(PAIRS)('%s on %s has a contrast of at least %d to 1', (ink, paper, least) => {
    expect(contrast(theme.get(ink), theme.get(paper))).toBeGreaterThanOrEqual(least)
  })
})

it('redefines every colour of the light theme in the dark one', () => {
  const dark = colours(block(":root[data-theme='dark'] {"))
  expect([...light.keys()].filter((name) => !dark.has(name))).toEqual([])
})

function block(opening: string) {
  const start = css.indexOf(opening)
  return css.slice(start, css.indexOf('--shadow-sheet', start))
}

function colours(text: string) {
  const found = text.matchAll(/--color-([a-z0-9-]+): (#[0-9a-f]{6,8});/g)
  return new Map(Array.from(found, ([, name = '', hex = '']) => [name, hex]))
}

/** WCAG 2.2's contrast ratio of two `#rrggbb` colours. */
function contrast(one: string | undefined, other: string | undefined) {
  if (one === undefined || other === undefined) throw new Error('no such colour in tokens.css')
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

function luminance(hex: string) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
