// A build draws all paths of an icon as one. Each must stay where it is.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { joinPaths } from '../../../vite.icons.ts'

const FOLDER = join(import.meta.dirname, '../../../node_modules/lucide-react/dist/esm/icons')
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)/g
/** How many numbers a command takes. */
const COUNTS: Record<string, number> = {
  M: 2,
  L: 2,
  H: 1,
  V: 1,
  C: 6,
  S: 4,
  Q: 4,
  T: 2,
  A: 7,
  Z: 0,
}

const pathsOf = (code: string) =>
  [...code.matchAll(/"path",\s*\{\s*d: "([^"]+)"/g)].map(([, path = '']) => path)

/** The numbers of a command. The flags of an arc may stand together, as in `a2 2 0 012 2`. */
function numbersOf(command: string, text: string): number[] {
  if (command !== 'A') return [...text.matchAll(NUMBER)].map(Number)
  const number = String.raw`[\s,]*([-+]?(?:\d+\.?\d*|\.\d+))`
  const arc = new RegExp(`${number.repeat(3)}[\\s,]*([01])[\\s,]*([01])${number.repeat(2)}`, 'g')
  return [...text.matchAll(arc)].flatMap(([, ...values]) => values.map(Number))
}

/** The commands of a path with absolute points, rounded against sums of fractions. */
function absolute(path: string): string[] {
  const drawn: string[] = []
  let [x, y, startX, startY] = [0, 0, 0, 0]
  for (const [, letter = '', text = ''] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const command = letter.toUpperCase()
    const count = COUNTS[command] ?? NaN
    const [baseX, baseY] = [() => (letter === command ? 0 : x), () => (letter === command ? 0 : y)]
    const values = numbersOf(command, text)
    if (command === 'Z') [x, y] = [startX, startY]
    for (let at = 0; at < values.length; at += count) {
      const own = values.slice(at, at + count)
      const fixed = command === 'A' ? 5 : 0
      const points = own.map((value, index) =>
        index < fixed
          ? value
          : value + (command === 'V' || (index - fixed) % 2 === 1 ? baseY() : baseX()),
      )
      if (command !== 'V') x = points.at(command === 'H' ? -1 : -2) ?? NaN
      if (command !== 'H') y = points.at(-1) ?? NaN
      const isStart = command === 'M' && at === 0
      if (isStart) [startX, startY] = [x, y]
      const shown = points.map((value) => String(Math.round(value * 1e6) / 1e6))
      drawn.push([command === 'M' && !isStart ? 'L' : command, ...shown].join(' '))
    }
    if (command === 'Z') drawn.push('Z')
  }
  return drawn
}

const icons = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => ({
    file,
    // As the build passes it on: without the keys of the shapes.
    code: readFileSync(join(FOLDER, file), 'utf8').replace(/,\s+key: "\w+"/g, ''),
  }))

test('the joined path of every icon draws the same lines, curves and arcs', () => {
  expect(icons.length).toBeGreaterThan(1_000)
  for (const { file, code } of icons) {
    const drawn = pathsOf(joinPaths(code)).flatMap(absolute)
    expect(drawn, file).toEqual(pathsOf(code).flatMap(absolute))
  }
})

test('an icon of several paths becomes one of a single path', () => {
  const drive = icons.find(({ file }) => file === 'hard-drive.mjs')?.code ?? ''
  expect(pathsOf(drive)).toHaveLength(4)
  expect(pathsOf(joinPaths(drive))).toHaveLength(1)
})

test('a relative start with more points becomes an absolute one with relative lines', () => {
  const code = '[["path", { d: "M1 2h3" }], ["path", { d: "m9 18 6-6-6-6" }]]'
  expect(joinPaths(code)).toContain('"M1 2h3M9 18l6-6-6-6"')
})

test('a shape that is more than a path stays as it is', () => {
  const code = '[["circle", { cx: "12" }], ["path", { d: "M1 2", fill: "currentColor" }]]'
  expect(joinPaths(code)).toBe(code)
})
