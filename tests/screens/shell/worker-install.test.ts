// @vitest-environment node
// The files of a build on the device: what the worker copies from another build, downloads and refuses.
import { createHash } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { Shell, type ShellFile } from '../../../sw/shell.ts'
import { waitFor } from '../../wait-for.ts'

const ORIGIN = 'https://cairn.example.com'
const PAGE = 'index.html'
const CHUNK = 'assets/build-1/list.js'
const NEXT_CHUNK = 'assets/build-2/list.js'

/** The Cache API as far as the worker uses it. */
class MemoryCache {
  readonly entries = new Map<string, Response>()
  match = async (key: string | Request) => this.entries.get(address(key))?.clone()
  put = async (key: string, value: Response) => void this.entries.set(address(key), value)
  keys = async () => [...this.entries.keys()].map((url) => new Request(url))
}
const address = (key: string | Request) =>
  typeof key === 'string' ? new URL(key, ORIGIN).href : key.url

let stored: Map<string, MemoryCache>
/** What the server answers under each path, or an error for what does not match its integrity. */
let served: Record<string, Response | Error>
let requests: string[]
/** How each of them uses the browser’s own cache. */
let cacheModes: Record<string, RequestCache | undefined>

beforeEach(() => {
  stored = new Map()
  served = {}
  requests = []
  cacheModes = {}
  vi.stubGlobal('caches', {
    open: async (name: string) => {
      const cache = stored.get(name) ?? new MemoryCache()
      stored.set(name, cache)
      return cache
    },
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
  })
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    requests.push(path)
    cacheModes[path] = init?.cache
    const answer = served[path] ?? new TypeError('The network is down.')
    if (answer instanceof Error) throw answer
    return answer.clone()
  })
})

const file = (url: string, text: string): ShellFile => ({
  url,
  integrity: `sha256-${createHash('sha256').update(text).digest('base64')}`,
})

/** Installs a build with those texts, all of which the server has. */
async function install(texts: Record<string, string>): Promise<Shell> {
  for (const [url, text] of Object.entries(texts)) served[`/${url}`] = new Response(text)
  const shell = new Shell(Object.entries(texts).map(([url, text]) => file(url, text)))
  await shell.install()
  return shell
}

const textOf = async (shell: Shell, url: string) => await (await shell.serve(`/${url}`)).text()

test('a chunk with the same content is copied, whatever the folder of its build', async () => {
  await install({ [PAGE]: 'one', [CHUNK]: 'list' })
  requests = []
  const next = await install({ [PAGE]: 'two', [NEXT_CHUNK]: 'list' })
  expect(requests).toEqual([`/${PAGE}`])
  expect(await textOf(next, NEXT_CHUNK)).toBe('list')
})

test('chunks that the page has loaded are not downloaded again, and the page is', async () => {
  await install({ [PAGE]: 'one', [CHUNK]: 'list', 'icon.svg': 'icon' })
  // By the browser's own cache, which may hold an old answer under a path that stays the same.
  expect(cacheModes).toEqual({
    [`/${PAGE}`]: 'reload',
    [`/${CHUNK}`]: 'default',
    '/icon.svg': 'reload',
  })
})

test('a chunk with another content is downloaded', async () => {
  await install({ [PAGE]: 'one', [CHUNK]: 'list' })
  requests = []
  const next = await install({ [PAGE]: 'two', [NEXT_CHUNK]: 'longer list' })
  expect(requests).toEqual([`/${PAGE}`, `/${NEXT_CHUNK}`])
  expect(await textOf(next, NEXT_CHUNK)).toBe('longer list')
})

test('the page is always downloaded, since its headers hold the policy', async () => {
  await install({ [PAGE]: 'one', [CHUNK]: 'list' })
  requests = []
  await install({ [PAGE]: 'one', [NEXT_CHUNK]: 'list' })
  expect(requests).toEqual([`/${PAGE}`])
})

test.each([
  ['the page of a captive portal', new TypeError('The integrity does not match.')],
  ['an error', new Response('Gone', { status: 404 })],
])('an installation that gets %s fails, and the next one goes on from there', async (_, answer) => {
  const files = [file(PAGE, 'one'), file(CHUNK, 'list')]
  served = { [`/${PAGE}`]: new Response('one'), [`/${CHUNK}`]: answer }
  await expect(new Shell(files).install()).rejects.toThrow()
  served[`/${CHUNK}`] = new Response('list')
  requests = []
  await new Shell(files).install()
  expect(requests).toEqual([`/${CHUNK}`])
})

test('a file that the browser has deleted comes from the server', async () => {
  const shell = await install({ [PAGE]: 'one', [CHUNK]: 'list' })
  for (const cache of stored.values()) cache.entries.clear()
  expect(await textOf(shell, CHUNK)).toBe('list')
})

test('a build that was never used is deleted, the one used before stays', async () => {
  const first = await install({ [PAGE]: 'one' })
  await first.deleteOldBuilds()
  await install({ [PAGE]: 'never used' })
  const present = await install({ [PAGE]: 'present' })
  await present.deleteOldBuilds()
  expect(await Promise.all([first, present].map((one) => textOf(one, PAGE)))).toEqual([
    'one',
    'present',
  ])
  expect(stored.size).toBe(2)
})

test('the build used last stays after a clock that was ahead was set right', async () => {
  const clock = vi.spyOn(Date, 'now')
  const use = async (at: number, text: string) => {
    clock.mockReturnValue(at)
    const shell = await install({ [PAGE]: text })
    await shell.deleteOldBuilds()
    return shell
  }
  await use(9_000, 'clock ahead')
  const last = await use(1_000, 'used last')
  const present = await use(2_000, 'present')
  clock.mockRestore()
  served = { [`/${PAGE}`]: new Response('of the server') }
  expect([await textOf(last, PAGE), await textOf(present, PAGE)]).toEqual(['used last', 'present'])
})

test.each([
  ['being installed', false],
  ['waiting', true],
])('the files of a build that is %s stay when the one before it starts', async (_, isStored) => {
  const present = await install({ [PAGE]: 'present' })
  const files = [file(PAGE, 'next'), file(CHUNK, 'list')]
  served = { [`/${PAGE}`]: new Response('next'), [`/${CHUNK}`]: new Response('list') }
  const chunk = Promise.withResolvers<void>()
  const answer = fetch
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    if (path === `/${CHUNK}`) await chunk.promise
    return await answer(path, init)
  })
  const next = new Shell(files)
  const installed = next.install()
  if (isStored) {
    chunk.resolve()
    await installed
  } else await waitFor(() => expect(requests).toContain(`/${PAGE}`))
  await present.deleteOldBuilds(true)
  chunk.resolve()
  await installed
  served = {}
  expect([await textOf(next, PAGE), await textOf(next, CHUNK)]).toEqual(['next', 'list'])
})
