// Contact sheets: many pictures in one, to look at all of them in a few minutes.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'

/** What a sheet measures at most, in CSS pixels; larger ones are scaled down by most viewers. */
const SHEET = { width: 1_400, height: 1_020 }
const GAP = 10
const CAPTION = 16
/** How wide pictures of that width are on a sheet. */
const widthOnSheet = (width: number) => (width < 500 ? 220 : width < 1_000 ? 335 : 685)

interface Picture {
  file: string
  screen: string
}

/**
 * Writes the pictures `<screen>-<width>-<scheme>.png` of the folder onto sheets in its folder `sheets`: of one look
 * each, by name.
 */
export async function writeContactSheets(context: BrowserContext, folder: string): Promise<void> {
  const looks = new Map<string, Picture[]>()
  for (const file of (await readdir(folder)).toSorted()) {
    const [, screen, look] = /^(.*)-(\d+-(?:light|dark))\.png$/.exec(file) ?? []
    if (screen !== undefined && look !== undefined)
      looks.set(look, [...(looks.get(look) ?? []), { file, screen }])
  }
  await mkdir(join(folder, 'sheets'), { recursive: true })
  const page = await context.newPage()
  await page.setViewportSize(SHEET)
  for (const [look, pictures] of looks) {
    const width = widthOnSheet(Number.parseInt(look, 10))
    for (const [index, sheet] of sheetsOf(await sized(folder, pictures, width), width).entries()) {
      await page.setContent(await markup(folder, sheet, width))
      const path = join(folder, 'sheets', `${look}-${String(index + 1).padStart(2, '0')}.png`)
      await writeFile(path, await page.locator('body').screenshot())
    }
  }
  await page.close()
}

/** With the height that each has on a sheet: PNG has its size in the first bytes. */
const sized = (folder: string, pictures: readonly Picture[], width: number) =>
  Promise.all(
    pictures.map(async (picture) => {
      const bytes = await readFile(join(folder, picture.file))
      return { ...picture, height: (bytes.readUInt32BE(20) / bytes.readUInt32BE(16)) * width }
    }),
  )

/** As many rows as fit on each sheet. */
function sheetsOf<P extends { height: number }>(pictures: readonly P[], width: number): P[][] {
  const columns = Math.floor((SHEET.width - GAP) / (width + GAP))
  const sheets: P[][] = []
  let left = 0
  for (let at = 0; at < pictures.length; at += columns) {
    const row = pictures.slice(at, at + columns)
    const height = Math.max(...row.map((picture) => picture.height)) + CAPTION + GAP
    if (height > left) {
      sheets.push([])
      left = SHEET.height
    }
    left -= height
    sheets.at(-1)?.push(...row)
  }
  return sheets
}

async function markup(folder: string, pictures: readonly Picture[], width: number) {
  const figures = await Promise.all(
    pictures.map(async ({ file, screen }) => {
      const data = (await readFile(join(folder, file))).toString('base64')
      return `<figure><figcaption>${screen}</figcaption><img src="data:image/png;base64,${data}"></figure>`
    }),
  )
  return `<style>
    body { margin: 0; padding: ${GAP}px; display: flex; flex-wrap: wrap; gap: ${GAP}px; background: #888; align-items: start }
    figure { margin: 0; width: ${width}px }
    figcaption { font: 12px/${CAPTION}px sans-serif; overflow: hidden; white-space: nowrap }
    img { width: 100%; display: block }
  </style>${figures.join('')}`
}
