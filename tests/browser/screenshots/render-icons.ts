/**
 * Draws the icons in public/icons from the outlines of the mark: `npm run icons`. Needs a Chromium;
 * CHROMIUM_PATH says where when it is not the system's. The results are committed.
 */
import { writeFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { LOGO_PATHS } from '../../../src/ui/display/logo-paths.ts'
import { smallPng } from './small-png.ts'

const FOLDER = new URL('../../../public/icons/', import.meta.url)
const PINE = '#2b5646'
const PAPER = '#f7f4ee'
const GLOW = '#e9a35c'

interface Icon {
  name: string
  size: number
  background: string
  /** The corner radius, as a share of the size; 0 where the system cuts the shape. */
  radius: number
  /** The size of the mark, as a share of the icon. Up to 0.79 stays in a maskable icon's safe circle. */
  scale: number
  stones: string
  top: string
}

const tile = { background: PINE, stones: PAPER, top: GLOW }
const bare = { background: 'none', stones: '#fff', top: '#fff' }
const ICONS: Icon[] = [
  { ...tile, name: 'icon-192', size: 192, radius: 0.22, scale: 0.74 },
  { ...tile, name: 'icon-512', size: 512, radius: 0.22, scale: 0.74 },
  { ...tile, name: 'maskable-192', size: 192, radius: 0, scale: 0.6 },
  { ...tile, name: 'maskable-512', size: 512, radius: 0, scale: 0.6 },
  { ...bare, name: 'monochrome-512', size: 512, radius: 0, scale: 0.64 },
  // For Android's status bar, beside a notification.
  { ...bare, name: 'monochrome-96', size: 96, radius: 0, scale: 0.9 },
  { ...tile, name: 'apple-touch-icon', size: 180, radius: 0, scale: 0.68 },
]

/** The shortcuts' icons, drawn with one stroke on a grid of 24. */
const SHORTCUTS = {
  'shortcut-plans': 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  'shortcut-new': 'M12 5v14M5 12h14',
  'shortcut-review': 'M4 13l5 5L20 7',
}
const SHORTCUT_SIZE = 96

/** The tab's icon: the bare mark, dark on light and light on dark. */
const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <style>
    @media (prefers-color-scheme: dark) { path { fill: #93c4aa } path:last-child { fill: ${GLOW} } }
  </style>
  <path d="${LOGO_PATHS[0]}" fill="${PINE}" />
  <path d="${LOGO_PATHS[1]}" fill="${PINE}" />
  <path d="${LOGO_PATHS[2]}" fill="#cf7a2f" />
</svg>
`

function drawing({ size, background, radius, scale, stones, top }: Icon) {
  const unit = (size * scale) / 32
  const margin = (size * (1 - scale)) / 2
  const [ground, middle, summit] = LOGO_PATHS
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">
    <rect width="100%" height="100%" rx="${size * radius}" fill="${background}" />
    <g transform="translate(${margin} ${margin}) scale(${unit})" fill="${stones}">
      <path d="${ground}" /><path d="${middle}" /><path d="${summit}" fill="${top}" />
    </g>
  </svg>`
}

const shortcut = (line: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${SHORTCUT_SIZE}" height="${SHORTCUT_SIZE}" viewBox="0 0 48 48">
    <circle cx="24" cy="24" r="24" fill="${PINE}" />
    <path d="${line}" transform="translate(12 12)" fill="none" stroke="${PAPER}" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round" />
  </svg>`

await writeFile(new URL('mark.svg', FOLDER), FAVICON)
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
})
const page = await browser.newPage()
for (const icon of ICONS) await render(icon.name, icon.size, drawing(icon))
for (const [name, line] of Object.entries(SHORTCUTS))
  await render(name, SHORTCUT_SIZE, shortcut(line))
await browser.close()

async function render(name: string, size: number, svg: string): Promise<void> {
  const source = `data:image/svg+xml,${encodeURIComponent(svg)}`
  const pixels = await page.evaluate(
    async ([url, side]) => {
      const image = new Image(side, side)
      image.src = url
      await image.decode()
      const drawn = new OffscreenCanvas(side, side).getContext('2d')
      drawn?.drawImage(image, 0, 0)
      return [...(drawn?.getImageData(0, 0, side, side).data ?? [])]
    },
    [source, size] as const,
  )
  await writeFile(new URL(`${name}.png`, FOLDER), smallPng(size, Uint8Array.from(pixels)))
}
