import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface Icon {
  src: string
  sizes: string
  type: string
  purpose?: string
}
interface Manifest {
  theme_color: string
  background_color: string
  icons: Icon[]
  shortcuts: { url: string; icons: Icon[] }[]
}

const text = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const html = text('index.html')
const manifest = JSON.parse(text('manifest.webmanifest')) as Manifest
const [light = '', dark = ''] = Array.from(
  text('src/ui/tokens.css').matchAll(/--color-surface: (#[0-9a-f]{6});/g),
  ([, hex = '']) => hex,
)

it('uses the page’s colours for the browser window, in both themes', () => {
  expect(html).toContain(`content="${light}" media="(prefers-color-scheme: light)"`)
  expect(html).toContain(`content="${dark}" media="(prefers-color-scheme: dark)"`)
  expect(text('src/app/boot/boot-script.js')).toContain(`dark ? '${dark}' : '${light}'`)
  expect([manifest.theme_color, manifest.background_color]).toEqual([light, light])
})

it('has every icon, in the size that the manifest states', () => {
  const icons = [...manifest.icons, ...manifest.shortcuts.flatMap((shortcut) => shortcut.icons)]
  const wrong = icons.filter(({ src, sizes, type }) => {
    const file = new URL(`../../../public${src}`, import.meta.url)
    if (!existsSync(file)) return true
    if (type !== 'image/png') return false
    const png = readFileSync(file)
    return sizes !== `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`
  })
  expect(wrong).toEqual([])
  expect(new Set(icons.map((icon) => icon.purpose))).toContain('maskable')
})

it('has no inline script or style, which the content security policy would block', () => {
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/)
})

it('links to existing files only', () => {
  const paths = Array.from(html.matchAll(/(?:src|href)="(\/[^"]+)"/g), ([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(3)
  expect(
    paths.filter((path) => {
      const place = path.startsWith('/src/') ? '' : '/public'
      return !existsSync(new URL(`../../..${place}${path}`, import.meta.url))
    }),
  ).toEqual([])
})
