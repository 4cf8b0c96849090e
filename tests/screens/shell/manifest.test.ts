// What app stores and systems require of a manifest before they offer to install the app, checked
// against the image files themselves.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Picture {
  src: string
  type: string
  sizes: string
  purpose?: string
  form_factor?: string
  label?: string
}
interface Manifest extends Record<string, unknown> {
  icons: Picture[]
  screenshots: Picture[]
  shortcuts: { name: string; short_name?: string; url: string; icons: Picture[] }[]
  share_target: { action: string; method: string; params: Record<string, string> }
}

const root = join(import.meta.dirname, '../../..')
const manifest = JSON.parse(readFileSync(join(root, 'manifest.webmanifest'), 'utf8')) as Manifest
const { icons, screenshots, shortcuts } = manifest
const fileOf = ({ src }: Picture) => join(root, 'public', src)

/** Width and height from the file's header. */
function pixels(picture: Picture): [number, number] {
  const bytes = readFileSync(fileOf(picture))
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

test('has every required field', () => {
  expect(manifest).toMatchObject({
    id: '/',
    scope: '/',
    lang: 'en',
    dir: 'ltr',
    display: 'standalone',
    orientation: 'any',
    prefer_related_applications: false,
  })
  const { name, short_name, description, start_url, theme_color, background_color } = manifest
  expect(String(name).length).toBeGreaterThan(0)
  expect(String(short_name).length).toBeLessThanOrEqual(12)
  expect(String(description).length).toBeGreaterThan(20)
  expect(start_url).toMatch(/^\//)
  for (const colour of [theme_color, background_color]) expect(colour).toMatch(/^#[0-9a-f]{6}$/)
  expect(manifest['display_override']).toContain('standalone')
  expect(manifest['categories']).not.toEqual([])
  expect(manifest).toHaveProperty('launch_handler.client_mode')
})

test('lists images that exist, in the sizes stated', () => {
  const pictures = [...icons, ...screenshots, ...shortcuts.flatMap((one) => one.icons)]
  for (const picture of pictures) {
    expect([picture.src, existsSync(fileOf(picture))]).toEqual([picture.src, true])
    if (picture.type === 'image/svg+xml') continue
    expect(picture.type).toBe('image/png')
    expect([picture.src, pixels(picture).join('x')]).toEqual([picture.src, picture.sizes])
  }
})

test('has one icon for each purpose, and none for two', () => {
  for (const purpose of ['any', 'maskable'])
    for (const sizes of ['192x192', '512x512'])
      expect(icons.filter((icon) => icon.purpose === purpose && icon.sizes === sizes)).toHaveLength(
        1,
      )
  expect(icons.filter(({ purpose }) => purpose === 'monochrome')).toHaveLength(1)
  expect(icons.map(({ purpose }) => purpose)).not.toContainEqual(expect.stringContaining(' '))
})

test('has screenshots for wide and narrow windows', () => {
  for (const form of ['wide', 'narrow']) {
    const those = screenshots.filter(({ form_factor }) => form_factor === form)
    expect(those.length).toBeGreaterThan(0)
    // Chromium ignores screenshots whose aspect ratio differs from the first.
    expect(new Set(those.map(({ sizes }) => sizes)).size).toBe(1)
    for (const picture of those) {
      const [width, height] = pixels(picture)
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(320)
      expect(Math.max(width, height) / Math.min(width, height)).toBeLessThanOrEqual(2.3)
      expect(width > height).toBe(form === 'wide')
      expect(picture.label?.length).toBeGreaterThan(10)
    }
  }
})

test('has shortcuts and a share target that are routes of the app', () => {
  const routes = readFileSync(join(root, 'src/routes.tsx'), 'utf8')
  const paths = [...shortcuts.map(({ url }) => url), manifest.share_target.action]
  for (const path of paths)
    expect(routes).toContain(`'${new URL(path, 'https://here.invalid').pathname}':`)
  for (const { name, icons: own } of shortcuts) {
    expect(name.length).toBeGreaterThan(0)
    expect(own.map(({ sizes }) => sizes)).toEqual(['96x96'])
  }
  expect(manifest.share_target.method).toBe('GET')
})

test('keeps store screenshots out of the precache', () => {
  const build = readFileSync(join(root, 'vite.config.ts'), 'utf8')
  expect(build).toContain("'screenshots/*'")
})

test('has an icon and a title for the iOS home screen', () => {
  const page = readFileSync(join(root, 'index.html'), 'utf8')
  expect(page).toContain('rel="apple-touch-icon" href="/icons/apple-touch-icon.png"')
  expect(page).toContain('viewport-fit=cover')
  expect(page).toContain('name="apple-mobile-web-app-title" content="Cairn"')
  const icon = { src: '/icons/apple-touch-icon.png', type: 'image/png', sizes: '180x180' }
  expect(pixels(icon)).toEqual([180, 180])
})
