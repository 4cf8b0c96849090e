// @vitest-environment jsdom
// Who sees the snapshot of the last first screen while the app starts.
import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { expect, test, vi } from 'vitest'

const SCRIPT = readFileSync('src/app/boot/boot-script.js', 'utf8')
// jsdom has no media queries.
vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
const STYLES = '/assets/main-abc.css'
const picture = {
  user: 'u-1',
  organisation: 'o-1',
  path: '/success-plans',
  width: 1024,
  title: 'Success plans · Cairn',
  styles: STYLES,
  html: '<a href="/success-plans/1">One</a><b data-style="width: 40%">x</b><input><button>Go</button>',
}

interface Start {
  url?: string
  kept?: object | string
  storage?: Record<string, string | null>
}

/** The content of the root element when the page is parsed. */
async function start({ url = '/success-plans', kept = picture, storage = {} }: Start = {}) {
  document.head.innerHTML = `<link rel="stylesheet" href="${STYLES}">`
  document.body.innerHTML = ''
  history.replaceState(null, '', url)
  localStorage.clear()
  const all = {
    access_token: 'a',
    refresh_token: 'r',
    user: '{"id":"u-1"}',
    active_organisation: '{"id":"o-1"}',
    first_picture: typeof kept === 'string' ? kept : JSON.stringify(kept),
    ...storage,
  }
  for (const [key, value] of Object.entries(all))
    if (value !== null) localStorage.setItem(key, value)
  runInThisContext(SCRIPT)
  document.body.innerHTML = '<div id="root"></div>'
  // The change notification comes after this.
  await Promise.resolve()
  return document
}

const shown = async (at: Start) => (await start(at)).querySelectorAll('#root a').length

test('shows the snapshot of the same user, with its styles and inert', async () => {
  const page = await start()
  const screen = page.querySelector<HTMLElement>('#root > div')
  expect(screen?.querySelectorAll('a')).toHaveLength(1)
  expect(screen?.inert).toBe(true)
  expect(page.querySelector('b')?.getAttribute('style')).toContain('40%')
  expect(page.title).toBe(picture.title)
  expect(await shown({ url: '/success-plans?source=installed' })).toBe(1)
})

test.for<[string, Start]>([
  ['signed out', { storage: { access_token: null } }],
  ['without a refresh token', { storage: { refresh_token: null } }],
  ['another user', { storage: { user: '{"id":"u-2"}' } }],
  ['no user', { storage: { user: null } }],
  ['another organisation', { storage: { active_organisation: '{"id":"o-2"}' } }],
  ['no organisation', { storage: { active_organisation: 'null' } }],
  ['another path', { url: '/accounts' }],
  ['another list', { url: '/success-plans?view=mine' }],
  ['another width', { kept: { ...picture, width: 360 } }],
  ['another build', { kept: { ...picture, styles: '/assets/main-old.css' } }],
  ['nothing stored', { storage: { first_picture: null } }],
  ['stored data is malformed', { kept: '{"html":' }],
])('shows no snapshot: %s', async ([, at]) => {
  expect(await shown(at)).toBe(0)
})
