// Divides the typeface by `unicode-range`, so that a start loads what nearly all text is set in, and a part with
// accented letters only where a text has one. Of the weights and features it keeps those that the app uses.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'

const FACES = 'src/ui/fonts.css'
const FAMILY = 'node_modules/@fontsource-variable/figtree/files/figtree'
/** A face of the style sheet: its file, which names the part and the file of the package, and its characters. */
const FACE = /figtree-parts\/(\w+)-of-([\w-]+)\.woff2'[^}]*unicode-range:([^;}]+)/g
const KEPT = {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 700, default: 400 } },
  // Without fractions, which are an eighth of the file and which nothing turns on.
  keepFeatures: ['kern', 'liga', 'locl', 'calt', 'ccmp', 'mark', 'mkmk', 'tnum'],
  noHinting: true,
  // Copyright and licence, as the licence asks for.
  preserveNameIds: [0, 13, 14],
}

type SubsetFont = (font: Buffer, text: string, kept: typeof KEPT) => Promise<Buffer>

/** The characters of a `unicode-range`. */
const charactersIn = (range: string): string =>
  [...range.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)]
    .map(([, first = '', last = first]) => {
      const from = parseInt(first, 16)
      const codes = Array.from(
        { length: parseInt(last, 16) - from + 1 },
        (_, index) => from + index,
      )
      return String.fromCodePoint(...codes)
    })
    .join('')

/** Writes the parts into the new folder `folder`. */
async function writeParts(folder: string): Promise<void> {
  // @ts-expect-error It comes without types.
  const { default: subset } = (await import('subset-font')) as { default: SubsetFont }
  for (const [, part = '', of = '', range = ''] of readFileSync(FACES, 'utf8').matchAll(FACE)) {
    const font = readFileSync(`${FAMILY}-${of}-wght-normal.woff2`)
    writeFileSync(
      join(folder, `${part}-of-${of}.woff2`),
      await subset(font, charactersIn(range), KEPT),
    )
  }
}

/** Makes the parts where they are missing; returns their folder. */
function partsFolder(): string {
  const hash = createHash('sha256')
  for (const file of [FACES, 'vite.fonts.ts', 'package-lock.json']) hash.update(readFileSync(file))
  const folder = resolve('node_modules/.cache', `figtree-${hash.digest('hex').slice(0, 10)}`)
  if (existsSync(folder)) return folder
  const made = `${folder}-${process.pid}`
  mkdirSync(made, { recursive: true })
  // In a process of its own, as a build on a small machine has no memory to spare.
  execFileSync(process.execPath, [resolve('vite.fonts.ts'), made])
  if (readdirSync(made).length === 0)
    throw new Error(`No part of the typeface was made in ${made}.`)
  try {
    renameSync(made, folder)
  } catch (error) {
    // Another build was faster.
    if (!existsSync(folder)) throw error
    rmSync(made, { recursive: true })
  }
  return folder
}

/** Makes the parts, and lets styles and scripts name them as `@figtree-parts/…`. */
export const FONTS: Plugin = {
  name: 'parts-of-the-typeface',
  config: () => ({ resolve: { alias: { '@figtree-parts': partsFolder() } } }),
}

if (import.meta.main) await writeParts(process.argv[2] ?? '')
